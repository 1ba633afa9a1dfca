package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"iter"
	"maps"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/misuse"
	"onlooker/cmd/internal/plain"
	"onlooker/cmd/internal/show"
	"onlooker/solve"
)

// A solveLine is what solve prints for one board with --json.
type solveLine struct {
	Input   string     `json:"input"`
	Board   *int       `json:"board,omitempty"`
	Family  string     `json:"family"`
	Status  string     `json:"status"`
	Strokes [][][2]int `json:"strokes,omitempty"`
	// Moves tells the strokes in words, where the family has its own.
	Moves []string `json:"moves,omitempty"`
	// Holds are the rule sets by which the answer is right, where the family has
	// several; fails are the others.
	Holds []string `json:"holds,omitempty"`
	// HoldsUnknown are those of which that was not found out in time.
	HoldsUnknown []string `json:"holdsUnknown,omitempty"`
	fails        []string
	// Goal is what the board was taken to want, where its text does not tell.
	Goal   string     `json:"goal,omitempty"`
	Millis see.Millis `json:"millis"`
	// Kept is when an answer of the store, or its proof, was found.
	Kept  *time.Time `json:"kept,omitempty"`
	Error string     `json:"error,omitempty"`

	// Of a puzzle whose answers have a cost: the answer's, a bound that none is
	// below, and what is counted.
	Cost  *int   `json:"cost,omitempty"`
	Bound *int   `json:"bound,omitempty"`
	Unit  string `json:"unit,omitempty"`
	// With --count: how many answers, whether there may be more, and how many
	// differ where it matters.
	Count      *int   `json:"count,omitempty"`
	AtLeast    bool   `json:"atLeast,omitempty"`
	Groups     *int   `json:"groups,omitempty"`
	GroupsTell string `json:"groupsTell,omitempty"`
	// With --all: the number of this answer, from 1.
	Answer int `json:"answer,omitempty"`
	// With --why: what cannot be met together, and where.
	Why   string   `json:"why,omitempty"`
	Where [][2]int `json:"where,omitempty"`
}

type solveFlags struct {
	intake.Flags
	storeFlags
	json    bool
	timeout time.Duration
	count   bool
	all     bool
	limit   int
	why     bool
	views   bool
	picture string
}

func newSolve(a *app) *cobra.Command {
	var f solveFlags
	c := &cobra.Command{
		Use:   "solve INPUT…",
		Short: "Solve puzzles from files, links, codes or pictures",
		Long: `Solve puzzles. An INPUT is a text file (it may hold many boards), a board, link
or code as it is (The Windmill, puzz.link, Flip), witnesspuzzles JSON, a
picture, or - for standard input; onlooker games lists the forms of text. Every
answer is checked by code that shares nothing with the solver before it is
shown, and "no solution" is said only when it is proved. Rows of 0 and 1 are
Lights Out: 1 is lit, and all are wanted off unless --goal says otherwise.

What was solved before is answered from the store, and what is solved is kept
there (see onlooker export), unless --no-store is given.

Without --rules a link is solved by the rules of The Windmill, JSON by those of
witnesspuzzles.com, and pictures and text by those of the game.

The exit status is 0 when every board was answered or proved to have no answer,
1 when one was not, and 2 after a wrong use of the command line.`,
		Example: `  onlooker solve screenshot.png
  onlooker solve --json --timeout 5s --lines links.txt
  onlooker solve --views pillar-0.png pillar-1.png pillar-2.png
  onlooker solve --count --rules windmill panel.txt
  xclip -o | onlooker solve -`,
		RunE: runs(func(ctx context.Context, args []string) error { return a.solve(ctx, args, &f) }),
	}
	f.Flags.Register(c)
	f.storeFlags.register(c)
	c.Flags().BoolVar(&f.json, "json", false, "print a JSON object for each board")
	misuse.DurationVar(c.Flags(), &f.timeout, "timeout", 0, "give up on a board after so many seconds, or as in 2m (0: never)")
	c.Flags().BoolVar(&f.count, "count", false, "say how many answers there are")
	c.Flags().BoolVar(&f.all, "all", false, "print every answer")
	c.Flags().IntVar(&f.limit, "limit", 0, "with --count or --all: at most this many (0: all)")
	c.Flags().StringVar(&f.picture, "picture", "", "of one screenshot: write it with the answers drawn on it to `OUT`, a PNG or JPEG; - is standard output")
	c.Flags().BoolVar(&f.views, "views", false, "all pictures are views of one board, as the sides of a pillar")
	c.Flags().BoolVar(&f.why, "why", false, "say why there is no answer")
	return c
}

