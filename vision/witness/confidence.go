package witness

import (
	"image"
	"math"
)

// sure is how sure a decision by a measured value is: 0.5 where both sides of
// it are as likely, and 1 where it is clear. What is on the other side of the
// divide is below 0.5.
//
// Divide and clear are shares of the contrast between lines and cells, or of a
// shape's own size, so that they hold in any look and stand where the shape is
// read; how sure is sure enough is the profile's.
func sure(v, divide, clear float64) float64 {
	return math.Max(0, math.Min(1, 0.5+0.5*(v-divide)/(clear-divide)))
}

// told notes how sure a part of the reading is, the least of which is the
// reading's confidence, and refuses what is less sure than the profile wants.
func (s *sheet) told(at image.Point, sure float64, format string, args ...any) error {
	if sure < s.look.Board.Confidence {
		return unsure(at, format, args...)
	}
	s.lower(sure)
	return nil
}

// lower notes how sure a part of the reading is; cells are read side by side.
func (s *sheet) lower(sure float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.least = min(s.least, sure)
}
