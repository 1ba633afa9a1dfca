package sat

import (
	"context"
	"errors"
	"iter"
	"math/bits"
	"math/rand/v2"
	"testing"
	"time"

	"onlooker/solve/solvetest"
)

// A formula is a list of constraints that can be both stated and evaluated.
type constraint struct {
	name  string
	lits  []Lit
	k     int
	when  []Lit
	state func(s *Solver, c constraint)
	holds func(trues int, c constraint) bool
}

var constraintKinds = []constraint{
	{name: "clause", state: func(s *Solver, c constraint) { s.Add(c.lits...) },
		holds: func(n int, c constraint) bool { return n > 0 }},
	{name: "clause", state: func(s *Solver, c constraint) { s.Add(c.lits...) },
		holds: func(n int, c constraint) bool { return n > 0 }},
	{name: "at most", state: func(s *Solver, c constraint) { s.AtMost(c.k, c.lits, c.when...) },
		holds: func(n int, c constraint) bool { return n <= c.k }},
	{name: "at least", state: func(s *Solver, c constraint) { s.AtLeast(c.k, c.lits, c.when...) },
		holds: func(n int, c constraint) bool { return n >= c.k }},
	{name: "exactly", state: func(s *Solver, c constraint) { s.Exactly(c.k, c.lits, c.when...) },
		holds: func(n int, c constraint) bool { return n == c.k }},
}

func val(m int, l Lit) bool {
	if l < 0 {
		return m>>(-l-1)&1 == 0
	}
	return m>>(l-1)&1 == 1
}

func (c constraint) eval(m int) bool {
	n := 0
	for _, l := range c.lits {
		if val(m, l) {
			n++
		}
	}
	for _, l := range c.when {
		if !val(m, l) {
			return true
		}
	}
	return c.holds(n, c)
}

// Random formulas over up to 12 variables have exactly the models that trying
// all assignments finds.
func TestAgainstAllAssignments(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	ctx := context.Background()
	none := 0
	for round := range 500 {
		n := 1 + rng.IntN(12)
		var cs []constraint
		for range rng.IntN(8) + 1 {
			c := constraintKinds[rng.IntN(len(constraintKinds))]
			for _, v := range rng.Perm(n)[:1+rng.IntN(n)] {
				l := Lit(v + 1)
				if rng.IntN(2) == 0 {
					l = -l
				}
				if (c.name == "at most" || c.name == "at least" || c.name == "exactly") && rng.IntN(5) == 0 {
					c.when = append(c.when, l)
					continue
				}
				c.lits = append(c.lits, l)
			}
			if c.name == "clause" && len(c.lits) > 3 {
				c.lits = c.lits[:3]
			}
			c.k = rng.IntN(len(c.lits)+3) - 1
			cs = append(cs, c)
		}
		s := New()
		vars := s.Vars(n)
		for _, c := range cs {
			c.state(s, c)
		}
		want := map[int]bool{}
		for m := range 1 << n {
			ok := true
			for _, c := range cs {
				ok = ok && c.eval(m)
			}
			if ok {
				want[m] = true
			}
		}
		if len(want) == 0 {
			none++
		}
		// Under random assumptions first: those must not stay behind.
		a := Lit(1 + rng.IntN(n))
		sat := false
		for m := range want {
			sat = sat || val(m, a)
		}
		got, err := s.Solve(ctx, a)
		if err != nil || got != sat {
			t.Fatalf("round %d: assuming %d: %v, %v, want %v", round, a, got, err, sat)
		}
		if !got && len(want) > 0 && (len(s.Failed()) != 1 || s.Failed()[0] != a) {
			t.Fatalf("round %d: failed assumptions %v, want [%d]", round, s.Failed(), a)
		}
		seen := 0
		for vals, err := range s.Models(ctx, vars...) {
			solvetest.OK(t, err)
			m := 0
			for i, v := range vals {
				if v {
					m |= 1 << i
				}
			}
			if !want[m] {
				t.Fatalf("round %d: model %b twice or not a model of %+v", round, m, cs)
			}
			delete(want, m)
			seen++
		}
		if len(want) > 0 {
			t.Fatalf("round %d: %d models found, %d missed, of %+v", round, seen, len(want), cs)
		}
	}
	if none == 0 || none == 500 {
		t.Errorf("%d of 500 formulas had no model: the test decides nothing", none)
	}
}

