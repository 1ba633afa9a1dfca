package line

import (
	"image"
	"math"

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

func (s *Reader) findRing(start image.Point) float64 {
	best, where := 0.0, 0.0
	floor := max(s.Board.Ink[0]+s.Board.Ink[1]+s.Board.Ink[2], s.Board.Paper[0]+s.Board.Paper[1]+s.Board.Paper[2])
	for r := 1.3 * s.LineWidth; r < 2.6*s.LineWidth; r += 0.5 / float64(s.Board.Pitch) {
		bright := 0.0
		for k := 0; k < 32 && bright+float64(32-k)/32 >= view.Mostly; k++ { // what is too little already is no ring
			sin, cos := math.Sincos(2 * math.Pi * (float64(k) + 0.5) / 32)
			c := s.At(float64(start.X)+2*r*cos, float64(start.Y)+2*r*sin)
			if c[0]+c[1]+c[2] > (1+view.Slightly)*floor {
				bright += 1.0 / 32
			}
		}
		if bright > best {
			best, where = bright, r
		}
	}
	if best < view.Mostly {
		return 0
	}
	return where
}
