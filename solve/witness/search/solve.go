package search

import (
	"context"
	"errors"
	"fmt"
	"image"
	"iter"
	"runtime"
	"slices"

	"onlooker/solve"
	"onlooker/solve/limits"
	"onlooker/solve/path"
	"onlooker/solve/witness/board"
)

// A Solver answers panels.
type Solver struct {
	Rows Table
	Last Referee
}

// A search is one panel being solved.
type search struct {
	Solver
	p *board.Panel
	s *path.Solver
	l *layout
	m *model
	r *regions
}

// newSearch states the panel. ctx ends what the search cannot interrupt
// itself: judging a region.
func (s Solver) newSearch(ctx context.Context, p *board.Panel) (*search, error) {
	q, err := s.newUnstated(ctx, p)
	if err != nil {
		return nil, err
	}
	return q, q.state(ctx)
}

// newUnstated is a search that has no clauses yet but those of the layout.
func (s Solver) newUnstated(ctx context.Context, p *board.Panel) (*search, error) {
	if err := p.Valid(); err != nil {
		return nil, err
	}
	if err := s.Rows.known(p); err != nil {
		return nil, err
	}
	q := &search{Solver: s, p: p, s: path.New()}
	err := q.s.Build(ctx, func() {
		q.l = newLayout(p, q.s)
		q.m = newModel(q.l, q.s, s.Rows, s.Last)
		q.m.ctx = ctx
	})
	if err != nil {
		return nil, err
	}
	return q, nil
}

// ofLabel is how much memory a search takes at least for each variable of its labels,
// with its clauses: 690 to 1,080 were measured on panels of 40×40 cells with stars,
// pieces or everything anywhere.
const ofLabel = 690

// state adds what the symbols ask of the line.
func (q *search) state(ctx context.Context) error {
	if err := limits.Room(ctx, ofLabel*int64(q.m.labelCells())); err != nil {
		return err
	}
	err := q.s.Build(ctx, func() {
		if q.l.tight {
			q.l.addSides(q.s)
		}
		q.m.state()
		q.r = newRegions(q.l, q.m)
	})
	if err != nil {
		return err
	}
	q.r.attach(q.s)
	q.s.SetEnough(slices.Concat(q.l.edgeLits, q.l.start, q.l.end), q.accepts)
	return nil
}

// each calls visit for every line that answers the panel, and is right by what is
// asked beside, until it returns false; true when all were visited.
func (q *search) each(ctx context.Context, visit func() bool) (bool, error) {
	status, err := q.s.Each(ctx, func() []path.Lit {
		if q.m.ctx.Err() != nil || !visit() {
			return nil
		}
		not := q.m.unless()
		for _, list := range [][]path.Lit{q.l.edgeLits, q.l.start, q.l.end} {
			for _, x := range list {
				if q.s.Value(x) {
					not = append(not, x.Not())
				}
			}
		}
		return not
	}, q.m.assumed()...)
	if err == nil {
		// A region that was not judged to the end counts as right.
		err = q.m.ctx.Err()
	}
	return status == path.Unsat, err
}

// answers are the strokes of the line found: on a symmetric panel it may be
// drawn from either of two starts.
func (q *search) answers() []solve.Solution { return q.l.answers(q.s.Value) }

func (l *layout) answers(value func(path.Lit) bool) []solve.Solution {
	var all []solve.Solution
	for k, at := range l.startAt {
		if value(l.start[k]) && !(l.onward[k] && l.halts(at, value)) {
			all = append(all, solve.Solution{l.stroke(at, l.onward[k], value)})
		}
	}
	return all
}

// certified is the first of the answers that a search came back with. No
// search asks Check: it has the last word here, and what it refuses is a
// mistake of the search. An answer that was found in time is looked at after it too.
func (q *search) certified(ctx context.Context, found []solve.Solution) (solve.Solution, error) {
	err := q.Last.Check(limits.WithGrace(ctx), q.p, found[0])
	switch {
	case errors.As(err, new(*solve.RuleError)):
		return nil, fmt.Errorf("internal error: the answer %v found for the panel fails its check: %w", found[0], err)
	case err != nil:
		return nil, err
	}
	return found[0], nil
}

// preferred is an answer that is as wished, see everywhere, where q, which found the first
// or has not begun to search, finds one soon.
func (q *search) preferred(ctx context.Context, found []solve.Solution) (solve.Solution, error) {
	a, err := q.certified(ctx, found)
	if err != nil {
		return nil, err
	}
	return q.everywhere(ctx, a)
}

// Solve returns an answer that Check accepts, one that is as wished where that can be
// had soon, see everywhere, or solve.ErrUnsolvable when it is proved that there is none.
// It gives the same answer in every run.
func (s Solver) Solve(ctx context.Context, p *board.Panel) (solve.Solution, error) {
	return s.SolveProgress(ctx, p, nil)
}

// SolveProgress is Solve and tells how far it has come: see path.Meter. report is
// called by one goroutine at a time, perhaps not the caller's.
func (s Solver) SolveProgress(ctx context.Context, p *board.Panel, report func(done, estimate float64)) (solve.Solution, error) {
	return s.solve(ctx, p, path.NewMeter(report), effort{walk: walkFirst, workers: min(mostWorkers, runtime.GOMAXPROCS(0))})
}

// An effort is how a panel is solved; the answer is the same for any number of
// workers.
type effort struct {
	walk    int // its work; 0: none
	workers int // turns of searches that run side by side
}

