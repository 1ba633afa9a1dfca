package switches

import (
	"cmp"
	"fmt"
	"image"
	"math"
	"slices"

	"onlooker/vision/grid/cell"
)

// A pattern is a small drawing of squares in the middle of a cell: one for each
// bulb that its switch flips, where that bulb lies from the cell, its own the
// middle one, filled. It is told by what a picture of it would be.

// How patterns are told; what the numbers say was seen on a few boards of sgt-flip: the
// right squares leave 0.008 of the ink's squares, in a JPEG 0.045, and squares of a
// wrong size about 0.5. With these numbers 48 boards that were captured for it are read
// at half their size, where squares have 3 pixels and less.
const (
	leastSquare = 1.9  // pixels of a square's side: of 2 all drawings were read
	leastUnit   = 0.08 // cells of a square's side
	mostUnit    = 0.2
	mostUnits   = 6    // sizes that are tried
	mostAskew   = 0.18 // squares by which drawings may end off a square's side, in the mean
	leastSure   = 0.4  // of what tells a square from none that speaks for it, less what speaks against
	mostLeft    = 0.15 // of the ink's squares that no squares explain
	rivals      = 1.5  // times as much left by another style: it may be that one
)

// patterns reads what every cell's switch flips; nil where the cells show no
// such drawings.
func (r *reading) patterns() ([][]image.Point, error) {
	drawn, hidden := 0, -1
	for i := range r.bulbs {
		at := r.g.Cell(i)
		if m, ok := cell.MarkIn(r.g, at.X, at.Y); ok && m.Left <= 0.5 && m.Left+m.Width() >= 0.5 && m.Top <= 0.5 && m.Top+m.Height() >= 0.5 {
			drawn++
		} else {
			hidden = i
		}
	}
	// A few may be hidden, but no drawing is guessed.
	if 10*drawn < 9*len(r.bulbs) {
		return nil, nil
	}
	pixel := 1 / min(r.g.Pitch[0], r.g.Pitch[1])
	list := make([]*drawing, len(r.bulbs))
	for i := range list {
		at := r.g.Cell(i)
		dots, ground := cell.DotsIn(r.g, at.X, at.Y)
		if len(dots) == 0 {
			return nil, nil // cells of hardly a pixel
		}
		list[i] = newDrawing(dots, ground, pixel, 2*float64(r.g.Contrast))
	}
	units := unitsOf(list)
	if len(units) == 0 {
		return nil, nil
	}
	if hidden >= 0 {
		return nil, unsure(r.g.Cell(hidden), "a cell without the drawing that the others have")
	}
	if small := units[0] / pixel; small < leastSquare {
		return nil, ofBoard(fmt.Sprintf("drawings in the cells of squares of %.1f pixels, too small to tell", small))
	}
	type told struct {
		finds []finding
		off   float64
	}
	var all []told
	for _, st := range styles(list, units, pixel) {
		t, l := told{finds: make([]finding, len(list))}, st.lattice(pixel)
		for i, d := range list {
			t.finds[i] = l.found(d)
			t.off += t.finds[i].off
		}
		all = append(all, t)
	}
	slices.SortStableFunc(all, func(a, b told) int { return cmp.Compare(a.off, b.off) })
	for _, t := range all[1:] {
		if t.off < rivals*all[0].off && !slices.EqualFunc(t.finds, all[0].finds, func(a, b finding) bool { return a.squares == b.squares }) {
			return nil, ofBoard("drawings of squares of one size, or of another")
		}
	}
	return r.flipsFound(list, all[0].finds)
}

// flipsFound are what findings say that each cell's switch flips.
func (r *reading) flipsFound(list []*drawing, finds []finding) ([][]image.Point, error) {
	out := make([][]image.Point, len(finds))
	others := false
	for i, f := range finds {
		if left := f.off / max(list[i].all, 1e-9); left > mostLeft {
			return nil, unsure(r.g.Cell(i), fmt.Sprintf("a drawing of which %.2f is no square", left))
		}
		if f.sure < leastSure {
			return nil, unsure(r.g.Cell(i), fmt.Sprintf("a square at %d,%d of the drawing, or none: %.2f", f.at.X, f.at.Y, f.sure))
		}
		for y := 1; y <= span; y++ {
			for x := 1; x <= span; x++ {
				if f.squares[x][y] {
					out[i] = append(out[i], image.Pt(x-centre, y-centre))
				}
			}
		}
		if len(out[i]) == 0 {
			return nil, unsure(r.g.Cell(i), "a drawing that flips nothing")
		}
		others = others || len(out[i]) > 1
	}
	if !others {
		return nil, ofBoard("drawings that cannot be made out in the cells")
	}
	return out, nil
}

// unitsOf are the sides of squares, in cell units, that what drawings reach suits, the
// likeliest first: from their middle it is an odd number of half sides each way.
func unitsOf(list []*drawing) []float64 {
	var all, off []float64
	for unit := leastUnit; unit <= mostUnit; unit += 0.0025 {
		var sums [len(drawing{}.reach)]float64
		for _, m := range list {
			for k, reach := range m.reach {
				for _, d := range reach {
					odd := 2*max(0, math.Round(d/unit-0.5)) + 1
					sums[k] += math.Abs(d-odd*unit/2) / unit
				}
			}
		}
		all, off = append(all, unit), append(off, slices.Min(sums[:])/float64(4*len(list)))
	}
	var best []int
	for i, v := range off {
		if v < mostAskew && v == slices.Min(off[max(0, i-2):min(len(off), i+3)]) {
			best = append(best, i)
		}
	}
	slices.SortStableFunc(best, func(a, b int) int { return cmp.Compare(off[a], off[b]) })
	var out []float64
	for _, i := range best[:min(mostUnits, len(best))] {
		out = append(out, all[i])
	}
	return out
}
