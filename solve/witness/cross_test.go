package witness

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"onlooker/solve"
)

// The solver over gini, which verifies proofs, counts the same answers as brute
// force.
func TestCrossAgainstBruteForce(t *testing.T) {
	for seed := range uint64(800) {
		p := anyPanel(rand.New(rand.NewPCG(seed, 8)))
		want := bruteCount(p, 0)
		if want > 60 {
			continue // it forbids them one by one
		}
		if got, err := p.newCross().count(context.Background()); got != want || err != nil {
			t.Fatalf("seed %d: %d answers, %v, want %d\n%s", seed, got, err, want, text(p))
		}
	}
}

// On generated panels that brute force could not walk, both solvers say the
// same.
func TestCrossAgainstSolve(t *testing.T) {
	solvable, none, late := 0, 0, 0
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 9))
		m := mixes()[int(seed)%len(mixes())]
		p, _, err := GenerateSolvable(context.Background(), rng, func() GenerateOptions {
			o := m.of(4)
			o.Cols, o.Rows = 4, 4
			return o
		}())
		if err != nil {
			t.Fatalf("%s: %v", m.name, err)
		}
		if seed%3 > 0 {
			p = shuffled(p, rng)
		}
		ctx, cancel := within(20 * time.Second)
		_, want := p.Solve(ctx)
		_, got := p.newCross().solve(ctx)
		cancel()
		switch {
		case errors.Is(got, context.Canceled):
			late++
		case errors.Is(got, solve.ErrUnsolvable) != errors.Is(want, solve.ErrUnsolvable) || (got == nil) != (want == nil):
			t.Fatalf("%s, seed %d: Solve says %v, gini %v\n%s", m.name, seed, want, got, text(p))
		case got == nil:
			solvable++
		default:
			none++
		}
	}
	t.Logf("%d solvable, %d not, %d too slow", solvable, none, late)
	if solvable < 8 || none < 4 {
		t.Errorf("%d solvable and %d unsolvable panels: the sample decides little", solvable, none)
	}
}

// Why names clues that matter, all of them: with any one left out a line meets the
// rest, the others in place.
func TestWhy(t *testing.T) {
	ctx := context.Background()
	proofs := 0
	for seed := range uint64(600) {
		p := anyPanel(rand.New(rand.NewPCG(seed, 10)))
		proof, err := p.Why(ctx)
		if bruteCount(p, 1) > 0 {
			if err == nil {
				t.Fatalf("seed %d: a proof for a panel with an answer: %s\n%s", seed, proof.Text(), text(p))
			}
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text(p))
		}
		if err := p.CheckProof(ctx, proof); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text(p))
		}
		clues := proof.Where()
		for i := range clues {
			less := &Conflict{Clues: slices.Delete(slices.Clone(clues), i, i+1)}
			if err := p.CheckProof(ctx, less); err == nil {
				t.Fatalf("seed %d: %s, but (%d,%d) is not needed\n%s", seed, proof.Text(), clues[i].X, clues[i].Y, text(p))
			}
		}
		proofs++
	}
	if proofs < 100 {
		t.Errorf("only %d panels without an answer", proofs)
	}
}

// What is named is impossible with the others in place, or else it says so.
func TestWhyInPlace(t *testing.T) {
	for _, c := range []struct{ board, want string }{
		{"panel 2x1\n+-+->\n|a|b|\n@-+-+\na = white piece ###\nb = white star\n", "cannot be met by any line: white piece ### at (1,1)"},
		{"panel 1x1\n+->\n|a|\n@-+\na = white star\n", "cannot be met by any line: white star at (1,1)"},
		// The eraser may take either star, not both.
		{"panel 3x1\n+-+-+->\n|a:b:c|\n@-+-+-+\na = white star\nb = black star\nc = red eraser\n", "cannot be met together: white star at (1,1), black star at (3,1)"},
	} {
		p := mustParse(t, c.board)
		proof, err := p.Why(t.Context())
		if err != nil || proof.Text() != c.want {
			t.Errorf("%v, %v, want %s\n%s", proof, err, c.want, c.board)
		} else if err := p.CheckProof(t.Context(), proof); err != nil {
			t.Errorf("%s: %v", proof.Text(), err)
		}
	}
}

// On panels with too many lines to look at each, reasons are found by searches: in
// place without erasers, alone with them.
func TestWhyBySearch(t *testing.T) {
	alone, inPlace := 0, 0
	for seed := range uint64(300) {
		p := anyPanel(rand.New(rand.NewPCG(seed, 10)))
		if _, err := p.Solve(t.Context()); !errors.Is(err, solve.ErrUnsolvable) {
			continue
		}
		c, err := p.bySearch(t.Context())
		if err == nil {
			err = p.CheckProof(t.Context(), c)
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text(p))
		}
		if c.Alone {
			alone++
		} else {
			inPlace++
		}
	}
	t.Logf("%d in place, %d alone", inPlace, alone)
	if alone < 10 || inPlace < 50 {
		t.Errorf("%d in place and %d alone: the sample decides little", inPlace, alone)
	}
}
