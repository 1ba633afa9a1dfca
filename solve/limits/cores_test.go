package limits_test

import (
	"context"
	"errors"
	"testing"

	"onlooker/solve/limits"
	"onlooker/solve/solvetest"
)

func TestCores(t *testing.T) {
	ctx := t.Context()
	c := limits.NewCores(2)
	for range 2 {
		solvetest.OK(t, c.Take(ctx))
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if err := c.Take(ended); !errors.Is(err, context.Canceled) {
		t.Fatalf("Take with none left and a context that has ended: %v, want %v", err, context.Canceled)
	}
	// One search asks for two more: it gets the one that another leaves.
	more, leave := limits.Helpers(limits.WithCores(ctx, c), 2)
	select {
	case <-more:
		t.Fatal("a processor came, but none is left")
	default:
	}
	c.Leave()
	<-more
	select {
	case <-more:
		t.Fatal("a second processor came, but none is left")
	default:
	}
	leave()
	c.Leave()
	for range 2 { // all are there again
		solvetest.OK(t, c.Take(ctx))
	}
	// Without a bound all that are asked for come.
	more, leave = limits.Helpers(ctx, 3)
	for range 3 {
		<-more
	}
	leave()
}

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

// A statement that goes on for ever ends with its context, and the next one is
// not touched by that.
func TestRunEndsWithItsContext(t *testing.T) {
	var m limits.Meter
	ctx, cancel := context.WithCancel(t.Context())
	added := 0
	err := m.Run(ctx, func() {
		for {
			if m.Add(100); added == 10_000 {
				cancel()
			}
			added += 100
		}
	})
	if !errors.Is(err, context.Canceled) || added < 10_000 || added > 20_000 {
		t.Errorf("after %d: %v, want the context's error soon after 10,000", added, err)
	}
	if err := m.Run(ctx, func() { t.Error("state was called after the context had ended") }); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context: %v", err)
	}
	solvetest.Fine(t, m.Run(t.Context(), func() { m.Add(1_000_000) }), "a statement that ends by itself")
	m.Add(1_000_000) // outside Run there is no context to ask
}

// What state panics with is not swallowed.
func TestRunLetsPanicsPass(t *testing.T) {
	var m limits.Meter
	defer func() {
		solvetest.Same(t, recover(), "mine", "recovered")
	}()
	_ = m.Run(t.Context(), func() { panic("mine") })
	t.Error("Run returned")
}
