package drive

import (
	"image"
	"testing"

	"onlooker/vision"
)

// TestShows: three boards side by side on a page that is larger than its window
// both ways. The one in the middle was answered, and the wheel has moved the page.
func TestShows(t *testing.T) {
	board := func(x, y, cols, rows int) *vision.Board {
		const pitch = 100
		left, top, right, bottom := float64(x), float64(y), float64(x+cols*pitch), float64(y+rows*pitch)
		return &vision.Board{Cols: cols, Rows: rows, ScreenPitch: pitch,
			Quad: [4]vision.Point{{X: left, Y: top}, {X: right, Y: top}, {X: right, Y: bottom}, {X: left, Y: bottom}}}
	}
	w := wonBoard{board: board(400, 100, 7, 7), slid: image.Pt(-50, -60)}
	for _, c := range []struct {
		name string
		seen *vision.Board
		want bool
	}{
		{"as it was, moved", board(350, 40, 7, 7), true},
		{"its first row lost", board(350, 140, 7, 6), true},
		{"its last column lost", board(350, 40, 6, 7), true},
		{"three columns lost, and a row", board(350, 40, 4, 6), true},
		{"the one beside it, of as many rows", board(1200, 40, 4, 7), false},
		{"the one beside it, of as many columns", board(1200, 40, 7, 3), false},
		{"the one below it", board(350, 900, 7, 7), false},
	} {
		if got := w.shows(c.seen); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}
