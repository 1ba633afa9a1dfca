package solving

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/cli"
)

// A tally counts what became of boards, and shows it on a terminal.
type tally struct {
	to    io.Writer // nil: nobody looks
	begun time.Time
	end   func() // takes the line away that tells how far it has come

	mu                             sync.Mutex
	solved, none, failed, old, new int
}

// newTally begins to count; on a terminal it shows how far it has come.
func newTally(o *BatchOptions) *tally {
	t := &tally{begun: time.Now(), end: func() {}}
	if cli.Terminal(o.Err) && (o.output != "" || !cli.Terminal(o.Out)) { // else the lines themselves go by
		t.to = o.Err
		t.end = o.Progress().Through(func() string {
			t.mu.Lock()
			defer t.mu.Unlock()
			return fmt.Sprintf("%d boards, %.0f a second", t.new, float64(t.new)/time.Since(t.begun).Seconds())
		})
	}
	return t
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
		return
	}
	t.new++
}

// sum says what was done, where somebody looks.
func (t *tally) sum() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.to == nil {
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
