package view

import (
	"image"
	"math"
	"slices"

	"onlooker/vision"
)

// A Trace is a line that is drawn on a board already: the nodes that it covers, from its start
// on, and whether it goes out of the board at the last.
type Trace struct {
	Nodes []image.Point
	Ended bool
}

// Traces are the lines that are drawn on a board, whatever it shows: each begins in a circle and
// goes one way from there, in a colour that is neither the lines' nor the cells'.
func (s *View) Traces() (all []Trace) {
	for y := 0; y <= 2*s.Board.Rows; y += 2 {
		for x := 0; x <= 2*s.Board.Cols; x += 2 {
			if t, ok := s.traceFrom(image.Pt(x, y)); ok {
				all = append(all, t)
			}
		}
	}
	return all
}

// traceFrom follows a line from a node.
func (s *View) traceFrom(start image.Point) (t Trace, ok bool) {
	at := func(from, way image.Point, pitches float64) vision.RGB {
		far := 2 * pitches / math.Hypot(float64(way.X), float64(way.Y))
		return s.Patch(float64(from.X)+far*float64(way.X), float64(from.Y)+far*float64(way.Y), 0.25*s.LineWidth)
	}
	colour := at(start, Ways[0], 0)
	off := colour.OffMix(s.Board.Ink, s.Board.Paper)
	if off < Strongly*s.Contrast() {
		return t, false
	}
	drawn := func(from, way image.Point, pitches ...float64) bool {
		return !slices.ContainsFunc(pitches, func(far float64) bool { return at(from, way, far).Dist(colour) > 0.5*off })
	}
	// 0.18: a circle reaches beyond a corner of lines.
	for _, way := range []image.Point{{X: 1, Y: 1}, {X: -1, Y: 1}, {X: 1, Y: -1}, {X: -1, Y: -1}} {
		if !drawn(start, way, 0.18) {
			return t, false
		}
	}
	board := image.Rect(0, 0, 2*s.Board.Cols+1, 2*s.Board.Rows+1)
	for node := start; ; {
		t.Nodes = append(t.Nodes, node)
		var ways []image.Point
		for _, way := range Ways {
			if to := node.Add(way.Mul(2)); to.In(board) && !slices.Contains(t.Nodes, to) && drawn(node, way, 0.45) {
				ways = append(ways, way)
			}
		}
		switch {
		case len(ways) > 1:
			return t, false // no line
		case len(ways) == 1 && drawn(node, ways[0], 0.55, 0.64, 1):
			node = node.Add(ways[0].Mul(2))
			continue
		case len(ways) == 1 || node == start:
			return t, len(ways) == 1
		}
		for y := -1; y <= 1; y++ {
			for x := -1; x <= 1; x++ {
				if way := image.Pt(x, y); !node.Add(way).In(board) && drawn(node, way, s.LineWidth) {
					t.Ended = true
				}
			}
		}
		return t, true
	}
}
