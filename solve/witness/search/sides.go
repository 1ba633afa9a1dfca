package search

import (
	"image"
	"slices"

	"onlooker/solve/path"
	"onlooker/solve/witness/board"
)

// A sideTable tells of a symbol whose cell's sides alone decide when it is right:
// a bit for each of the 16 sets of covered sides, a bit a side as dirs lists them.
type sideTable uint16

func newSideTable(s *board.Symbol, met func(*board.Symbol, [4]bool) bool) sideTable {
	var t sideTable
	for set := range 16 {
		if met(s, [4]bool{set&1 != 0, set&2 != 0, set&4 != 0, set&8 != 0}) {
			t |= 1 << set
		}
	}
	return t
}

// A sideSet is sides that are covered and sides that are not; the others may be
// either.
type sideSet struct{ on, off int }

// never tells whether a symbol is wrong whatever the other sides are.
func (t sideTable) never(s sideSet) bool {
	for set := range 16 {
		if set&s.on == s.on && set&s.off == 0 && t>>set&1 == 1 {
			return false
		}
	}
	return true
}

// fewest lists the sets that make a symbol wrong and that could do with no side
// less, the same for all symbols with this table.
func (m *model) fewest(t sideTable) []sideSet {
	list, known := m.wrongSides[t]
	if known {
		return list
	}
	for on := range 16 {
	sets:
		for off := range 16 {
			s := sideSet{on, off}
			if on&off != 0 || !t.never(s) {
				continue
			}
			for side := 1; side < 16; side *= 2 {
				if (on|off)&side != 0 && t.never(sideSet{on &^ side, off &^ side}) {
					continue sets
				}
			}
			list = append(list, s)
		}
	}
	m.wrongSides[t] = list
	return list
}

// clause forbids these sides; false when they cannot be so.
func (s sideSet) clause(it *item) (c []path.Lit, ok bool) {
	for i, side := range it.sides {
		switch {
		case s.on>>i&1 == 1 && side == none:
			return nil, false
		case s.on>>i&1 == 1:
			c = append(c, side.Not())
		case s.off>>i&1 == 1 && side != none:
			c = append(c, side)
		}
	}
	return c, true
}

// bySides adds: a symbol whose cell's sides alone decide is right, or gone. A
// symmetric panel may have one variable on two sides, so this goes by what is
// covered: as few sides as make it wrong are forbidden.
func (m *model) bySides(it *item) {
	for _, s := range m.fewest(newSideTable(it.Symbol, it.row.Met)) {
		if c, ok := s.clause(it); ok {
			m.clause(append(c, it.gone)...)
		}
	}
}

// onlyWrong adds: such a symbol is not erased when it is right.
func (m *model) onlyWrong(it *item) {
	if it.right != none {
		m.s.AddClause(it.right.Not(), it.gone.Not())
		return
	}
	t := newSideTable(it.Symbol, it.row.Met)
	for set := range 16 {
		if c, ok := (sideSet{set, 15 &^ set}).clause(it); ok && t>>set&1 == 1 {
			m.s.AddClause(append(c, it.gone.Not())...)
		}
	}
}

// addSides gives every cell of a tight panel a side. A line from border to
// border cuts the panel in two, so that an edge is on exactly when the cells
// at its two sides lie on different sides of the line; two lines, each the
// other's image, likewise. Outside the border the side changes where a line
// begins or ends. Edges alone say this too, but only by counting round every
// node between two cells.
func (l *layout) addSides(s *path.Solver) {
	p := l.p
	first := s.NewVars(p.Cols * p.Rows)
	l.side = make([]path.Lit, len(p.Spots))
	for i := range l.side {
		l.side[i] = none
	}
	n := 0
	for at := range p.Points() {
		if board.IsCell(at) {
			l.side[l.index(at)] = first + 2*path.Lit(n)
			s.SetLast(l.side[l.index(at)])
			n++
		}
	}
	for at := range p.Points() {
		if !board.IsCell(at) {
			continue
		}
		for d := range 2 {
			edge := at.Add(dirs[d])
			if next := edge.Add(dirs[d]); p.In(next) {
				differ(s, l.side[l.index(at)], l.side[l.index(next)], l.half(edge, d^1))
			}
		}
	}
	b := &border{l: l, s: s, ends: l.lineEnds()}
	w, h := p.Width()-1, p.Height()-1
	if p.Pillar {
		right := func(image.Point) int { return 0 }
		b.round(image.Pt(0, 0), func(image.Point) int { return 1 }, right)
		b.round(image.Pt(0, h), func(image.Point) int { return 3 }, right)
	} else {
		along := func(at image.Point) int {
			switch {
			case at.Y == 0 && at.X < w:
				return 0
			case at.X == w && at.Y < h:
				return 1
			case at.Y == h && at.X > 0:
				return 2
			}
			return 3
		}
		b.round(image.Pt(0, 0), func(at image.Point) int { return (along(at) + 1) % 4 }, along)
	}
	s.AddClause(first) // either side may be called so
}

// differ adds: a and b differ exactly when on; none is never.
func differ(s *path.Solver, a, b, on path.Lit) {
	if on == none {
		s.AddClause(a, b.Not())
		s.AddClause(a.Not(), b)
		return
	}
	s.AddClause(on, a, b.Not())
	s.AddClause(on, a.Not(), b)
	s.AddClause(on.Not(), a, b)
	s.AddClause(on.Not(), a.Not(), b.Not())
}

// half is what covers an edge, on the hand of one of its nodes where it has a
// start or an end in its middle.
func (l *layout) half(at image.Point, d int) path.Lit {
	i := l.index(at)
	if l.vertex[i] >= 0 {
		return l.seg[i][d]
	}
	return l.cover[i]
}

// lineEnds lists where lines begin and end, an image's too.
func (l *layout) lineEnds() map[image.Point][]path.Lit {
	ends := make(map[image.Point][]path.Lit)
	note := func(at image.Point, lit path.Lit) {
		if !slices.Contains(ends[at], lit) {
			ends[at] = append(ends[at], lit)
		}
	}
	for _, list := range []struct {
		at   []image.Point
		lits []path.Lit
	}{{l.startAt, l.start}, {l.endAt, l.end}} {
		for k, at := range list.at {
			q, _ := l.partner(at)
			if l.p.Symmetry != board.NoSymmetry && q == l.p.Wrap(at) {
				continue // two lines begin here: the side changes twice
			}
			note(l.p.Wrap(at), list.lits[k])
			note(l.p.Wrap(q), list.lits[k])
		}
	}
	return ends
}

// A border is the outside of a panel, whose side changes where a line ends.
type border struct {
	l    *layout
	s    *path.Solver
	ends map[image.Point][]path.Lit
}

// round walks a border, the panel on its right hand side or, on a pillar, below
// or above: in is the way to the panel, on the way along.
func (b *border) round(from image.Point, in, on func(at image.Point) int) {
	l, s := b.l, b.s
	begin := s.NewVar()
	out := begin
	for at := from; ; {
		used := b.ends[at]
		next := func() {
			for _, x := range used {
				beyond := s.NewVar()
				differ(s, out, beyond, x)
				out = beyond
			}
		}
		d := on(at)
		if board.IsEdge(at) {
			cell := l.side[l.index(at.Add(dirs[in(at)]))]
			differ(s, out, cell, l.half(at, d^2))
			next()
			differ(s, out, cell, l.half(at, d))
		} else {
			next()
		}
		at = l.p.Wrap(at.Add(dirs[d]))
		if at == from {
			break
		}
	}
	differ(s, out, begin, none)
}
