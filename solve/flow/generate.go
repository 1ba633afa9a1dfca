package flow

import (
	"context"
	"fmt"
	"image"
	"math/rand/v2"
	"slices"

	"onlooker/solve"
	"onlooker/solve/path"
)

// generate makes a square board whose paths fill every cell.
func generate(rng *rand.Rand, cols, rows int) solve.Puzzle {
	p, err := generateSquare(context.Background(), rng, cols, rows)
	if err != nil {
		panic(err) // a size that is no board: the caller's mistake
	}
	return p
}

// generateSquare is generate; any rectangle of two cells or more can be filled.
func generateSquare(ctx context.Context, rng *rand.Rand, cols, rows int) (*Puzzle, error) {
	b := NewBuilder(Square, cols, rows)
	if cols*rows == 1 { // one cell alone holds no pair
		b.Hole(image.Point{})
	}
	p, err := b.Puzzle()
	if err != nil {
		return nil, err
	}
	return Deal(ctx, rng, p)
}

// Deal puts pairs of ends on a board without any, so that there is an answer
// that fills every cell: paths of one cell grow together at random, as long as they
// do not come to touch themselves, and single cells that remain are taken in by a
// path beside them. Where the board forbids it, no path of the answer touches
// itself. A board with bridges, or that cannot be filled in this way (an isolated
// cell, say) is an error. Square boards get about one pair to six cells.
func Deal(ctx context.Context, rng *rand.Rand, board *Puzzle) (*Puzzle, error) {
	return deal(ctx, rng, board, board.noTouch)
}

func deal(ctx context.Context, rng *rand.Rand, board *Puzzle, noTouch bool) (*Puzzle, error) {
	if len(board.pairs) > 0 {
		return nil, fmt.Errorf("flow: a board with %d pairs, want one without", len(board.pairs))
	}
	if slices.Contains(board.bridge, true) {
		return nil, fmt.Errorf("flow: boards with bridges are not dealt")
	}
	g := graphOf(board)
	// A board can be dealt badly at first and well later; eight failures in
	// a row were not seen on boards that can be dealt at all.
	for range 8 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if pairs, ok := g.deal(rng, board, noTouch); ok {
			p := *board
			p.pairs = pairs
			b := Builder{p: p}
			return b.Puzzle()
		}
	}
	return nil, fmt.Errorf("flow: no paths fill this board: try one without isolated cells")
}

// DealUnique is Deal with exactly one answer in which no path touches itself.
// Where a second answer exists a path is cut in two at an edge that the
// second does not have, until there is none.
func DealUnique(ctx context.Context, rng *rand.Rand, board *Puzzle) (*Puzzle, error) {
	o := board.Options()
	o.NoTouch = true
deals:
	for range 100 {
		p, err := deal(ctx, rng, board, true)
		if err != nil {
			return nil, err
		}
		for {
			x, err := p.With(o).all(ctx)
			if err != nil {
				return nil, err
			}
			var found [][]way
			for ways, err := range path.All(ctx, x.s, x.edges(), x.found) {
				if err != nil {
					return nil, err
				}
				if found = append(found, ways); len(found) == 2 {
					break
				}
			}
			if len(found) == 0 {
				continue deals
			}
			if len(found) == 1 {
				return p, nil
			}
			// The pieces of the first stay paths of it; the second is no
			// answer any more.
			other := make(map[int32]bool)
			for _, w := range found[1] {
				for _, e := range w.edges {
					other[e] = true
				}
			}
			type cut struct{ way, at int }
			var cuts []cut
			for i, w := range found[0] {
				for k := 1; k+1 < len(w.edges); k++ {
					if !other[w.edges[k]] {
						cuts = append(cuts, cut{i, k})
					}
				}
			}
			if len(cuts) == 0 {
				continue deals
			}
			c := cuts[rng.IntN(len(cuts))]
			w := found[0][c.way]
			b := Builder{p: *p}
			b.p.pairs = nil
			for i, v := range found[0] {
				first, last := v.nodes[0], v.nodes[len(v.nodes)-1]
				if i != c.way {
					b.p.pairs = append(b.p.pairs, ordered(first, last))
					continue
				}
				b.p.pairs = append(b.p.pairs, ordered(first, w.nodes[c.at]), ordered(w.nodes[c.at+1], last))
			}
			if p, err = b.Puzzle(); err != nil {
				return nil, err
			}
		}
	}
	return nil, fmt.Errorf("flow: no board with one answer in 100 deals; try a larger one")
}

