package line

import (
	"image"
	"math"

	"onlooker/vision"
	"onlooker/vision/witness/view"
)

// Ring is the radius, in pitches, of the ring that some start circles send out
// as they pulse; 0 where there is none.
func (s *Reader) Ring(start image.Point) float64 {
	r, ok := s.rings.Load(start)
	if !ok {
		r, _ = s.rings.LoadOrStore(start, s.findRing(start))
	}
	return r.(float64)
}

// findRing looks for the radius at which most of what lies all round is brightest, from within
// the circle on, and brighter than the lines, the ground and the middle.
func (s *Reader) findRing(start image.Point) float64 {
	sum := func(c vision.RGB) float64 { return c[0] + c[1] + c[2] }
	middle := s.Patch(float64(start.X), float64(start.Y), 0.5*s.LineWidth)
	best, where := (1+view.Slightly)*max(sum(s.Board.Ink), sum(s.Board.Paper), sum(middle)), 0.0
	for r := 0.5 * s.LineWidth; r < 2.6*s.LineWidth; r += 0.5 / float64(s.Board.Pitch) {
		var bright []float64
		for k := range 32 {
			sin, cos := math.Sincos(2 * math.Pi * (float64(k) + 0.5) / 32)
			bright = append(bright, sum(s.At(float64(start.X)+2*r*cos, float64(start.Y)+2*r*sin)))
		}
		if most := vision.Ranked(bright, int(math.Ceil((1-view.Mostly)*32))); most > best {
			best, where = most, r
		}
	}
	return where
}
