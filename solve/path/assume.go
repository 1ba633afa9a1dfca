package path

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
