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
func random(rng *rand.Rand, n, cols, width, k int) ([][]Term, []int) {
	eqs, rhs := make([][]Term, n), make([]int, n)
	for i := range eqs {
		at := rng.IntN(cols)
		for range rng.IntN(width + 1) {
			eqs[i] = append(eqs[i], Term{min(cols-1, at+rng.IntN(width)), rng.IntN(k)})
		}
		rhs[i] = rng.IntN(k)
	}
	return eqs, rhs
}

func holds(k int, eqs [][]Term, rhs, x []int) bool {
	for i, eq := range eqs {
		sum := 0
		for _, t := range eq {
			sum += t.Coef * x[t.Col]
		}
		if sum%k != rhs[i]%k {
			return false
		}
	}
	return true
}

// every calls f for each of the k^n vectors.
func every(k, n int, f func([]int)) {
	x := make([]int, n)
	for {
		f(x)
		i := 0
		for ; i < n && x[i] == k-1; i++ {
			x[i] = 0
		}
		if i == n {
			return
		}
		x[i]++
	}
}

// solved is Solve of either system without its context.
func solved[X, K any](t testing.TB, solve func(context.Context) (X, []K, bool, error)) (X, []K, bool) {
	t.Helper()
	x, kernel, ok, err := solve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return x, kernel, ok
}

// refuted is Refute likewise.
func refuted[Y any](t testing.TB, refute func(context.Context) (Y, bool, error)) (Y, bool) {
	t.Helper()
	y, ok, err := refute(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return y, ok
}

func sum(x []int) int {
	n := 0
	for _, a := range x {
		n += a
	}
	return n
}

// TestMod compares Solve, Refute and LightestMod with every vector there is.
func TestMod(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, k := range []int{2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 36} {
		cols := 1
		for n := k * k; n <= 3000; n *= k {
			cols++
		}
		for round := range 150 {
			cols := 1 + rng.IntN(cols)
			eqs, rhs := random(rng, rng.IntN(cols+3), cols, 3, k)
			s := NewModSystem(k, cols)
			for i := range eqs {
				s.Add(eqs[i], rhs[i])
			}
			var want []string
			least := 1 << 30
			every(k, cols, func(x []int) {
				if holds(k, eqs, rhs, x) {
					want = append(want, fmt.Sprint(x))
					least = min(least, sum(x))
				}
			})
			where := fmt.Sprintf("mod %d round %d: %v = %v", k, round, eqs, rhs)
			x, kernel, ok := solved(t, s.Solve)
			if ok != (len(want) > 0) {
				t.Fatalf("%s: solved %v, want %d answers", where, ok, len(want))
			}
			if !ok {
				y, ok := refuted(t, s.Refute)
				if !ok {
					t.Fatalf("%s: no refutation", where)
				}
				checkRefutation(t, where, k, eqs, rhs, y)
				continue
			}
			if _, ok := refuted(t, s.Refute); ok {
				t.Fatalf("%s: refuted, but it has answers", where)
			}
			got := []string{}
			var list func(x []int, i int)
			list = func(x []int, i int) {
				if i == len(kernel) {
					got = append(got, fmt.Sprint(x))
					return
				}
				for times := range kernel[i].Order {
					y := slices.Clone(x)
					for c := range y {
						y[c] = (y[c] + times*kernel[i].V[c]) % k
					}
					list(y, i+1)
				}
			}
			list(x, 0)
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Fatalf("%s: answers %v, want %v", where, got, want)
			}
			b := LightestMod(context.Background(), k, x, kernel, 1<<20)
			if b.Weight != least || b.Bound != least || sum(b.X) != least || !holds(k, eqs, rhs, b.X) {
				t.Fatalf("%s: lightest %+v, want %d", where, b, least)
			}
			// With no effort to speak of, the bound must still hold.
			b = LightestMod(context.Background(), k, x, kernel, 2)
			if b.Bound > least || b.Weight < least || sum(b.X) != b.Weight || !holds(k, eqs, rhs, b.X) {
				t.Fatalf("%s: at effort 2 lightest %+v, want %d", where, b, least)
			}
		}
	}
}

