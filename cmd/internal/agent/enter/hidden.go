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
// the leg that a head may be at.
func (l *leg) hidden(f *image.RGBA, from, to float64) bool {
	if l.spin != nil {
		return false // its way is told by each frame's own pose
	}
	to += l.width/2 + 0.3 // beyond the head's round end
	if l.isCap {
		to = min(to, l.length) // off the board nothing needs to stay as it is
	}
	d := unit(l.to.Sub(l.from))
	bare := l.bare(f)
	for along := to; along > from; along -= 0.5 {
		if l.covered(f, bare, float64(l.from.X)+along*float64(d.X), float64(l.from.Y)+along*float64(d.Y), d) {
			return true
		}
	}
	return false
}

// bare is the line as told from the frame in which the board was read, which may have been
// coming on then: from the one before it began where that is not known.
func (t *Tracing) bare(f *image.RGBA) *trail.Trail {
	if t.read == nil {
		return t.trail
	}
	var clear []vision.Point
	around := spanned(t.stroke)
	for y := around.Min.Y; y < around.Max.Y; y++ {
		for x := around.Min.X; x < around.Max.X; x++ {
			if t.beside(float64(x), float64(y)) >= 1 {
				clear = append(clear, t.sheet.Half(image.Pt(x, y)))
			}
		}
	}
	return t.trail.Again(t.read, trail.Light(t.read, f, clear))
}

// covered tells whether something lies over the board about a place in half-cells, on a way
// of a direction: words that a browser shows for some seconds after it locked the pointer, a
// message. Beside the line a board stays as it is. A board that went or was moved shows most
// cells changed, or the line not where it began.
//
// bare is that of the same frame: what hides a board may lie there already when the line
// begins.
func (t *Tracing) covered(f *image.RGBA, bare *trail.Trail, x, y float64, d image.Point) bool {
	if !t.trail.Stands(f, t.at(t.stroke[0])) {
		return false
	}
	hides, all := 0, 0
	for _, by := range []float64{-0.2, 0, 0.2} {
		for _, across := range []float64{-0.8, 0.8} { // between the line's border and a symbol's
			x, y := x+by*float64(d.X)-across*float64(d.Y), y+by*float64(d.Y)+across*float64(d.X)
			if t.beside(x, y) < 0.6 || math.Hypot(x-float64(t.stroke[0].X), y-float64(t.stroke[0].Y)) < startRoom {
				continue // the line's border may be there, or its start circle's
			}
			if all++; bare.Hides(f, t.sheet.At(x, y)) {
				hides++
			}
		}
	}
	return 2*hides > all && !mostCells(spanned(t.stroke), func(x, y float64) bool { return bare.Hides(f, t.sheet.At(x, y)) })
}

// beside is how far a place is from the nearest of the stroke's half-cells' middles and
// the edges between them, in half-cells.
func (t *Tracing) beside(x, y float64) float64 {
	least := math.Inf(1)
	for i, q := range t.stroke[:len(t.stroke)-1] {
		d := t.stroke[i+1].Sub(q)
		dx, dy := x-float64(q.X), y-float64(q.Y)
		n := float64(d.X*d.X + d.Y*d.Y)
		share := min(max((dx*float64(d.X)+dy*float64(d.Y))/n, 0), 1)
		least = min(least, math.Hypot(dx-share*float64(d.X), dy-share*float64(d.Y)))
	}
	return least
}
