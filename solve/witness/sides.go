package witness

import (
	"image"

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
	// differ adds: a and b differ exactly when on; none is never.
	differ := func(a, b, on path.Lit) {
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
	// half is what covers an edge, on the hand of one of its nodes where it
	// has a start or an end in its middle.
	half := func(at image.Point, d int) path.Lit {
		if i := l.index(at); l.vertex[i] >= 0 {
			return l.seg[i][d]
		}
		return l.cover[l.index(at)]
	}
	for at := range p.Points() {
		if !IsCell(at) {
			continue
		}
		for d := range 2 {
			edge := at.Add(dirs[d])
			if next := edge.Add(dirs[d]); p.In(next) {
				differ(l.side[l.index(at)], l.side[l.index(next)], half(edge, d^1))
			}
		}
	}
	// Where lines begin and end; an image's too.
	ends := make(map[image.Point][]path.Lit)
	note := func(at image.Point, lit path.Lit) {
		for _, x := range ends[at] {
			if x == lit {
				return
			}
		}
		ends[at] = append(ends[at], lit)
	}
	for _, list := range []struct {
		at   []image.Point
		lits []path.Lit
	}{{l.startAt, l.start}, {l.endAt, l.end}} {
		for k, at := range list.at {
			note(p.Wrap(at), list.lits[k])
			q, _ := l.partner(at)
			note(p.Wrap(q), list.lits[k])
		}
	}
	// round walks a border, the panel on its right hand side or, on a pillar,
	// below or above.
	round := func(from image.Point, in func(at image.Point) int, on func(at image.Point) int) {
		begin := s.NewVar()
		out := begin
		for at := from; ; {
			var used []path.Lit
			used = append(used, ends[at]...)
			next := func() {
				for _, x := range used {
					b := s.NewVar()
					differ(out, b, x)
					out = b
				}
			}
			d := on(at)
			if IsEdge(at) {
				cell := l.side[l.index(at.Add(dirs[in(at)]))]
				differ(out, cell, half(at, d^2))
				next()
				differ(out, cell, half(at, d))
			} else {
				next()
			}
			at = p.Wrap(at.Add(dirs[d]))
			if at == from {
				break
			}
		}
		differ(out, begin, none)
	}
	right := func(image.Point) int { return 0 }
	w, h := p.Width()-1, p.Height()-1
	if p.Pillar {
		round(image.Pt(0, 0), func(image.Point) int { return 1 }, right)
		round(image.Pt(0, h), func(image.Point) int { return 3 }, right)
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
		round(image.Pt(0, 0), func(at image.Point) int { return (along(at) + 1) % 4 }, along)
	}
	s.AddClause(first) // either side may be called so
}