// An outcome is what solving one board gave: lines in order.
type outcome struct {
	board  intake.Board
	result answer.Result
	lines  []solved
	large  bool         // something was given up for want of memory
	kept   func() error // waits until it is kept; nil: there is nothing to keep
}

// A solved is one line of an outcome.
type solved struct {
	line     solveLine
	solution solve.Solution
}

// misused is what is wrong with the flags for these inputs.
func (f *solveFlags) misused(args []string) error {
	if f.limit < 0 || f.timeout < 0 {
		return misuse.Errorf("--limit and --timeout must not be negative")
	}
	if f.count && f.all {
		return misuse.Errorf("--count and --all: take one or the other")
	}
	if f.picture != "" && (len(args) != 1 || f.all) {
		return misuse.Errorf("--picture draws one answer each on one screenshot: name one, without --all")
	}
	if f.views && (f.Lines != "" || f.picture != "" || len(args) < 2) {
		return misuse.Errorf("--views: name two pictures or more, without --lines and --picture")
	}
	return nil
}

func (a *app) solve(ctx context.Context, args []string, f *solveFlags) error {
	if err := f.misused(args); err != nil {
		return err
	}
	d, err := intake.NewDecoder(a.games, a.in, f.Flags)
	if err != nil {
		return err
	}
	given := args
	if f.views {
		d.Views, given = args, args[:1]
	}
	inputs, err := d.Inputs(given)
	if err != nil {
		return err
	}
	to := a.out
	if f.picture == stream {
		a = &app{games: a.games, in: a.in, out: a.err, err: a.err, again: a.again}
	}

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	line := newProgress(a.err)
	service, closeStore := a.newService(f.storeFlags)
	defer closeStore()
	desk := &desk{Desk: answer.NewDesk(runtime.NumCPU()), flags: f, decoder: d, service: service, slow: line, workers: runtime.NumCPU()}
	var broken error // read after results is closed
	results := desk.run(ctx, inputs, &broken)
	failed := false
	var printing error
	drawn, seen := &marked{}, &triple{}
	defer line.clear()
	for done := range results {
		o := <-done
		if o.kept != nil {
			_ = o.kept() // what is printed is kept, even where a kill comes next
		}
		if printing == nil && !f.json {
			printing = seen.before(a, o)
		}
		drawn.add(o)
		for _, s := range o.lines {
			failed = failed || s.line.Error != "" && s.line.Status != answer.Unsolvable
			if printing != nil {
				continue
			}
			line.clear()
			if printing = a.printSolved(o.board, s, f); printing != nil {
				cancel()
			}
		}
	}
	switch {
	case printing != nil:
		return printing
	case !f.json:
		if err := seen.end(a); err != nil {
			return err
		}
	}
	switch {
	case broken != nil:
		return broken
	case ctx.Err() != nil:
		return errors.New("interrupted")
	}
	if f.picture != "" {
		if err := drawn.write(f.picture, to); err != nil {
			return err
		}
	}
	if failed {
		if seen.unread && !f.views {
			a.proposeViews("solve", args)
		}
		return errFailed
	}
	return nil
}

// A triple is boards of one picture of which one has an answer, as they come.
type triple struct {
	input  string
	sets   map[int]*see.Set
	unread bool // a pillar was not read from one picture
}

