package flow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"strings"

	"onlooker/solve"
	"onlooker/solve/path"
)

// proofKind says how a Proof convinces.
type proofKind uint8

const (
	byParity proofKind = iota // the colours of a chessboard
	byPairs                   // some pairs cannot be joined at once
	bySweep                   // all can, but not so that every cell is filled
)

// A Proof is why a board has no answer.
type Proof struct {
	kind   proofKind
	text   string
	colour []int      // byParity: of each node, 0 or 1
	pairs  [][2]int32 // byPairs: those
	where  []image.Point
}

// Text explains the proof.
func (p *Proof) Text() string { return p.text }

// Where lists the ends that it speaks of.
func (p *Proof) Where() []image.Point { return p.where }

// sweepLimit is how many half-drawn pictures CheckProof keeps at once: some
// 100 MB.
const sweepLimit = 1 << 18

// Why says why there is no answer: the colours of a chessboard, or the smallest
// set of pairs that cannot be joined while the other ends stand in the way, or
// else that all pairs can be joined, but not so that every cell is filled. What
// no check can verify is an error that wraps solve.ErrNotSupported: boards that
// are too wide, and those whose only answers touch themselves where that is forbidden.
func (p *Puzzle) Why(ctx context.Context) (solve.Proof, error) {
	if err := p.room(ctx); err != nil {
		return nil, err
	}
	if q := p.parityProof(); q != nil {
		return q, nil
	}
	if _, err := p.Solve(ctx); err == nil {
		return nil, errors.New("flow: the board has an answer, so there is no proof that it has none")
	} else if !errors.Is(err, solve.ErrUnsolvable) {
		return nil, err
	}
	plain := p.With(Options{Any: p.any})
	if x, err := plain.find(ctx, nil); err != nil {
		return nil, err
	} else if x != nil {
		return nil, fmt.Errorf("flow: all answers touch themselves: a proof of that: %w", solve.ErrNotSupported)
	}
	q := &Proof{kind: bySweep, text: "all pairs can be joined at once, but not so that every cell is filled"}
	q.where = p.ends(p.pairs)
	if x, err := p.With(Options{Any: true}).find(ctx, nil); err != nil {
		return nil, err
	} else if x == nil {
		// Leave out one pair after the other, as long as the rest cannot be
		// joined either.
		pairs := slices.Clone(p.pairs)
		for i := 0; i < len(pairs); {
			fewer := slices.Delete(slices.Clone(pairs), i, i+1)
			x, err := p.only(fewer).find(ctx, nil)
			if err != nil {
				return nil, err
			}
			if x == nil {
				pairs = fewer
			} else {
				i++
			}
		}
		q = &Proof{kind: byPairs, pairs: pairs, where: p.ends(pairs), text: p.tellPairs(pairs)}
	}
	if err := p.CheckProof(ctx, q); err != nil {
		return nil, err
	}
	return q, nil
}

// tellPairs says that these pairs cannot be joined.
func (p *Puzzle) tellPairs(pairs [][2]int32) string {
	var names []string
	for i, e := range p.pairs {
		if slices.Contains(pairs, e) {
			a, b := p.point(int(e[0])), p.point(int(e[1]))
			names = append(names, fmt.Sprintf("%s (column %d row %d with column %d row %d)", p.pairName(i), a.X+1, a.Y+1, b.X+1, b.Y+1))
		}
	}
	if len(names) == 1 {
		return "between the other ends there is no path for " + names[0]
	}
	return "cannot be joined at once, even if cells stay empty: " + strings.Join(names, ", ")
}

func (p *Puzzle) ends(pairs [][2]int32) []image.Point {
	var out []image.Point
	for _, e := range pairs {
		out = append(out, p.centre(int(e[0])), p.centre(int(e[1])))
	}
	return out
}

// only is the board with some of its pairs to be joined, cells may stay empty,
// and the other ends are holes.
func (p *Puzzle) only(pairs [][2]int32) *Puzzle {
	q := *p.With(Options{Any: true})
	q.hole = slices.Clone(p.hole)
	for _, e := range p.pairs {
		q.hole[e[0]], q.hole[e[1]] = true, true
	}
	for _, e := range pairs {
		q.hole[e[0]], q.hole[e[1]] = false, false
	}
	q.pairs = pairs
	return &q
}

