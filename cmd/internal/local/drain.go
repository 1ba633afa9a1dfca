package local

import (
	"io"
	"net/http"
	"time"
)

const (
	// maxDrained is how much of a body that nobody wanted is read off, in bytes:
	// twice the largest picture that the page takes.
	maxDrained = 128 << 20
	// drainTime is how long its sender may take for it.
	drainTime = 30 * time.Second
)

// drain answers as next does, and then reads off what next left of the
// request's body. A connection that is closed with bytes unread is reset, and
// the reset takes the answer with it: who sent much would not be told why it
// was refused. Nothing of the body is kept.
func drain(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength == 0 || r.ProtoMajor != 1 {
			next.ServeHTTP(w, r)
			return
		}
		control := http.NewResponseController(w)
		// Else the answer's first byte would end the reading. What cannot do it
		// has no connection to reset.
		_ = control.EnableFullDuplex()
		body := &counted{ReadCloser: r.Body, left: r.ContentLength}
		r.Body = body
		next.ServeHTTP(w, r)
		if body.left == 0 || body.ended {
			return
		}
		if control.Flush() != nil || control.SetReadDeadline(time.Now().Add(drainTime)) != nil {
			return
		}
		_, _ = io.Copy(io.Discard, io.LimitReader(body, maxDrained)) // who goes away is gone
	})
}

// counted knows how much of a body is left; below 0: its length was not said.
type counted struct {
	io.ReadCloser
	left  int64
	ended bool
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	if c.left > 0 {
		c.left -= int64(n)
	}
	c.ended = c.ended || err != nil
	return n, err
}
