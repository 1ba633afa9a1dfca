package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"math"
	"net/http"
	"strings"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/solve"
	"onlooker/vision/picture"
)

const (
	// maxOpen is how many boards of one text are listed: the page steps through
	// them, and the largest collections seen have 9,000.
	maxOpen = 20_000
	// maxShapes keeps the picture of a huge board from being more than a
	// browser can show: 200,000 are some 20 MB of SVG. A cell that is drawn has two
	// or more.
	maxShapes = 200_000
	// scale is pixels per half-cell of the pictures that are saved.
	scale = 32
	// maxPixels keeps a saved PNG within 64 MB of memory.
	maxPixels = 16e6
)

// A familyJSON is what the page knows of a family.
type familyJSON struct {
	Name    string        `json:"name"`
	Doc     string        `json:"doc"`
	Wishes  []solve.Field `json:"wishes"`  // what a random board may be asked for
	Presets []solve.Rule  `json:"presets"` // or by one name
	Formats []formJSON    `json:"formats"` // that are written; the first is the text
	Rules   []solve.Rule  `json:"rules"`   // what an answer can break
	Deals   bool          `json:"deals"`   // random boards
	Edits   bool          `json:"edits"`
	Read    bool          `json:"read"` // off the screen
}

// A formJSON is a form that boards are written in, as solve.Format says it.
type formJSON struct {
	Name string `json:"name"`
	Link string `json:"link,omitempty"`
	Way  string `json:"way,omitempty"`
}

// games lists the families.
func (s *Server) games(w http.ResponseWriter, _ *http.Request) {
	list := []familyJSON{}
	for _, g := range s.options.Games {
		f := familyJSON{Name: g.Name, Doc: g.Doc, Deals: g.Generate != nil, Edits: g.Editor != nil, Read: g.NewReader != nil, Rules: append([]solve.Rule{}, g.Rules...), Wishes: []solve.Field{}, Presets: []solve.Rule{}}
		for _, wish := range g.Wishes {
			most := wish.Most
			if most == 0 {
				most = maxSide * maxSide
			}
			f.Wishes = append(f.Wishes, solve.Field{Name: wish.Name, Label: wish.Name, Doc: wish.Doc, Kind: solve.Number, Most: most})
		}
		for _, p := range g.Presets {
			f.Presets = append(f.Presets, solve.Rule(p))
		}
		for _, format := range g.Formats {
			if format.Encode != nil {
				f.Formats = append(f.Formats, formJSON{format.Name, format.Link, format.Way})
			}
		}
		list = append(list, f)
	}
	reply(w, struct {
		Families []familyJSON `json:"families"`
		Practice bool         `json:"practice"`
		Keeps    bool         `json:"keeps"`
		Live     bool         `json:"live"`
		Given    string       `json:"given,omitempty"`
	}{list, s.options.Practice != nil, s.options.Store != nil, s.options.Live != nil, s.options.Given.Name})
}

// A boardJSON is one board of what was opened.
type boardJSON struct {
	Kind   string `json:"kind"` // "board", or "more" where some were left out
	Family string `json:"family,omitempty"`
	Text   string `json:"text,omitempty"`
	Error  string `json:"error,omitempty"`
}

// open lists the boards of a text in any form that is known, a line each.
func (s *Server) open(w http.ResponseWriter, r *http.Request) {
	s.stream(w, r, func(ctx context.Context, a *request, out *lines) error {
		n := 0
		for f := range s.options.Decode([]byte(a.Text), a.Family, a.Rules) {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if n++; n > maxOpen {
				out.send(boardJSON{Kind: "more", Error: fmt.Sprintf("only the first %d boards are listed", maxOpen)})
				return nil
			}
			b := boardJSON{Kind: "board"}
			if f.Game != nil {
				b.Family = f.Game.Name
			}
			err := f.Err
			if err == nil {
				b.Text, err = canonical(f.Puzzle)
			}
			if err != nil {
				b.Error = said(err)
			}
			if !out.send(b) {
				return nil
			}
		}
		return nil
	})
}

func canonical(p solve.Puzzle) (string, error) {
	text, err := p.MarshalText()
	return strings.TrimRight(string(text), "\n") + "\n", err
}

// place is where a half-cell lies in the family's pictures.
func place(g *see.Game, p solve.Puzzle, at image.Point) picture.Point {
	if g.Place != nil {
		return g.Place(p, at)
	}
	return picture.Point{X: float64(at.X), Y: float64(at.Y)}
}

// places are half-cells in the picture's coordinates, to a hundredth.
func places(g *see.Game, p solve.Puzzle, at []image.Point) [][2]float64 {
	out := make([][2]float64, len(at))
	for i, c := range at {
		q := place(g, p, c)
		out[i] = [2]float64{math.Round(q.X*100) / 100, math.Round(q.Y*100) / 100}
	}
	return out
}

