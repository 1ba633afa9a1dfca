package path

import (
	"context"
	"errors"
)

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

// Settle draws what follows without a decision, for Fixed to tell; false when that
// there is no answer does. The error is the context's.
func (s *Solver) Settle(ctx context.Context) (bool, error) {
	if err := ctx.Err(); err != nil {
		return true, err
	}
	s.backTo(0)
	if !s.begin(ctx) {
		return true, ctx.Err()
	}
	s.ok = s.ok && s.propagate()
	if s.ended {
		return true, ctx.Err()
	}
	return s.ok, nil
}

// Value tells whether l is true in the assignment found last; see SetEnough for
// variables that it leaves open.
func (s *Solver) Value(l Lit) bool { return s.model[l] == 1 }

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

func (s *Solver) search(ctx context.Context, assumptions []Lit, visit func() []Lit) (Status, error) {
	s.failed = s.failed[:0]
	if err := ctx.Err(); err != nil {
		return Unknown, err
	}
	s.backTo(0)
	defer func() { s.backTo(0) }()
	if !s.begin(ctx) {
		return Unknown, ctx.Err()
	}
	if !s.ok {
		return Unsat, nil
	}
	left := s.limit
	for {
		calm := s.propagate()
		if s.ended {
			return Unknown, ctx.Err()
		}
		if !calm {
			if !s.resolve() {
				s.ok = false
				return Unsat, nil
			}
			if s.ended || s.tick(ctx) {
				return Unknown, ctx.Err()
			}
			if left--; left == 0 {
				return Unknown, ErrLimit
			}
			continue
		}
		if len(s.lim) > len(assumptions) && s.restarting() {
			s.restart()
			continue
		}
		if int64(len(s.learned)) > s.nextReduce {
			s.reduce()
		}
		l, ok := s.assume(assumptions)
		if !ok {
			return Unsat, nil
		}
		if l == None && !s.enough() {
			l = s.decide()
		}
		if l != None {
			s.stats.Decisions++
			if s.tick(ctx) {
				return Unknown, ctx.Err()
			}
			s.push()
			s.enqueue(l, reason{})
			continue
		}
		if !s.final() {
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
		s.block(block)
	}
}

// begin readies a search; it is false when the context ended meanwhile.
func (s *Solver) begin(ctx context.Context) bool {
	s.ctx, s.ended = ctx, false
	s.pend, s.pendAt = s.pend[:0], 0
	if !s.watchAll() {
		return false
	}
	if s.graph != nil && !s.graph.ready && s.ok {
		s.ok = s.graph.prepare()
	}
	for len(s.stamp) < len(s.level)+1 {
		s.stamp = append(s.stamp, stamp{})
	}
	s.sinceStart = 0
	return true
}

// resolve learns from the conflict in confl and goes back; it is false when
// there is no answer.
func (s *Solver) resolve() bool {
	s.stats.Conflicts++
	s.aim()
	level, lbd, ok := s.analyse()
	if !ok || s.ended {
		return ok
	}
	s.backTo(level)
	s.learn(lbd)
	s.scores.decay()
	s.average(lbd)
	return true
}

// final asks the propagators about a full assignment; it is false when one of
// them has added something.
func (s *Solver) final() bool {
	n := len(s.trail)
	for _, p := range s.props {
		p.Final(&s.hook)
		if s.pendAt < len(s.pend) || len(s.trail) != n {
			return false
		}
	}
	return true
}

// block adds the clause that keeps an assignment from being visited again.
func (s *Solver) block(clause []Lit) {
	for _, q := range clause {
		if s.val[q] != -1 {
			panic("path: Each's visit returned a clause that the answer meets")
		}
	}
	s.hook.add(true, clause)
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
