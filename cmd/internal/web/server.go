package web

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"iter"
	"net/http"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/store"
	"onlooker/solve"
	"onlooker/vision"
)

//go:embed static
var static embed.FS

const (
	// maxText is the most that is read of a text, in bytes: the largest file of
	// boards seen has 4 million.
	maxText = 8 << 20
	// maxPicture is the most that is read of a picture's file, in bytes. A
	// screen of 8K with a photograph on it takes 60 million as PNG.
	maxPicture = 64 << 20
	// maxRequests is how many requests are answered at a time; the page itself
	// never has more than the six connections that a browser opens.
	maxRequests = 256
	// A text of more than smallText bytes is large: maxLarge of them are taken
	// at a time. Reading one of maxText bytes takes some five times as much.
	smallText = 256 << 10
	maxLarge  = 8
)

// policy lets the page load and ask its own server, and nothing else. blob: is
// the picture that was dropped, data: the pictures that are saved.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; " +
	"frame-src 'self'; frame-ancestors 'self'; form-action 'self'; base-uri 'none'"

// A FoundBoard is one board of a text, or why it is none.
type FoundBoard struct {
	Game   *see.Game
	Puzzle solve.Puzzle
	Err    error
}

// A Given file is a text or a picture that the page opens at first; one without a name is none.
type Given struct {
	Name string
	Data []byte
}

// Options are what a page is made of.
type Options struct {
	Games []see.Game
	// Decode yields the boards of a text; family and rules are "" or what the
	// user said of it.
	Decode func(text []byte, family, rules string) iter.Seq[FoundBoard]
	// Eye makes what looks at pictures. It is asked once, for the first one.
	Eye func() (*see.Eye, error)
	// ReadPicture decodes a picture.
	ReadPicture func(io.ReadSeeker) (*image.RGBA, error)
	// Given is a file that the page begins with.
	Given Given
	// Practice is the practice Challenge; nil: there is none.
	Practice http.Handler
	// Memory is how much the process may take, in bytes.
	Memory int64
	// Store keeps puzzles and answers; nil: nothing is kept. Solver is the
	// version that answers are marked with.
	Store  *store.Store
	Solver string
	// Learn adds a board that was put right to a look, and says what was learned; nil: nothing is
	// learned here.
	Learn func(r see.Reading, frame *image.RGBA, look string) (said string, err error)
	// Live is what watches the screen; nil: nothing does.
	Live *LiveView
}

// A Server is the page. It keeps nothing of its visitors.
type Server struct {
	families
	*gate
	options  Options
	mux      *http.ServeMux
	shelf    shelf
	service  *answer.Service
	requests atomic.Int64
}

// Local is the page for the browsers of this machine alone.
func (s *Server) Local() http.Handler { return Only(s) }

// filesOf serves files. A name that is no text is none of theirs; to the library it is a fault
// of the server's.
func filesOf(files fs.FS) http.Handler {
	serve := http.FileServerFS(files)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !utf8.ValidString(r.URL.Path) {
			http.NotFound(w, r)
			return
		}
		serve.ServeHTTP(w, r)
	})
}

// guardHeaders says what a browser may do with what a page of ours sends.
func guardHeaders(h http.Header, cache, policy string) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", cache)
	h.Set("Content-Security-Policy", policy)
}

// ServeHTTP answers as many requests as it can at a time, and refuses the rest.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// A newer binary serves newer files under the same names.
	guardHeaders(w.Header(), "no-cache", policy)
	if r.Method == http.MethodPost {
		hurry(w, r)
		// What stands still holds no request's place: small bodies are there before.
		if r.ContentLength >= 0 && r.ContentLength <= smallText {
			data, err := io.ReadAll(r.Body)
			if err != nil {
				fail(w, err)
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(data))
		}
	}
	w = pace(w)
	if s.requests.Add(1) > maxRequests {
		s.requests.Add(-1)
		busy(w)
		return
	}
	defer s.requests.Add(-1)
	s.mux.ServeHTTP(w, r)
}

func busy(w http.ResponseWriter) {
	w.Header().Set("Retry-After", "1")
	w.Header().Set("Connection", "close")
	http.Error(w, "too much is asked at once: try again in a moment", http.StatusServiceUnavailable)
}

