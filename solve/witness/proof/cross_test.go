package proof

import (
	"context"
	"errors"
	rand "math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"onlooker/solve"
	"onlooker/solve/witness/deal"
	"onlooker/solve/witness/forms"
	"onlooker/solve/witness/rules"
	"onlooker/solve/witness/search"
	"onlooker/solve/witness/witnesstest"
)

// The solver over gini, which verifies proofs, counts the same answers as brute
// force.
func TestCrossAgainstBruteForce(t *testing.T) {
	for seed := range uint64(800) {
		p := witnesstest.AnyPanel(rand.New(rand.NewPCG(seed, 8)))
		want := witnesstest.BruteCount(p, 0)
		if want > 60 {
			continue // it forbids them one by one
		}
		if got, err := standardProver().newCross(p).count(context.Background()); got != want || err != nil {
			t.Fatalf("seed %d: %d answers, %v, want %d\n%s", seed, got, err, want, forms.String(p))
		}
	}
}

// On generated panels that brute force could not walk, both solvers say the
// same.
func TestCrossAgainstSolve(t *testing.T) {
	solvable, none, late := 0, 0, 0
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 9))
		m := witnesstest.Mixes()[int(seed)%len(witnesstest.Mixes())]
		p, _, err := deal.Solvable(context.Background(), rng, func() deal.Options {
			o := m.Of(4)
			o.Cols, o.Rows = 4, 4
			return o
		}())
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		if seed%3 > 0 {
			p = witnesstest.Shuffled(p, rng)
		}
		ctx, cancel := witnesstest.Within(20 * time.Second)
		_, want := standardProver().Solver.Solve(ctx, p)
		_, got := standardProver().newCross(p).solve(ctx)
		cancel()
		switch {
		case errors.Is(got, context.Canceled):
			late++
		case errors.Is(got, solve.ErrUnsolvable) != errors.Is(want, solve.ErrUnsolvable) || (got == nil) != (want == nil):
			t.Fatalf("%s, seed %d: Solve says %v, gini %v\n%s", m.Name, seed, want, got, forms.String(p))
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

// Why names clues that matter, all of them: with any one left out that is not named
// together with others a line meets the rest.
func TestWhy(t *testing.T) {
	ctx := context.Background()
	proofs := 0
	for seed := range uint64(600) {
		p := witnesstest.AnyPanel(rand.New(rand.NewPCG(seed, 10)))
		proof, err := standardProver().Why(ctx, p)
		if witnesstest.BruteCount(p, 1) > 0 {
			if err == nil {
				t.Fatalf("seed %d: a proof for a panel with an answer: %s\n%s", seed, proof.Text(), forms.String(p))
			}
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, forms.String(p))
		}
		if err := standardProver().CheckProof(ctx, p, proof); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, forms.String(p))
		}
		clues := proof.Where()
		for i, at := range clues {
			if k := p.At(at).Kind; k.IsPiece() || k.By() != nil {
				continue
			}
			less := &Conflict{Clues: slices.Delete(slices.Clone(clues), i, i+1)}
			if err := standardProver().CheckProof(ctx, p, less); err == nil {
				t.Fatalf("seed %d: %s, but (%d,%d) is not needed\n%s", seed, proof.Text(), clues[i].X, clues[i].Y, forms.String(p))
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
		{"panel 2x1\n+-+->\n|a|b|\n@-+-+\na = white piece ###\nb = white star\n", "cannot be met by any line: white piece ### at column 1 row 1"},
		{"panel 1x1\n+->\n|a|\n@-+\na = white star\n", "cannot be met by any line: white star at column 1 row 1, since stars stand in twos with what has their colour, and their number is odd"},
		// Of lines too many to look at each: a dot at a dead end, and what no line covers so often.
		{"panel 5x5\n*:+-+-+-+-+\n" + strings.Repeat("| | | | | |\n+-+-+-+-+-+\n", 4) + "| | | | | |\n@-+-+-+-+->\n", "cannot be met by any line: dot at corner column 1 row 1"},
		{"panel 5x5\n" + strings.Repeat("+-+-+-+-+-+\n| | | | | |\n", 4) + "+-+-+-+-+-+\n| | |a| | |\n@-+-+-+-+->\na = 4 orange triangles\n", "cannot be met by any line: 4 orange triangles at column 3 row 5"},
		// The eraser may take either star, or stay.
		{"panel 3x1\n+-+-+->\n|a:b:c|\n@-+-+-+\na = white star\nb = black star\nc = red eraser\n", "alone, without the other symbols, cannot be met by any line: black star at column 2 row 1"},
	} {
		p := witnesstest.Parsed(t, c.board)
		proof, err := standardProver().Why(t.Context(), p)
		if err != nil || proof.Text() != c.want {
			t.Errorf("%v, %v, want %s\n%s", proof, err, c.want, c.board)
		} else if err := standardProver().CheckProof(t.Context(), p, proof); err != nil {
			t.Errorf("%s: %v", proof.Text(), err)
		}
	}
}

// Reasons are given in place without erasers, and alone with them.
func TestWhyAlone(t *testing.T) {
	alone, inPlace := 0, 0
	for seed := range uint64(300) {
		p := witnesstest.AnyPanel(rand.New(rand.NewPCG(seed, 10)))
		proof, err := standardProver().Why(t.Context(), p)
		if err != nil {
			continue // it has an answer
		}
		if proof.(*Conflict).Alone {
			alone++
		} else {
			inPlace++
		}
	}
	if alone < 10 || inPlace < 50 {
		t.Errorf("%d in place and %d alone: the sample decides little", inPlace, alone)
	}
}

func standardProver() Prover {
	return Prover{rules.Rows(), search.Solver{Rows: search.Rows(), Last: rules.Rows()}}
}
