package witnesstest

import (
	"bytes"
	"encoding/json"
	"image"
	"slices"
	"testing"

	"onlooker/solve/solvetest"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
)

// A Case is a board with symbols of the randomizers, as another program dealt it, and how many
// answers that found by drawing every line.
type Case struct {
	Board CaseBoard
	Count int
	First [][2]int
	Why   string
	Text  json.RawMessage `json:"-"` // all of it
}

// A CaseBoard is a Case's board as it is written, its places in half-cells.
type CaseBoard struct {
	Cols, Rows      int
	Symmetry        string
	Starts          [][2]int
	Ends            [][3]any
	Missing, Broken [][2]int
	Dots            [][2]int
	Cells           []struct {
		X, Y             int
		Kind, Color, Dir string
		Count            int
	}
}

// Cases are all that lie in the shared folder; without it the test is skipped.
func Cases(t testing.TB) (all []Case) {
	t.Helper()
	for line := range bytes.Lines(Shared(t, "witness/randomizer-cases.jsonl")) {
		c := Case{Text: bytes.TrimSpace(line)}
		solvetest.OK(t, json.Unmarshal(line, &c))
		all = append(all, c)
	}
	return all
}

// Panel is the board by the rules of sigma144's randomizer.
func (c *Case) Panel(t testing.TB) *board.Panel {
	t.Helper()
	b := c.Board
	p := board.New(b.Cols, b.Rows, false)
	p.Rules = board.Sigma
	p.Symmetry = map[string]board.Symmetry{"": board.NoSymmetry, "mirror": board.Mirror, "flip": board.Flip, "rotation": board.Rotation}[b.Symmetry]
	at := func(q [2]int) *board.Spot { return p.At(image.Pt(q[0], q[1])) }
	for _, q := range b.Starts {
		at(q).Start = true
	}
	for _, e := range b.Ends {
		for _, d := range forms.Directions() {
			if d.Name == e[2].(string) {
				p.At(image.Pt(int(e[0].(float64)), int(e[1].(float64)))).Cap = d.Cap
			}
		}
	}
	for _, q := range b.Missing {
		at(q).Gap = board.Missing
	}
	for _, q := range b.Broken {
		at(q).Gap = board.Broken
	}
	for _, q := range b.Dots {
		at(q).Dot.On = true
	}
	for _, s := range b.Cells {
		for _, k := range board.Kinds() {
			if k.String() == s.Kind {
				at([2]int{s.X, s.Y}).Symbol = board.Symbol{Kind: k, Colour: board.Colour(s.Color), Count: s.Count, Way: Way(s.Dir)}
			}
		}
	}
	solvetest.OK(t, p.Valid())
	return p
}

// Way is a direction by its name on a compass; none by another.
func Way(name string) (way image.Point) {
	if i := slices.Index([]string{"N", "NE", "E", "SE", "S", "SW", "W", "NW"}, name); i >= 0 {
		way = board.Directions(8)[i]
	}
	return way
}
