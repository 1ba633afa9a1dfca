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
