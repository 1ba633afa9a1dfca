package path

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
		if s.heapPos[v] < 0 {
			s.heapInsert(v)
		}
	}
	s.trail = s.trail[:to]
	s.head = min(s.head, to)
	s.orderAt = int(s.orderLv[level])
	s.lim = s.lim[:level]
	s.orderLv = s.orderLv[:level]
}
