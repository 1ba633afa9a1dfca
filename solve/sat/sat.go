// Package sat states constraints in propositional logic and solves them with
// gini: clauses, cardinalities, and paths in a graph. It is the only
// importer of gini.
//
// A Solver is made with New, grown with Var and the constraint methods, and
// asked with Solve. Constraints may be added between calls of Solve; what was
// learned is kept. A Solver is not safe for use by several goroutines.
//
// Cardinalities are sequential counters (Sinz, "Towards an Optimal CNF
// Encoding of Boolean Cardinality Constraints", CP 2005), or plain clauses
// where those are fewer.
package sat

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"

	"onlooker/solve/limits"
)

// A Lit is a variable (1, 2, …) or its negation (-1, -2, …), as in DIMACS.
// Zero is no literal.
type Lit int32

// Not is the negation.
func (l Lit) Not() Lit { return -l }

// ErrUnknown says that the engine gave up without an answer or a proof.
var ErrUnknown = errors.New("sat: engine stopped without a verdict")

// A Solver holds constraints and, after Solve, a model.
type Solver struct {
	g      *gini.Gini
	vars   Lit
	model  []bool // by variable, of the last successful Solve
	failed []Lit
	empty  bool         // there is no model: an empty clause was added, or it was proved
	stated limits.Meter // what Build heeds
}

// New returns a Solver without variables or constraints.
func New() *Solver { return &Solver{g: gini.New(), model: make([]bool, 1)} }

// Build calls state, which adds variables and constraints, and leaves it with
// the context's error when that ends: the Solver is of no use then.
func (s *Solver) Build(ctx context.Context, state func()) error { return s.stated.Run(ctx, state) }

// Var makes a new variable and returns its positive literal.
func (s *Solver) Var() Lit {
	s.stated.Add(1)
	s.g.Lit()
	s.vars++
	return s.vars
}

// Vars makes n new variables.
func (s *Solver) Vars(n int) []Lit {
	v := make([]Lit, n)
	for i := range v {
		v[i] = s.Var()
	}
	return v
}

// lit is gini's name of a literal.
func lit(l Lit) z.Lit {
	if l < 0 {
		return z.Var(-l).Neg()
	}
	return z.Var(l).Pos()
}

// Add adds a clause: at least one of the literals is true. It panics for a
// literal whose variable Var has not made: gini would invent it, and a later
// question for its value would be out of range.
func (s *Solver) Add(lits ...Lit) {
	s.stated.Add(len(lits))
	for _, l := range lits {
		if l == 0 || l > s.vars || -l > s.vars {
			panic("sat: literal of an unknown variable")
		}
	}
	if len(lits) == 0 {
		s.empty = true
		return
	}
	for _, l := range lits {
		s.g.Add(lit(l))
	}
	s.g.Add(z.LitNull)
}

// Implies adds: when a is true, one of the others is.
func (s *Solver) Implies(a Lit, then ...Lit) {
	s.Add(append([]Lit{-a}, then...)...)
}

// AtMost adds: no more than k of the literals are true. Given conditions bind
// it: it need hold only when all of them are true.
func (s *Solver) AtMost(k int, lits []Lit, when ...Lit) {
	n := len(lits)
	not := make([]Lit, len(when), len(when)+3)
	for i, w := range when {
		not[i] = -w
	}
	not = not[:len(not):len(not)]
	switch {
	case k >= n:
		return
	case k < 0:
		s.Add(not...)
		return
	case k == 0:
		for _, l := range lits {
			s.Add(append(not, -l)...)
		}
		return
	case binomialAtMost(n, k+1, 40):
		// Plain clauses: every k+1 of them are not all true. Up to 40 they are
		// fewer than the counter's and need no variables.
		pick := make([]int, k+1)
		var rec func(i, from int)
		rec = func(i, from int) {
			if i == k+1 {
				c := not
				for _, p := range pick {
					c = append(c, -lits[p])
				}
				s.Add(c...)
				return
			}
			for j := from; j < n; j++ {
				pick[i] = j
				rec(i+1, j+1)
			}
		}
		rec(0, 0)
		return
	}
	// reg[j]: at least j+1 of the literals so far are true.
	var prev []Lit
	for i, l := range lits {
		if len(prev) == k {
			s.Add(append(not, -l, -prev[k-1])...)
		}
		if i == n-1 {
			break
		}
		cur := s.Vars(min(i+1, k))
		s.Add(-l, cur[0])
		for j := range cur {
			if j < len(prev) {
				s.Add(-prev[j], cur[j])
				if j+1 < len(cur) {
					s.Add(-l, -prev[j], cur[j+1])
				}
			}
		}
		prev = cur
	}
}

