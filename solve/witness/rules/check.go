// Package rules plays answers by the rules. It shares nothing with the search: each
// finds the other's mistakes.
package rules

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"

	"onlooker/solve"
	"onlooker/solve/limits"
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
	return t.faults(ctx, p, s)
}

// Open is Faults of a line that is begun, as if it ended where it is.
func (t Table) Open(ctx context.Context, p *board.Panel, s solve.Solution) []*solve.RuleError {
	if len(s) != 1 || p.Valid() != nil || t.known(p) != nil {
		return nil
	}
	line := s[0]
	at := line[len(line)-1]
	if q := p.Clone(); q.In(at) && board.IsNode(at) {
		q.At(at).Cap = image.Pt(1, 0)
		return t.faults(ctx, q, solve.Solution{append(slices.Clone(line), at.Add(q.At(at).Cap))})
	}
	return nil
}

func (t Table) faults(ctx context.Context, p *board.Panel, s solve.Solution) []*solve.RuleError {
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
