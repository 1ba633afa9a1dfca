package solve_test

import (
	"context"
	"errors"
	"testing"

	"onlooker/solve"
)

// TestAsked ends a context by questions alone, and with its parent.
func TestAsked(t *testing.T) {
	ctx := solve.Asked(t.Context(), 3)
	for i := range 5 {
		if err, ended := ctx.Err(), i >= 3; ended != errors.Is(err, context.DeadlineExceeded) || !ended && err != nil {
			t.Errorf("question %d: got %v, want an end from question 3 on", i, err)
		}
	}
	parent, cancel := context.WithCancel(t.Context())
	ctx = solve.Asked(parent, 3)
	cancel()
	if err := ctx.Err(); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v after the parent's end, want %v", err, context.Canceled)
	}
}
