//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"onlooker/cmd/internal/dev/showcase"
	"onlooker/input"
)

// A fault happens to a Challenge while it is played; who plays is not told.
type fault struct {
	name, doc string
	does      func(context.Context, stage) error
	after     time.Duration // since the start
}

// A stage is what faults happen to.
type stage struct {
	page  *exec.Cmd // its process leads a group
	mouse input.Device
}

// faults are those that -fault names.
var faults = []fault{
	{name: "hand", doc: "a hand moves the mouse for half a second", does: func(ctx context.Context, _ stage) error {
		for range 60 {
			if err := errors.Join(showcase.Push("", 2, 1), sleep(ctx, 8*time.Millisecond)); err != nil {
				return err
			}
		}
		return nil
	}},
	{name: "freeze", doc: "the browser stands still for five seconds", does: func(ctx context.Context, s stage) error {
		group := -s.page.Process.Pid
		if err := syscall.Kill(group, syscall.SIGSTOP); err != nil {
			return err
		}
		return errors.Join(sleep(ctx, 5*time.Second), syscall.Kill(group, syscall.SIGCONT))
	}},
	{name: "kill", doc: "the browser is killed", does: func(_ context.Context, s stage) error {
		return syscall.Kill(-s.page.Process.Pid, syscall.SIGKILL)
	}},
	{name: "pause", doc: "the game is paused, which aborts the run", does: func(_ context.Context, s stage) error { return s.mouse.Key("p") }},
	{name: "off", doc: "the panel goes off while its line is drawn, and the one before must be solved again", does: func(_ context.Context, s stage) error { return s.mouse.Key(offKey) }},
	{name: "time", doc: "the music ends while a line is drawn", does: func(_ context.Context, s stage) error { return s.mouse.Key(timeKey) }},
	{name: "cover", doc: "another window covers all for two seconds", does: func(ctx context.Context, _ stage) error {
		w, err := showcase.OpenWindow("", "a window in the way", image.Rect(0, 0, 1920, 1080))
		if err != nil {
			return err
		}
		defer w.Close()
		return errors.Join(w.Show(backdrop()), sleep(ctx, 2*time.Second))
	}},
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// parseFault reads NAME@SECONDS.
func parseFault(text string) (fault, error) {
	name, at, _ := strings.Cut(text, "@")
	after, err := time.ParseDuration(at + "s")
	var names []string
	for _, f := range faults {
		if err == nil && f.name == name {
			f.after = after
			return f, nil
		}
		names = append(names, f.name)
	}
	return fault{}, fmt.Errorf("-fault %s: want NAME@SECONDS, where a NAME is one of %s", text, strings.Join(names, ", "))
}

// happen waits until the fault is due, and does it.
func (f fault) happen(ctx context.Context, s stage) error {
	if err := sleep(ctx, f.after); err != nil {
		return err
	}
	fmt.Printf("--- fault: %s\n", f.doc)
	return f.does(ctx, s)
}

const (
	offKey  = "f2" // makes the page that faultPage serves power its panel off
	timeKey = "f3" // makes it end its music
)

// timePath is where the page that faultPage serves says that its music ended.
const timePath = "/api/fault/time"

// faultPage serves the practice page with two things more, which happen to the
// next line that has come round a corner or two. After offKey it is lost, since
// the page has the server refuse another answer. After timeKey the music ends:
// late is called, and the page's clock is put on.
func faultPage(page http.Handler, late func()) http.Handler {
	const script = `
function midTrace(key, then) {
  addEventListener('keydown', (e) => {
    if (e.key !== key) return;
    const wait = setInterval(async () => {
      if (state.mode !== 'trace' || state.tracer.nodes.length < 4) return;
      clearInterval(wait);
      await then();
    }, 10);
  });
}
midTrace('F2', async () => {
  const run = await ask('POST', 'api/runs/' + state.run.id + '/answers', { slot: state.slot, board: 0, stroke: [[1, 1]] });
  state.tracer = null;
  state.mode = 'solve';
  take(run);
  rebuild();
});
midTrace('F3', async () => {
  await fetch('` + timePath + `', { method: 'POST' });
  state.clockAt -= state.run.limitMillis;
});
`
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case timePath:
			late()
		case "/main.js":
			r.Header.Del("Range")
			r.Header.Del("If-Modified-Since")
			page.ServeHTTP(longer{w}, r)
			_, _ = w.Write([]byte(script)) // the visitor may have left
		default:
			page.ServeHTTP(w, r)
		}
	})
}

// longer is an answer to which something is added.
type longer struct {
	http.ResponseWriter
}

func (l longer) WriteHeader(status int) {
	l.Header().Del("Content-Length")
	l.ResponseWriter.WriteHeader(status)
}
