package witness

import (
	"context"
	"errors"
	"slices"

	"onlooker/solve"
	"onlooker/solve/path"
)

// standLooks bounds how long it is found out whether an answer is right by one
// more rule set, in looks at the context: a fifth of a second or so. All answers that
// are judged for one that is preferred have twice as much together. Of 4,740
// published panels that are answered two ask for more.
const standLooks = 800

// stands is Check by another rule set, which ends by itself before long, with
// context.DeadlineExceeded.
func (p *Panel) stands(ctx context.Context, rules RuleSet, s solve.Solution) error {
	return p.under(rules).Check(solve.Asked(ctx, standLooks), s)
}

// Holds implements solve.Holder: it tells by which rule sets a solution that
// Check accepts is right, in the order of RuleSets.
func (p *Panel) Holds(ctx context.Context, s solve.Solution) solve.Standing {
	var st solve.Standing
	disputed := p.disputed()
	for _, rules := range RuleSets() {
		var err error
		if disputed && rules != p.Rules { // otherwise all say what the panel's own say
			err = p.stands(ctx, rules, s)
		}
		var broken *solve.RuleError
		switch {
		case err == nil:
			st.Right = append(st.Right, rules.Name)
		case errors.As(err, &broken):
			st.Wrong = append(st.Wrong, rules.Name)
		default:
			st.Unknown = append(st.Unknown, rules.Name)
		}
	}
	return st
}

// under is the panel by another rule set.
func (p *Panel) under(rules RuleSet) *Panel {
	q := *p
	q.Rules = rules
	return &q
}

// disputed tells whether the panel holds anything of which the rule sets make
// different things: an eraser, a blue piece, a missing edge, an end whose image
// is none or a start or end on an edge's middle under symmetry, a dot of one of two lines, a start that is its own image, or a piece where a line may be loose.
func (p *Panel) disputed() bool {
	pieces, loose := false, p.Pillar && p.Symmetry == NoSymmetry
	for at := range p.Points() {
		s := p.At(at)
		inside := at.Y > 0 && at.Y < p.Height()-1 && (p.Pillar || at.X > 0 && at.X < p.Width()-1)
		loose = loose || inside && (s.Start || s.IsEnd())
		if image, ok := p.Image(at); ok && s.Start && image == at {
			return true
		}
		if p.loneEnd(at) || p.Symmetry != NoSymmetry && IsEdge(at) && (s.Start || s.IsEnd()) {
			return true
		}
		if s.Gap == Missing || p.Symmetry != NoSymmetry && s.Dot.On && s.Dot.Line != AnyLine {
			return true
		}
		if s.Kind != NoSymbol {
			a := s.Kind.about()
			if a.erases || a.squares < 0 {
				return true
			}
			pieces = pieces || a.squares > 0
		}
	}
	return pieces && loose
}

// A search for an answer that holds by more rule sets than the first one found
// ends after so many conflicts, or so many answers that do not. Of 123 such searches
// for every second panel of the corpora with 400 conflicts, 23 found one, of those
// 19 with less than 250; of those that found none half had ended by then.
const (
	holdConflicts = 250
	holdAnswers   = 40
)

// A wish is what an answer should be beside right by the panel's own rules.
type wish struct {
	sets  []RuleSet       // right by these too
	page  bool            // and such that the page of the panel's rule set accepts it
	looks context.Context // ends when solutions were judged for long enough
}

// granted tells whether a solution is known to be as wished.
func (p *Panel) granted(w wish, s solve.Solution) bool {
	return p.Check(w.looks, s) == nil && p.holdsBy(w.looks, w.sets, s) && (!w.page || p.accepted(w.looks, s))
}

// demandSteps bounds how long a search tries to lay pieces as another rule set wants
// it, in steps of some microseconds.
const demandSteps = 20_000

// demandable is how many demands there may be: right by each of RuleSets, and such
// that the page finds the pieces' places.
const demandable = 4

