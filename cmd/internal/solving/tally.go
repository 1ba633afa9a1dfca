package solving

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"onlooker/capture"
	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/show"
)

// A tally counts what became of boards, and shows it on a terminal.
type tally struct {
	to    io.Writer
	begun time.Time
	bar   *progressbar.ProgressBar // nil: nobody looks

	mu                             sync.Mutex
	solved, none, failed, old, new int
	all                            int // boards; 0: not known yet
	ended                          bool
}

// newTally begins to count; on a terminal it also counts how many boards there
// will be, which is known long before they are solved.
func newTally(o *BatchOptions, args []string) *tally {
	t := &tally{to: o.Err, begun: time.Now()}
	if !show.Terminal(o.Err) || o.output == "" && show.Terminal(o.Out) {
		return t // nobody looks, or the lines themselves go by
	}
	t.bar = newBar(o.Err, -1)
	if o.Lines == "-" || len(args) == 1 && args[0] == "-" {
		return t // comes only once
	}
	go func() {
		n := o.countBoards(args)
		t.mu.Lock()
		defer t.mu.Unlock()
		if n > 0 && !t.ended {
			t.all = n
			// One without an end counts in another way: it cannot be given one.
			t.bar = newBar(o.Err, n-t.old)
			_ = t.bar.Add(t.new)
		}
	}()
	return t
}

// newBar shows how far boards have come, of all of them or, below 0, of nobody
// knows how many.
func newBar(w io.Writer, all int) *progressbar.ProgressBar {
	return progressbar.NewOptions(all, progressbar.OptionSetWriter(w), progressbar.OptionShowCount(), progressbar.OptionShowIts(),
		progressbar.OptionSetItsString("boards"), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetPredictTime(true), progressbar.OptionFullWidth(), progressbar.OptionUseANSICodes(true))
}

// countBoards decodes all inputs; a picture counts as one board, as it takes
// long to read. 0 where they cannot be read.
func (o *BatchOptions) countBoards(args []string) (n int) {
	d, err := intake.NewDecoder(o.Games, o.In, o.Flags)
	if err != nil {
		return 0
	}
	inputs, err := d.Inputs(args)
	if err != nil {
		return 0
	}
	for input, err := range inputs {
		if err != nil || input == "-" {
			return 0
		}
		data, isFile, err := d.Load(input)
		if err != nil || capture.IsPicture(data) {
			n++
			continue
		}
		d.Text(input, data, isFile, func(intake.Board) bool { n++; return true })
	}
	return n
}

func (t *tally) add(text batchLine, old bool) {
	var line struct{ Status, Error string }
	_ = json.Unmarshal(text, &line) // keyOfLine refused what is no line
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case line.Status == answer.Unsolvable:
		t.none++
	case line.Error == "":
		t.solved++
	default:
		t.failed++
	}
	if old {
		t.old++
		if t.all > 0 {
			t.bar.ChangeMax(max(t.all-t.old, 1))
		}
		return
	}
	t.new++
	if t.bar != nil {
		_ = t.bar.Add(1)
	}
}

// end takes the bar away.
func (t *tally) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
	if t.bar != nil {
		_ = t.bar.Clear()
	}
}

// sum says what was done, where somebody looks.
func (t *tally) sum() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.bar == nil {
		return
	}
	took := time.Since(t.begun)
	words := []string{fmt.Sprintf("%d solved", t.solved), fmt.Sprintf("%d without solution", t.none), fmt.Sprintf("%d failed", t.failed)}
	fmt.Fprintf(t.to, "%s; %d in %s, %.0f a second", strings.Join(words, ", "), t.new, took.Round(time.Millisecond), float64(t.new)/took.Seconds())
	if t.old > 0 {
		fmt.Fprintf(t.to, "; %d had been done before", t.old)
	}
	fmt.Fprintln(t.to)
}
