package path

// minimizeDepth is the longest chain of reasons that is followed to find that
// the rest of a clause implies a literal: longer ones seldom succeed. CaDiCaL
// follows 1,000.
const minimizeDepth = 100

// What seen says of a variable during the conflict analysis.
const (
	sUnseen  uint8 = iota
	sClause        // it is in the clause or on the way to it
	sImplied       // the clause implies it
	sNot           // it does not
)

// minimize leaves out of learnt what the rest implies (N. Sörensson and A.
// Biere, Minimizing Learned Clauses, 2009).
func (s *Solver) minimize() {
	s.stampNo++
	for _, q := range s.learnt {
		st, at := &s.stamp[s.level[q>>1]], s.place[q>>1]
		if st.no != s.stampNo || at < st.first {
			*st = stamp{s.stampNo, at}
		}
	}
	n := 1
	for _, q := range s.learnt[1:] {
		if s.place[q>>1] == s.stamp[s.level[q>>1]].first || s.why[q>>1].kind == rNone || !s.redundant(q, 0) {
			s.learnt[n] = q
			n++
		}
	}
	s.learnt = s.learnt[:n]
}

func (s *Solver) redundant(l Lit, depth int) bool {
	if s.ended {
		return false
	}
	from := len(s.scratch)
	s.scratch = s.explain(s.scratch, int32(l>>1))
	to := len(s.scratch)
	good := true
	for i := from; i < to; i++ {
		q := s.scratch[i]
		v := int32(q >> 1)
		if s.level[v] == 0 || s.seen[v] == sClause || s.seen[v] == sImplied {
			continue
		}
		// What is implied goes back to its level's decision, unless something
		// of the clause lies between: in no other level, and not before it.
		if st := s.stamp[s.level[v]]; st.no != s.stampNo || s.place[v] < st.first ||
			s.seen[v] == sNot || s.why[v].kind == rNone || depth >= minimizeDepth || !s.redundant(q, depth+1) {
			good = false
			break
		}
	}
	s.scratch = s.scratch[:from]
	v := int32(l >> 1)
	if s.seen[v] != sClause {
		s.seen[v] = sNot
		if good {
			s.seen[v] = sImplied
		}
		s.toClear = append(s.toClear, v)
	}
	return good
}
