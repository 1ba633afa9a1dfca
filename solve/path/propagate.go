package path

func (s *Solver) enqueue(l Lit, why reason) {
	v := l >> 1
	s.val[l], s.val[l^1] = 1, -1
	s.level[v] = int32(len(s.lim))
	s.why[v] = why
	s.place[v] = int32(len(s.trail))
	s.trail = append(s.trail, l)
}

// bcp propagates units; on a conflict it leaves the clause in confl.
func (s *Solver) bcp() bool {
	val := s.val
	for s.head < len(s.trail) {
		p := s.trail[s.head] // true
		s.head++
		if s.stats.Propagations++; s.stats.Propagations%tickProps == 0 && s.ctx.Err() != nil {
			s.ended = true
			return true
		}
		for _, q := range s.bins[p] {
			switch val[q] {
			case 0:
				s.enqueue(q, reason{rBinary, int32(p ^ 1)})
			case -1:
				s.confl = append(s.confl[:0], q, p^1)
				return false
			}
		}
		for _, t := range s.triples[p] {
			a, b := val[t.a], val[t.b]
			switch {
			case a > 0 || b > 0 || a == 0 && b == 0:
			case a == 0:
				s.enqueue(t.a, reason{rTriple | uint32(p^1), int32(t.b)})
			case b == 0:
				s.enqueue(t.b, reason{rTriple | uint32(p^1), int32(t.a)})
			default:
				s.confl = append(s.confl[:0], t.a, t.b, p^1)
				return false
			}
		}
		ws := s.watches[p]
		no := p ^ 1
		n := 0
		for i := 0; i < len(ws); i++ {
			w := ws[i]
			if val[w.blocker] == 1 {
				ws[n] = w
				n++
				continue
			}
			c := s.arena[w.ref+hLits : w.ref+hLits+int32(s.arena[w.ref+hSize])]
			if c[0] == no {
				c[0], c[1] = c[1], no
			}
			first := c[0]
			if first != w.blocker && val[first] == 1 {
				ws[n] = watch{w.ref, first}
				n++
				continue
			}
			moved := false
			for k := 2; k < len(c); k++ {
				if val[c[k]] >= 0 {
					c[1], c[k] = c[k], no
					s.watches[c[1]^1] = append(s.watches[c[1]^1], watch{w.ref, first})
					moved = true
					break
				}
			}
			if moved {
				continue
			}
			ws[n] = watch{w.ref, first}
			n++
			if val[first] < 0 {
				s.confl = append(s.confl[:0], c...)
				n += copy(ws[n:], ws[i+1:])
				s.watches[p] = ws[:n]
				return false
			}
			s.enqueue(first, reason{rClause, w.ref})
		}
		s.watches[p] = ws[:n]
	}
	return true
}

// propagate brings clauses, graph and propagators to rest, or sets ended when
// the context ends; on a conflict it returns false and leaves a clause of false
// literals in confl.
func (s *Solver) propagate() bool {
	for {
		if !s.takePending() || !s.bcp() {
			return false
		}
		if s.ended {
			return true
		}
		if s.graph != nil && s.ghead < len(s.trail) {
			n := len(s.trail)
			for s.ghead < len(s.trail) && len(s.trail) == n {
				l := s.trail[s.ghead]
				s.ghead++
				if !s.graph.assign(l) {
					return false
				}
			}
			continue
		}
		if len(s.props) > 0 {
			n := len(s.trail)
			from := s.phead
			s.phead = n
			for _, p := range s.props {
				for _, l := range s.trail[from:n] {
					p.Assign(l)
				}
			}
			for _, p := range s.props {
				p.Propagate(&s.hook)
				if s.pendAt < len(s.pend) || len(s.trail) != n {
					break
				}
			}
			if s.pendAt < len(s.pend) || len(s.trail) != n {
				continue
			}
		}
		return true
	}
}
