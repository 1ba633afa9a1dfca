// Package web is the local page: puzzles of every family are pasted, solved,
// edited, played and dealt in it, and what the agent sees is shown live with
// the answers drawn on it, for a second screen or a phone. It names no family.
//
// The page is plain HTML, CSS and JavaScript modules, embedded in the binary
// and readable as they are served.
package web

import (
	"cmp"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/solve"
	"onlooker/vision/picture"
)

const (
	// frameGap is the least time between frames of a moving picture: four a
	// second are enough to follow, and encoding one of 1920×1080 takes 20 ms.
	frameGap = 250 * time.Millisecond
	// maxAnswers is how many answers are remembered for boards that are still
	// on the screen.
	maxAnswers = 200
	// hereGap is how often a page is told that the connection stands. phone.js waits for
	// three of them.
	hereGap = 4 * time.Second
	// maxWatchers is how many may follow the page: each holds a request's place.
	maxWatchers = 64
	// quality of the JPEG pictures: lines of panels stay sharp.
	quality = 80
)

// A LiveView is the page's state. Its methods may be called from any goroutine.
type LiveView struct {
	token string
	code  string       // of the phone
	page  http.Handler // what else the page has
	phone http.Handler // the live view alone

	mu       sync.Mutex
	frame    *image.RGBA
	number   int // of the frame
	at       time.Time
	state    string // what the last look came to
	look     []byte // the last look as JSON, nil before the first
	seen     look   // the same
	answers  map[string]keptPicture
	watchers map[chan struct{}]bool // told that something changed
}

// New returns a Live whose address nobody can guess, in a page of these
// options.
func New(o Options) *LiveView {
	l := &LiveView{token: rand.Text(), code: newCode(), answers: map[string]keptPicture{}, watchers: map[chan struct{}]bool{}, seen: look{Boards: []liveBoard{}, Say: []string{}}}
	o.Live = l
	l.page, l.phone = NewServer(o), l.newPhone()
	return l
}

// Path is the path of the page, which holds a secret: a page of another
// origin, or a neighbour on the network, cannot guess it.
func (l *LiveView) Path() string { return "/" + l.token + "/" }

// Beat shows a frame, unless the one before is as good.
func (l *LiveView) Beat(b see.Beat) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.frame != nil && (!b.Moving || time.Since(l.at) < frameGap) {
		return
	}
	l.show(b.Frame)
}

// show puts a frame on the page.
func (l *LiveView) show(frame *image.RGBA) {
	l.frame, l.at = frame, time.Now()
	l.number++
	l.tell()
}

func (l *LiveView) tell() {
	for w := range l.watchers {
		select {
		case w <- struct{}{}:
		default: // told already
		}
	}
}

// State takes what the next Turn came to, in words.
func (l *LiveView) State(state string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state = state
}

// Say puts a state on the page at once, where no Turn comes that could have it.
func (l *LiveView) Say(state string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state = state
	l.seen.State, l.seen.Boards, l.seen.Say = state, []liveBoard{}, []string{} // nothing is seen
	l.publish()
}

// publish sends what was seen last to all pages.
func (l *LiveView) publish() {
	data, err := json.Marshal(l.seen)
	if err != nil {
		return // numbers that are none: nothing to show of this look
	}
	l.look = data
	l.tell()
}

// A keptPicture is an answer that is remembered, with its picture.
type keptPicture struct {
	answer solve.Solution
	svg    string
}

