package search

import (
	"context"
	"fmt"
	rand "math/rand/v2"
	"testing"

	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/deal"
	"onlooker/solve/witness/forms"
	"onlooker/solve/witness/witnesstest"
)

// dealt is a square panel of a mix with an answer.
func dealt(t *testing.T, o deal.Options, seed uint64) *board.Panel {
	t.Helper()
	if o.Cols == 0 {
		o.Cols, o.Rows = 4, 4
	}
	p, _, err := deal.Solvable(context.Background(), rand.New(rand.NewPCG(seed, 20)), o)
	solvetest.OK(t, err)
	return p
}

func lineName(s solve.Stroke) string { return fmt.Sprint(s) }

// The answer does not depend on how many turns are taken side by side. The panels
// take several; whichever turn ends first differs from run to run.
func TestWorkersAgree(t *testing.T) {
	seeds := witnesstest.Rounds(6, 2)
	for seed := range seeds {
		for _, m := range witnesstest.Mixes()[3:8] {
			o := m.Of(7)
			o.Cols, o.Rows = 7, 7
			p := dealt(t, o, seed)
			var answers [2]string
			for workers := 1; workers <= 2; workers++ {
				a, err := standardSolver().solve(t.Context(), p, nil, effort{walk: 1, workers: workers})
				if err != nil {
					t.Fatalf("%s, seed %d, %d workers: %v\n%s", m.Name, seed, workers, err, forms.String(p))
				}
				answers[workers-1] = lineName(a[0])
			}
			if answers[0] != answers[1] {
				t.Errorf("%s, seed %d: %s with one worker, %s with two\n%s", m.Name, seed, answers[0], answers[1], forms.String(p))
			}
		}
	}
}

// A turn beside its caller that panics makes the caller panic, who may recover: a
// mistake in one panel must not end the program. All turns of another way panic
// here; the first way's first turn does not decide the panel.
func TestPanicInATurn(t *testing.T) {
	for seed := range uint64(40) {
		o := witnesstest.Mixes()[3+seed%5].Of(11)
		o.Cols, o.Rows = 11, 11
		p := dealt(t, o, seed)
		ctx, stop := context.WithCancel(t.Context())
		q := solvetest.Must(standardSolver().newSearch(ctx, p))(t)
		f := newPortfolio(q, nil)
		if o := f.turn(ctx, ctx, 0); o.decided() {
			stop()
			continue
		}
		for i := range f.searches[1:] {
			f.searches[1+i] = &search{} // it has no solver to search with
		}
		fault := func() (fault any) {
			defer func() { fault = recover() }()
			f.run(ctx, stop, 2)
			return nil
		}()
		stop()
		if fault != nil {
			return
		}
	}
	t.Error("no panel of 40 took a second turn that panicked, or none reached the caller")
}