// A request is the body that most have: a puzzle, and what is wanted of it.
type request struct {
	Family string         `json:"family"`
	Text   string         `json:"text"`
	Rules  string         `json:"rules,omitempty"`  // as solve --rules
	Stroke [][][2]int     `json:"strokes"`          // an answer, or the beginning of one
	To     string         `json:"to,omitempty"`     // a format
	From   int            `json:"from,omitempty"`   // the first answer wanted, from 0
	Number int            `json:"number,omitempty"` // how many
	Cols   int            `json:"cols,omitempty"`
	Rows   int            `json:"rows,omitempty"`
	Seed   string         `json:"seed,omitempty"`
	Unique bool           `json:"unique,omitempty"`
	Preset string         `json:"preset,omitempty"` // of a random puzzle
	Wishes map[string]int `json:"wishes,omitempty"` // of a random puzzle
	Source string         `json:"source,omitempty"` // where a puzzle to be kept comes from, as the store calls it
	// Of the store: a puzzle's number, and what is wanted of the list.
	ID     int64      `json:"id,omitempty"`
	Step   int        `json:"step,omitempty"`
	Wanted filterJSON `json:"wanted"`
	// One use of an editor's tool.
	Tool   string            `json:"tool,omitempty"`
	At     [][2]int          `json:"at,omitempty"` // half-cells
	Values map[string]string `json:"values,omitempty"`
	Says   string            `json:"says,omitempty"` // what a place is to be, in words
	// Of a board that was put right over a picture of Cols × Rows pixels.
	Outline *outlineJSON `json:"outline,omitempty"`
	Goal    string       `json:"goal,omitempty"`
	Look    string       `json:"look,omitempty"` // that it teaches
}

// A status is an error with the HTTP status that it is told with.
type status struct {
	code int
	err  error
}

func (e status) Error() string { return e.err.Error() }
func (e status) Unwrap() error { return e.err }

// read decodes a request's body. Only JSON that says so is taken: another
// site's form cannot send that without asking first.
func read(w http.ResponseWriter, r *http.Request) (*request, error) {
	if kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); strings.TrimSpace(kind) != "application/json" {
		return nil, status{http.StatusUnsupportedMediaType, fmt.Errorf("the request's body is %q, want application/json", kind)}
	}
	a := &request{}
	dec := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxText))
	if err := dec.Decode(a); err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			return nil, status{http.StatusRequestEntityTooLarge, fmt.Errorf("more than %d MB of text", maxText>>20)}
		}
		return nil, fmt.Errorf("the request: %w", solve.JSONError(err))
	}
	return a, nil
}

// families are the games of a page, of which a request names one.
type families []see.Game

// game finds a family by its name.
func (s families) game(name string) (*see.Game, error) {
	for i := range s {
		if g := &s[i]; g.Name == name {
			return g, nil
		}
	}
	return nil, fmt.Errorf("no family %q", name)
}

// maxSide is the largest new board's width and height, in cells.
const maxSide = 100

// sized refuses a size that no new board may have.
func (a *request) sized() error {
	if a.Cols < 1 || a.Rows < 1 || a.Cols > maxSide || a.Rows > maxSide {
		return fmt.Errorf("a board of %d×%d cells, want 1×1 to %d×%d", a.Cols, a.Rows, maxSide, maxSide)
	}
	return nil
}

// puzzle is the one that a request is about, in its family's canonical text; an error where
// nobody waits for it any more.
func (s families) puzzle(ctx context.Context, a *request) (*see.Game, solve.Puzzle, error) {
	g, err := s.game(a.Family)
	if err != nil {
		return nil, nil, err
	}
	for p, err := range g.Formats[0].Decode(strings.NewReader(a.Text)) {
		if err == nil && a.Rules != "" {
			if g.Variant == nil {
				return nil, nil, fmt.Errorf("%s has no other rules", g.Name)
			}
			p, err = g.Variant(p, a.Rules)
		}
		if err == nil {
			err = ctx.Err()
		}
		return g, p, err
	}
	return nil, nil, fmt.Errorf("%s: no board in the text", g.Name)
}

// fail tells an error as the whole answer of a request.
func fail(w http.ResponseWriter, err error) {
	code := http.StatusBadRequest
	var st status
	switch {
	case errors.As(err, new(*vision.Fault)): // one board must not take the page with it
		code = http.StatusInternalServerError
	case errors.As(err, &st):
		if code = st.code; code == http.StatusRequestTimeout {
			w.Header().Set("Connection", "close")
		}
	case errors.Is(err, errBusy):
		busy(w)
		return
	}
	http.Error(w, said(err), code)
}

