// Package deal makes panels that have an answer, or have none, and deals the
// Challenge.
package deal

import (
	"context"
	"errors"
	"fmt"
	"image"
	rand "math/rand/v2"
	"slices"

	"onlooker/solve"
	"onlooker/solve/witness/board"
)

// A Deal is what one solve of the Challenge shows: one panel, or three of which
// exactly one has an answer.
type Deal struct {
	Kind     string
	Panels   []*board.Panel
	Solvable int // index of the panel with an answer
}

// A dealKind is one of the Challenge's kinds of panels.
type dealKind struct {
	name   string
	doc    string
	triple bool
	// scatter deals a panel at random, which may have an answer or none.
	scatter func(*dealer)
}

// The kinds in the order of the Challenge. The numbers are those seen in the
// game: "up to n" of something are n draws, of which several may hit one place.
func dealKinds() []dealKind {
	return []dealKind{
		{"maze-3", "3×3 maze, up to 9 cuts", false, func(d *dealer) {
			d.flat(3, 3, image.Pt(0, -1))
			d.cuts(9)
		}},
		{"maze-7", "7×7 maze, 39 to 47 cuts", false, (*dealer).largeMaze},
		{"squares", "4×4, up to 7 white and 4 black squares, up to 5 cuts", false, func(d *dealer) {
			d.flat(4, 4, image.Pt(0, -1))
			d.draws(7, board.IsCell, func(s *board.Spot) { s.Symbol = board.Symbol{Kind: board.Square, Colour: board.White} })
			d.draws(4, board.IsCell, func(s *board.Spot) { s.Symbol = board.Symbol{Kind: board.Square, Colour: board.Black} })
			d.cuts(5)
		}},
		{"pedestal", "5×5 from the top left to the bottom right, up to 25 cuts, 2 dots on edges", false, func(d *dealer) {
			d.p = board.New(5, 5, false)
			d.p.AddStart(image.Pt(0, 0))
			d.p.AddEnd(image.Pt(10, 10), image.Pt(1, 1))
			d.cuts(25)
			d.distinct(2, func(at image.Point, s *board.Spot) bool { return board.IsEdge(at) && s.Gap == board.Whole }, func(s *board.Spot) { s.Dot.On = true })
		}},
		{"polyominoes", "4×4, 2 stars of one colour, 2 upright pieces of another, up to 8 cuts", false, func(d *dealer) {
			d.flat(4, 4, image.Pt(1, -1))
			d.symbols(2, board.Symbol{Kind: board.Star, Colour: board.Magenta})
			for range 2 {
				d.symbols(1, board.Symbol{Kind: board.Polyomino, Colour: board.Yellow, Shape: d.shape(3 + d.rng.IntN(2))})
			}
			d.cuts(8)
		}},
		{"stars", "4×4, 4 green stars, 4 dots on nodes, up to 10 cuts", false, func(d *dealer) {
			d.flat(4, 4, image.Pt(0, -1))
			d.symbols(4, board.Symbol{Kind: board.Star, Colour: board.Green})
			d.distinct(4, func(at image.Point, s *board.Spot) bool { return board.IsNode(at) }, func(s *board.Spot) { s.Dot.On = true })
			d.cuts(10)
		}},
		{"symmetry", "6×6 turned by half, 2 dots of each line and 2 of either, up to 6 cuts", false, func(d *dealer) {
			d.p = board.New(6, 6, false)
			d.p.Symmetry = board.Rotation
			d.p.AddStart(image.Pt(0, 12))
			d.p.AddEnd(image.Pt(0, 0), image.Pt(-1, 0))
			for _, dot := range []board.Dot{{On: true, Line: board.OwnLine, Colour: board.Cyan}, {On: true, Line: board.OtherLine, Colour: board.Orange}, {On: true}} {
				d.distinct(2, func(at image.Point, s *board.Spot) bool { return board.IsNode(at) && !s.Dot.On }, func(s *board.Spot) { s.Dot = dot })
			}
			d.cuts(6)
		}},
		{"column-maze", "7×7 maze, 39 to 47 cuts", false, (*dealer).largeMaze},
		{"triple-2", "three 4×4, 6 white and 6 black squares", true, func(d *dealer) {
			d.flat(4, 4, image.Pt(0, -1))
			d.symbols(6, board.Symbol{Kind: board.Square, Colour: board.White})
			d.symbols(6, board.Symbol{Kind: board.Square, Colour: board.Black})
		}},
		{"triple-3", "three 4×4, 5 white, 2 purple and 2 green squares", true, func(d *dealer) {
			d.flat(4, 4, image.Pt(0, -1))
			d.symbols(5, board.Symbol{Kind: board.Square, Colour: board.White})
			d.symbols(2, board.Symbol{Kind: board.Square, Colour: "purple"})
			d.symbols(2, board.Symbol{Kind: board.Square, Colour: board.Green})
		}},
		{"triangles-6", "4×4, 6 cells of triangles", false, func(d *dealer) { d.triangles(6) }},
		{"triangles-8", "4×4, 8 cells of triangles", false, func(d *dealer) { d.triangles(8) }},
		{"pillar-dots", "a pillar of 6×6, up to 8 dots on edges", false, func(d *dealer) {
			d.pillar()
			d.draws(8, board.IsEdge, func(s *board.Spot) { s.Dot.On = true })
		}},
		{"pillar-squares", "a pillar of 6×6, 3 white and 3 black squares", false, func(d *dealer) {
			d.pillar()
			d.symbols(3, board.Symbol{Kind: board.Square, Colour: board.White})
			d.symbols(3, board.Symbol{Kind: board.Square, Colour: board.Black})
		}},
	}
}

