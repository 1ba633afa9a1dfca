package path

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"onlooker/solve/solvetest"
)

// board is one random instance, kept apart from the Solver so that the brute
// force shares nothing with it.
type board struct {
	vars    int
	clauses [][]int // v+1 or -(v+1)
	kinds   []Kind
	colours []int
	edges   [][3]int // u, v, literal as in clauses
	single  bool
}

func (b *board) lit(x int) Lit {
	if x < 0 {
		return Lit(2*(-x-1) + 1)
	}
	return Lit(2 * (x - 1))
}

func (b *board) holds(x int, bits int) bool {
	if x < 0 {
		return bits>>(-x-1)&1 == 0
	}
	return bits>>(x-1)&1 == 1
}

// valid plays an assignment by the rules in the documentation.
func (b *board) valid(bits int) bool {
	for _, c := range b.clauses {
		if !slices.ContainsFunc(c, func(x int) bool { return b.holds(x, bits) }) {
			return false
		}
	}
	n := len(b.kinds)
	deg := make([]int, n)
	next := make([][]int, n)
	for _, e := range b.edges {
		if b.holds(e[2], bits) {
			deg[e[0]]++
			deg[e[1]]++
			next[e[0]] = append(next[e[0]], e[1])
			next[e[1]] = append(next[e[1]], e[0])
		}
	}
	for v, k := range b.kinds {
		ok := false
		switch k {
		case Inner:
			ok = deg[v] == 0 || deg[v] == 2
		case Through:
			ok = deg[v] == 2
		case End:
			ok = deg[v] == 1
		case MayEnd:
			ok = deg[v] <= 1
		}
		if !ok {
			return false
		}
	}
	// With degrees right every component is a path or a cycle; a path has
	// one edge fewer than vertices.
	seen := make([]bool, n)
	paths := 0
	for v := range n {
		if seen[v] || deg[v] == 0 {
			continue
		}
		var comp []int
		todo := []int{v}
		seen[v] = true
		sum := 0
		for len(todo) > 0 {
			x := todo[0]
			todo = todo[1:]
			comp = append(comp, x)
			sum += deg[x]
			for _, y := range next[x] {
				if !seen[y] {
					seen[y] = true
					todo = append(todo, y)
				}
			}
		}
		if sum/2 != len(comp)-1 {
			return false
		}
		paths++
		var ends []int
		for _, x := range comp {
			if deg[x] == 1 {
				ends = append(ends, b.colours[x])
			}
		}
		if len(ends) != 2 || ends[0] != ends[1] && ends[0] != 0 && ends[1] != 0 {
			return false
		}
	}
	return !b.single || paths <= 1
}

func (b *board) solver() *Solver {
	s := New()
	s.NewVars(b.vars)
	for _, c := range b.clauses {
		var ls []Lit
		for _, x := range c {
			ls = append(ls, b.lit(x))
		}
		s.AddClause(ls...)
	}
	if len(b.kinds) > 0 {
		g := s.Graph()
		for i, k := range b.kinds {
			g.AddVertex(k, b.colours[i])
		}
		for _, e := range b.edges {
			g.AddEdge(e[0], e[1], b.lit(e[2]))
		}
		if b.single {
			g.Single()
		}
	}
	return s
}

func randomClauses(r *rand.Rand, b *board, n int) {
	for range n {
		var c []int
		for range 1 + r.IntN(4) {
			x := 1 + r.IntN(b.vars)
			if r.IntN(2) == 0 {
				x = -x
			}
			c = append(c, x)
		}
		b.clauses = append(b.clauses, c)
	}
}

// randomBoard makes a board of at most 14 variables, so that all assignments
// can be tried.
func randomBoard(r *rand.Rand) *board {
	for {
		if b := anyBoard(r); b.vars <= 14 {
			return b
		}
	}
}

