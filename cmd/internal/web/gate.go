package web

import (
	"context"
	"encoding/json"
	"net/http"
	"onlooker/solve/limits"
	"onlooker/vision"
)

// A gate lets requests in, so many at a time.
type gate struct {
	memory int64 // of a search
	// searches bounds how much is solved at a time, and works how much is drawn,
	// edited and looked up, which no search may keep waiting.
	searches, works *queue
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

// worker wraps what answers with one value and needs a processor.
func (g *gate) worker(f func(ctx context.Context, a *request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		a, drop, err := g.accept(w, r)
		if err != nil {
			fail(w, err)
			return
		}
		defer drop()
		done, err := g.works.take(r.Context())
		if err != nil {
			fail(w, err)
			return
		}
		answer, err := vision.Guarded(func() (any, error) { return f(r.Context(), a) })
		done() // who does not read the answer keeps no other waiting
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
	// turn is the one that the stream has; nil: it has none. end ends what is
	// streamed.
	turn *turn
	end  func()
}

func newLines(w http.ResponseWriter, t *turn, end func()) *lines {
	w.Header().Set("Content-Type", "application/x-ndjson")
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return &lines{w, enc, t, end}
}

// send reports whether the browser is still there. One that does not read loses
// its turn to others, and after a while the stream.
func (l *lines) send(v any) bool {
	resume := l.turn.lend()
	err := l.enc.Encode(v)
	if f, ok := l.w.(http.Flusher); ok && err == nil {
		f.Flush()
	}
	if again := resume(); err == nil {
		err = again
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
	t, err := g.searches.turn(ctx)
	if err != nil {
		fail(w, err)
		return
	}
	defer t.end()
	out := newLines(w, t, cancel)
	// What wants too much memory ends; the page goes on.
	ctx, stop := limits.Watch(limits.WithMemory(ctx, g.memory))
	defer stop()
	_, err = vision.Guarded(func() (any, error) { return nil, f(ctx, a, out) })
	err = limits.Cause(ctx, err)
	if err != nil && r.Context().Err() == nil {
		out.send(failure{Kind: "error", Error: said(err)})
	}
}

// A failure is the last line of a stream that did not come to its end.
type failure struct {
	Kind  string `json:"kind"`
	Error string `json:"error"`
}
