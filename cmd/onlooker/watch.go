package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"onlooker/capture"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/failures"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/misuse"
	"onlooker/cmd/internal/plain"
	"onlooker/cmd/internal/program"
	"onlooker/cmd/internal/show"
	"onlooker/cmd/internal/web"
	"onlooker/cmd/internal/whole"
	"onlooker/input"
	"onlooker/solve"
	"onlooker/vision/picture"
)

type watchFlags struct {
	intake.ScreenFlags
	program.StoreFlags
	intake.LookFlags
	replay, record, pictures, serve string
	folder                          string
	json                            bool
	timeout                         time.Duration
	driveFlags
	faceFlags
}

func newWatch(a *app) *cobra.Command {
	var f watchFlags
	var c *cobra.Command
	c = &cobra.Command{
		Use:   "watch",
		Short: "Look at the screen and print each new board's answer",
		Long: `Look at the screen several times a second, wait for a still picture, and print
each new board's answer once. Ctrl-C ends it. Nothing touches the mouse, unless
--drive enters the answers with it. A pillar is followed while it is turned, and
answered once all of it was in view: rest for a moment at each column.

With --drive an answer is accepted where the client shows it: its line lights
up, the board goes, another comes, or a word or a number appears beside it.
Otherwise it is entered, not confirmed, and the exit status is 3. What is
wanted of lamps is said before anything is clicked; where neither --goal nor
their look says it, it is asked for once.

When a board cannot be read or answered, its frame and what was made of it are
kept, and the path is printed. A run that was kept with --record is replayed as
it was, with the flags that it had; a folder of pictures can be replayed too.`,
		Example: `  onlooker watch
  onlooker watch --window "The Witness"
  onlooker watch --json --record run1
  onlooker watch --replay run1
  onlooker watch --serve lan
  onlooker watch --drive --record run2
  onlooker watch --replay run2`,
		Args: cobra.NoArgs,
		RunE: program.Runs(func(ctx context.Context, _ []string) error {
			switch {
			case f.folder != "" && (f.drive || f.overlay || f.replay != "" || f.Window != "" || f.Region != ""):
				return misuse.Errorf("--folder looks at pictures that appear: not with --drive, --overlay, --replay, --window or --region")
			case f.overlay && f.replay != "":
				return misuse.Errorf("--overlay is of watching the screen: not with --replay")
			case f.replay != "" && f.record != "":
				return misuse.Errorf("--replay and --record: take one or the other")
			case f.replay != "":
				if err := takeFlags(c.Flags(), f.replay); err != nil {
					return err
				}
			case f.record != "":
				if err := keepFlags(c.Flags(), f.record); err != nil {
					return err
				}
			}
			if f.timeout <= 0 {
				return misuse.Errorf("--timeout must be more than 0")
			}
			if f.driveFlags.drive {
				return a.drive(ctx, &f)
			}
			if name := f.driveFlags.given(c.Flags()); name != "" && f.replay == "" {
				return misuse.Errorf("--%s is of --drive: name that too", name)
			}
			return a.watch(ctx, &f)
		}),
	}
	f.ScreenFlags.Register(c)
	f.LookFlags.Register(c)
	f.StoreFlags.Register(c)
	f.driveFlags.register(c.Flags())
	f.faceFlags.register(c.Flags())
	c.Flags().StringVar(&f.replay, "replay", "", "look at the pictures in a `FOLDER` instead, once, or play the run that --record kept there again")
	c.Flags().StringVar(&f.folder, "folder", "", "answer each new picture that appears in a `FOLDER`, as screenshots of Steam or of a console do")
	c.Flags().StringVar(&f.record, "record", "", "keep each frame with something new, and what was made of it, in a `FOLDER`; with --drive, every frame and every motion")
	c.Flags().StringVar(&f.pictures, "pictures", "", "leave a picture of each answer in a `FOLDER`")
	c.Flags().StringVar(&f.serve, "serve", "", "show the picture with the answers on it in a page: `PORT` for this machine, lan for a phone on the network")
	c.Flags().BoolVar(&f.json, "json", false, "print a JSON object for each board")
	misuse.DurationVar(c.Flags(), &f.timeout, "timeout", 30*time.Second, "give up on a board after this long")
	return c
}

