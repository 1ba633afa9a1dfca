package path

// A stamp marks a level that a clause lies in, with the place on the trail of
// the clause's first literal there.
type stamp struct{ no, first int32 }

// explain appends the false literals that made v's literal true, and looks at
// the context now and then: along a path they may be as many as its edges.
func (s *Solver) explain(out []Lit, v int32) []Lit {
	n := len(out)
	out = s.reasons(out, v)
	if s.explained += len(out) - n; s.explained >= tickExplained {
		s.explained = 0
		s.ended = s.ended || s.ctx.Err() != nil
	}
	return out
}

func (s *Solver) reasons(out []Lit, v int32) []Lit {
	w := s.why[v]
	if w.kind&rTriple != 0 {
		return append(out, Lit(w.kind&^rTriple), Lit(w.x))
	}
	switch w.kind {
	case rBinary:
		return append(out, Lit(w.x))
	case rClause:
		return append(out, s.lits(w.x)[1:]...)
	case rFull, rLack, rCycle, rJoin, rWhole:
		return s.graph.explain(out, v, w)
	default:
		l := Lit(2 * v)
		if s.val[l] < 0 {
			l ^= 1
		}
		n := len(out)
		out = s.props[w.kind-rOwn].(Explainer).Explain(l, int(w.x), out)
		for _, q := range out[n:] {
			if s.val[q] != -1 || s.place[q>>1] >= s.place[v] {
				panic("path: Explain returned a literal that was not false when it was used")
			}
		}
		return out
	}
}

// analyse turns the conflict in confl into the learned clause learnt, whose
// first literal is to be implied at the returned level. ok is false when the
// conflict does not depend on any decision. When the context ends nothing of it
// counts.
func (s *Solver) analyse() (level int, lbd int, ok bool) {
	top := int32(0)
	for _, l := range s.confl {
		top = max(top, s.level[l>>1])
	}
	if top == 0 {
		return 0, 0, false
	}
	s.backTo(int(top)) // a propagator's conflict may lie below the present level
	if s.firstUIP(top) {
		s.minimize()
	}
	for _, v := range s.toClear {
		s.seen[v] = sUnseen
	}
	s.toClear = s.toClear[:0]
	if s.ended {
		return 0, 0, true
	}

	s.stampNo++
	for _, q := range s.learnt {
		if st := &s.stamp[s.level[q>>1]]; st.no != s.stampNo {
			st.no = s.stampNo
			lbd++
		}
	}
	if len(s.learnt) > 1 {
		best := 1
		for j := 2; j < len(s.learnt); j++ {
			if s.level[s.learnt[j]>>1] > s.level[s.learnt[best]>>1] {
				best = j
			}
		}
		s.learnt[1], s.learnt[best] = s.learnt[best], s.learnt[1]
		level = int(s.level[s.learnt[1]>>1])
	}
	return level, lbd, true
}

// firstUIP resolves the conflict with reasons of its level, the latest first,
// until one literal of that level is left: it becomes the first of learnt. It is
// false when the context ended.
func (s *Solver) firstUIP(top int32) bool {
	s.learnt = append(s.learnt[:0], None)
	open := 0
	cur := s.confl
	i := len(s.trail) - 1
	for {
		for _, q := range cur {
			v := int32(q >> 1)
			if s.seen[v] != sUnseen || s.level[v] == 0 {
				continue
			}
			s.seen[v] = sClause
			s.toClear = append(s.toClear, v)
			s.scores.bump(v)
			if s.level[v] == top {
				open++
			} else {
				s.learnt = append(s.learnt, q)
			}
		}
		for s.seen[s.trail[i]>>1] == sUnseen || s.level[s.trail[i]>>1] != top {
			i--
		}
		p := s.trail[i]
		i--
		open--
		if open == 0 {
			s.learnt[0] = p ^ 1
			return true
		}
		if s.scratch = s.explain(s.scratch[:0], int32(p>>1)); s.ended {
			return false
		}
		cur = s.scratch
	}
}

func (s *Solver) learn(lbd int) {
	s.stats.Learned++
	l := s.learnt[0]
	if len(s.learnt) == 1 {
		s.enqueue(l, reason{})
		return
	}
	s.enqueue(l, s.attach(s.learnt, lbd))
}

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
