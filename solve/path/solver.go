package path

import (
	"context"
	"iter"
	"slices"
	"sync"
	"time"

	"onlooker/solve/limits"
)

// A Lit is a variable or its negation. The zero value is the variable 0
// itself; use the literals that NewVar returns.
type Lit int32

// None is no literal.
const None Lit = -1

// Not is the negation of l.
func (l Lit) Not() Lit { return l ^ 1 }

// Var is the number of l's variable, counted from 0 in order of NewVar.
func (l Lit) Var() int { return int(l >> 1) }

// Negated tells whether l is the negation of its variable.
func (l Lit) Negated() bool { return l&1 != 0 }

// Status is what a search found.
type Status uint8

// The results of a search.
const (
	Unknown Status = iota // the context or the limit ended it first
	Sat                   // an assignment was found
	Unsat                 // it is proved that there is none
)

func (s Status) String() string { return [...]string{"unknown", "sat", "unsat"}[s] }

// Stats counts what a Solver has done since it was made.
type Stats struct {
	Decisions, Propagations, Conflicts, Restarts, Learned, Forgotten int64
}

// Stats tells what has been done so far.
func (s *Solver) Stats() Stats { return s.stats }

// Kinds of reasons for an assignment. The path theory's are explained only
// when the conflict analysis asks.
const (
	rNone   uint32 = iota
	rBinary        // x: the other literal of a clause of two
	rClause        // x: the clause's place in the arena
	rFull          // x: the vertex that has all the edges it may have
	rLack          // x: the vertex that has no other edges left
	rCycle         // x: the edge that would close a cycle
	rJoin          // x: the edge that would join two wrong ends
	rWhole         // x: an end of the line that is complete
	rOwn           // + the propagator's number; x: its tag
)

// rTriple says that the rest of the kind is one literal of a clause of three, and x
// another one.
const rTriple uint32 = 1 << 31

type watch struct {
	ref     int32
	blocker Lit
}

// A triple is what is left of a clause of three when one of its literals has become
// false. Those that AddClause was given are not watched but listed by each of their
// literals, and stored nowhere else: most clauses of puzzles have three, reading two
// values takes less than moving a watch, and the largest boards are told that they are
// too large by what clauses take.
type triple struct{ a, b Lit }

// A stamp marks a level that a clause lies in, with the place on the trail of
// the clause's first literal there.
type stamp struct{ no, first int32 }

type reason struct {
	kind uint32
	x    int32
}

// A Solver decides clauses and a Graph of paths together. The zero value is
// not ready; use New. It may not be used by two goroutines at once.
type Solver struct {
	ok      bool
	arena   []Lit
	clauses []int32 // kept for ever
	watched int     // of clauses, from the first on; pairs and threes are not, see watchAll
	pairs   []Lit   // clauses of two, one after the other
	threes  [][]Lit // of three, in chunks
	learned []int32 // may be forgotten
	bins    [][]Lit // by literal: what is implied when it becomes true
	watches [][]watch
	triples [][]triple // by literal: of clauses that have its negation

	val    []int8 // by literal: 1 true, -1 false, 0 open
	level  []int32
	why    []reason
	place  []int32 // on the trail
	phase  []bool  // true: try the variable true first
	trail  []Lit
	lim    []int32 // trail length at each decision
	head   int     // of unit propagation
	ghead  int     // of the graph
	phead  int     // of the propagators
	graph  *Graph
	props  []Propagator
	hook   Clauses
	pend   []Lit // clauses that propagators have added: size, keep, literals
	pendAt int

	enoughLits []Lit // see SetEnough
	enoughAt   int
	enoughOK   func(*Clauses) bool

	order   []Lit // decided first, in this order
	orderAt int
	orderLv []int32 // orderAt at each decision
	scores  scores

	failed []Lit
	model  []int8

	// conflict analysis
	confl   []Lit
	learnt  []Lit
	seen    []uint8
	toClear []int32
	scratch []Lit
	stamp   []stamp // by level
	stampNo int32

	stable     stable
	fast, slow float64
	sinceStart int64
	nextReduce int64

	limit int64 // conflicts left in this search; below 0: no limit
	steps int
	ctx   context.Context // of this search
	ended bool            // ctx has ended, seen within a step
	// literals of reasons, since the context was looked at
	explained int
	report    func()
	step      func()
	stats     Stats

	stated limits.Meter // what Build heeds
}