func checkRefutation(t *testing.T, where string, k int, eqs [][]Term, rhs, y []int) {
	t.Helper()
	left, right := map[int]int{}, 0
	for i, eq := range eqs {
		for _, term := range eq {
			left[term.Col] += y[i] * term.Coef
		}
		right += y[i] * rhs[i]
	}
	for c, a := range left {
		if a%k != 0 {
			t.Fatalf("%s: refutation %v leaves %d × unknown %d", where, y, a%k, c)
		}
	}
	if right%k == 0 {
		t.Fatalf("%s: refutation %v leaves 0 = 0", where, y)
	}
}

// TestSystem compares the bit-packed solver with ModSystem at k = 2, on
// systems of one word, of several, banded and dense.
func TestSystem(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for round := range 400 {
		cols := 1 + rng.IntN(30)
		width := 1 + rng.IntN(6)
		if round%4 == 0 {
			cols = 60 + rng.IntN(200)
		}
		if round%16 == 0 {
			width = cols
		}
		eqs, rhs := random(rng, rng.IntN(cols+3), cols, width, 2)
		s, m := NewSystem(cols), NewModSystem(2, cols)
		for i, eq := range eqs {
			var at []int
			for _, term := range eq {
				if term.Coef == 1 {
					at = append(at, term.Col)
				}
			}
			s.Add(at, rhs[i] == 1)
			m.Add(eq, rhs[i])
		}
		where := fmt.Sprintf("round %d: %d unknowns, width %d", round, cols, width)
		x, kernel, ok := solved(t, s.Solve)
		_, wantKernel, wantOK := solved(t, m.Solve)
		if ok != wantOK {
			t.Fatalf("%s: solved %v, want %v", where, ok, wantOK)
		}
		if !ok {
			y, ok := refuted(t, s.Refute)
			if !ok {
				t.Fatalf("%s: no refutation", where)
			}
			checkRefutation(t, where, 2, eqs, rhs, ints(y, len(eqs)))
			continue
		}
		if !holds(2, eqs, rhs, ints(x, cols)) {
			t.Fatalf("%s: %v is no answer", where, x)
		}
		if len(kernel) != len(wantKernel) {
			t.Fatalf("%s: kernel of %d, want %d", where, len(kernel), len(wantKernel))
		}
		for _, v := range kernel {
			if !holds(2, eqs, make([]int, len(eqs)), ints(v, cols)) {
				t.Fatalf("%s: %v is not in the kernel", where, v)
			}
		}
	}
}

func ints(v Vec, n int) []int {
	x := make([]int, n)
	for _, i := range v.Ones() {
		x[i] = 1
	}
	return x
}

// TestLightest compares the search by information sets with the list of all.
func TestLightest(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	ctx := context.Background()
	proved := 0
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
		all := Lightest(ctx, x, basis, 1<<12)
		if all.Bound != all.Weight {
			t.Fatalf("round %d: 2^%d vectors, bound %d of %d", round, d, all.Bound, all.Weight)
		}
		found, least := byWeight(&worker{ctx: ctx}, n+d, x, basis, 1<<30)
		if found.Weight() != least || least != all.Weight {
			t.Fatalf("round %d: by information sets %d, weight %d, want %d", round, least, found.Weight(), all.Weight)
		}
		found, bound := byWeight(&worker{ctx: ctx}, n+d, x, basis, 1+rng.IntN(1<<d))
		if bound > all.Weight || found.Weight() < all.Weight {
			t.Fatalf("round %d: cut short: bound %d, weight %d, want %d", round, bound, found.Weight(), all.Weight)
		}
		if bound == found.Weight() {
			proved++
		}
	}
	if proved == 0 || proved == 300 {
		t.Errorf("%d of 300 searches cut short were proofs: the effort is not varied enough", proved)
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
		_, kernel, ok := solved(t, grid(n, n, func(int) bool { return true }).Solve)
		if !ok || len(kernel) != want[n-1] {
			t.Errorf("%d×%d: all lit solved %v, nullity %d, want %d", n, n, ok, len(kernel), want[n-1])
		}
	}
}

func BenchmarkGrid(b *testing.B) {
	for _, n := range []int{5, 40, 100} {
		b.Run(fmt.Sprintf("%dx%d", n, n), func(b *testing.B) {
			for b.Loop() {
				if _, _, ok := solved(b, grid(n, n, func(i int) bool { return true }).Solve); !ok {
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
		solved(b, s.Solve)
	}
}
