package web

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"sync"
	"time"
)

const (
	// headerTime is how long a request's head may take, and idleTime how long a
	// connection is kept on which nothing is asked.
	headerTime = 5 * time.Second
	idleTime   = time.Minute
	// maxConnections is how many a server has in all: less than every system's limit of
	// open files. maxOfOne is how many of them another machine has; a browser opens
	// six, and one more for each view of what happens.
	maxConnections = 900
	maxOfOne       = 32
)

// A Limited server is an http.Server that strangers cannot take from others by holding connections: a
// new one takes the place of the one that has been idle for longest.
type Limited struct {
	http.Server
	most, mostOfOne int

	mu    sync.Mutex
	calls map[net.Conn]*call
}

// A call is one open connection.
type call struct {
	from string
	busy bool
	last time.Time // something was asked, or answered
}

// NewLimited returns a server of a page.
func NewLimited(page http.Handler) *Limited {
	s := &Limited{most: maxConnections, mostOfOne: maxOfOne, calls: map[net.Conn]*call{}}
	s.Server = http.Server{Handler: page, ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: 64 << 10, ConnState: s.heard}
	return s
}

// Serve is http.Server's.
func (s *Limited) Serve(l net.Listener) error { return s.Server.Serve(door{l, s}) }

// A door lets connections in.
type door struct {
	net.Listener
	server *Limited
}

// Accept gives the next connection that there is a place for; others are closed.
func (d door) Accept() (net.Conn, error) {
	for {
		c, err := d.Listener.Accept()
		if err != nil || d.server.admits(c) {
			return c, err
		}
		_ = c.Close() // nothing was said on it
	}
}

// admits makes place for a connection, or tells that there is none.
func (s *Limited) admits(c net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	from := caller(c.RemoteAddr())
	of := 0
	for _, o := range s.calls {
		if o.from == from {
			of++
		}
	}
	ok := len(s.calls) < s.most || s.hangUp(func(*call) bool { return true })
	if from != here && of >= s.mostOfOne {
		ok = s.hangUp(func(o *call) bool { return o.from == from })
	}
	if ok {
		s.calls[c] = &call{from: from, last: time.Now()}
	}
	return ok
}

// hangUp closes the connection that has been idle for longest, of those that are meant.
func (s *Limited) hangUp(meant func(*call) bool) bool {
	var oldest net.Conn
	for c, o := range s.calls {
		if !o.busy && meant(o) && (oldest == nil || o.last.Before(s.calls[oldest].last)) {
			oldest = c
		}
	}
	if oldest == nil {
		return false
	}
	delete(s.calls, oldest)
	_ = oldest.Close() // nothing is under way on it
	return true
}

// heard follows what connections do.
func (s *Limited) heard(c net.Conn, state http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.calls[c]
	if o == nil {
		return
	}
	switch state {
	case http.StateActive, http.StateIdle:
		o.busy, o.last = state == http.StateActive, time.Now()
	case http.StateClosed, http.StateHijacked:
		delete(s.calls, c)
	}
}

// here is this machine as a caller.
const here = "here"

// caller is the machine at an address: of IPv6 all that share its first half, of which a
// machine has as many as it likes.
func caller(a net.Addr) string {
	at, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return a.String()
	}
	ip := at.Addr().Unmap()
	if ip.IsLoopback() {
		return here
	}
	if ip.Is6() {
		if half, err := ip.WithZone("").Prefix(64); err == nil {
			return half.String()
		}
	}
	return ip.String()
}

// A paced writer ends with an error where its reader stands still. Only a piece has a
// deadline: what is read slowly may take as long as it does.
type paced struct {
	http.ResponseWriter
	control *http.ResponseController
}

func pace(w http.ResponseWriter) *paced { return &paced{w, http.NewResponseController(w)} }

func (p *paced) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// piece does something that may wait for the reader.
func (p *paced) piece(do func() error) error {
	// Where a deadline cannot be set (a recorder in a test) there is none.
	set := p.control.SetWriteDeadline(time.Now().Add(stall)) == nil
	err := do()
	if set && err == nil {
		err = p.control.SetWriteDeadline(time.Time{})
	}
	return err
}

func (p *paced) Write(data []byte) (n int, err error) {
	const most = 64 << 10
	for err == nil && (n == 0 || n < len(data)) {
		var wrote int
		err = p.piece(func() (err error) {
			wrote, err = p.ResponseWriter.Write(data[n:min(n+most, len(data))])
			return err
		})
		if n += wrote; len(data) == 0 {
			break
		}
	}
	return n, err
}

// Flush sends what was written.
func (p *paced) Flush() {
	_ = p.piece(p.control.Flush) // the next piece fails, too
}

const (
	// stall is how long a request's body may stand still. On one machine a body
	// comes at once.
	stall = 2 * time.Second
	// maxBody is how long it may take in all.
	maxBody = 20 * time.Second
	// maxPictures is how many pictures are taken in at a time; each waits for its
	// turn to be read with what was sent of it.
	maxPictures = 8
)

// errStalled says that a request's body did not come.
var errStalled = status{http.StatusRequestTimeout, fmt.Errorf("the request stood still for %v, or took more than %v", stall, maxBody)}

// A prompt body is one that ends with an error where it stands still. Only reading
// has a deadline: an answer may take as long as it does.
type prompt struct {
	io.ReadCloser
	of  *http.ResponseController
	end time.Time
}

// hurry gives a request's body its deadlines.
func hurry(w http.ResponseWriter, r *http.Request) {
	r.Body = &prompt{r.Body, http.NewResponseController(w), time.Now().Add(maxBody)}
}

func (p *prompt) Read(to []byte) (int, error) {
	by := time.Now().Add(stall)
	if p.end.Before(by) {
		by = p.end
	}
	// Where a deadline cannot be set (a recorder in a test) there is none.
	set := p.of.SetReadDeadline(by) == nil
	n, err := p.ReadCloser.Read(to)
	if set && !errors.Is(err, os.ErrDeadlineExceeded) {
		if clear := p.of.SetReadDeadline(time.Time{}); clear != nil && err == nil {
			err = clear
		}
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = errStalled
	}
	return n, err
}
