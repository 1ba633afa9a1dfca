package solving

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/program"
	"onlooker/solve"
	"onlooker/solve/limits"
)

// An outcome is what solving one board gave: lines in order.
type outcome struct {
	board  intake.Board
	result answer.Result
	lines  []solvedLine
	large  bool         // something was given up for want of memory
	kept   func() error // waits until it is kept; nil: there is nothing to keep
}

// failed tells whether something went wrong: that there is no answer is none.
func (o outcome) failed() bool {
	return slices.ContainsFunc(o.lines, func(s solvedLine) bool { return s.line.Error != "" && s.line.Status != answer.Unsolvable })
}

// A solvedLine is one line of an outcome.
type solvedLine struct {
	line     Line
	solution solve.Solution
	best     *solve.BestAnswer // its cost; nil: it has none, or it is one of all
}

// Options are what solve is asked for.
type Options struct {
	*program.Program
	intake.Flags
	program.StoreFlags
	json    bool
	timeout time.Duration
	count   bool
	all     bool
	limit   int
	why     bool
	hint    bool
	views   bool
	picture string
	trace   bool
	proof   string
}

// A desk solves boards, several at once, and keeps what becomes of them.
type desk struct {
	*answer.Desk
	options *Options
	decoder *intake.Decoder
	service *answer.Service
	slow    *program.Progress
	workers int
}

// run decodes the boards of all inputs and solves them on all cores. It gives a
// channel for each board, in the order of the inputs, and ends with them or with
// the context; broken is why an input could not be opened, and may be read when
// the results are closed.
func (w *desk) run(ctx context.Context, inputs iter.Seq2[string, error], broken *error) <-chan chan outcome {
	boards := func(yield func(intake.Board) bool) {
		for input, err := range inputs {
			if err != nil {
				*broken = err
				return
			}
			for b := range w.decoder.Boards(input) {
				if errors.As(b.Err, new(cli.Misuse)) {
					*broken = b.Err
				}
				if *broken != nil || !yield(b) {
					return
				}
			}
		}
	}
	return cli.InOrder(ctx, boards, w.workers, 16*w.workers, func(b intake.Board) outcome { return w.solve(ctx, b) })
}

func (w *desk) solve(ctx context.Context, b intake.Board) (o outcome) {
	w.Do(ctx, w.options.timeout, func(ctx context.Context) (large bool) {
		o = w.board(ctx, b)
		return o.large
	})
	if b.Err == nil {
		// What goes wrong with the store is told once, by itself.
		o.kept = w.service.Begin(w.service.News(b.Game.Name, b.Puzzle, &o.result, w.decoder.Sighting(b)))
	}
	return o
}

// board answers one board.
func (w *desk) board(ctx context.Context, b intake.Board) outcome {
	o, f := outcome{board: b, result: answer.Result{Err: b.Err}}, w.options
	line := Line{Input: b.Input, assumed: b.Goal, Goal: b.Goal, Millis: see.Millis{}}
	if b.Puzzle != nil {
		line.Goal = cli.Goal(b.Puzzle)
	}
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
	ctx, cancel := intake.Limited(ctx, f.timeout)
	defer cancel()
	if !b.Deadline.IsZero() {
		ctx, cancel = context.WithDeadline(ctx, b.Deadline)
		defer cancel()
	}
	start := time.Now()
	q := answer.Question{Family: b.Game.Name, Puzzle: b.Puzzle, Report: w.slow.Of(b.Input, start), Why: f.why}
	q.Packed = !f.hint && cli.TooLarge(b.Puzzle)
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
			o.large = errors.As(err, new(*limits.MemoryError))
			line.Error = cli.Plainly(err)
		}
	}
	w.tell(ctx, &line, b.Puzzle, r.Solution)
	o.lines = append(o.lines, solvedLine{line, r.Solution, r.Best})
	return o
}