// ChallengeKinds are the names of the Challenge's 14 kinds of panels, in its
// order.
func ChallengeKinds() []string {
	var names []string
	for _, k := range dealKinds() {
		names = append(names, k.name)
	}
	return names
}

// DealChallenge deals the panels of one kind: at random until there is an
// answer, and for a triple the other two until they have none. A failed panel
// of the Challenge comes back as another deal of its kind.
func (d Deck) DealChallenge(ctx context.Context, rng *rand.Rand, kind string) (Deal, error) {
	kinds := dealKinds()
	i := slices.IndexFunc(kinds, func(k dealKind) bool { return k.name == kind })
	if i < 0 {
		return Deal{}, fmt.Errorf("challenge: kind %q, want one of %v", kind, ChallengeKinds())
	}
	deal := Deal{Kind: kind}
	count := 1
	if kinds[i].triple {
		count = 3
		deal.Solvable = rng.IntN(count)
	}
	for n := range count {
		for {
			p := kinds[i].panel(rng)
			_, err := d.Solver.Solve(ctx, p)
			if err != nil && !errors.Is(err, solve.ErrUnsolvable) {
				return Deal{}, fmt.Errorf("challenge: %s: %w", kind, err)
			}
			if (err == nil) == (n == deal.Solvable) {
				deal.Panels = append(deal.Panels, p)
				break
			}
		}
	}
	return deal, nil
}

// panel deals one panel, with an answer or not.
func (k dealKind) panel(rng *rand.Rand) *board.Panel {
	d := &dealer{rng: rng}
	k.scatter(d)
	return d.p
}

// A dealer makes one panel.
type dealer struct {
	rng *rand.Rand
	p   *board.Panel
}

// flat is a panel from the bottom left to the top right.
func (d *dealer) flat(cols, rows int, cap image.Point) {
	d.p = board.New(cols, rows, false)
	d.p.AddStart(image.Pt(0, 2*rows))
	d.p.AddEnd(image.Pt(2*cols, 0), cap)
}

func (d *dealer) largeMaze() {
	d.flat(7, 7, image.Pt(0, -1))
	d.distinct(39+d.rng.IntN(9), func(at image.Point, s *board.Spot) bool { return board.IsEdge(at) && s.Gap == board.Whole }, func(s *board.Spot) { s.Gap = board.Broken })
}

func (d *dealer) triangles(n int) {
	d.flat(4, 4, image.Pt(0, -1))
	for range n {
		d.symbols(1, triangles(1+d.rng.IntN(3)))
	}
}

// pillar is one of the four kinds of pillars; the player's start is given, the
// other line's follows from the symmetry.
func (d *dealer) pillar() {
	d.p = board.New(6, 6, true)
	starts := map[board.Symmetry]int{board.Parallel: 12, board.Turned: 12, board.Mirror: 12, board.Rotation: 0}
	d.p.Symmetry = []board.Symmetry{board.Parallel, board.Turned, board.Mirror, board.Rotation}[d.rng.IntN(4)]
	y := starts[d.p.Symmetry]
	cap := image.Pt(0, -1)
	if y == 0 {
		cap.Y = 1
	}
	d.p.AddStart(image.Pt(2, y))
	d.p.AddEnd(image.Pt(2, 12-y), cap)
}

// draws hits random places of a kind, also twice.
func (d *dealer) draws(n int, is func(image.Point) bool, put func(*board.Spot)) {
	for n > 0 {
		at := image.Pt(d.rng.IntN(d.p.Width()), d.rng.IntN(d.p.Height()))
		if is(at) {
			put(d.p.At(at))
			n--
		}
	}
}

// distinct hits n places that are wanted, and are not wanted any more then.
func (d *dealer) distinct(n int, want func(image.Point, *board.Spot) bool, put func(*board.Spot)) {
	taken := map[image.Point]bool{}
	for n > 0 {
		at := image.Pt(d.rng.IntN(d.p.Width()), d.rng.IntN(d.p.Height()))
		if s := d.p.At(at); want(at, s) && !taken[at] {
			taken[at] = true
			put(s)
			n--
		}
	}
}

// cuts are up to n broken edges, none of them with a dot.
func (d *dealer) cuts(n int) {
	d.draws(n, board.IsEdge, func(s *board.Spot) {
		if !s.Dot.On {
			s.Gap = board.Broken
		}
	})
}

// symbols puts a symbol into n cells that are empty.
func (d *dealer) symbols(n int, symbol board.Symbol) {
	d.distinct(n, func(at image.Point, s *board.Spot) bool { return board.IsCell(at) && s.Kind == board.NoSymbol }, func(s *board.Spot) { s.Symbol = symbol })
}

// shape grows a piece square by square.
func (d *dealer) shape(size int) []image.Point {
	shape := []image.Point{{}}
	for len(shape) < size {
		next := shape[d.rng.IntN(len(shape))].Add(board.Beside()[d.rng.IntN(4)])
		if !slices.Contains(shape, next) {
			shape = append(shape, next)
		}
	}
	return board.NormalShape(shape)
}