// The context is looked at every tickSteps decisions or conflicts, and every
// tickProps propagations and tickExplained literals of reasons; OnReport's function is called every reportSteps. A
// step takes from one microsecond to a fifth of a millisecond, on a panel of The
// Witness with 5,000 variables, a propagation up to a microsecond.
const (
	tickSteps   = 16
	tickProps   = 1 << 12
	reportSteps = 256

	tickExplained = 1 << 16
)

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

// Clauses is what a Propagator may do during the search.
type Clauses struct{ s *Solver }

// New returns an empty Solver: no variables, no clauses, no graph.
func New() *Solver {
	s := &Solver{ok: true, scores: scores{inc: 1}, nextReduce: reduceFirst, limit: -1}
	s.hook.s = s
	return s
}

// Build calls state, which states a problem: variables, clauses, vertices and
// edges. When the context ends first, Build leaves state where it is, in the
// middle of one of the Solver's methods, and returns the context's error; the
// Solver is of no use then.
func (s *Solver) Build(ctx context.Context, state func()) error { return s.stated.Run(ctx, state) }

// NewVar makes a variable and returns it as a literal.
func (s *Solver) NewVar() Lit {
	s.stated.Add(1)
	if len(s.level) == cap(s.level) {
		s.reserve(max(varsAtOnce, len(s.level)/varsMore))
	}
	v := int32(len(s.level))
	s.bins = append(s.bins, nil, nil)
	s.watches = append(s.watches, nil, nil)
	s.triples = append(s.triples, nil, nil)
	s.val = append(s.val, 0, 0)
	s.level = append(s.level, 0)
	s.why = append(s.why, reason{})
	s.place = append(s.place, 0)
	s.phase = append(s.phase, false)
	s.scores.act = append(s.scores.act, 0)
	s.seen = append(s.seen, 0)
	s.stamp = append(s.stamp, stamp{})
	s.scores.pos = append(s.scores.pos, -1)
	s.scores.insert(v)
	return Lit(2 * v)
}

// varsAtOnce is for how many variables room is made at least: a panel of 5×5 cells
// has some hundreds. Of many there is room for a varsMore-th part more, as slices
// themselves grow: what variables take is most of what a large board takes.
const (
	varsAtOnce = 256
	varsMore   = 4
)

// reserve makes room for n more variables.
func (s *Solver) reserve(n int) {
	s.bins = slices.Grow(s.bins, 2*n)
	s.watches = slices.Grow(s.watches, 2*n)
	s.triples = slices.Grow(s.triples, 2*n)
	s.val = slices.Grow(s.val, 2*n)
	s.level = slices.Grow(s.level, n)
	s.why = slices.Grow(s.why, n)
	s.place = slices.Grow(s.place, n)
	s.phase = slices.Grow(s.phase, n)
	s.scores.act = slices.Grow(s.scores.act, n)
	s.seen = slices.Grow(s.seen, n)
	s.stamp = slices.Grow(s.stamp, n)
	s.scores.pos = slices.Grow(s.scores.pos, n)
	s.scores.heap = slices.Grow(s.scores.heap, n)
}

// NewVars makes n variables. Their literals follow one another: the i-th is
// the first plus 2i.
func (s *Solver) NewVars(n int) Lit {
	first := Lit(2 * len(s.level))
	s.reserve(n)
	for range n {
		s.NewVar()
	}
	return first
}

// Vars is how many variables there are.
func (s *Solver) Vars() int { return len(s.level) }

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

