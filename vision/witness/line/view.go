package line

import (
	"slices"

	"onlooker/vision/witness/view"
)

// Halved tells whether lines run through the middles of most cells: a board of
// twice as many, of which every second line was found.
func (s *Reader) Halved() bool {
	// 0.3: lines are no thicker than 0.6 of the pitch, that is of half of this one.
	if s.LineWidth > 0.3 {
		return false
	}
	through := 0
	for r := range s.Board.Rows {
		for c := range s.Board.Cols {
			x, y := float64(2*c+1), float64(2*r+1)
			line := func(dx, dy float64) bool {
				// 0.27 and 0.33 of the pitch: beyond symbols, but for long pieces.
				return !slices.ContainsFunc([]float64{-0.66, -0.54, 0.54, 0.66}, func(d float64) bool {
					at := s.At(x+d*dx, y+d*dy)
					return at.Dist(s.Board.Ink) > view.Clearly*s.Contrast()
				})
			}
			if line(1, 0) || line(0, 1) {
				through++
			}
		}
	}
	return 2*through > s.Board.Cols*s.Board.Rows
}