// drawable tells whether a board's picture can have so few shapes, by its cells.
func drawable(p solve.Puzzle, most int) bool {
	size := p.Bounds().Size().Div(2)
	return size.X*size.Y <= most/2
}

// shapesOf are those of a board's picture, so many at most. A board of more cells is not drawn
// to count them: that takes gigabytes.
func shapesOf(g *see.Game, p solve.Puzzle, answer solve.Solution, most int) ([]picture.Shape, error) {
	if g.Picture == nil {
		return nil, fmt.Errorf("%s has no pictures", g.Name)
	}
	if !drawable(p, most) {
		return nil, fmt.Errorf("%s: a picture of more than %d cells is more than a browser shows", g.Name, most/2)
	}
	shapes := g.Picture(p, answer)
	if len(shapes) == 0 {
		return nil, fmt.Errorf("%s: the picture is empty", g.Name)
	}
	if len(shapes) > most {
		return nil, fmt.Errorf("%s: a picture of %d shapes is more than a browser shows, want at most %d", g.Name, len(shapes), most)
	}
	return shapes, nil
}

// svg is a board's picture; one that cannot be had is "".
func svg(g *see.Game, p solve.Puzzle, answer solve.Solution) string {
	shapes, err := shapesOf(g, p, answer, maxShapes)
	if err != nil {
		return ""
	}
	return drawn(shapes, scale)
}

// drawn is shapes as SVG; "" where that cannot be had.
func drawn(shapes []picture.Shape, scale float64) string {
	var out bytes.Buffer
	if picture.SVG(&out, shapes, scale) != nil {
		return ""
	}
	return out.String()
}

// answered is a board, and the answer that is given with it; nil: none is. Pictures are drawn
// of answers only: what is none may lie anywhere.
func (s families) answered(ctx context.Context, a *request) (*see.Game, solve.Puzzle, solve.Solution, error) {
	g, p, err := s.puzzle(ctx, a)
	if err != nil {
		return nil, nil, nil, err
	}
	given, err := solve.FromPairs(a.Stroke)
	if err != nil || len(given) == 0 {
		return g, p, nil, err
	}
	return g, p, given, answer.Judge(ctx, p, given)
}

// draw answers with a board's picture, and an answer in it if one is given.
func (s families) draw(ctx context.Context, a *request) (any, error) {
	g, p, given, err := s.answered(ctx, a)
	if err != nil {
		return nil, err
	}
	text, err := canonical(p)
	if err != nil {
		return nil, err
	}
	return struct {
		Text string `json:"text"`
		SVG  string `json:"svg"`
	}{text, svg(g, p, given)}, nil
}

// save answers with a board in another format, or as a picture, as base64 in
// data.
func (s families) save(ctx context.Context, a *request) (any, error) {
	g, p, given, err := s.answered(ctx, a)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	kind := "text/plain"
	switch a.To {
	case "svg", "png":
		shapes, err := shapesOf(g, p, given, maxShapes)
		if err != nil {
			return nil, err
		}
		if kind = "image/svg+xml"; a.To == "svg" {
			err = picture.SVG(&out, shapes, scale)
		} else {
			kind = "image/png"
			least, most := picture.Extent(shapes)
			area := (most.X - least.X) * (most.Y - least.Y)
			err = picture.PNG(&out, shapes, min(scale, math.Sqrt(maxPixels/max(1, area))))
		}
		if err != nil {
			return nil, err
		}
	case "json":
		kind = "application/json"
		text, err := canonical(p)
		if err != nil {
			return nil, err
		}
		// What import and the page's own Paste read again.
		record := struct {
			Family  string `json:"family"`
			Puzzle  string `json:"puzzle"`
			Strokes any    `json:"strokes,omitempty"`
		}{Family: g.Name, Puzzle: text}
		if given != nil {
			record.Strokes = given.Pairs()
		}
		if err := json.NewEncoder(&out).Encode(record); err != nil {
			return nil, err
		}
	default:
		if err := encode(&out, g, p, a.To); err != nil {
			return nil, err
		}
	}
	return struct {
		Type string `json:"type"`
		Data []byte `json:"data"`
	}{kind, out.Bytes()}, nil
}

func encode(out *bytes.Buffer, g *see.Game, p solve.Puzzle, to string) error {
	for i := range g.Formats {
		format := &g.Formats[i]
		if format.Name == to || to == "text" && i == 0 {
			if format.Encode == nil {
				return fmt.Errorf("%s: %s is only read", g.Name, format.Name)
			}
			return format.Encode(out, p)
		}
	}
	return errors.New(g.Name + ": no format " + to)
}
