package switches

import (
	"errors"
	"fmt"
	"image"
	"math"
	"slices"

	"onlooker/vision"
	"onlooker/vision/grid"
)

// A pattern is a small drawing of squares in the middle of a cell: one for each
// bulb that its switch flips, where that bulb lies from the cell, its own the
// middle one, filled.

// How squares of patterns are told. Against the usual side's ink a side that is
// drawn has 0.5 and more on the boards of the shared screens, and one that is
// not 0.2 at the most.
const (
	faintSide = 0.3 // pixels of ink
	sideThere = 0.45
	sideGone  = 0.3
	mostAskew = 0.18 // squares by which drawings may end off a square's side, in the mean
	strayInk  = 0.08 // of a drawing's that belongs to no square
	mostReach = 3    // squares from the middle, so that the drawing fits into its cell
	fineCell  = 192  // pixels of a straightened cell: lines of one pixel in large cells
	// leastSquare is the side of a square in pixels: of 4.2 all drawings were read
	// right on the shared screens made smaller, of 3 one in five was not.
	leastSquare = 4
)

// patterns reads what every cell's switch flips; nil where the cells show no
// such drawings.
func (r *reading) patterns() ([][]image.Point, error) {
	marks := make([]*grid.Mark, len(r.bulbs))
	drawn := 0
	for i := range r.bulbs {
		at := r.cell(i)
		if m, ok := r.g.Mark(at.X, at.Y); ok && m.Left <= 0.5 && m.Left+m.Width() >= 0.5 && m.Top <= 0.5 && m.Top+m.Height() >= 0.5 {
			marks[i] = m
			drawn++
		}
	}
	// A few may be hidden, but no drawing is guessed.
	if 10*drawn < 9*len(marks) {
		return nil, nil
	}
	sc, ok := scaleOf(marks)
	if !ok {
		return nil, nil
	}
	if small := sc.unit * min(r.g.Pitch[0], r.g.Pitch[1]); small < leastSquare {
		return nil, unsure(image.Point{}, fmt.Sprintf("drawings in the cells of squares of %.1f pixels, too small to tell", small))
	}
	var sides []float64
	for i, m := range marks {
		if m == nil {
			return nil, unsure(r.cell(i), "a cell without the drawing that the others have")
		}
		for _, w := range grid.Ways() {
			sides = append(sides, m.Stroke(sc.x+sc.unit*float64(w.X), sc.y+sc.unit*float64(w.Y), sc.unit, w))
		}
	}
	// The usual side: of those away from the middle that are drawn at all.
	sides = slices.DeleteFunc(sides, func(v float64) bool { return v < faintSide })
	if len(sides) == 0 {
		return nil, unsure(image.Point{}, "drawings that cannot be made out in the cells")
	}
	usual := vision.Median(sides)
	others := false
	out := make([][]image.Point, len(marks))
	for i, m := range marks {
		flips, err := flipsOf(m, sc, usual)
		if err != nil {
			return nil, unsure(r.cell(i), err.Error())
		}
		out[i] = flips
		others = others || len(flips) > 1
	}
	if !others {
		return nil, unsure(image.Point{}, "drawings that cannot be made out in the cells")
	}
	return out, nil
}

// A scale is how patterns are drawn: the side of their squares, and where the
// middle one has its middle, in cell units.
type scale struct{ unit, x, y float64 }

// scaleOf fits a scale: what the drawings reach from their middle is an odd
// number of half sides each way. The middle lies within a pixel and a half of the
// cell's, as it comes out where pixels are whole.
func scaleOf(marks []*grid.Mark) (scale, bool) {
	best, least := scale{}, math.Inf(1)
	for unit := 0.08; unit <= 0.2; unit += 0.0025 {
		x, offX := middleOf(marks, unit, func(m *grid.Mark) (float64, float64) { return m.Left, m.Left + m.Width() })
		y, offY := middleOf(marks, unit, func(m *grid.Mark) (float64, float64) { return m.Top, m.Top + m.Height() })
		if off := (offX + offY) / 2; off < least {
			best, least = scale{unit, x, y}, off
		}
	}
	return best, least < mostAskew
}

// middleOf is the middle in one direction that suits drawings of squares of a
// size best, and how far from it they are in the mean, in squares.
func middleOf(marks []*grid.Mark, unit float64, ends func(*grid.Mark) (from, to float64)) (middle, off float64) {
	off = math.Inf(1)
	for try := -1.5; try <= 1.5; try += 0.25 {
		sum, n := 0.0, 0.0
		at := 0.0
		for _, m := range marks {
			if m == nil {
				continue
			}
			at = 0.5 + try*m.Pixel()
			from, to := ends(m)
			for _, d := range []float64{at - from, to - at} {
				d -= m.Pixel() / 2 // a line stands half over a square's side
				k := max(0, math.Round((2*d/unit-1)/2))
				sum += math.Abs(d-(2*k+1)*unit/2) / unit
				n++
			}
		}
		if sum /= n; sum < off {
			middle, off = at, sum
		}
	}
	return middle, off
}

// flipsOf reads one pattern.
func flipsOf(m *grid.Mark, sc scale, usual float64) ([]image.Point, error) {
	unit := sc.unit
	var out []image.Point
	for y := -mostReach; y <= mostReach; y++ {
		for x := -mostReach; x <= mostReach; x++ {
			d := image.Pt(x, y)
			cx, cy := sc.x+float64(x)*unit, sc.y+float64(y)*unit
			if d == (image.Point{}) {
				if m.Cover(cx-0.3*unit, cy-0.3*unit, cx+0.3*unit, cy+0.3*unit) > 0.6 {
					out = append(out, d)
				}
				continue
			}
			least := 1.0
			for _, w := range grid.Ways() {
				least = min(least, m.Stroke(cx, cy, unit, w)/usual)
			}
			switch {
			case least >= sideThere:
				out = append(out, d)
			case least > sideGone:
				return nil, fmt.Errorf("a square at %d,%d of the drawing, or none: %.2f of its faintest side is there", x, y, least)
			}
		}
	}
	if len(out) == 0 {
		return nil, errors.New("a drawing that flips nothing")
	}
	all, stray := 0.0, 0.0
	for y := m.Pixel() / 2; y < 1; y += m.Pixel() {
		for x := m.Pixel() / 2; x < 1; x += m.Pixel() {
			ink := m.At(x, y)
			all += ink
			if !slices.ContainsFunc(out, func(d image.Point) bool {
				reach := unit/2 + 1.5*m.Pixel()
				return math.Abs(x-sc.x-float64(d.X)*unit) < reach && math.Abs(y-sc.y-float64(d.Y)*unit) < reach
			}) {
				stray += ink
			}
		}
	}
	if stray > strayInk*all {
		return nil, fmt.Errorf("a drawing of which %.2f is no square", stray/all)
	}
	return out, nil
}