func TestEmptyClauseAndUnknownVariable(t *testing.T) {
	s := New()
	s.Add()
	if ok, err := s.Solve(context.Background()); ok || err != nil {
		t.Errorf("empty clause: %v, %v, want no model", ok, err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a literal of an unknown variable was taken")
		}
	}()
	s.Add(5)
}

// pigeons states that n+1 pigeons sit in n holes, one each: no model, and no
// short proof.
func pigeons(s *Solver, n int) {
	holes := make([][]Lit, n)
	for range n + 1 {
		at := s.Vars(n)
		s.Add(at...)
		for h, l := range at {
			holes[h] = append(holes[h], l)
		}
	}
	for _, h := range holes {
		s.AtMost(1, h)
	}
}

// A search that would take minutes ends soon after it is cancelled, and the
// solver works on.
func TestCancel(t *testing.T) {
	s := New()
	pigeons(s, 14)
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	if ok, err := s.Solve(ctx); ok || !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("got %v, %v, want the deadline's error", ok, err)
	}
	s = New()
	pigeons(s, 4)
	if ok, err := s.Solve(context.Background()); ok || err != nil {
		t.Fatalf("4 holes: %v, %v, want no model", ok, err)
	}
}

// Paths between all pairs of vertices of small grids, as many as a plain
// depth-first search counts.
func TestPathCounts(t *testing.T) {
	for _, size := range [][2]int{{1, 4}, {2, 2}, {2, 5}, {3, 3}, {4, 3}} {
		w, h := size[0], size[1]
		var ends [][2]int
		near := make([]uint64, w*h)
		join := func(a, b int) {
			ends = append(ends, [2]int{a, b})
			near[a] |= 1 << b
			near[b] |= 1 << a
		}
		for v := range w * h {
			if v%w+1 < w {
				join(v, v+1)
			}
			if v+w < w*h {
				join(v, v+w)
			}
		}
		var dfs func(v, to int, seen uint64) int
		dfs = func(v, to int, seen uint64) int {
			if v == to {
				return 1
			}
			n := 0
			for m := near[v] &^ seen; m != 0; m &= m - 1 {
				u := bits.TrailingZeros64(m)
				n += dfs(u, to, seen|1<<u)
			}
			return n
		}
		for to := 1; to < w*h; to++ {
			want := dfs(0, to, 1)
			s := New()
			p := s.NewPath(w*h, 0, to, ends)
			got := 0
			for {
				walk := solvetest.Must(p.Solve(context.Background()))(t)
				if walk == nil {
					break
				}
				if walk[0] != 0 || walk[len(walk)-1] != to {
					t.Fatalf("%dx%d to %d: walk %v", w, h, to, walk)
				}
				got++
				s.Block(p.On...)
			}
			solvetest.Same(t, got, want, "%dx%d to %d: paths", w, h, to)
		}
	}
}

// Block forbids the last model's values of the given variables, together.
func (s *Solver) Block(over ...Lit) {
	c := make([]Lit, len(over))
	for i, l := range over {
		c[i] = l
		if s.Value(l) {
			c[i] = -l
		}
	}
	s.Add(c...)
}

// Models yields the models that differ in the given variables, each once, and
// forbids them for good; the values are in the order of over, and valid until
// the next step. After an error nothing more is yielded.
func (s *Solver) Models(ctx context.Context, over ...Lit) iter.Seq2[[]bool, error] {
	return func(yield func([]bool, error) bool) {
		vals := make([]bool, len(over))
		for {
			ok, err := s.Solve(ctx)
			if err != nil {
				yield(nil, err)
				return
			}
			if !ok {
				return
			}
			for i, l := range over {
				vals[i] = s.Value(l)
			}
			s.Block(over...)
			if !yield(vals, nil) {
				return
			}
		}
	}
}
