package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	rand "math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"onlooker/solve"
	"onlooker/solve/path"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/deal"
	"onlooker/solve/witness/forms"
	"onlooker/solve/witness/rules"
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
			solvetest.Same(t, answers[0], answers[1], "%s, seed %d: with one worker, with two %s", m.Name, seed, forms.String(p))
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

// An ending is a context that ends when it has been asked a number of times.
type ending struct {
	context.Context
	left  int
	at    func() // called when it ends
	after int    // how often it was asked again
}

func (e *ending) Err() error {
	if e.left--; e.left > 0 {
		return nil
	}
	if e.left == 0 {
		e.at()
	} else {
		e.after++
	}
	return context.Canceled
}

// A search ends when its context does, also while regions with blue pieces are
// judged.
func TestCancel(t *testing.T) {
	panel, err := forms.Parse([]byte(`panel 9x5 rules=windmill
^-+-+-+-+-+-+-+-+-+
| | | | | | | | | |
+-+-+-+-+-+-+-+-+-+
|a| |a| |a| | | | |
+-+-+-+-+-+-+-+-+-+
| | | | | | | | | |
+-+-+-+-+-+-+-+-+-+
|b|b|b| | | | | |a|
+-+-+-+-+-+-+-+-+-+
| | | | | | | | | |
@-+-+-+-+-+-+-+-+-+
a = yellow piece ###/###/###
b = negative piece #
`))
	solvetest.OK(t, err)
	ended := 0
	for last := 10; last <= 1000; last *= 2 {
		steps := 0
		var q *search
		ctx := &ending{Context: t.Context(), left: last}
		ctx.at = func() { steps = q.m.tiles.Steps }
		if q, err = standardSolver().newSearch(ctx, panel); err != nil {
			t.Fatal(err)
		}
		if _, err = q.each(ctx, func() bool { return true }); err == nil {
			break // it was through before
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("ended after it was asked %d times: %v, want %v", last, err, context.Canceled)
		}
		ended++
		// One region after the other says so at once, and the search itself
		// asks again after at most 16 steps.
		if more := q.m.tiles.Steps - steps; more > tickSteps || ctx.after > 50 {
			t.Errorf("ended after it was asked %d times: %d more steps and %d more questions, want at most %d and 50", last, more, ctx.after, tickSteps)
		}
	}
	if ended < 5 {
		t.Errorf("the search was ended %d times, want 5 or more: the panel is too easy", ended)
	}
}

// A strict referee looks at the context before anything else.
type strict struct{ Referee }

func (r strict) Check(ctx context.Context, p *board.Panel, s solve.Solution) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return r.Referee.Check(ctx, p, s)
}

// An answer that was found just before the time was over is given; one that is wrong, or
// that nobody waits for, is not, and only the first of these is a mistake of ours.
func TestCertifiedAtTheEnd(t *testing.T) {
	panel := solvetest.Must(forms.Parse([]byte("panel 2x1\n+-+->\n|a|b|\n@-+-+\na = white square\nb = black square\n")))(t)
	solver := standardSolver()
	solver.Last = strict{solver.Last}
	q := &search{Solver: solver, p: panel}
	right := solve.Solution{{{X: 0, Y: 2}, {X: 2, Y: 2}, {X: 2, Y: 0}, {X: 4, Y: 0}, {X: 5, Y: 0}}}
	wrong := solve.Solution{{{X: 0, Y: 2}, {X: 2, Y: 2}, {X: 4, Y: 2}, {X: 4, Y: 0}, {X: 5, Y: 0}}}
	over, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	if s, err := q.certified(over, []solve.Solution{right}); err != nil || len(s) == 0 {
		t.Errorf("an answer found in time: %v, %v", s, err)
	}
	if _, err := q.certified(over, []solve.Solution{wrong}); err == nil || !strings.Contains(err.Error(), "internal error") {
		t.Errorf("what is none: %v, want an internal error", err)
	}
	cancel()
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := q.certified(gone, []solve.Solution{right}); !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "internal error") {
		t.Errorf("when nobody waits: %v, want %v alone", err, context.Canceled)
	}
}