// before takes a board, and says what is known of those of the picture before.
func (t *triple) before(a *app, o outcome) (err error) {
	if t.input != o.board.Input {
		err = t.end(a)
		t.input = o.board.Input
	}
	t.unread = t.unread || unreadPillar(o.board.Reading)
	n := o.board.Together.Set
	if n == 0 || len(o.lines) == 0 {
		return err
	}
	s := &see.Sighting{Reading: o.board.Reading, New: true, Verdict: o.board.Together}
	if last := o.lines[len(o.lines)-1].line; last.Status == answer.Unsolvable {
		s.Failed = solve.ErrUnsolvable
	} else if last.Status != answer.Solved {
		s.Failed = errors.New(last.Error)
	}
	if t.sets == nil {
		t.sets = map[int]*see.Set{}
	}
	if t.sets[n] == nil {
		t.sets[n] = &see.Set{}
	}
	t.sets[n].Boards = append(t.sets[n].Boards, s)
	return err
}

// end says which board of each set is the one to solve.
func (t *triple) end(a *app) error {
	for n := range len(t.sets) {
		if line, _ := t.sets[n+1].Conclude(); line != "" {
			if _, err := fmt.Fprintf(a.out, "%s\n\n", line); err != nil {
				return err
			}
		}
	}
	t.sets = nil
	return nil
}

// A desk solves boards, several at once, and keeps what becomes of them.
type desk struct {
	*answer.Desk
	flags   *solveFlags
	decoder *intake.Decoder
	service *answer.Service
	slow    *progress
	workers int
}

// run decodes the boards of all inputs and solves them on all cores. It gives a
// channel for each board, in the order of the inputs, and ends with them or with
// the context; broken is why an input could not be opened, and may be read when
// the results are closed.
func (w *desk) run(ctx context.Context, inputs iter.Seq2[string, error], broken *error) <-chan chan outcome {
	results := make(chan chan outcome, 16*w.workers)
	slots := make(chan struct{}, w.workers)
	go func() {
		defer close(results)
		for input, err := range inputs {
			if err != nil {
				*broken = err
				return
			}
			for b := range w.decoder.Boards(input) {
				if ctx.Err() != nil {
					return
				}
				done := make(chan outcome, 1)
				results <- done
				slots <- struct{}{}
				go func() {
					defer func() { <-slots }()
					done <- w.solve(ctx, b)
				}()
			}
		}
	}()
	return results
}

func (w *desk) solve(ctx context.Context, b intake.Board) (o outcome) {
	w.Do(ctx, w.flags.timeout, func(ctx context.Context) (large bool) {
		o = w.board(ctx, b)
		return o.large
	})
	if b.Err == nil {
		// What goes wrong with the store is told once, by itself.
		o.kept = w.service.Begin(ctx, w.service.News(b.Game.Name, b.Puzzle, &o.result, w.decoder.Sighting(b)))
	}
	return o
}

// board answers one board.
func (w *desk) board(ctx context.Context, b intake.Board) outcome {
	o, f := outcome{board: b, result: answer.Result{Err: b.Err}}, w.flags
	line := solveLine{Input: b.Input, Goal: b.Goal, Millis: see.Millis{}}
	for stage, took := range b.Millis {
		line.Millis[stage] = took
	}
	if b.Index >= 0 {
		line.Board = &b.Index
	}
	if b.Game != nil {
		line.Family = b.Game.Name
	}
	if b.Err != nil {
		return o.fail(line, b.Err)
	}
	if f.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.timeout)
		defer cancel()
	}
	start := time.Now()
	q := answer.Question{Family: b.Game.Name, Puzzle: b.Puzzle, Report: w.slow.of(b.Input, start), Why: f.why}
	if f.all {
		return w.all(ctx, o, line, q)
	}
	o.result = w.service.Answer(ctx, q)
	r := &o.result
	if line.Kept = r.Kept; r.Kept != nil {
		line.Millis.Took("recall", r.Recalled)
	} else {
		line.Millis.Took("solve", r.Took)
	}
	if r.Checked > 0 {
		line.Millis.Took("check", r.Checked)
	}
	if errors.Is(r.Err, solve.ErrUnsolvable) {
		if f.why {
			if err := w.explain(ctx, b.Puzzle, r, &line); err != nil {
				return o.fail(line, err)
			}
		}
		if f.count {
			line.Count = new(int)
		}
	}
	if r.Err != nil {
		return o.fail(line, r.Err)
	}
	if best := r.Best; best != nil {
		line.Cost, line.Bound, line.Unit = &best.Cost, &best.Bound, best.Unit
	}
	if f.count {
		start = time.Now()
		c, err := w.service.Count(ctx, b.Puzzle, f.limit)
		line.Millis.Add("count", start)
		if err == nil {
			line.Count, line.AtLeast, line.Groups, line.GroupsTell = &c.Answers, c.AtLeast, c.Groups, c.What
		} else {
			// The answer stands; the error says that the count is missing.
			o.large = errors.As(err, new(*solve.MemoryError))
			line.Error = plain.Plainly(err)
		}
	}
	w.tell(ctx, &line, b.Puzzle, r.Solution)
	o.lines = append(o.lines, solved{line, r.Solution})
	return o
}