// A liveBoard is one board as the page gets it.
type liveBoard struct {
	Status string         `json:"status"`
	Family string         `json:"family"`
	Place  string         `json:"place,omitempty"`
	Error  string         `json:"error,omitempty"`
	Quad   [4][2]float64  `json:"quad"`
	Cols   int            `json:"cols"`
	Rows   int            `json:"rows"`
	Draft  bool           `json:"draft,omitempty"` // it was refused, and the page puts it right
	Width  float64        `json:"width"`           // of a line to draw, in pixels
	Lines  [][][2]float64 `json:"lines"`
	// Title names the board for a person, and SVG is its picture with the answer; "" where
	// there is none.
	Title string `json:"title"`
	SVG   string `json:"svg,omitempty"`
	Map   string `json:"map,omitempty"`   // what else it is the map of
	Right bool   `json:"right,omitempty"` // of a set, the one to solve
	Wrong bool   `json:"wrong,omitempty"` // of a set, one that is not
	Turn  string `json:"turn,omitempty"`  // how a pillar is to be turned, and how much of it was seen
	Way   string `json:"way,omitempty"`   // where its front goes: "left" or "right"
}

// A look is what the page gets of a Turn.
type look struct {
	Turn   int         `json:"turn"`
	State  string      `json:"state,omitempty"`
	Width  int         `json:"width"`
	Height int         `json:"height"`
	Boards []liveBoard `json:"boards"`
	Say    []string    `json:"say"` // of sets, which board is the one to solve
	Millis see.Millis  `json:"millis"`
}

// Turn shows what was seen in a frame and the answers, at once.
func (l *LiveView) Turn(t *see.Turn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if t.Frame == nil {
		return
	}
	v := look{Turn: t.Number, State: l.state, Width: t.Frame.Rect.Dx(), Height: t.Frame.Rect.Dy(), Boards: []liveBoard{}, Say: []string{}, Millis: t.Millis}
	of := map[*see.Sighting]bool{}
	for _, set := range t.Sets() {
		line, right := set.Conclude()
		if line == "" {
			continue
		}
		v.Say = append(v.Say, line)
		for _, b := range set.Boards {
			of[b] = b == right
		}
	}
	for i := range t.Boards {
		b := l.board(&t.Boards[i])
		if right, told := of[&t.Boards[i]]; told {
			b.Right, b.Wrong = right, !right
		}
		v.Boards = append(v.Boards, b)
	}
	l.seen = v
	l.publish()
	l.show(t.Frame)
}

func (l *LiveView) board(s *see.Sighting) liveBoard {
	b := liveBoard{Status: cmp.Or(s.Outcome(), "seen"), Family: s.Game.Name, Place: s.Place, Quad: see.Quad(s.Board), Cols: s.Board.Cols, Rows: s.Board.Rows, Draft: s.Draftable(), Lines: [][][2]float64{},
		// A fifth of the pitch: thinner than the lines of most boards.
		Width: max(2, s.Board.ScreenPitch/5), Title: fmt.Sprintf("%s, %d×%d", cmp.Or(s.Game.Title, s.Game.Name), s.Board.Cols, s.Board.Rows)}
	if s.Board.Pillar {
		b.Title += "; a pillar: its right edge joins its left, so the outer columns are one"
	}
	if s.Failed != nil {
		b.Error = s.Failed.Error()
	}
	if part := (*see.PartError)(nil); errors.As(s.Err, &part) {
		b.Turn, b.Way = part.Error(), part.Way
	}
	key := s.Game.Name + "\n" + s.Text
	switch found := s.Strokes(); {
	case s.Text == "":
		return b
	case found != nil:
		if _, ok := l.answers[key]; !ok {
			l.remember(key, keptPicture{found, drawing(s, found)})
		}
	case b.Status == answer.Unsolvable:
		if _, ok := l.answers[key]; !ok {
			l.remember(key, keptPicture{svg: drawing(s, nil)})
		}
	}
	known := l.answers[key]
	if b.Status == answer.Solved && known.answer == nil {
		b.Status = "seen" // solved on the screen
	}
	b.Map, _ = s.Map()
	b.SVG = known.svg
	b.Lines = laid(&s.Reading, known.answer)
	return b
}

