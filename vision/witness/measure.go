package witness

import (
	"onlooker/calibrations"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/view"
)

// newSheet measures a view; a pointer over it, and the disc that comes with it,
// are seen through.
func newSheet(b *vision.Board, look *calibrations.Profile, drawn drawing.Forms) *view.View {
	return cleared(view.Measure(b, look, drawn, nil))
}
