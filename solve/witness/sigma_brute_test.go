package witness_test

import (
	"fmt"
	"image"
	rand "math/rand/v2"
	"slices"
	"testing"

	"onlooker/solve/solvetest"
	"onlooker/solve/witness/board"
)

// The brute force's account of the randomizers' symbols, from their rules as people
// tell them, and nothing of their columns.

func sigmaKinds() []board.Kind {
	return []board.Kind{board.Arrow, board.AntiTriangle, board.Cave, board.Mines, board.Flower, board.Dart}
}

func ofSigma(k board.Kind) bool { return slices.Contains(sigmaKinds(), k) }

// holds tells whether such a symbol is right where these things stand in its region.
func (a *area) holds(at image.Point, standing []image.Point) bool {
	d, p := a.d, a.d.p
	s := p.At(at)
	cell := func(q image.Point) bool { return p.In(q) && !d.outside[p.Wrap(q)] }
	n := 0
	switch s.Kind {
	case board.Arrow:
		for k := 1; p.In(at.Add(s.Way.Mul(k))); k += 2 {
			if k > 1 && p.Wrap(at.Add(s.Way.Mul(k))) == p.Wrap(at.Add(s.Way)) {
				break
			}
			if d.covered(at.Add(s.Way.Mul(k))) {
				n++
			}
		}
	case board.AntiTriangle:
		for _, way := range []image.Point{{X: 1, Y: 1}, {X: 1, Y: -1}, {X: -1, Y: 1}, {X: -1, Y: -1}} {
			if d.turnsAt(p.Wrap(at.Add(way))) {
				n++
			}
		}
	case board.Cave:
		seen := map[image.Point]bool{at: true}
		for _, way := range ways {
			for q := at; ; {
				side := q.Add(way)
				if q = side.Add(way); d.covered(side) || !cell(q) || p.Wrap(q) == at {
					break
				}
				seen[p.Wrap(q)] = true
			}
		}
		n = len(seen)
	case board.Mines:
		seen := map[image.Point]bool{at: true}
		for dy := -2; dy <= 2; dy += 2 {
			for dx := -2; dx <= 2; dx += 2 {
				q := at.Add(image.Pt(dx, dy))
				if cell(q) && !seen[p.Wrap(q)] && !slices.Contains(a.cells, p.Wrap(q)) {
					n++
				}
				seen[p.Wrap(q)] = true
			}
		}
	case board.Dart:
		for q := at.Add(s.Way.Mul(2)); cell(q) && p.Wrap(q) != at; q = q.Add(s.Way.Mul(2)) {
			if slices.Contains(a.cells, p.Wrap(q)) {
				n++
			}
		}
	case board.Flower:
		row, column, other := 0, 0, 0
		for _, q := range standing {
			switch {
			case q == at || p.At(q).Colour != s.Colour:
			case q.Y == at.Y:
				row++
			case q.X == at.X:
				column++
			default:
				other++
			}
		}
		return other == 0 && (row > 0) != (column > 0)
	}
	return n == s.Count
}

// turnsAt tells whether either line turns at a node, the cap that it leaves by
// included.
func (d *drawing) turnsAt(node image.Point) bool {
	bends := func(path []image.Point, cap image.Point) bool {
		for i, q := range path {
			if d.p.Wrap(q) != node {
				continue
			}
			var level, upright bool
			note := func(way image.Point) { level, upright = level || way.X != 0, upright || way.Y != 0 }
			if i > 0 {
				note(q.Sub(path[i-1]))
			}
			if i+1 < len(path) {
				note(path[i+1].Sub(q))
			} else {
				note(cap)
			}
			return level && upright
		}
		return false
	}
	last := d.path[len(d.path)-1]
	if bends(d.path, d.p.At(last).Cap) {
		return true
	}
	if d.p.Symmetry == board.NoSymmetry {
		return false
	}
	// Every way along the image runs along the same axis as the line's.
	var image []image.Point
	q, _ := d.p.Image(node)
	for i, at := range d.path {
		if d.p.Wrap(at) == q {
			image = d.path[max(0, i-1):min(len(d.path), i+2)]
		}
	}
	if image == nil {
		return false
	}
	node = q
	if to, _ := d.p.Image(last); d.p.Wrap(last) == q {
		return bends(d.path, d.p.At(to).Cap)
	}
	return bends(d.path, last.Sub(last))
}

// sigmaPanel is a tiny board of some of these symbols, and others where they are
// mixed.
func sigmaPanel(rng *rand.Rand, kinds []board.Kind, mixed bool) *board.Panel {
	rules := board.Sigma
	if rng.IntN(3) == 0 {
		rules = board.RuleSets()[rng.IntN(4)]
	}
	if rng.IntN(6) == 0 {
		rules.FixedNew = true
	}
	p := tinyPanel(rng, rules)
	for at := range p.Points() {
		if !board.IsCell(at) {
			continue
		}
		s := p.At(at)
		if !mixed {
			s.Symbol = board.Symbol{}
		}
		if rng.IntN(5) > 1 {
			continue
		}
		k := kinds[rng.IntN(len(kinds))]
		s.Symbol = k.Sample(rng)
		s.Colour = []board.Colour{board.White, board.Black}[rng.IntN(2)]
		if k == board.Arrow || k == board.AntiTriangle || k == board.Dart { // mostly few
			s.Count = 1 + min(rng.IntN(4), rng.IntN(4))
		}
		if k == board.Cave || k == board.Mines {
			s.Count = min(k.About().Most, k.About().Least()+min(rng.IntN(6), rng.IntN(6)))
		}
	}
	return p
}

// Each symbol alone and mixed with all others: as the brute force says. 150 boards
// each, or as often as more is asked for.
func TestSigmaAgainstBruteForce(t *testing.T) {
	boards := 150 * uint64(solvetest.More())
	lists := [][]board.Kind{sigmaKinds()}
	for _, k := range sigmaKinds() {
		lists = append(lists, []board.Kind{k})
	}
	for i, kinds := range lists {
		for _, mixed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%v/mixed=%t", kinds, mixed), func(t *testing.T) {
				sum := sideBySide(t, boards, func(seed uint64, sum *tally) []string {
					return compare(t.Context(), sigmaPanel(rand.New(rand.NewPCG(seed, uint64(200+i))), kinds, mixed), sum)
				})
				if sum.solvable < sum.boards/20 {
					t.Errorf("%d of %d boards have an answer: the sample decides little", sum.solvable, sum.boards)
				}
			})
		}
	}
}
