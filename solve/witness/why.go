package witness

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"strings"

	"onlooker/solve"
)

// A Conflict is why a panel has no answer: symbols and dots that no line meets
// together, with all others in place (see inplace.go), or else Alone. An empty one
// means that no line leads from a start to an end at all.
type Conflict struct {
	Clues    []image.Point // half-cells of the symbols and dots, in reading order
	Alone    bool          // no line meets them on the panel without any others
	Smallest bool          // no set with fewer clues would do
	names    []string
}

// Where implements solve.Proof.
func (c *Conflict) Where() []image.Point { return c.Clues }

// Text implements solve.Proof.
func (c *Conflict) Text() string {
	if len(c.Clues) == 0 {
		return "no line leads from a start to an end"
	}
	var parts []string
	for i, at := range c.Clues {
		parts = append(parts, fmt.Sprintf("%s at (%d,%d)", c.names[i], at.X, at.Y))
	}
	what := "cannot be met together: "
	if len(parts) == 1 {
		what = "cannot be met by any line: "
	}
	if c.Alone {
		what = "alone, without the other symbols, " + what
	}
	return what + strings.Join(parts, ", ")
}

// only is the panel with no other clues than those given.
func (p *Panel) only(clues []image.Point) *Panel {
	q := p.Clone()
	keep := make(map[image.Point]bool, len(clues))
	for _, at := range clues {
		keep[at] = true
	}
	for at := range q.Points() {
		if !keep[at] {
			s := q.At(at)
			s.Symbol, s.Dot = Symbol{}, Dot{}
		}
	}
	return q
}

// clues lists all symbols and dots.
func (p *Panel) clues() []image.Point {
	var all []image.Point
	for at := range p.Points() {
		if s := p.At(at); s.Kind != NoSymbol || s.Dot.On {
			all = append(all, at)
		}
	}
	return all
}

// smallSets is how many sets of clues Why tries when it looks for a smaller
// one than it has: each costs a search, of a millisecond or so.
const smallSets = 400

// Why says which clues cannot be met together: as few as it can find, and none
// of them could be left out. With the others in place they cannot be met where
// that can be told; see Conflict. An error says that the panel has an answer, or
// is the context's.
func (p *Panel) Why(ctx context.Context) (solve.Proof, error) {
	switch _, err := p.Solve(ctx); {
	case err == nil:
		return nil, errors.New("witness: the panel has an answer")
	case !errors.Is(err, solve.ErrUnsolvable):
		return nil, err
	}
	c, err := p.inPlace(ctx)
	if c == nil && err == nil {
		c, err = p.bySearch(ctx)
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
			c.names = append(c.names, Hexagon.String())
		} else {
			c.names = append(c.names, s.Symbol.describe())
		}
	}
	return c, nil
}

// bySearch is a conflict of a panel with more lines than can be looked at one by
// one. Where erasers are it says what cannot be met alone.
func (p *Panel) bySearch(ctx context.Context) (*Conflict, error) {
	all := p.clues()
	kinds := Kinds()
	rank := func(u []image.Point) int { return slices.Index(kinds, p.At(u[0]).Kind) }
	alone := slices.ContainsFunc(all, func(at image.Point) bool { return p.erases(at) })
	var units [][]image.Point // what is named together or not at all
	var pieces []image.Point
	for _, at := range all {
		if !alone && p.At(at).Kind.IsPiece() {
			pieces = append(pieces, at)
		} else {
			units = append(units, []image.Point{at})
		}
	}
	if len(pieces) > 0 {
		units = append(units, pieces)
	}
	without := p.beside
	if alone {
		without = p.only
	}
	none := func(units [][]image.Point) (bool, error) {
		_, err := without(slices.Concat(units...)).Solve(ctx)
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
	best, smallest, err := smaller(units, best, none)
	if err != nil {
		return nil, err
	}
	clues := slices.Concat(best...)
	return &Conflict{Clues: clues, Alone: alone && len(clues) < len(all) && len(clues) > 0, Smallest: smallest}, nil
}

// smaller tries all sets that are smaller than one that cannot be met, as far as
// that is not too many; smallest tells whether it tried them all.
func smaller[T any](all, best []T, none func([]T) (bool, error)) (set []T, smallest bool, err error) {
	tried := 0
	for size := range best {
		for set := range subsets(all, size) {
			if tried++; tried > smallSets {
				return best, false, nil
			}
			switch ok, err := none(set); {
			case err != nil:
				return nil, false, err
			case ok:
				return slices.Clone(set), true, nil
			}
		}
	}
	return best, true, nil
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

// subsets yields the subsets of a size, in the order of the list.
func subsets[T any](of []T, size int) func(yield func([]T) bool) {
	return func(yield func([]T) bool) {
		set := make([]T, size)
		var pick func(i, from int) bool
		pick = func(i, from int) bool {
			if i == size {
				return yield(set)
			}
			for k := from; k <= len(of)-(size-i); k++ {
				set[i] = of[k]
				if !pick(i+1, k+1) {
					return false
				}
			}
			return true
		}
		pick(0, 0)
	}
}

// CheckProof verifies a *Conflict with a solver that shares nothing with Solve
// but the rules that Check has: gini draws lines of the panel with the
// proof's clues alone, until none is left. It gives an error when there is an
// answer.
func (p *Panel) CheckProof(ctx context.Context, proof solve.Proof) error {
	c, ok := proof.(*Conflict)
	if !ok {
		return fmt.Errorf("witness: a proof of type %T, want *witness.Conflict", proof)
	}
	if err := p.Valid(); err != nil {
		return err
	}
	for _, at := range c.Clues {
		if s := p.At(at); s == nil || s.Kind == NoSymbol && !s.Dot.On {
			return fmt.Errorf("witness: the proof names a clue at (%d,%d), where there is none", at.X, at.Y)
		}
	}
	q := p.only(c.Clues).newCross()
	if !c.Alone {
		q.check = func(ctx context.Context, a solve.Solution) error { return p.meets(ctx, a, c.Clues) }
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
