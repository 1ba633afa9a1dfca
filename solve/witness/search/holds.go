package search

import (
	"context"
	"errors"

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

// heldLooks bounds how long all answers together are judged for one that is
// preferred, in looks at the context: two fifths of a second or so.
const heldLooks = 1600

// demandSteps bounds how long a search tries to lay pieces as another rule set wants
// it, in steps of some microseconds.
const demandSteps = 20_000

// others are the rule sets by which an answer should be right beside the panel's own: a panel
// of the game has some, whose rules are known from others.
func others(p *board.Panel) (sets []board.RuleSet) {
	for _, rules := range p.Others() {
		if p.Rules.Name == board.Game.Name && rules != p.Rules {
			sets = append(sets, rules)
		}
	}
	return sets
}

// ask makes regions be judged by the others' rules too.
func (m *model) ask() {
	for _, rules := range others(m.p) {
		j := newJudge(m, rules)
		if j.tiles != nil {
			j.tiles.Most = demandSteps
		}
		m.asked = append(m.asked, j)
	}
}

// assumed are the literals of what is asked.
func (m *model) assumed() (lits []path.Lit) {
	for k := range m.asked {
		lits = append(lits, m.demanded+2*path.Lit(k))
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

// everywhere is an answer that is right by the others' rules too, where the search soon finds
// one; otherwise the one that was found.
func (q *search) everywhere(ctx context.Context, found solve.Solution) (solve.Solution, error) {
	looks := limits.WithSteps(ctx, heldLooks)
	if q.m.ctx = ctx; !q.p.Disputed() || q.holds(looks, found) {
		return found, nil
	}
	switch a, err := q.heldBy(ctx, looks); {
	case a != nil:
		return a, nil
	case ctx.Err() != nil || errors.As(err, new(*limits.MemoryError)):
		return found, nil // an answer is there, for whoever asked in time
	default:
		return found, err
	}
}

// holds tells whether a solution is known to be right by the others' rules.
func (q *search) holds(ctx context.Context, s solve.Solution) bool {
	for _, rules := range others(q.p) {
		if q.Last.Stands(ctx, q.p, rules, s) != nil {
			return false
		}
	}
	return true
}

// heldBy looks for an answer that is as wished; nil where it finds none soon. The
// search judges regions by all that is wished of them; what else other rule sets
// want of a line is left to Check, which looks ends.
func (q *search) heldBy(ctx, looks context.Context) (solve.Solution, error) {
	q.m.ask()
	if q.r == nil {
		if err := q.state(ctx); err != nil {
			return nil, err
		}
	}
	q.s.SetStable(false)
	q.s.Renew() // otherwise it stays near the answer that is not as wished
	ways()[0].begin(q, nil)
	share, cancel := context.WithCancel(ctx)
	defer cancel()
	until := q.s.Stats().Conflicts + holdConflicts
	q.s.OnReport(func() {
		if q.s.Stats().Conflicts > until {
			cancel()
		}
	})
	var best solve.Solution
	tried := 0
	_, err := q.each(share, func() bool {
		for _, a := range q.answers() {
			if q.Last.Check(looks, q.p, a) == nil && q.holds(looks, a) {
				best = a
				return false
			}
		}
		tried++
		return tried < holdAnswers
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil && share.Err() == nil {
		return nil, err
	}
	return best, nil
}
