package path

import (
	"context"
	"errors"
	"slices"
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

type reason struct {
	kind uint32
	x    int32
}

// A stamp marks a level that a clause lies in, with the place on the trail of
// the clause's first literal there.
type stamp struct{ no, first int32 }

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

// A Solver decides clauses and a Graph of paths together. The zero value is
// not ready; use New. It may not be used by two goroutines at once.
type Solver struct {
	ok      bool
	arena   []Lit
	clauses []int32 // kept for ever
	learned []int32 // may be forgotten
	bins    [][]Lit // by literal: what is implied when it becomes true
	watches [][]watch

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
	heap    []int32
	heapPos []int32   // -1: not in the heap
	act     []float64 // -1: decided last, whatever conflicts it is in
	inc     float64

	assumed []Lit
	failed  []Lit
	model   []int8

	// conflict analysis
	confl   []Lit
	learnt  []Lit
	seen    []uint8
	toClear []int32
	scratch []Lit
	stamp   []stamp // by level
	stampNo int32

	fast, slow float64
	sinceStart int64
	nextReduce int64

	limit  int64 // conflicts left in this search; below 0: no limit
	steps  int
	report func()
	stats  Stats
}

// New returns an empty Solver: no variables, no clauses, no graph.
func New() *Solver {
	s := &Solver{ok: true, inc: 1, nextReduce: 2000, limit: -1}
	s.hook.s = s
	return s
}

// NewVar makes a variable and returns it as a literal.
func (s *Solver) NewVar() Lit {
	v := int32(len(s.level))
	s.bins = append(s.bins, nil, nil)
	s.watches = append(s.watches, nil, nil)
	s.val = append(s.val, 0, 0)
	s.level = append(s.level, 0)
	s.why = append(s.why, reason{})
	s.place = append(s.place, 0)
	s.phase = append(s.phase, false)
	s.act = append(s.act, 0)
	s.seen = append(s.seen, 0)
	s.stamp = append(s.stamp, stamp{})
	s.heapPos = append(s.heapPos, -1)
	s.heapInsert(v)
	return Lit(2 * v)
}

// NewVars makes n variables. Their literals follow one another: the i-th is
// the first plus 2i.
func (s *Solver) NewVars(n int) Lit {
	first := Lit(2 * len(s.level))
	s.bins = slices.Grow(s.bins, 2*n)
	s.watches = slices.Grow(s.watches, 2*n)
	s.val = slices.Grow(s.val, 2*n)
	s.level = slices.Grow(s.level, n)
	s.why = slices.Grow(s.why, n)
	s.place = slices.Grow(s.place, n)
	s.phase = slices.Grow(s.phase, n)
	s.act = slices.Grow(s.act, n)
	s.seen = slices.Grow(s.seen, n)
	s.stamp = slices.Grow(s.stamp, n)
	s.heapPos = slices.Grow(s.heapPos, n)
	s.heap = slices.Grow(s.heap, n)
	// Room for four watches to a literal in one piece: on puzzle boards that
	// spares nearly all allocations of a search.
	const room = 4
	slab := make([]watch, 2*n*room)
	for range n {
		l := s.NewVar()
		s.watches[l], slab = slab[:0:room], slab[room:]
		s.watches[l^1], slab = slab[:0:room], slab[room:]
	}
	return first
}

// Vars is how many variables there are.
func (s *Solver) Vars() int { return len(s.level) }

// Stats tells what has been done so far.
func (s *Solver) Stats() Stats { return s.stats }

// SetPhase makes the search try l true before false, until it has learned
// better. Without it variables are tried false first.
func (s *Solver) SetPhase(l Lit) { s.phase[l.Var()] = !l.Negated() }

// SetActivity says how early a variable is decided compared with others
// before anything is learned; all begin with 0. Conflicts add 1 and more to
// the variables in them, so that an activity below 1 only breaks ties at the
// start.
func (s *Solver) SetActivity(l Lit, activity float64) {
	v := int32(l.Var())
	s.act[v] = activity
	if s.heapPos[v] >= 0 {
		s.heapUp(int(s.heapPos[v]))
		s.heapDown(int(s.heapPos[v]))
	}
}

// Renew forgets what conflicts have said about the order and the values in
// which variables are tried; what was learned stays. Those that are decided
// last stay so.
func (s *Solver) Renew() {
	s.backTo(0)
	s.inc = 1
	for v := range s.act {
		s.act[v] = min(s.act[v], 0)
		s.phase[v] = false
	}
	for i := len(s.heap)/2 - 1; i >= 0; i-- {
		s.heapDown(i)
	}
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

// AddClause demands that at least one of the literals is true. It may be
// called before and between searches, never during one (see Clauses for that).
func (s *Solver) AddClause(lits ...Lit) {
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

func (s *Solver) enqueue(l Lit, why reason) {
	v := l >> 1
	s.val[l], s.val[l^1] = 1, -1
	s.level[v] = int32(len(s.lim))
	s.why[v] = why
	s.place[v] = int32(len(s.trail))
	s.trail = append(s.trail, l)
}

func (s *Solver) backTo(level int) {
	if len(s.lim) <= level {
		return
	}
	to := int(s.lim[level])
	for i := len(s.props) - 1; i >= 0 && s.phead > to; i-- {
		for j := s.phead - 1; j >= to; j-- {
			s.props[i].Undo(s.trail[j])
		}
	}
	s.phead = min(s.phead, to)
	if s.ghead > to {
		s.graph.undo(to, s.ghead)
		s.ghead = to
	}
	for i := len(s.trail) - 1; i >= to; i-- {
		l := s.trail[i]
		v := int32(l >> 1)
		s.val[l], s.val[l^1] = 0, 0
		s.phase[v] = l&1 == 0
		if s.heapPos[v] < 0 {
			s.heapInsert(v)
		}
	}
	s.trail = s.trail[:to]
	s.head = min(s.head, to)
	s.orderAt = int(s.orderLv[level])
	s.lim = s.lim[:level]
	s.orderLv = s.orderLv[:level]
}

// bcp propagates units; on a conflict it leaves the clause in confl.
func (s *Solver) bcp() bool {
	val := s.val
	for s.head < len(s.trail) {
		p := s.trail[s.head] // true
		s.head++
		s.stats.Propagations++
		for _, q := range s.bins[p] {
			switch val[q] {
			case 0:
				s.enqueue(q, reason{rBinary, int32(p ^ 1)})
			case -1:
				s.confl = append(s.confl[:0], q, p^1)
				return false
			}
		}
		ws := s.watches[p]
		no := p ^ 1
		n := 0
		for i := 0; i < len(ws); i++ {
			w := ws[i]
			if val[w.blocker] == 1 {
				ws[n] = w
				n++
				continue
			}
			c := s.arena[w.ref+hLits : w.ref+hLits+int32(s.arena[w.ref+hSize])]
			if c[0] == no {
				c[0], c[1] = c[1], no
			}
			first := c[0]
			if first != w.blocker && val[first] == 1 {
				ws[n] = watch{w.ref, first}
				n++
				continue
			}
			moved := false
			for k := 2; k < len(c); k++ {
				if val[c[k]] >= 0 {
					c[1], c[k] = c[k], no
					s.watches[c[1]^1] = append(s.watches[c[1]^1], watch{w.ref, first})
					moved = true
					break
				}
			}
			if moved {
				continue
			}
			ws[n] = watch{w.ref, first}
			n++
			if val[first] < 0 {
				s.confl = append(s.confl[:0], c...)
				n += copy(ws[n:], ws[i+1:])
				s.watches[p] = ws[:n]
				return false
			}
			s.enqueue(first, reason{rClause, w.ref})
		}
		s.watches[p] = ws[:n]
	}
	return true
}

// propagate brings clauses, graph and propagators to rest; on a conflict it
// returns false and leaves a clause of false literals in confl.
func (s *Solver) propagate() bool {
	for {
		if !s.takePending() || !s.bcp() {
			return false
		}
		if s.graph != nil && s.ghead < len(s.trail) {
			n := len(s.trail)
			for s.ghead < len(s.trail) && len(s.trail) == n {
				l := s.trail[s.ghead]
				s.ghead++
				if !s.graph.assign(l) {
					return false
				}
			}
			continue
		}
		if len(s.props) > 0 {
			n := len(s.trail)
			from := s.phead
			s.phead = n
			for _, p := range s.props {
				for _, l := range s.trail[from:n] {
					p.Assign(l)
				}
			}
			for _, p := range s.props {
				p.Propagate(&s.hook)
				if s.pendAt < len(s.pend) || len(s.trail) != n {
					break
				}
			}
			if s.pendAt < len(s.pend) || len(s.trail) != n {
				continue
			}
		}
		return true
	}
}

// takePending brings in the clauses that propagators have added.
func (s *Solver) takePending() bool {
	for s.pendAt < len(s.pend) {
		n, keep := int(s.pend[s.pendAt]), s.pend[s.pendAt+1] != 0
		c := s.pend[s.pendAt+2 : s.pendAt+2+n]
		s.pendAt += 2 + n
		if !s.addDuring(c, keep) {
			return false
		}
	}
	s.pend, s.pendAt = s.pend[:0], 0
	return true
}

// rank orders literals by how well they serve as watches: true or open ones
// first, then those that became false latest.
func (s *Solver) rank(l Lit) int32 {
	if s.val[l] >= 0 {
		return 1 << 30
	}
	return s.level[l>>1]
}

// addDuring adds a clause at any point of the search. When all its literals
// are false it goes back as far as needed; if a conflict remains it is left in
// confl and the result is false.
func (s *Solver) addDuring(c []Lit, keep bool) bool {
	slices.Sort(c)
	c = slices.Compact(c)
	n := 0
	for i, l := range c {
		if i+1 < len(c) && c[i+1] == l^1 || s.val[l] == 1 && s.level[l>>1] == 0 {
			return true
		}
		if s.val[l] == -1 && s.level[l>>1] == 0 {
			continue
		}
		c[n] = l
		n++
	}
	c = c[:n]
	switch len(c) {
	case 0:
		s.backTo(0)
		s.confl = s.confl[:0]
		return false
	case 1:
		s.backTo(0)
		s.enqueue(c[0], reason{})
		return true
	}
	for i := range 2 {
		best := i
		for j := i + 1; j < n; j++ {
			if s.rank(c[j]) > s.rank(c[best]) {
				best = j
			}
		}
		c[i], c[best] = c[best], c[i]
	}
	lbd := 0
	if !keep {
		lbd = n
	}
	why := s.attach(c, lbd)
	if s.val[c[0]] != -1 {
		if s.val[c[0]] == 0 && s.val[c[1]] == -1 {
			s.enqueue(c[0], why)
		}
		return true
	}
	top, second := s.level[c[0]>>1], s.level[c[1]>>1]
	if top > second {
		s.backTo(int(second))
		s.enqueue(c[0], why)
		return true
	}
	s.confl = append(s.confl[:0], c...)
	return false
}

// explain appends the false literals that made v's literal true.
func (s *Solver) explain(out []Lit, v int32) []Lit {
	w := s.why[v]
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
// conflict does not depend on any decision.
func (s *Solver) analyse() (level int, lbd int, ok bool) {
	top := int32(0)
	for _, l := range s.confl {
		top = max(top, s.level[l>>1])
	}
	if top == 0 {
		return 0, 0, false
	}
	s.backTo(int(top)) // a propagator's conflict may lie below the present level
	s.learnt = append(s.learnt[:0], None)
	open := 0
	cur := s.confl
	i := len(s.trail) - 1
	for {
		for _, q := range cur {
			v := int32(q >> 1)
			if s.seen[v] != 0 || s.level[v] == 0 {
				continue
			}
			s.seen[v] = 1
			s.toClear = append(s.toClear, v)
			s.bump(v)
			if s.level[v] == top {
				open++
			} else {
				s.learnt = append(s.learnt, q)
			}
		}
		for s.seen[s.trail[i]>>1] == 0 || s.level[s.trail[i]>>1] != top {
			i--
		}
		p := s.trail[i]
		i--
		open--
		if open == 0 {
			s.learnt[0] = p ^ 1
			break
		}
		s.scratch = s.explain(s.scratch[:0], int32(p>>1))
		cur = s.scratch
	}
	// Leave out what the rest implies.
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
	for _, v := range s.toClear {
		s.seen[v] = 0
	}
	s.toClear = s.toClear[:0]

	s.stampNo++
	for _, q := range s.learnt {
		if st := &s.stamp[s.level[q>>1]]; st.no != s.stampNo {
			st.no = s.stampNo
			lbd++
		}
	}
	if n > 1 {
		best := 1
		for j := 2; j < n; j++ {
			if s.level[s.learnt[j]>>1] > s.level[s.learnt[best]>>1] {
				best = j
			}
		}
		s.learnt[1], s.learnt[best] = s.learnt[best], s.learnt[1]
		level = int(s.level[s.learnt[1]>>1])
	}
	return level, lbd, true
}

// seen: 1 in the clause or on the way to it, 2 implied by the clause, 3 not.
// Chains of reasons deeper than maxDepth are given up: they seldom succeed.
const maxDepth = 100

func (s *Solver) redundant(l Lit, depth int) bool {
	from := len(s.scratch)
	s.scratch = s.explain(s.scratch, int32(l>>1))
	to := len(s.scratch)
	good := true
	for i := from; i < to; i++ {
		q := s.scratch[i]
		v := int32(q >> 1)
		if s.level[v] == 0 || s.seen[v] == 1 || s.seen[v] == 2 {
			continue
		}
		// What is implied goes back to its level's decision, unless something
		// of the clause lies between: in no other level, and not before it.
		if st := s.stamp[s.level[v]]; st.no != s.stampNo || s.place[v] < st.first ||
			s.seen[v] == 3 || s.why[v].kind == rNone || depth >= maxDepth || !s.redundant(q, depth+1) {
			good = false
			break
		}
	}
	s.scratch = s.scratch[:from]
	v := int32(l >> 1)
	if s.seen[v] != 1 {
		s.seen[v] = 3
		if good {
			s.seen[v] = 2
		}
		s.toClear = append(s.toClear, v)
	}
	return good
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

// analyseFinal collects in failed the assumptions that make p false.
func (s *Solver) analyseFinal(p Lit) {
	s.failed = append(s.failed[:0], p)
	if s.level[p>>1] == 0 {
		return
	}
	s.seen[p>>1] = 1
	for i := len(s.trail) - 1; i >= int(s.lim[0]); i-- {
		l := s.trail[i]
		v := int32(l >> 1)
		if s.seen[v] == 0 {
			continue
		}
		s.seen[v] = 0
		if s.why[v].kind == rNone {
			if l != p {
				s.failed = append(s.failed, l)
			}
			continue
		}
		s.scratch = s.explain(s.scratch[:0], v)
		for _, q := range s.scratch {
			if s.level[q>>1] > 0 {
				s.seen[q>>1] = 1
			}
		}
	}
	s.seen[p>>1] = 0
}

// ErrLimit says that a search ended because of SetLimit.
var ErrLimit = errors.New("path: the search reached its limit of conflicts")

// SetLimit ends every further search after so many conflicts with ErrLimit;
// what was learned stays, so that the search can be taken up again. A negative
// number, as at first, is no limit.
func (s *Solver) SetLimit(conflicts int64) { s.limit = conflicts }

// Solve searches for an assignment that meets all clauses, the graph and the
// propagators, with the assumptions true. The status is Unknown exactly when
// the context ended first, and the error is then the context's, or when the
// limit was reached: ErrLimit.
func (s *Solver) Solve(ctx context.Context, assumptions ...Lit) (Status, error) {
	st, err := s.search(ctx, assumptions, func() []Lit { return nil })
	return st, err
}

// Each finds one assignment after another. For each it calls visit, which may
// use Value, and which returns a clause that the assignment breaks and that
// every further one must meet (usually the negations of what makes this
// answer this one); nil stops. The clauses stay. The status is Sat when visit
// stopped, Unsat when all have been visited.
func (s *Solver) Each(ctx context.Context, visit func() []Lit, assumptions ...Lit) (Status, error) {
	return s.search(ctx, assumptions, visit)
}

// Value tells whether l is true in the assignment found last; see SetEnough for
// variables that it leaves open.
func (s *Solver) Value(l Lit) bool { return s.model[l] == 1 }

// Failed lists assumptions that cannot be met together; it is empty when
// there is no answer even without any. It is valid after Unsat.
func (s *Solver) Failed() []Lit { return s.failed }

// The context is looked at every tickSteps decisions or conflicts, OnReport's
// function is called every reportSteps: a step takes from one microsecond to a
// fifth of a millisecond, on a panel of The Witness with 5,000 variables.
const (
	tickSteps   = 16
	reportSteps = 256
)

func (s *Solver) search(ctx context.Context, assumptions []Lit, visit func() []Lit) (Status, error) {
	s.failed = s.failed[:0]
	if err := ctx.Err(); err != nil {
		return Unknown, err
	}
	s.backTo(0)
	defer func() { s.backTo(0) }()
	s.pend, s.pendAt = s.pend[:0], 0
	s.assumed = assumptions
	if s.graph != nil && !s.graph.ready && s.ok {
		s.ok = s.graph.prepare()
	}
	for len(s.stamp) < len(s.level)+1 {
		s.stamp = append(s.stamp, stamp{})
	}
	if !s.ok {
		return Unsat, nil
	}
	s.sinceStart = 0
	left := s.limit
	for {
		if !s.propagate() {
			s.stats.Conflicts++
			s.sinceStart++
			level, lbd, ok := s.analyse()
			if !ok {
				s.ok = false
				return Unsat, nil
			}
			s.backTo(level)
			s.learn(lbd)
			s.inc *= 1 / 0.95
			s.fast += (float64(lbd) - s.fast) / 32
			s.slow += (float64(lbd) - s.slow) / 4096
			if s.stats.Conflicts < 4096 { // a plain mean until there is enough to go by
				s.slow += (float64(lbd) - s.slow) / float64(s.stats.Conflicts)
			}
			if s.tick(ctx) {
				return Unknown, ctx.Err()
			}
			if left--; left == 0 {
				return Unknown, ErrLimit
			}
			continue
		}
		if s.sinceStart > 20 && s.fast > 1.2*s.slow && len(s.lim) > len(assumptions) {
			s.sinceStart = 0
			s.fast = s.slow
			s.stats.Restarts++
			s.backTo(0)
			continue
		}
		if int64(len(s.learned)) > s.nextReduce {
			s.reduce()
		}
		l := None
		for len(s.lim) < len(assumptions) {
			a := assumptions[len(s.lim)]
			if s.val[a] == 1 {
				s.push() // an empty level, so that levels and assumptions agree
				continue
			}
			if s.val[a] == -1 {
				s.analyseFinal(a)
				return Unsat, nil
			}
			l = a
			break
		}
		if l == None && !s.enough() {
			l = s.decide()
		}
		if l == None {
			n := len(s.trail)
			for _, p := range s.props {
				p.Final(&s.hook)
				if s.pendAt < len(s.pend) || len(s.trail) != n {
					break
				}
			}
			if s.pendAt < len(s.pend) || len(s.trail) != n {
				continue
			}
			s.model = append(s.model[:0], s.val...)
			block := visit()
			if block == nil {
				return Sat, nil
			}
			if s.tick(ctx) {
				return Unknown, ctx.Err()
			}
			for _, q := range block {
				if s.val[q] != -1 {
					panic("path: Each's visit returned a clause that the answer meets")
				}
			}
			s.hook.add(true, block)
			continue
		}
		s.stats.Decisions++
		if s.tick(ctx) {
			return Unknown, ctx.Err()
		}
		s.push()
		s.enqueue(l, reason{})
	}
}

func (s *Solver) push() {
	s.lim = append(s.lim, int32(len(s.trail)))
	s.orderLv = append(s.orderLv, int32(s.orderAt))
	// Levels may outnumber variables where assumptions are repeated.
	if len(s.lim) >= len(s.stamp) {
		s.stamp = append(s.stamp, stamp{})
	}
}

func (s *Solver) tick(ctx context.Context) bool {
	s.steps++
	if s.steps%tickSteps != 0 {
		return false
	}
	if s.report != nil && s.steps%reportSteps == 0 {
		s.report()
	}
	return ctx.Err() != nil
}

func (s *Solver) decide() Lit {
	for s.orderAt < len(s.order) {
		l := s.order[s.orderAt]
		if s.val[l] == 0 {
			return s.phased(int32(l >> 1))
		}
		s.orderAt++
	}
	for len(s.heap) > 0 {
		v := s.heapPop()
		if s.val[2*v] == 0 {
			return s.phased(v)
		}
	}
	return None
}

// phased is a variable as it was last.
func (s *Solver) phased(v int32) Lit {
	if s.phase[v] {
		return Lit(2 * v)
	}
	return Lit(2*v + 1)
}

// reduce forgets the half of the learned clauses that reach over most levels;
// those that reach over two or fewer are kept.
func (s *Solver) reduce() {
	s.nextReduce += 300
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
		if s.arena[ref+hLBD] <= 2 || s.val[l] == 1 && s.why[l>>1] == (reason{rClause, ref}) {
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

func (s *Solver) bump(v int32) {
	if s.act[v] < 0 {
		return
	}
	s.act[v] += s.inc
	if s.act[v] > 1e100 {
		for i := range s.act {
			if s.act[i] > 0 {
				s.act[i] *= 1e-100
			}
		}
		s.inc *= 1e-100
	}
	if s.heapPos[v] >= 0 {
		s.heapUp(int(s.heapPos[v]))
	}
}

// The heap holds variables by falling activity, equal ones by number.
func (s *Solver) before(a, b int32) bool {
	return s.act[a] > s.act[b] || s.act[a] == s.act[b] && a < b
}

func (s *Solver) heapInsert(v int32) {
	s.heapPos[v] = int32(len(s.heap))
	s.heap = append(s.heap, v)
	s.heapUp(len(s.heap) - 1)
}

func (s *Solver) heapUp(i int) {
	v := s.heap[i]
	for i > 0 {
		p := (i - 1) / 2
		if !s.before(v, s.heap[p]) {
			break
		}
		s.heap[i] = s.heap[p]
		s.heapPos[s.heap[i]] = int32(i)
		i = p
	}
	s.heap[i] = v
	s.heapPos[v] = int32(i)
}

func (s *Solver) heapDown(i int) {
	v := s.heap[i]
	for {
		c := 2*i + 1
		if c >= len(s.heap) {
			break
		}
		if c+1 < len(s.heap) && s.before(s.heap[c+1], s.heap[c]) {
			c++
		}
		if !s.before(s.heap[c], v) {
			break
		}
		s.heap[i] = s.heap[c]
		s.heapPos[s.heap[i]] = int32(i)
		i = c
	}
	s.heap[i] = v
	s.heapPos[v] = int32(i)
}

func (s *Solver) heapPop() int32 {
	v := s.heap[0]
	s.heapPos[v] = -1
	last := s.heap[len(s.heap)-1]
	s.heap = s.heap[:len(s.heap)-1]
	if len(s.heap) > 0 {
		s.heap[0] = last
		s.heapDown(0)
	}
	return v
}
