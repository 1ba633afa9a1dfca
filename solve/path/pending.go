package path

import "slices"

// takePending brings in the clauses that propagators have added.
func (s *Solver) takePending() bool {
	for s.pendAt < len(s.pend) {
		n, keep := int(s.pend[s.pendAt]), s.pend[s.pendAt+1] != 0
		c := s.pend[s.pendAt+2 : s.pendAt+2+n]
		s.pendAt += 2 + n
		if !s.addDuring(c, keep) {
			return false
		}
	}
	s.pend, s.pendAt = s.pend[:0], 0
	return true
}

// rank orders literals by how well they serve as watches: true or open ones
// first, then those that became false latest.
func (s *Solver) rank(l Lit) int32 {
	if s.val[l] >= 0 {
		return 1 << 30
	}
	return s.level[l>>1]
}

// addDuring adds a clause at any point of the search. When all its literals
// are false it goes back as far as needed; if a conflict remains it is left in
// confl and the result is false.
func (s *Solver) addDuring(c []Lit, keep bool) bool {
	slices.Sort(c)
	c = slices.Compact(c)
	n := 0
	for i, l := range c {
		if i+1 < len(c) && c[i+1] == l^1 || s.val[l] == 1 && s.level[l>>1] == 0 {
			return true
		}
		if s.val[l] == -1 && s.level[l>>1] == 0 {
			continue
		}
		c[n] = l
		n++
	}
	c = c[:n]
	switch len(c) {
	case 0:
		s.backTo(0)
		s.confl = s.confl[:0]
		return false
	case 1:
		s.backTo(0)
		s.enqueue(c[0], reason{})
		return true
	}
	for i := range 2 {
		best := i
		for j := i + 1; j < n; j++ {
			if s.rank(c[j]) > s.rank(c[best]) {
				best = j
			}
		}
		c[i], c[best] = c[best], c[i]
	}
	lbd := 0
	if !keep {
		lbd = n
	}
	why := s.attach(c, lbd)
	if s.val[c[0]] != -1 {
		if s.val[c[0]] == 0 && s.val[c[1]] == -1 {
			s.enqueue(c[0], why)
		}
		return true
	}
	top, second := s.level[c[0]>>1], s.level[c[1]>>1]
	if top > second {
		s.backTo(int(second))
		s.enqueue(c[0], why)
		return true
	}
	s.confl = append(s.confl[:0], c...)
	return false
}