// anyBoard makes grids (where paths meet and cycles arise) and random
// multigraphs, some with literals that several edges share.
func anyBoard(r *rand.Rand) *board {
	b := &board{}
	var pairs [][2]int
	if r.IntN(2) == 0 {
		w, h := 1+r.IntN(4), 1+r.IntN(3)
		for i := range w * h {
			if i%w+1 < w {
				pairs = append(pairs, [2]int{i, i + 1})
			}
			if i+w < w*h {
				pairs = append(pairs, [2]int{i, i + w})
			}
		}
		b.kinds = make([]Kind, w*h)
	} else {
		n := 2 + r.IntN(6)
		for range 1 + r.IntN(13) {
			u, v := r.IntN(n), r.IntN(n)
			if u != v {
				pairs = append(pairs, [2]int{u, v})
			}
		}
		b.kinds = make([]Kind, n)
	}
	b.colours = make([]int, len(b.kinds))
	through := r.IntN(3) == 0
	for i := range b.kinds {
		b.colours[i] = r.IntN(3)
		switch x := r.IntN(10); {
		case x < 2:
			b.kinds[i] = End
		case x < 3 || !through && x < 5:
			b.kinds[i] = MayEnd
		case through || x < 6:
			b.kinds[i] = Through
		}
	}
	shared := r.IntN(4) == 0
	for _, p := range pairs {
		x := 0
		if shared && b.vars > 1 && r.IntN(3) == 0 {
			x = 1 + r.IntN(b.vars)
			if r.IntN(5) == 0 {
				x = -x
			}
		} else {
			b.vars++
			x = b.vars
		}
		b.edges = append(b.edges, [3]int{p[0], p[1], x})
	}
	if b.vars == 0 {
		b.vars = 1
	}
	if r.IntN(2) == 0 {
		randomClauses(r, b, r.IntN(4))
	}
	if r.IntN(4) == 0 { // a single path needs two ends that may be its ends
		b.single = true
	}
	return b
}

// all visits every assignment and returns them sorted.
func all(t *testing.T, s *Solver, vars int) []int {
	t.Helper()
	var got []int
	st, err := s.Each(context.Background(), func() []Lit {
		bits := 0
		block := []Lit{}
		for v := range vars {
			l := Lit(2 * v)
			if s.Value(l) {
				bits |= 1 << v
				l ^= 1
			}
			block = append(block, l)
		}
		got = append(got, bits)
		return block
	})
	if st != Unsat || err != nil {
		t.Fatalf("Each ended with %v, %v; want unsat", st, err)
	}
	slices.Sort(got)
	return got
}

func TestCountsAgainstBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rounds := 6000
	if testing.Short() {
		rounds = 600
	}
	kinds := map[bool]int{}
	for i := range rounds {
		b := randomBoard(r)
		if i%4 == 0 { // clauses alone
			b = &board{vars: 1 + r.IntN(12)}
			randomClauses(r, b, r.IntN(5*b.vars))
		}
		var want []int
		for bits := range 1 << b.vars {
			if b.valid(bits) {
				want = append(want, bits)
			}
		}
		kinds[len(want) > 0]++
		s := b.solver()
		if got := all(t, s, b.vars); !slices.Equal(got, want) {
			t.Fatalf("round %d: got %b, want %b\n%+v", i, got, want, b)
		}
		// A second solver decides the same under assumptions.
		s = b.solver()
		for range 3 {
			var as []Lit
			mask, bits := 0, 0
			for v := range b.vars {
				if r.IntN(3) == 0 {
					mask |= 1 << v
					l := Lit(2 * v)
					if r.IntN(2) == 0 {
						l ^= 1
					} else {
						bits |= 1 << v
					}
					as = append(as, l)
				}
			}
			able := slices.ContainsFunc(want, func(w int) bool { return w&mask == bits })
			st, err := s.Solve(context.Background(), as...)
			if err != nil || (st == Sat) != able {
				t.Fatalf("round %d, assuming %v: %v, %v; want able %v\n%+v", i, as, st, err, able, b)
			}
			if st == Sat {
				got := 0
				for v := range b.vars {
					if s.Value(Lit(2 * v)) {
						got |= 1 << v
					}
				}
				if !slices.Contains(want, got) || got&mask != bits {
					t.Fatalf("round %d, assuming %v: %b is none of %b\n%+v", i, as, got, want, b)
				}
				continue
			}
			fm, fb := 0, 0
			for _, l := range s.Failed() {
				if !slices.Contains(as, l) {
					t.Fatalf("round %d: failed %v is no assumption of %v", i, l, as)
				}
				fm |= 1 << l.Var()
				if !l.Negated() {
					fb |= 1 << l.Var()
				}
			}
			if slices.ContainsFunc(want, func(w int) bool { return w&fm == fb }) {
				t.Fatalf("round %d, assuming %v: failed %v can be met\n%+v", i, as, s.Failed(), b)
			}
		}
	}
	if kinds[true] < rounds/5 || kinds[false] < rounds/10 {
		t.Fatalf("%v: too few boards with, or without, an answer to mean anything", kinds)
	}
}

// odd demands that the number of true literals among the first n is odd; it
// implies the last open one, explained on demand, or adds the clause itself.
type odd struct {
	n     int
	val   []int
	lazy  bool
	trail []Lit
}

