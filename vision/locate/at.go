package locate

import (
	"fmt"
	"image"

	"onlooker/vision"
)

// usualLine is the width of lines in pitches that a board is measured from of which nobody
// measured any.
const usualLine = 0.2

// At is the board of so many cells whose corner nodes somebody showed, moved to the lines that
// are seen near to where it has them.
func At(frame image.Image, quad [4]vision.Point, cols, rows int) (*vision.Board, error) {
	full := vision.AsRGBA(frame)
	shown, err := vision.Placed(full.Rect.Size(), cols, rows, quad)
	if err != nil {
		return nil, err
	}
	l := &lattice{mesh: mesh{cols: cols, rows: rows, h: shown.ToScreen, line: usualLine}, samples: fine, guessed: true}
	if !colours(full, l) {
		return nil, fmt.Errorf("locate: no lines are seen in the outline")
	}
	if before := *l; !refine(full, l) {
		*l = before
	}
	l.guessed = false
	b := newBoard(full, l)
	b.Sized = 1
	return b, nil
}
