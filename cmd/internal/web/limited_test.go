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

// TestLimited: of one connection more than there may be nothing is answered until one ends.
func TestLimited(t *testing.T) {
	l := newLimit(solvetest.Must(net.Listen("tcp", "127.0.0.1:0"))(t), 1)
	s := NewLimited(http.NotFoundHandler())
	go func() { _ = s.Serve(l) }() // ends with the test
	defer s.Close()
	first, second := solvetest.Must(net.Dial("tcp", l.Addr().String()))(t), solvetest.Must(net.Dial("tcp", l.Addr().String()))(t)
	answer := func(c net.Conn, wait time.Duration) error {
		_ = c.SetDeadline(time.Now().Add(wait))
		_, _ = io.WriteString(c, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
		_, err := c.Read(make([]byte, 1))
		return err
	}
	solvetest.OK(t, answer(first, 20*time.Second))
	if answer(second, 50*time.Millisecond) == nil {
		t.Error("a second connection is answered beside the one that there may be")
	}
	first.Close()
	solvetest.OK(t, answer(second, 20*time.Second))
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
