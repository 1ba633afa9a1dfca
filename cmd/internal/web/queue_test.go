package web

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"onlooker/solve/limits"
)

// TestQueue takes more turns than there are: who waits gets the turn that is given back, or is
// told to try again, and who leaves holds none.
func TestQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := make(queue, 1)
		end, err := q.turn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := q.turn(t.Context()); !errors.Is(err, errBusy) {
			t.Errorf("a turn that never comes: %v, want %v", err, errBusy)
		}
		left, leave := context.WithCancel(t.Context())
		leave()
		if _, err := q.turn(left); !errors.Is(err, context.Canceled) {
			t.Errorf("one who leaves: %v, want %v", err, context.Canceled)
		}
		time.AfterFunc(patience/2, end)
		end, err = q.turn(t.Context())
		if err != nil {
			t.Fatalf("a turn that is given back in time: %v", err)
		}
		if end(); len(q) != 0 {
			t.Errorf("at the end %d turns are taken, want none", len(q))
		}
	})
}

// TestGateMemory: what takes more memory than it may ends, whatever is asked, and so does what
// nobody waits for.
func TestGateMemory(t *testing.T) {
	g := &gate{memory: 1}
	until := func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	}
	var large *limits.MemoryError
	if err := g.do(t.Context(), make(queue, 1), until); !errors.As(err, &large) {
		t.Errorf("with one byte of memory: %v, want that it is too large", err)
	}
	g.memory = 1 << 40
	ctx, leave := context.WithCancel(t.Context())
	time.AfterFunc(time.Millisecond, leave)
	if err := g.do(ctx, make(queue, 1), until); !errors.Is(err, context.Canceled) {
		t.Errorf("one who leaves: %v, want %v", err, context.Canceled)
	}
}
