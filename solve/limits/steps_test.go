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
