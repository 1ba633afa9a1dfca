// Package vision has what all readers of pictures share: boards, which are straightened and
// know where their places are in the frame, colours, medians, templates, and how a JPEG was
// pressed. Boards are found by locate; it and this package alone import OpenCV, and no OpenCV
// type is in any exported signature.
package vision

import (
	"fmt"
	"image"

	"onlooker/solve/place"
)

// An UnsureError is a refusal to guess: it names what could not be told, and
// where.
type UnsureError struct {
	What string      // "a disc covers the node", "square or star"
	At   image.Point // half-cells of the board
	// Explained is how much of the board went along with what the reader took it for,
	// before it refused: 0 to 1, and less than 0 where nothing is there that its boards have.
	// Of refusals of one board that with the most is told.
	Explained float64
}

func (e *UnsureError) Error() string {
	return fmt.Sprintf("unsure at %s: %s", place.Name(e.At), e.What)
}
