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

// A triple is what is left of a clause of three when one of its literals has become
// false. Those that AddClause was given are not watched but listed by each of their
// literals, and stored nowhere else: most clauses of puzzles have three, reading two
// values takes less than moving a watch, and the largest boards are told that they are
// too large by what clauses take.
type triple struct{ a, b Lit }

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