// drawing is the picture of a board with its answer, crossed out where it has none; "" where
// it has no picture, or one of too many shapes for a phone.
func drawing(s *see.Sighting, answer solve.Solution) string {
	shapes := s.Picture(answer)
	if len(shapes) == 0 || len(shapes) > maxShapes {
		return ""
	}
	least, most := picture.Extent(shapes)
	x, y := (most.X-least.X)/5, (most.Y-least.Y)/5
	a, b, c, d := picture.Point{X: least.X + x, Y: least.Y + y}, picture.Point{X: most.X - x, Y: most.Y - y}, picture.Point{X: least.X + x, Y: most.Y - y}, picture.Point{X: most.X - x, Y: least.Y + y}
	cross := picture.Drawing{Shapes: shapes}
	if answer == nil {
		cross.Line(color.NRGBA{A: 0xff}, 0.6, a, b)
		cross.Line(color.NRGBA{A: 0xff}, 0.6, c, d)
		cross.Line(color.NRGBA{R: 0xff, G: 0x4d, B: 0x3d, A: 0xff}, 0.35, a, b)
		cross.Line(color.NRGBA{R: 0xff, G: 0x4d, B: 0x3d, A: 0xff}, 0.35, c, d)
	}
	return drawn(cross.Shapes, scale)
}

func (l *LiveView) remember(key string, answer keptPicture) {
	if len(l.answers) >= maxAnswers {
		clear(l.answers) // those on the screen come again with the next look
	}
	l.answers[key] = answer
}

// ServeHTTP serves the page to who knows its path.
func (l *LiveView) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	prefix := l.Path()
	if len(r.URL.Path) < len(prefix) || subtle.ConstantTimeCompare([]byte(r.URL.Path[:len(prefix)]), []byte(prefix)) != 1 {
		http.NotFound(w, r)
		return
	}
	if err := SameOrigin(r); err != nil {
		http.Error(w, err.Error(), http.StatusForbidden)
		return
	}
	http.StripPrefix(prefix[:len(prefix)-1], l.page).ServeHTTP(w, r)
}

func (l *LiveView) serveFrame(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	frame := l.frame
	l.mu.Unlock()
	if frame == nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	if strings.HasSuffix(r.URL.Path, ".png") { // to be looked at, not shown
		w.Header().Set("Content-Type", "image/png")
		_ = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(w, frame)
		return
	}
	w.Header().Set("Content-Type", "image/jpeg")
	_ = jpeg.Encode(w, frame, &jpeg.Options{Quality: quality}) // a browser that went away
}

// serveEvents pushes "frame" events with a frame's number and "look" events
// with a look.
func (l *LiveView) serveEvents(w http.ResponseWriter, r *http.Request) {
	flusher, ok := w.(http.Flusher)
	if !ok {
		http.Error(w, "this connection cannot stream", http.StatusInternalServerError)
		return
	}
	changed := make(chan struct{}, 1)
	changed <- struct{}{} // what there is already
	l.mu.Lock()
	many := len(l.watchers) >= maxWatchers
	if !many {
		l.watchers[changed] = true
	}
	l.mu.Unlock()
	if many {
		busy(w)
		return
	}
	defer func() {
		l.mu.Lock()
		delete(l.watchers, changed)
		l.mu.Unlock()
	}()
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "text/event-stream")
	beat := time.NewTicker(hereGap) // a page that hears none takes the connection for dead
	defer beat.Stop()
	frame := 0
	var last []byte
	for {
		select {
		case <-r.Context().Done():
			return
		case <-beat.C:
			if _, err := fmt.Fprint(w, "event: here\ndata:\n\n"); err != nil {
				return
			}
		case <-changed:
			l.mu.Lock()
			number, look := l.number, l.look
			l.mu.Unlock()
			text := ""
			if look != nil && string(look) != string(last) {
				text += "event: look\ndata: " + string(look) + "\n\n"
				last = look
			}
			if number != frame {
				text += "event: frame\ndata: " + strconv.Itoa(number) + "\n\n"
				frame = number
			}
			if _, err := fmt.Fprint(w, text); err != nil {
				return
			}
		}
		flusher.Flush()
	}
}
