package search

import (
	"math/bits"

	"onlooker/solve/path"
)

// A label follows one symbol's region: for every cell a variable that says
// whether the cell lies in it. Clauses carry it over every edge that is off;
// the regions' walk denies it beyond the symbol's area.
type label struct {
	item int32
	in   []path.Lit // by cell
}

// addLabels gives every star, piece and eraser a label.
func (m *model) addLabels() {
	l, s := m.l, m.s
	m.labelOf = make([]int32, len(m.items))
	next := s.NewVars(m.labelCells())
	for i := range m.items {
		it := &m.items[i]
		m.labelOf[i] = -1
		if !it.mates {
			continue
		}
		lb := label{item: int32(i), in: make([]path.Lit, len(l.cells))}
		for c := range lb.in {
			lb.in[c] = none
		}
		// Of two symbols each lies in the other's region, or neither does.
		for k := range m.labels {
			lb.in[m.items[m.labels[k].item].cell] = m.labels[k].in[it.cell]
		}
		for c := range lb.in {
			if lb.in[c] == none {
				lb.in[c] = next
				next += 2
			}
		}
		s.AddClause(lb.in[it.cell])
		for _, j := range l.joins {
			a, b := lb.in[j.a], lb.in[j.b]
			if j.lit == none {
				s.AddClause(a, b.Not())
				s.AddClause(a.Not(), b)
				continue
			}
			s.AddClause(j.lit, a, b.Not())
			s.AddClause(j.lit, a.Not(), b)
			if l.tight {
				s.AddClause(j.lit.Not(), a.Not(), b.Not())
			}
		}
		if l.side != nil { // a region lies on one side of the line
			home := l.side[l.index(it.at)]
			for c, at := range l.cells[:l.real] {
				if int32(c) == it.cell {
					continue
				}
				x := l.side[l.index(at)]
				s.AddClause(lb.in[c].Not(), home, x.Not())
				s.AddClause(lb.in[c].Not(), home.Not(), x)
			}
		}
		if m.pieces > 0 && len(m.labels) < mostOneRegion {
			m.oneRegion(&lb)
		}
		m.labelOf[i] = int32(len(m.labels))
		m.labels = append(m.labels, lb)
		m.watched = append(m.watched, lb.in...)
	}
}

// mostOneRegion is for how many symbols oneRegion is stated: their clauses grow by the
// cube, to 130,000 for so many, and to some gigabytes for 36×36 cells half of which have
// a symbol. The panels of the corpora with pieces have up to 36.
const mostOneRegion = 64

// oneRegion adds: of three symbols, two of which lie in the region of the third, all
// lie in one. Of 56 panels of the corpora with pieces, three ways and two orders each,
// the mean by factors is 0.88 of the conflicts that are met without it; of 19 without
// pieces it is 1.05, and they have the more stars.
func (m *model) oneRegion(lb *label) {
	s := m.s
	home := m.items[lb.item].cell
	for k := range m.labels {
		a := &m.labels[k]
		same := lb.in[m.items[a.item].cell]
		for _, b := range m.labels[:k] {
			third := m.items[b.item].cell
			both := a.in[third]
			s.AddClause(same.Not(), lb.in[third].Not(), both)
			s.AddClause(same.Not(), both.Not(), b.in[home])
			s.AddClause(lb.in[third].Not(), both.Not(), same)
		}
	}
}

// labelCells is how many variables the labels have: of two one is shared.
func (m *model) labelCells() int {
	n := 0
	for i := range m.items {
		n += int(b2i(m.items[i].mates))
	}
	return n*len(m.l.cells) - n*(n-1)/2
}

// same is true when an item lies in a labelled item's region.
func (m *model) same(labelled, other int32) path.Lit {
	return m.labels[m.labelOf[labelled]].in[m.items[other].cell]
}

// An extent is how far a label can come.
type extent struct {
	open   cellSet // it was not denied those
	inside cellSet // those are known to lie in its region
	reach  cellSet // cells that its last walk came to
}

func newExtent(cells int) extent {
	s := extent{newCellSet(cells), newCellSet(cells), newCellSet(cells)}
	for x := range int32(cells) {
		s.open.Add(x)
	}
	return s
}

// walk comes from a cell to all that it can, and leaves what else is open in rest.
func (s *extent) walk(pass *passages, home int32, rest cellSet) {
	clear(s.reach)
	s.reach.Add(home)
	pass.Flood(s.reach, s.open)
	for i, open := range s.open {
		rest[i] = open &^ s.reach[i]
	}
}

// labelAreas denies each label where its region cannot reach: beyond edges that
// are on, and beyond cells that it was denied.
func (m *model) labelAreas(r *regions, c *path.Clauses) {
	for k := range m.labels {
		if !r.stale[k] {
			continue
		}
		r.stale[k] = false
		lb := &m.labels[k]
		r.extents[k].walk(r.pass, m.items[lb.item].cell, r.rest)
		why := -1
		for i, rest := range r.rest {
			for ; rest != 0; rest &= rest - 1 {
				lit := lb.in[i*64+bits.TrailingZeros64(rest)]
				if c.Value(lit) < 0 {
					continue
				}
				if why < 0 {
					why = r.note(m.shoreOfLabel(r, c, k))
				}
				if !r.imply(c, lit.Not(), why) {
					r.stale[k] = true
					return
				}
			}
		}
	}
}

