package view

import (
	"image"
	"slices"
)

// Beyond says past which of the board's sides there is nothing from a place: -1, 0 or 1 across
// and down.
func (s *View) Beyond(at image.Point) (x, y int) {
	side := func(v, last int) int {
		switch v {
		case 0:
			return -1
		case last:
			return 1
		}
		return 0
	}
	return side(at.X, 2*s.Board.Cols), side(at.Y, 2*s.Board.Rows)
}

// Outwards are the ways from a place in which no edge can lead: past each border that
// it is on and, from a corner, past both.
func (s *View) Outwards(at image.Point) (dirs []image.Point) {
	ox, oy := s.Beyond(at)
	for _, d := range [...]image.Point{{X: ox}, {Y: oy}, {X: ox, Y: oy}} { // a diagonal cap sits on a corner
		if d != (image.Point{}) && !slices.Contains(dirs, d) {
			dirs = append(dirs, d)
		}
	}
	return dirs
}
