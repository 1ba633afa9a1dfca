package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"iter"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"onlooker/cmd/internal/agent"
	"onlooker/solve"
	"onlooker/vision"
)

// States of a line beside those of agent.Status that the code asks for.
const (
	statusSolved     = "solved"
	statusUnsolvable = "unsolvable"
	statusUnsure     = "unsure"
	statusError      = "error"
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
	Goal   string       `json:"goal,omitempty"`
	Millis agent.Millis `json:"millis"`
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
	inputFlags
	storeFlags
	json    bool
	timeout time.Duration
	count   bool
	all     bool
	limit   int
	why     bool
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
  onlooker solve --count --rules windmill panel.txt
  xclip -o | onlooker solve -`,
		RunE: runs(func(ctx context.Context, args []string) error { return a.solve(ctx, args, &f) }),
	}
	f.inputFlags.register(c)
	f.storeFlags.register(c)
	c.Flags().BoolVar(&f.json, "json", false, "print a JSON object for each board")
	durationVar(c.Flags(), &f.timeout, "timeout", 0, "give up on a board after so many seconds, or as in 2m (0: never)")
	c.Flags().BoolVar(&f.count, "count", false, "say how many answers there are")
	c.Flags().BoolVar(&f.all, "all", false, "print every answer")
	c.Flags().IntVar(&f.limit, "limit", 0, "with --count or --all: at most this many (0: all)")
	c.Flags().StringVar(&f.picture, "picture", "", "of one screenshot: write it with the answers drawn on it to `OUT`, a PNG")
	c.Flags().BoolVar(&f.why, "why", false, "say why there is no answer")
	return c
}

// An outcome is what solving one board gave: lines in order.
type outcome struct {
	board board
	lines []solved
	large bool // something was given up for want of memory
}

// A solved is one line of an outcome.
type solved struct {
	line     solveLine
	solution solve.Solution
	best     *solve.Best // nil: answers of this puzzle have no cost
}

func (a *app) solve(ctx context.Context, args []string, f *solveFlags) error {
	if f.limit < 0 || f.timeout < 0 {
		return usagef("--limit and --timeout must not be negative")
	}
	if f.count && f.all {
		return usagef("--count and --all: take one or the other")
	}
	if f.picture != "" && (len(args) != 1 || f.all) {
		return usagef("--picture draws one answer each on one screenshot: name one, without --all")
	}
	d, err := a.newDecoder(f.inputFlags)
	if err != nil {
		return err
	}
	inputs, err := d.inputs(args)
	if err != nil {
		return err
	}

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	line := newProgress(a.err)
	desk := &desk{app: a, flags: f, decoder: d, memory: a.newMemory(f.storeFlags), slow: line, workers: runtime.NumCPU(), cores: solve.NewCores(runtime.NumCPU())}
	defer desk.memory.close()
	var broken error // read after results is closed
	results := desk.all(ctx, inputs, &broken)
	failed := false
	var printing error
	drawn := &marked{}
	defer line.clear()
	for done := range results {
		o := <-done
		drawn.add(o)
		for _, s := range o.lines {
			failed = failed || s.line.Error != "" && s.line.Status != statusUnsolvable
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
	case broken != nil:
		return broken
	case ctx.Err() != nil:
		return errors.New("interrupted")
	}
	if f.picture != "" {
		if err := drawn.write(f.picture); err != nil {
			return err
		}
	}
	if failed {
		return errFailed
	}
	return nil
}

// A desk solves boards, several at once, and keeps what becomes of them.
type desk struct {
	app     *app
	flags   *solveFlags
	decoder *decoder
	memory  *memory
	slow    *progress
	workers int
	cores   *solve.Cores // that the boards share
	alone   sync.RWMutex // held for writing while one board has all the memory
	begun   atomic.Int64 // boards
	ended   atomic.Int64 // of them
}

// all decodes the boards of all inputs and solves them on all cores. It gives a
// channel for each board, in the order of the inputs, and ends with them or with
// the context; broken is why an input could not be opened, and may be read when
// the results are closed.
func (w *desk) all(ctx context.Context, inputs iter.Seq2[string, error], broken *error) <-chan chan outcome {
	results := make(chan chan outcome, 16*w.workers)
	slots := make(chan struct{}, w.workers)
	go func() {
		defer close(results)
		for input, err := range inputs {
			if err != nil {
				*broken = err
				return
			}
			for b := range w.decoder.boards(input) {
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

func (w *desk) solve(ctx context.Context, b board) outcome {
	if w.cores.Take(ctx) == nil { // otherwise the board is told that ctx has ended
		defer w.cores.Leave()
	}
	ctx = solve.WithCores(ctx, w.cores)
	w.alone.RLock()
	number, ended := w.begun.Add(1), w.ended.Load()
	from := time.Now()
	o := w.app.solveBoard(ctx, b, w.flags, w.memory, w.slow)
	spent := time.Since(from)
	beside := ended != number-1 || w.begun.Load() != number
	w.ended.Add(1)
	w.alone.RUnlock()
	if left := w.flags.timeout - spent; o.large && beside && (w.flags.timeout == 0 || left > 0) {
		// What is too large beside others is tried again alone, in the time that is
		// left.
		w.alone.Lock()
		again := ctx
		if w.flags.timeout > 0 {
			var cancel context.CancelFunc
			again, cancel = context.WithTimeout(ctx, left)
			defer cancel()
		}
		o = w.app.solveBoard(again, b, w.flags, w.memory, w.slow)
		w.alone.Unlock()
	}
	w.memory.remember(ctx, w.decoder, o, w.flags)
	return o
}

func (a *app) solveBoard(ctx context.Context, b board, f *solveFlags, memory *memory, slow *progress) (o outcome) {
	o.board = b
	first := solveLine{Input: b.input, Millis: b.millis}
	if b.index >= 0 {
		first.Board = &b.index
	}
	if b.game != nil {
		first.Family = b.game.Name
	}
	first.Goal = b.goal
	ctx, stop := solve.Watch(ctx)
	defer stop()
	fail := func(line solveLine, err error) outcome {
		err = solve.Cause(ctx, err)
		o.large = o.large || errors.As(err, new(*solve.MemoryError))
		line.Status, line.Error = agent.Status(err), oneLine(err.Error())
		o.lines = append(o.lines, solved{line: line})
		return o
	}
	// A solver's mistake must not take the other boards with it.
	defer func() {
		if f := vision.Caught(recover()); f != nil {
			o = fail(first, fmt.Errorf("solve: %w", f))
		}
	}()
	if b.err != nil {
		return fail(first, b.err)
	}
	if f.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.timeout)
		defer cancel()
	}

	if f.all {
		return a.allAnswers(ctx, b, f, first, o, fail)
	}
	line := first
	answer, err := answer(ctx, b, f, memory, slow, &line)
	if err != nil {
		if errors.Is(err, solve.ErrUnsolvable) && f.why && line.Why == "" {
			if err := explain(ctx, b.puzzle, &line); err != nil {
				return fail(line, err)
			}
		}
		if errors.Is(err, solve.ErrUnsolvable) && f.count {
			line.Count = new(int)
		}
		return fail(line, err)
	}
	if best := answer.Best; best != nil {
		line.Cost, line.Bound, line.Unit = &best.Cost, &best.Bound, best.Unit
	}
	start := time.Now()
	err = b.puzzle.Check(ctx, answer.Solution)
	line.Millis.Add("check", start)
	if err != nil {
		return fail(line, fmt.Errorf("check: the answer found is wrong: %w", err))
	}
	if f.count {
		start = time.Now()
		err := countAnswers(ctx, b.puzzle, f.limit, &line)
		line.Millis.Add("count", start)
		if err != nil {
			// The answer stands; the error says that the count is missing.
			err = solve.Cause(ctx, err)
			o.large = o.large || errors.As(err, new(*solve.MemoryError))
			line.Error = oneLine(fmt.Sprintf("count: %v", err))
		}
	}
	line.tell(ctx, b.puzzle, answer.Solution)
	o.lines = append(o.lines, solved{line, answer.Solution, answer.Best})
	return o
}

// answer is a board's answer from the store, or else the solver's.
func answer(ctx context.Context, b board, f *solveFlags, memory *memory, slow *progress, line *solveLine) (agent.Answer, error) {
	start := time.Now()
	known := memory.recall(ctx, b)
	switch {
	case known == nil || known.Proof != nil && f.why && known.Proof.Why == "":
	case known.Proof != nil:
		line.Millis.Add("recall", start)
		line.Kept = &known.Proof.At
		if f.why {
			line.Why = known.Proof.Why
			for _, at := range known.Proof.Where {
				line.Where = append(line.Where, [2]int{at.X, at.Y})
			}
		}
		return agent.Answer{}, solve.ErrUnsolvable
	default:
		line.Millis.Add("recall", start)
		line.Kept = &known.Answer.At
		answer := agent.Answer{Solution: known.Answer.Solution}
		if best := known.Answer.Best; best != nil && best.Unit != "" {
			answer.Best = best
		}
		return answer, nil
	}
	start = time.Now()
	answer, err := agent.SolveProgress(ctx, b.puzzle, slow.of(b.input, start))
	line.Millis.Add("solve", start)
	return answer, err
}

func (a *app) allAnswers(ctx context.Context, b board, f *solveFlags, first solveLine, o outcome, fail func(solveLine, error) outcome) outcome {
	all, ok := b.puzzle.(solve.Enumerator)
	if !ok {
		return fail(first, fmt.Errorf("%s cannot list all answers: %w", b.game.Name, solve.ErrNotSupported))
	}
	n := 0
	start := time.Now()
	for answer, err := range all.All(ctx) {
		line := first
		line.Millis = agent.Millis{}
		for stage, took := range first.Millis {
			line.Millis[stage] = took
		}
		line.Millis.Add("solve", start)
		if err != nil {
			return fail(line, err)
		}
		n++
		line.Answer = n
		start = time.Now()
		if err := b.puzzle.Check(ctx, answer); err != nil {
			return fail(line, fmt.Errorf("check: answer %d is wrong: %w", n, err))
		}
		line.Millis.Add("check", start)
		line.tell(ctx, b.puzzle, answer)
		o.lines = append(o.lines, solved{line: line, solution: answer})
		if n == f.limit {
			break
		}
		start = time.Now()
	}
	if n == 0 {
		return fail(first, solve.ErrUnsolvable)
	}
	return o
}

func countAnswers(ctx context.Context, p solve.Puzzle, limit int, line *solveLine) error {
	counter, ok := p.(solve.Counter)
	if !ok {
		return fmt.Errorf("answers of this family are not counted: %w", solve.ErrNotSupported)
	}
	n, err := counter.Count(ctx, limit)
	if err != nil {
		return err
	}
	line.Count, line.AtLeast = &n, limit > 0 && n >= limit
	if g, ok := p.(solve.Grouper); ok {
		n, what, err := g.CountGroups(ctx, limit)
		if err != nil {
			return err
		}
		line.Groups, line.GroupsTell = &n, what
	}
	return nil
}

func explain(ctx context.Context, p solve.Puzzle, line *solveLine) error {
	prover, ok := p.(solve.Prover)
	if !ok {
		return nil // "no solution" stands, without a reason
	}
	start := time.Now()
	proof, err := prover.Why(ctx)
	if err == nil {
		err = prover.CheckProof(ctx, proof)
	}
	line.Millis.Add("why", start)
	switch {
	case errors.Is(err, solve.ErrNotSupported):
		// That there is no solution stands all the same.
		line.Why = "why cannot be told: " + oneLine(err.Error())
		return nil
	case err != nil:
		return fmt.Errorf("why: %w", err)
	}
	line.Why = proof.Text()
	for _, at := range proof.Where() {
		line.Where = append(line.Where, [2]int{at.X, at.Y})
	}
	return nil
}

func (a *app) printSolved(b board, s solved, f *solveFlags) error {
	line := s.line
	if f.json {
		return writeJSON(a.out, line)
	}
	title := shorten(line.Input)
	if line.Board != nil {
		title += fmt.Sprintf(", board %d", *line.Board+1)
	}
	if line.Answer > 0 {
		title += fmt.Sprintf(", answer %d", line.Answer)
	}
	if line.Status != statusSolved {
		to := a.err
		if line.Status == statusUnsolvable {
			to = a.out
		}
		if line.Status == statusUnsolvable || line.Board != nil {
			fmt.Fprintf(to, "%s: %s\n", title, strings.TrimPrefix(line.Error, shorten(line.Input)+": "))
		} else {
			fmt.Fprintf(to, "onlooker: %s\n", prefixed(title, line.Error))
		}
		if line.Status == statusUnsolvable {
			line.tellGoal(to)
		}
		if line.Why != "" {
			fmt.Fprintf(to, "%s\n", line.Why)
		}
		if line.Status == statusUnsolvable && b.puzzle != nil && len(line.Where) > 0 {
			var where []image.Point
			for _, p := range line.Where {
				where = append(where, image.Pt(p[0], p[1]))
			}
			return a.drawBoard(b.game, b.puzzle, nil, where...)
		}
		return nil
	}
	if line.Kept != nil {
		fmt.Fprintf(a.out, "%s: solved on %s\n", title, line.Kept.Local().Format("2006-01-02 15:04"))
	} else {
		fmt.Fprintf(a.out, "%s: solved in %.1f ms\n", title, line.Millis["solve"])
	}
	if err := a.drawBoard(b.game, b.puzzle, s.solution); err != nil {
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
		fmt.Fprintf(a.err, "onlooker: %s\n", prefixed(title, line.Error))
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

// tellGoal says what the board was taken to want.
func (l *solveLine) tellGoal(w io.Writer) {
	if l.Goal != "" {
		fmt.Fprintf(w, "all are wanted %s, since the board does not tell (see --goal)\n", l.Goal)
	}
}

// prefixed puts the input before an error that does not begin with it.
func prefixed(title, text string) string {
	title = oneLine(title)
	if len(text) >= len(title) && text[:len(title)] == title {
		return text
	}
	return title + ": " + text
}

// tell puts an answer into the line.
func (l *solveLine) tell(ctx context.Context, p solve.Puzzle, s solve.Solution) {
	l.Status, l.Strokes, l.Moves = statusSolved, agent.Strokes(s), told(p, s)
	if h, ok := p.(solve.Holder); ok {
		st := h.Holds(ctx, s)
		l.Holds, l.HoldsUnknown, l.fails = st.Right, st.Unknown, st.Wrong
	}
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
		fmt.Fprintln(w, moves(stroke))
	}
}
