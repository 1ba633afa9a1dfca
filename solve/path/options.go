package path

// SetPhase makes the search try l true before false, until it has learned
// better. Without it variables are tried false first.
func (s *Solver) SetPhase(l Lit) { s.phase[l.Var()] = !l.Negated() }

// SetActivity says how early a variable is decided compared with others
// before anything is learned; all begin with 0. Conflicts add 1 and more to
// the variables in them, so that an activity below 1 only breaks ties at the
// start.
func (s *Solver) SetActivity(l Lit, activity float64) {
	v := int32(l.Var())
	s.scores.act[v] = activity
	if s.scores.pos[v] >= 0 {
		s.scores.up(int(s.scores.pos[v]))
		s.scores.down(int(s.scores.pos[v]))
	}
}

// Renew forgets what conflicts have said about the order and the values in
// which variables are tried; what was learned stays. Those that are decided
// last stay so.
func (s *Solver) Renew() {
	s.backTo(0)
	s.scores.inc = 1
	s.stable.forget()
	for v := range s.scores.act {
		s.scores.act[v] = min(s.scores.act[v], 0)
		s.phase[v] = false
	}
	for i := len(s.scores.heap)/2 - 1; i >= 0; i-- {
		s.scores.down(i)
	}
}

// Fixed tells what is known of a literal for good, as far as it was found yet: 1
// when it is true in every assignment, -1 when it is false, 0 otherwise. It may be
// asked between searches.
func (s *Solver) Fixed(l Lit) int {
	s.backTo(0)
	return int(s.val[l])
}

// SetLast makes the search decide a variable only when all others are decided:
// for one that follows from others, and of which an assignment says little.
func (s *Solver) SetLast(l Lit) { s.SetActivity(l, -1) }

// SetOrder makes the search decide these literals first, in this order, each
// as SetPhase says and later as it was last; variables that are not among them
// follow by activity. nil goes back to activity alone.
func (s *Solver) SetOrder(order []Lit) {
	s.order, s.orderAt = order, 0
}

// SetEnough says that an assignment is complete once these variables are
// assigned and ok agrees, whatever other variables are still open: Value is
// false for those and for their negations. ok is asked at rest, perhaps more
// than once.
func (s *Solver) SetEnough(lits []Lit, ok func(c *Clauses) bool) {
	s.enoughLits, s.enoughAt, s.enoughOK = lits, 0, ok
}

// enough tells whether the assignment is complete by SetEnough.
func (s *Solver) enough() bool {
	n := len(s.enoughLits)
	if n == 0 {
		return false
	}
	// The one found open last is mostly open still.
	for range n {
		if s.val[s.enoughLits[s.enoughAt]] == 0 {
			return false
		}
		if s.enoughAt++; s.enoughAt == n {
			s.enoughAt = 0
		}
	}
	return s.enoughOK(&s.hook)
}

// OnReport sets a function that is called now and then during a search (every
// few hundred conflicts or decisions); it may call Progress and Stats but
// nothing that changes the Solver.
func (s *Solver) OnReport(f func()) { s.report = f }
