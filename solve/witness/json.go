package witness

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"onlooker/solve"
)

// A jsonPuzzle is a puzzle as witnesspuzzles.com saves it; grid[x][y].
type jsonPuzzle struct {
	Grid     [][]*jsonSpot   `json:"grid"`
	Pillar   bool            `json:"pillar"`
	Symmetry *jsonSymmetry   `json:"symmetry"`
	Name     string          `json:"name"`
	Settings map[string]bool `json:"settings"`
	Width    int             `json:"width"`
	Height   int             `json:"height"`
}

type jsonSymmetry struct {
	X bool `json:"x"`
	Y bool `json:"y"`
}

type jsonSpot struct {
	Type      string  `json:"type,omitempty"`
	Line      *int    `json:"line,omitempty"`
	Dot       int     `json:"dot,omitempty"`
	Gap       jsonGap `json:"gap,omitempty"`
	Start     bool    `json:"start,omitempty"`
	End       string  `json:"end,omitempty"`
	Color     string  `json:"color,omitempty"`
	Count     int     `json:"count,omitempty"`
	Polyshape uint32  `json:"polyshape,omitempty"`
}

// UnmarshalJSON also reads false, which old files have for an empty cell.
func (s *jsonSpot) UnmarshalJSON(data []byte) error {
	*s = jsonSpot{}
	if string(data) == "false" {
		return nil
	}
	type plain struct { // without this method, and with colours that may be numbers on lines
		Type      string          `json:"type"`
		Dot       int             `json:"dot"`
		Gap       jsonGap         `json:"gap"`
		Start     bool            `json:"start"`
		End       *string         `json:"end"`
		Color     json.RawMessage `json:"color"`
		Count     int             `json:"count"`
		Polyshape uint32          `json:"polyshape"`
	}
	var p plain
	if err := json.Unmarshal(data, &p); err != nil {
		return err
	}
	*s = jsonSpot{Type: p.Type, Dot: p.Dot, Gap: p.Gap, Start: p.Start, Count: p.Count, Polyshape: p.Polyshape}
	if p.End != nil {
		s.End = *p.End
	}
	if s.Type != "line" && len(p.Color) > 0 && string(p.Color) != "null" {
		return json.Unmarshal(p.Color, &s.Color)
	}
	return nil
}

// A jsonGap is 0, 1 (broken) or 2 (missing); old files have true for 1.
type jsonGap int

func (g *jsonGap) UnmarshalJSON(data []byte) error {
	switch string(data) {
	case "null", "false", "0":
		*g = 0
	case "true", "1":
		*g = 1
	case "2":
		*g = 2
	default:
		return fmt.Errorf("gap %s, want 0, 1 or 2", data)
	}
	return nil
}

// The bit of a polyshape that says that the piece may be turned.
const jsonTurnable = 1 << 20

// jsonOptions are the site's settings and the options they are; the last is no
// matter of rules.
var jsonOptions = [...]struct{ setting, option string }{
	{"NEGATIONS_CANCEL_NEGATIONS", "erasers-cancel"},
	{"SHAPELESS_ZERO_POLY", "zero-any-shape"},
	{"PRECISE_POLYOMINOS", "line-blocks-pieces"},
	{"FLASH_FOR_ERRORS", ""},
}

// DecodeJSON reads a puzzle of witnesspuzzles.com. The panel carries that rule
// set, with the puzzle's own settings.
func DecodeJSON(data []byte) (*Panel, error) {
	return jsonPanel(data, Kinds())
}

func jsonPanel(data []byte, kinds []Kind) (*Panel, error) {
	var j jsonPuzzle
	if err := json.Unmarshal(data, &j); err != nil {
		return nil, fmt.Errorf("witnesspuzzles: %w", err)
	}
	p, err := j.panel(kinds)
	if err != nil {
		return nil, fmt.Errorf("witnesspuzzles: %w", err)
	}
	return p, nil
}

func (j *jsonPuzzle) panel(kinds []Kind) (*Panel, error) {
	if len(j.Grid) == 0 || len(j.Grid[0]) == 0 {
		return nil, errors.New("no grid, want \"grid\": [[…]]")
	}
	width, height := len(j.Grid), len(j.Grid[0])
	wantOdd := 1
	if j.Pillar {
		wantOdd = 0
	}
	if width%2 != wantOdd || height%2 != 1 {
		return nil, fmt.Errorf("a grid of %d×%d half-cells with pillar %t, want an odd height, and an odd width or, on a pillar, an even one", width, height, j.Pillar)
	}
	symmetry := NoSymmetry
	if s := j.Symmetry; s != nil {
		switch {
		case s.X && s.Y:
			symmetry = Rotation
		case s.X:
			symmetry = Mirror
		case s.Y && j.Pillar:
			symmetry = Turned
		case s.Y:
			symmetry = Flip
		default:
			symmetry = Parallel
		}
	}
	cols, rows := width/2, height/2
	if err := checkSize(cols, rows, j.Pillar, symmetry); err != nil {
		return nil, err
	}
	p := New(cols, rows, j.Pillar)
	p.Symmetry, p.Rules = symmetry, WitnessPuzzles
	for _, key := range sortedNames(j.Settings) {
		if err := p.Rules.set(key, j.Settings[key]); err != nil {
			return nil, err
		}
	}
	for x, column := range j.Grid {
		if len(column) != height {
			return nil, fmt.Errorf("column %d has %d half-cells, want %d", x, len(column), height)
		}
		for y, spot := range column {
			at := image.Pt(x, y)
			if spot == nil {
				continue
			}
			s, err := spot.spot(at, kinds)
			if err == nil {
				err = s.valid(at)
			}
			if err != nil {
				return nil, fmt.Errorf("at [%d][%d]: %w", x, y, err)
			}
			*p.At(at) = s
		}
	}
	return p, nil
}

