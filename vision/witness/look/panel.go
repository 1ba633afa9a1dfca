package look

import (
	"image"

	witness "onlooker/solve/witness/board"
	"onlooker/vision/witness/view"
)

// Holds tells whether a symbol of some kind is on a panel.
func Holds(p *witness.Panel, kind witness.Kind) bool {
	return len(view.Where(p.Points(), func(at image.Point) bool { return p.At(at).Kind == kind })) > 0
}

// Starts are the start circles of a panel.
func Starts(p *witness.Panel) []image.Point {
	return view.Where(p.Points(), func(at image.Point) bool { return p.At(at).Start })
}
