package witness

import (
	"image"
	"slices"

	"onlooker/solve/path"
)

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
		if IsCell(at) {
			l.side[l.index(at)] = first + 2*path.Lit(n)
			s.SetLast(l.side[l.index(at)])
			n++
		}
	}
	for at := range p.Points() {
		if !IsCell(at) {
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
			if l.p.Symmetry != NoSymmetry && q == l.p.Wrap(at) {
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
		if IsEdge(at) {
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
