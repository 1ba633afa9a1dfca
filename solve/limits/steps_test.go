package limits_test

import (
	"context"
	"errors"
	"testing"

	"onlooker/solve/limits"
)

// TestWithSteps ends a context by questions alone, and with its parent.
func TestWithSteps(t *testing.T) {
	ctx := limits.WithSteps(t.Context(), 3)
	for i := range 5 {
		if err, ended := ctx.Err(), i >= 3; ended != errors.Is(err, context.DeadlineExceeded) || !ended && err != nil {
			t.Errorf("question %d: got %v, want an end from question 3 on", i, err)
		}
	}
	parent, cancel := context.WithCancel(t.Context())
	ctx = limits.WithSteps(parent, 3)
	cancel()
	if err := ctx.Err(); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v after the parent's end, want %v", err, context.Canceled)
	}
}

// TestWithGrace lets what was found in time be looked at after it, for a while; who
// cancels is heeded at once.
func TestWithGrace(t *testing.T) {
	ctx := limits.WithGrace(limits.WithSteps(t.Context(), 3))
	asked := 0
	for ; ctx.Err() == nil; asked++ {
		if asked > 1e6 {
			t.Fatal("it never ends")
		}
	}
	if err := ctx.Err(); asked < 100 || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("it ended after %d questions, with %v; want some hundreds, and %v", asked, err, context.DeadlineExceeded)
	}
	parent, cancel := context.WithCancel(t.Context())
	ctx = limits.WithGrace(parent)
	cancel()
	if err := ctx.Err(); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v after the parent was cancelled, want %v", err, context.Canceled)
	}
}
