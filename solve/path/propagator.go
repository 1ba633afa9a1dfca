package path

// A Propagator takes part in the search: it follows the assignment and adds
// clauses when it sees something that clauses and graph do not say.
type Propagator interface {
	// Assign says that l has become true. It is called in the order of
	// assignment, only while clauses and graph are at rest, and also for what
	// is true before any decision.
	Assign(l Lit)
	// Undo says that l is no longer assigned; last in, first out.
	Undo(l Lit)
	// Propagate is called when all new literals have been told. It may add
	// clauses and implied literals through c.
	Propagate(c *Clauses)
	// Final is called when every variable is assigned and nothing else
	// objects. Unless it adds a clause that the assignment breaks, the
	// assignment is accepted.
	Final(c *Clauses)
}

// An Explainer is a Propagator that implies literals without writing down the
// clause first.
type Explainer interface {
	Propagator
	// Explain appends to out the other literals of the clause that made l
	// true: all of them were false before Imply(l, tag) was called.
	Explain(l Lit, tag int, out []Lit) []Lit
}

// Attach makes p take part in all further searches.
func (s *Solver) Attach(p Propagator) {
	s.backTo(0)
	for _, l := range s.trail[:s.phead] {
		p.Assign(l)
	}
	s.props = append(s.props, p)
}

// Clauses is what a Propagator may do during the search.
type Clauses struct{ s *Solver }

func (c *Clauses) add(keep bool, lits []Lit) {
	k := Lit(0)
	if keep {
		k = 1
	}
	c.s.pend = append(c.s.pend, Lit(len(lits)), k)
	c.s.pend = append(c.s.pend, lits...)
}

// Add adds a clause for good. It may be broken, met or undecided under the
// present assignment; it takes effect when the Propagator's method returns.
// The literals are copied.
func (c *Clauses) Add(lits ...Lit) { c.add(true, lits) }

// Lemma is like Add, but the clause may be forgotten later: for what the
// Propagator will find again when it is needed.
func (c *Clauses) Lemma(lits ...Lit) { c.add(false, lits) }

// Imply makes an open literal true at once; p must be an attached Explainer
// and will be asked for the clause, with tag, only if that matters. It must
// not be called after Add or Lemma within the same call of Propagate.
func (c *Clauses) Imply(p Explainer, l Lit, tag int) {
	s := c.s
	if s.val[l] != 0 || s.pendAt < len(s.pend) {
		panic("path: Imply of a literal that is assigned, or after Add")
	}
	for i, q := range s.props {
		if q == Propagator(p) {
			s.enqueue(l, reason{rOwn + uint32(i), int32(tag)})
			return
		}
	}
	panic("path: Imply by a Propagator that is not attached")
}

// Value is 1 when l is true now, -1 when it is false, 0 when it is open.
func (c *Clauses) Value(l Lit) int { return int(c.s.val[l]) }

// Values is Value of every literal, for loops over many: only to be read, and
// only until the Propagator's method returns.
func (c *Clauses) Values() []int8 { return c.s.val }
