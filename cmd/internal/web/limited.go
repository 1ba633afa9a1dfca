package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

// NewLimited returns a server of a page: a request's head must come soon, and a connection on
// which nothing is asked ends.
func NewLimited(page http.Handler) *http.Server {
	return &http.Server{Handler: page, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 64 << 10}
}

// lanMost is how many connections anybody on the network may have open, all together.
const lanMost = 256

// A limited listener waits with a further connection until one of so many ends, or itself does.
type limited struct {
	net.Listener
	free  chan struct{}
	ended context.Context
	end   context.CancelFunc
}

func newLimit(l net.Listener, most int) *limited {
	ended, end := context.WithCancel(context.Background())
	return &limited{l, make(chan struct{}, most), ended, end}
}

func (l *limited) Accept() (net.Conn, error) {
	select {
	case l.free <- struct{}{}:
	case <-l.ended.Done():
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.free
		return nil, err
	}
	return &held{c, sync.OnceFunc(func() { <-l.free })}, nil
}

// Close ends the waiting too: a server closes its connections only after that.
func (l *limited) Close() error {
	l.end()
	return l.Listener.Close()
}

// A held connection gives its place back when it is closed.
type held struct {
	net.Conn
	end func()
}

func (c *held) Close() error {
	defer c.end()
	return c.Conn.Close()
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
