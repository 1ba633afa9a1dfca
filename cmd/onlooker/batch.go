package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"onlooker/capture"
	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/batch"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/misuse"
	"onlooker/cmd/internal/plain"
	"onlooker/cmd/internal/show"
	"onlooker/solve"
)

type batchFlags struct {
	solveFlags
	output string
	jobs   int
}

func newBatch(a *app) *cobra.Command {
	var f batchFlags
	c := &cobra.Command{
		Use:   "batch [FILE…]",
		Short: "Solve many puzzles, and go on where it was broken off",
		Long: `Solve many puzzles on all cores: every board of each FILE, which may be any
input that solve takes, or, without a FILE, one input from each line of standard
input (--lines names another file of such lines). For each board there is a line
of JSON, as solve --json prints it, in the order of the input.

With -o FILE a run that was broken off, even by kill -9, is gone on with by the
same command: no board that was done is solved again, and no line is lost. What
waits for an earlier line stands in FILE.ahead until all is done.

Several at once on one machine may share the store; across machines that share
a disk give each --no-store.`,
		Example: `  onlooker batch -o answers.jsonl boards/*.txt
  onlooker batch --timeout 10s < codes.txt > answers.jsonl
  parallel --pipe -N 100 --keep-order \
    onlooker batch --jobs 1 < codes.txt > answers.jsonl`,
		RunE: runs(func(ctx context.Context, args []string) error { return a.batch(ctx, args, &f) }),
	}
	f.Flags.Register(c)
	f.storeFlags.register(c)
	c.Flags().StringVarP(&f.output, "output", "o", "", "the `FILE` to write to, and to go on with (default: standard output)")
	c.Flags().IntVar(&f.jobs, "jobs", runtime.NumCPU(), "solve this many boards at once")
	misuse.DurationVar(c.Flags(), &f.timeout, "timeout", 0, "give up on a board after so many seconds, or as in 2m (0: never)")
	c.Flags().BoolVar(&f.count, "count", false, "say how many answers there are")
	c.Flags().IntVar(&f.limit, "limit", 0, "with --count: at most this many (0: all)")
	c.Flags().BoolVar(&f.why, "why", false, "say why there is no answer")
	return c
}

// settings are what the lines of a run depend on besides its inputs.
func (f *batchFlags) settings() string {
	return fmt.Sprintf("family %q, rules %q, profile %q, timeout %v, count %t, limit %d, why %t", f.Family, f.Rules, f.Profile, f.timeout, f.count, f.limit, f.why)
}

func (a *app) batch(ctx context.Context, args []string, f *batchFlags) error {
	if f.limit < 0 || f.timeout < 0 || f.jobs < 1 {
		return misuse.Errorf("--limit and --timeout must not be negative, --jobs must be 1 or more")
	}
	if len(args) == 0 && f.Lines == "" {
		f.Lines = "-"
	}
	d, err := intake.NewDecoder(a.games, a.in, f.Flags)
	if err != nil {
		return err
	}
	if f.output == stream {
		f.output = ""
	}
	if err := a.spare(f.output, f.file, append(args, f.Lines)...); err != nil {
		return err
	}
	inputs, err := d.Inputs(args)
	if err != nil {
		return err
	}
	out := batch.To(a.out)
	if f.output != "" {
		if out, err = batch.Open(f.output, f.settings()); err != nil {
			return fmt.Errorf("batch: %w", err)
		}
		if n := out.Had(); n > 0 {
			fmt.Fprintf(a.err, "onlooker: %s has %d finished lines: they stay as they are, whatever the settings now; for others name another file\n", plain.OneLine(f.output), n)
		}
	}
	service, closeStore := a.newService(f.storeFlags)
	defer closeStore()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	tally := a.newTally(f, args)
	desk := &desk{Desk: answer.NewDesk(max(f.jobs, runtime.NumCPU())), flags: &f.solveFlags, decoder: d, service: service, slow: &progress{}, workers: f.jobs}
	err = batch.Run(ctx, out, keyed(d, inputs, cancel), func(ctx context.Context, b intake.Board) batch.Line {
		o := desk.solve(ctx, b)
		line, err := plain.Marshal(o.lines[0].line)
		if err != nil {
			cancel(err) // a line is numbers and text: a mistake in the program
		}
		return line
	}, batch.Options{Workers: f.jobs, KeyOf: keyOfLine, Tick: tally.add})
	tally.end()
	if closed := out.Close(); err == nil {
		err = closed
	}
	switch {
	case errors.Is(err, context.Canceled) && f.output != "":
		return errors.New("interrupted: the same command goes on from here")
	case errors.Is(err, context.Canceled):
		return errors.New("interrupted")
	case err != nil:
		return fmt.Errorf("batch: %w", err)
	}
	tally.sum()
	if tally.failed > 0 {
		return errFailed
	}
	return nil
}

