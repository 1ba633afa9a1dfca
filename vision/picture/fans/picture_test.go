package fans

import (
	"context"
	"flag"
	"testing"

	"onlooker/solve"
	"onlooker/solve/fans"
	"onlooker/solve/solvetest"
	"onlooker/vision/picture"
	"onlooker/vision/picture/made"
)

var update = flag.Bool("update", false, "rewrite golden files; only after looking at the new ones")

func solved(t *testing.T, p *fans.Puzzle) solve.Solution {
	t.Helper()
	return solvetest.Must(p.Solve(context.Background()))(t)
}

func board(t *testing.T, rows ...string) *fans.Puzzle {
	t.Helper()
	return solvetest.Must(fans.New(rows...))(t)
}

func TestPictures(t *testing.T) {
	ring := board(t, "FTTF", "T..T", "FTTF")
	made.Compare(t, *update, []made.Row{
		{Name: "bare", Why: "an oblong board without an answer", Shapes: Picture(ring, nil)},
		{Name: "ring", Why: "the same with an answer", Shapes: Picture(ring, solved(t, ring))},
	})
}

// TestWind counts a stripe for each fan that blows over a cell at all.
func TestWind(t *testing.T) {
	p := board(t, "FT.F", "FTTT", ".F..")
	s := solved(t, p)
	got := 0
	for _, shape := range Picture(p, s) {
		if shape.Line == picture.Answer {
			got++
		}
	}
	blow := 0
	for _, stroke := range s {
		next := stroke[1]
		if col, row := next.X/2, next.Y/2; next.X > 0 && next.Y > 0 && col < 4 && row < 3 {
			blow++
		}
	}
	if got != blow || blow == 0 {
		t.Errorf("%d stripes, want %d", got, blow)
	}
	if Picture(other{}, nil) != nil {
		t.Error("a board of another family is drawn")
	}
}

type other struct{ solve.Puzzle }