func sortedNames(m map[string]bool) []string {
	return slices.Sorted(maps.Keys(m))
}

// set switches what a setting of the site stands for.
func (r *RuleSet) set(setting string, on bool) error {
	for _, known := range jsonOptions {
		if known.setting != setting {
			continue
		}
		for _, o := range RuleOptions() {
			if o.Name == known.option {
				*r = o.With(*r, on)
			}
		}
		return nil
	}
	if on {
		return fmt.Errorf("setting %s is on, which is not known here", setting)
	}
	return nil
}

// siteCaps are the directions of ends, by name.
func siteCaps() map[string]image.Point {
	return map[string]image.Point{"": {}, "left": image.Pt(-1, 0), "right": image.Pt(1, 0), "top": image.Pt(0, -1), "bottom": image.Pt(0, 1)}
}

func (j *jsonSpot) spot(at image.Point, kinds []Kind) (Spot, error) {
	var s Spot
	if IsCell(at) {
		var err error
		s.Symbol, err = j.symbol(kinds)
		return s, err
	}
	if j.Type != "line" && j.Type != "" {
		return s, fmt.Errorf("type %q, want \"line\"", j.Type)
	}
	s.Start = j.Start
	if s.Gap = Gap(j.Gap); s.Gap == Broken && IsNode(at) {
		return s, errors.New("a node with gap 1, want 2 (missing)")
	}
	dots := siteDots()
	if j.Dot < 0 || j.Dot >= len(dots) {
		return s, fmt.Errorf("dot %d, want 1 to %d", j.Dot, len(dots)-1)
	}
	s.Dot = dots[j.Dot]
	var ok bool
	if s.Cap, ok = siteCaps()[j.End]; !ok {
		return s, fmt.Errorf("end %q, want left, right, top or bottom", j.End)
	}
	return s, nil
}

// symbol is what stands in a cell.
func (j *jsonSpot) symbol(kinds []Kind) (Symbol, error) {
	colour, err := cssColour(j.Color)
	if err != nil || j.Type == "" || j.Type == "line" {
		return Symbol{}, err
	}
	i := slices.IndexFunc(kinds, func(k Kind) bool { return k.about().site == j.Type })
	if i < 0 {
		var types []string
		for _, k := range kinds {
			if t := k.about().site; t != "" {
				types = append(types, t)
			}
		}
		return Symbol{}, fmt.Errorf("type %q, want one of %s", j.Type, strings.Join(types, ", "))
	}
	s, a := Symbol{Kind: kinds[i], Colour: colour}, kinds[i].about()
	if a.most > 0 {
		s.Count = j.Count
	}
	if a.squares == 0 {
		return s, nil
	}
	if j.Polyshape&^jsonTurnable == 0 {
		return Symbol{}, nil // the site takes no notice of it
	}
	if j.Polyshape&^(jsonTurnable|0xffff) != 0 {
		return s, fmt.Errorf("polyshape %d, want 16 bits for the squares and %d for a turned one", j.Polyshape, jsonTurnable)
	}
	s.Turnable = j.Polyshape&jsonTurnable != 0
	for bit := range 16 {
		if j.Polyshape>>bit&1 == 1 {
			s.Shape = append(s.Shape, image.Pt(bit/4, bit%4))
		}
	}
	s.Shape = normalShape(s.Shape)
	return s, nil
}

var rgbPattern = regexp.MustCompile(`^rgb\( *(\d{1,3}) *, *(\d{1,3}) *, *(\d{1,3}) *\)$`)

// cssColour makes a word or #rrggbb of a colour in a style sheet's writing.
func cssColour(css string) (Colour, error) {
	text := strings.ToLower(strings.TrimSpace(css))
	if m := rgbPattern.FindStringSubmatch(text); m != nil {
		text = "#"
		for _, part := range m[1:] {
			n, err := strconv.Atoi(part)
			if err != nil || n > 255 {
				return "", fmt.Errorf("colour %q, want 0 to 255", css)
			}
			text += fmt.Sprintf("%02x", n)
		}
	}
	if len(text) == 4 && text[0] == '#' {
		text = "#" + strings.Repeat(text[1:2], 2) + strings.Repeat(text[2:3], 2) + strings.Repeat(text[3:4], 2)
	}
	if text != "" && !goodColour(Colour(text)) {
		return "", fmt.Errorf("colour %q, want a word, #rgb, #rrggbb or rgb(r, g, b)", css)
	}
	return Colour(text), nil
}

