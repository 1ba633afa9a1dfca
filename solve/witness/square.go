package witness

import (
	"image"

	"onlooker/solve"
	"onlooker/solve/path"
)

// Square: one colour of square per region.
var Square = Kind{square{}}

type square struct{ plainKind }

func (square) about() about {
	return about{
		name: "square", called: "a square", shape: "square",
		rule:   solve.Rule{Name: "square", Doc: "The squares of a region have one colour."},
		broken: "squares of two colours in one region",
		needs:  true, content: true, windmill: 7, site: "square",
	}
}

// wrong are all squares of the region when they have two colours.
func (square) wrong(v *view, own []image.Point) []image.Point {
	for _, at := range own {
		if v.line.p.At(at).Colour != v.line.p.At(own[0]).Colour {
			return own
		}
	}
	return nil
}

func (square) bad(t *tally, h *heap) bool {
	for i := range t.heaps {
		if o := &t.heaps[i]; o.it != nil && o.it.Kind == h.it.Kind && o.it.colour != h.it.colour && t.left(i) > 0 {
			return true
		}
	}
	return false
}

func (square) bears(h *heap, erased *item, _ *RuleSet) bool { return erased.Kind == h.it.Kind }

// state adds: cells that belong together have the same colour bits, and a
// square's cell has those of its colour.
func (square) state(m *model, own []int32) {
	number := make(map[int32]int)
	for _, i := range own {
		if c := m.items[i].colour; number[c] == 0 {
			number[c] = len(number) + 1
		}
	}
	if len(number) < 2 {
		return
	}
	s := m.s
	var needless [][]path.Lit                    // by square
	if m.fewestGone() && m.p.Rules.ErasedCount { // left or erased, it is the same to stars
		needless = make([][]path.Lit, len(own))
	}
	for bit := 0; 1<<bit < len(number); bit++ {
		first := s.NewVars(len(m.l.cells))
		m.together(first)
		for k, i := range own {
			it := &m.items[i]
			lit := first + 2*path.Lit(it.cell)
			if (number[it.colour]-1)>>bit&1 == 0 {
				lit = lit.Not()
			}
			if needless != nil {
				needless[k] = append(needless[k], lit.Not())
			}
			m.clause(lit, it.gone)
		}
	}
	// A square is not erased for others of its own colour.
	for k, clause := range needless {
		s.AddClause(append(clause, m.items[own[k]].gone.Not())...)
	}
}

// erased adds: a square is erased only where there is one of another colour
// before anything is erased.
func (square) erased(m *model, it *item) {
	if m.p.Rules.EraseInTurn {
		return
	}
	for k := range m.items {
		if !m.items[k].erases {
			continue
		}
		in := m.labels[m.labelOf[k]].in
		clause := []path.Lit{it.gone.Not(), in[it.cell].Not()}
		for i := range m.items {
			if o := &m.items[i]; o.Kind == it.Kind && o.colour != it.colour {
				clause = append(clause, in[o.cell])
			}
		}
		m.s.AddClause(clause...)
	}
}

// limits: beside a square of some colour there is none of another one.
func (square) limits(m *model, own []int32) []limit {
	all := uint64(0)
	of := make([]uint64, m.colours)
	for _, i := range own {
		it := &m.items[i]
		all |= 1 << it.cell
		of[it.colour] |= 1 << it.cell
	}
	var limits []limit
	for _, cells := range of {
		if cells != 0 && cells != all {
			limits = append(limits, limit{when: cells, counted: all &^ cells})
		}
	}
	return limits
}

func (square) mix(o *GenerateOptions, d draw) bool {
	o.Squares, o.SquareColours = d.some(d.area*2/3), 2+d.rng.IntN(2)
	return true
}

// squareColours are dealt in this order.
func squareColours() []Colour { return []Colour{White, Black, Magenta, Green, Red, Cyan} }

// deal gives every region a colour when its first square is put there.
func (square) deal(g *generator) error {
	colours := squareColours()[:min(max(g.o.SquareColours, 2), len(squareColours()))]
	for range g.o.Squares {
		r := g.anyFree(1)
		if r == nil {
			return errNoRoom
		}
		if r.square == "" {
			r.square = colours[g.rng.IntN(len(colours))]
		}
		g.put(r, g.take(r), Symbol{Kind: Square, Colour: r.square})
	}
	return nil
}
