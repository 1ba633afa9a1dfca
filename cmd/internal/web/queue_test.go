package web

import (
	"errors"
	"testing"
	"time"
)

// TestQueue takes more turns than there are: who waits gets the turn that is
// given back, and is told after a while where none is.
func TestQueue(t *testing.T) {
	q := newQueue(1)
	done, err := q.take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	q.patience = time.Millisecond
	if _, err := q.take(t.Context()); !errors.Is(err, errBusy) {
		t.Errorf("a turn that never comes: %v, want %v", err, errBusy)
	}
	q.patience = time.Hour
	got := make(chan error)
	go func() {
		again, err := q.take(t.Context())
		if err == nil {
			again()
		}
		got <- err
	}()
	done()
	if err := <-got; err != nil {
		t.Errorf("a turn that was given back: %v", err)
	}
	if n := q.waiting.Load(); n != 0 {
		t.Errorf("%d wait, want 0", n)
	}
}
