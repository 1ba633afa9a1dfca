package flow

import (
	"context"
	"flag"
	"image/color"
	"strings"
	"testing"

	"onlooker/solve"
	"onlooker/solve/flow"
	"onlooker/solve/solvetest"
	"onlooker/vision/picture"
	"onlooker/vision/picture/made"
)

var update = flag.Bool("update", false, "rewrite golden files; only after looking at the new ones")

func board(t *testing.T, text string) solve.Puzzle {
	t.Helper()
	for p, err := range flow.Family.Formats[0].Decode(strings.NewReader(text)) {
		solvetest.OK(t, err)
		return p
	}
	t.Fatal("no board")
	return nil
}

func solved(t *testing.T, text string) []picture.Shape {
	t.Helper()
	p := board(t, text)
	s := solvetest.Must(p.Solve(context.Background()))(t)
	return Picture(p, s)
}

func TestPictures(t *testing.T) {
	const open = "flow 5x3 any\nA.B.#\n..C.C\nA.B..\nwalls 0,0|1,0 3,1|3,2\n"
	made.Compare(t, *update, []made.Row{
		{Name: "bare", Why: "an oblong board with a hole and walls, no answer", Shapes: Picture(board(t, open), nil)},
		{Name: "open", Why: "the same with its answer; cells may stay empty", Shapes: solved(t, open)},
		{Name: "bridge", Why: "two paths cross", Shapes: solved(t, "flow 3x3\n#B#\nA+A\n#B#\n")},
		{Name: "torus", Why: "a path over the joined border, a wall on it", Shapes: solved(t, "flow 4x3 torus any\nA.B.\nC.AB\n..C.\nwalls 0,0|0,2\n")},
		{Name: "hex", Why: "hexagons, a wall of each direction", Shapes: solved(t, "flow 4x3 hex\nAB.B\nAC.D\nEECD\nwalls 0,0|1,1 1,1|1,2 1,1|2,0\n")},
		{Name: "loose", Why: "cells joined one by one", Shapes: solved(t, "flow 4x2 loose\nA.B.\n.B.A\njoins 0,0~3,0 1,0~3,0 1,0~3,1 2,0~0,1 0,1~2,1 1,1~2,1\n")},
	})
}

// TestEveryPathInItsColour asks that what is drawn of an answer has the
// colours of the pairs, over borders and joins too.
func TestEveryPathInItsColour(t *testing.T) {
	p := board(t, "flow 4x3 torus any\nA.B.\nC.AB\n..C.\nwalls 0,0|0,2\n")
	s := solvetest.Must(p.Solve(context.Background()))(t)
	got := map[color.NRGBA]int{}
	for _, shape := range Picture(p, s) {
		if shape.Line == picture.Answer {
			got[shape.Colour]++
		}
	}
	strokes := 0
	for _, n := range got {
		strokes += n
	}
	if len(got) != 3 || strokes != len(s) || len(s) <= 3 {
		t.Errorf("%d colours, %d strokes drawn; want 3 pairs, %d strokes, and one over the border", len(got), strokes, len(s))
	}
	if Picture(other{}, nil) != nil {
		t.Error("a board of another family is drawn")
	}
}

// TestInks asks that the colours of a large board are all different.
func TestInks(t *testing.T) {
	seen := map[color.NRGBA]int{}
	for i := range 60 {
		c := ink(i)
		if j, ok := seen[c]; ok {
			t.Errorf("pairs %d and %d are both %v", i, j, c)
		}
		seen[c] = i
	}
}

type other struct{ solve.Puzzle }
