package witness

import (
	"context"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"

	"onlooker/solve"
	"onlooker/solve/path"
)

// A search is one panel being solved.
type search struct {
	p *Panel
	s *path.Solver
	l *layout
	m *model
	r *regions
}

// newSearch states the panel. ctx ends what the search cannot interrupt
// itself: judging a region.
func (p *Panel) newSearch(ctx context.Context) (*search, error) {
	q, err := p.newUnstated(ctx)
	if err != nil {
		return nil, err
	}
	return q, q.state(ctx)
}

// newUnstated is a search that has no clauses yet but those of the layout.
func (p *Panel) newUnstated(ctx context.Context) (*search, error) {
	if err := p.Valid(); err != nil {
		return nil, err
	}
	q := &search{p: p, s: path.New()}
	err := q.s.Build(ctx, func() {
		q.l = newLayout(p, q.s)
		q.m = newModel(q.l, q.s)
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
	if err := solve.Room(ctx, ofLabel*int64(q.m.labelCells())); err != nil {
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
// mistake of the search.
func (p *Panel) certified(ctx context.Context, found []solve.Solution) (solve.Solution, error) {
	if err := p.Check(ctx, found[0]); err != nil {
		return nil, fmt.Errorf("internal error: the answer %v found for the panel fails its check: %w", found[0], err)
	}
	return found[0], nil
}

// preferred is an answer that holds by more rule sets than the first one found,
// where q, which found that or has not begun to search, finds one soon.
func (p *Panel) preferred(ctx context.Context, q *search, found []solve.Solution) (solve.Solution, error) {
	a, err := p.certified(ctx, found)
	if err != nil {
		return nil, err
	}
	return p.everywhere(ctx, q, a)
}

// Solve returns an answer that Check accepts, by other rule sets too where that
// can be had, or solve.ErrUnsolvable when it
// is proved that there is none. It gives the same answer in every run.
func (p *Panel) Solve(ctx context.Context) (solve.Solution, error) {
	return p.SolveProgress(ctx, nil)
}

// A way is how a search begins: what it tries first.
type way struct {
	// begin says so to the search. In the first turn chance has no part in it, and
	// rng is nil; in later ones it moves what is tried first.
	begin func(q *search, rng *rand.Rand)
	slice int64 // it begins afresh after so many conflicts; 0: only with a turn
}

// ways are tried in turn, since the time that one of them takes for a panel
// says little of what another takes: each alone leaves more of the hard panels
// open than all together.
func ways() []way {
	labels := func(q *search, f func(path.Lit)) {
		for k := range q.m.labels {
			for _, x := range q.m.labels[k].in {
				f(x)
			}
		}
	}
	pieces := func(q *search) {
		for i := range q.m.laid {
			q.s.SetPhase(q.m.laid[i].lit)
		}
	}
	early := func(q *search) func(path.Lit) {
		return func(x path.Lit) { q.s.SetActivity(x, labelsFirst) }
	}
	return []way{
		{begin: func(q *search, rng *rand.Rand) { // pieces before the line, near where they stand, and that as short as may be
			pieces(q)
			q.near(rng)
		}, slice: nearSlice},
		{begin: func(q *search, rng *rand.Rand) { // what belongs together, and as much as may be
			pieces(q)
			labels(q, q.s.SetPhase)
			labels(q, early(q))
			q.erased(rng)
		}},
		{begin: func(q *search, rng *rand.Rand) { // what belongs together, and a long line
			labels(q, early(q))
			for _, x := range q.l.edgeLits {
				q.s.SetPhase(x)
			}
			q.erased(rng)
		}},
	}
}

// What a search decides first is below what one conflict adds to a variable, 1, so
// that it gives way to what is learned.
const (
	labelsFirst = 0.5
	linesFirst  = 0.3 // at most, by chance
	nearFirst   = 0.6 // a piece where it stands
	farFirst    = 0.1 // a piece at the other end of the panel
	nearChance  = 0.2 // how far chance moves the two

	erasedFirst  = 0.85 // whether a symbol is erased
	erasedChance = 0.3
)

// severalErasers is from how many erasers on a search asks early what is erased. Of the
// panels of the corpora that take 60 conflicts and more, the mean by factors is 1.00 of
// the conflicts that they take otherwise with one eraser (96 panels), 0.95 with two
// (46), 0.91 with three or four (46) and 0.86 with more (44); and where pieces are laid
// first, it is no less than 1 for all of them together.
const severalErasers = 2

// erased makes the search decide early what is erased, and try first that it is not.
func (q *search) erased(rng *rand.Rand) {
	if q.m.erasers < severalErasers {
		return
	}
	early := func(x path.Lit) {
		first := erasedFirst
		if rng != nil {
			first += erasedChance * (rng.Float64() - 0.5)
		}
		if x != none {
			q.s.SetActivity(x, first)
		}
	}
	for i := range q.m.items {
		early(q.m.items[i].gone)
	}
	for i := range q.m.marks {
		early(q.m.marks[i].gone)
	}
}

// near makes the search lay pieces first where they stand, then farther and
// farther from there: whoever made the panel put each piece into its region. Of
// the eight 10×10 panels with pieces in BenchmarkGrowth seven take from a half to
// a five-hundredth of the time that they take with places in reading order.
func (q *search) near(rng *rand.Rand) {
	m := q.m
	farthest := float64(m.p.Cols + m.p.Rows)
	for i := range m.laid {
		at := m.laid[i].cells
		least := farthest
		for _, it := range m.groups[m.laid[i].group].pieces {
			for _, c := range at {
				d := m.tiles.cell[c].Sub(m.tiles.cell[it.cell])
				least = min(least, math.Hypot(float64(d.X), float64(d.Y)))
			}
		}
		first := nearFirst - (nearFirst-farFirst)*least/farthest
		if rng != nil {
			first += nearChance * (rng.Float64() - 0.5)
		}
		q.s.SetActivity(m.laid[i].lit, first)
	}
}

// nearSlice is after how many conflicts pieces are laid anew near where they stand,
// on panels that have any: it is soon seen whether that goes well. Of twenty 12×12
// panels with pieces (BenchmarkGrowth) this way alone solves 16 within 5,000
// conflicts with slices of 60, 17 with 30, 14 with 150, and 5 of the first twelve
// with 1,000.
const nearSlice = 60

// afresh begins another turn of a way, with what was learned in earlier ones but
// with the line's edges in another order: how long a way takes for a panel that
// has answers depends on that by a factor of 100 and more.
func (q *search) afresh(w way, turn uint64) {
	q.s.Renew()
	rng := rand.New(rand.NewPCG(turn, 1))
	for _, x := range q.l.edgeLits {
		q.s.SetActivity(x, linesFirst*rng.Float64())
	}
	w.begin(q, rng)
}

// SolveProgress is Solve and tells how far it has come: see path.Meter. report is
// called by one goroutine at a time, perhaps not the caller's.
func (p *Panel) SolveProgress(ctx context.Context, report func(done, estimate float64)) (solve.Solution, error) {
	return p.solve(ctx, path.NewMeter(report), effort{walk: walkFirst, workers: min(mostWorkers, runtime.GOMAXPROCS(0))})
}

// Effort counts the conflicts of a search that takes its turns one after the
// other, and walks nowhere.
func (p *Panel) Effort(ctx context.Context) (int, string, error) {
	meter := &path.Meter{Report: func(float64, float64) {}}
	_, err := p.solve(ctx, meter, effort{workers: 1})
	return int(meter.Conflicts()), "conflicts", err
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

func (p *Panel) solve(ctx context.Context, meter *path.Meter, e effort) (solve.Solution, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	searching, stop := context.WithCancel(ctx)
	defer stop()
	q, err := p.newUnstated(searching)
	if err != nil {
		return nil, err
	}
	if q.m.free() {
		on := q.l.shortest()
		if on == nil {
			return nil, solve.ErrUnsolvable
		}
		return p.preferred(ctx, q, q.l.answers(func(x path.Lit) bool { return on[x] }))
	}
	var w *walk
	if e.walk > 0 && q.m.walkable() {
		w = newWalk(q.m, q.s.Vars())
		switch found, ended := w.run(ctx, e.walk); {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case found:
			return p.preferred(ctx, q, q.l.answers(w.value))
		case ended:
			return nil, solve.ErrUnsolvable
		}
	}
	if err := q.state(searching); err != nil {
		return nil, err
	}
	o := newPortfolio(p, q, w, meter).run(searching, stop, e.workers)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case o.err != nil:
		return nil, o.err
	case o.none:
		return nil, solve.ErrUnsolvable
	}
	if o.by == nil {
		if o.by, err = p.newUnstated(ctx); err != nil {
			return nil, err
		}
	}
	return p.preferred(ctx, o.by, o.found)
}

// mostTurns tells the slices of different turns apart: there are never so many.
const mostTurns = 1 << 32

// turn searches for so many conflicts, slice by slice. none says that there is no
// answer.
func (q *search) turn(ctx context.Context, meter *path.Meter, w way, round int, share int64) (found []solve.Solution, none bool, err error) {
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
			meter.Tick(q.s)
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
func (p *Panel) All(ctx context.Context) iter.Seq2[solve.Solution, error] {
	return func(yield func(solve.Solution, error) bool) {
		q, err := p.newSearch(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		stopped := false
		_, err = q.each(ctx, func() bool {
			for _, a := range q.answers() {
				a, err := p.certified(ctx, []solve.Solution{a})
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
func (p *Panel) Count(ctx context.Context, limit int) (int, error) {
	n := 0
	for _, err := range p.All(ctx) {
		if err != nil {
			return n, err
		}
		if n++; n == limit {
			break
		}
	}
	return n, nil
}
