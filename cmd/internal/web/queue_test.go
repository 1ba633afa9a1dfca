package web

import (
	"context"
	"errors"
	"testing"
	"time"

	"onlooker/solve/limits"
)

// held takes a turn that there is.
func held(t *testing.T, q *queue, size int) *turn {
	t.Helper()
	got, err := q.turn(t.Context(), size)
	if err != nil {
		t.Fatalf("a turn of %d bytes: %v", size, err)
	}
	return got
}

// asks waits for a turn beside the test, and gives it when it has come.
func asks(q *queue, ctx context.Context, size int) chan *turn {
	got := make(chan *turn, 1)
	go func() {
		if t, err := q.turn(ctx, size); err == nil {
			got <- t
		}
	}()
	return got
}

// queued returns when so many wait.
func queued(q *queue, n int) {
	for {
		q.mu.Lock()
		now := len(q.waiting)
		q.mu.Unlock()
		if now == n {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// TestQueue takes more turns than there are: who waits gets the turn that is
// given back, and is told after a while where none is, or where too many wait.
func TestQueue(t *testing.T) {
	q := newQueue(1)
	q.spell = time.Hour
	first := held(t, q, 0)
	q.patience = time.Millisecond
	if _, err := q.turn(t.Context(), 0); !errors.Is(err, errBusy) {
		t.Errorf("a turn that never comes: %v, want %v", err, errBusy)
	}
	q.patience = time.Hour
	left, leave := context.WithCancel(t.Context())
	leave()
	if _, err := q.turn(left, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("a turn for one who has left: %v, want %v", err, context.Canceled)
	}
	all := make(chan *turn)
	for range maxWaiting {
		go func() { all <- <-asks(q, t.Context(), 0) }()
	}
	queued(q, maxWaiting)
	if _, err := q.turn(t.Context(), 0); !errors.Is(err, errBusy) {
		t.Errorf("one more than may wait: %v, want %v", err, errBusy)
	}
	first.end()
	first.end() // gives nothing back twice
	for range maxWaiting {
		(<-all).end()
	}
	if queued(q, 0); q.free != 1 || q.aside != maxAside || q.large != 1 {
		t.Errorf("at the end %d turns are free, %d places aside, %d large ones; want 1, %d, 1", q.free, q.aside, q.large, maxAside)
	}
}

// TestQueueSmallFirst: of those who wait the smallest comes first, and large boards keep no
// small one waiting: one of them has a turn.
func TestQueueSmallFirst(t *testing.T) {
	q := newQueue(2)
	q.spell = time.Hour
	large, other := held(t, q, largeBoard+1), held(t, q, 1)
	second := asks(q, t.Context(), largeBoard+1)
	queued(q, 1)
	middle := asks(q, t.Context(), 100)
	queued(q, 2)
	small := asks(q, t.Context(), 10)
	queued(q, 3)
	other.end()
	got := <-small
	select {
	case <-middle:
		t.Fatal("one turn was given to two")
	case <-second:
		t.Fatal("two large boards have a turn")
	default:
	}
	got.end()
	(<-middle).end()
	if queued(q, 1); q.free != 1 {
		t.Errorf("%d turns are free beside a large board, want 1", q.free)
	}
	large.end()
	(<-second).end()
}

// TestQueueAside: what takes longer than its spell stands aside, as many as there are
// places, and others have their turns.
func TestQueueAside(t *testing.T) {
	q := newQueue(1)
	q.spell, q.aside = time.Millisecond, 2
	long := []*turn{held(t, q, 1), held(t, q, 1)} // the second waits for the first one's spell
	last := held(t, q, 1)
	q.patience = 20 * q.spell
	if _, err := q.turn(t.Context(), 1); !errors.Is(err, errBusy) {
		t.Errorf("with no place aside: %v, want %v", err, errBusy)
	}
	q.patience = time.Hour
	waits := asks(q, t.Context(), 1)
	long[0].end()
	(<-waits).end() // the last one stands aside now
	long[1].end()
	last.end()
	if queued(q, 0); q.free != 1 || q.aside != 2 {
		t.Errorf("at the end %d turns and %d places aside are free, want 1 and 2", q.free, q.aside)
	}
}

// TestTurnLent: a turn whose stream is not read is another's, and comes back; one that is
// read is kept.
func TestTurnLent(t *testing.T) {
	q := newQueue(1)
	q.spell = time.Hour
	mine := held(t, q, 0)
	resume := mine.lend()
	if err := resume(); err != nil || q.free != 0 {
		t.Errorf("read at once: %v, %d turns free, want 0", err, q.free)
	}
	resume = mine.lend()
	other := held(t, q, 0) // waits for the lull
	back := make(chan error)
	go func() { back <- resume() }()
	queued(q, 1)
	other.end()
	if err := <-back; err != nil || q.free != 0 {
		t.Errorf("afterwards: %v, %d turns free, want 0", err, q.free)
	}
	mine.end()
	if q.free != 1 {
		t.Errorf("at the end %d turns are free, want 1", q.free)
	}
}

// TestGateMemory: what takes more memory than it may ends, whatever is asked, and so does what
// nobody waits for.
func TestGateMemory(t *testing.T) {
	g := &gate{memory: 1}
	until := func(ctx context.Context, _ *turn) error {
		<-ctx.Done()
		return ctx.Err()
	}
	var large *limits.MemoryError
	if err := g.do(t.Context(), newQueue(1), 0, until); !errors.As(err, &large) {
		t.Errorf("with one byte of memory: %v, want that it is too large", err)
	}
	g.memory = 1 << 40
	ctx, leave := context.WithCancel(t.Context())
	time.AfterFunc(time.Millisecond, leave)
	if err := g.do(ctx, newQueue(1), 0, until); !errors.Is(err, context.Canceled) {
		t.Errorf("one who leaves: %v, want %v", err, context.Canceled)
	}
}