// colours paints the board's nodes like a chessboard: 0 or 1, all neighbours
// different; nil when that cannot be done.
func (g *graph) colours() []int {
	c := make([]int, len(g.cell))
	for v := range c {
		c[v] = -1
	}
	for start := range c {
		if c[start] >= 0 {
			continue
		}
		c[start] = 0
		for todo := []int32{int32(start)}; len(todo) > 0; {
			v := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for _, e := range g.adj[v] {
				w := g.edges[e][0] ^ g.edges[e][1] ^ v
				if c[w] == c[v] {
					return nil
				}
				if c[w] < 0 {
					c[w] = 1 - c[v]
					todo = append(todo, w)
				}
			}
		}
	}
	return c
}

// parityProof compares the cells of each colour
// with what the paths can cover: one more of a colour for each pair with both
// ends on it.
func (p *Puzzle) parityProof() *Proof {
	if p.any {
		return nil
	}
	g := graphOf(p)
	c := g.colours()
	if c == nil {
		return nil
	}
	diff := p.imbalance(g, c)
	if diff == 0 {
		return nil
	}
	return &Proof{kind: byParity, colour: c, where: p.ends(p.pairs),
		text: "painted like a chessboard, a path covers as many cells of one colour as of the other, one more of a colour when both its ends are on it; " +
			fmt.Sprintf("on this board the two colours then differ by %d", max(diff, -diff))}
}

// imbalance is how many more nodes of colour 0 than of colour 1 there are,
// beyond those that the pairs' paths cover.
func (p *Puzzle) imbalance(g *graph, c []int) int {
	diff := 0
	for v, k := range c {
		if !p.hole[g.cell[v]] {
			diff += 1 - 2*k
		}
	}
	for _, e := range p.pairs {
		if a, b := c[e[0]], c[e[1]]; a == b {
			diff -= 1 - 2*a
		}
	}
	return diff
}

// CheckProof verifies a proof anew: it looks at the colours of all
// neighbours and counts them, or draws all paths
// row by row with path.Sweep, which shares nothing with the search.
func (p *Puzzle) CheckProof(ctx context.Context, proof solve.Proof) error {
	q, ok := proof.(*Proof)
	if !ok {
		return fmt.Errorf("flow: a %T, want a proof of this family", proof)
	}
	board := p.With(Options{Any: p.any})
	switch q.kind {
	case byParity:
		g := graphOf(p)
		if len(q.colour) != len(g.cell) || p.any {
			return fmt.Errorf("flow: colours for %d nodes, want one for each of %d on a board that is to be filled", len(q.colour), len(g.cell))
		}
		for _, c := range q.colour {
			if c != 0 && c != 1 {
				return fmt.Errorf("flow: colour %d, want 0 or 1", c)
			}
		}
		for _, e := range g.edges {
			if q.colour[e[0]] == q.colour[e[1]] {
				return fmt.Errorf("flow: neighbours %d and %d are of one colour: no proof", e[0], e[1])
			}
		}
		if p.imbalance(g, q.colour) == 0 {
			return errors.New("flow: the colours agree: no proof")
		}
		return nil
	case byPairs:
		for _, e := range q.pairs {
			if !slices.Contains(p.pairs, e) {
				return fmt.Errorf("flow: cells %d and %d are no pair of this board", e[0], e[1])
			}
		}
		board = p.only(q.pairs)
	}
	plan, order := board.plan()
	n, err := path.Sweep(ctx, plan, order, sweepLimit)
	switch {
	case errors.Is(err, path.ErrTooWide):
		return fmt.Errorf("flow: a check of the proof on %d×%d cells: %w", p.cols, p.rows, solve.ErrNotSupported)
	case err != nil:
		return err
	case n > 0:
		return fmt.Errorf("flow: %d answers: no proof", n)
	}
	return nil
}

// plan is the board for a sweep along its longer side.
func (p *Puzzle) plan() (path.Plan, []int) {
	g := graphOf(p)
	var plan path.Plan
	var order []int
	for v, c := range g.cell {
		k := path.Through
		if p.any || p.hole[c] {
			k = path.Inner
		}
		plan.Kinds = append(plan.Kinds, k)
		order = append(order, v)
	}
	plan.Colours = make([]int, len(g.cell))
	for i, e := range p.pairs {
		for _, v := range e {
			plan.Kinds[v], plan.Colours[v] = path.End, i+1
		}
	}
	for _, e := range g.edges {
		plan.Edges = append(plan.Edges, [2]int{int(e[0]), int(e[1])})
	}
	slices.SortStableFunc(order, func(a, b int) int {
		c, d := p.point(int(g.cell[a])), p.point(int(g.cell[b]))
		if p.cols > p.rows {
			return cmp.Or(c.X-d.X, c.Y-d.Y, a-b)
		}
		return cmp.Or(c.Y-d.Y, c.X-d.X, a-b)
	})
	return plan, order
}