// walkFirst is the work of a walk before anything is searched: about what writing
// down the clauses of a panel of 5×5 cells takes. Of the panels of the corpora with
// up to 20 cells nine in ten are decided by then, of 5×5 and 6×6 more than half.
const walkFirst = 6000

// mostWorkers is how many turns run side by side. The machines that this was
// measured on have two cores.
const mostWorkers = 2

func (s Solver) solve(ctx context.Context, p *board.Panel, meter *path.Meter, e effort) (solve.Solution, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	searching, stop := context.WithCancel(ctx)
	defer stop()
	q, err := s.newUnstated(searching, p)
	if err != nil {
		return nil, err
	}
	if q.m.free() {
		on := q.l.shortest()
		if on == nil {
			return nil, solve.ErrUnsolvable
		}
		return q.preferred(ctx, q.l.answers(func(x path.Lit) bool { return on[x] }))
	}
	if e.walk > 0 && q.m.walkable() {
		w := newWalk(q.m, q.s.Vars())
		switch found, ended := w.run(ctx, e.walk); {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case found:
			return q.preferred(ctx, q.l.answers(w.value))
		case ended:
			return nil, solve.ErrUnsolvable
		}
	}
	if err := q.state(searching); err != nil {
		return nil, err
	}
	o := newPortfolio(q, meter).run(searching, stop, e.workers)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case o.err != nil:
		return nil, o.err
	case o.none:
		return nil, solve.ErrUnsolvable
	}
	return o.by.preferred(ctx, o.found)
}

// walkTraced is how much work of a walk is looked on: beyond it clauses decide sooner.
const walkTraced = 50 * walkFirst

// Traced is a walk, and then a search by clauses, that tell of each step what is drawn.
func (s Solver) Traced(ctx context.Context, p *board.Panel, step func(drawn func() solve.Solution)) (solve.Solution, error) {
	q, err := s.newUnstated(ctx, p)
	if err != nil {
		return nil, err
	}
	if q.m.walkable() {
		w := newWalk(q.m, q.s.Vars())
		for w.work < walkTraced {
			found, ended := w.run(ctx, 1)
			step(func() solve.Solution { return q.l.drawn(w.value) })
			switch {
			case ctx.Err() != nil:
				return nil, ctx.Err()
			case found:
				return q.certified(ctx, q.l.answers(w.value))
			case ended:
				return nil, solve.ErrUnsolvable
			}
		}
	}
	if err := q.state(ctx); err != nil {
		return nil, err
	}
	q.s.OnStep(func() { step(func() solve.Solution { return q.l.drawn(q.s.Assigned) }) })
	var found []solve.Solution
	none, err := q.each(ctx, func() bool {
		found = q.answers()
		return false
	})
	switch {
	case err != nil:
		return nil, err
	case none:
		return nil, solve.ErrUnsolvable
	}
	return q.certified(ctx, found)
}

// drawn are the edges that are on.
func (l *layout) drawn(on func(path.Lit) bool) (all solve.Solution) {
	for i, ways := range l.seg {
		at := image.Pt(i%l.width, i/l.width)
		for d, lit := range ways {
			if lit != none && on(lit) {
				all = append(all, solve.Stroke{at, at.Add(dirs[d])})
			}
		}
	}
	return all
}

// mostTurns tells the slices of different turns apart: there are never so many.
const mostTurns = 1 << 32

// turn searches for so many conflicts, slice by slice. none says that there is no
// answer.
func (q *search) turn(ctx context.Context, tick func(), w way, round int, share int64) (found []solve.Solution, none bool, err error) {
	slice := share
	if w.slice > 0 && len(q.m.laid) > 0 {
		slice = w.slice
	}
	for n := 0; share > 0 && ctx.Err() == nil; n++ {
		if n > 0 {
			q.afresh(w, uint64(round+n*mostTurns))
		}
		most := min(slice, share)
		before := q.s.Stats().Conflicts
		some, cancel := context.WithCancel(ctx)
		q.s.OnReport(func() {
			if q.s.Stats().Conflicts > before+most {
				cancel()
			}
			tick()
		})
		none, err = q.each(some, func() bool {
			found = q.answers()
			return false
		})
		cancel()
		if len(found) > 0 || err == nil && none {
			break
		}
		// The solver reports now and then only, so that it may be more than that.
		share -= max(1, q.s.Stats().Conflicts-before)
	}
	return found, none, err
}

// All yields every answer once; on a symmetric panel a line drawn from the
// other start is another answer.
func (s Solver) All(ctx context.Context, p *board.Panel) iter.Seq2[solve.Solution, error] {
	return func(yield func(solve.Solution, error) bool) {
		q, err := s.newSearch(ctx, p)
		if err != nil {
			yield(nil, err)
			return
		}
		stopped := false
		_, err = q.each(ctx, func() bool {
			for _, a := range q.answers() {
				a, err := q.certified(ctx, []solve.Solution{a})
				if !yield(a, err) || err != nil {
					stopped = true
					return false
				}
			}
			return true
		})
		if err != nil && !stopped {
			yield(nil, err)
		}
	}
}

// Count counts the answers that All yields, up to limit (none if it is 0 or
// less).
func (s Solver) Count(ctx context.Context, p *board.Panel, limit int) (int, error) {
	n := 0
	for _, err := range s.All(ctx, p) {
		if err != nil {
			return n, err
		}
		if n++; n == limit {
			break
		}
	}
	return n, nil
}
