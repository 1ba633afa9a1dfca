package session

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/cli"
	"onlooker/solve"
	"onlooker/vision/picture"
)

// A terminal prints what is seen, for people or as JSON.
type terminal struct {
	deaf
	*Options
	mapped *see.Sighting // the last board that is a map

	status     bool // a line of it is renewed each second
	beats      int
	grabbing   time.Duration
	since      time.Time
	last       see.Millis
	statusLine bool
	state      string // what the last look came to

	told    map[string]bool      // refusals that were printed
	inSight map[string]time.Time // when a board was last seen, by its text
}

func (o *Options) terminal() *terminal {
	return &terminal{Options: o, status: !o.json && cli.Colours(o.Err) && o.folder == "", told: map[string]bool{}, inSight: map[string]time.Time{}}
}

// A Line is what watch prints for one board with --json.
type Line struct {
	Turn  int    `json:"turn"`
	Frame string `json:"frame,omitempty"` // the replayed picture
	see.BoardRecord
	Map   string   `json:"map,omitempty"`   // what else the board is the map of
	Marks [][2]int `json:"marks,omitempty"` // half-cells to look for on the map
}

// Look takes down what a look came to, for the status line; a black picture is said
// once, in a line of its own.
func (w *terminal) Look(t *see.Turn) {
	state := sightState(t)
	if state != w.state && strings.HasPrefix(state, "black") && w.replay == "" {
		w.clearStatus()
		fmt.Fprintf(w.Err, "onlooker: %s\n", state)
	}
	w.state = state
	w.sayAgain(t)
}

// Board prints one new board.
func (w *terminal) Board(t *see.Turn, i int) error {
	w.clearStatus()
	b := &t.Boards[i]
	if !w.json {
		return w.print(t, i, errors.Is(b.Failed, solve.ErrUnsolvable))
	}
	record := b.Record(i)
	for stage, took := range t.Millis {
		if _, own := record.Millis[stage]; !own {
			record.Millis[stage] = took
		}
	}
	title, marks := b.Map()
	return cli.WriteJSON(w.Out, Line{Turn: t.Number, Frame: t.Name, BoardRecord: record, Map: title, Marks: solve.PairsOf(marks)})
}

// News prints what a look's boards are together, and why it failed.
func (w *terminal) News(t *see.Turn) error {
	w.clearStatus()
	w.last = t.Millis
	if !w.json {
		if err := w.together(t); err != nil {
			return err
		}
	}
	if t.Failed == nil {
		return nil
	}
	if w.json {
		return cli.WriteJSON(w.Out, struct {
			Turn   int    `json:"turn"`
			Frame  string `json:"frame,omitempty"`
			Status string `json:"status"`
			Error  string `json:"error"`
		}{t.Number, t.Name, answer.Status(t.Failed), cli.OneLine(t.Failed.Error())})
	}
	name := "watch"
	if t.Name != "" {
		name = t.Name
	}
	fmt.Fprintf(w.Err, "onlooker: %s\n", cli.Prefixed(name, cli.OneLine(t.Failed.Error())))
	return nil
}

// titleOf names a board by its family, its size, and which of several it is.
func titleOf(b *see.Sighting) string {
	title := fmt.Sprintf("%s, %d×%d", b.Game.Name, b.Board.Cols, b.Board.Rows)
	if b.Place != "" {
		title += ", " + b.Place
	}
	return title
}

// print shows one new board.
func (w *terminal) print(t *see.Turn, i int, expected bool) error {
	b := &t.Boards[i]
	title := titleOf(b)
	if t.Name != "" {
		title = cli.OneLine(filepath.Base(t.Name)) + ", " + title
	}
	switch {
	case expected:
		fmt.Fprintf(w.Out, "%s: no solution\n", title)
		return nil
	case b.Failed != nil:
		w.refuse(t, title, cli.OneLine(b.Failed.Error()))
		return nil
	}
	grab := fmt.Sprintf("grab %.0f, ", t.Millis["grab"])
	if w.folder != "" {
		grab = "" // it is how long the picture was waited for
	}
	fmt.Fprintf(w.Out, "%s: solved in %.1f ms (%slocate %.0f, read %.0f)\n", title,
		b.Millis["solve"], grab, t.Millis["locate"], t.Millis["read"])
	if hint := cli.Hint(b.Puzzle, b.Answer.Solution); w.hint && hint != "" {
		_, err := fmt.Fprintf(w.Out, "%s\n\n", hint)
		return err
	}
	if err := cli.DrawBoard(w.Out, b.Game, b.Puzzle, b.Answer.Solution); err != nil {
		return err
	}
	for _, move := range cli.Told(b.Puzzle, b.Answer.Solution) {
		fmt.Fprintln(w.Out, move)
	}
	if aim := cli.Aim(b.Puzzle, b.Answer.Best); aim != "" {
		fmt.Fprintln(w.Out, aim)
	}
	// Which of the games this is nobody knows.
	by := (&answer.Service{}).Standing(context.Background(), b.Puzzle, b.Answer.Solution)
	if text := cli.Dispute(by); text != "" {
		fmt.Fprintln(w.Out, text)
	}
	fmt.Fprintln(w.Out)
	if title, _ := b.Map(); title != "" {
		w.mapped = b
		return w.printMap()
	}
	return nil
}

