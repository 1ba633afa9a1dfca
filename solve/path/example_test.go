package path_test

import (
	"context"
	"fmt"

	"onlooker/solve/path"
)

// Two colours on a grid of 3×2 cells, every cell on a path:
//
//	a . b
//	a . b
func Example() {
	s := path.New()
	g := s.Graph()
	ends := []int{1, 0, 2, 1, 0, 2} // colours
	for _, c := range ends {
		if c > 0 {
			g.AddVertex(path.End, c)
		} else {
			g.AddVertex(path.Through, 0)
		}
	}
	var edges [][2]int
	join := func(u, v int) {
		g.AddEdge(u, v, s.NewVar())
		edges = append(edges, [2]int{u, v})
	}
	for r := range 2 {
		join(3*r, 3*r+1)
		join(3*r+1, 3*r+2)
	}
	for c := range 3 {
		join(c, c+3)
	}
	status, err := s.Solve(context.Background())
	fmt.Println(status, err)
	for e, ends := range edges {
		if s.Value(path.Lit(2 * e)) {
			fmt.Print(ends[0], "-", ends[1], " ")
		}
	}
	// Output:
	// sat <nil>
	// 1-2 4-5 0-3 1-4
}

// All paths from the first corner of a 3×3 grid to the last. The ends are
// chosen by edges to MayEnd vertices, as where a board has several exits.
func ExampleSolver_Each() {
	s := path.New()
	g := s.Graph()
	for range 9 {
		g.AddVertex(path.Inner, 0)
	}
	var edges []path.Lit
	join := func(u, v int) path.Lit {
		l := s.NewVar()
		g.AddEdge(u, v, l)
		edges = append(edges, l)
		return l
	}
	for r := range 3 {
		for c := range 3 {
			if c < 2 {
				join(3*r+c, 3*r+c+1)
			}
			if r < 2 {
				join(3*r+c, 3*r+c+3)
			}
		}
	}
	g.Single()
	s.AddClause(join(0, g.AddVertex(path.MayEnd, 0)))
	s.AddClause(join(8, g.AddVertex(path.MayEnd, 0)))

	n := 0
	status, err := s.Each(context.Background(), func() []path.Lit {
		n++
		var not []path.Lit // a path is told apart by the edges on it
		for _, l := range edges {
			if s.Value(l) {
				not = append(not, l.Not())
			}
		}
		return not
	})
	fmt.Println(n, status, err)
	// Output: 12 unsat <nil>
}

// atMost lets at most k of some literals be true.
type atMost struct {
	k    int
	in   map[path.Lit]bool
	true []path.Lit
}

func (a *atMost) Assign(l path.Lit) {
	if a.in[l] {
		a.true = append(a.true, l)
	}
}

func (a *atMost) Undo(l path.Lit) {
	if a.in[l] {
		a.true = a.true[:len(a.true)-1]
	}
}

func (a *atMost) Propagate(c *path.Clauses) {
	if len(a.true) > a.k {
		var not []path.Lit
		for _, l := range a.true[:a.k+1] {
			not = append(not, l.Not())
		}
		c.Add(not...)
	}
}

func (a *atMost) Final(*path.Clauses) {}

// A rule of one's own in the search: at most two of four.
func ExamplePropagator() {
	s := path.New()
	rule := &atMost{k: 2, in: map[path.Lit]bool{}}
	var x []path.Lit
	for range 4 {
		l := s.NewVar()
		x = append(x, l)
		rule.in[l] = true
	}
	s.Attach(rule)
	fmt.Println(s.Solve(context.Background(), x[0], x[3]))
	fmt.Println(s.Solve(context.Background(), x[0], x[1], x[3]))
	fmt.Println(len(s.Failed()))
	// Output:
	// sat <nil>
	// unsat <nil>
	// 3
}
