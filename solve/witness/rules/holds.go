package rules

import (
	"context"
	"errors"

	"onlooker/solve"
	"onlooker/solve/limits"
	"onlooker/solve/witness/board"
)

// standLooks bounds how long it is found out whether an answer is right by one
// more rule set, in looks at the context: a fifth of a second or so. Of 4,740
// published panels that are answered two ask for more.
const standLooks = 800

// Stands is Check by another rule set, which ends by itself before long, with
// context.DeadlineExceeded.
func (t Table) Stands(ctx context.Context, p *board.Panel, rules board.RuleSet, s solve.Solution) error {
	return t.Check(limits.WithSteps(ctx, standLooks), p.Under(rules), s)
}

// Holds tells by which rule sets a solution that
// Check accepts is right, in the order of the panel's Others.
func (t Table) Holds(ctx context.Context, p *board.Panel, s solve.Solution) solve.Standing {
	var st solve.Standing
	disputed := p.Disputed()
	for _, rules := range p.Others() {
		var err error
		if disputed && rules != p.Rules { // otherwise all say what the panel's own say
			err = t.Stands(ctx, p, rules, s)
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

// Accepted tells whether the page of the panel's rule set accepts an answer that is
// right by its rules.
func (t Table) Accepted(ctx context.Context, p *board.Panel, s solve.Solution) bool {
	if p.Rules.Name == board.WitnessPuzzles.Name {
		return t.onSite(ctx, p, s)
	}
	return t.onPage(p, s)
}
