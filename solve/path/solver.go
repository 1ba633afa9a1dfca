package path

import (
	"context"
	"slices"

	"onlooker/solve/statement"
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
	stats     Stats

	stated statement.Meter // what Build heeds
}

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
