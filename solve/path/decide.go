package path

func (s *Solver) decide() Lit {
	for s.orderAt < len(s.order) {
		l := s.order[s.orderAt]
		if s.val[l] == 0 {
			return s.phased(int32(l >> 1))
		}
		s.orderAt++
	}
	for len(s.scores.heap) > 0 {
		v := s.scores.pop()
		if s.val[2*v] == 0 {
			return s.phased(v)
		}
	}
	return None
}

// phased is a variable as it was last, or in a stable search as in its target.
func (s *Solver) phased(v int32) Lit {
	on := s.phase[v]
	if t := &s.stable; t.on && int(v) < len(t.target) && t.target[v] != 0 {
		on = t.target[v] > 0
	}
	if on {
		return Lit(2 * v)
	}
	return Lit(2*v + 1)
}

// assume is the next assumption to decide, or None; ok is false when one of
// them is false, and failed then tells why.
func (s *Solver) assume(assumptions []Lit) (l Lit, ok bool) {
	for len(s.lim) < len(assumptions) {
		a := assumptions[len(s.lim)]
		switch s.val[a] {
		case 0:
			return a, true
		case -1:
			s.analyseFinal(a)
			return None, false
		}
		s.push() // an empty level, so that levels and assumptions agree
	}
	return None, true
}

// analyseFinal collects in failed the assumptions that make p false.
func (s *Solver) analyseFinal(p Lit) {
	s.failed = append(s.failed[:0], p)
	if s.level[p>>1] == 0 {
		return
	}
	s.seen[p>>1] = sClause
	for i := len(s.trail) - 1; i >= int(s.lim[0]); i-- {
		l := s.trail[i]
		v := int32(l >> 1)
		if s.seen[v] == sUnseen {
			continue
		}
		s.seen[v] = sUnseen
		if s.why[v].kind == rNone {
			if l != p {
				s.failed = append(s.failed, l)
			}
			continue
		}
		s.scratch = s.explain(s.scratch[:0], v)
		for _, q := range s.scratch {
			if s.level[q>>1] > 0 {
				s.seen[q>>1] = sClause
			}
		}
	}
	s.seen[p>>1] = sUnseen
}

// Failed lists assumptions that cannot be met together; it is empty when
// there is no answer even without any. It is valid after Unsat.
func (s *Solver) Failed() []Lit { return s.failed }

func (s *Solver) backTo(level int) {
	if len(s.lim) <= level {
		return
	}
	to := int(s.lim[level])
	for i := len(s.props) - 1; i >= 0 && s.phead > to; i-- {
		for j := s.phead - 1; j >= to; j-- {
			s.props[i].Undo(s.trail[j])
		}
	}
	s.phead = min(s.phead, to)
	if s.ghead > to {
		s.graph.undo(to, s.ghead)
		s.ghead = to
	}
	for i := len(s.trail) - 1; i >= to; i-- {
		l := s.trail[i]
		v := int32(l >> 1)
		s.val[l], s.val[l^1] = 0, 0
		s.phase[v] = l&1 == 0
		if s.scores.pos[v] < 0 {
			s.scores.insert(v)
		}
	}
	s.trail = s.trail[:to]
	s.head = min(s.head, to)
	s.orderAt = int(s.orderLv[level])
	s.lim = s.lim[:level]
	s.orderLv = s.orderLv[:level]
}