func (a *app) watch(ctx context.Context, f *watchFlags) (err error) {
	target, err := f.Target()
	if err != nil {
		return err
	}
	target.Under = f.overlay
	eye, err := f.LookFlags.Eye(a.games)
	if err != nil {
		return err
	}
	over, err := a.face(&f.faceFlags)
	if err != nil {
		return err
	}
	defer over.close()
	var live *web.Live
	source, err := a.source(ctx, f, target, func(state string) {
		if live != nil {
			live.Say(state)
		}
	})
	if err != nil {
		return err
	}
	defer func() {
		if closed := source.Close(); err == nil {
			err = closed
		}
	}()
	w := watcher{app: a, flags: f, journal: a.journal(f), told: map[string]bool{}, inSight: map[string]time.Time{}}
	defer w.journal.close()
	defer w.closeLog()
	if f.pictures != "" {
		if err := os.MkdirAll(f.pictures, 0o755); err != nil {
			return err
		}
	}
	loop := &see.Loop{Source: source, Observer: &see.Observer{Eye: eye, Timeout: f.timeout}, Replay: f.still()}
	loop.Looked = w.looked
	if !f.json && show.Colours(a.err) && f.folder == "" {
		loop.Beat = w.beat
	}
	if f.serve != "" {
		served, closeServer, err := a.serve(f.serve)
		if err != nil {
			return err
		}
		live = served
		defer closeServer()
		tellPage(loop, live)
	}
	if over != nil {
		shown := loop.Looked
		loop.Looked = func(t *see.Turn) {
			shown(t)
			over.draw(t.Bounds.Min, drawable(t)...)
		}
		if device, err := input.Open(""); err != nil {
			fmt.Fprintf(a.err, "onlooker: no keys: %s\n", plain.OneLine(err.Error()))
		} else {
			defer device.Close()
			a.keys(over, &f.faceFlags, device, loop.LookAgain)
		}
	}
	if !f.json && f.replay == "" {
		fmt.Fprintln(a.err, f.doing()+"; Ctrl-C ends it")
	}
	if err := loop.Run(ctx, w.show); err != nil {
		return err
	}
	w.clearStatus()
	if w.failed && f.replay != "" {
		return program.ErrFailed
	}
	return nil
}

// doing is what a look at the screen or at a folder is called.
func (f *watchFlags) doing() string {
	if f.folder != "" {
		return "waiting for new pictures in " + plain.OneLine(f.folder)
	}
	return "watching"
}

// source opens what is looked at. tell is told the state of a window that is waited for.
func (a *app) source(ctx context.Context, f *watchFlags, target capture.Target, tell func(state string)) (capture.Source, error) {
	switch {
	case f.replay != "":
		return capture.OpenDir(f.replay)
	case f.folder != "":
		return capture.OpenShots(f.folder)
	}
	return a.patience(ctx, target, tell)
}

// tellPage tells the live page, too, what a loop sees.
func tellPage(loop *see.Loop, live *web.Live) {
	beat, looked := loop.Beat, loop.Looked
	loop.Beat = func(b see.Beat) {
		live.Beat(b)
		if beat != nil {
			beat(b)
		}
	}
	loop.Looked = func(t *see.Turn) {
		looked(t)
		live.State(sightState(t))
		live.Turn(t)
	}
}

// drawable are the boards of a Turn whose answers are drawn over them.
func drawable(t *see.Turn) (out []marking) {
	for i := range t.Boards {
		b := &t.Boards[i]
		// How a pillar stands is not told by one frame, and a line that is there
		// already needs no other.
		if !b.Board.Pillar && !b.Board.Solved && len(b.Strokes()) > 0 {
			out = append(out, marking{b.Reading, b.Strokes()})
		}
	}
	return out
}

// patience opens what is looked at. A window that is not there is waited for.
func (a *app) patience(ctx context.Context, target capture.Target, tell func(state string)) (capture.Source, error) {
	if target.Window == "" {
		return capture.Open(ctx, target)
	}
	return &capture.Patient{
		Open: func(ctx context.Context) (capture.Source, error) { return capture.Open(ctx, target) },
		Waits: func(why error) {
			fmt.Fprintf(a.err, "waiting for the window %q (%s)\n", target.Window, plain.OneLine(why.Error()))
			tell(fmt.Sprintf("waiting for the window %q", target.Window))
		},
	}, nil
}

