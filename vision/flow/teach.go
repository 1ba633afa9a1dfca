package flow

import (
	"math"

	"onlooker/calibrations"
	"onlooker/solve/flow"
	"onlooker/vision/grid"
)

// divide is the name of what Teach learns of ends: the radius of the largest thing
// in a cell that is none, and of the smallest end, in cell units.
const divide = "end"

// Goals are what may be wanted of a board's cells: the words of a look's goal.
func Goals() []string { return []string{"all", "any"} }

// Teach learns from pictures of which it is known what they show whether cells may
// stay empty, and how large ends are drawn.
func Teach(look *calibrations.Profile, lessons []grid.Lesson) error {
	any := 0
	other, least := 0.0, math.Inf(1)
	for _, l := range lessons {
		p, ok := l.Puzzle.(*flow.Puzzle)
		if !ok {
			continue
		}
		if p.Options().Any {
			any++
		}
		if shape, _ := p.Shape(); shape != flow.Square {
			continue
		}
		cols, rows := p.Size()
		g, err := l.Scene.GridAt(l.Quad, cols, rows)
		if err != nil {
			return err
		}
		g.Straighten()
		ends := map[int]bool{}
		for _, e := range p.Pairs() {
			ends[e[0].Y*cols+e[0].X], ends[e[1].Y*cols+e[1].X] = true, true
		}
		for i := range cols * rows {
			switch b := g.Blob(i%cols, i/cols); {
			case ends[i]:
				least = min(least, b.Radius)
			case b.Radius < mostDisc:
				other = max(other, b.Radius)
			}
		}
	}
	switch any {
	case 0:
		look.Cells.Goal = "all"
	case len(lessons):
		look.Cells.Goal = "any"
	}
	look.Learned.Divides = nil
	if !math.IsInf(least, 1) && least > leastPath && other < asNarrow*least {
		look.Learned.Divides = map[string]calibrations.Range{divide: {other, least}}
	}
	return nil
}

// look is the only look that boards are read with, nil where there are several: a
// person chose it.
func only(looks []*calibrations.Profile) *calibrations.Profile {
	if len(looks) != 1 {
		return nil
	}
	return looks[0]
}

// leastEnd is the radius from which something is an end, by a look or by the usual.
func leastEnd(look *calibrations.Profile) float64 {
	if look != nil {
		if d, ok := look.Learned.Divides[divide]; ok {
			return min(leastDisc, (d[0]+d[1])/2)
		}
	}
	return leastDisc
}

// mayStayEmpty tells whether cells may, by a look or by how ends are drawn: where
// they are written, as in Numberlink, no picture tells whether all are to be filled.
func (r *reading) mayStayEmpty(look *calibrations.Profile) bool {
	if look != nil && look.Cells != nil && look.Cells.Goal != "" {
		return look.Cells.Goal == "any"
	}
	return r.numbers
}
