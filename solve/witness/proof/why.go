// Package proof says why a panel has no answer, and verifies that with a second
// solver.
package proof

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"maps"
	"slices"
	"strings"

	"onlooker/solve"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/solve/witness/rules"
	"onlooker/solve/witness/search"
)

// smallSets is how many sets of clues Why tries when it looks for a smaller
// one than it has: each costs a search, of a millisecond or so.
const smallSets = 400

// Why says which clues cannot be met together: as few as it can find, and none
// of them could be left out. With the others in place they cannot be met, or, where
// erasers are, on the panel without any others: see Conflict. An error says that the
// panel has an answer, or is the context's.
func (v Prover) Why(ctx context.Context, p *board.Panel) (solve.Proof, error) {
	switch _, err := v.Solver.Solve(ctx, p); {
	case err == nil:
		return nil, errors.New("witness: the panel has an answer")
	case !errors.Is(err, solve.ErrUnsolvable):
		return nil, err
	}
	c, err := v.conflict(ctx, p)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(c.Clues, func(a, b image.Point) int { return cmp.Or(a.Y-b.Y, a.X-b.X) })
	for _, at := range c.Clues {
		s := p.At(at)
		if s.Dot.On {
			c.names = append(c.names, board.Hexagon.String())
		} else {
			c.names = append(c.names, forms.DescribeSymbol(&s.Symbol))
		}
	}
	c.Odd = c.odd(p)
	return c, nil
}

// conflict is what cannot be met: of what is named together as little as searches find.
func (v Prover) conflict(ctx context.Context, p *board.Panel) (*Conflict, error) {
	all := cluesOf(p)
	kinds := board.Kinds()
	rank := func(u []image.Point) int { return slices.Index(kinds, p.At(u[0]).Kind) }
	alone, without := apart(p)
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
	none := func(units [][]image.Point) (bool, error) {
		_, err := v.withBystanders().Solver.Solve(ctx, without(p, slices.Concat(units...)))
		if errors.Is(err, solve.ErrUnsolvable) {
			return true, nil
		}
		return false, err
	}
	if alone { // what cannot be met without the erasers says more than one that has nothing to take
		rest := slices.DeleteFunc(slices.Clone(units), func(u []image.Point) bool { return p.At(u[0]).Kind.Erases() })
		if ok, err := none(rest); err != nil {
			return nil, err
		} else if ok {
			units = rest
		}
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
		for set := range subsets(all, size) {
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
	if c.odd(p) {
		return nil
	}
	_, without := apart(p)
	q := v.withBystanders().newCross(without(p, c.Clues))
	a, err := q.solve(ctx)
	switch {
	case errors.Is(err, solve.ErrUnsolvable):
		return nil
	case err != nil:
		return fmt.Errorf("witness: the proof could not be checked: %w", err)
	}
	return fmt.Errorf("witness: the clues of the proof are met by %v", a)
}

// A Prover says why a panel has no answer.
type Prover struct {
	Rules  rules.Table
	Solver search.Solver
}

// A Conflict is why a panel has no answer: symbols and dots that no line meets
// together, with all others in place, or else Alone. An empty one means that no line
// leads from a start to an end at all.
type Conflict struct {
	Clues []image.Point // half-cells of the symbols and dots, in reading order
	Alone bool          // no line meets them on the panel without any others
	Odd   bool          // since stars stand in twos: see odd
	names []string
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
		parts = append(parts, fmt.Sprintf("%s at %s", c.names[i], solve.PlaceName(at)))
	}
	what := "cannot be met together: "
	if len(parts) == 1 {
		what = "cannot be met by any line: "
	}
	if c.Alone {
		what = "alone, without the other symbols, " + what
	}
	if c.Odd {
		parts = append(parts, "since stars stand in twos with what has their colour, and their number is odd")
	}
	return what + strings.Join(parts, ", ")
}

// odd tells whether a conflict is that stars stand in twos with what has their colour, and an odd
// number has it on the whole panel, all of them stars.
func (c *Conflict) odd(p *board.Panel) bool {
	n := 0
	if len(c.Clues) == 0 || p.Rules.OpenCellsOutside && slices.Contains(p.Outside(), true) {
		return false
	}
	for at := range p.Points() {
		switch s := p.At(at).Symbol; {
		case s.Kind.Erases():
			return false
		case board.IsCell(at) && s.Kind != board.NoSymbol && s.Colour == p.At(c.Clues[0]).Colour:
			if n++; s.Kind != board.Star || !slices.Contains(c.Clues, at) {
				return false
			}
		}
	}
	return n%2 == 1 && n == len(c.Clues)
}

// only is a panel with no other clues than those given.
func only(p *board.Panel, clues []image.Point) *board.Panel {
	q := p.Clone()
	keep := make(map[image.Point]bool, len(clues))
	for _, at := range clues {
		keep[at] = true
	}
	for at := range q.Points() {
		if !keep[at] {
			s := q.At(at)
			s.Symbol, s.Dot = board.Symbol{}, board.Dot{}
		}
	}
	return q
}

// apart tells how clues are looked at apart from the others of their panel: alone where
// it has erasers, which may take others, and else with those standing by.
func apart(p *board.Panel) (alone bool, without func(*board.Panel, []image.Point) *board.Panel) {
	if slices.ContainsFunc(p.Spots, func(s board.Spot) bool { return s.Kind.Erases() }) {
		return true, only
	}
	return false, standBy
}

// cluesOf lists all symbols and dots of a panel.
func cluesOf(p *board.Panel) []image.Point {
	var all []image.Point
	for at := range p.Points() {
		if s := p.At(at); s.Kind != board.NoSymbol || s.Dot.On {
			all = append(all, at)
		}
	}
	return all
}

// A bystander is a symbol that is never wrong, and that stars of its colour
// count.
var bystander = board.NewKind(board.Facts{Name: "bystander", Called: "a bystander"})

// withBystanders is a prover that knows them.
func (v Prover) withBystanders() Prover {
	v.Rules, v.Solver.Rows = maps.Clone(v.Rules), maps.Clone(v.Solver.Rows)
	v.Rules[bystander], v.Solver.Rows[bystander] = nil, search.Row{}
	v.Solver.Last = v.Rules
	return v
}

// standBy is a panel on which every line that meets clues with the others in place
// is right: the others stand by. It is such for clues that include all of the
// panel's pieces or none, on a panel without erasers; squares that stand by are
// suffered beside others.
func standBy(p *board.Panel, clues []image.Point) *board.Panel {
	q := only(p, clues)
	stars, all := make(map[board.Colour]bool), false
	for _, at := range clues {
		s := p.At(at)
		if c := s.Kind.By(); s.Kind == board.Star || c != nil && c.Pick == board.PickSymbol {
			stars[s.Colour] = true
			all = all || c != nil && !c.OwnColour
		}
	}
	for at := range p.Points() {
		if s := p.At(at); board.IsCell(at) && s.Kind != board.NoSymbol && q.At(at).Kind == board.NoSymbol && (all || stars[s.Colour]) {
			q.At(at).Symbol = board.Symbol{Kind: bystander, Colour: s.Colour}
		}
	}
	return q
}