// looked takes down what a look came to, for the status line; a black picture is said
// once, in a line of its own.
func (w *watcher) looked(t *see.Turn) {
	state := sightState(t)
	if state != w.state && strings.HasPrefix(state, "black") && w.flags.replay == "" {
		w.clearStatus()
		fmt.Fprintf(w.app.err, "onlooker: %s\n", state)
	}
	w.state = state
	w.sayAgain(t)
}

// still tells whether pictures are looked at, each by itself, and not a screen.
func (f *watchFlags) still() bool { return f.replay != "" || f.folder != "" }

// A watcher prints Turns.
type watcher struct {
	app     *app
	flags   *watchFlags
	failed  bool
	drawn   int           // pictures of answers
	mapped  *see.Sighting // the last board that is a map
	journal *journal

	beats      int
	grabbing   time.Duration
	since      time.Time
	last       see.Millis
	statusLine bool
	state      string // what the last look came to

	told    map[string]bool      // refusals that were printed
	inSight map[string]time.Time // when a board was last seen, by its text
	log     *os.File             // of what is no finding; nil before the first
}

// A watchLine is what watch prints for one board with --json.
type watchLine struct {
	Turn  int    `json:"turn"`
	Frame string `json:"frame,omitempty"` // the replayed picture
	see.BoardRecord
	Map   string   `json:"map,omitempty"`   // what else the board is the map of
	Marks [][2]int `json:"marks,omitempty"` // half-cells to look for on the map
}

func (w *watcher) show(t *see.Turn) error {
	w.clearStatus()
	w.last = t.Millis
	failed := t.Failed != nil
	for i := range t.Boards {
		b := &t.Boards[i]
		if !b.New {
			continue
		}
		// Proved to have no answer: a finding, as of boards of which one has an answer.
		expected := errors.Is(b.Failed, solve.ErrUnsolvable)
		failed = failed || b.Failed != nil && !(expected && (b.Set > 0 || w.flags.still()))
		if w.flags.json {
			record := b.Record(i)
			for stage, took := range t.Millis {
				if _, own := record.Millis[stage]; !own {
					record.Millis[stage] = took
				}
			}
			line := watchLine{Turn: t.Number, Frame: t.Name, BoardRecord: record}
			title, marks := b.Map()
			line.Map = title
			for _, m := range marks {
				line.Marks = append(line.Marks, [2]int{m.X, m.Y})
			}
			if err := plain.WriteJSON(w.app.out, line); err != nil {
				return err
			}
		} else if err := w.print(t, i, expected); err != nil {
			return err
		}
		if err := w.picture(t, b); err != nil {
			return err
		}
	}
	if !w.flags.json {
		if err := w.together(t); err != nil {
			return err
		}
	}
	if t.Failed != nil {
		if w.flags.json {
			line := struct {
				Turn   int    `json:"turn"`
				Frame  string `json:"frame,omitempty"`
				Status string `json:"status"`
				Error  string `json:"error"`
			}{t.Number, t.Name, answer.Status(t.Failed), plain.OneLine(t.Failed.Error())}
			if err := plain.WriteJSON(w.app.out, line); err != nil {
				return err
			}
		} else {
			name := "watch"
			if t.Name != "" {
				name = t.Name
			}
			fmt.Fprintf(w.app.err, "onlooker: %s\n", plain.Prefixed(name, plain.OneLine(t.Failed.Error())))
		}
	}
	w.failed = w.failed || failed
	return w.keep(t, failed)
}

// print shows one new board.
func (w *watcher) print(t *see.Turn, i int, expected bool) error {
	b := &t.Boards[i]
	title := fmt.Sprintf("%s, %d×%d", b.Game.Name, b.Board.Cols, b.Board.Rows)
	if b.Place != "" {
		title += ", " + b.Place
	}
	if t.Name != "" {
		title = plain.OneLine(filepath.Base(t.Name)) + ", " + title
	}
	switch {
	case expected:
		fmt.Fprintf(w.app.out, "%s: no solution\n", title)
		return nil
	case b.Failed != nil:
		w.refuse(t, title, plain.OneLine(b.Failed.Error()))
		return nil
	}
	grab := fmt.Sprintf("grab %.0f, ", t.Millis["grab"])
	if w.flags.folder != "" {
		grab = "" // it is how long the picture was waited for
	}
	fmt.Fprintf(w.app.out, "%s: solved in %.1f ms (%slocate %.0f, read %.0f)\n", title,
		b.Millis["solve"], grab, t.Millis["locate"], t.Millis["read"])
	if err := show.Board(w.app.out, b.Game, b.Puzzle, b.Answer.Solution); err != nil {
		return err
	}
	for _, move := range plain.Told(b.Puzzle, b.Answer.Solution) {
		fmt.Fprintln(w.app.out, move)
	}
	// Which of the games this is nobody knows.
	by := (&answer.Service{}).Standing(context.Background(), b.Puzzle, b.Answer.Solution)
	if text := show.Dispute(by); text != "" {
		fmt.Fprintln(w.app.out, text)
	}
	fmt.Fprintln(w.app.out)
	if title, _ := b.Map(); title != "" {
		w.mapped = b
		return w.printMap()
	}
	return nil
}

