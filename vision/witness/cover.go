package witness

import (
	"image"
	"slices"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/witness/cell"
	"onlooker/vision/witness/pointer"
	"onlooker/vision/witness/shape"
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

// glared are the places of a board about which all is as bright as a picture can be, further than what
// stands there reaches: symbols, start circles at nodes, dots amid edges. The middle one is the first.
func (r *Reader) glared(b *vision.Board) []image.Point {
	s, full := &view.View{Board: b}, func(c vision.RGB) bool { return min(c[0], c[1], c[2]) >= pointer.Full }
	if b.Round() || full(b.Ink) || full(b.Paper) {
		return nil
	}
	places := view.Where(witness.New(b.Cols, b.Rows, false).Points(), func(at image.Point) bool {
		reach := [3]float64{2 * r.profile.Board.Start[1] * b.Line, 1.4 * b.Line, 2 * cell.SquareReach}[at.X&1+at.Y&1]
		all := true
		shape.Around(16, func(sin, cos float64) {
			for _, out := range [...]float64{0, 0.5 * reach, reach} {
				all = all && full(s.At(float64(at.X)+out*cos, float64(at.Y)+out*sin))
			}
		})
		return all
	})
	if len(places) > 0 {
		places[0], places[len(places)/2] = places[len(places)/2], places[0]
	}
	return places
}
