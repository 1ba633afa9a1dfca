package search

import (
	"context"
	"errors"
	"math"
	rand "math/rand/v2"
	"sync/atomic"

	"onlooker/solve"
	"onlooker/solve/limits"
	"onlooker/solve/path"
)

// A portfolio is searches of one panel, one for each way to begin, which take
// turns; turns are numbered, and belong to the ways one after the other. Two may
// run side by side. What a turn finds depends on the earlier turns of its own
// search alone, and what counts is the first turn that decides the panel, not the
// first to end: so the answer does not depend on how many run at a time.
type portfolio struct {
	meter    *path.Meter
	ways     []way
	searches []*search // by way
	crowded  []bool    // by way: there is no memory for its search
	full     bool      // no reason yet not to go through tilings
	worked   atomic.Int32
	hard     chan struct{} // has a value when enough work was done that others should help
}

// newPortfolio takes over a search that is stated, for the first way.
func newPortfolio(q *search, meter *path.Meter) *portfolio {
	f := &portfolio{meter: meter, ways: ways(), full: true, hard: make(chan struct{}, 1)}
	f.searches, f.crowded = make([]*search, len(f.ways)), make([]bool, len(f.ways))
	f.begin(0, q)
	return f
}

// begin readies a search for a way.
func (f *portfolio) begin(way int, q *search) {
	f.ways[way].begin(q, nil)
	f.searches[way] = q
	f.meter.Add(q.s)
}

// An outcome is what came of a turn: answers to choose from, or that there are
// none; or neither.
type outcome struct {
	found []solve.Solution
	by    *search // that found them
	none  bool
	err   error
	fault any // what it panicked with
}

func (o outcome) decided() bool {
	return len(o.found) > 0 || o.none || o.err != nil || o.fault != nil
}

// alone is after how much work turns are taken side by side, in reports of a search: some
// 10 ms each. Most panels take less, and what is searched beside the turn that decides is
// lost. It is counted, not timed, so that it is no sooner on a machine with much to do; the
// answer does not depend on it.
const alone = 8

// work notes that a turn has come so much further.
func (f *portfolio) work() {
	if f.worked.Add(1) == alone {
		f.hard <- struct{}{}
	}
}

// run takes turns until one decides the panel, up to so many side by side, as
// limits.Helpers allows. stop ends ctx, by which all searches were made. A turn
// that panics decides it too: run panics when no other runs, so that its caller
// may recover.
func (f *portfolio) run(ctx context.Context, stop func(), workers int) outcome {
	type result struct {
		turn int
		outcome
	}
	results := make(chan result)
	running := make(map[int]context.CancelFunc)
	first, best := -1, outcome{}
	most := workers
	workers = 1
	var more <-chan struct{}
	for next := 0; ; {
		for first < 0 && len(running) < workers && !f.busy(running, next) {
			own, end := context.WithCancel(ctx)
			running[next] = end
			go func(turn int) {
				r := result{turn: turn}
				defer func() {
					if fault := recover(); fault != nil {
						r.outcome = outcome{fault: fault}
					}
					results <- r
				}()
				r.outcome = f.turn(ctx, own, turn)
			}(next)
			next++
		}
		var r result
		select {
		case <-f.hard:
			var leave func()
			more, leave = limits.Helpers(ctx, most-1)
			defer leave()
			continue
		case <-more:
			workers++
			continue
		case r = <-results:
		}
		running[r.turn]()
		delete(running, r.turn)
		if r.decided() && (first < 0 || r.turn < first) {
			first, best = r.turn, r.outcome
		}
		if first < 0 {
			continue
		}
		earlier := false
		for turn, end := range running {
			if turn > first {
				end()
			}
			earlier = earlier || turn < first
		}
		if !earlier {
			stop() // of what still runs, judging a region too
		}
		if len(running) == 0 {
			if best.fault != nil {
				panic(best.fault)
			}
			return best
		}
	}
}

// whose tells which way a turn belongs to, and how many that had before.
func (f *portfolio) whose(turn int) (way, before int) {
	return turn % len(f.ways), turn / len(f.ways)
}

// busy tells whether a turn's way is in another one.
func (f *portfolio) busy(running map[int]context.CancelFunc, turn int) bool {
	own, _ := f.whose(turn)
	for other := range running {
		if way, _ := f.whose(other); way == own {
			return true
		}
	}
	return false
}

// firstShare is how many conflicts a way has in its first turn; in every further
// one it has as many more. Turns that double, although each begins afresh, take
// three times as long on the hardest panel of the corpora.
const firstShare = 500

// turn takes a turn, until own ends; ctx is the search's.
func (f *portfolio) turn(ctx, own context.Context, number int) outcome {
	at, cycle := f.whose(number)
	if f.crowded[at] {
		return outcome{}
	}
	if f.searches[at] == nil {
		q, err := f.searches[0].newSearch(ctx, f.searches[0].p)
		if errors.As(err, new(*limits.MemoryError)) {
			f.crowded[at] = true
			return outcome{} // the first way goes on
		}
		if err != nil {
			return outcome{err: err}
		}
		q.m.judge.share(f.searches[0].m.judge)
		f.begin(at, q)
	}
	q, w := f.searches[at], f.ways[at]
	q.s.SetStable((at+cycle)%2 == 1)
	if cycle > 0 {
		q.afresh(w, uint64(number))
	}
	if at == 0 {
		if o := f.tilings(own, q, cycle); o.decided() {
			return o
		}
	}
	found, none, err := q.turn(own, func() { f.meter.Tick(q.s); f.work() }, w, number, firstShare*int64(1+cycle))
	switch {
	case len(found) > 0:
		return outcome{found: found, by: q}
	case own.Err() != nil:
		return outcome{err: own.Err()}
	}
	return outcome{none: err == nil && none}
}

// tilings goes through the tilings of a full panel. Most have few. Where listing
// them takes longer, up to 2 s, every way has its first turn before.
func (f *portfolio) tilings(ctx context.Context, q *search, cycle int) outcome {
	nodes := [...]int{fewNodes, fullNodes}
	if cycle >= len(nodes) || !f.full || !q.m.full() {
		return outcome{}
	}
	found, decided, err := q.tilings(ctx, nodes[cycle])
	if errors.Is(err, errManyTilings) {
		f.full = false
		err = nil
	}
	return outcome{found: found, by: q, none: decided && len(found) == 0, err: err}
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
		least, home := farthest, m.tiles.Cell[m.items[m.laid[i].item].cell]
		for _, c := range at {
			d := m.tiles.Cell[c].Sub(home)
			least = min(least, math.Hypot(float64(d.X), float64(d.Y)))
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