// shoreOfLabel is why a label comes no further than its last walk.
func (m *model) shoreOfLabel(r *regions, c *path.Clauses, k int) []path.Lit {
	in, reach, val := m.labels[k].in, r.extents[k].reach, c.Values()
	out := m.scratch[:0]
	reach.Each(func(x int32) bool {
		for _, j := range m.l.at[x] {
			switch {
			case reach.Has(j.cell):
			case j.lit != none && val[j.lit] > 0:
				out = append(out, j.lit.Not())
			default:
				out = append(out, in[j.cell])
			}
		}
		return true
	})
	m.scratch = out
	return out
}

// bounds is what is known of a sum: its least and greatest value.
type bounds struct{ lo, hi int }

// eraserCounts: in the region of an eraser no more symbols are erased than
// there are erasers; just as many, unless erasers may share or cancel.
func (m *model) eraserCounts(r *regions, c *path.Clauses) {
	exact := !m.p.Rules.ErasersCancel && !m.p.Rules.ErasersShare
	for k := range m.labels {
		if !m.items[m.labels[k].item].erases {
			continue
		}
		e := erasing{m, r, c, &m.labels[k]}
		erasers, gone := e.erasers(), e.gone()
		switch {
		case gone.lo > erasers.hi:
			r.add(c, e.reason(true)...)
			return
		case exact && gone.hi < erasers.lo:
			r.add(c, e.reason(false)...)
			return
		case gone.lo == erasers.hi && gone.hi > gone.lo:
			e.keepRest(r.note(e.reason(true)))
		case exact && gone.hi == erasers.lo && gone.hi > gone.lo:
			e.eraseRest(r.note(e.reason(false)))
		}
	}
}

// An erasing counts what is erased in the region of an eraser.
type erasing struct {
	m  *model
	r  *regions
	c  *path.Clauses
	lb *label // the eraser's
}

// each goes through all that can be erased: that it lies in the region, and that
// it is erased.
func (e *erasing) each(f func(in, gone path.Lit)) {
	m := e.m
	for i := range m.items {
		if it := &m.items[i]; it.gone != none {
			f(e.lb.in[it.cell], it.gone)
		}
	}
	for i := range m.marks {
		if mk := &m.marks[i]; mk.gone != none && len(mk.cells) > 0 {
			f(e.lb.in[mk.cells[0]], mk.gone)
		}
	}
}

// add takes one in that is there (1), may be (0) or is not.
func (b *bounds) add(v int) {
	switch v {
	case 1:
		b.lo++
		b.hi++
	case 0:
		b.hi++
	}
}

// erasers is how many erasers the region has.
func (e *erasing) erasers() (n bounds) {
	for i := range e.m.items {
		if it := &e.m.items[i]; it.erases {
			n.add(e.c.Value(e.lb.in[it.cell]))
		}
	}
	return n
}

// gone is how much is erased in it.
func (e *erasing) gone() (n bounds) {
	e.each(func(in, x path.Lit) { n.add(min(e.c.Value(in), e.c.Value(x))) })
	return n
}

// reason is why so much is erased and there are no more erasers, or, without more,
// the reverse.
func (e *erasing) reason(more bool) []path.Lit {
	m, c := e.m, e.c
	out := m.scratch[:0]
	for i := range m.items {
		if it := &m.items[i]; it.erases {
			in := e.lb.in[it.cell]
			if v := c.Value(in); more && v < 0 {
				out = append(out, in)
			} else if !more && v > 0 {
				out = append(out, in.Not())
			}
		}
	}
	e.each(func(in, x path.Lit) {
		switch v := min(c.Value(in), c.Value(x)); {
		case more && v > 0:
			out = append(out, in.Not(), x.Not())
		case !more && v < 0 && c.Value(x) < 0:
			out = append(out, x)
		case !more && v < 0:
			out = append(out, in)
		}
	})
	return out
}

// eraseRest makes everything else that may be erased in the region be so.
func (e *erasing) eraseRest(why int) {
	e.each(func(in, x path.Lit) {
		vi, vx := e.c.Value(in), e.c.Value(x)
		if min(vi, vx) != 0 {
			return
		}
		if vi == 0 {
			e.r.imply(e.c, in, why)
		}
		if vx == 0 {
			e.r.imply(e.c, x, why)
		}
	})
}

// keepRest keeps anything else from being erased in the region.
func (e *erasing) keepRest(why int) {
	// The reason names what is certain; that this one lies here, or is erased, is
	// a part of it.
	deny := func(l, since path.Lit) {
		out := append(e.m.scratch[:0], since.Not())
		w := e.r.reasons[why]
		e.r.imply(e.c, l.Not(), e.r.note(append(out, e.r.stored[w.from:w.to]...)))
	}
	e.each(func(in, x path.Lit) {
		switch vi, vx := e.c.Value(in), e.c.Value(x); {
		case vi > 0 && vx == 0:
			deny(x, in)
		case vx > 0 && vi == 0:
			deny(in, x)
		}
	})
}
