package search

import (
	"context"
	"errors"
	"image"
	"slices"

	"onlooker/solve"
	"onlooker/solve/limits"
	"onlooker/solve/path"
	"onlooker/solve/witness/board"
)

// A search for an answer that is as wished, as the first one found is not,
// ends after so many conflicts, or so many answers that do not. Of 123 such searches
// for every second panel of the corpora with 400 conflicts, 23 found one, of those
// 19 with less than 250; of those that found none half had ended by then.
const (
	holdConflicts = 250
	holdAnswers   = 40
)

// pageMore is by how much longer an answer is looked for that a page accepts: of five
// panels of the corpora whose first answers it refuses one takes more than the above.
const pageMore = 3

// heldLooks bounds how long all answers together are judged for one that is
// preferred, in looks at the context: two fifths of a second or so.
const heldLooks = 1600

// A wish is what an answer should be beside right by the panel's own rules.
type wish struct {
	sets  []board.RuleSet // right by these too
	page  bool            // and such that the page of the panel's rule set accepts it
	looks context.Context // ends when solutions were judged for long enough
}

// granted tells whether an answer that is right by the panel's own rules is known to be as wished.
func (q *search) granted(w wish, s solve.Solution) bool {
	return q.holdsBy(w.looks, w.sets, s) && (!w.page || q.Last.Accepted(w.looks, q.p, s))
}

// demandSteps bounds how long a search tries to lay pieces as another rule set wants
// it, in steps of some microseconds.
const demandSteps = 20_000

// ask makes a wish count; the empty one, only the panel's own rules.
func (m *model) ask(w wish) {
	m.asked = m.asked[:0]
	add := func(k int, rules *board.RuleSet) {
		if m.demands[k] == nil {
			m.demands[k] = &demand{lit: none}
			if rules != nil {
				m.demands[k].judge = newJudge(m, *rules)
				if t := m.demands[k].judge.tiles; t != nil {
					t.Most = demandSteps
				}
			}
		}
		if m.demanded != none {
			m.demands[k].lit = m.demanded + 2*path.Lit(k)
		}
		m.asked = append(m.asked, m.demands[k])
	}
	for k, rules := range m.p.Others() {
		if slices.Contains(w.sets, rules) {
			add(k, &rules)
		}
	}
	if w.page {
		add(demandable-1, nil)
	}
}

// assumed are the literals of what is asked.
func (m *model) assumed() (lits []path.Lit) {
	for _, d := range m.asked {
		lits = append(lits, d.lit)
	}
	return lits
}

// unless says that something asked is not: for a clause that holds only as long as
// it is.
func (m *model) unless() (lits []path.Lit) {
	for _, x := range m.assumed() {
		lits = append(lits, x.Not())
	}
	return lits
}

// everywhere is an answer as it is wished of a panel of its rule set, where the search
// soon finds one; otherwise the one that was found. One of The Windmill or of
// witnesspuzzles.com is to be accepted by the site's page; one of the game, whose rules
// are known from others, should be right by theirs too.
func (q *search) everywhere(ctx context.Context, found solve.Solution) (solve.Solution, error) {
	p := q.p
	w := wish{looks: limits.WithSteps(ctx, heldLooks)}
	switch p.Rules.Name {
	case board.Windmill.Name:
		w.page = !p.Pillar
	case board.WitnessPuzzles.Name:
		w.page = p.PairsOff()
	default:
		w.sets = slices.DeleteFunc(p.Others(), func(r board.RuleSet) bool { return r == p.Rules })
	}
	if q.m.ctx = ctx; !w.page && len(w.sets) == 0 || !p.Disputed() || q.granted(w, found) {
		return found, nil
	}
	switch a, err := q.heldBy(ctx, w); {
	case a != nil:
		return a, nil
	case ctx.Err() != nil || errors.As(err, new(*limits.MemoryError)):
		return found, nil // an answer is there, for whoever asked in time
	default:
		return found, err
	}
}

// holdsBy tells whether a solution is known to be right by all these rule sets.
func (q *search) holdsBy(ctx context.Context, sets []board.RuleSet, s solve.Solution) bool {
	for _, rules := range sets {
		if q.Last.Stands(ctx, q.p, rules, s) != nil {
			return false
		}
	}
	return true
}

// heldBy looks for an answer that is as wished; nil where it finds none soon. The
// search judges regions by all that is wished of them; what else other rule sets
// want of a line is left to Check.
func (q *search) heldBy(ctx context.Context, w wish) (solve.Solution, error) {
	q.m.ask(w)
	defer q.m.ask(wish{})
	if q.r == nil {
		if err := q.state(ctx); err != nil {
			return nil, err
		}
		q.m.ask(w) // its demands have literals now
	}
	q.s.SetStable(false)
	q.s.Renew() // otherwise it stays near the answer that is not as wished
	ways()[0].begin(q, nil)
	share, cancel := context.WithCancel(ctx)
	defer cancel()
	more := int64(1)
	if w.page {
		more = pageMore
	}
	until := q.s.Stats().Conflicts + more*holdConflicts
	q.s.OnReport(func() {
		if q.s.Stats().Conflicts > until {
			cancel()
		}
	})
	var best solve.Solution
	tried := 0
	_, err := q.each(share, func() bool {
		for _, a := range q.answers() {
			if q.Last.Check(w.looks, q.p, a) == nil && q.granted(w, a) {
				best = a
				return false
			}
		}
		tried++
		return tried < int(more)*holdAnswers
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil && share.Err() == nil {
		return nil, err
	}
	return best, nil
}

// paged tells whether the page finds the places of a plot's pieces. Those of a
// plot with erasers are left to chance: what it tries depends on what it counts
// as wrong.
func (m *model) paged(pl *plot) bool {
	var pieces []*board.Symbol
	blue := false
	for _, i := range pl.items {
		if it := &m.items[i]; it.area != 0 {
			pieces = append(pieces, it.Symbol)
			blue = blue || it.area < 0
		}
	}
	if !blue || len(pl.erasers) > 0 || m.p.Rules.Name != board.Windmill.Name {
		return true
	}
	sorted := slices.Sorted(slices.Values(pl.cells))
	key := string(appendClasses(nil, sorted))
	finds, known := m.pages[key]
	if !known {
		var cells []image.Point
		for _, c := range sorted {
			if int(c) < m.l.real {
				cells = append(cells, m.tiles.Cell[c])
			}
		}
		finds = m.last.Fits(cells, pieces)
		m.pages[key] = finds
	}
	return finds
}
