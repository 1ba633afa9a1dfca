package witness

import (
	"image"
	"slices"

	witness "onlooker/solve/witness/board"
	"onlooker/vision/witness/cell"
	"onlooker/vision/witness/pointer"
	"onlooker/vision/witness/view"
)

// covered are the places of a board that something hides, and what: a line that is begun those
// that it covers and what is beside them, the pointer those that it is not seen through to.
func covered(s *view.View) (by string, places []image.Point) {
	if s.Board.Round() {
		return "", nil
	}
	panel := witness.New(s.Board.Cols, s.Board.Rows, false)
	for _, line := range s.Traces() {
		if line.Ended {
			continue
		}
		return "a line begun", append(line.Nodes[:1:1], view.Where(panel.Points(), func(at image.Point) bool {
			return !witness.IsCell(at) && slices.ContainsFunc(line.Nodes, func(node image.Point) bool {
				d := at.Sub(node)
				return max(view.Abs(d.X), view.Abs(d.Y)) <= 1
			})
		})...)
	}
	// On lines it hides what is taken for a dot: circles and caps are seen beside it.
	all := len(s.Discs) == 0 && len(s.Rings) > 0 && s.Rings[0].Odds > 0
	if by = "what may be the cursor, or a sign that is not known"; all {
		by = "the cursor"
	}
	return by, view.Where(panel.Points(), func(at image.Point) bool {
		return witness.IsCell(at) && pointer.Hides(s, at, cell.SquareReach) || all && pointer.Hides(s, at, s.LineWidth/2)
	})
}