// A region has no room for cells that are farther away than its pieces have squares,
// by ways round what it was denied; that is seen before anything is decided.
func TestLabelReach(t *testing.T) {
	const board = `panel 6x2
+-+-+-+-+-+->
|a|b| | | | |
+-+-+-+-+-+-+
| | | | | | |
@-+-+-+-+-+-+
a = turned yellow piece ###
b = turned yellow piece ##
`
	p := solvetest.Must(forms.Parse([]byte(board)))(t)
	for _, test := range []struct {
		why   string
		cells []int32 // that are said to lie in a's region, or, less than 0, not to
		none  bool
	}{
		{"five cells in a row", []int32{1, 4}, false},
		{"six", []int32{1, 5}, true},
		{"five, but not in a row", []int32{1, 4, -4}, true},
		{"each of two is near enough", []int32{1, 3, 6}, false},
		{"but not both", []int32{1, 4, 6}, true},
	} {
		q := solvetest.Must(standardSolver().newSearch(context.Background(), p))(t)
		in := q.m.labels[0].in
		var assumed []path.Lit
		for _, x := range test.cells {
			if x < 0 {
				assumed = append(assumed, in[-x-1].Not())
			} else {
				assumed = append(assumed, in[x])
			}
		}
		status := solvetest.Must(q.s.Solve(context.Background(), assumed...))(t)
		n := int(q.s.Stats().Decisions) - len(assumed)
		if (status == path.Unsat) != test.none || test.none && n > 0 {
			t.Errorf("%s: %v after %d decisions, want none %t at once", test.why, status, n, test.none)
		}
	}
}

// A walk to the end finds each answer that brute force finds, once, on panels of
// everything that it takes on.
func TestWalkAgainstBruteForce(t *testing.T) {
	most := witnesstest.Rounds(1500, 300)
	walked, some := 0, 0
	for seed := range most {
		p := witnesstest.AnyPanel(rand.New(rand.NewPCG(seed, 19)))
		q, err := standardSolver().newUnstated(t.Context(), p)
		if err != nil || !q.m.walkable() {
			continue
		}
		walked++
		w := newWalk(q.m, q.s.Vars())
		var got []string
		for {
			found, ended := w.run(t.Context(), math.MaxInt-w.work)
			if ended {
				break
			}
			if !found {
				t.Fatalf("seed %d: the walk stopped by itself\n%s", seed, forms.String(p))
			}
			for _, a := range q.l.answers(w.value) {
				if err := rules.Rows().Check(t.Context(), p, a); err != nil {
					t.Fatalf("seed %d: %v found, but %v\n%s", seed, a, err, forms.String(p))
				}
				got = append(got, lineName(a[0]))
			}
		}
		slices.Sort(got)
		if n := len(slices.Compact(slices.Clone(got))); n != len(got) {
			t.Fatalf("seed %d: %d answers, of which %d differ\n%s", seed, len(got), n, forms.String(p))
		}
		if want := witnesstest.BruteCount(p, 0); want != len(got) {
			t.Fatalf("seed %d: %d answers, want %d\n%s", seed, len(got), want, forms.String(p))
		} else if want > 0 {
			some++
		}
	}
	t.Logf("%d panels of %d walked, %d with answers", walked, most, some)
	if walked < int(most)/2 || some < int(most)/20 {
		t.Errorf("%d panels of %d walked, %d with answers: the sample decides little", walked, most, some)
	}
}

// A walk that is cut into short runs finds the same line first.
func TestWalkGoesOn(t *testing.T) {
	for seed := range uint64(40) {
		p := dealt(t, witnesstest.Mixes()[seed%4].Of(4), seed)
		line := func(work int) string {
			q := solvetest.Must(standardSolver().newUnstated(t.Context(), p))(t)
			w := newWalk(q.m, q.s.Vars())
			for {
				found, ended := w.run(t.Context(), work)
				if ended {
					t.Fatalf("seed %d: no line found\n%s", seed, forms.String(p))
				}
				if found {
					return lineName(q.l.answers(w.value)[0][0])
				}
			}
		}
		if whole, cut := line(math.MaxInt), line(7); whole != cut {
			t.Errorf("seed %d: %s in runs of 7 steps, want %s\n%s", seed, cut, whole, forms.String(p))
		}
	}
}

func standardSolver() Solver { return Solver{Rows(), rules.Rows()} }
