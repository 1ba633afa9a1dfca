package witness

import "onlooker/solve/path"

// A sounding is a walk through the graph of the line, depth first: from the sink,
// with the source as where that came from.
type sounding struct {
	order []int32 // vertices as they were come to
	disc  []int32 // by vertex: when, from 1; 0: not yet
	low   []int32 // by vertex: the first that it and what was come to from it touch
	up    []int32 // by vertex: from which it was come to
	next  []int32 // by vertex: which of its links is followed next
}

// begin makes room for so many vertices, and forgets the last walk.
func (s *sounding) begin(n int) {
	if len(s.disc) < n {
		*s = sounding{make([]int32, 0, n), make([]int32, n), make([]int32, n), make([]int32, n), make([]int32, n)}
	}
	clear(s.disc)
	s.order = s.order[:0]
	s.visit(source, -1)
	s.visit(sink, source)
}

// visit comes to a vertex.
func (s *sounding) visit(x, from int32) {
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
