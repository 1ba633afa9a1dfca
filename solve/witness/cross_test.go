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
		p, _, err := GenerateSolvable(rng, func() GenerateOptions {
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
