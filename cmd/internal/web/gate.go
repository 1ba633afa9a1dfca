package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"runtime/debug"
	"time"

	"onlooker/solve/limits"
	"onlooker/vision"
)

// A gate lets requests in, so many at a time.
type gate struct {
	memory int64 // of the process
	// searches bounds how much is solved and judged at a time, and works how much is
	// drawn, edited and looked up, which no search may keep waiting.
	searches, works queue
	large           chan struct{} // holds a value for each large text
}

// accept reads a request's body; the caller calls the function when it is done
// with it. Few large ones are taken at a time, the others refused unread.
func (g *gate) accept(w http.ResponseWriter, r *http.Request) (*request, func(), error) {
	done := func() {}
	if r.ContentLength < 0 || r.ContentLength > smallText {
		select {
		case g.large <- struct{}{}:
			done = func() { <-g.large }
		default:
			return nil, nil, errBusy
		}
	}
	a, err := read(w, r)
	if err != nil {
		done()
		return nil, nil, err
	}
	return a, done, nil
}

// do does something when it has its turn. It ends with who asked, and where it takes too much
// memory.
func (g *gate) do(ctx context.Context, q queue, work func(ctx context.Context) error) error {
	end, err := q.turn(ctx)
	if err != nil {
		return err
	}
	defer end() // who does not read the answer keeps no other waiting
	ctx, stop := limits.Watch(limits.WithMemory(ctx, g.memory))
	defer stop()
	_, err = vision.Guarded(func() (any, error) { return nil, work(ctx) })
	err = limits.Cause(ctx, err)
	if errors.As(err, new(*limits.MemoryError)) {
		debug.FreeOSMemory() // else the next question ends for what this one left
	}
	return err
}

// worker wraps what answers with one value and needs a processor.
func (g *gate) worker(q queue, f func(ctx context.Context, a *request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		a, drop, err := g.accept(w, r)
		if err != nil {
			fail(w, err)
			return
		}
		defer drop()
		var answer any
		err = g.do(r.Context(), q, func(ctx context.Context) (err error) {
			answer, err = f(ctx, a)
			return err
		})
		if err != nil {
			fail(w, err)
			return
		}
		reply(w, answer)
	}
}

// lines streams JSON values, one a line, each sent at once.
type lines struct {
	w   http.ResponseWriter
	enc *json.Encoder
	end func() // ends what is streamed
}

func newLines(w http.ResponseWriter, end func()) *lines {
	w.Header().Set("Content-Type", "application/x-ndjson")
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return &lines{w, enc, end}
}

// send reports whether the browser is still there. One that does not read loses the stream
// after a while.
func (l *lines) send(v any) bool {
	err := l.enc.Encode(v)
	if f, ok := l.w.(http.Flusher); ok && err == nil {
		f.Flush()
	}
	if err != nil {
		l.end()
	}
	return err == nil
}

// stream wraps what answers with lines and needs a processor; an error is the
// last line.
func (g *gate) stream(w http.ResponseWriter, r *http.Request, f func(ctx context.Context, a *request, out *lines) error) {
	a, drop, err := g.accept(w, r)
	if err != nil {
		fail(w, err)
		return
	}
	defer drop()
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	var out *lines // nil: it had no turn
	err = g.do(ctx, g.searches, func(ctx context.Context) error {
		out = newLines(w, cancel)
		return f(ctx, a, out)
	})
	switch {
	case err == nil || r.Context().Err() != nil:
	case out == nil:
		fail(w, err)
	default:
		out.send(failure{Kind: "error", Error: said(err)})
	}
}

// A failure is the last line of a stream that did not come to its end.
type failure struct {
	Kind  string `json:"kind"`
	Error string `json:"error"`
}

const (
	// turns are how many questions are under way at a time; they share the processors, so that a
	// small one is answered soon beside large ones.
	turns = 12
	// patience is how long a question waits for a turn: what runs may run for hours, and clients
	// commonly give up without a word after a minute.
	patience = 20 * time.Second
)

// errBusy says that too much is under way already.
var errBusy = errors.New("too much is asked at once: try again in a moment")

// A queue holds a value for each turn that is taken, and has places for so many.
type queue chan struct{}

// turn waits for a turn; the caller calls end when it is done. It is errBusy where none came in time.
func (q queue) turn(ctx context.Context) (end func(), err error) {
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case q <- struct{}{}:
		return func() { <-q }, nil
	case <-late.C:
		return nil, errBusy
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