// keyed gives each board a name that is the same in every run. What ends the
// inputs before their end is told to fail.
func keyed(d *intake.Decoder, inputs iter.Seq2[string, error], fail func(error)) iter.Seq2[string, intake.Board] {
	return func(yield func(string, intake.Board) bool) {
		for input, err := range inputs {
			if err != nil {
				fail(err)
				return
			}
			for b := range d.Boards(input) {
				if !yield(boardKey(input, b.Index), b) {
					return
				}
			}
		}
	}
}

func boardKey(input string, index int) string { return fmt.Sprintf("%s, board %d", input, index+1) }

// keyOfLine is the key of a line that was printed.
func keyOfLine(text batch.Line) (string, error) {
	var line solveLine
	if err := json.Unmarshal(text, &line); err != nil {
		return "", fmt.Errorf("%w: not a line of batch", solve.JSONError(err))
	}
	if line.Board == nil {
		return boardKey(line.Input, -1), nil
	}
	return boardKey(line.Input, *line.Board), nil
}

// A tally counts what became of boards, and shows it on a terminal.
type tally struct {
	app   *app
	begun time.Time
	bar   *progressbar.ProgressBar // nil: nobody looks

	mu                             sync.Mutex
	solved, none, failed, old, new int
	all                            int // boards; 0: not known yet
}

// newTally begins to count; on a terminal it also counts how many boards there
// will be, which is known long before they are solved.
func (a *app) newTally(f *batchFlags, args []string) *tally {
	t := &tally{app: a, begun: time.Now()}
	if !show.Terminal(a.err) || f.output == "" && show.Terminal(a.out) {
		return t // nobody looks, or the lines themselves go by
	}
	t.bar = newBar(a.err, -1)
	if f.Lines == "-" || len(args) == 1 && args[0] == "-" {
		return t // comes only once
	}
	go func() {
		if n := a.countBoards(f, args); n > 0 {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.all = n
			// One without an end counts in another way: it cannot be given one.
			t.bar = newBar(a.err, n-t.old)
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
func (a *app) countBoards(f *batchFlags, args []string) (n int) {
	d, err := intake.NewDecoder(a.games, a.in, f.Flags)
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

func (t *tally) add(text batch.Line, old bool) {
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
	if t.bar != nil {
		_ = t.bar.Clear()
	}
}

// sum says what was done, where somebody looks.
func (t *tally) sum() {
	if t.bar == nil {
		return
	}
	took := time.Since(t.begun)
	words := []string{fmt.Sprintf("%d solved", t.solved), fmt.Sprintf("%d without solution", t.none), fmt.Sprintf("%d failed", t.failed)}
	fmt.Fprintf(t.app.err, "%s; %d in %s, %.0f a second", strings.Join(words, ", "), t.new, took.Round(time.Millisecond), float64(t.new)/took.Seconds())
	if t.old > 0 {
		fmt.Fprintf(t.app.err, "; %d had been done before", t.old)
	}
	fmt.Fprintln(t.app.err)
}
