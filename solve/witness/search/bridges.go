package search

import (
	"onlooker/solve/path"
)

// A bridgeWalk is a walk through what a label's region may hold, depth first.
type bridgeWalk struct {
	order []int32 // cells as they were come to
	disc  []int32 // by cell: when, from 1; 0: not yet
	low   []int32 // by cell: the first that it and what was come to from it touch
	came  []int32 // by cell: the join by which it was come to
	next  []int32 // by cell: which of its joins is followed next
	known []int32 // by cell: one of those come to from it, or itself, that is in the region, -1
}

// begin makes room for so many cells, and forgets the last walk.
func (b *bridgeWalk) begin(n int) {
	if len(b.disc) < n {
		*b = bridgeWalk{make([]int32, 0, n), make([]int32, n), make([]int32, n), make([]int32, n), make([]int32, n), make([]int32, n)}
	}
	clear(b.disc)
	b.order = b.order[:0]
}

// visit comes to a cell; inside says that it is in the region.
func (b *bridgeWalk) visit(x, by int32, inside bool) {
	b.order = append(b.order, x)
	b.disc[x] = int32(len(b.order))
	b.low[x], b.came[x], b.next[x], b.known[x] = b.disc[x], by, 0, -1
	if inside {
		b.known[x] = x
	}
}

// bridges: what is known to lie in a symbol's region hangs together with it, by
// every edge and every cell without which it could not.
func (m *model) bridges(r *regions, c *path.Clauses) {
	val := c.Values()
labels:
	for k := range m.labels {
		if !r.unjoined[k] {
			continue
		}
		in, from := m.labels[k].in, m.items[m.labels[k].item].cell
		for _, o := range m.labels[:k] {
			if val[in[m.items[o.item].cell]] > 0 {
				continue labels // that label says the same
			}
		}
		apart := false
		for x, lit := range in {
			if val[lit] > 0 && r.block[x] != r.block[from] {
				apart = true
				break
			}
		}
		if apart && (!m.bridgesOf(r, c, in, from) || r.implied > 0) {
			return
		}
		r.unjoined[k] = false
	}
}

// bridgesOf looks at one label's region; false when it left a broken clause.
func (m *model) bridgesOf(r *regions, c *path.Clauses, in []path.Lit, from int32) bool {
	joins, at, val := m.l.joins, m.l.at, c.Values()
	b := &r.bridging
	b.begin(len(m.l.cells))
	b.visit(from, -1, val[in[from]] > 0)
	for x := from; ; {
		if i := int(b.next[x]); i < len(at[x]) {
			b.next[x]++
			j := &at[x][i]
			y := j.cell
			if j.join == b.came[x] || j.lit != none && val[j.lit] > 0 || val[in[y]] < 0 {
				continue
			}
			if b.disc[y] == 0 {
				b.visit(y, j.join, val[in[y]] > 0)
				x = y
			} else {
				b.low[x] = min(b.low[x], b.disc[y])
			}
			continue
		}
		if x == from {
			return true
		}
		j := &joins[b.came[x]]
		up := j.other(x)
		b.low[up] = min(b.low[up], b.low[x])
		if b.known[x] >= 0 {
			if b.known[up] < 0 {
				b.known[up] = b.known[x]
			}
			only := b.low[x] > b.disc[up] && j.lit != none && val[j.lit] == 0
			through := b.low[x] >= b.disc[up] && val[in[up]] == 0
			if only || through {
				note := r.note(m.shoreOf(b, val, in, x, up))
				if through && !r.imply(c, in[up], note) || only && !r.imply(c, j.lit.Not(), note) {
					return false
				}
			}
		}
		x = up
	}
}

// shoreOf is why what is known beyond a cell x, which was come to from up, hangs
// together with the rest by up alone.
func (m *model) shoreOf(b *bridgeWalk, val []int8, in []path.Lit, x, up int32) []path.Lit {
	why := append(m.scratch[:0], in[b.known[x]].Not())
	// Everything from x on in the order was come to from it.
	for _, y := range b.order[b.disc[x]-1:] {
		for _, k := range m.l.at[y] {
			z := k.cell
			switch {
			case b.disc[z] >= b.disc[x] || z == up && (k.lit == none || val[k.lit] <= 0):
			case k.lit != none && val[k.lit] > 0:
				why = append(why, k.lit.Not())
			default:
				why = append(why, in[z])
			}
		}
	}
	m.scratch = why
	return why
}

// A lineWalk is a walk through the graph of the line, depth first: from the sink,
// with the source as where that came from.
type lineWalk struct {
	order []int32 // vertices as they were come to
	disc  []int32 // by vertex: when, from 1; 0: not yet
	low   []int32 // by vertex: the first that it and what was come to from it touch
	up    []int32 // by vertex: from which it was come to
	next  []int32 // by vertex: which of its links is followed next
}

// begin makes room for so many vertices, and forgets the last walk.
func (s *lineWalk) begin(n int) {
	if len(s.disc) < n {
		*s = lineWalk{make([]int32, 0, n), make([]int32, n), make([]int32, n), make([]int32, n), make([]int32, n)}
	}
	clear(s.disc)
	s.order = s.order[:0]
	s.visit(source, -1)
	s.visit(sink, source)
}

// visit comes to a vertex.
func (s *lineWalk) visit(x, from int32) {
	s.order = append(s.order, x)
	s.disc[x] = int32(len(s.order))
	s.low[x], s.up[x], s.next[x] = s.disc[x], from, 0
}

// pockets turns off what the line could come to, but not come out of again: all
// that hangs on one vertex alone, with neither its beginning nor its end in it.
// Were source and sink joined too, the line would be a cycle, and whatever lies on
// one with that join is in one block with it (R. Tarjan, Depth-First Search and
// Linear Graph Algorithms, 1972).
func (m *model) pockets(r *regions, c *path.Clauses) {
	if !r.deep {
		return
	}
	links, val := m.l.links, c.Values()
	s := &r.sounding
	s.begin(len(links))
	for x := int32(sink); x != source; {
		if i := int(s.next[x]); i < len(links[x]) {
			s.next[x]++
			k := &links[x][i]
			switch y := k.to; {
			case val[k.lit] < 0 || y == s.up[x] && x != sink:
			case s.disc[y] == 0:
				s.visit(y, x)
				x = y
			default:
				s.low[x] = min(s.low[x], s.disc[y])
			}
			continue
		}
		up := s.up[x]
		s.low[up] = min(s.low[up], s.low[x])
		if up != source && s.low[x] >= s.disc[up] && !m.shutPocket(r, c, x, up) {
			return
		}
		x = up
	}
	r.deep = r.implied > 0
}

// shutPocket turns off what was come to from x on, which hangs on up alone; false
// when it left a broken clause.
func (m *model) shutPocket(r *regions, c *path.Clauses, x, up int32) bool {
	links, val, s := m.l.links, c.Values(), &r.sounding
	why := -1
	inside := s.order[s.disc[x]-1:]
	for _, y := range inside {
		for _, k := range links[y] {
			if val[k.lit] < 0 {
				continue
			}
			if why < 0 {
				out := m.scratch[:0]
				for _, y := range inside {
					for _, k := range links[y] {
						if k.to != up && s.disc[k.to] < s.disc[x] {
							out = append(out, k.lit)
						}
					}
				}
				m.scratch = out
				why = r.note(out)
			}
			if !r.imply(c, k.lit.Not(), why) {
				return false
			}
		}
	}
	return true
}
