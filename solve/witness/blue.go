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
		if it.area == 0 {
			continue
		}
		side := b2i(it.area < 0)
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
//
// Where every blue piece is a single square they have no places: one fits
// wherever too much lies, and there is too much of exactly as many squares.
func (m *model) bluePlacements() {
	l, s := m.l, m.s
	var pieces, blues, located []int32
	places, blueSize, single := 0, 0, true
	for _, i := range m.pieceItems {
		it := &m.items[i]
		places += l.real * len(m.tiles.turns[it.class])
		if it.area > 0 {
			pieces = append(pieces, i)
			continue
		}
		blues = append(blues, i)
		blueSize += len(it.Shape)
		single = single && len(it.Shape) == 1
	}
	if places > maxPlaces {
		return
	}
	located = pieces
	if !single {
		located = append(slices.Clone(pieces), blues...)
		m.eaten = s.NewVars(l.real)
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
	eaten := func(c int32) path.Lit { return at(m.eaten, c) }
	eats := make([][]path.Lit, l.real) // by cell: what eats there
	lies := make([][]path.Lit, l.real) // by cell: what lies there, pieces
	lb := func(i int32) *label { return &m.labels[m.labelOf[i]] }
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
	for _, i := range located {
		it := &m.items[i]
		some := []path.Lit{at(tiled, it.cell).Not(), it.gone}
		group := pieceGroup{class: i, pieces: []*item{it}}
		if m.p.Rules.Overhang && (it.area < 0 || len(it.Shape) <= blueSize) {
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
					case it.area > 0 && len(l.off) > blueSize:
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
		side := b2i(it.area < 0)
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
				m.laid = append(m.laid, placement{p.lit, p.item, int32(g), p.cells, len(p.off)})
				m.groups[g].laid = append(m.groups[g].laid, k)
			}
		}
		for _, c := range p.cells {
			if it.area < 0 {
				eats[c] = append(eats[c], p.lit)
				clause(p.lit.Not(), eaten(c))
			} else {
				lies[c] = append(lies[c], p.lit)
				m.covering[c] = append(m.covering[c], k)
			}
		}
		for _, q := range p.off {
			if it.area < 0 {
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
		if single {
			if len(p.off) > 0 || len(p.cells) == 0 {
				near := []path.Lit{p.lit.Not()}
				for _, b := range blues {
					near = append(near, lb(p.item).in[m.items[b].cell])
				}
				clause(near...)
			}
			continue
		}
		other, there := 1, offEats
		if m.items[p.item].area < 0 {
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
	for n := range all {
		p := &all[n]
		it := &m.items[p.item]
		for _, c := range p.cells {
			if it.area < 0 {
				clause(append([]path.Lit{p.lit.Not()}, lies[c]...)...)
				continue
			}
			in := lb(p.item).in[c]
			if !single {
				clause(p.lit.Not(), in, eaten(c))
			}
			near := []path.Lit{p.lit.Not(), in}
			for _, b := range blues {
				near = append(near, lb(p.item).in[m.items[b].cell])
			}
			clause(near...)
		}
	}
	for c := range int32(l.real) {
		if !single {
			clause(append([]path.Lit{eaten(c).Not()}, eats[c]...)...)
		}
		// A piece of the cell's region lies there.
		home := []path.Lit{at(tiled, c).Not()}
		for _, i := range pieces {
			x := s.NewVar()
			s.SetLast(x)
			clause(x.Not(), lb(i).in[c])
			there := []path.Lit{x.Not()}
			for _, k := range m.covering[c] {
				if m.laid[k].class == i {
					there = append(there, m.laid[k].lit)
				}
			}
			clause(there...)
			home = append(home, x)
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
	m.steps = append(m.steps, m.tiledCells, m.waste)
	if !single {
		m.steps = append(m.steps, m.eating)
	}
}

// waste: of a region's pieces no more squares lie beyond it, or over one
// another, than its blue pieces have.
func (m *model) waste(r *regions, c *path.Clauses) {
	val := c.Values()
	gone := func(it *item) bool { return it.gone != none && val[it.gone] > 0 }
	if !slices.Contains(r.spent, true) {
		return
	}
	placed := make([]int32, len(m.groups))
	for g := range m.groups {
		placed[g] = -1
		for _, k := range m.groups[g].laid {
			if val[m.laid[k].lit] > 0 {
				placed[g] = k
				break
			}
		}
	}
	for own := range m.groups {
		it := m.groups[own].pieces[0]
		if it.area <= 0 || gone(it) || !r.spent[own] {
			continue
		}
		in := m.labels[m.labelOf[m.groups[own].class]].in
		spare := 0
		for _, b := range m.pieceItems {
			if o := &m.items[b]; o.area < 0 && val[in[o.cell]] >= 0 && !gone(o) {
				spare += len(o.Shape)
			}
		}
		// beyond is how many squares of a placement are wasted beside those
		// that were counted before.
		beyond := func(k int32, count bool) int {
			p := &m.laid[k]
			n := p.off
			for _, x := range p.cells {
				switch {
				case val[in[x]] < 0 || r.seen[x] == r.stamp:
					n++
				case count:
					r.seen[x] = r.stamp
				}
			}
			return n
		}
		r.stamp++
		var counted []int32 // groups
		for g, k := range placed {
			if o := m.groups[g].pieces[0]; k >= 0 && o.area > 0 && val[in[o.cell]] > 0 {
				spare -= beyond(k, true)
				counted = append(counted, int32(g))
			}
		}
		outside := func(out []path.Lit, k int32) []path.Lit {
			for _, x := range m.laid[k].cells {
				if val[in[x]] < 0 {
					out = append(out, in[x])
				}
			}
			return out
		}
		base := -1
		why := func() []path.Lit {
			out := m.scratch[:0]
			for _, b := range m.pieceItems {
				switch o := &m.items[b]; {
				case o.area >= 0:
				case val[in[o.cell]] < 0:
					out = append(out, in[o.cell])
				case gone(o):
					out = append(out, o.gone.Not())
				}
			}
			for _, g := range counted {
				out = append(out, m.laid[placed[g]].lit.Not())
				if o := m.groups[g].pieces[0]; o != it {
					out = append(out, in[o.cell].Not())
				}
				out = outside(out, placed[g])
			}
			m.scratch = out
			return out
		}
		if spare < 0 {
			r.add(c, why()...)
			return
		}
		r.spent[own] = false
		if placed[own] >= 0 || spare >= len(it.Shape) {
			continue
		}
		for _, k := range m.groups[own].laid {
			if lit := m.laid[k].lit; val[lit] == 0 && beyond(k, false) > spare {
				if base < 0 {
					base = r.note(why())
				}
				w := r.reasons[base]
				if !r.imply(c, lit.Not(), r.note(outside(slices.Clone(r.stored[w.from:w.to]), k))) {
					r.spent[own] = true
					return
				}
			}
		}
	}
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