func (o *odd) Assign(l Lit) {
	o.trail = append(o.trail, l)
	if l.Var() < o.n {
		o.val[l.Var()] = 1
		if l.Negated() {
			o.val[l.Var()] = -1
		}
	}
}

func (o *odd) Undo(l Lit) {
	if o.trail[len(o.trail)-1] != l {
		panic("undone out of order")
	}
	o.trail = o.trail[:len(o.trail)-1]
	if l.Var() < o.n {
		o.val[l.Var()] = 0
	}
}

func (o *odd) state() (open, sum int) {
	open = -1
	for v, x := range o.val {
		if x == 0 {
			if open >= 0 {
				return -2, 0
			}
			open = v
		}
		if x == 1 {
			sum++
		}
	}
	return open, sum
}

func (o *odd) clause(skip int) []Lit {
	var c []Lit
	for v, x := range o.val {
		if v != skip {
			l := Lit(2 * v)
			if x == 1 {
				l ^= 1
			}
			c = append(c, l)
		}
	}
	return c
}

func (o *odd) Propagate(c *Clauses) {
	open, sum := o.state()
	if open < 0 || !o.lazy {
		return
	}
	l := Lit(2 * open)
	if sum%2 == 1 {
		l ^= 1
	}
	c.Imply(o, l, open)
}

func (o *odd) Explain(l Lit, tag int, out []Lit) []Lit {
	return append(out, o.clause(tag)...)
}

func (o *odd) Final(c *Clauses) {
	if _, sum := o.state(); sum%2 == 0 {
		c.Lemma(o.clause(-1)...)
	}
}

func TestPropagator(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 1500 {
		b := randomBoard(r)
		o := &odd{n: 1 + r.IntN(b.vars), lazy: i%2 == 0}
		o.val = make([]int, o.n)
		var want []int
		for bits := range 1 << b.vars {
			n := 0
			for v := range o.n {
				n += bits >> v & 1
			}
			if n%2 == 1 && b.valid(bits) {
				want = append(want, bits)
			}
		}
		s := b.solver()
		s.Attach(o)
		if got := all(t, s, b.vars); !slices.Equal(got, want) {
			t.Fatalf("round %d, odd %d: got %b, want %b\n%+v", i, o.n, got, want, b)
		}
	}
}

// pigeons says that n+1 pigeons sit in n holes: hard for any solver of this
// kind, so that a search can be ended, and clauses are forgotten.
func pigeons(n int) *Solver {
	s := New()
	x := func(p, h int) Lit { return Lit(2 * (p*n + h)) }
	s.NewVars((n + 1) * n)
	for p := range n + 1 {
		var c []Lit
		for h := range n {
			c = append(c, x(p, h))
		}
		s.AddClause(c...)
	}
	for h := range n {
		for p := range n + 1 {
			for q := range p {
				s.AddClause(x(p, h).Not(), x(q, h).Not())
			}
		}
	}
	return s
}

func TestPigeons(t *testing.T) {
	s := pigeons(7)
	s.nextReduce = 100 // forget early, so that forgetting is tested
	if st, err := s.Solve(context.Background()); st != Unsat || err != nil {
		t.Fatalf("got %v, %v; want unsat", st, err)
	}
	if s.Stats().Forgotten == 0 {
		t.Error("nothing was forgotten; the test wants a search that forgets")
	}
}

// TestListingForgetsNothing: answers visited are not visited again, however many clauses are
// forgotten in between; and a clause that the answer meets is no way to go on.
func TestListingForgetsNothing(t *testing.T) {
	s := New()
	s.NewVars(11)
	s.AddClause(0, 2, 4)
	s.nextReduce = 10
	if got := all(t, s, 11); len(slices.Compact(got)) != len(got) || len(got) != 7<<8 {
		t.Errorf("%d answers, %d of them once, want %d", len(got), len(slices.Compact(got)), 7<<8)
	}
	if s.Stats().Forgotten == 0 {
		t.Error("nothing was forgotten; the test wants a listing that forgets")
	}
	defer func() {
		if recover() == nil {
			t.Error("a clause that the answer meets was taken")
		}
	}()
	s = New()
	s.NewVars(2)
	s.AddClause(0)
	_, _ = s.Each(t.Context(), func() []Lit { return []Lit{0} })
}

