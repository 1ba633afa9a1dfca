package solve

import (
	"fmt"
	"image"
)

// Pairs gives a solution as numbers, [[[x,y],…],…]; nil stays nil.
func (s Solution) Pairs() [][][2]int {
	if s == nil {
		return nil
	}
	// In one piece: a board may have millions of strokes.
	n := 0
	for _, stroke := range s {
		n += len(stroke)
	}
	points := make([][2]int, 0, n)
	out := make([][][2]int, len(s))
	for i, stroke := range s {
		from := len(points)
		for _, p := range stroke {
			points = append(points, [2]int{p.X, p.Y})
		}
		out[i] = points[from:len(points):len(points)]
	}
	return out
}

// FromPairs is the solution that Pairs gave.
func FromPairs(pairs [][][2]int) (Solution, error) {
	// Half-cells of a board are few; larger numbers would overflow in sums.
	const most = 1 << 20
	s := make(Solution, len(pairs))
	for i, stroke := range pairs {
		s[i] = make(Stroke, len(stroke))
		for j, p := range stroke {
			if p[0] < -most || p[0] > most || p[1] < -most || p[1] > most {
				return nil, fmt.Errorf("stroke %d, point %d is (%d,%d), far off any board", i+1, j+1, p[0], p[1])
			}
			s[i][j] = image.Pt(p[0], p[1])
		}
	}
	return s, nil
}

// PairsOf gives places as numbers, [[x,y],…]; none are [].
func PairsOf(at []image.Point) [][2]int {
	out := make([][2]int, len(at))
	for i, p := range at {
		out[i] = [2]int{p.X, p.Y}
	}
	return out
}

// PointsOf are the places that PairsOf gave.
func PointsOf(pairs [][2]int) []image.Point {
	out := make([]image.Point, len(pairs))
	for i, p := range pairs {
		out[i] = image.Pt(p[0], p[1])
	}
	return out
}
