package flow

import (
	"image"

	"onlooker/solve"
)

// Hand tells how paths are drawn by hand: along the cells of a square board.
// nil: a hexagonal or a loose board, or one with bridges or joins, whose paths
// leave the lattice.
func Hand(puzzle solve.Puzzle) *solve.Hand {
	p, ok := puzzle.(*Puzzle)
	if !ok || p.shape != Square || p.torus || len(p.joins) > 0 {
		return nil
	}
	l := &solve.Lattice{Cols: p.cols - 1, Rows: p.rows - 1, Origin: image.Pt(1, 1)}
	for i := range p.hole {
		switch {
		case p.bridge[i]:
			return nil
		case p.hole[i]:
			l.Spots = append(l.Spots, solve.Spot{At: p.centre(i).Sub(l.Origin), Gap: 2})
		}
	}
	for _, w := range p.walls {
		sum := p.centre(int(w[0])).Add(p.centre(int(w[1])))
		l.Spots = append(l.Spots, solve.Spot{At: sum.Div(2).Sub(l.Origin), Gap: 2})
	}
	for _, e := range p.pairs {
		l.Ends = append(l.Ends, [2]image.Point{p.centre(int(e[0])).Sub(l.Origin), p.centre(int(e[1])).Sub(l.Origin)})
	}
	return &solve.Hand{Lattice: l}
}
