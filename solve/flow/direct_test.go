package flow

import (
	"context"
	"image"
	"math/rand/v2"
	"strings"
	"testing"

	"onlooker/solve/solvetest"
)

// TestDirect holds the direct search against the count of answers that fill all cells
// and in which no path touches itself: it finds one exactly where there is one.
func TestDirect(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(5, 8))
	found := 0
	for range 3000 {
		b := NewBuilder(Square, 1+rng.IntN(6), 1+rng.IntN(6))
		cells := rng.Perm(b.p.cols * b.p.rows)
		at := func(i int) image.Point { return image.Pt(cells[i]%b.p.cols, cells[i]/b.p.cols) }
		for i := 0; i < 2*(1+rng.IntN(4)) && i+1 < len(cells); i += 2 {
			b.Pair(at(i), at(i+1))
		}
		p := solvetest.Must(b.NoTouch().Puzzle())(t)
		n := solvetest.Must(p.Count(ctx, 1))(t)
		text, _ := p.MarshalText()
		s := p.direct(ctx)
		if (s != nil) != (n > 0) {
			t.Fatalf("%s: got an answer: %t, want %t", text, s != nil, n > 0)
		}
		if s == nil {
			continue
		}
		found++
		if err := p.Check(ctx, s); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	if found < 100 {
		t.Errorf("%d boards have an answer, want some hundreds", found)
	}
}

// TestDirectTurned fills boards and the same boards lying on their sides in as many steps:
// that a board is wider than high makes it no harder.
func TestDirectTurned(t *testing.T) {
	for seed := range uint64(20) {
		p := generate(rand.New(rand.NewPCG(seed, 3)), 12, 7).(*Puzzle)
		b := NewBuilder(Square, p.rows, p.cols)
		for _, e := range p.Pairs() {
			b.Pair(image.Pt(e[0].Y, e[0].X), image.Pt(e[1].Y, e[1].X))
		}
		q := solvetest.Must(b.Puzzle())(t)
		wide, high := newDirect(p), newDirect(q)
		if wide.fill(t.Context()) != high.fill(t.Context()) || wide.budget != high.budget {
			t.Errorf("seed %d: %d steps are left, on its side %d", seed, wide.budget, high.budget)
		}
	}
}

// TestDrawnRows reads boards that follow one another without an empty line, ends that
// are other signs than letters, a list of Prolog, and the line that ends a file.
func TestDrawnRows(t *testing.T) {
	for _, c := range []struct {
		text  string
		sizes []image.Point
		pairs int // of the last
	}{
		{"# two\n3 2\nA.A\nB.B\n2 2\nAA\nBB\n0 0\n", []image.Point{{X: 3, Y: 2}, {X: 2, Y: 2}}, 2},
		{"4 3\n_..[\n]aa]\n_..[\n", []image.Point{{X: 4, Y: 3}}, 4},
		{"4 2\nA_.A\nB_.B\n", []image.Point{{X: 4, Y: 2}}, 3},
		{"[[1,_,1],\n[2,_,2]].", []image.Point{{X: 3, Y: 2}}, 2},
	} {
		var sizes []image.Point
		pairs := 0
		for _, f := range Family.Formats {
			if !f.Sniff([]byte(c.text)) {
				continue
			}
			for p, err := range f.Decode(strings.NewReader(c.text)) {
				solvetest.OK(t, err)
				cols, rows := p.(*Puzzle).Size()
				sizes, pairs = append(sizes, image.Pt(cols, rows)), len(p.(*Puzzle).pairs)
			}
			break
		}
		if len(sizes) != len(c.sizes) || sizes[0] != c.sizes[0] || sizes[len(sizes)-1] != c.sizes[len(c.sizes)-1] || pairs != c.pairs {
			t.Errorf("%q: got boards of %v, %d pairs, want %v, %d", c.text, sizes, pairs, c.sizes, c.pairs)
		}
	}
}