// fail ends an outcome with what went wrong.
func (o outcome) fail(line Line, err error) outcome {
	o.large = o.large || errors.As(err, new(*limits.MemoryError))
	line.Status, line.Error = answer.Status(err), cli.Plainly(err)
	o.lines = append(o.lines, solvedLine{line: line})
	return o
}

// all lists all answers of a board, a line each.
func (w *desk) all(ctx context.Context, o outcome, first Line, q answer.Question) outcome {
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
		o.lines = append(o.lines, solvedLine{line: line, solution: found})
		if n == w.options.limit {
			break
		}
		start = time.Now()
	}
	return o
}

// explain puts into the line why there is no answer.
func (w *desk) explain(ctx context.Context, p solve.Puzzle, r *answer.Result, line *Line) error {
	if r.Kept == nil {
		start := time.Now()
		var err error
		r.Reason, err = w.service.Why(ctx, p)
		line.Millis.Add("why", start)
		switch {
		case errors.Is(err, solve.ErrNotSupported):
			// That there is no solution stands all the same.
			line.Why = "why cannot be told: " + cli.OneLine(strings.TrimPrefix(err.Error(), "why: "))
			return nil
		case err != nil:
			return err
		}
	}
	line.Why, line.Where = r.Reason.Text, solve.PairsOf(r.Reason.Where)
	return nil
}

// tell puts an answer into the line.
func (w *desk) tell(ctx context.Context, l *Line, p solve.Puzzle, s solve.Solution) {
	l.Status = answer.Solved
	l.standing = w.service.Standing(ctx, p, s)
	l.Holds, l.HoldsUnknown = l.standing.Right, l.standing.Unknown
}

// A Line is what solve prints for one board with --json.
type Line struct {
	Input  string `json:"input"`
	Board  *int   `json:"board,omitempty"`
	Family string `json:"family"`
	Status string `json:"status"`
	// Strokes are read alone: write writes them, and in "moves" what they are in words.
	Strokes [][][2]int `json:"strokes,omitempty"`
	// Holds are the rule sets by which the answer is right, where the family has
	// several.
	Holds []string `json:"holds,omitempty"`
	// HoldsUnknown are those of which that was not found out in time.
	HoldsUnknown []string `json:"holdsUnknown,omitempty"`
	standing     solve.Standing
	// Goal is what the board wants in a word, where one says it; assumed, where neither its text
	// or picture nor its look tells.
	Goal    string `json:"goal,omitempty"`
	assumed string
	Millis  see.Millis `json:"millis"`
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

// write writes the line as JSON, and its answer to p stroke by stroke: as text those of a
// large board are more than memory holds.
func (s solvedLine) write(to io.Writer, p solve.Puzzle) error {
	data, err := cli.Marshal(s.line)
	if err != nil {
		return err
	}
	strokes := slices.Values(s.solution)
	if s.best != nil && s.best.Packed != nil {
		strokes = s.best.Packed.Strokes()
	}
	const solved = `"status":"solved"`
	head, tail, ok := strings.Cut(string(data), solved)
	b := bufio.NewWriterSize(to, 64<<10)
	b.WriteString(head)
	if ok {
		b.WriteString(solved)
	}
	for _, list := range [...]struct {
		before string
		value  func(solve.Stroke) any
	}{
		{`,"strokes":[`, func(s solve.Stroke) any { return solve.PairsOf(s) }},
		{`,"moves":[`, func(s solve.Stroke) any { return cli.Told(p, solve.Solution{s})[0] }},
	} {
		next := list.before
		for stroke := range strokes {
			text, err := cli.Marshal(list.value(stroke))
			if err != nil {
				return err
			}
			b.WriteString(next)
			b.Write(text)
			next = ","
		}
		if next == "," {
			b.WriteByte(']')
		}
	}
	b.WriteString(tail)
	b.WriteByte('\n')
	return b.Flush()
}

// tellGoal says what the board was taken to want.
func (l *Line) tellGoal(w io.Writer) {
	if l.assumed != "" {
		fmt.Fprintf(w, "all are taken to be wanted %s (see --goal)\n", l.assumed)
	}
}