func TestMeter(t *testing.T) {
	var told []float64
	m := NewMeter(func(done, estimate float64) {
		told = append(told, done)
		if estimate != 0 && estimate < done {
			t.Errorf("%v conflicts of perhaps %v", done, estimate)
		}
	})
	a, b := pigeons(7), pigeons(7)
	for _, s := range []*Solver{a, b} {
		m.Add(s)
		s.OnReport(func() {
			m.last = time.Time{} // as if half a second had gone by
			m.Tick(s)
		})
		if st, err := s.Solve(context.Background()); st != Unsat || err != nil {
			t.Fatalf("got %v, %v; want unsat", st, err)
		}
	}
	if len(told) < 2 || told[len(told)-1] < float64(a.Stats().Conflicts) {
		t.Errorf("told %v, want at last more than the first search's %d", told, a.Stats().Conflicts)
	}
	if NewMeter(nil) != nil {
		t.Error("a meter that tells nobody")
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s := pigeons(12)
	calls := 0
	s.OnReport(func() {
		if p := s.Progress(); p < 0 || p > 1 {
			t.Errorf("progress %v, want 0 to 1", p)
		}
		if calls++; calls == 3 {
			cancel()
		}
	})
	st, err := s.Solve(ctx)
	if st != Unknown || !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, %v; want unknown and the context's error", st, err)
	}
	solvetest.Same(t, calls, 3, "%d reports after the end", calls-3)
	late, stop := context.WithTimeout(context.Background(), time.Millisecond)
	defer stop()
	if st, err := s.Solve(late); st != Unknown || !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("got %v, %v; want unknown and the deadline", st, err)
	}
}

func TestSameAnswerTwice(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		b := randomBoard(r)
		var first []int
		for k := range 3 {
			s := b.solver()
			var got []int
			s.Each(context.Background(), func() []Lit {
				n := 0
				block := []Lit{}
				for v := range b.vars {
					l := Lit(2 * v)
					if s.Value(l) {
						n |= 1 << v
						l ^= 1
					}
					block = append(block, l)
				}
				got = append(got, n)
				return block
			})
			if k == 0 {
				first = got
			} else if !slices.Equal(got, first) {
				t.Fatalf("order of answers %v, before %v", got, first)
			}
		}
	}
}

// The sweep and the search count the same, and as brute force does.
func TestSweep(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for i := range 1500 {
		b := randomBoard(r)
		b.clauses = nil
		for j := range b.edges {
			b.edges[j][2] = j + 1
		}
		if b.vars = max(1, len(b.edges)); b.vars > 12 {
			continue
		}
		p := Plan{Kinds: b.kinds, Colours: b.colours, Single: b.single}
		for _, e := range b.edges {
			p.Edges = append(p.Edges, [2]int{e[0], e[1]})
		}
		want := uint64(0)
		for bits := range 1 << b.vars {
			if b.valid(bits) {
				want++
			}
		}
		if len(b.edges) == 0 {
			want /= 2 // the one variable is no edge's
		}
		got, err := Sweep(context.Background(), p, r.Perm(len(b.kinds)), 1<<20)
		if err != nil || got != want {
			t.Fatalf("round %d: got %d, %v, want %d\n%+v", i, got, err, want, b)
		}
	}
	// The Hamiltonian paths between opposite corners of a grid: known numbers
	// (OEIS A001184 for odd sizes), and the search agrees on the smallest.
	for _, tt := range []struct {
		size int
		want uint64
	}{{3, 2}, {5, 104}, {7, 111712}} {
		var p Plan
		s := New()
		g := s.Graph()
		n := tt.size * tt.size
		for v := range n {
			k := Through
			if v == 0 || v == n-1 {
				k = End
			}
			p.Kinds = append(p.Kinds, k)
			g.AddVertex(k, 0)
		}
		p.Colours = make([]int, n)
		for v := range n {
			for _, w := range []int{v + 1, v + tt.size} {
				if w < n && (w == v+tt.size || w%tt.size > 0) {
					p.Edges = append(p.Edges, [2]int{v, w})
					g.AddEdge(v, w, s.NewVar())
				}
			}
		}
		got, err := Sweep(context.Background(), p, nil, 1<<20)
		if err != nil || got != tt.want {
			t.Errorf("size %d: got %d, %v, want %d", tt.size, got, err, tt.want)
		}
		if tt.size == 5 {
			if got := len(all(t, s, len(p.Edges))); uint64(got) != tt.want {
				t.Errorf("size %d: the search finds %d, want %d", tt.size, got, tt.want)
			}
		}
	}
	if _, err := Sweep(context.Background(), Plan{Kinds: make([]Kind, 3), Colours: make([]int, 3), Edges: [][2]int{{0, 1}, {1, 2}, {0, 2}}}, nil, 1); !errors.Is(err, ErrTooWide) {
		t.Errorf("got %v, want %v", err, ErrTooWide)
	}
}
