package path

import "slices"

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
	s.stated.Add(len(lits))
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
	case 2:
		s.pairs = append(s.pairs, c[0], c[1])
	case 3:
		s.storeThree(c)
	default:
		s.clauses = append(s.clauses, s.store(c, 0))
	}
}

// Clauses of three wait in chunks of so many, at first and at most: what has been
// listed is let go chunk by chunk.
const (
	firstChunk = 1 << 8
	mostChunk  = 1 << 14
)

// storeThree keeps a clause of three until watchAll lists it.
func (s *Solver) storeThree(c []Lit) {
	n := len(s.threes)
	if n == 0 || len(s.threes[n-1]) == cap(s.threes[n-1]) {
		size := 3 * firstChunk
		if n > 0 {
			size = min(2*cap(s.threes[n-1]), 3*mostChunk)
		}
		s.threes = append(s.threes, make([]Lit, 0, size))
		n++
	}
	s.threes[n-1] = append(s.threes[n-1], c...)
}

// spareWatches is for how many more watches than it has each literal gets room
// when clauses are watched: on puzzle boards four spare nearly all allocations of
// a search.
const spareWatches = 4

// watchAll begins to watch the clauses that AddClause has stored: all at once,
// since it is known then how many each literal has. It is false when the context of
// the search ended before, and goes on from there when it is called again.
func (s *Solver) watchAll() bool {
	if s.watched == len(s.clauses) && len(s.pairs) == 0 && len(s.threes) == 0 {
		return true
	}
	fresh := s.clauses[s.watched:]
	watches, bins := make([]int32, len(s.val)), make([]int32, len(s.val))
	for _, ref := range fresh {
		for _, l := range s.lits(ref)[:2] {
			watches[l^1]++
		}
	}
	for _, l := range s.pairs {
		bins[l^1]++
	}
	n := 0
	for l := range s.watches {
		if need := len(s.watches[l]) + int(watches[l]); need > cap(s.watches[l]) {
			n += need + spareWatches
		}
	}
	ws, bs := make([]watch, n), make([]Lit, len(s.pairs))
	for l := range s.watches {
		if need := len(s.watches[l]) + int(watches[l]); need > cap(s.watches[l]) {
			need += spareWatches
			s.watches[l], ws = append(ws[:0:need], s.watches[l]...), ws[need:]
		}
		if len(s.bins[l]) == 0 {
			s.bins[l], bs = bs[:0:bins[l]], bs[bins[l]:]
		}
	}
	for _, ref := range fresh {
		s.watch(ref)
	}
	for i := 0; i < len(s.pairs); i += 2 {
		s.pair(s.pairs[i], s.pairs[i+1])
	}
	s.watched, s.pairs = len(s.clauses), s.pairs[:0]
	return s.listThrees()
}

// listThrees lists the clauses of three that wait, by their literals; false when the
// context of the search ended before.
func (s *Solver) listThrees() bool {
	if len(s.threes) == 0 {
		return true
	}
	count, all := make([]int32, len(s.val)), 0
	for _, chunk := range s.threes {
		for _, l := range chunk {
			count[l^1]++
		}
		all += len(chunk)
	}
	ts := make([]triple, all)
	for l := range s.triples {
		if len(s.triples[l]) == 0 {
			s.triples[l], ts = ts[:0:count[l]], ts[count[l]:]
		}
	}
	for k, chunk := range s.threes {
		if s.ctx.Err() != nil {
			s.threes = s.threes[k:]
			return false
		}
		for i := 0; i < len(chunk); i += 3 {
			a, b, c := chunk[i], chunk[i+1], chunk[i+2]
			s.triples[a^1] = append(s.triples[a^1], triple{b, c})
			s.triples[b^1] = append(s.triples[b^1], triple{c, a})
			s.triples[c^1] = append(s.triples[c^1], triple{a, b})
		}
		s.threes[k] = nil
	}
	s.threes = nil
	return true
}

// attach stores a clause of at least two literals during a search, watching its
// first two. An lbd above 0 marks it as learned.
func (s *Solver) attach(c []Lit, lbd int) reason {
	if len(c) == 2 {
		s.pair(c[0], c[1])
		return reason{rBinary, int32(c[1])}
	}
	ref := s.store(c, lbd)
	s.watch(ref)
	if lbd > 0 {
		s.learned = append(s.learned, ref)
	} else {
		s.clauses = append(s.clauses, ref)
		s.watched = len(s.clauses)
	}
	return reason{rClause, ref}
}

func (s *Solver) store(c []Lit, lbd int) int32 {
	ref := int32(len(s.arena))
	s.arena = append(s.arena, Lit(len(c)), Lit(lbd))
	s.arena = append(s.arena, c...)
	return ref
}

func (s *Solver) watch(ref int32) {
	c := s.lits(ref)
	s.watches[c[0]^1] = append(s.watches[c[0]^1], watch{ref, c[1]})
	s.watches[c[1]^1] = append(s.watches[c[1]^1], watch{ref, c[0]})
}

func (s *Solver) pair(a, b Lit) {
	s.bins[a^1] = append(s.bins[a^1], b)
	s.bins[b^1] = append(s.bins[b^1], a)
}

func (s *Solver) lits(ref int32) []Lit {
	return s.arena[ref+hLits : ref+hLits+int32(s.arena[ref+hSize])]
}

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
