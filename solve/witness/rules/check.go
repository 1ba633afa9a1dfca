package rules

import (
	"context"
	"fmt"

	"onlooker/solve"
	"onlooker/solve/witness/board"
)

// Check plays the solution by the panel's rules. It wants exactly one stroke;
// see package solve and the rule "strokes". A broken rule is a
// *solve.RuleError with a name of Rules.
func (t Table) Check(ctx context.Context, p *board.Panel, s solve.Solution) error {
	if err := p.Valid(); err != nil {
		return err
	}
	if err := t.known(p); err != nil {
		return err
	}
	l, broken := t.Draw(ctx, p, s)
	if broken != nil {
		return broken
	}
	if broken := l.colouredDots(); broken != nil {
		return broken
	}
	broken = l.apart()
	if l.limit.err != nil {
		return fmt.Errorf("check: %w", l.limit.err)
	}
	if broken != nil {
		return broken
	}
	for _, r := range l.Regions() {
		broken := r.Judge()
		if l.limit.err != nil {
			return fmt.Errorf("check: %w", l.limit.err)
		}
		if broken != nil {
			return broken
		}
	}
	return nil
}

// Faults lists all that is wrong with a solution: every symbol and dot of each
// region, unless the line itself is wrong. Where erasers are to choose, theirs
// is the one fault of their region.
func (t Table) Faults(ctx context.Context, p *board.Panel, s solve.Solution) []*solve.RuleError {
	if p.Valid() != nil || t.known(p) != nil {
		return nil // Check tells
	}
	l, broken := t.Draw(ctx, p, s)
	if broken == nil {
		broken = l.colouredDots()
	}
	if broken != nil {
		return []*solve.RuleError{broken}
	}
	var all []*solve.RuleError
	for _, at := range l.Disagreeing() {
		a := p.At(at).Kind.About()
		all = append(all, &solve.RuleError{Rule: a.Rule.Name, At: at, Got: a.Broken})
	}
	for _, r := range l.Regions() {
		all = append(all, r.faults()...)
	}
	if l.limit.err != nil {
		return nil // not judged to the end
	}
	return all
}
