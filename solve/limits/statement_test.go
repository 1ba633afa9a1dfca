package limits_test

import (
	"context"
	"errors"
	"testing"

	"onlooker/solve/limits"
)

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
	if err := m.Run(t.Context(), func() { m.Add(1_000_000) }); err != nil {
		t.Errorf("a statement that ends by itself: %v", err)
	}
	m.Add(1_000_000) // outside Run there is no context to ask
}

// What state panics with is not swallowed.
func TestRunLetsPanicsPass(t *testing.T) {
	var m limits.Meter
	defer func() {
		if r := recover(); r != "mine" {
			t.Errorf("recovered %v, want mine", r)
		}
	}()
	_ = m.Run(t.Context(), func() { panic("mine") })
	t.Error("Run returned")
}
