package main

import (
	"fmt"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"onlooker/capture"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/failures"
	"onlooker/cmd/internal/plain"
)

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
		return "black picture: " + capture.BlankRemedy()
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
	return len(m.Pix) >= 4 && max(m.Pix[0], m.Pix[1], m.Pix[2]) <= most && capture.Blank(m)
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
		root, err := failures.Root()
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
		fmt.Fprintf(w.app.out, "%s, again: %s\n", title, strings.Join(plain.Told(b.Puzzle, b.Answer.Solution), "; "))
	}
}
