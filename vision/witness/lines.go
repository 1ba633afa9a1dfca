package witness

import (
	"fmt"
	"image"

	"onlooker/vision"
)

func unsure(at image.Point, format string, args ...any) error {
	return &vision.UnsureError{What: fmt.Sprintf(format, args...), At: at}
}

// outwards are the ways from a place in which no edge can lead: past each border that
// it is on and, from a corner, past both.
func (s *sheet) outwards(at image.Point) (dirs []image.Point) {
	beyond := func(v, last int) int {
		switch v {
		case 0:
			return -1
		case last:
			return 1
		}
		return 0
	}
	ox, oy := beyond(at.X, 2*s.b.Cols), beyond(at.Y, 2*s.b.Rows)
	if ox != 0 {
		dirs = append(dirs, image.Pt(ox, 0))
	}
	if oy != 0 {
		dirs = append(dirs, image.Pt(0, oy))
	}
	if ox != 0 && oy != 0 {
		dirs = append(dirs, image.Pt(ox, oy)) // a diagonal cap sits on a corner
	}
	return dirs
}
