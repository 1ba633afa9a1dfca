package flow

import (
	"errors"
	"math/rand/v2"
	"testing"

	"onlooker/solve/flow"
	"onlooker/solve/solvetest"
	"onlooker/vision"
	"onlooker/vision/grid"
	"onlooker/vision/picture"
	drawing "onlooker/vision/picture/flow"
)

// TestDrawn reads boards that we drew, bare and with their answers.
func TestDrawn(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][2]int{{5, 5}, {7, 4}, {9, 9}} {
		p := flow.Family.Generate(rng, size[0], size[1])
		want, _ := p.MarshalText()
		answer := solvetest.Must(p.Solve(t.Context()))(t)
		for name, m := range map[string]*grid.Scene{
			"bare":     grid.NewScene(picture.Image(drawing.Picture(p, nil), 24)),
			"answered": grid.NewScene(picture.Image(drawing.Picture(p, answer), 24)),
		} {
			list := Scan(m, grid.Contrasts()[0], nil)
			if len(list) != 1 || list[0].Err != nil {
				t.Errorf("%s: %v", name, list)
				continue
			}
			if got, _ := list[0].Puzzle.MarshalText(); string(got) != string(want) {
				t.Errorf("%s: got\n%swant\n%s", name, got, want)
			}
		}
	}
}

// TestOdd takes an end off a board: that is a contradiction, and no guess.
func TestOdd(t *testing.T) {
	p := flow.Family.Generate(rand.New(rand.NewPCG(3, 4)), 6, 6)
	shapes := drawing.Picture(p, nil)
	last := -1
	for i, s := range shapes {
		if s.Kind == picture.Disc {
			last = i
		}
	}
	scene := grid.NewScene(picture.Image(append(shapes[:last:last], shapes[last+1:]...), 24))
	list := Scan(scene, grid.Contrasts()[0], nil)
	var unsure *vision.UnsureError
	if len(list) != 1 || !errors.As(list[0].Err, &unsure) {
		t.Errorf("got %v, want unsure", list)
	}
}
