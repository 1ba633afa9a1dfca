package flow

import (
	"context"
	"image"
	"slices"

	"onlooker/solve"
	"onlooker/solve/limits"
	"onlooker/solve/path"
)

// search is one board written for the engine: a variable for every edge, the
// ends as vertices of degree one, the other cells of degree two, or of none or
// two where they may stay empty.
type search struct {
	p      *Puzzle
	g      *graph
	s      *path.Solver
	colour []int32 // of each node: the pair's number from 1 at ends
	empty  bool    // cells may stay empty here
}

// ofNode is what a search takes at first, in bytes by node: 1,100 were measured
// on a board of 512×512, and conflicts bring more.
const ofNode = 1200

// room is an error where a graph and a search of it are too large.
func (p *Puzzle) room(ctx context.Context) error { return limits.Room(ctx, ofNode*int64(len(p.hole))) }

// newSearch writes the board down. thin forbids three sides of a unit square
// to one path at once, by clauses: by far the strongest help (15×15 boards take
// 0.2 ms with it and 100 ms without), but right only where no path touches
// itself.
func newSearch(ctx context.Context, p *Puzzle, g *graph, empty, thin bool) (*search, error) {
	if err := p.room(ctx); err != nil {
		return nil, err
	}
	x := &search{p: p, g: g, s: path.New(), empty: empty}
	return x, x.s.Build(ctx, func() {
		x.state(thin)
		if p.noTouch {
			x.s.Attach(x)
		}
	})
}

// state is what newSearch says to the engine.
func (x *search) state(thin bool) {
	p, g, s := x.p, x.g, x.s
	s.NewVars(len(g.edges)) // edge i is the literal 2i
	pg := s.Graph()
	x.colour = make([]int32, len(g.cell))
	for i, e := range p.pairs {
		x.colour[e[0]], x.colour[e[1]] = int32(i+1), int32(i+1)
	}
	for v, c := range g.cell {
		k := path.Through
		switch {
		case x.colour[v] > 0:
			k = path.End
		case x.empty || p.hole[c]:
			k = path.Inner
		}
		pg.AddVertex(k, int(x.colour[v]))
	}
	for i, e := range g.edges {
		pg.AddEdge(int(e[0]), int(e[1]), lit(int32(i)))
	}
	if thin {
		var q [3]path.Lit
		g.thin(p, func(edges []int32) {
			for i, e := range edges {
				q[i] = lit(e).Not()
			}
			s.AddClause(q[:len(edges)]...)
		})
	}
}

func lit(e int32) path.Lit { return path.Lit(2 * e) }

// diagonal lists the edges by the diagonals of the cells that they go on from,
// starting in the first cell, or in the first of the last row.
func (g *graph) diagonal(p *Puzzle, fromBelow bool) []path.Lit {
	o := make([]path.Lit, 0, len(g.edges))
	seen := make([]bool, len(g.cell))
	for d := range p.cols + p.rows - 1 {
		for r := max(0, d-p.cols+1); r <= min(d, p.rows-1); r++ {
			i := r*p.cols + d - r
			if fromBelow {
				i = (p.rows-1-r)*p.cols + d - r
			}
			for _, e := range g.adj[i] {
				if f := g.edges[e]; !seen[f[0]] && !seen[f[1]] {
					o = append(o, lit(e))
				}
			}
			seen[i] = true
		}
	}
	return o
}

// Assign, Undo and Propagate make search a path.Propagator; it acts on full
// answers only.
func (x *search) Assign(path.Lit)         {}
func (x *search) Undo(path.Lit)           {}
func (x *search) Propagate(*path.Clauses) {}

// Final refuses an answer in which a path touches itself.
func (x *search) Final(c *path.Clauses) {
	on := func(e int32) bool { return c.Value(lit(e)) > 0 }
	ways := x.ways(on)
	pos := make([]int32, len(x.g.cell))
	owner := make([]int32, len(x.g.cell))
	for i, w := range ways {
		for k, v := range w.nodes {
			pos[v], owner[v] = int32(k), int32(i+1)
		}
	}
	var clause []path.Lit
	for e, f := range x.g.edges {
		if owner[f[0]] == 0 || owner[f[0]] != owner[f[1]] || on(int32(e)) {
			continue
		}
		w := ways[owner[f[0]]-1]
		a, b := pos[f[0]], pos[f[1]]
		// With the edge it is a ring, without it the path touches itself.
		clause = clause[:0]
		for _, e := range w.edges[min(a, b):max(a, b)] {
			clause = append(clause, lit(e).Not())
		}
		c.Add(clause...)
	}
}

// way is a path as nodes and the edges between them.
type way struct{ nodes, edges []int32 }

// ways follows each pair's path from its first end.
func (x *search) ways(on func(int32) bool) []way {
	out := make([]way, 0, len(x.p.pairs))
	for _, pair := range x.p.pairs {
		w := way{nodes: []int32{pair[0]}}
		for v, came := pair[0], int32(-1); ; {
			e := int32(-1)
			for _, f := range x.g.adj[v] {
				if f != came && on(f) {
					e = f
					break
				}
			}
			if e < 0 {
				break
			}
			v, came = x.g.edges[e][0]^x.g.edges[e][1]^v, e
			w.nodes = append(w.nodes, v)
			w.edges = append(w.edges, e)
		}
		out = append(out, w)
	}
	return out
}

// dir is the direction in which an edge leaves node v, zero for a single join.
func (x *search) dir(e, v int32) image.Point {
	d := x.g.dir[e]
	if x.g.edges[e][0] != v {
		return image.Pt(-d.X, -d.Y)
	}
	return d
}

// edges are the literals of all edges.
func (x *search) edges() []path.Lit {
	list := make([]path.Lit, len(x.g.edges))
	for e := range list {
		list[e] = lit(int32(e))
	}
	return list
}

// found are the paths of the answer that x holds.
func (x *search) found() []way {
	return x.ways(func(e int32) bool { return x.s.Value(lit(e)) })
}

// solution writes the paths of the answer that x holds in half-cells. Over a joined border a stroke ends on
// the border and the next begins opposite; over a single join it ends in one
// cell and the next begins in the other.
func (x *search) solution() solve.Solution {
	p, g := x.p, x.g
	out := solve.Solution{}
	for _, w := range x.found() {
		s := solve.Stroke{p.centre(int(g.cell[w.nodes[0]]))}
		for k, e := range w.edges {
			a, b := w.nodes[k], w.nodes[k+1]
			to := p.centre(int(g.cell[b]))
			if g.warp[e] {
				d := x.dir(e, a)
				if d != (image.Point{}) {
					s = append(s, p.centre(int(g.cell[a])).Add(d))
				}
				out = append(out, slices.Clip(s))
				s = nil
				if d != (image.Point{}) {
					s = append(s, to.Sub(d))
				}
			}
			s = append(s, to)
		}
		out = append(out, s)
	}
	return out
}
