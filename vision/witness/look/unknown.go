package look

import (
	"image"
	"slices"

	witness "onlooker/solve/witness/board"
	"onlooker/vision/witness/decide"
	"onlooker/vision/witness/view"
)

// Holds tells whether a symbol of some kind is on a panel.
func Holds(p *witness.Panel, kind witness.Kind) bool {
	return len(view.Where(p.Points(), func(at image.Point) bool { return p.At(at).Kind == kind })) > 0
}

// DotsAllRound is unknown for a cell with a dot on each of its four edges, which no line
// passes without meeting itself: unless a panel has erasers they are no dots but how this
// look's lines are drawn.
func DotsAllRound(p *witness.Panel) error {
	if Holds(p, witness.Eraser) {
		return nil
	}
	for at := range p.Points() {
		if witness.IsCell(at) && !slices.ContainsFunc(view.Ways[:], func(d image.Point) bool { return !p.At(at.Add(d)).Dot.On }) {
			return decide.OddLines.At(at, "dots on all four edges of a cell")
		}
	}
	return nil
}

// Starts are the start circles of a panel.
func Starts(p *witness.Panel) []image.Point {
	return view.Where(p.Points(), func(at image.Point) bool { return p.At(at).Start })
}
