package path

import (
	"context"
	"errors"
	"testing"

	"onlooker/solve/solvetest"
)

// TestBuild leaves what states a problem when the context ends, and passes on
// any other panic.
func TestBuild(t *testing.T) {
	for name, state := range map[string]func(*Solver){
		"variables":             func(s *Solver) { s.NewVar() },
		"variables in one go":   func(s *Solver) { s.NewVars(10) },
		"clauses":               func(s *Solver) { s.AddClause(0, 2) },
		"vertices of the graph": func(s *Solver) { s.Graph().AddVertex(Inner, 0) },
		"edges of the graph":    func(s *Solver) { s.Graph().AddEdge(0, 1, 0) },
	} {
		s := New()
		s.NewVars(2)
		s.Graph().AddVertex(Inner, 0)
		s.Graph().AddVertex(Inner, 0)
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		n := 0
		err := s.Build(ctx, func() {
			for ; n < 100_000; n++ {
				if n == 50_000 {
					cancel()
				}
				state(s)
			}
		})
		if !errors.Is(err, context.Canceled) || n < 50_000 || n > 60_000 {
			t.Errorf("%s: %d steps, %v, want some 50,000 and %v", name, n, err, context.Canceled)
		}
	}
	s := New()
	if err := s.Build(context.Background(), func() { s.NewVar() }); err != nil || s.Vars() != 1 {
		t.Errorf("%d variables, %v, want 1", s.Vars(), err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a panic was swallowed")
		}
	}()
	s.Build(context.Background(), func() { s.AddClause(100) })
}

// TestPropagationEnds ends a search within its first propagation, which alone
// would go on for a long chain.
func TestPropagationEnds(t *testing.T) {
	const n = 1 << 16
	s := New()
	s.NewVars(n)
	for v := range n - 1 {
		s.AddClause(Lit(2*v).Not(), Lit(2*v+2))
	}
	ctx := &endsLater{Context: context.Background(), after: 2}
	if st, err := s.Solve(ctx, 0); st != Unknown || !errors.Is(err, context.Canceled) {
		t.Fatalf("%v, %v, want %v", st, err, context.Canceled)
	}
	if p := s.Stats().Propagations; p == 0 || p >= n {
		t.Errorf("%d propagations, want fewer than %d", p, n)
	}
	if st, err := s.Solve(context.Background(), 0); st != Sat || err != nil || !s.Value(2*(n-1)) {
		t.Errorf("taken up again: %v, %v", st, err)
	}
}

// TestListingEnds ends a search while clauses of three are listed, again and again:
// the one that is taken up after that knows all of them, each once.
func TestListingEnds(t *testing.T) {
	const n = 3 * mostChunk
	s := New()
	s.NewVars(n + 2)
	for v := range n {
		s.AddClause(Lit(2*v).Not(), Lit(2*v+2).Not(), Lit(2*v+4)) // two true ones in a row make all others true
	}
	ends := 0
	for after := 2; ; after++ {
		st, err := s.Solve(&endsLater{Context: context.Background(), after: after}, 0, 2)
		if st == Sat {
			break
		}
		if st != Unknown || !errors.Is(err, context.Canceled) {
			t.Fatalf("%v, %v, want %v", st, err, context.Canceled)
		}
		if len(s.threes) > 0 {
			ends++
		}
	}
	if ends < 2 {
		t.Errorf("ended %d times while clauses were listed, want 2 or more", ends)
	}
	if !s.Value(2 * (n + 1)) {
		t.Error("the last variable is false, want true")
	}
	listed := 0
	for _, ts := range s.triples {
		listed += len(ts)
	}
	solvetest.Same(t, listed, 3*n, "literals of clauses are listed")
}

// endsLater is a context that ends when it has been asked so often.
type endsLater struct {
	context.Context
	after int
}

func (c *endsLater) Err() error {
	if c.after--; c.after < 0 {
		return context.Canceled
	}
	return nil
}