// said is an error in the page's words: in one line, without the name of the
// package that it comes from.
func said(err error) string {
	text := cli.Plainly(err)
	for _, name := range []string{"witness: ", "store: "} {
		text = strings.TrimPrefix(text, name)
	}
	return text
}

// gone gives what is not in the store its HTTP status.
func gone(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return status{http.StatusNotFound, err}
	}
	return err
}

// reply writes a value as JSON.
func reply(w http.ResponseWriter, v any) {
	data, err := cli.Marshal(v)
	if err != nil {
		fail(w, status{http.StatusInternalServerError, err})
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(append(data, '\n')) // a browser that went away
}

// NewServer returns the page.
func NewServer(o Options) *Server {
	s := &Server{families: o.Games, options: o, mux: http.NewServeMux(), service: &answer.Service{Version: o.Solver}}
	s.gate = &gate{memory: o.Memory, searches: make(queue, turns), works: make(queue, turns), large: make(chan struct{}, maxLarge)}
	if o.Store != nil {
		s.service.Memory = answer.StoreMemory{Store: o.Store}
	}
	s.shelf = shelf{families: s.families, gate: s.gate, store: o.Store, service: s.service}
	e := &eye{gate: s.gate, make: o.Eye, read: o.ReadPicture, turns: make(queue, 1), pictures: make(chan struct{}, maxPictures), service: s.service}
	files, err := fs.Sub(static, "static")
	if err != nil {
		panic(err) // the folder is embedded: only a wrong name here can fail
	}
	s.mux.Handle("GET /", filesOf(files))
	s.mux.HandleFunc("GET /api/games", s.games)
	s.mux.HandleFunc("GET /api/given", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", http.DetectContentType(o.Given.Data))
		_, _ = w.Write(o.Given.Data) // a browser that went away
	})
	s.mux.HandleFunc("POST /api/open", s.open)
	s.mux.HandleFunc("POST /api/look", e.look)
	s.mux.HandleFunc("POST /api/draw", s.worker(s.works, s.draw))
	s.mux.HandleFunc("POST /api/save", s.worker(s.works, s.save))
	s.mux.HandleFunc("POST /api/solve", s.solve)
	s.mux.HandleFunc("POST /api/answers", s.answers)
	s.mux.HandleFunc("POST /api/trace", s.trace)
	s.mux.HandleFunc("POST /api/random", s.random)
	s.mux.HandleFunc("POST /api/play", s.worker(s.works, s.about(s.play)))
	s.mux.HandleFunc("POST /api/check", s.worker(s.searches, s.about(s.check)))
	s.mux.HandleFunc("POST /api/hint", s.worker(s.searches, s.about(s.hint)))
	s.mux.HandleFunc("POST /api/list", s.shelf.asked(s.shelf.list))
	s.mux.HandleFunc("POST /api/facets", s.shelf.asked(s.shelf.facets))
	s.mux.HandleFunc("POST /api/kept", s.shelf.asked(s.shelf.kept))
	s.mux.HandleFunc("GET /api/kept/{id}/board.svg", s.shelf.thumb)
	s.mux.HandleFunc("POST /api/forget", s.shelf.asked(s.shelf.forget))
	s.mux.HandleFunc("POST /api/edit", s.worker(s.works, s.edit))
	s.mux.HandleFunc("POST /api/draft", e.draft(s.families))
	s.mux.HandleFunc("POST /api/put", s.worker(s.works, s.put))
	s.mux.HandleFunc("POST /api/lay", e.lay(s.families))
	s.mux.HandleFunc("POST /api/learn", e.learn(s.families, o.Learn))
	if o.Live != nil {
		s.mux.HandleFunc("GET /live/frame.jpg", o.Live.serveFrame)
		s.mux.HandleFunc("GET /live/frame.png", o.Live.serveFrame)
		s.mux.HandleFunc("GET /live/events", o.Live.serveEvents)
	}
	if o.Practice != nil {
		inside := http.StripPrefix("/practice", o.Practice)
		s.mux.Handle("GET /practice/", inside)
		s.mux.Handle("POST /practice/", inside)
	}
	return s
}