// AtLeast adds: at least k of the literals are true (when all conditions are).
func (s *Solver) AtLeast(k int, lits []Lit, when ...Lit) {
	if k == 1 {
		c := make([]Lit, 0, len(lits)+len(when))
		for _, w := range when {
			c = append(c, -w)
		}
		s.Add(append(c, lits...)...)
		return
	}
	if k <= 0 {
		return
	}
	neg := make([]Lit, len(lits))
	for i, l := range lits {
		neg[i] = -l
	}
	s.AtMost(len(lits)-k, neg, when...)
}

// Exactly adds: k of the literals are true (when all conditions are).
func (s *Solver) Exactly(k int, lits []Lit, when ...Lit) {
	s.AtMost(k, lits, when...)
	s.AtLeast(k, lits, when...)
}

// binomialAtMost tells whether n over k is at most limit.
func binomialAtMost(n, k, limit int) bool {
	b := 1
	for i := range k {
		if b = b * (n - i) / (i + 1); b > limit {
			return false
		}
	}
	return true
}

// Solve looks for a model in which all assumptions are true. It returns true
// and keeps the model for Value, or false when there is none (Failed then names
// assumptions that suffice for that), or the context's error. The search is the
// same in every run, however long it takes.
func (s *Solver) Solve(ctx context.Context, assume ...Lit) (bool, error) {
	s.failed = nil
	if err := ctx.Err(); err != nil {
		return false, err
	}
	if s.empty {
		return false, nil
	}
	for _, l := range assume {
		s.g.Assume(lit(l))
	}
	// Try's deadline stays set in gini and silently ends later calls, and
	// cutting the search in slices of time would make the answer depend on the
	// clock. So the search runs in the background and is stopped from here.
	run := s.g.GoSolve()
	res, done := run.Test()
	for wait := time.Microsecond; !done; res, done = run.Test() {
		if ctx.Err() != nil {
			run.Stop()
			return false, ctx.Err()
		}
		if wait < 64*time.Microsecond {
			runtime.Gosched()
		} else {
			time.Sleep(wait)
		}
		// 2 ms: far below the 50 ms in which a cancelled search must end.
		wait = min(wait+wait/8+1, 2*time.Millisecond)
	}
	switch res {
	case 1:
		for len(s.model) <= int(s.vars) {
			s.model = append(s.model, false)
		}
		for v := Lit(1); v <= s.vars; v++ {
			s.model[v] = s.g.Value(lit(v))
		}
		return true, nil
	case -1:
		for _, m := range s.g.Why(nil) {
			l := Lit(m.Var())
			if !m.IsPos() {
				l = -l
			}
			s.failed = append(s.failed, l)
		}
		if len(s.failed) == 0 {
			// For good. gini must not be asked again: it forgets a conflict
			// among its fixed literals, and ends the process over a wrong model.
			s.empty = true
		} else {
			// Adding a clause, here an idle one, makes gini drop the conflict.
			// Otherwise its next search learns from it first, and goes wrong in
			// the way above if that leads to a conflict among fixed literals.
			s.g.Add(lit(1))
			s.g.Add(lit(-1))
			s.g.Add(z.LitNull)
		}
		return false, nil
	}
	return false, ErrUnknown
}

// Value is a literal's value in the model found by the last Solve.
func (s *Solver) Value(l Lit) bool {
	if l < 0 {
		return !s.model[-l]
	}
	return s.model[l]
}

// Failed lists assumptions of the last Solve, if that found no model, that
// cannot hold together. It need not be the smallest such set.
func (s *Solver) Failed() []Lit { return s.failed }
