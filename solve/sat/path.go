package sat

import "context"

// A Path states that the true edges of a graph form one simple path between
// two of its vertices. Degrees are clauses; rings beside the path are found in
// a model and forbidden one by one, since few of them ever show.
type Path struct {
	s       *Solver
	From    int      // a vertex
	Ends    [][2]int // the two vertices of each edge
	On      []Lit    // of each edge
	Visited []Lit    // of each vertex
	at      [][]int  // edges at each vertex
}

// NewPath adds the constraints of a path in a graph of n vertices.
func (s *Solver) NewPath(n, from, to int, ends [][2]int) *Path {
	p := &Path{s: s, From: from, Ends: ends, On: s.Vars(len(ends)), Visited: s.Vars(n), at: make([][]int, n)}
	for i, e := range ends {
		p.at[e[0]] = append(p.at[e[0]], i)
		p.at[e[1]] = append(p.at[e[1]], i)
	}
	for v, at := range p.at {
		lits := make([]Lit, len(at))
		for i, e := range at {
			lits[i] = p.On[e]
			s.Implies(p.On[e], p.Visited[v])
		}
		if v == from || v == to {
			s.Add(p.Visited[v])
			s.Exactly(1, lits)
			continue
		}
		s.AtMost(2, lits)
		s.AtLeast(2, lits, p.Visited[v])
	}
	return p
}

// Walk returns the path of the last model, From first, or nil when the model
// also has rings: those are forbidden from now on.
func (p *Path) Walk() []int {
	used := make([]bool, len(p.Ends))
	walk := []int{p.From}
	follow := func(v, stop int) []int {
		var edges []int
	next:
		for {
			for _, e := range p.at[v] {
				if used[e] || !p.s.Value(p.On[e]) {
					continue
				}
				used[e] = true
				edges = append(edges, e)
				v = p.Ends[e][0] + p.Ends[e][1] - v
				if stop < 0 {
					walk = append(walk, v)
				}
				if v == stop {
					return edges
				}
				continue next
			}
			return edges
		}
	}
	follow(p.From, -1)
	ring := false
	for e := range p.Ends {
		if used[e] || !p.s.Value(p.On[e]) {
			continue
		}
		var c []Lit
		for _, e := range follow(p.Ends[e][0], p.Ends[e][0]) {
			c = append(c, -p.On[e])
		}
		p.s.Add(c...)
		ring = true
	}
	if ring {
		return nil
	}
	return walk
}

// Solve is the Solver's Solve, repeated until the model has no rings. It
// returns the path's vertices, or nil when there is no path.
func (p *Path) Solve(ctx context.Context, assume ...Lit) ([]int, error) {
	for {
		ok, err := p.s.Solve(ctx, assume...)
		if !ok || err != nil {
			return nil, err
		}
		if w := p.Walk(); w != nil {
			return w, nil
		}
	}
}
