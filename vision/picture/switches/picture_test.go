package switches

import (
	"context"
	"flag"
	"math"
	"testing"

	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/solve/switches"
	"onlooker/vision/picture"
	"onlooker/vision/picture/made"
)

var update = flag.Bool("update", false, "rewrite golden files; only after looking at the new ones")

func solved(t *testing.T, text string) []picture.Shape {
	t.Helper()
	p := solvetest.Must(switches.Family.Parse(text))(t)
	s := solvetest.Must(p.Solve(context.Background()))(t)
	return Picture(p, s)
}

func TestPictures(t *testing.T) {
	const lights = "grid 4x3\no**o\n*oo*\n****\n"
	bare := solvetest.Must(switches.Family.Parse(lights))(t)
	made.Compare(t, *update, []made.Row{
		{Name: "bare", Why: "an oblong grid without an answer", Shapes: Picture(bare, nil)},
		{Name: "lights", Why: "the same with its answer", Shapes: solved(t, lights)},
		{Name: "mixed", Why: "holes, a button, a lamp, a one-way line, a wanted pattern",
			Shapes: solved(t, "grid 4x2\nlamps: 3,0\no.o*\n+*oo\n0,0 > 3,1\nwant:\n*.o*\n+**o\n")},
		{Name: "large", Why: "a plain graph in rows: more than 8 nodes, joined to the next and the one three further",
			Shapes: solved(t, "switches\nnames: a b c d e f g h i j\nlit: b d j\na b\nb c\nd e\ne f\ng h\nh i\nj > i\na d\nb e\nc f\nd g\ne h\nf i\n")},
		{Name: "graph", Why: "a plain graph with names, lines one way and both",
			Shapes: solved(t, "switches\nnames: a bee seventeen d\nlit: a d\nwant: all=0\na bee\nbee > d\nd > a\nseventeen d\n")},
	})
}

// TestPlace holds the picture's rings to where strokes are placed.
func TestPlace(t *testing.T) {
	for _, text := range []string{
		"switches\nnames: a b c d e f g h i\nlit: a b\n", // in rows
		"switches\nnames: a b c\nlit: a\n",               // in a row
		"grid 2x3\nflips: own\n*o\n**\no*\n",
	} {
		p := solvetest.Must(switches.Family.Parse(text))(t)
		s := solvetest.Must(p.Solve(context.Background()))(t)
		var rings []picture.Point // their middles
		for _, shape := range Picture(p, s) {
			if shape.Line == picture.Answer {
				least, most := picture.Extent([]picture.Shape{shape})
				rings = append(rings, picture.Point{X: (least.X + most.X) / 2, Y: (least.Y + most.Y) / 2})
			}
		}
		for i, stroke := range s {
			at := Place(p, stroke[0])
			// 0.01: a ring is drawn in 32 legs.
			if i >= len(rings) || math.Hypot(at.X-rings[i].X, at.Y-rings[i].Y) > 0.01 {
				t.Errorf("stroke %d at %v is placed at %v, rings at %v\n%s", i, stroke[0], at, rings, text)
			}
		}
	}
}

// TestPictureShowsEveryFlip counts marks against the answer.
func TestPictureShowsEveryFlip(t *testing.T) {
	p := solvetest.Must(switches.Family.Parse("grid 5x4\no*oo*\n**oo*\nooooo\n*o*o*\n"))(t)
	s := solvetest.Must(p.Solve(context.Background()))(t)
	got := 0
	for _, shape := range Picture(p, s) {
		if shape.Line == picture.Answer {
			got++
		}
	}
	if got != len(s) || got == 0 {
		t.Errorf("%d rings, want %d", got, len(s))
	}
	if Picture(other{}, nil) != nil {
		t.Error("a board of another family is drawn")
	}
}

type other struct{ solve.Puzzle }