// A dealing is paths that grow on a board until they cover it.
type dealing struct {
	g     *graph
	p     *Puzzle
	of    []int32    // path of each node
	nodes [][]int32  // by path, in no order; nil: merged into another
	deg   []int      // edges in use
	next  [][2]int32 // neighbours on the path, -1
}

// deal grows the paths; it reports false when single cells remain. noTouch cuts paths that touch themselves.
func (g *graph) deal(rng *rand.Rand, p *Puzzle, noTouch bool) ([][2]int32, bool) {
	n := len(g.cell)
	d := &dealing{g: g, p: p, of: make([]int32, n), nodes: make([][]int32, n), deg: make([]int, n), next: make([][2]int32, n)}
	for v := range n {
		d.of[v] = int32(v)
		d.next[v] = [2]int32{-1, -1}
		if !p.hole[g.cell[v]] {
			d.nodes[v] = []int32{int32(v)}
		}
	}
	d.grow(rng)
	// A single cell with no path's end beside it cuts a path in two.
	for v := range int32(n) {
		if d.nodes[d.of[v]] == nil || len(d.nodes[d.of[v]]) > 1 || p.hole[g.cell[v]] {
			continue
		}
		if !d.takeIn(rng, v) {
			return nil, false
		}
	}
	return d.pairs(rng, noTouch)
}

// link joins two nodes, and their paths.
func (d *dealing) link(u, v int32) {
	d.next[u][d.deg[u]], d.next[v][d.deg[v]] = v, u
	d.deg[u]++
	d.deg[v]++
	a, b := d.of[u], d.of[v]
	if len(d.nodes[a]) < len(d.nodes[b]) {
		a, b = b, a
	}
	for _, x := range d.nodes[b] {
		d.of[x] = a
	}
	d.nodes[a] = append(d.nodes[a], d.nodes[b]...)
	d.nodes[b] = nil
}

// touches tells whether two paths lie side by side elsewhere than at u and v.
func (d *dealing) touches(a, b, u, v int32) bool {
	for _, x := range d.nodes[b] {
		for _, e := range d.g.adj[x] {
			y := d.g.edges[e][0] ^ d.g.edges[e][1] ^ x
			if d.of[y] == a && (x != v || y != u) {
				return true
			}
		}
	}
	return false
}

// grow joins paths over edges in random order: without touching, then single cells to
// what is left.
func (d *dealing) grow(rng *rand.Rand) {
	g := d.g
	edges := rng.Perm(len(g.edges))
	for round := range 2 {
		for _, e := range edges {
			u, v := g.edges[e][0], g.edges[e][1]
			if d.of[u] == d.of[v] || d.deg[u] == 2 || d.deg[v] == 2 {
				continue
			}
			if round == 0 && d.touches(d.of[u], d.of[v], u, v) {
				continue
			}
			if round == 1 && len(d.nodes[d.of[u]]) > 1 && len(d.nodes[d.of[v]]) > 1 {
				continue
			}
			d.link(u, v)
		}
	}
}

// takeIn cuts a path beside a single cell, and joins the cell to one of the
// halves; false where no path can be cut.
func (d *dealing) takeIn(rng *rand.Rand, v int32) bool {
	for _, k := range rng.Perm(len(d.g.adj[v])) {
		e := d.g.edges[d.g.adj[v][k]]
		x := e[0] ^ e[1] ^ v
		for _, y := range d.next[x] {
			// Cut x from y; y's side must keep two cells.
			if d.deg[x] == 2 && d.deg[y] >= 2 {
				d.cut(x, y)
				d.link(v, x)
				return true
			}
		}
	}
	return false
}

// cut takes two nodes apart: y's side becomes a path of its own, under a name that
// is free.
func (d *dealing) cut(x, y int32) {
	drop := func(a, b int32) {
		if d.next[a][0] == b {
			d.next[a][0] = d.next[a][1]
		}
		d.next[a][1] = -1
		d.deg[a]--
	}
	drop(x, y)
	drop(y, x)
	name := int32(-1)
	for i := range int32(len(d.nodes)) {
		if d.nodes[i] == nil && !d.p.hole[d.g.cell[i]] {
			name = i
			break
		}
	}
	old := d.of[y]
	for a, came := y, x; a >= 0; {
		d.of[a] = name
		d.nodes[name] = append(d.nodes[name], a)
		b := d.next[a][0]
		if b == came {
			b = d.next[a][1]
		}
		a, came = b, a
	}
	rest := d.nodes[old][:0:0]
	for _, a := range d.nodes[old] {
		if d.of[a] == old {
			rest = append(rest, a)
		}
	}
	d.nodes[old] = rest
}

