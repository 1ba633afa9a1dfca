package web

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// TestTurnLent: a turn whose stream is not read is another's, and comes back; one that is
// read is kept.
func TestTurnLent(t *testing.T) {
	q := newQueue(1)
	mine, err := q.turn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	resume := mine.lend()
	if err := resume(); err != nil || len(q.slots) != 1 {
		t.Errorf("read at once: %v, %d turns taken, want 1", err, len(q.slots))
	}
	resume = mine.lend()
	other, err := q.take(t.Context()) // waits for the lull
	if err != nil {
		t.Fatal(err)
	}
	back := make(chan error)
	go func() { back <- resume() }()
	select {
	case err := <-back:
		t.Errorf("two have one turn: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	other()
	if err := <-back; err != nil || len(q.slots) != 1 {
		t.Errorf("afterwards: %v, %d turns taken, want 1", err, len(q.slots))
	}
	mine.end()
	if len(q.slots) != 0 {
		t.Errorf("at the end %d turns are taken", len(q.slots))
	}
}

// TestPaced writes to a client that does not read: it ends with an error.
func TestPaced(t *testing.T) {
	failed := make(chan error, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := pace(w).Write(make([]byte, 64<<20))
		failed <- err
	}))
	defer server.Close()
	r, err := http.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	select {
	case err := <-failed:
		if err == nil {
			t.Error("64 MB were written that nobody read")
		}
	case <-time.After(10 * stall):
		t.Errorf("the writing goes on after %v", 10*stall)
	}
}
