package alcazar

import (
	"context"
	"flag"
	"image"
	"strings"
	"testing"

	"onlooker/solve"
	"onlooker/solve/alcazar"
	"onlooker/solve/solvetest"
	"onlooker/vision/picture"
	"onlooker/vision/picture/made"
)

var update = flag.Bool("update", false, "rewrite golden files; only after looking at the new ones")

// board is 3 × 2 cells: a wall between the left two of the first row, openings
// at the top left, the right and the bottom, and perhaps a given piece.
func board(t *testing.T, given ...image.Point) *alcazar.Puzzle {
	t.Helper()
	closed := map[image.Point]bool{image.Pt(2, 1): true}
	openings := map[image.Point]bool{image.Pt(1, 0): true, image.Pt(6, 1): true, image.Pt(5, 4): true}
	p := solvetest.Must(alcazar.New(3, 2, func(at image.Point) bool {
		border := at.X == 0 || at.Y == 0 || at.X == 6 || at.Y == 4
		return openings[at] || !border && !closed[at]
	}, func(at image.Point) bool {
		for _, g := range given {
			if g == at {
				return true
			}
		}
		return false
	}))(t)
	return p
}

// large has one answer: whatever the generator or the search come to prefer,
// its picture stays.
const large = `alcazar 7x5
xxxxxxxxx.xxxxx
x0.0.0.0x0.0.0x
x.x.xxx.x.x.x.x
x0.0.0.0.0x0.0.
x.xxx.x.x.x.x.x
x0.0.0.0.0.0x0.
x.x.x.x.xxx.x.x
x0x0.0.0.0.0x0x
x.x.x.xxxxxxx.x
.0.0x0.0.0.0.0x
xxxxxxxxx.xxxxx
`

func parse(t *testing.T, text string) solve.Puzzle {
	t.Helper()
	for p, err := range alcazar.Family.Formats[0].Decode(strings.NewReader(text)) {
		solvetest.OK(t, err)
		return p
	}
	t.Fatal("no board")
	return nil
}

func solved(t *testing.T, p solve.Puzzle) []picture.Shape {
	t.Helper()
	s := solvetest.Must(p.Solve(context.Background()))(t)
	return Picture(p, s)
}

func TestPictures(t *testing.T) {
	made.Compare(t, *update, []made.Row{
		{Name: "bare", Why: "an oblong board without an answer", Shapes: Picture(board(t), nil)},
		{Name: "given-bare", Why: "a piece of the line is given", Shapes: Picture(board(t, image.Pt(4, 1)), nil)},
		{Name: "answer", Why: "the line, out of both openings", Shapes: solved(t, board(t, image.Pt(4, 1)))},
		{Name: "large", Why: "a board of 7 × 5 with one answer", Shapes: solved(t, parse(t, large))},
	})
}

// TestWalls counts the walls that are drawn.
func TestWalls(t *testing.T) {
	got := 0
	for _, s := range Picture(board(t), nil) {
		if s.Kind == picture.Line && s.Colour == wall() {
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
