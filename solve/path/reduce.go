package path

import "slices"

// Of the learned clauses half are forgotten when there are reduceFirst of them,
// then each time there are reduceMore more than the time before; those that
// reach over glueLevels or fewer stay. All three are Glucose's (G. Audemard and
// L. Simon, Predicting Learnt Clauses Quality in Modern SAT Solvers, 2009).
const (
	reduceFirst = 2000
	reduceMore  = 300
	glueLevels  = 2
)

// reduce forgets the half of the learned clauses that reach over most levels;
// those that reach over two or fewer are kept.
func (s *Solver) reduce() {
	s.nextReduce += reduceMore
	refs := slices.Clone(s.learned)
	slices.SortStableFunc(refs, func(a, b int32) int {
		if d := s.arena[a+hLBD] - s.arena[b+hLBD]; d != 0 {
			return int(d)
		}
		return int(s.arena[a+hSize] - s.arena[b+hSize])
	})
	// Move what stays to a new arena, in order. In the old one a clause's LBD
	// tells what became of it: gone, or -2 less its new place.
	const gone = -1
	for _, ref := range refs[len(refs)/2:] {
		l := s.arena[ref+hLits]
		if s.arena[ref+hLBD] <= glueLevels || s.val[l] == 1 && s.why[l>>1] == (reason{rClause, ref}) {
			continue
		}
		s.arena[ref+hLBD] = gone
		s.stats.Forgotten++
	}
	arena := make([]Lit, 0, len(s.arena))
	for _, list := range []*[]int32{&s.clauses, &s.learned} {
		n := 0
		for _, ref := range *list {
			if s.arena[ref+hLBD] == gone {
				continue
			}
			to := int32(len(arena))
			arena = append(arena, s.arena[ref:ref+hLits+int32(s.arena[ref+hSize])]...)
			s.arena[ref+hLBD] = Lit(-2 - to)
			(*list)[n] = to
			n++
		}
		*list = (*list)[:n]
	}
	for l := range s.watches {
		ws := s.watches[l]
		n := 0
		for _, w := range ws {
			if m := s.arena[w.ref+hLBD]; m != gone {
				ws[n] = watch{int32(-2 - m), w.blocker}
				n++
			}
		}
		s.watches[l] = ws[:n]
	}
	for _, l := range s.trail {
		if w := &s.why[l>>1]; w.kind == rClause {
			w.x = int32(-2 - s.arena[w.x+hLBD])
		}
	}
	s.arena = arena
}