// printMap prints the map that was seen last, if any, twice as large as a board.
func (w *watcher) printMap() error {
	if w.mapped == nil {
		return nil
	}
	s, err := boardShapes(w.mapped)
	if err != nil {
		return err
	}
	for i := range s {
		s[i].Points = slices.Clone(s[i].Points)
		for k, p := range s[i].Points {
			s[i].Points[k] = picture.Point{X: 2 * p.X, Y: 2 * p.Y}
		}
		s[i].Width *= 2
	}
	title, _ := w.mapped.Map()
	fmt.Fprintf(w.app.out, "map: %s\n", title)
	if err := picture.Terminal(w.app.out, s, show.Colours(w.app.out)); err != nil {
		return err
	}
	fmt.Fprintln(w.app.out)
	return nil
}

// boardShapes is the picture of a board with its answer, and of a map with what
// to look for on it.
func boardShapes(b *see.Sighting) ([]picture.Shape, error) {
	s := b.Picture(b.Answer.Solution)
	if len(s) == 0 {
		return nil, fmt.Errorf("%s has no pictures: %w", b.Game.Name, solve.ErrNotSupported)
	}
	return s, nil
}

// together says which board of a set is the one to solve, when anything in it
// is new.
func (w *watcher) together(t *see.Turn) error {
	again := false
	for _, set := range t.Sets() {
		if !set.New {
			continue
		}
		line, right := set.Conclude()
		if line != "" {
			fmt.Fprintf(w.app.out, "%s\n\n", line)
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

// picture leaves a picture of an answer.
func (w *watcher) picture(t *see.Turn, b *see.Sighting) error {
	if w.flags.pictures == "" || b.Failed != nil {
		return nil
	}
	s, err := boardShapes(b)
	if err != nil {
		return err
	}
	w.drawn++
	name := filepath.Join(w.flags.pictures, fmt.Sprintf("answer-%03d.png", w.drawn))
	f, err := whole.Create(name, 0o644)
	if err != nil {
		return err
	}
	if err := f.Done(picture.PNG(f, s, show.PixelsPerHalfCell)); err != nil {
		return err
	}
	if !w.flags.json {
		fmt.Fprintf(w.app.out, "picture: %s\n\n", name)
	}
	return nil
}

// keep writes the Turn down: every one with --record, else those that failed
// on the screen.
func (w *watcher) keep(t *see.Turn, failed bool) error {
	name := ""
	var err error
	switch {
	case w.flags.record != "":
		if name, err = t.Keep(w.flags.record); err != nil {
			return err
		}
	case failed && t.Frame != nil && !w.flags.still() && !beside(t):
		name = w.app.keepFailure(t, t.At)
	}
	w.journal.keep(t, name)
	if failed && name != "" {
		fmt.Fprintf(w.app.err, "onlooker: kept as %s\n", name)
	}
	return nil
}

// keepFailure keeps a failing Turn of a run without --record. Where that cannot be it is told
// once, and the name is "".
func (a *app) keepFailure(t *see.Turn, run time.Time) (name string) {
	name, err := failures.Keep(t, run)
	if err != nil {
		a.unkept.Do(func() {
			fmt.Fprintf(a.err, "onlooker: what could not be read is not kept: %s\n", plain.Plainly(err))
		})
	}
	return name
}

// beat counts frames and renews the status line each second.
func (w *watcher) beat(b see.Beat) {
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
	fmt.Fprintf(w.app.err, "\r\x1b[K%s", line)
	w.statusLine = true
	w.beats, w.grabbing, w.since = 0, 0, now
}

func (w *watcher) clearStatus() {
	if w.statusLine {
		fmt.Fprint(w.app.err, "\r\x1b[K")
		w.statusLine = false
	}
}
