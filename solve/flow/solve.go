package flow

import (
	"context"
	"errors"
	"image"
	"iter"
	"slices"
	"strconv"

	"onlooker/solve"
	"onlooker/solve/path"
)

// Family is Flow Free and Numberlink for the rest of the program.
var Family = solve.Family{
	Name:     "flow",
	Doc:      "Join each pair of ends by a path; paths do not cross (Flow Free, Numberlink).",
	Rules:    rules(),
	Formats:  formats(),
	Generate: generate,
	Wishes:   wishes(),
	Make:     toOrder,
}

// Solve finds an answer, or proves that there is none. Where nothing forbids
// a path to touch itself, answers without that are looked for first.
func (p *Puzzle) Solve(ctx context.Context) (solve.Solution, error) {
	return p.SolveProgress(ctx, nil)
}

// SolveProgress is Solve and tells how far it has come: see path.Meter.
func (p *Puzzle) SolveProgress(ctx context.Context, report func(done, estimate float64)) (solve.Solution, error) {
	if s := p.direct(ctx); s != nil {
		return s, nil
	}
	x, err := p.find(ctx, path.NewMeter(report))
	if err != nil {
		return nil, err
	}
	if x == nil {
		return nil, solve.ErrUnsolvable
	}
	return x.solution(), nil
}

// A model is a board written down in one way. The answers of a narrow model are
// among those of a wide one: when a wide one is proved to have none, so are
// all narrower ones.
type model struct {
	width       int
	empty, thin bool
	x           *search
}

// A turn takes up the search of a model with another order (nil: by activity
// alone); what was learned in other turns stays.
type turn struct {
	m     *model
	order func() []path.Lit
	in    int64 // gets one in so many of a round's conflicts
	from  int64 // while a narrower model is searched, waits until a round has so many
	// stable: it stays near its best assignment. Where all answers touch themselves (36 boards of
	// 9×9 to 13×13) one is found within 0.4 of the conflicts; that there is none takes six times as many.
	stable bool
}

// firstRound is how many conflicts the first turn gets in the first round; each
// round has half as many more as the one before. Which order is the fastest
// cannot be told beforehand: of 11 boards of 50×50 the diagonals from the last
// row alone take 660 to 5,800 conflicts, those from the first cell 340 to more
// than 12,000, but not on the same boards; by activity it is 1,700 to 13,000.
// In turn, and learning from one another, it is 540 to 6,600.
const firstRound = 1000

// seldom is the part of the conflicts that turns get which hardly ever find an
// answer that the diagonals do not, but then at once: a board of 80×30 takes
// 1,700 conflicts along the diagonals, 74 by activity, and none where cells may
// stay empty.
const seldom = 8

