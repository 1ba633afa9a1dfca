package path

import (
	"context"
	"errors"
	"slices"
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
		if s.step != nil {
			s.step()
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

func (s *Solver) decide() Lit {
	for s.orderAt < len(s.order) {
		l := s.order[s.orderAt]
		if s.val[l] == 0 {
			return s.phased(int32(l >> 1))
		}
		s.orderAt++
	}
	for len(s.scores.heap) > 0 {
		v := s.scores.pop()
		if s.val[2*v] == 0 {
			return s.phased(v)
		}
	}
	return None
}

// phased is a variable as it was last, or in a stable search as in its target.
func (s *Solver) phased(v int32) Lit {
	on := s.phase[v]
	if t := &s.stable; t.on && int(v) < len(t.target) && t.target[v] != 0 {
		on = t.target[v] > 0
	}
	if on {
		return Lit(2 * v)
	}
	return Lit(2*v + 1)
}

// assume is the next assumption to decide, or None; ok is false when one of
// them is false, and failed then tells why.
func (s *Solver) assume(assumptions []Lit) (l Lit, ok bool) {
	for len(s.lim) < len(assumptions) {
		a := assumptions[len(s.lim)]
		switch s.val[a] {
		case 0:
			return a, true
		case -1:
			s.analyseFinal(a)
			return None, false
		}
		s.push() // an empty level, so that levels and assumptions agree
	}
	return None, true
}

// analyseFinal collects in failed the assumptions that make p false.
func (s *Solver) analyseFinal(p Lit) {
	s.failed = append(s.failed[:0], p)
	if s.level[p>>1] == 0 {
		return
	}
	s.seen[p>>1] = sClause
	for i := len(s.trail) - 1; i >= int(s.lim[0]); i-- {
		l := s.trail[i]
		v := int32(l >> 1)
		if s.seen[v] == sUnseen {
			continue
		}
		s.seen[v] = sUnseen
		if s.why[v].kind == rNone {
			if l != p {
				s.failed = append(s.failed, l)
			}
			continue
		}
		s.scratch = s.explain(s.scratch[:0], v)
		for _, q := range s.scratch {
			if s.level[q>>1] > 0 {
				s.seen[q>>1] = sClause
			}
		}
	}
	s.seen[p>>1] = sUnseen
}

// Failed lists assumptions that cannot be met together; it is empty when
// there is no answer even without any. It is valid after Unsat.
func (s *Solver) Failed() []Lit { return s.failed }

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
		if s.scores.pos[v] < 0 {
			s.scores.insert(v)
		}
	}
	s.trail = s.trail[:to]
	s.head = min(s.head, to)
	s.orderAt = int(s.orderLv[level])
	s.lim = s.lim[:level]
	s.orderLv = s.orderLv[:level]
}

// A search begins anew at the assumptions when what it has learned of late
// reaches over more levels than usual (A. Biere and A. Fröhlich, Evaluating
// CDCL Restart Schemes, 2015): when the mean LBD of about the last fastSpan
// clauses is restartMargin times that of the last slowSpan, but not before
// restartLeast conflicts. All are MiniSat's and CaDiCaL's orders of magnitude,
// and not tuned.
const (
	fastSpan      = 32
	slowSpan      = 4096
	restartMargin = 1.2
	restartLeast  = 20
)

// average takes a learned clause's LBD into the means.
func (s *Solver) average(lbd int) {
	s.sinceStart++
	s.fast += (float64(lbd) - s.fast) / fastSpan
	s.slow += (float64(lbd) - s.slow) / slowSpan
	if s.stats.Conflicts < slowSpan { // a plain mean until there is enough to go by
		s.slow += (float64(lbd) - s.slow) / float64(s.stats.Conflicts)
	}
}

func (s *Solver) restarting() bool {
	if s.stable.on {
		return s.stable.due(s.sinceStart)
	}
	return s.sinceStart > restartLeast && s.fast > restartMargin*s.slow
}

func (s *Solver) restart() {
	s.sinceStart = 0
	s.fast = s.slow
	s.stats.Restarts++
	s.backTo(0)
}

// A stable search keeps what went well: it begins anew seldom, after so many
// conflicts as the sequence of Luby says (M. Luby, A. Sinclair and D. Zuckerman,
// Optimal Speedup of Las Vegas Algorithms, 1993), and tries variables as they
// were in the largest assignment that met no conflict (A. Biere and M. Fleury,
// Chasing Target Phases, 2020). Which of the two ways of searching is the faster
// one differs from problem to problem by a factor of ten and more, on those that
// have answers above all; whoever does not know tries both in turn.
type stable struct {
	on     bool
	target []int8 // by variable: 1 true, -1 false, 0 it was open
	most   int    // assigned in target
	u, v   int64  // of Knuth's way to go through the sequence
	left   int64  // conflicts until the next beginning
}

// lubyUnit is what the numbers of Luby's sequence are multiplied by; MiniSat's
// is 100. It is not tuned.
const lubyUnit = 50

// SetStable makes further searches stable ones, or not; at first they are not.
func (s *Solver) SetStable(on bool) {
	s.stable.on = on
	s.stable.forget()
	s.stable.u, s.stable.v, s.stable.left = 1, 1, lubyUnit
}

// forget forgets the target.
func (t *stable) forget() {
	t.most = 0
	clear(t.target)
}

// aim makes the assignment before the last decision the target where it is the
// largest yet. It is asked at a conflict.
func (s *Solver) aim() {
	t := &s.stable
	if !t.on || len(s.lim) == 0 {
		return
	}
	n := int(s.lim[len(s.lim)-1])
	if n <= t.most {
		return
	}
	for len(t.target) < len(s.level) {
		t.target = append(t.target, 0)
	}
	t.most = n
	for _, l := range s.trail[:n] {
		t.target[l>>1] = 1 - 2*int8(l&1)
	}
}

// due tells whether it is time to begin anew.
func (t *stable) due(conflicts int64) bool {
	if conflicts < t.left {
		return false
	}
	if t.u&-t.u == t.v {
		t.u, t.v = t.u+1, 1
	} else {
		t.v *= 2
	}
	t.left = t.v * lubyUnit
	return true
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