// pairs are the ends of the paths, cut where they touch themselves if wanted; false
// where one is a single cell.
func (d *dealing) pairs(rng *rand.Rand, noTouch bool) ([][2]int32, bool) {
	var pairs [][2]int32
	for _, list := range d.nodes {
		if len(list) == 0 {
			continue
		}
		line := d.line(list)
		if line == nil {
			return nil, false
		}
		if !noTouch {
			pairs = append(pairs, ordered(line[0], line[len(line)-1]))
			continue
		}
		for lines := [][]int32{line}; len(lines) > 0; {
			l := lines[0]
			lines = lines[1:]
			k := d.g.cutTouch(rng, l)
			if k < 0 {
				return nil, false
			}
			if k == 0 {
				pairs = append(pairs, ordered(l[0], l[len(l)-1]))
				continue
			}
			lines = append(lines, l[:k], l[k:])
		}
	}
	return pairs, true
}

// line is a path's nodes in order; nil where it has one node alone.
func (d *dealing) line(list []int32) []int32 {
	start := int32(-1)
	for _, v := range list {
		if d.deg[v] < 2 {
			start = v
		}
	}
	if start < 0 || len(list) < 2 {
		return nil
	}
	line := []int32{start}
	for v, came := start, int32(-1); len(line) < len(list); {
		w := d.next[v][0]
		if w == came {
			w = d.next[v][1]
		}
		line = append(line, w)
		v, came = w, v
	}
	return line
}

// cutTouch says where to cut a path that touches itself, into the first k
// nodes and the rest, at least two each: 0 when it does not touch itself, -1 when
// there is no such place.
func (g *graph) cutTouch(rng *rand.Rand, line []int32) int {
	at := make(map[int32]int, len(line))
	for i, v := range line {
		at[v] = i
	}
	for i, v := range line {
		for _, e := range g.adj[v] {
			j, own := at[g.edges[e][0]^g.edges[e][1]^v]
			if !own || j < i+2 {
				continue
			}
			from, to := max(i+1, 2), min(j, len(line)-2)
			if from > to {
				return -1
			}
			return from + rng.IntN(to-from+1)
		}
	}
	return 0
}

func wishes() []solve.Wish {
	return []solve.Wish{
		{Name: "holes", Doc: "cells that are no part of the board"},
		{Name: "walls", Doc: "walls between cells"},
	}
}

// toOrder makes a board whose paths fill every cell; a unique one has a single
// answer in which no path touches itself.
func toOrder(ctx context.Context, rng *rand.Rand, o solve.Order) (solve.Puzzle, error) {
	if len(o.Wishes) == 0 && !o.Unique {
		return generateSquare(ctx, rng, o.Cols, o.Rows)
	}
	// Holes and walls may cut the board into what cannot be filled.
	const tries = 100
	var err error
	for range tries {
		var board, p *Puzzle
		if board, err = empty(rng, o); err != nil {
			return nil, err
		}
		if o.Unique {
			p, err = DealUnique(ctx, rng, board)
		} else {
			p, err = Deal(ctx, rng, board)
		}
		if err == nil {
			return p, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return nil, err
}

// empty is a board without pairs.
func empty(rng *rand.Rand, o solve.Order) (*Puzzle, error) {
	n := o.Wishes
	b := NewBuilder(Square, o.Cols, o.Rows)
	cells := rng.Perm(o.Cols * o.Rows)
	for _, k := range cells[:min(n["holes"], len(cells))] {
		b.Hole(image.Pt(k%o.Cols, k/o.Cols))
	}
	// Each cell's ways to the right and down.
	ways := rng.Perm(2 * o.Cols * o.Rows)
	left := n["walls"]
	for _, k := range ways {
		c := image.Pt(k/2%o.Cols, k/2/o.Cols)
		d := c.Add(image.Pt(k%2, 1-k%2))
		if left > 0 && d.X < o.Cols && d.Y < o.Rows && !b.p.hole[c.Y*o.Cols+c.X] && !b.p.hole[d.Y*o.Cols+d.X] {
			b.Wall(c, d)
			left--
		}
	}
	if left > 0 {
		return nil, fmt.Errorf("flow: no room for %d walls on %d×%d cells", n["walls"], o.Cols, o.Rows)
	}
	return b.Puzzle()
}
