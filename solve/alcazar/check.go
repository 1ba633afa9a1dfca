package alcazar

import (
	"context"
	"fmt"
	"image"

	"onlooker/solve"
)

func rules() []solve.Rule {
	return []solve.Rule{
		{Name: "line", Doc: "The answer is one stroke; it begins and ends in two different openings of the border."},
		{Name: "step", Doc: "It goes from cell to neighbouring cell, never through a wall."},
		{Name: "once", Doc: "It visits no cell twice."},
		{Name: "all", Doc: "It visits every cell."},
		{Name: "given", Doc: "It goes through every place that is marked."},
	}
}

func broken(rule string, at image.Point, format string, a ...any) error {
	return &solve.RuleError{Rule: rule, At: at, Got: fmt.Sprintf(format, a...)}
}

// Check follows the stroke over the board.
func (p *Puzzle) Check(_ context.Context, sol solve.Solution) error {
	if len(sol) != 1 || len(sol[0]) < 3 {
		return broken("line", image.Point{}, "%d strokes, want one of at least three points", len(sol))
	}
	s := sol[0]
	border := func(at image.Point) bool {
		return (at.X == 0 || at.X == 2*p.cols) && at.Y > 0 && at.Y < 2*p.rows && at.Y%2 == 1 ||
			(at.Y == 0 || at.Y == 2*p.rows) && at.X > 0 && at.X < 2*p.cols && at.X%2 == 1
	}
	last := s[len(s)-1]
	for _, at := range []image.Point{s[0], last} {
		if !border(at) || !p.Open(at) {
			return broken("line", at, "the line begins or ends here, want an opening of the border")
		}
	}
	if s[0] == last {
		return broken("line", last, "the line ends in the opening where it began, want another")
	}
	seen := make(map[image.Point]bool)
	through := map[image.Point]bool{s[0]: true, last: true}
	for i, at := range s[1 : len(s)-1] {
		if at.X%2 == 0 || at.Y%2 == 0 || !at.In(image.Rect(0, 0, 2*p.cols, 2*p.rows)) {
			return broken("step", at, "no cell's centre, want one")
		}
		d := at.Sub(s[i])
		if i == 0 {
			d = d.Mul(2)
		}
		if d.X*d.X+d.Y*d.Y != 4 || d.X*d.Y != 0 {
			return broken("step", at, "comes from %s, want a neighbour", solve.PlaceName(s[i]))
		}
		if i > 0 {
			between := s[i].Add(d.Div(2))
			if !p.Open(between) {
				return broken("step", between, "goes through a wall")
			}
			through[between] = true
		}
		if seen[at] {
			return broken("once", at, "a cell for the second time")
		}
		seen[at] = true
	}
	if d := last.Sub(s[len(s)-2]); d.X*d.X+d.Y*d.Y != 1 {
		return broken("step", last, "leaves from (%d,%d), want the cell at the opening", s[len(s)-2].X, s[len(s)-2].Y)
	}
	for y := range p.rows {
		for x := range p.cols {
			if at := image.Pt(2*x+1, 2*y+1); !seen[at] {
				return broken("all", at, "a cell that is not visited, want every cell")
			}
		}
	}
	for y := range 2*p.rows + 1 {
		for x := range 2*p.cols + 1 {
			if at := image.Pt(x, y); p.Given(at) && !through[at] {
				return broken("given", at, "the line does not go through this marked place")
			}
		}
	}
	return nil
}
