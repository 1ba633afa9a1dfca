package web

import (
	"crypto/rand"
	"crypto/subtle"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

//go:embed phone
var phone embed.FS

// phonePolicy lets the phone's view load its own files, the frame and events.
const phonePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"frame-ancestors 'none'; form-action 'self'; base-uri 'none'"

// letters of a code: none that is taken for another, in any case.
const letters = "abcdefghjkmnpqrstuvwxyz23456789"

// codeLetters is how many a code has: 900 million codes, of which an address may try
// wrongGuesses a minute.
const (
	codeLetters  = 6
	wrongGuesses = 20
)

// newCode is a code that nobody can guess in the time that onlooker runs.
func newCode() string {
	code := make([]byte, 0, codeLetters)
	var one [1]byte
	for len(code) < codeLetters {
		_, _ = rand.Read(one[:]) // never fails
		// Bytes from the last whole round of letters on would favour the first ones.
		if n := int(one[0]); n < 256/len(letters)*len(letters) {
			code = append(code, letters[n%len(letters)])
		}
	}
	return string(code)
}

// guesses counts wrong codes by the address that they come from.
type guesses struct {
	mu    sync.Mutex
	since time.Time
	wrong map[string]int
}

// many tells whether an address guessed too often in this minute; wrong adds one.
func (g *guesses) many(r *http.Request, wrong bool) bool {
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	g.mu.Lock()
	defer g.mu.Unlock()
	if now := time.Now(); now.Sub(g.since) > time.Minute {
		g.since, g.wrong = now, map[string]int{}
	}
	if wrong {
		g.wrong[host]++
	}
	return g.wrong[host] > wrongGuesses
}

// newPhone is the live view alone, for who knows the code: the shown frame, the answers
// and the view's own files, nothing else.
func (l *LiveView) newPhone() http.Handler {
	files, err := fs.Sub(phone, "phone")
	if err != nil {
		panic(err) // the folder is embedded: only a wrong name here can fail
	}
	view := http.NewServeMux()
	view.Handle("GET /", filesOf(files))
	view.HandleFunc("GET /svg.js", func(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, static, "static/svg.js") })
	view.HandleFunc("GET /live/events", l.serveEvents)
	view.HandleFunc("GET /live/frame.jpg", l.serveFrame)
	tries := &guesses{}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		guardHeaders(w.Header(), "no-store", phonePolicy)
		if r.ContentLength != 0 {
			// Nobody reads what is sent here; who sends it slowly does not stay for it.
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(stall))
		}
		if err := SameOrigin(r); err != nil {
			http.Error(w, err.Error(), http.StatusForbidden)
			return
		}
		typed, _, whole := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		given := strings.ToLower(typed)
		if typed == "" {
			given = strings.ToLower(strings.TrimSpace(r.URL.Query().Get("code")))
		}
		switch right := subtle.ConstantTimeCompare([]byte(given), []byte(l.Code())) == 1; {
		case given == "":
			http.ServeFileFS(w, r, files, "code.html")
		case given == "phone.css" || given == "icon.svg":
			http.ServeFileFS(w, r, files, given)
		case tries.many(r, !right):
			http.Error(w, "too many wrong codes: wait a minute", http.StatusTooManyRequests)
		case !right:
			http.Error(w, "not the code that onlooker shows: look there, it is drawn anew with each start", http.StatusNotFound)
		case !whole || typed != given:
			http.Redirect(w, r, "/"+given+"/", http.StatusSeeOther)
		default:
			http.StripPrefix("/"+typed, view).ServeHTTP(pace(w), r)
		}
	})
}

// Code is the short secret in the phone's address.
func (l *LiveView) Code() string { return l.code }

// Phone is the phone's view by itself, for who knows the code.
func (l *LiveView) Phone() http.Handler { return l.phone }

// An OpenPage is a page that is being served.
type OpenPage struct {
	URL   string
	Other []string // further addresses of the same view
	Lan   bool     // other machines can reach it
	net.Listener
	server *Limited
}

// Close ends it.
func (s *OpenPage) Close() error { return s.server.Close() }

// Lan is the word for an address that the whole network reaches.
const Lan = "lan"

// Serve serves at an address until it is closed: PORT alone or with a colon is the whole
// page on this machine; lan, lan:PORT or another HOST:PORT is the phone's view, on the
// network. Without a port lan takes the usual one, or a free one where that is taken.
func (l *LiveView) Serve(address string, usual int) (*OpenPage, error) {
	host, port, err := split(address)
	if err != nil {
		return nil, err
	}
	s := &OpenPage{Lan: host == Lan || !Loopback(host)}
	on := host
	if host == Lan {
		on = ""
	}
	want := port
	if port == "" {
		want = strconv.Itoa(usual)
	}
	s.Listener, err = net.Listen("tcp", net.JoinHostPort(on, want))
	if err != nil && port == "" {
		s.Listener, err = net.Listen("tcp", net.JoinHostPort(on, "0"))
	}
	if err != nil {
		return nil, fmt.Errorf("--serve %s: %w", address, err)
	}
	at := s.Addr().(*net.TCPAddr)
	hosts, path, handler := []string{at.IP.String()}, l.Path(), http.Handler(l)
	if s.Lan {
		path, handler = "/"+l.Code()+"/", l.phone
		if at.IP.IsUnspecified() {
			if hosts = addresses(); len(hosts) == 0 {
				_ = s.Listener.Close() // nobody could reach it
				return nil, errors.New("--serve lan: this machine is on no network")
			}
		}
	}
	for _, host := range hosts {
		s.Other = append(s.Other, "http://"+net.JoinHostPort(host, strconv.Itoa(at.Port))+path)
	}
	s.URL, s.Other = s.Other[0], s.Other[1:]
	s.server = NewLimited(handler)
	go func() { _ = s.server.Serve(s.Listener) }() // ends when it is closed
	return s, nil
}

// split takes an address of --serve apart; host is never "".
func split(address string) (host, port string, err error) {
	if address == Lan {
		return Lan, "", nil
	}
	host, port = "", address
	if strings.Contains(address, ":") {
		if host, port, err = net.SplitHostPort(address); err != nil {
			return "", "", fmt.Errorf("--serve %q, want PORT, lan or HOST:PORT", address)
		}
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return "", "", fmt.Errorf("--serve %q: port %q, want a number from 0 to 65535", address, port)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	return host, port, nil
}

// addresses are this machine's on its networks, first the one that it is reached at from
// where most of its ways lead.
func addresses() []string {
	var list []string
	// Nothing is sent: the system only tells which of its addresses it would use. The
	// other end is one for examples (RFC 5737).
	if c, err := net.Dial("udp4", "192.0.2.1:9"); err == nil {
		list = append(list, c.LocalAddr().(*net.UDPAddr).IP.String())
		_ = c.Close() // nothing was sent
	}
	all, _ := net.InterfaceAddrs() // what is reached by none of them is reached by the first
	var six []string
	for _, a := range all {
		ip, _, err := net.ParseCIDR(a.String())
		switch {
		case err != nil || ip.IsLoopback() || ip.IsLinkLocalUnicast() || len(list) > 0 && ip.String() == list[0]:
		case ip.To4() != nil:
			list = append(list, ip.String())
		default:
			six = append(six, ip.String())
		}
	}
	return append(list, six...)
}
