package search

import (
	"context"
	"errors"
	"testing"

	"onlooker/solve/witness/forms"
	"onlooker/solve/witness/search/tiles"
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
	if err != nil {
		t.Fatal(err)
	}
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
		if more := q.m.tiles.Steps - steps; more > tiles.TickSteps || ctx.after > 50 {
			t.Errorf("ended after it was asked %d times: %d more steps and %d more questions, want at most %d and 50", last, more, ctx.after, tiles.TickSteps)
		}
	}
	if ended < 5 {
		t.Errorf("the search was ended %d times, want 5 or more: the panel is too easy", ended)
	}
}