// EncodeJSON writes the panel as a puzzle of witnesspuzzles.com, on one line.
// A diagonal cap becomes an upright one, a coloured dot takes the site's
// colours, and of the rule set only the site's own settings are written; what
// else the site cannot hold is an error.
func EncodeJSON(p *Panel) ([]byte, error) {
	if err := p.Valid(); err != nil {
		return nil, err
	}
	j := jsonPuzzle{Pillar: p.Pillar, Width: p.Width(), Height: p.Height(), Settings: map[string]bool{}}
	symmetries := map[Symmetry]jsonSymmetry{Mirror: {X: true}, Rotation: {X: true, Y: true}, Parallel: {}}
	if p.Pillar {
		symmetries[Turned] = jsonSymmetry{Y: true}
	} else {
		symmetries[Flip] = jsonSymmetry{Y: true}
	}
	if p.Symmetry != NoSymmetry {
		s, ok := symmetries[p.Symmetry]
		if !ok {
			return nil, fmt.Errorf("witnesspuzzles: %s symmetry with pillar %t cannot be written", p.Symmetry, p.Pillar)
		}
		j.Symmetry = &s
	}
	for _, known := range jsonOptions {
		for _, o := range RuleOptions() {
			if o.Name == known.option {
				j.Settings[known.setting] = o.In(p.Rules)
			}
		}
	}
	for x := range p.Width() {
		column := make([]*jsonSpot, p.Height())
		for y := range column {
			at := image.Pt(x, y)
			spot, err := jsonOf(at, p.At(at))
			if err != nil {
				return nil, fmt.Errorf("witnesspuzzles: at [%d][%d]: %w", x, y, err)
			}
			column[y] = spot
		}
		j.Grid = append(j.Grid, column)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(&j)
	return b.Bytes(), err
}

func jsonOf(at image.Point, s *Spot) (*jsonSpot, error) {
	if !IsCell(at) {
		j := &jsonSpot{Type: "line", Line: new(int), Gap: jsonGap(s.Gap), Start: s.Start}
		switch {
		case s.Cap.Y < 0:
			j.End = "top"
		case s.Cap.Y > 0:
			j.End = "bottom"
		case s.Cap.X < 0:
			j.End = "left"
		case s.Cap.X > 0:
			j.End = "right"
		}
		var err error
		j.Dot, err = s.Dot.siteNumber()
		return j, err
	}
	if s.Kind == NoSymbol {
		return nil, nil
	}
	a := s.Kind.about()
	if a.site == "" {
		return nil, fmt.Errorf("%s cannot be written", a.called)
	}
	j := &jsonSpot{Type: a.site, Color: string(s.Colour)}
	if a.most > 0 {
		j.Count = s.Count
	}
	if a.squares == 0 {
		return j, nil
	}
	if width, height := shapeSize(s.Shape); width > 4 || height > 4 {
		return nil, fmt.Errorf("a piece of %d×%d squares cannot be written, want at most 4×4", width, height)
	}
	for _, q := range s.Shape {
		j.Polyshape |= 1 << (q.X*4 + q.Y)
	}
	if s.Turnable {
		j.Polyshape |= jsonTurnable
	}
	return j, nil
}

// jsonFormat reads puzzles of witnesspuzzles.com, one after another.
func jsonFormat(kinds []Kind) solve.Format {
	return solve.Format{
		Name: "witnesspuzzles",
		Sniff: func(head []byte) bool {
			head = bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\ufeff")))
			return bytes.HasPrefix(head, []byte("{")) &&
				(bytes.Contains(head, []byte(`"grid"`)) || bytes.Contains(head, []byte(`"pillar"`)))
		},
		Decode: func(r io.Reader) iter.Seq2[solve.Puzzle, error] {
			return asPuzzles(func(yield func(*Panel, error) bool) {
				dec := json.NewDecoder(r)
				for {
					var raw json.RawMessage
					err := dec.Decode(&raw)
					if err == io.EOF {
						return
					}
					if err != nil {
						yield(nil, fmt.Errorf("witnesspuzzles: byte %d: %w", dec.InputOffset(), err))
						return
					}
					if !yield(jsonPanel(raw, kinds)) {
						return
					}
				}
			})
		},
		Encode: func(w io.Writer, q solve.Puzzle) error {
			p, err := asPanel(q)
			if err != nil {
				return err
			}
			data, err := EncodeJSON(p)
			if err != nil {
				return err
			}
			_, err = w.Write(data)
			return err
		},
	}
}
