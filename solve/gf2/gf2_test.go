package gf2

import (
	"context"
	"fmt"
	"math/rand/v2"
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
