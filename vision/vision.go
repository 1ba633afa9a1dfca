// Package vision finds, straightens and measures the boards in a picture. It
// is the only package that imports OpenCV, and no OpenCV type is in any
// exported signature.
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
