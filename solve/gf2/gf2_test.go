package gf2

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// random returns n equations in cols unknowns, each naming up to width of
// them, near each other.
func random(rng *rand.Rand, n, cols, width int) (eqs [][]int, rhs []bool) {
	eqs, rhs = make([][]int, n), make([]bool, n)
	for i := range eqs {
		at := rng.IntN(cols)
		for range rng.IntN(width + 1) {
			if c := min(cols-1, at+rng.IntN(width)); rng.IntN(2) == 0 {
				eqs[i] = append(eqs[i], c)
			}
		}
		rhs[i] = rng.IntN(2) == 0
	}
	return eqs, rhs
}

func holds(eqs [][]int, rhs []bool, x Vec) bool {
	for i, eq := range eqs {
		sum := false
		for _, c := range eq {
			sum = sum != x.Bit(c)
		}
		if sum != rhs[i] {
			return false
		}
	}
	return true
}

// solved is Solve without its context.
func solved(t testing.TB, s *System) (Vec, []Vec, bool) {
	t.Helper()
	x, kernel, ok, err := s.Solve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return x, kernel, ok
}

func checkRefutation(t *testing.T, where string, s *System, y Vec) {
	t.Helper()
	left, right := NewVec(s.cols), false
	for _, e := range y.Ones() {
		for _, c := range s.eqs[e] {
			left.Flip(c)
		}
		right = right != s.rhs[e]
	}
	if left.Weight() > 0 || !right {
		t.Fatalf("%s: refutation %v leaves %v = %v", where, y.Ones(), left.Ones(), right)
	}
}

// TestSystem compares Solve and Refute with every vector there is, on systems of few
// unknowns; of many, banded and dense, each answer is held against the equations.
func TestSystem(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for round := range 800 {
		cols := 1 + rng.IntN(10)
		width := 1 + rng.IntN(6)
		if round%4 == 0 {
			cols = 60 + rng.IntN(200)
		}
		if round%16 == 0 {
			width = cols
		}
		eqs, rhs := random(rng, rng.IntN(cols+3), cols, width)
		s := NewSystem(cols)
		for i, eq := range eqs {
			s.Add(eq, rhs[i])
		}
		where := fmt.Sprintf("round %d: %d unknowns, width %d", round, cols, width)
		x, kernel, ok := solved(t, s)
		y, refuted, err := s.Refute(context.Background())
		if err != nil || refuted == ok {
			t.Fatalf("%s: solved %v, refuted %v, %v", where, ok, refuted, err)
		}
		if cols <= 10 {
			want := 0
			for v := range 1 << cols {
				if holds(eqs, rhs, Vec{uint64(v)}) {
					want++
				}
			}
			if ok != (want > 0) || ok && 1<<len(kernel) != want {
				t.Fatalf("%s: solved %v with a kernel of %d, want %d answers", where, ok, len(kernel), want)
			}
		}
		if !ok {
			checkRefutation(t, where, s, y)
			continue
		}
		if !holds(eqs, rhs, x) {
			t.Fatalf("%s: %v is no answer", where, x)
		}
		for _, v := range kernel {
			if !holds(eqs, make([]bool, len(eqs)), v) {
				t.Fatalf("%s: %v is not in the kernel", where, v)
			}
		}
	}
}

// TestLightest compares it with every answer; with less effort its bound still holds.
func TestLightest(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for round := range 300 {
		d, n := 1+rng.IntN(12), 2+rng.IntN(100)
		basis := make([]Vec, d)
		for i := range basis {
			basis[i] = NewVec(n + d)
			basis[i].Flip(n + i)
			for c := range n {
				if rng.IntN(1+round%7) == 0 {
					basis[i].Flip(c)
				}
			}
		}
		x := NewVec(n + d)
		for c := range n + d {
			if rng.IntN(2) == 0 {
				x.Flip(c)
			}
		}
		least := x.Weight()
		for v := range 1 << d {
			y := x.Clone()
			for i := range basis {
				if v>>i&1 == 1 {
					y.Xor(basis[i])
				}
			}
			least = min(least, y.Weight())
		}
		all := Lightest(context.Background(), x, basis, 1<<12)
		if all.Bound != least || all.Weight != least || all.X.Weight() != least {
			t.Fatalf("round %d: 2^%d vectors, bound %d, weight %d, want %d", round, d, all.Bound, all.Weight, least)
		}
		some := Lightest(context.Background(), x, basis, 1+rng.IntN(1<<d))
		if some.Bound > least || some.Weight < least || some.X.Weight() != some.Weight {
			t.Fatalf("round %d: with less effort bound %d, weight %d, want %d between", round, some.Bound, some.Weight, least)
		}
	}
}

