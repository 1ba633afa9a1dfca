package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"onlooker/capture"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/plain"
)

// blackRemedy is what helps where a picture is all of one colour: it is what a system
// shows to programs that may not record the screen, and what a game in exclusive
// fullscreen leaves of it.
func blackRemedy() string {
	if runtime.GOOS == "darwin" {
		return "allow screen recording for the terminal in System Settings, Privacy & Security"
	}
	return "if the screen shows more than that, it is not let through to programs: under Wayland use an X11 session, with a game use windowed or borderless mode"
}

// sightState is what a look at the screen came to, in a few words.
func sightState(t *see.Turn) string {
	answered, excluded, unsure, read := 0, 0, "", 0
	for i := range t.Boards {
		b := &t.Boards[i]
		switch status := b.Outcome(); {
		case b.Solved():
			answered++
		case status == answer.Unsolvable:
			excluded++
		case status == "":
			read++
		case b.Failed != nil:
			unsure = "unsure: " + plain.OneLine(b.Failed.Error())
		case unsure == "":
			unsure = "unsure" // why was told when the board was new
		}
	}
	switch {
	case t.Frame != nil && black(t.Frame):
		return "black picture: " + blackRemedy()
	case answered > 0:
		return "answered"
	case excluded > 0:
		return "no solution"
	case unsure != "":
		return unsure
	case read > 0:
		return "reading"
	}
	return "no board"
}

// black tells a picture that is nothing but black.
func black(m *image.RGBA) bool {
	const most = 16 // black in video's limited range
	return len(m.Pix) >= 4 && max(m.Pix[0], m.Pix[1], m.Pix[2]) <= most && oneColour(m)
}

// A patient is a window that is looked at while it is there, and waited for while it is
// not.
type patient struct {
	open   func(context.Context) (capture.Source, error)
	source capture.Source     // nil while it is waited for
	waits  func(reason error) // told when the waiting begins
	pause  func(ctx context.Context, d time.Duration) error
	told   bool
	bounds image.Rectangle
}

// lookAgain is how often a window that is not there is looked for.
const lookAgain = 500 * time.Millisecond

// Grab waits for the window, for as long as the context lets it.
func (p *patient) Grab(ctx context.Context) (*image.RGBA, error) {
	for {
		var err error
		if p.source == nil {
			p.source, err = p.open(ctx)
		}
		if err == nil {
			var frame *image.RGBA
			if frame, err = p.source.Grab(ctx); err == nil {
				p.told, p.bounds = false, p.source.Bounds()
				return frame, nil
			}
		}
		if !errors.Is(err, capture.ErrNoWindow) {
			return nil, err
		}
		if p.source != nil {
			_ = p.source.Close() // of a window that is gone
			p.source = nil
		}
		if !p.told {
			p.told = true
			p.waits(err)
		}
		if err := p.pause(ctx, lookAgain); err != nil {
			return nil, err
		}
	}
}

// Bounds is where the window was last.
func (p *patient) Bounds() image.Rectangle { return p.bounds }

// Close frees the window.
func (p *patient) Close() error {
	if p.source == nil {
		return nil
	}
	return p.source.Close()
}

// sleep waits, unless the context ends before.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// trimFailures takes the oldest of what runs left in a folder until at most so many
// frames are there, and tells how many it took. A frame's record goes with it.
func trimFailures(root string, most int) (taken int, err error) {
	records, err := filepath.Glob(filepath.Join(root, "*", "turn-*.json"))
	if err != nil {
		return 0, err
	}
	slices.Sort(records) // folders are named by their time, records by their number
	for _, record := range records[:max(0, len(records)-most)] {
		dir, name := filepath.Split(record)
		frame := filepath.Join(dir, "frame-"+strings.TrimSuffix(strings.TrimPrefix(name, "turn-"), ".json")+".png")
		if err := os.Remove(record); err != nil {
			return taken, fmt.Errorf("failures: %w", err)
		}
		if err := os.Remove(frame); err != nil && !errors.Is(err, os.ErrNotExist) {
			return taken, fmt.Errorf("failures: %w", err)
		}
		taken++
		_ = os.Remove(dir) // where it was the folder's last
	}
	return taken, nil
}

