package web

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"onlooker/solve/limits"
	"onlooker/solve/solvetest"
)

// elsewhere has callers from 127.0.0.N, N over 1, come from 192.0.2.N (RFC 5737).
type elsewhere struct{ net.Listener }

type stranger struct {
	net.Conn
	from net.Addr
}

func (s stranger) RemoteAddr() net.Addr { return s.from }

func (e elsewhere) Accept() (net.Conn, error) {
	c, err := e.Listener.Accept()
	if err != nil {
		return nil, err
	}
	from := *c.RemoteAddr().(*net.TCPAddr)
	if from.IP = from.IP.To4(); from.IP[3] == 1 {
		return c, nil
	}
	from.IP = net.IPv4(192, 0, 2, from.IP[3])
	return stranger{c, &from}, nil
}

// TestServerHeld: strangers who open connections and ask nothing, or keep them after they
// asked, lose them to those who do ask; who asks for long keeps his.
func TestServerHeld(t *testing.T) {
	l := solvetest.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	long := make(chan struct{})
	s := NewLimited(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/long" {
			w.Header().Set("Connection", "close")
			w.(http.Flusher).Flush()
			<-long
		}
		fmt.Fprint(w, "asked")
	}))
	s.most, s.mostOfOne = 20, 8
	go func() { _ = s.Serve(elsewhere{l}) }() // ends with the test
	defer s.Close()
	dial := func(from int) net.Conn {
		t.Helper()
		d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(from))}, Timeout: 10 * time.Second}
		c, err := d.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Skip("this system has no 127.0.0.2: ", err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	ask := func(c net.Conn, path string) (string, error) {
		_ = c.SetDeadline(time.Now().Add(10 * time.Second))
		if _, err := fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path); err != nil {
			return "", err
		}
		r, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || path == "/long" {
			return "", err
		}
		said, err := io.ReadAll(r.Body)
		return string(said), err
	}
	open := func() map[string]int {
		s.mu.Lock()
		defer s.mu.Unlock()
		all := map[string]int{}
		for _, o := range s.calls {
			all[o.from]++
		}
		return all
	}
	watching := dial(2)
	solvetest.Must(ask(watching, "/long"))(t)
	for range 30 { // one machine, more than it may have
		if said, err := ask(dial(3), "/"); said != "asked" {
			t.Fatalf("a stranger is told %q, %v", said, err)
		}
	}
	solvetest.Same(t, open()["192.0.2.3"], s.mostOfOne, "connections of one machine")
	for from := 4; from < 34; from++ { // many machines, which ask nothing
		dial(from)
	}
	for _, from := range []int{1, 2, 40} {
		if said, err := ask(dial(from), "/"); said != "asked" {
			t.Errorf("beside them 127.0.0.%d is told %q, %v", from, said, err)
		}
	}
	total := 0
	for _, n := range open() {
		total += n
	}
	if total > s.most {
		t.Errorf("%d connections are open, want at most %d", total, s.most)
	}
	close(long)
	if said, err := io.ReadAll(watching); !strings.Contains(string(said), "asked") {
		t.Errorf("who asked for long is told %q, %v", said, err)
	}
	// Where all are busy there is no place.
	busy := NewLimited(nil)
	busy.most, busy.mostOfOne = 1, 1
	first, second := net.Pipe()
	if !busy.admits(first) {
		t.Error("the first one finds no place")
	}
	busy.heard(first, http.StateActive)
	if busy.admits(second) {
		t.Error("beside a busy one there is a place for a second one of one")
	}
	busy.heard(first, http.StateClosed)
	if !busy.admits(second) {
		t.Error("the place of one that ended is not there again")
	}
}

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

func TestCaller(t *testing.T) {
	for from, want := range map[string]string{
		"127.0.0.1:80": here, "[::1]:80": here, "[::ffff:127.0.0.1]:80": here,
		"192.0.2.7:80": "192.0.2.7", "[::ffff:192.0.2.7]:80": "192.0.2.7",
		"[2001:db8:1:2:3::4]:80": "2001:db8:1:2::/64", "[2001:db8:1:2:5::6]:80": "2001:db8:1:2::/64",
		"[fe80::1%eth0]:80": "fe80::/64",
	} {
		at := solvetest.Must(net.ResolveTCPAddr("tcp", from))(t)
		solvetest.Same(t, caller(at), want, "%s", from)
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
