package web

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"net/http"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/solve"
	"onlooker/vision"
)

// An outlineJSON is where somebody says that a board lies in a picture, in pixels. No columns:
// how many there are is to be found out.
type outlineJSON struct {
	Family string        `json:"family"`
	Quad   [4][2]float64 `json:"quad"`
	Cols   int           `json:"cols"`
	Rows   int           `json:"rows"`
}

// A draftJSON is a board that was not read as far as it is guessed, ready to be edited.
type draftJSON struct {
	*editJSON
	outlineJSON
	Family string     `json:"family"` // of both
	Flat   string     `json:"flat"`   // the picture straightened, with one cell round it
	Pitch  int        `json:"pitch"`  // its pixels a cell
	Wide   int        `json:"wide"`
	High   int        `json:"high"`
	Rings  []ringJSON `json:"rings"`
	Why    string     `json:"why,omitempty"`
	Goals  []string   `json:"goals"`
}

// A ringJSON is a place in doubt, those that look like it, and what may stand there.
type ringJSON struct {
	At      [2]int      `json:"at"`
	Alike   [][2]int    `json:"alike"`
	Guesses []guessJSON `json:"guesses"`
}

type guessJSON struct {
	Tool   string            `json:"tool"`
	Values map[string]string `json:"values,omitempty"`
	Says   string            `json:"says"`
}

// draft answers with a draft of the board that the picture in the request's body shows in an
// outline, which the address has.
func (e *eye) draft(families families) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var o outlineJSON
		e.made(w, r, "the outline", &o, func(ctx context.Context, frame *image.RGBA) (any, error) {
			return e.drafted(ctx, families, frame, o)
		})
	}
}

// made answers with what is made of the picture in the request's body, and of what the address says.
func (e *eye) made(w http.ResponseWriter, r *http.Request, what string, of any, from func(context.Context, *image.RGBA) (any, error)) {
	var out any
	err := json.Unmarshal([]byte(r.URL.Query().Get("of")), of)
	if err != nil {
		err = fmt.Errorf("%s: %w", what, solve.JSONError(err))
	} else {
		err = e.picture(w, r, func(ctx context.Context, frame *image.RGBA) (err error) {
			out, err = from(ctx, frame)
			return err
		})
	}
	if err != nil {
		fail(w, err)
		return
	}
	reply(w, out)
}

// drafted is the draft in an outline.
func (e *eye) drafted(ctx context.Context, families families, frame *image.RGBA, o outlineJSON) (*draftJSON, error) {
	g, err := families.editor(o.Family)
	if err != nil {
		return nil, err
	}
	if err := e.open(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	eye := e.eye.Within(ctx)
	at := see.Outline{Game: g, Quad: points(o.Quad), Cols: o.Cols, Rows: o.Rows}
	if o.Cols == 0 {
		at = eye.Found(frame, at)
	}
	if err := (&request{Cols: at.Cols, Rows: at.Rows}).sized(); err != nil {
		return nil, err
	}
	d, err := eye.Draft(frame, at)
	if err != nil {
		return nil, err
	}
	edit, err := edited(g, d.Puzzle)
	if err != nil {
		return nil, err
	}
	flat := d.Sheet.Flat
	v := &draftJSON{editJSON: edit, outlineJSON: outlineJSON{g.Name, see.Quad(d.Board), at.Cols, at.Rows}, Family: g.Name,
		Pitch: d.Sheet.Side, Wide: flat.Rect.Dx(), High: flat.Rect.Dy(), Rings: []ringJSON{}, Goals: append([]string{}, g.Goals...)}
	var data bytes.Buffer
	if err := png.Encode(&data, flat); err != nil {
		return nil, err
	}
	v.Flat = "data:image/png;base64," + base64.StdEncoding.EncodeToString(data.Bytes())
	if d.Why != nil {
		v.Why = said(d.Why)
	}
	for _, r := range d.Rings {
		j := ringJSON{At: pair(r.At), Alike: solve.PairsOf(r.Alike), Guesses: []guessJSON{}}
		for _, g := range r.Guesses {
			j.Guesses = append(j.Guesses, guessJSON{g.Tool, g.Values, g.Says})
		}
		v.Rings = append(v.Rings, j)
	}
	return v, nil
}

func points(q [4][2]float64) (out [4]vision.Point) {
	for i, p := range q {
		out[i] = vision.Point{X: p[0], Y: p[1]}
	}
	return out
}

// put answers with the board after places were made what a guess says.
func (s families) put(ctx context.Context, a *request) (any, error) {
	g, err := s.editor(a.Family)
	if err != nil {
		return nil, err
	}
	_, p, err := s.puzzle(ctx, a)
	if err != nil {
		return nil, err
	}
	guess := see.Guess{Edit: solve.Edit{Tool: a.Tool, Values: a.Values, At: solve.PointsOf(a.At)}, Says: a.Says}
	if p, err = see.Put(g.Editor, p, guess); err != nil {
		return nil, err
	}
	return edited(g, p)
}

// lay streams a board that was put right over its picture, and then its answer: as look does.
func (e *eye) lay(families families) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		a, drop, err := e.accept(w, r)
		if err != nil {
			fail(w, err)
			return
		}
		defer drop()
		found, err := a.laid(r.Context(), families)
		if err != nil {
			fail(w, err)
			return
		}
		out := newLines(w, func() {})
		out.send(sightJSON{Kind: "sight", Width: a.Cols, Height: a.Rows, Boards: []seenJSON{seen(found)}, Millis: see.Millis{}})
		line, err := e.drawn(r.Context(), 0, found)
		if err != nil {
			line.Status = answer.Status(err)
		}
		out.send(line)
	}
}

// laid is a board as somebody put it right in a picture of Cols × Rows pixels.
func (a *request) laid(ctx context.Context, families families) (*see.Reading, error) {
	g, p, err := families.puzzle(ctx, a)
	if err != nil {
		return nil, err
	}
	if w, ok := p.(solve.GoalSetter); ok && a.Goal != "" {
		if p, err = w.WithGoal(a.Goal); err != nil {
			return nil, err
		}
	}
	if a.Outline == nil {
		return nil, errors.New("no outline of a board")
	}
	b, err := vision.Placed(image.Pt(a.Cols, a.Rows), a.Outline.Cols, a.Outline.Rows, points(a.Outline.Quad))
	return &see.Reading{Game: g, Board: b, Puzzle: p}, err
}

// learn adds the board that the address has, as it was put right in the picture in the request's
// body, to a look, and answers with what was learned.
func (e *eye) learn(families families, learn func(r see.Reading, frame *image.RGBA, look string) (string, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		a := &request{}
		e.made(w, r, "the board", a, func(ctx context.Context, frame *image.RGBA) (any, error) {
			a.Cols, a.Rows = frame.Rect.Dx(), frame.Rect.Dy()
			found, err := a.laid(ctx, families)
			if err == nil && learn == nil {
				err = errors.New("nothing is learned here")
			}
			if err != nil {
				return nil, err
			}
			said, err := learn(*found, frame, a.Look)
			e.eye = nil // there may be a look more
			return struct {
				Said string `json:"said"`
			}{said}, err
		})
	}
}