// newFailures is the command that tells of kept failures, and clears them.
func newFailures(a *app) *cobra.Command {
	var clear bool
	c := &cobra.Command{
		Use:   "failures",
		Short: "Tell where watch kept what it could not read, or clear it",
		Args:  cobra.NoArgs,
		RunE: runs(func(context.Context, []string) error {
			root, err := failuresRoot()
			if err != nil {
				return err
			}
			if clear {
				taken, err := trimFailures(root, 0)
				if err == nil {
					_, err = fmt.Fprintf(a.out, "%d kept failures cleared from %s\n", taken, root)
				}
				return err
			}
			records, err := filepath.Glob(filepath.Join(root, "*", "turn-*.json"))
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.out, "%d kept failures in %s (at most %d; --clear clears them)\n", len(records), root, maxKept)
			return err
		}),
	}
	c.Flags().BoolVar(&clear, "clear", false, "take them away")
	return c
}

// refuse tells why a board could not be read or answered. Beside an answer, or told
// before, it is no finding: then it goes to the log alone.
func (w *watcher) refuse(t *see.Turn, title, why string) {
	line := title + ": " + why
	if beside(t) || w.told[line] {
		w.note(line)
		return
	}
	w.told[line] = true
	fmt.Fprintf(w.app.err, "onlooker: %s\n", line)
}

// beside tells whether a look found something to say, beside which refusals are noise.
func beside(t *see.Turn) bool {
	return slices.ContainsFunc(t.Boards, func(b see.Sighting) bool {
		outcome := b.Outcome()
		return outcome == answer.Solved || outcome == answer.Unsolvable
	})
}

// mostLog is the size in bytes from which a log begins anew.
const mostLog = 1 << 20

// note writes a line to the log, which lies beside the kept failures. A log that cannot be
// written is done without: nothing in it is a finding.
func (w *watcher) note(line string) {
	if w.log == nil {
		root, err := failuresRoot()
		if err != nil || os.MkdirAll(root, 0o755) != nil {
			return
		}
		name := filepath.Join(root, "watch.log")
		if info, err := os.Stat(name); err == nil && info.Size() > mostLog {
			_ = os.Remove(name) // or it grows
		}
		if w.log, err = os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644); err != nil {
			w.log = nil
			return
		}
	}
	fmt.Fprintf(w.log, "%s %s\n", time.Now().Format(time.RFC3339), line)
}

func (w *watcher) closeLog() {
	if w.log != nil {
		_ = w.log.Close() // nothing in it is a finding
	}
}

// away is how long a board must be out of sight to be said again when it comes back: what
// the pointer hides for a moment was never away.
const away = 3 * time.Second

// sayAgain says a board that comes back in one line.
func (w *watcher) sayAgain(t *see.Turn) {
	now := time.Now()
	for i := range t.Boards {
		b := &t.Boards[i]
		if b.Text == "" {
			continue
		}
		key := b.Game.Name + "\n" + b.Text
		last, known := w.inSight[key]
		w.inSight[key] = now
		if b.New || !known || now.Sub(last) < away || !b.Solved() || b.Board.Solved || w.flags.json || w.flags.still() {
			continue
		}
		w.clearStatus()
		title := fmt.Sprintf("%s, %d×%d", b.Game.Name, b.Board.Cols, b.Board.Rows)
		if b.Place != "" {
			title += ", " + b.Place
		}
		how := told(b.Puzzle, b.Answer.Solution)
		if how == nil {
			for _, stroke := range b.Answer.Solution {
				how = append(how, plain.Moves(stroke))
			}
		}
		fmt.Fprintf(w.app.out, "%s, again: %s\n", title, strings.Join(how, "; "))
	}
}
