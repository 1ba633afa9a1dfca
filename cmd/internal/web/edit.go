package web

import (
	"context"
	"fmt"

	"onlooker/cmd/internal/agent/see"
	"onlooker/solve"
)

// An editJSON is a board as it is edited.
type editJSON struct {
	Family string       `json:"family"`
	Text   string       `json:"text"`
	SVG    string       `json:"svg"`
	Tools  []solve.Tool `json:"tools"`
	Places []placeJSON  `json:"places"`
}

// A placeJSON is a place in half-cells, and where that is in the picture.
type placeJSON struct {
	At    [2]int     `json:"at"`
	Shown [2]float64 `json:"shown"`
	Kind  string     `json:"kind"`
	Name  string     `json:"name"`
	Says  string     `json:"says,omitempty"`
}

// editor is the family's, or an error that it has none.
func (s families) editor(family string) (*see.Game, error) {
	g, err := s.game(family)
	if err == nil && g.Editor == nil {
		err = fmt.Errorf("boards of %s are not edited here", g.Name)
	}
	return g, err
}

// edit answers with the board after one use of a tool; without a tool with the board as it is,
// and without a text with an empty one.
func (s families) edit(ctx context.Context, a *request) (any, error) {
	g, err := s.editor(a.Family)
	if err != nil {
		return nil, err
	}
	var p solve.Puzzle
	if a.Text != "" {
		_, p, err = s.puzzle(ctx, a)
	} else if err = a.sized(); err == nil {
		p, err = g.Editor.Blank(a.Cols, a.Rows)
	}
	if err == nil && a.Tool != "" {
		p, err = g.Editor.Do(p, solve.Edit{Tool: a.Tool, Values: a.Values, At: solve.PointsOf(a.At)})
	}
	if err != nil {
		return nil, err
	}
	return edited(g, p)
}

func edited(g *see.Game, p solve.Puzzle) (*editJSON, error) {
	text, err := canonical(p)
	if err != nil {
		return nil, err
	}
	shapes, err := shapesOf(g, p, nil, maxShapes)
	if err != nil {
		return nil, err
	}
	e := &editJSON{Family: g.Name, Text: text, SVG: drawn(shapes, scale)}
	for _, t := range g.Editor.Tools(p) {
		t.Fields = append([]solve.Field{}, t.Fields...) // none are []
		e.Tools = append(e.Tools, t)
	}
	for _, at := range g.Editor.Places(p) {
		shown := place(g, p, at.At)
		e.Places = append(e.Places, placeJSON{[2]int{at.At.X, at.At.Y}, [2]float64{shown.X, shown.Y}, at.Kind, solve.PlaceOf(p, at.At), at.Says})
	}
	return e, nil
}