// accepted tells whether the page of the panel's rule set accepts an answer that is
// right by its rules.
func (p *Panel) accepted(ctx context.Context, s solve.Solution) bool {
	if p.Rules.Name == WitnessPuzzles.Name {
		return p.onSite(ctx, s)
	}
	return p.onPage(s)
}

// A demand is one thing that is wished of regions. A search learns what follows
// from it under its literal, so that what it has learned before and will learn of
// one wish serves the others.
type demand struct {
	judge *judge // nil: The Windmill's page must find the pieces' places
	lit   path.Lit
}

// ask makes a wish count; the empty one, only the panel's own rules.
func (m *model) ask(w wish) {
	m.asked = m.asked[:0]
	add := func(k int, rules *RuleSet) {
		if m.demands[k] == nil {
			m.demands[k] = &demand{lit: none}
			if rules != nil {
				m.demands[k].judge = newJudge(m, *rules)
				if t := m.demands[k].judge.tiles; t != nil {
					t.most = demandSteps
				}
			}
		}
		if m.demanded != none {
			m.demands[k].lit = m.demanded + 2*path.Lit(k)
		}
		m.asked = append(m.asked, m.demands[k])
	}
	for k, rules := range RuleSets() {
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

// everywhere is an answer that is right by all rule sets, where q soon finds one;
// otherwise the one that was found by the panel's own. Of a panel of The Windmill
// or of witnesspuzzles.com it is first of all one that its page accepts.
func (p *Panel) everywhere(ctx context.Context, q *search, found solve.Solution) (solve.Solution, error) {
	if !p.disputed() {
		return found, nil
	}
	others := slices.DeleteFunc(RuleSets(), func(r RuleSet) bool { return r == p.Rules })
	wishes := []wish{{sets: others}}
	if p.Rules.Name == Windmill.Name && !p.Pillar || p.Rules.Name == WitnessPuzzles.Name && p.pairsOff() {
		wishes = []wish{{sets: others, page: true}, {page: true}, {sets: others}}
	}
	q.m.ctx = ctx
	looks := solve.Asked(ctx, 2*standLooks)
	drawn := q.r == nil // by a walk, which finds another one as easily
	for _, w := range wishes {
		w.looks = looks
		if p.granted(w, found) {
			return found, nil
		}
		switch a, err := p.heldBy(ctx, q, w, drawn); {
		case a != nil:
			return a, nil
		case ctx.Err() != nil || errors.As(err, new(*solve.MemoryError)):
			return found, nil // an answer is there, for whoever asked in time
		case err != nil:
			return nil, err
		}
		if w.page && p.accepted(looks, found) {
			// It is for the other rule sets that none was found.
			return found, nil
		}
	}
	return found, nil
}

// holdsBy tells whether a solution is known to be right by all these rule sets.
func (p *Panel) holdsBy(ctx context.Context, sets []RuleSet, s solve.Solution) bool {
	for _, rules := range sets {
		if p.stands(ctx, rules, s) != nil {
			return false
		}
	}
	return true
}

// heldBy looks for an answer that is as wished; nil where q finds none soon. The
// search judges regions by all that is wished of them; what else other rule sets
// want of a line is left to Check.
func (p *Panel) heldBy(ctx context.Context, q *search, w wish, drawn bool) (solve.Solution, error) {
	q.m.ask(w)
	defer q.m.ask(wish{})
	if drawn {
		if best, all := p.heldOnWalk(ctx, q, w); best != nil || all || ctx.Err() != nil {
			return best, ctx.Err()
		}
	}
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
			if p.granted(w, a) {
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

// heldOnWalk looks for such an answer by a short walk; all says that it has come
// to the end of them.
func (p *Panel) heldOnWalk(ctx context.Context, q *search, w wish) (best solve.Solution, all bool) {
	if !q.m.walkable() {
		return nil, false
	}
	walk := newWalk(q.m, q.s.Vars())
	for range holdAnswers {
		found, ended := walk.run(ctx, walkFirst-walk.work)
		if !found {
			return nil, ended
		}
		for _, a := range q.l.answers(walk.value) {
			if p.granted(w, a) {
				return a, false
			}
		}
	}
	return nil, true
}
