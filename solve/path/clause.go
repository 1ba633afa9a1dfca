package path

type watch struct {
	ref     int32
	blocker Lit
}

// The arena holds clauses one after the other: size, LBD (0: never
// forgotten), then the literals. A clause is known by its offset.
const (
	hSize = iota
	hLBD
	hLits
)

// AddClause demands that at least one of the literals is true. It may be
// called before and between searches, never during one (see Clauses for that).
func (s *Solver) AddClause(lits ...Lit) {
	s.grow(len(lits))
	if !s.ok {
		return
	}
	s.backTo(0)
	c := s.scratch[:0]
next:
	for _, l := range lits {
		if int(l) < 0 || int(l) >= len(s.val) {
			panic("path: AddClause with a literal that NewVar did not make")
		}
		switch s.val[l] {
		case 1:
			return
		case -1:
			continue
		}
		for _, k := range c {
			if k == l {
				continue next
			}
			if k == l.Not() {
				return
			}
		}
		c = append(c, l)
	}
	s.scratch = c[:0]
	switch len(c) {
	case 0:
		s.ok = false
	case 1:
		s.enqueue(c[0], reason{})
	default:
		s.attach(c, 0)
	}
}

// attach stores a clause of at least two literals, watching its first two.
// An lbd above 0 marks it as learned.
func (s *Solver) attach(c []Lit, lbd int) reason {
	if len(c) == 2 {
		s.bins[c[0].Not()] = append(s.bins[c[0].Not()], c[1])
		s.bins[c[1].Not()] = append(s.bins[c[1].Not()], c[0])
		return reason{rBinary, int32(c[1])}
	}
	ref := int32(len(s.arena))
	s.arena = append(s.arena, Lit(len(c)), Lit(lbd))
	s.arena = append(s.arena, c...)
	s.watches[c[0].Not()] = append(s.watches[c[0].Not()], watch{ref, c[1]})
	s.watches[c[1].Not()] = append(s.watches[c[1].Not()], watch{ref, c[0]})
	if lbd > 0 {
		s.learned = append(s.learned, ref)
	} else {
		s.clauses = append(s.clauses, ref)
	}
	return reason{rClause, ref}
}

func (s *Solver) lits(ref int32) []Lit {
	return s.arena[ref+hLits : ref+hLits+int32(s.arena[ref+hSize])]
}
