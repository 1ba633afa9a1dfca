package path

func (s *Solver) decide() Lit {
	for s.orderAt < len(s.order) {
		l := s.order[s.orderAt]
		if s.val[l] == 0 {
			return s.phased(int32(l >> 1))
		}
		s.orderAt++
	}
	for len(s.heap) > 0 {
		v := s.heapPop()
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
