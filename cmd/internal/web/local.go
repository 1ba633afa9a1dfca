package web

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"
)

// Only answers requests that name a loopback host and that no other site's
// page makes; the rest get a message and 403 (Forbidden). What next leaves
// of a request's body is read off, so that its answer arrives.
func Only(next http.Handler) http.Handler {
	return drain(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A name that an attacker's server resolves to 127.0.0.1 is still that
		// name in the Host header.
		if !Loopback(r.Host) {
			http.Error(w, fmt.Sprintf("host %q is not this machine", r.Host), http.StatusForbidden)
			return
		}
		if err := SameOrigin(r); err != nil {
			http.Error(w, err.Error(), http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	}))
}

// SameOrigin tells whether a request may come from a page of its own host; an
// error says who asks. Links from elsewhere to a whole page are fine.
func SameOrigin(r *http.Request) error {
	if origin := r.Header.Get("Origin"); origin != "" {
		if u, err := url.Parse(origin); err != nil || u.Host != r.Host {
			return fmt.Errorf("a page of %q may not ask", origin)
		}
	}
	// Browsers that send no Origin with a picture or a script do send this.
	switch site := r.Header.Get("Sec-Fetch-Site"); site {
	case "", "same-origin", "none":
		return nil
	default:
		if r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document" {
			return nil
		}
		return fmt.Errorf("a %s page may not ask", site)
	}
}

// Loopback tells whether a host, with a port or without, is this machine by its own name.
func Loopback(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

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
