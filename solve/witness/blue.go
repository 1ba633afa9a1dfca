package witness

import (
	"image"
	"slices"

	"onlooker/solve/path"
)

// canCancel tells whether some pieces and some blue pieces of the panel have
// the same area: then a region may come to nothing.
func (m *model) canCancel() bool {
	sums := [2][]bool{{true}, {true}}
	for i := range m.items {
		it := &m.items[i]
		side := 0
		switch it.Kind {
		case Negative:
			side = 1
		case Polyomino:
		default:
			continue
		}
		old, n := sums[side], len(it.Shape)
		grown := make([]bool, len(old)+n)
		for s, ok := range old {
			if ok {
				grown[s], grown[s+n] = true, true
			}
		}
		sums[side] = grown
	}
	for s := 1; s < min(len(sums[0]), len(sums[1])); s++ {
		if sums[0][s] && sums[1][s] {
			return true
		}
	}
	return false
}

// bluePlacements states, where there are blue pieces, what every laying of a
// region's pieces meets: its cells are covered; a piece beyond its region, or
// over another piece, is eaten there by a blue one; a blue one lies on pieces.
// Whether the numbers agree in every cell is left to the judge. Where pieces
// may hang over the border, squares beside the board are places too; pieces
// that do not touch the board at all have one place in common ("away").
func (m *model) bluePlacements() {
	l, s := m.l, m.s
	places := 0
	for i := range m.items {
		if it := &m.items[i]; it.Kind == Polyomino || it.Kind == Negative {
			places += l.real * len(m.tiles.turns[it.class])
		}
	}
	if places > maxPlaces {
		return
	}
	tiled, zero := m.byRegion(), m.zero
	at := func(first path.Lit, c int32) path.Lit {
		if first == none {
			return none
		}
		return first + 2*path.Lit(c)
	}
	clause := func(lits ...path.Lit) {
		s.AddClause(slices.DeleteFunc(lits, func(x path.Lit) bool { return x == none })...)
	}
	m.covering = make([][]int32, l.real)
	m.eaten = s.NewVars(l.real)
	eaten := func(c int32) path.Lit { return at(m.eaten, c) }
	eats := make([][]path.Lit, l.real) // by cell: what eats there
	lies := make([][]path.Lit, l.real) // by cell: what lies there, pieces
	var pieces, blues []int32
	for i := range m.items {
		switch m.items[i].Kind {
		case Polyomino:
			pieces = append(pieces, int32(i))
		case Negative:
			blues = append(blues, int32(i))
		}
	}
	blueSize := 0
	for _, i := range blues {
		blueSize += len(m.items[i].Shape)
	}
	// By square off the board: what lies or eats there.
	offLies, offEats := make(map[image.Point][]path.Lit), make(map[image.Point][]path.Lit)
	var away, off [2][]path.Lit // pieces and blue ones that are, or have squares, off the board
	type laying struct {
		lit   path.Lit
		item  int32
		cells []int32
		off   []image.Point
	}
	var all []laying
	for _, i := range append(slices.Clone(pieces), blues...) {
		it := &m.items[i]
		some := []path.Lit{at(tiled, it.cell).Not(), it.gone}
		group := pieceGroup{class: i, pieces: []*item{it}}
		if m.p.Rules.Overhang && (it.Kind == Negative || len(it.Shape) <= blueSize) {
			lit := s.NewVar()
			some = append(some, lit)
			clause(lit.Not(), at(tiled, it.cell))
			if it.gone != none {
				clause(lit.Not(), it.gone.Not())
			}
			all = append(all, laying{lit: lit, item: i})
		}
		for _, shape := range m.tiles.turns[it.class] {
			big := image.Point{}
			for _, q := range shape {
				big = image.Pt(max(big.X, q.X), max(big.Y, q.Y))
			}
			fromX, toX := -big.X, m.p.Cols
			if m.p.Pillar {
				fromX = 0
			}
			for y := -big.Y; y < m.p.Rows; y++ {
				for x := fromX; x < toX; x++ {
					l := laying{item: i}
					for _, q := range shape {
						q = q.Add(image.Pt(x, y))
						if c := m.tiles.at(q); c >= 0 {
							l.cells = append(l.cells, c)
							continue
						}
						if m.p.Pillar {
							q.X %= m.p.Cols
						}
						l.off = append(l.off, q)
					}
					switch {
					case len(l.cells) == 0:
						continue // away
					case len(l.off) == 0:
					case !m.p.Rules.Overhang && slices.ContainsFunc(l.off, func(q image.Point) bool {
						return !q.In(image.Rect(0, 0, m.p.Cols, m.p.Rows))
					}):
						continue
					case it.Kind == Polyomino && len(l.off) > blueSize:
						continue // more than could be eaten
					}
					l.lit = s.NewVar()
					all = append(all, l)
					some = append(some, l.lit)
				}
			}
		}
		clause(some...)
		m.groups = append(m.groups, group)
	}
	for n := range all {
		p := &all[n]
		it := &m.items[p.item]
		side := b2i(it.Kind == Negative)
		if len(p.off) > 0 || len(p.cells) == 0 {
			off[side] = append(off[side], p.lit)
		}
		if len(p.cells) == 0 {
			away[side] = append(away[side], p.lit)
			continue
		}
		k := int32(len(m.laid))
		clause(p.lit.Not(), at(tiled, it.cell))
		if it.gone != none {
			clause(p.lit.Not(), it.gone.Not())
		}
		for g := range m.groups {
			if m.groups[g].class == p.item {
				m.laid = append(m.laid, placement{p.lit, p.item, int32(g), p.cells})
				m.groups[g].laid = append(m.groups[g].laid, k)
			}
		}
		for _, c := range p.cells {
			if it.Kind == Negative {
				eats[c] = append(eats[c], p.lit)
				clause(p.lit.Not(), eaten(c))
			} else {
				lies[c] = append(lies[c], p.lit)
				m.covering[c] = append(m.covering[c], k)
			}
		}
		for _, q := range p.off {
			if it.Kind == Negative {
				offEats[q] = append(offEats[q], p.lit)
			} else {
				offLies[q] = append(offLies[q], p.lit)
			}
		}
	}
	// What lies off the board is eaten there, and what eats lies on something;
	// what is away could be at any square off the board.
	for n := range all {
		p := &all[n]
		other, there := 1, offEats
		if m.items[p.item].Kind == Negative {
			other, there = 0, offLies
		}
		if len(p.cells) == 0 {
			clause(append([]path.Lit{p.lit.Not()}, off[other]...)...)
			continue
		}
		for _, q := range p.off {
			clause(append(append([]path.Lit{p.lit.Not()}, there[q]...), away[other]...)...)
		}
	}
	lb := func(i int32) *label { return &m.labels[m.labelOf[i]] }
	for n := range all {
		p := &all[n]
		it := &m.items[p.item]
		for _, c := range p.cells {
			if it.Kind == Negative {
				clause(append([]path.Lit{p.lit.Not()}, lies[c]...)...)
				continue
			}
			in := lb(p.item).in[c]
			clause(p.lit.Not(), in, eaten(c))
			near := []path.Lit{p.lit.Not(), in}
			for _, b := range blues {
				near = append(near, lb(p.item).in[m.items[b].cell])
			}
			clause(near...)
		}
	}
	for c := range int32(l.real) {
		clause(append([]path.Lit{eaten(c).Not()}, eats[c]...)...)
		clause(append([]path.Lit{at(tiled, c).Not()}, lies[c]...)...)
		home := []path.Lit{at(tiled, c).Not()}
		for _, i := range pieces {
			home = append(home, lb(i).in[c])
		}
		clause(home...)
		for _, i := range append(slices.Clone(pieces), blues...) {
			clause(lb(i).in[c].Not(), m.items[i].gone, at(tiled, c), at(zero, c))
		}
		if zero != none {
			clause(at(zero, c).Not(), at(tiled, c).Not())
			for _, list := range [][]int32{pieces, blues} {
				home := []path.Lit{at(zero, c).Not()}
				for _, i := range list {
					home = append(home, lb(i).in[c])
				}
				clause(home...)
			}
		}
	}
	m.tiled = tiled
	m.steps = append(m.steps, m.tiledCells, m.eating)
}

// eating: where no blue piece eats, no two pieces lie. It looks at the cells
// where something has come to lie, or to be no longer eaten.
func (m *model) eating(r *regions, c *path.Clauses) {
	val := c.Values()
	for _, x := range r.laden {
		first, eaten := int32(-1), m.eaten+2*path.Lit(x)
		for _, k := range m.covering[x] {
			if val[m.laid[k].lit] <= 0 {
				continue
			}
			if first < 0 {
				first = k
				continue
			}
			why := r.note([]path.Lit{m.laid[first].lit.Not(), m.laid[k].lit.Not()})
			if !r.imply(c, eaten, why) {
				return
			}
			break
		}
		if first >= 0 && val[eaten] < 0 {
			why := -1
			for _, k := range m.covering[x] {
				if k != first && val[m.laid[k].lit] == 0 {
					if why < 0 {
						why = r.note([]path.Lit{m.laid[first].lit.Not(), eaten})
					}
					r.imply(c, m.laid[k].lit.Not(), why)
				}
			}
		}
	}
	r.laden = r.laden[:0]
}
