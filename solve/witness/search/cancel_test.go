package search

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
)

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