// printMap prints the map that was seen last, if any, twice as large as a board.
func (w *terminal) printMap() error {
	if w.mapped == nil {
		return nil
	}
	s := w.mapped.Picture(w.mapped.Answer.Solution)
	for i := range s {
		s[i].Points = slices.Clone(s[i].Points)
		for k, p := range s[i].Points {
			s[i].Points[k] = picture.Point{X: 2 * p.X, Y: 2 * p.Y}
		}
		s[i].Width *= 2
	}
	title, _ := w.mapped.Map()
	fmt.Fprintf(w.Out, "map: %s\n", title)
	if err := picture.Terminal(w.Out, s, cli.Colours(w.Out)); err != nil {
		return err
	}
	fmt.Fprintln(w.Out)
	return nil
}

// together says which board of a set is the one to solve, when anything in it
// is new.
func (w *terminal) together(t *see.Turn) error {
	again := false
	for _, set := range t.Sets() {
		if !set.New {
			continue
		}
		line, right := set.Conclude()
		if line != "" {
			fmt.Fprintf(w.Out, "%s\n\n", line)
		}
		again = again || right != nil
	}
	if again {
		// By now the map is far up: the way on from the triples leads through
		// what it shows.
		return w.printMap()
	}
	return nil
}

// Beat counts frames and renews the status line each second.
func (w *terminal) Beat(b see.Beat) {
	if !w.status {
		return
	}
	now := time.Now()
	if w.since.IsZero() {
		w.since = now
	}
	w.beats++
	w.grabbing += b.Took
	passed := now.Sub(w.since)
	if passed < time.Second {
		return
	}
	line := w.state
	if b.Moving {
		line = "the picture moves"
	} else if line == "" {
		line = "reading"
	}
	line, _, _ = strings.Cut(line, ":")
	line += fmt.Sprintf("; %.0f frames/s, grab %.0f ms", float64(w.beats)/passed.Seconds(),
		float64(w.grabbing.Microseconds())/1000/float64(w.beats))
	for _, stage := range []string{"locate", "read", "solve"} {
		if took, ok := w.last[stage]; ok {
			line += fmt.Sprintf(", %s %.0f ms", stage, took)
		}
	}
	fmt.Fprintf(w.Err, "\r\x1b[K%s", line)
	w.statusLine = true
	w.beats, w.grabbing, w.since = 0, 0, now
}

func (w *terminal) clearStatus() {
	if w.statusLine {
		fmt.Fprint(w.Err, "\r\x1b[K")
		w.statusLine = false
	}
}

// refuse tells why a board could not be read or answered, once; beside an answer it is no
// finding.
func (w *terminal) refuse(t *see.Turn, title, why string) {
	line := title + ": " + why
	if !beside(t) && !w.told[line] {
		w.told[line] = true
		fmt.Fprintf(w.Err, "onlooker: %s\n", line)
	}
}

// beside tells whether a look found something to say, beside which refusals are noise.
func beside(t *see.Turn) bool {
	return slices.ContainsFunc(t.Boards, func(b see.Sighting) bool {
		outcome := b.Outcome()
		return outcome == answer.Solved || outcome == answer.Unsolvable
	})
}

// away is how long a board must be out of sight to be said again when it comes back: what
// the pointer hides for a moment was never away.
const away = 3 * time.Second

// sayAgain says a board that comes back in one line.
func (w *terminal) sayAgain(t *see.Turn) {
	now := time.Now()
	for i := range t.Boards {
		b := &t.Boards[i]
		if b.Text == "" {
			continue
		}
		key := b.Game.Name + "\n" + b.Text
		last, known := w.inSight[key]
		w.inSight[key] = now
		if b.New || !known || now.Sub(last) < away || !b.Solved() || b.Board.Solved || w.json || w.still() {
			continue
		}
		w.clearStatus()
		fmt.Fprintf(w.Out, "%s, again: %s\n", titleOf(b), strings.Join(cli.Told(b.Puzzle, b.Answer.Solution), "; "))
	}
}
