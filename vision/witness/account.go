package witness

import (
	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/posterior"
)

// The names of what speaks for and against a flat panel being one at all.
const (
	fewCells  = "few cells"
	noSymbols = "no symbol in any cell"
	guessed   = "a look that nothing is known of"
	littered  = "something in cells that the panel leaves empty"
	unlined   = "edges that are not of the lines' colour"
	atBorder  = "sides at the picture's border"
)

// Account is what a reading of a panel explains of its picture and what it leaves, apart
// from how sure the reader is of each of its parts: whether there is a panel at all.
func Account(look *calibrations.Profile, b *vision.Board, p *witness.Panel) posterior.Evidence {
	e := posterior.Evidence{fewCells: 1 / float64(p.Cols*p.Rows)}
	near := b.GoesOn()
	if look.Loose {
		e[guessed] = 1
		near = b.AtBorder() // what its lines look like is guessed too
	}
	if near > 0 {
		e[atBorder] = near
	}
	symbols, cells, litter, edges, bare := 0, 0, 0.0, 0, 0.0
	for at := range p.Points() {
		s := p.At(at)
		if s.Kind != witness.NoSymbol {
			symbols++
		}
		if b.Round() || b.Flat == nil {
			continue
		}
		switch {
		case witness.IsCell(at) && s.Kind == witness.NoSymbol:
			cells++
			litter += far(b, float64(at.X), float64(at.Y), 0.5, 0.5, b.Paper, b.Ink)
		case witness.IsEdge(at) && s.Gap == witness.Whole && !b.Solved && !s.Dot.On:
			edges++
			across, along := b.Line, 0.8
			if at.Y%2 == 0 {
				across, along = along, across
			}
			bare += far(b, float64(at.X), float64(at.Y), across, along, b.Ink, b.Paper)
		}
	}
	if symbols == 0 {
		e[noSymbols] = 1
	}
	if cells > 0 {
		e[littered] = litter / float64(cells)
	}
	if edges > 0 {
		e[unlined] = bare / float64(edges)
	}
	return e
}

// far is the share of pixels round a half-cell, so many half-cells wide and high, whose
// colour is not that of own, by more than half of what own and other differ by.
func far(b *vision.Board, x, y, wide, high float64, own, other vision.RGB) float64 {
	limit := 0.5 * own.Dist(other)
	n, off := 0, 0
	for dy := -4; dy <= 4; dy++ {
		for dx := -4; dx <= 4; dx++ {
			u := float64(b.Margin) + float64(b.Pitch)*(x+wide*float64(dx)/8)/2
			v := float64(b.Margin) + float64(b.Pitch)*(y+high*float64(dy)/8)/2
			n++
			if vision.At(b.Flat, u, v).Dist(own) > limit {
				off++
			}
		}
	}
	return float64(off) / float64(n)
}
