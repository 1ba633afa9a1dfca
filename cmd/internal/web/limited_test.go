package web

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"onlooker/solve/limits"
	"onlooker/solve/solvetest"
)

// TestServerIdle: a connection on which nothing is asked ends.
func TestServerIdle(t *testing.T) {
	l := solvetest.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	s := NewLimited(http.NotFoundHandler())
	if s.IdleTimeout <= 0 || s.ReadHeaderTimeout <= 0 {
		t.Errorf("idle connections end after %v, heads after %v", s.IdleTimeout, s.ReadHeaderTimeout)
	}
	s.IdleTimeout, s.ReadHeaderTimeout = 50*time.Millisecond, 50*time.Millisecond
	go func() { _ = s.Serve(l) }() // ends with the test
	defer s.Close()
	for _, said := range []string{"", "GET / HT", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"} {
		c := solvetest.Must(net.Dial("tcp", l.Addr().String()))(t)
		_ = c.SetDeadline(time.Now().Add(20 * time.Second))
		solvetest.Must(io.WriteString(c, said))(t)
		if _, err := io.ReadAll(c); err != nil {
			t.Errorf("after %q it stays: %v", said, err)
		}
		c.Close()
	}
}

// TestLimited: a connection more than there may be waits until one ends, or the listener does.
func TestLimited(t *testing.T) {
	l, came := newLimit(solvetest.Must(net.Listen("tcp", "127.0.0.1:0"))(t), 1), make(chan net.Conn)
	go func() {
		defer close(came)
		for c, err := l.Accept(); err == nil; c, err = l.Accept() {
			came <- c
		}
	}()
	for range 3 {
		defer solvetest.Must(net.Dial("tcp", l.Addr().String()))(t).Close()
	}
	first := <-came
	if len(l.free) != cap(l.free) {
		t.Errorf("%d places of %d are taken by a connection", len(l.free), cap(l.free))
	}
	first.Close()
	<-came
	l.Close()
	if _, more := <-came; more {
		t.Error("a third connection came beside the second")
	}
}

// TestQueue takes more turns than there are: who waits gets the turn that is given back, or is
// told to try again, and who leaves holds none.
func TestQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := make(queue, 1)
		end := solvetest.Must(q.turn(t.Context()))(t)
		if _, err := q.turn(t.Context()); !errors.Is(err, errBusy) {
			t.Errorf("a turn that never comes: %v, want %v", err, errBusy)
		}
		left, leave := context.WithCancel(t.Context())
		leave()
		if _, err := q.turn(left); !errors.Is(err, context.Canceled) {
			t.Errorf("one who leaves: %v, want %v", err, context.Canceled)
		}
		time.AfterFunc(patience/2, end)
		end = solvetest.Must(q.turn(t.Context()))(t, "a turn that is given back in time")
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