// OnStep sets a function that is called before each decision; it may call Assigned.
func (s *Solver) OnStep(f func()) { s.step = f }

// Assigned tells whether l is true in what is tried now.
func (s *Solver) Assigned(l Lit) bool { return s.val[l] == 1 }

// A Meter tells how far searches for the same thing have come, also where they
// run side by side. Its zero value with a Report is ready; a nil Meter tells
// nothing.
type Meter struct {
	// Report is told, about twice a second, the conflicts of all searches
	// together, and how many there will be if they go on as before. That
	// estimate comes from Progress of the search that is furthest; it is rough,
	// and 0 while no search has come far enough to say. It is called by one
	// goroutine at a time, that of some search.
	Report func(done, estimate float64)

	mu   sync.Mutex
	seen map[*Solver]int64 // conflicts when the search last ticked
	most float64           // the furthest that any search has been
	last time.Time
}

// NewMeter is a Meter for report, or nil where that is nil.
func NewMeter(report func(done, estimate float64)) *Meter {
	if report == nil {
		return nil
	}
	return &Meter{Report: report, last: time.Now()}
}

// Add counts a search from now on. Whoever sets its OnReport calls Tick there.
func (m *Meter) Add(s *Solver) {
	if m == nil {
		return
	}
	s.OnReport(func() { m.Tick(s) })
}

// Tick is to be called from the OnReport function of s.
func (m *Meter) Tick(s *Solver) {
	// Twice a second, so that even a slow step leaves one a second; and below a
	// hundredth Progress is noise.
	const every, least = 500 * time.Millisecond, 0.01
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.seen == nil {
		m.seen = make(map[*Solver]int64)
	}
	m.seen[s] = s.Stats().Conflicts
	if time.Since(m.last) < every {
		return
	}
	m.last = time.Now()
	m.most = max(m.most, s.Progress())
	n, estimate := 0.0, 0.0
	for _, conflicts := range m.seen {
		n += float64(conflicts)
	}
	if m.most > least {
		estimate = n / m.most
	}
	m.Report(n, estimate)
}

// Progress is a rough guess at the part of the search that is done, from 0 to
// 1: the share of the assignments that the present branch has left behind it,
// each decision halving what remains.
func (s *Solver) Progress() float64 {
	p, f := 0.0, 1.0
	if len(s.level) == 0 {
		return 1
	}
	for i := 0; i <= len(s.lim); i++ {
		from, to := 0, len(s.trail)
		if i > 0 {
			from = int(s.lim[i-1])
		}
		if i < len(s.lim) {
			to = int(s.lim[i])
		}
		p += f * float64(to-from)
		f /= float64(len(s.level))
		if f < 1e-30 {
			break
		}
	}
	return p / float64(len(s.level))
}

// Count is how many assignments differ in which literals of answer are true,
// at most limit where that is above 0. No assignment's true ones may all be
// true in another as well: so it is where they are the edges of complete paths.
func (s *Solver) Count(ctx context.Context, answer []Lit, limit int) (int, error) {
	n := 0
	_, err := s.Each(ctx, func() []Lit {
		if n++; n == limit {
			return nil
		}
		return s.another(answer)
	})
	return n, err
}

// All yields what read makes of each assignment that Count counts; after an
// error nothing more.
func All[T any](ctx context.Context, s *Solver, answer []Lit, read func() T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		stopped := false
		_, err := s.Each(ctx, func() []Lit {
			if stopped = !yield(read(), nil); stopped {
				return nil
			}
			return s.another(answer)
		})
		if err != nil && !stopped {
			var none T
			yield(none, err)
		}
	}
}

// another is the clause that one of answer's true literals is not true.
func (s *Solver) another(answer []Lit) []Lit {
	clause := make([]Lit, 0, len(answer))
	for _, l := range answer {
		if s.Value(l) {
			clause = append(clause, l.Not())
		}
	}
	return clause
}
