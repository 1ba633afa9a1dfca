package proof

import (
	"fmt"
	"image"
	"maps"
	"strings"

	"onlooker/solve"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/rules"
	"onlooker/solve/witness/search"
)

// A Prover says why a panel has no answer.
type Prover struct {
	Rules  rules.Table
	Solver search.Solver
}

// A Conflict is why a panel has no answer: symbols and dots that no line meets
// together, with all others in place (see inplace.go), or else Alone. An empty one
// means that no line leads from a start to an end at all.
type Conflict struct {
	Clues []image.Point // half-cells of the symbols and dots, in reading order
	Alone bool          // no line meets them on the panel without any others
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
	return what + strings.Join(parts, ", ")
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