// fail ends an outcome with what went wrong.
func (o outcome) fail(line solveLine, err error) outcome {
	o.large = o.large || errors.As(err, new(*solve.MemoryError))
	line.Status, line.Error = answer.Status(err), plain.Plainly(err)
	o.lines = append(o.lines, solved{line: line})
	return o
}

// all lists all answers of a board, a line each.
func (w *desk) all(ctx context.Context, o outcome, first solveLine, q answer.Question) outcome {
	n := 0
	start := time.Now()
	for found, err := range w.service.All(ctx, q) {
		line := first
		line.Millis = maps.Clone(first.Millis)
		line.Millis.Add("solve", start)
		if n == 0 {
			o.result = answer.Result{Answer: answer.Answer{Solution: found}, Err: err, Any: true, Took: time.Since(start)}
		}
		if n++; err != nil {
			if errors.As(err, new(*answer.WrongError)) {
				line.Answer = n
			}
			if errors.Is(err, solve.ErrUnsolvable) || errors.Is(err, solve.ErrNotSupported) {
				line = first
			}
			return o.fail(line, err)
		}
		line.Answer = n
		w.tell(ctx, &line, q.Puzzle, found)
		o.lines = append(o.lines, solved{line: line, solution: found})
		if n == w.flags.limit {
			break
		}
		start = time.Now()
	}
	return o
}

// explain puts into the line why there is no answer.
func (w *desk) explain(ctx context.Context, p solve.Puzzle, r *answer.Result, line *solveLine) error {
	if r.Kept == nil {
		start := time.Now()
		var err error
		r.Reason, err = w.service.Why(ctx, p)
		line.Millis.Add("why", start)
		switch {
		case errors.Is(err, solve.ErrNotSupported):
			// That there is no solution stands all the same.
			line.Why = "why cannot be told: " + plain.OneLine(strings.TrimPrefix(err.Error(), "why: "))
			return nil
		case err != nil:
			return err
		}
	}
	line.Why = r.Reason.Text
	for _, at := range r.Reason.Where {
		line.Where = append(line.Where, [2]int{at.X, at.Y})
	}
	return nil
}

// tell puts an answer into the line.
func (w *desk) tell(ctx context.Context, l *solveLine, p solve.Puzzle, s solve.Solution) {
	l.Status, l.Strokes, l.Moves = answer.Solved, answer.Strokes(s), told(p, s)
	l.stand(w.service.Standing(ctx, p, s))
}