// find looks for one answer and returns the search that holds it, or nil when
// it is proved that there is none.
func (p *Puzzle) find(ctx context.Context, meter *path.Meter) (*search, error) {
	if err := p.room(ctx); err != nil {
		return nil, err
	}
	g := graphOf(p)
	activity := func() []path.Lit { return nil }
	var turns []turn
	diagonals := func(m *model) {
		turns = append(turns,
			turn{m, func() []path.Lit { return g.diagonal(p, true) }, 1, 0, false},
			turn{m, func() []path.Lit { return g.diagonal(p, false) }, 1, 0, false})
	}
	grid := p.shape == Square
	switch {
	case p.any:
		// Nothing is lost by thin: a path that touches itself can be cut short.
		full, empty := &model{thin: true}, &model{width: 1, empty: true, thin: true}
		if grid {
			diagonals(full)
			turns = append(turns, turn{full, activity, seldom, 0, false}, turn{empty, activity, seldom, 0, false})
		} else {
			turns = append(turns, turn{full, activity, 1, 0, false}, turn{empty, activity, 1, 0, false})
		}
	case p.noTouch:
		turns = append(turns, turn{&model{thin: true}, activity, 1, 0, false})
	default:
		thin := &model{thin: true}
		turns = append(turns, turn{thin, activity, 1, 0, false})
		if grid && p.cols*p.rows > 400 {
			diagonals(thin)
		}
		// Without thin a search is hundreds of times slower: it waits.
		wide := &model{width: 1}
		turns = append(turns, turn{wide, activity, 1, 16 * firstRound, true}, turn{wide, activity, 1, 16 * firstRound, false})
	}
	for round := int64(firstRound); ; round += round / 2 {
		for i := 0; i < len(turns); i++ {
			t := turns[i]
			if t.from > round && t.m != turns[0].m {
				continue
			}
			order := t.order()
			if t.m.x == nil {
				var err error
				if t.m.x, err = newSearch(ctx, p, g, t.m.empty, t.m.thin); err != nil {
					return nil, err
				}
				meter.Add(t.m.x.s)
				for _, l := range order {
					t.m.x.s.SetPhase(l)
				}
			}
			s := t.m.x.s
			s.SetOrder(order)
			s.SetStable(t.stable)
			s.SetLimit(round / t.in)
			if len(turns) == 1 {
				s.SetLimit(-1)
			}
			st, err := s.Solve(ctx)
			switch {
			case st == path.Sat:
				return t.m.x, nil
			case st == path.Unsat:
				turns = slices.DeleteFunc(turns, func(u turn) bool { return u.m.width <= t.m.width })
				if len(turns) == 0 {
					return nil, nil
				}
				i = -1
			case !errors.Is(err, path.ErrLimit):
				return nil, err
			}
		}
	}
}

// all is the search for all answers.
func (p *Puzzle) all(ctx context.Context) (*search, error) {
	if err := p.room(ctx); err != nil {
		return nil, err
	}
	return newSearch(ctx, p, graphOf(p), p.any, p.noTouch)
}

// Count is the number of answers, at most limit where that is above 0. To
// know whether a Flow Free board has a single answer, count under NoTouch.
func (p *Puzzle) Count(ctx context.Context, limit int) (int, error) {
	x, err := p.all(ctx)
	if err != nil {
		return 0, err
	}
	return x.s.Count(ctx, x.edges(), limit)
}

// All yields the answers one by one.
func (p *Puzzle) All(ctx context.Context) iter.Seq2[solve.Solution, error] {
	return func(yield func(solve.Solution, error) bool) {
		x, err := p.all(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		path.All(ctx, x.s, x.edges(), x.solution)(yield)
	}
}

// Tell gives a stroke of an answer in words: the pair whose end it begins at,
// where that is, and how many cells it goes which way. A path that goes over a
// joined border or a single join is told in several strokes; those that do not
// begin at the path's first end begin with "on".
func (p *Puzzle) Tell(s solve.Stroke) string {
	if len(s) == 0 {
		return "nothing"
	}
	start := s
	if p.cellAt(s[0]) < 0 && len(s) > 1 { // in over the border
		start = s[1:]
	}
	who, first := "on", p.cellAt(start[0])
	for i, e := range p.pairs {
		if len(start) == len(s) && (int(e[0]) == first || int(e[1]) == first) {
			who = p.pairName(i)
		}
	}
	where := start[0]
	if first >= 0 {
		where = image.Pt(2*(first%p.cols)+1, 2*(first/p.cols)+1)
	}
	text := who + " from " + solve.PlaceName(where)
	between := ": "
	for i := 1; i < len(start); {
		way, from := start[i].Sub(start[i-1]), i
		name := solve.WayName(way)
		for i < len(start) && start[i].Sub(start[i-1]) == way && (i < len(start)-1 || p.cellAt(start[i]) >= 0) {
			i++
		}
		if i > from {
			text += between + name + " " + strconv.Itoa(i-from)
		} else {
			text += between + name + " over the border"
			i++
		}
		between = ", "
	}
	return text
}
