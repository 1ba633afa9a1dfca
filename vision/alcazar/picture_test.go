package alcazar

import (
	"context"
	"flag"
	"image"
	"math/rand/v2"
	"testing"

	"onlooker/solve"
	"onlooker/solve/alcazar"
	"onlooker/vision"
	"onlooker/vision/golden"
)

var update = flag.Bool("update", false, "rewrite golden files; only after looking at the new ones")

// board is 3 × 2 cells: a wall between the left two of the first row, openings
// at the top left, the right and the bottom, and perhaps a given piece.
func board(t *testing.T, given ...image.Point) *alcazar.Puzzle {
	t.Helper()
	closed := map[image.Point]bool{image.Pt(2, 1): true}
	openings := map[image.Point]bool{image.Pt(1, 0): true, image.Pt(6, 1): true, image.Pt(5, 4): true}
	p, err := alcazar.New(3, 2, func(at image.Point) bool {
		border := at.X == 0 || at.Y == 0 || at.X == 6 || at.Y == 4
		return openings[at] || !border && !closed[at]
	}, func(at image.Point) bool {
		for _, g := range given {
			if g == at {
				return true
			}
		}
		return false
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func solved(t *testing.T, p solve.Puzzle) []vision.Shape {
	t.Helper()
	s, err := p.Solve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return Picture(p, s)
}

func TestPictures(t *testing.T) {
	golden.Compare(t, *update, []golden.Row{
		{Name: "bare", Why: "an oblong board without an answer", Shapes: Picture(board(t), nil)},
		{Name: "given-bare", Why: "a piece of the line is given", Shapes: Picture(board(t, image.Pt(4, 1)), nil)},
		{Name: "answer", Why: "the line, out of both openings", Shapes: solved(t, board(t, image.Pt(4, 1)))},
		{Name: "large", Why: "a generated board of 7 × 5", Shapes: solved(t, alcazar.Family.Generate(rand.New(rand.NewPCG(1, 1)), 7, 5))},
	})
}

// TestWalls counts the walls that are drawn.
func TestWalls(t *testing.T) {
	got := 0
	for _, s := range Picture(board(t), nil) {
		if s.Kind == vision.Line && s.Colour == wall() {
			got++
		}
	}
	// 10 sides of the border, 3 of them open, and one wall within.
	if want := 10 - 3 + 1; got != want {
		t.Errorf("%d walls, want %d", got, want)
	}
	if Picture(other{}, nil) != nil {
		t.Error("a board of another family is drawn")
	}
}

type other struct{ solve.Puzzle }
