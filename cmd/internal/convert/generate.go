package convert

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/program"
	"onlooker/cmd/internal/store"
	"onlooker/solve"
	"onlooker/solve/witness/board"
)

// generator is what generate is asked for.
type generator struct {
	*program.Program
	program.StoreFlags
	size, symbols string
	seed          uint64
	number        int
	json, sized   bool
	timeout       time.Duration
	to, output    string

	order solve.Order // size, symbols, preset and unique
}

// A Made puzzle is what generate prints for one with --json.
type Made struct {
	Number int    `json:"number"`
	Seed   uint64 `json:"seed"`
	Family string `json:"family"`
	Cols   int    `json:"cols"`
	Rows   int    `json:"rows"`
	Format string `json:"format"`
	Text   string `json:"text"`
}

// NewGenerate is the command that makes puzzles.
func NewGenerate(p *program.Program) *cobra.Command {
	o := generator{Program: p}
	var c *cobra.Command
	c = &cobra.Command{
		Use:   "generate FAMILY",
		Short: "Make random puzzles",
		Long: `Make random puzzles that have an answer: of any size, with the symbols that
--symbols asks for (onlooker games lists each family's), and with only one
answer (--unique; as a family counts them, see solve --count).

The same seed makes the same puzzles. They are written as text or in another of
the family's formats; as links; or as pictures, which a browser prints. Without
--to the name after -o tells: .svg or .png.`,
		Example: `  onlooker generate witness --size 5x5 --symbols squares=6,stars=4 --unique
  onlooker generate witness --preset swamp -n 3
  onlooker generate flow --size 8x8 --unique -o flow.svg
  onlooker generate witness --to link -n 3`,
		Args: cli.Takes(1),
		RunE: program.Runs(func(ctx context.Context, args []string) error {
			o.sized = c.Flags().Changed("size")
			if s := c.Flags().Lookup("seed"); !s.Changed && s.DefValue == "0" {
				o.seed = rand.Uint64() >> 11 // exact in JSON, and shorter to type
			}
			if format := PictureFormat(o.output); format != "" && !c.Flags().Changed("to") {
				o.to = format
			}
			return o.run(ctx, args)
		}),
	}
	o.StoreFlags.Register(c)
	c.Flags().StringVar(&o.size, "size", "5x5", "`COLSxROWS` cells; without it a preset may have sizes of its own")
	c.Flags().StringVar(&o.symbols, "symbols", "", "what to put on it, as `NAME=NUMBER,…` (see onlooker games); without it a random mix")
	c.Flags().StringVar(&o.order.Preset, "preset", "", "a sort of puzzles by `NAME` (see onlooker games), in place of --symbols")
	c.Flags().Uint64Var(&o.seed, "seed", 0, "the random seed (default: another each time)")
	c.Flags().IntVarP(&o.number, "number", "n", 1, "how many puzzles")
	c.Flags().BoolVar(&o.order.Unique, "unique", false, "puzzles with one answer only")
	cli.DurationVar(c.Flags(), &o.timeout, "timeout", time.Minute, "give up on a puzzle after this long")
	c.Flags().StringVar(&o.to, "to", "text", "the `FORMAT`: one of the family's, text, link, svg or png")
	c.Flags().StringVarP(&o.output, "output", "o", "", "the `FILE` or folder to write to")
	c.Flags().BoolVar(&o.json, "json", false, "print a JSON object for each puzzle")
	return c
}

// read takes the flags apart.
func (o *generator) read() error {
	cols, rows, ok := strings.Cut(o.size, "x")
	var err1, err2 error
	o.order.Cols, err1 = strconv.Atoi(cols)
	o.order.Rows, err2 = strconv.Atoi(rows)
	if !ok || err1 != nil || err2 != nil {
		return cli.Misusef("--size %q, want COLSxROWS, as in 5x4", o.size)
	}
	if o.symbols != "" {
		o.order.Wishes = map[string]int{}
		for _, part := range strings.Split(o.symbols, ",") {
			name, number, ok := strings.Cut(strings.TrimSpace(part), "=")
			n, err := strconv.Atoi(number)
			if !ok || err != nil {
				return cli.Misusef("--symbols %q, want NAME=NUMBER", part)
			}
			o.order.Wishes[name] = n
		}
	}
	switch {
	case o.number < 1 || o.timeout <= 0:
		return cli.Misusef("--number and --timeout must be more than 0")
	case slices.Contains([]string{".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff"}, strings.ToLower(filepath.Ext(o.output))):
		return cli.Misusef("-o %s: pictures are written as .png or .svg", o.output)
	case o.to == "png" && o.output == "":
		return cli.Misusef("--to png: name a file or folder with -o")
	case o.json && (o.output != "" || o.to == "svg"):
		return cli.Misusef("--json is for text on standard output")
	case !slices.Contains(FormatNames(o.Games.List), o.to):
		return unwritten(o.Games.List, o.to)
	}
	return nil
}

// A candidate is a puzzle that is as it was wanted.
type candidate struct {
	puzzle solve.Puzzle
	err    error
}