// TestLightestBound: the bound is what the parts that were looked through take, and nothing of
// the others; and nothing at all where there was no time.
func TestLightestBound(t *testing.T) {
	vec := func(ones ...int) Vec {
		v := NewVec(100)
		for _, c := range ones {
			v.Flip(c)
		}
		return v
	}
	// A part of one vector, one of three, and the unknown 90 that none touches.
	x := vec(0, 1, 2, 3, 40, 41, 42, 90)
	basis := []Vec{vec(0, 1, 2), vec(40, 43), vec(41, 43, 44), vec(42, 44)}
	ended, end := context.WithCancel(t.Context())
	end()
	for _, row := range []struct {
		why           string
		ctx           context.Context
		effort        int
		weight, bound int
	}{
		{"all", t.Context(), 8, 2, 2},
		{"a part is not looked through", t.Context(), 7, 4, 2},
		{"no time", ended, 8, 8, 0},
	} {
		got := Lightest(row.ctx, x, basis, row.effort)
		if got.Weight != row.weight || got.Bound != row.bound || got.X.Weight() != got.Weight {
			t.Errorf("%s: weight %d of %d, bound %d; want %d and %d", row.why, got.Weight, got.X.Weight(), got.Bound, row.weight, row.bound)
		}
	}
}

// grid returns the Lights Out system of w × h cells: bulb and switch i in cell
// (i%w, i/w).
func grid(w, h int, rhs func(int) bool) *System {
	s := NewSystem(w * h)
	for i := range w * h {
		eq := []int{i}
		if i%w > 0 {
			eq = append(eq, i-1)
		}
		if i%w < w-1 {
			eq = append(eq, i+1)
		}
		if i >= w {
			eq = append(eq, i-w)
		}
		if i < w*(h-1) {
			eq = append(eq, i+w)
		}
		s.Add(eq, rhs(i))
	}
	return s
}

// TestGridNullity compares kernels with the known nullities of Lights Out
// (OEIS A159257), and all lit with the known solvability of every graph
// (Sutner, 1989).
func TestGridNullity(t *testing.T) {
	want := []int{0, 0, 0, 4, 2, 0, 0, 0, 8, 0, 6, 0, 0, 4, 0, 8, 2, 0, 16, 0, 0, 0, 14, 4, 0, 0, 0, 0, 10, 20}
	for n := 1; n <= len(want); n++ {
		_, kernel, ok := solved(t, grid(n, n, func(int) bool { return true }))
		if !ok || len(kernel) != want[n-1] {
			t.Errorf("%d×%d: all lit solved %v, nullity %d, want %d", n, n, ok, len(kernel), want[n-1])
		}
	}
}

func BenchmarkGrid(b *testing.B) {
	for _, n := range []int{5, 40, 100} {
		b.Run(fmt.Sprintf("%dx%d", n, n), func(b *testing.B) {
			for b.Loop() {
				if _, _, ok := solved(b, grid(n, n, func(i int) bool { return true })); !ok {
					b.Fatal("no answer")
				}
			}
		})
	}
}

func BenchmarkDense(b *testing.B) {
	const n = 1000
	rng := rand.New(rand.NewPCG(7, 8))
	eqs := make([][]int, n)
	for i := range eqs {
		for c := range n {
			if rng.IntN(2) == 0 {
				eqs[i] = append(eqs[i], c)
			}
		}
	}
	for b.Loop() {
		s := NewSystem(n)
		for _, eq := range eqs {
			s.Add(eq, false)
		}
		solved(b, s)
	}
}

