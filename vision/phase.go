package vision

import (
	"image"
	"math"
)

// Phase tells how a pillar stands in a frame in which it has turned since the
// board was found: how far, in half-cells, the upright line nearest to the
// middle of the view is off it, from -1 to 1, to the right being positive.
func (b *Board) Phase(frame *image.RGBA) float64 {
	if b.Cylinder == nil {
		return 0
	}
	axis := b.Ink.Sub(b.Paper)
	q := max(axis.Dot(axis), 1)
	// On the pillar's cells one half-cell is π/cols.
	perRadian := float64(b.Cols) / math.Pi
	middle := -b.Cylinder.theta(0) * perRadian
	// Half-cells from the middle that are looked at: 60° to each side, where a
	// line is half as wide as in the middle.
	reach := math.Pi / 3 * perRadian
	const step = 0.02
	n := int(reach / step)
	ink := make([]float64, 2*n+1)
	for i := range ink {
		x := middle + float64(i-n)*step
		for y := 1; y < 2*b.Rows; y += 2 {
			for _, off := range []float64{-0.3, 0, 0.3} { // between the level lines
				p := b.ScreenPoint(x, float64(y)+off)
				ink[i] += min(max(At(frame, p.X, p.Y).Sub(b.Paper).Dot(axis)/q, 0), 1)
			}
		}
	}
	half := b.Line // a line's half width in half-cells
	fit := func(phase float64) float64 {
		sum := 0.0
		for i, v := range ink {
			d := math.Abs(math.Remainder(float64(i-n)*step-phase, 2))
			switch {
			case d < half:
				sum += v
			case d < 2*half:
				sum -= v
			}
		}
		return sum
	}
	best, at := math.Inf(-1), 0.0
	for phase := -1.0; phase < 1; phase += step {
		if s := fit(phase); s > best {
			best, at = s, phase
		}
	}
	// Between the steps: the middle of the fits beside the best.
	before, after := fit(at-step), fit(at+step)
	if d := 2*best - before - after; d > 0 {
		at += step * max(-0.5, min(0.5, 0.5*(after-before)/d))
	}
	return at
}

// Turned is the pillar as a later frame shows it, in which it stands at a phase
// (see Phase) and is seen from the same place.
func (b *Board) Turned(frame *image.RGBA, phase float64) *Board {
	c := *b.Cylinder
	around := 2 * math.Pi / float64(c.Cols)
	c.First = LastHidden(phase*math.Pi/float64(c.Cols), around)
	return NewPillar(frame, &c)
}

// LastHidden is the last column of lines that is out of sight on the left, by
// the angles of any column and between two columns.
func LastHidden(column, around float64) float64 {
	first := math.Mod(column+math.Pi/2, around) - math.Pi/2
	for first >= -math.Pi/2 {
		first -= around
	}
	return first
}