func (o *generator) run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return cli.Misusef("no family: name one of %s", strings.Join(o.Games.Names(), ", "))
	}
	game := o.Games.Find(args[0])
	if game == nil {
		return cli.Misusef("%s: no such family; there are %s", args[0], strings.Join(o.Games.Names(), ", "))
	}
	if err := o.read(); err != nil {
		return err
	}
	if err := game.Takes(o.order); err != nil {
		return cli.Misusef("%w", err)
	}
	if o.output == program.Stream {
		o.output = ""
	}
	if err := o.Spare(o.output, o.File); err != nil {
		return err
	}
	fmt.Fprintf(o.Err, "seed %d\n", o.seed)
	service, closeStore := o.Service(o.StoreFlags)
	defer closeStore()
	out := writer{options: o, game: game, texts: Output{Program: o.Program, To: o.to, File: o.output}}

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := min(runtime.NumCPU(), o.number)
	numbers := func(yield func(uint64) bool) {
		for i := range uint64(o.number) {
			if !yield(i) {
				return
			}
		}
	}
	// Every puzzle is dealt by numbers of its own: it is the same however many
	// there are, on any number of cores.
	queue := cli.InOrder(ctx, numbers, workers, 4*workers, func(i uint64) candidate {
		return o.make(ctx, game, rand.New(rand.NewPCG(o.seed, i)))
	})
	slow := o.Progress()
	var ready atomic.Int64
	defer slow.Through(func() string { return fmt.Sprintf("puzzle %d of %d", min(ready.Load()+1, int64(o.number)), o.number) })()
	var failed error
	var all []candidate // kept when all are there, so that what failed leaves nothing
	for done := range queue {
		m := <-done
		ready.Add(1)
		slow.Clear()
		if failed != nil {
			continue
		}
		out.number++
		if failed = m.err; failed == nil {
			failed = out.put(ctx, m)
		}
		if failed != nil {
			cancel()
			continue
		}
		all = append(all, m)
	}
	if failed == nil {
		failed = ctx.Err()
	}
	if ended := out.texts.Done(failed); failed == nil {
		failed = ended
	}
	if failed != nil {
		return fmt.Errorf("generate: %w", failed)
	}
	for i, m := range all {
		seen := intake.SeenNow(store.Generated, fmt.Sprintf("seed %d, number %d", o.seed, i+1))
		// What goes wrong with the store is told once, by itself.
		service.Begin(service.News(game.Name, m.puzzle, nil, seen))
	}
	return nil
}

// mostTries is how many puzzles that are not as wanted are made in the place of one.
const mostTries = 1000

// make makes puzzles until one is as wanted.
func (o *generator) make(ctx context.Context, game *see.Game, rng *rand.Rand) (m candidate) {
	ctx, cancel := context.WithTimeout(ctx, o.timeout)
	defer cancel()
	several := 0
	var unwritten error
	for try := range mostTries {
		var err error
		if m.puzzle, err = game.Deal(ctx, rng, o.order); err == nil && o.order.Unique {
			var single bool
			if single, err = solve.Single(ctx, m.puzzle); err == nil && !single {
				several++
				continue
			}
		}
		// A preset may have sizes of its own.
		if p := board.Of(m.puzzle); err == nil && o.sized && p != nil && (p.Cols != o.order.Cols || p.Rows != o.order.Rows) {
			continue
		}
		if err == nil && o.order.Wishes == nil {
			// Of a random mix there is another that the format can write.
			if _, unwritten = Encode(ctx, intake.Board{Game: game, Puzzle: m.puzzle}, o.to, false); unwritten != nil && ctx.Err() == nil {
				continue
			}
		}
		if ctx.Err() != nil {
			m.err = fmt.Errorf("%w after %d tries; %d had more than one answer: ask for another size or other symbols", ctx.Err(), try, several)
		} else {
			m.err = err
		}
		return m
	}
	if unwritten != nil {
		m.err = fmt.Errorf("none of %d puzzles can be written: %w", mostTries, unwritten)
		return m
	}
	m.err = fmt.Errorf("none of %d puzzles is as wanted; %d had more than one answer: ask for another size or other symbols", mostTries, several)
	return m
}

// A writer writes puzzles in the format wanted.
type writer struct {
	options *generator
	game    *see.Game
	number  int // of the puzzle that comes
	texts   Output
}

func (w *writer) put(ctx context.Context, m candidate) error {
	b := intake.Board{Input: fmt.Sprintf("puzzle %d", w.number), Index: -1, Game: w.game, Puzzle: m.puzzle}
	data, err := Encode(ctx, b, w.options.to, false)
	if err != nil {
		return err
	}
	if !w.options.json {
		return w.texts.Put(Line{Input: b.Input, Family: w.game.Name, Format: w.options.to}, data)
	}
	line := Made{Number: w.number, Seed: w.options.seed, Family: w.game.Name, Cols: w.options.order.Cols, Rows: w.options.order.Rows,
		Format: w.options.to, Text: strings.TrimSuffix(string(data), "\n")}
	return cli.WriteJSON(w.options.Out, line)
}
