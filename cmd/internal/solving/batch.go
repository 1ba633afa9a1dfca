package solving

import (
	"bytes"
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

	"github.com/spf13/cobra"

	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/program"
	"onlooker/solve"
	"onlooker/solve/limits"
)

// BatchOptions are what batch is asked for.
type BatchOptions struct {
	Options
	output string
	jobs   int
}

// NewBatch is the command that solves many puzzles.
func NewBatch(p *program.Program) *cobra.Command {
	o := BatchOptions{Options: Options{Program: p}}
	c := &cobra.Command{
		Use:   "batch [FILE…]",
		Short: "Solve many puzzles, and go on where it was broken off",
		Long: `Solve many puzzles on all cores: every board of each FILE, which may be any
input that solve takes, or, without a FILE, one input from each line of standard
input. For each board there is a line of JSON, as solve --json prints it, in the
order of the input.

With -o FILE the same command continues a run that was broken off, even by
kill -9: no line is lost, and no board whose line stands there is solved again.

Several at once on one machine may share the store; across machines that share
a disk give each --no-store.`,
		Example: `  onlooker batch -o answers.jsonl boards/*.txt
  onlooker batch --timeout 10s < codes.txt > answers.jsonl
  parallel --pipe -N 100 --keep-order \
    onlooker batch --jobs 1 < codes.txt > answers.jsonl`,
		RunE: program.Runs(o.run),
	}
	o.Flags.Register(c)
	o.StoreFlags.Register(c)
	c.Flags().StringVarP(&o.output, "output", "o", "", "the `FILE` to write to, and to go on with (default: standard output)")
	c.Flags().IntVar(&o.jobs, "jobs", runtime.NumCPU(), "solve this many boards at once")
	cli.DurationVar(c.Flags(), &o.timeout, "timeout", 0, "give up on a board after so many seconds, or as in 2m (0: never)")
	c.Flags().BoolVar(&o.count, "count", false, "say how many answers there are")
	c.Flags().IntVar(&o.limit, "limit", 0, "with --count: at most this many (0: all)")
	c.Flags().BoolVar(&o.why, "why", false, "say why there is no answer")
	return c
}

func (o *BatchOptions) run(ctx context.Context, args []string) error {
	if o.limit < 0 || o.timeout < 0 || o.jobs < 1 {
		return cli.Misusef("--limit and --timeout must not be negative, --jobs must be 1 or more")
	}
	if len(args) == 0 {
		o.Lines = "-"
	}
	d, err := intake.NewDecoder(ctx, o.Games, o.In, o.Flags)
	if err != nil {
		return err
	}
	if o.output == program.Stream {
		o.output = ""
	}
	if err := o.Spare(o.output, o.File, args...); err != nil {
		return err
	}
	inputs, err := d.Inputs(args)
	if err != nil {
		return err
	}
	out := &batchOutput{w: o.Out}
	var file io.Closer = io.NopCloser(nil)
	if o.output != "" {
		if out, file, err = openBatch(o.output); err != nil {
			return fmt.Errorf("batch: %w", err)
		}
		if out.had > 0 {
			fmt.Fprintf(o.Err, "onlooker: %s has %d finished lines: they stay as they are, whatever the settings now; for others name another file\n", cli.OneLine(o.output), out.had)
		}
	}
	service, closeStore := o.Service(o.StoreFlags)
	defer closeStore()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	tally := newTally(o)
	desk := &desk{Desk: answer.NewDesk(max(o.jobs, runtime.NumCPU())), options: &o.Options, decoder: d, service: service, slow: &program.Progress{}, workers: o.jobs}
	err = runBatch(ctx, out, keyed(d, inputs, cancel), func(ctx context.Context, b intake.Board) batchLine {
		done := desk.solve(ctx, b)
		line := bounded{ctx: ctx}
		err := done.lines[0].write(&line, b.Puzzle)
		if errors.As(err, new(*limits.MemoryError)) {
			line.Reset()
			err = outcome{}.fail(done.lines[0].line, err).lines[0].write(&line, nil)
		}
		if err != nil {
			cancel(err) // a line is numbers and text: a mistake in the program
		}
		return bytes.TrimSuffix(line.Bytes(), []byte("\n"))
	}, batchOptions{Workers: o.jobs, KeyOf: keyOfLine, Tick: tally.add})
	tally.end()
	if closed := file.Close(); err == nil {
		err = closed
	}
	switch {
	case errors.Is(err, context.Canceled) && o.output != "":
		return errors.New("interrupted: the same command goes on from here")
	case errors.Is(err, context.Canceled):
		return errors.New("interrupted")
	case err != nil:
		return fmt.Errorf("batch: %w", err)
	}
	tally.sum()
	if tally.failed > 0 {
		return program.ErrFailed
	}
	return nil
}

// A bounded is a line that is held whole, as far as the context gives it memory.
type bounded struct {
	bytes.Buffer
	ctx context.Context
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.Available() < len(p) { // it grows to twice its size, and is copied to be written
		if err := limits.Room(b.ctx, int64(4*b.Cap())); err != nil {
			return 0, err
		}
	}
	return b.Buffer.Write(p)
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
func keyOfLine(text batchLine) (string, error) {
	var line Line
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
