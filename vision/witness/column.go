package witness

import (
	"fmt"
	"image"

	"onlooker/solve"
	"onlooker/solve/witness"
	"onlooker/vision"
)

// Columns lists which columns of a pillar may be column 0 of a view of it:
// those at which nothing that the view shows speaks against the panel. On a
// pillar with few marks these may be several.
func (r *Reader) Columns(puzzle solve.Puzzle, view *vision.Board) ([]int, error) {
	p, ok := puzzle.(*witness.Panel)
	if !ok || !p.Pillar || !view.Pillar {
		return nil, fmt.Errorf("columns: a %T and a view (pillar: %t), want a pillar and a view of it", puzzle, view.Pillar)
	}
	if p.Cols != view.Cols || p.Rows != view.Rows {
		return nil, fmt.Errorf("columns: a view of %d×%d cells, want %d×%d", view.Cols, view.Rows, p.Cols, p.Rows)
	}
	v := newSide(view, r.profile)
	var out []int
	for turn := range p.Cols {
		good := true
		for at, g := range v.at {
			if !g.readable() {
				continue
			}
			s, t := p.At(at.Add(image.Pt(2*turn, 0))), &g.spot
			// Names of colours are the whole panel's: a view has none.
			if s.Start != t.Start || s.Cap != t.Cap || s.Dot.On != t.Dot.On || s.Kind != t.Kind || s.Gap != t.Gap {
				good = false
				break
			}
		}
		if good {
			out = append(out, turn)
		}
	}
	return out, nil
}
