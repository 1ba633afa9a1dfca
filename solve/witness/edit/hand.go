package edit

import (
	"image"

	"onlooker/solve"
	"onlooker/solve/witness/board"
)

// Hand tells how a panel's line is drawn by hand. nil: a panel whose line may
// begin or end on the middle of an edge.
func Hand(puzzle solve.Puzzle) *solve.Hand {
	p := board.Of(puzzle)
	if p == nil {
		return nil
	}
	l := &solve.Lattice{Cols: p.Cols, Rows: p.Rows, Pillar: p.Pillar, Tip: true}
	if p.Symmetry != board.NoSymmetry {
		l.Symmetry = p.Symmetry.String()
	}
	for at := range p.Points() {
		s := p.At(at)
		if board.IsEdge(at) && (s.Start || s.IsEnd()) {
			return nil
		}
		if s.Gap != board.Whole || s.Start || s.Cap != (image.Point{}) {
			l.Spots = append(l.Spots, solve.Spot{At: at, Gap: int(s.Gap), Start: s.Start, Cap: s.Cap})
		}
	}
	return &solve.Hand{Lattice: l}
}
