package proof

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"

	"onlooker/solve"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/solve/witness/rules"
)

// smallSets is how many sets of clues Why tries when it looks for a smaller
// one than it has: each costs a search, of a millisecond or so.
const smallSets = 400

// Why says which clues cannot be met together: as few as it can find, and none
// of them could be left out. With the others in place they cannot be met where
// that can be told; see Conflict. An error says that the panel has an answer, or
// is the context's.
func (v Prover) Why(ctx context.Context, p *board.Panel) (solve.Proof, error) {
	switch _, err := v.Solver.Solve(ctx, p); {
	case err == nil:
		return nil, errors.New("witness: the panel has an answer")
	case !errors.Is(err, solve.ErrUnsolvable):
		return nil, err
	}
	c, err := v.inPlace(ctx, p)
	if c == nil && err == nil {
		c, err = v.bySearch(ctx, p)
	}
	if err != nil {
		return nil, err
	}
	slices.SortFunc(c.Clues, func(a, b image.Point) int {
		if a.Y != b.Y {
			return a.Y - b.Y
		}
		return a.X - b.X
	})
	for _, at := range c.Clues {
		s := p.At(at)
		if s.Dot.On {
			c.names = append(c.names, board.Hexagon.String())
		} else {
			c.names = append(c.names, forms.DescribeSymbol(&s.Symbol))
		}
	}
	return c, nil
}

// bySearch is a conflict of a panel with more lines than can be looked at one by
// one. Where erasers are it says what cannot be met alone.
func (v Prover) bySearch(ctx context.Context, p *board.Panel) (*Conflict, error) {
	all := cluesOf(p)
	kinds := board.Kinds()
	rank := func(u []image.Point) int { return slices.Index(kinds, p.At(u[0]).Kind) }
	alone := slices.ContainsFunc(all, func(at image.Point) bool { return p.At(at).Kind.Erases() })
	var units [][]image.Point // what is named together or not at all
	var pieces []image.Point
	agreeing := make(map[board.Kind]int) // of units
	for _, at := range all {
		k := p.At(at).Kind
		c := k.By()
		switch i, ok := agreeing[k]; {
		case !alone && k.IsPiece():
			pieces = append(pieces, at)
		case ok:
			units[i] = append(units[i], at)
		default:
			if c != nil && (c.Sums() || c.Test.Over()) {
				agreeing[k] = len(units)
			}
			units = append(units, []image.Point{at})
		}
	}
	if len(pieces) > 0 {
		units = append(units, pieces)
	}
	without := standBy
	if alone {
		without = only
	}
	none := func(units [][]image.Point) (bool, error) {
		_, err := v.withBystanders().Solver.Solve(ctx, without(p, slices.Concat(units...)))
		if errors.Is(err, solve.ErrUnsolvable) {
			return true, nil
		}
		return false, err
	}
	// Leave out what can be left out: from the front, from the back, and kind
	// by kind, since each order ends with another set.
	orders := [][][]image.Point{units, slices.Clone(units), slices.Clone(units), slices.Clone(units)}
	slices.Reverse(orders[1])
	slices.SortStableFunc(orders[2], func(a, b []image.Point) int { return rank(a) - rank(b) })
	slices.SortStableFunc(orders[3], func(a, b []image.Point) int { return rank(b) - rank(a) })
	var best [][]image.Point
	for i, order := range orders {
		set, err := shrink(order, none)
		if err != nil {
			return nil, err
		}
		if i == 0 || len(set) < len(best) {
			best = set
		}
	}
	best, err := smaller(units, best, none)
	if err != nil {
		return nil, err
	}
	clues := slices.Concat(best...)
	return &Conflict{Clues: clues, Alone: alone && len(clues) < len(all) && len(clues) > 0}, nil
}

// smaller tries all sets that are smaller than one that cannot be met, as far as
// that is not too many.
func smaller[T any](all, best []T, none func([]T) (bool, error)) ([]T, error) {
	tried := 0
	for size := range best {
		for set := range rules.Subsets(all, size) {
			if tried++; tried > smallSets {
				return best, nil
			}
			switch ok, err := none(set); {
			case err != nil:
				return nil, err
			case ok:
				return slices.Clone(set), nil
			}
		}
	}
	return best, nil
}

// shrink leaves out clues as long as the rest has no answer: halves first,
// then ever smaller runs, at last one by one until none can go.
func shrink[T any](clues []T, none func([]T) (bool, error)) ([]T, error) {
	set := slices.Clone(clues)
	for run := (len(set) + 1) / 2; run > 0; {
		gone := false
		for from := 0; from < len(set); {
			rest := slices.Concat(set[:from], set[min(from+run, len(set)):])
			ok, err := none(rest)
			if err != nil {
				return nil, err
			}
			if ok {
				set, gone = rest, true
			} else {
				from += run
			}
		}
		if run == 1 && !gone {
			break
		}
		run = max(1, run/2)
	}
	return set, nil
}

// CheckProof verifies a *Conflict with a solver that shares nothing with Solve
// but the rules that Check has: gini draws lines of the panel with the
// proof's clues alone, until none is left. It gives an error when there is an
// answer.
func (v Prover) CheckProof(ctx context.Context, p *board.Panel, proof solve.Proof) error {
	c, ok := proof.(*Conflict)
	if !ok {
		return fmt.Errorf("witness: a proof of type %T, want *witness.Conflict", proof)
	}
	if err := p.Valid(); err != nil {
		return err
	}
	for _, at := range c.Clues {
		if s := p.At(at); s == nil || s.Kind == board.NoSymbol && !s.Dot.On {
			return fmt.Errorf("witness: the proof names a clue at %s, where there is none", solve.PlaceName(at))
		}
	}
	q := v.newCross(only(p, c.Clues))
	if !c.Alone {
		q.check = func(ctx context.Context, a solve.Solution) error { return v.meets(ctx, p, a, c.Clues) }
	}
	a, err := q.solve(ctx)
	switch {
	case errors.Is(err, solve.ErrUnsolvable):
		return nil
	case err != nil:
		return fmt.Errorf("witness: the proof could not be checked: %w", err)
	}
	return fmt.Errorf("witness: the clues of the proof are met by %v", a)
}
