package flow

import (
	"image"
	"slices"
)

// graph is a board as nodes and edges. A cell is one node; a bridge is two,
// the way across (the cell's own number) and the way down (a number after all
// cells).
type graph struct {
	cell  []int32    // of each node; a hole's node has no edges
	edges [][2]int32 // nodes
	// warp marks edges that do not lead to the cell beside: over the border
	// of a torus, or joined one by one.
	warp []bool
	dir  []image.Point // the way from the first node to the second; zero: none
	adj  [][]int32     // edges at each node
}

func graphOf(p *Puzzle) *graph {
	n := p.cols * p.rows
	g := &graph{}
	for i := range n {
		g.cell = append(g.cell, int32(i))
	}
	down := make([]int32, n)
	for i := range n {
		down[i] = int32(i)
		if p.bridge[i] {
			down[i] = int32(len(g.cell))
			g.cell = append(g.cell, int32(i))
		}
	}
	g.edges = make([][2]int32, 0, 3*n)
	g.warp = make([]bool, 0, 3*n)
	g.dir = make([]image.Point, 0, 3*n)
	g.addWays(p, down)
	for _, j := range p.joins {
		g.edges = append(g.edges, j)
		g.warp = append(g.warp, true)
		g.dir = append(g.dir, image.Point{})
	}
	g.listEdges()
	return g
}

// addWays adds an edge from each cell to those beside it, the ways within the
// border first. down is by cell the node of the way down.
func (g *graph) addWays(p *Puzzle, down []int32) {
	wall := make(map[[2]int32]bool, len(p.walls))
	for _, w := range p.walls {
		wall[w] = true
	}
	var known map[[2]int32]bool
	if p.torus { // on two columns or rows both ways lead to the same cell
		known = make(map[[2]int32]bool)
	}
	add := func(i, j int, d image.Point, warp bool) {
		if j < 0 || i == j || p.hole[i] || p.hole[j] {
			return
		}
		key := [2]int32{int32(min(i, j)), int32(max(i, j))}
		if len(wall) > 0 && wall[key] {
			return
		}
		if known != nil {
			if known[key] {
				return
			}
			known[key] = true
		}
		u, v := int32(i), int32(j)
		if d.X == 0 {
			u, v = down[i], down[j]
		}
		g.edges = append(g.edges, [2]int32{u, v})
		g.warp = append(g.warp, warp)
		g.dir = append(g.dir, d)
	}
	for warp := 0; warp < 2; warp++ {
		if warp == 1 && !p.torus {
			break
		}
		for i := range p.cols * p.rows {
			c, r := i%p.cols, i/p.cols
			for _, d := range p.steps(c) {
				if d.X < 0 || d.X == 0 && d.Y < 0 {
					continue // seen from the other cell
				}
				x, y := c+d.X, r+d.Y
				in := x >= 0 && y >= 0 && x < p.cols && y < p.rows
				if in == (warp == 0) {
					add(i, p.at(x, y), d, !in)
				}
			}
		}
	}
}

// listEdges lists the edges at each node.
func (g *graph) listEdges() {
	deg := make([]int, len(g.cell))
	for _, e := range g.edges {
		deg[e[0]]++
		deg[e[1]]++
	}
	g.adj = make([][]int32, len(g.cell))
	all := make([]int32, 2*len(g.edges))
	for i, d := range deg {
		g.adj[i], all = all[:0:d], all[d:]
	}
	for i, e := range g.edges {
		g.adj[e[0]] = append(g.adj[e[0]], int32(i))
		g.adj[e[1]] = append(g.adj[e[1]], int32(i))
	}
}

// between is the edge between two nodes, -1 if there is none.
func (g *graph) between(u, v int32) int32 {
	for _, e := range g.adj[u] {
		if f := g.edges[e]; f[0] == v || f[1] == v {
			return e
		}
	}
	return -1
}

// thin calls f for sets of three edges (two on hexagons) of which a path that does
// not touch itself uses at most two (one): of unit squares with all four sides, and
// of triangles. A path along all but one of the sides passes two neighbours that it
// does not go between. f must not keep the set.
func (g *graph) thin(p *Puzzle, f func(edges []int32)) {
	for i := range p.cols * p.rows {
		c, r := i%p.cols, i/p.cols
		switch p.shape {
		case Square:
			if c+1 >= p.cols || r+1 >= p.rows {
				continue
			}
			a, b, d, e := int32(i), int32(i+1), int32(i+p.cols), int32(i+p.cols+1)
			if p.bridge[a] || p.bridge[b] || p.bridge[d] || p.bridge[e] {
				continue
			}
			q := [4]int32{g.between(a, b), g.between(b, e), g.between(d, e), g.between(a, d)}
			if slices.Min(q[:]) < 0 {
				continue
			}
			for k := range 4 {
				f([]int32{q[k], q[(k+1)%4], q[(k+2)%4]})
			}
		case Hex:
			steps := p.steps(c)
			for x, s := range steps {
				for _, t := range steps[:x] {
					j, k := p.at(c+s.X, r+s.Y), p.at(c+t.X, r+t.Y)
					if j < i || k < i || j == k {
						continue
					}
					q := [3]int32{g.between(int32(i), int32(j)), g.between(int32(j), int32(k)), g.between(int32(k), int32(i))}
					if slices.Min(q[:]) < 0 {
						continue
					}
					for m := range 3 {
						f([]int32{q[m], q[(m+1)%3]})
					}
				}
			}
		}
	}
}
