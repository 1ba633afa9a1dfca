package look

import (
	"image"

	witness "onlooker/solve/witness/board"
	"onlooker/vision/witness/view"
)

// Starts are the start circles of a panel.
func Starts(p *witness.Panel) []image.Point {
	return view.Where(p.Points(), func(at image.Point) bool { return p.At(at).Start })
}
