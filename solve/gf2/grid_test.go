package gf2

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

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
