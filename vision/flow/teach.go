package flow

import (
	"fmt"
	"math"

	"onlooker/calibrations"
	"onlooker/solve/flow"
	"onlooker/vision/grid"
	"onlooker/vision/grid/cell"
	"onlooker/vision/grid/form"
	"onlooker/vision/grid/part"
)

// The names of what Teach learns.
const (
	// divide is the radius of the largest thing in a cell that is no end, and of the
	// smallest end, in cell units.
	divide = "end"
	// ground is by how much the ground of a cell that is no end differs from the usual one
	// at the most, and of an end that fills its cell at the least, in steps of 255.
	ground = "ground of ends"
	// likeness is by how much the pictures of a pair differ at the most, and those of two
	// pairs at the least.
	likeness = "pictures of ends"
)

// Goals are what may be wanted of a board's cells: the words of a look's goal.
func Goals() []string { return []string{"all", "any"} }

// Teach learns from pictures of which it is known what they show whether cells may
// stay empty, and how large ends are drawn.
func Teach(look *calibrations.Profile, lessons []form.Lesson) error {
	any := 0
	other, least := 0.0, math.Inf(1)
	var filling filled
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
		filling.add(g, p)
		for i := range cols * rows {
			switch b := cell.BlobIn(g, i%cols, i/cols); {
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
	look.Learned.Divides = filling.divides()
	if look.Learned.Divides == nil && !math.IsInf(least, 1) && least > leastPath && other < asNarrow*least {
		look.Learned.Divides = map[string]calibrations.Range{divide: {other, least}}
	}
	return nil
}

// Learned says what Teach learned.
func Learned(look *calibrations.Profile) []string {
	var out []string
	switch look.Cells.Goal {
	case "all":
		out = append(out, "every cell is to be filled")
	case "any":
		out = append(out, "cells may stay empty")
	default:
		out = append(out, "whether cells may stay empty differs from picture to picture")
	}
	switch d := look.Learned.Divides; {
	case d == nil:
		return append(out, "ends are told as on any board: by discs, or by letters and forms")
	case d[divide] != calibrations.Range{}:
		return append(out, fmt.Sprintf("ends have a radius of %.2f of a cell and more, other things %.2f at the most", d[divide][1], d[divide][0]))
	}
	return append(out, fmt.Sprintf("ends are pictures that fill their cells, of a ground that differs by %.0f in 255 and more; two of a pair differ by %.2f at the most, those of two pairs by %.2f and more",
		look.Learned.Divides[ground][1], look.Learned.Divides[likeness][0], look.Learned.Divides[likeness][1]))
}

// A filled is what lessons show of ends that fill their cells with pictures.
type filled struct {
	lessons         int
	empty, end      float64 // grounds, as the ground that is learned
	within, between float64
}

// add takes in a board of which it is known what it shows.
func (f *filled) add(g *grid.Grid, p *flow.Puzzle) {
	if f.lessons == 0 {
		f.end, f.between = math.Inf(1), math.Inf(1)
	}
	f.lessons++
	pair := map[int]int{}
	var ends []int
	for k, e := range p.Pairs() {
		for _, at := range e {
			i := at.Y*g.Cols + at.X
			pair[i] = k + 1
			ends = append(ends, i)
		}
	}
	var grounds []part.Colour
	for i := range g.Has {
		grounds = append(grounds, g.Ground(i%g.Cols, i/g.Cols))
	}
	usual := part.Usual(grounds)
	for i, c := range grounds {
		if d := float64(c.Contrast(usual)); pair[i] > 0 {
			f.end = min(f.end, d)
		} else {
			f.empty = max(f.empty, d)
		}
	}
	for k, i := range ends {
		for _, j := range ends[:k] {
			if d := form.Apart(g, i, j); pair[i] == pair[j] {
				f.within = max(f.within, d)
			} else {
				f.between = min(f.between, d)
			}
		}
	}
}

// divides are what tells ends and pairs where the lessons show it clearly; nil else.
func (f *filled) divides() map[string]calibrations.Range {
	if f.lessons == 0 || f.empty >= f.end/2 || f.within >= f.between/2 {
		return nil
	}
	return map[string]calibrations.Range{ground: {f.empty, f.end}, likeness: {f.within, f.between}}
}

// mostPictured is the share of a board's places that are taken for none since a picture
// fills them.
const mostPictured = 0.3

// pictured adds the places that pictures fill, where a look's ends do.
func (r *reading) pictured(look *calibrations.Profile) {
	if look == nil || float64(len(r.g.Has)-r.g.Cells()) > mostPictured*float64(len(r.g.Has)) {
		return
	}
	if _, ok := look.Learned.Divides[ground]; !ok {
		return
	}
	for i, has := range r.g.Has {
		if !has {
			c := r.g.Cell(i)
			r.g = r.g.With(c.X, c.Y)
		}
	}
}

// pictures finds the ends of a look whose ends fill their cells, and their pairs; false
// for other looks.
func (r *reading) pictures(look *calibrations.Profile) (pairs [][2]int, told bool, err error) {
	if look == nil {
		return nil, false, nil
	}
	own, ok := look.Learned.Divides[ground]
	like, also := look.Learned.Divides[likeness]
	if !ok || !also {
		return nil, false, nil
	}
	var grounds []part.Colour
	for _, b := range r.blobs {
		grounds = append(grounds, b.Ground)
	}
	usual := part.Usual(grounds)
	var ends []int
	for i, b := range r.blobs {
		// What is no empty cell is an end, also one of a ground that no lesson showed.
		switch d := float64(b.Ground.Contrast(usual)); {
		case d >= max(2*own[0], own[0]+float64(r.g.Contrast)):
			ends = append(ends, i)
		case d > max(own[0], float64(r.g.Contrast)/2):
			return nil, true, r.unsure(i, "a cell between this look's ends and its empty cells")
		default:
			if _, ok := cell.MarkIn(r.g, i%r.g.Cols, i/r.g.Cols); ok {
				return nil, true, r.unsure(i, "something in a cell of the empty cells' ground")
			}
		}
	}
	if len(ends) == 0 {
		return nil, true, r.unsure(0, "none of this look's ends in the cells")
	}
	unit := max(like[0], like[1]/4)
	pairs, err = r.pairs(ends, remembered(func(a, b int) float64 { return form.Apart(r.g, a, b) / unit }))
	return pairs, true, err
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