// TestGrid holds grids of all shapes against the equations written one by one.
func TestGrid(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	ctx := context.Background()
	none, free := 0, 0
	for round := range 1500 {
		g := Grid{Cols: 1 + rng.IntN(12), Rows: 1 + rng.IntN(12), Own: rng.IntN(3) > 0}
		switch {
		case round%50 == 0:
			g.Cols, g.Rows = 1+rng.IntN(200), 1+rng.IntN(4)
		case round%50 == 1:
			g.Cols, g.Rows = 60+rng.IntN(10), 60+rng.IntN(10)
		case round%50 == 2:
			g.Rows = 100 + rng.IntN(100)
		}
		n := g.Cols * g.Rows
		g.Need = NewVec(n)
		s := NewSystem(n)
		eqs := make([][]int, n)
		rhs := make([]bool, n)
		for i := range n {
			if x := i % g.Cols; x > 0 {
				eqs[i] = append(eqs[i], i-1)
			}
			if i%g.Cols < g.Cols-1 {
				eqs[i] = append(eqs[i], i+1)
			}
			if i >= g.Cols {
				eqs[i] = append(eqs[i], i-g.Cols)
			}
			if i+g.Cols < n {
				eqs[i] = append(eqs[i], i+g.Cols)
			}
			if g.Own {
				eqs[i] = append(eqs[i], i)
			}
			rhs[i] = rng.IntN(2) == 0
		}
		if rng.IntN(2) == 0 { // of some flips
			rhs = make([]bool, n)
			for i := range n {
				if rng.IntN(2) == 0 {
					for _, c := range eqs[i] {
						rhs[c] = !rhs[c]
					}
				}
			}
		}
		for i := range n {
			if rhs[i] {
				g.Need.Flip(i)
			}
			s.Add(eqs[i], rhs[i])
		}
		_, kernel, want := solved(t, s)
		got, ok, err := g.Solve(ctx)
		if err != nil || ok != want {
			t.Fatalf("%d×%d, own %t: solved %t, %v, want %t", g.Cols, g.Rows, g.Own, ok, err, want)
		}
		y, refuted, err := g.Refute(ctx)
		if err != nil || refuted == ok {
			t.Fatalf("%d×%d, own %t: solved %t, refuted %t, %v", g.Cols, g.Rows, g.Own, ok, refuted, err)
		}
		if !ok {
			none++
			checkRefutation(t, "grid", s, y)
			continue
		}
		if !holds(eqs, rhs, got.X) || got.Free != len(kernel) {
			t.Fatalf("%d×%d, own %t: %v, and %d free, want an answer and %d", g.Cols, g.Rows, g.Own, got.X.Ones(), got.Free, len(kernel))
		}
		var basis []Vec
		for i := range got.Free {
			v := got.Kernel(i)
			if !holds(eqs, make([]bool, n), v) {
				t.Fatalf("%d×%d, own %t: %v is not in the kernel", g.Cols, g.Rows, g.Own, v.Ones())
			}
			for _, b := range basis { // reduced by those before
				if top := slices.Max(b.Ones()); v.Bit(top) {
					v.Xor(b)
				}
			}
			if v.Weight() == 0 {
				t.Fatalf("%d×%d, own %t: vector %d of the kernel is a sum of others", g.Cols, g.Rows, g.Own, i)
			}
			basis = append(basis, v)
			free++
		}
	}
	if none < 100 || free < 100 {
		t.Errorf("%d without an answer, %d vectors of kernels, want hundreds", none, free)
	}
}

func BenchmarkChase(b *testing.B) {
	for _, n := range []int{400, 700, 3000, 10000} {
		g := Grid{Cols: n, Rows: n, Own: true, Need: NewVec(n * n)}
		for i := range n * n {
			g.Need.Flip(i)
		}
		b.Run(string(rune('0'+n/1000)), func(b *testing.B) {
			for b.Loop() {
				if _, ok, err := g.Solve(context.Background()); !ok || err != nil {
					b.Fatal(ok, err)
				}
			}
		})
	}
}
