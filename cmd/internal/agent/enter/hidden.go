package enter

import (
	"image"
	"math"

	"onlooker/vision"
	"onlooker/vision/trail"
)

// startRoom is the radius, in half-cells, within which a start circle may lie with its soft
// border: it keeps clear of the middles of the cells beside it, 1.4 away.
const startRoom = 1.1

// hidden tells whether something lies over the board anywhere between two places along
// a leg that a head may be at.
func (v *view) hidden(l *leg, f *image.RGBA, from, to float64) bool {
	if v.spin != nil {
		return false // its way is told by each frame's own pose
	}
	to += v.line.width/2 + 0.3 // beyond the head's round end
	if l.ends == inCap {
		to = min(to, l.length) // off the board nothing needs to stay as it is
	}
	d := unit(l.to.Sub(l.from))
	bare := v.bare(f)
	for along := to; along > from; along -= 0.5 {
		if v.covered(f, bare, float64(l.from.X)+along*float64(d.X), float64(l.from.Y)+along*float64(d.Y), d) {
			return true
		}
	}
	return false
}

// bare is the line as told from the frame in which the board was read, which may have been
// coming on then: from the one before it began where that is not known.
func (v *view) bare(f *image.RGBA) *trail.Trail {
	if v.read == nil {
		return v.trail
	}
	var clear []vision.Point
	around := spanned(v.stroke)
	for y := around.Min.Y; y < around.Max.Y; y++ {
		for x := around.Min.X; x < around.Max.X; x++ {
			if v.beside(float64(x), float64(y)) >= 1 {
				clear = append(clear, v.sheet.Half(image.Pt(x, y)))
			}
		}
	}
	return v.trail.Again(v.read, trail.Light(v.read, f, clear))
}

// covered tells whether something lies over the board about a place in half-cells, on a way
// of a direction: words that a browser shows for some seconds after it locked the pointer, a
// message. Beside the line a board stays as it is. A board that went or was moved shows most
// cells changed, or the line not where it began.
//
// bare is that of the same frame: what hides a board may lie there already when the line
// begins.
func (v *view) covered(f *image.RGBA, bare *trail.Trail, x, y float64, d image.Point) bool {
	if !v.trail.Stands(f, v.at(v.stroke[0])) {
		return false
	}
	hides, all := 0, 0
	for _, by := range []float64{-0.2, 0, 0.2} {
		for _, across := range []float64{-0.8, 0.8} { // between the line's border and a symbol's
			x, y := x+by*float64(d.X)-across*float64(d.Y), y+by*float64(d.Y)+across*float64(d.X)
			if v.beside(x, y) < 0.6 || math.Hypot(x-float64(v.stroke[0].X), y-float64(v.stroke[0].Y)) < startRoom {
				continue // the line's border may be there, or its start circle's
			}
			if all++; bare.Hides(f, v.sheet.At(x, y)) {
				hides++
			}
		}
	}
	return 2*hides > all && !mostCells(spanned(v.stroke), func(x, y float64) bool { return bare.Hides(f, v.sheet.At(x, y)) })
}

// beside is how far a place is from the nearest of the stroke's half-cells' middles and
// the edges between them, in half-cells.
func (v *view) beside(x, y float64) float64 {
	least := math.Inf(1)
	for i, q := range v.stroke[:len(v.stroke)-1] {
		d := v.stroke[i+1].Sub(q)
		dx, dy := x-float64(q.X), y-float64(q.Y)
		n := float64(d.X*d.X + d.Y*d.Y)
		share := min(max((dx*float64(d.X)+dy*float64(d.Y))/n, 0), 1)
		least = min(least, math.Hypot(dx-share*float64(d.X), dy-share*float64(d.Y)))
	}
	return least
}