func (a *app) printSolved(b intake.Board, s solved, f *solveFlags) error {
	line := s.line
	if f.json {
		return plain.WriteJSON(a.out, line)
	}
	title := plain.Shorten(line.Input)
	if f.views {
		title += " and the other views"
	}
	if line.Board != nil {
		title += fmt.Sprintf(", board %d", *line.Board+1)
	}
	if place := b.Together.Place; place != "" {
		title += ", " + place
	}
	if line.Answer > 0 {
		title += fmt.Sprintf(", answer %d", line.Answer)
	}
	if line.Status != answer.Solved {
		return a.printUnsolved(b, line, title)
	}
	if line.Kept != nil {
		fmt.Fprintf(a.out, "%s: solved on %s\n", title, line.Kept.Local().Format("2006-01-02 15:04"))
	} else {
		fmt.Fprintf(a.out, "%s: solved in %.1f ms\n", title, line.Millis["solve"])
	}
	if err := show.Board(a.out, b.Game, b.Puzzle, s.solution); err != nil {
		return err
	}
	printMoves(a.out, line.Moves, s.solution)
	line.tellGoal(a.out)
	if text := line.dispute(); text != "" {
		fmt.Fprintln(a.out, text)
	}
	if line.Cost != nil {
		unit := line.Unit
		if *line.Cost == 1 {
			unit = strings.TrimSuffix(unit, "s")
		}
		if *line.Cost == *line.Bound {
			fmt.Fprintf(a.out, "%d %s, the fewest\n", *line.Cost, unit)
		} else {
			fmt.Fprintf(a.out, "%d %s; no answer takes fewer than %d\n", *line.Cost, unit, *line.Bound)
		}
	}
	if line.Error != "" {
		fmt.Fprintf(a.err, "onlooker: %s\n", plain.Prefixed(title, line.Error))
	}
	if line.Count != nil {
		more := ""
		if line.AtLeast {
			more = "at least "
		}
		answers := "answers"
		if *line.Count == 1 {
			answers = "answer"
		}
		fmt.Fprintf(a.out, "%s%d %s\n", more, *line.Count, answers)
	}
	if line.Groups != nil {
		fmt.Fprintf(a.out, "%d %s\n", *line.Groups, line.GroupsTell)
	}
	fmt.Fprintln(a.out)
	return nil
}

// printUnsolved prints why a board has no answer.
func (a *app) printUnsolved(b intake.Board, line solveLine, title string) error {
	none, to := line.Status == answer.Unsolvable, a.err
	if none {
		to = a.out
	}
	if none || line.Board != nil {
		fmt.Fprintf(to, "%s: %s\n", title, strings.TrimPrefix(line.Error, plain.Shorten(line.Input)+": "))
	} else {
		fmt.Fprintf(to, "onlooker: %s\n", plain.Prefixed(title, line.Error))
	}
	if none {
		line.tellGoal(to)
	}
	if line.Why != "" {
		fmt.Fprintf(to, "%s\n", line.Why)
	}
	if none && b.Puzzle != nil && len(line.Where) > 0 {
		var where []image.Point
		for _, p := range line.Where {
			where = append(where, image.Pt(p[0], p[1]))
		}
		return show.Board(a.out, b.Game, b.Puzzle, nil, where...)
	}
	return nil
}

// tellGoal says what the board was taken to want.
func (l *solveLine) tellGoal(w io.Writer) {
	if l.Goal != "" {
		fmt.Fprintf(w, "all are wanted %s, since the board does not tell (see --goal)\n", l.Goal)
	}
}

// stand puts into the line by which readings of the rules an answer is right.
func (l *solveLine) stand(st solve.Standing) {
	l.Holds, l.HoldsUnknown, l.fails = st.Right, st.Unknown, st.Wrong
}

// dispute says by which readings of the rules an answer is right; "" where it is
// by all.
func (l *solveLine) dispute() string {
	if len(l.fails)+len(l.HoldsUnknown) == 0 {
		return ""
	}
	text := "right by the rules of " + strings.Join(l.Holds, ", ")
	if len(l.fails) > 0 {
		text += ", not of " + strings.Join(l.fails, ", ")
	}
	if len(l.HoldsUnknown) > 0 {
		text += "; whether by those of " + strings.Join(l.HoldsUnknown, ", ") + " was not found out in time"
	}
	return text
}

// told is an answer in the family's own words, or nil where it has none.
func told(p solve.Puzzle, s solve.Solution) []string {
	teller, ok := p.(solve.Teller)
	if !ok {
		return nil
	}
	words := make([]string, len(s))
	for i, stroke := range s {
		words[i] = teller.Tell(stroke)
	}
	return words
}

func printMoves(w io.Writer, told []string, s solve.Solution) {
	for i, stroke := range s {
		if told != nil {
			fmt.Fprintln(w, told[i])
			continue
		}
		fmt.Fprintln(w, plain.Moves(stroke))
	}
}
