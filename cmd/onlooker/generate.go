package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/misuse"
	"onlooker/cmd/internal/plain"
	"onlooker/cmd/internal/sheet"
	"onlooker/cmd/internal/show"
	"onlooker/cmd/internal/store"
	"onlooker/solve"
	"onlooker/vision/picture"
)

type generateFlags struct {
	storeFlags
	size, symbols, difficulty string
	seed                      uint64
	number, tries             int
	unique, json              bool
	timeout                   time.Duration
	to, output                string

	order       solve.Order // size, symbols and unique
	least, most int         // difficulty
}

// A generateLine is what generate prints for one puzzle with --json.
type generateLine struct {
	Number int    `json:"number"`
	Seed   uint64 `json:"seed"`
	Family string `json:"family"`
	Cols   int    `json:"cols"`
	Rows   int    `json:"rows"`
	Effort *int   `json:"effort,omitempty"` // with --difficulty
	Unit   string `json:"unit,omitempty"`
	Format string `json:"format"`
	Text   string `json:"text"`
}

func newGenerate(a *app) *cobra.Command {
	var f generateFlags
	var c *cobra.Command
	c = &cobra.Command{
		Use:   "generate FAMILY",
		Short: "Make random puzzles, for the screen or on paper",
		Long: `Make random puzzles that have an answer: of any size, with the symbols that
--symbols asks for (onlooker games lists each family's), with only one answer
(--unique; as a family counts them, see solve --count), and as hard as
--difficulty wants: the steps that the solver needs, in a unit of the family's.

The same seed makes the same puzzles. They are written as text or in another of
the family's formats; as links; as pictures; or as a sheet to print, with the
answers on pages behind: pdf, or sheet for a folder of SVG pages. Without --to
the name after -o tells: .pdf, .svg or .png.`,
		Example: `  onlooker generate witness --size 5x5 --symbols squares=6,stars=4 --unique
  onlooker generate flow --size 8x8 --unique -n 12 -o flow.pdf
  onlooker generate alcazar --size 12x12 --difficulty 5- -n 5
  onlooker generate witness --to link -n 3`,
		Args: cobra.MaximumNArgs(1),
		RunE: runs(func(ctx context.Context, args []string) error {
			if s := c.Flags().Lookup("seed"); !s.Changed && s.DefValue == "0" {
				f.seed = rand.Uint64() >> 11 // exact in JSON, and shorter to type
			}
			if format := pictureFormat(f.output); format != "" && !c.Flags().Changed("to") {
				f.to = format
			}
			return a.generate(ctx, args, &f)
		}),
	}
	f.storeFlags.register(c)
	c.Flags().StringVar(&f.size, "size", "5x5", "`COLSxROWS` cells")
	c.Flags().StringVar(&f.symbols, "symbols", "", "what to put on it, as `NAME=NUMBER,…` (see onlooker games); without it a random mix")
	c.Flags().Uint64Var(&f.seed, "seed", 0, "the random seed (default: another each time)")
	c.Flags().IntVarP(&f.number, "number", "n", 1, "how many puzzles")
	c.Flags().BoolVar(&f.unique, "unique", false, "puzzles with one answer only")
	c.Flags().StringVar(&f.difficulty, "difficulty", "", "the solver's steps, as `LEAST-MOST` or LEAST-")
	c.Flags().IntVar(&f.tries, "tries", 1000, "give up on a puzzle after this many that are not as wanted")
	misuse.DurationVar(c.Flags(), &f.timeout, "timeout", time.Minute, "or after this long")
	c.Flags().StringVar(&f.to, "to", "text", "the `FORMAT`: one of the family's, text, link, svg, png, pdf or sheet")
	c.Flags().StringVarP(&f.output, "output", "o", "", "the `FILE` or folder to write to")
	c.Flags().BoolVar(&f.json, "json", false, "print a JSON object for each puzzle")
	return c
}

// read takes the flags apart.
func (f *generateFlags) read(a *app) error {
	cols, rows, ok := strings.Cut(f.size, "x")
	var err1, err2 error
	f.order.Cols, err1 = strconv.Atoi(cols)
	f.order.Rows, err2 = strconv.Atoi(rows)
	if !ok || err1 != nil || err2 != nil {
		return misuse.Errorf("--size %q, want COLSxROWS, as in 5x4", f.size)
	}
	f.order.Unique = f.unique
	if f.symbols != "" {
		f.order.Wishes = map[string]int{}
		for _, part := range strings.Split(f.symbols, ",") {
			name, number, ok := strings.Cut(strings.TrimSpace(part), "=")
			n, err := strconv.Atoi(number)
			if !ok || err != nil {
				return misuse.Errorf("--symbols %q, want NAME=NUMBER", part)
			}
			f.order.Wishes[name] = n
		}
	}
	f.most = -1
	if f.difficulty != "" {
		least, most, ok := strings.Cut(f.difficulty, "-")
		f.least, err1 = strconv.Atoi(least)
		if most != "" {
			f.most, err2 = strconv.Atoi(most)
		}
		if !ok || err1 != nil || err2 != nil || f.most >= 0 && f.most < f.least {
			return misuse.Errorf("--difficulty %q, want LEAST-MOST or LEAST-", f.difficulty)
		}
	}
	switch {
	case f.number < 1 || f.tries < 1 || f.timeout <= 0:
		return misuse.Errorf("--number, --tries and --timeout must be more than 0")
	case f.to == "sheet" && f.output == stream:
		return misuse.Errorf("--to sheet: pages need a folder")
	case f.sheet() && f.output == "":
		return misuse.Errorf("--to %s: name a file or folder with -o", f.to)
	case f.to == "png" && f.output == "":
		return misuse.Errorf("--to png: name a file or folder with -o")
	case f.json && (f.output != "" || f.to == "svg"):
		return misuse.Errorf("--json is for text on standard output")
	case !f.sheet() && !a.hasFormat(f.to):
		return misuse.Errorf("--to %s: no such format; there are pdf, sheet, %s", f.to, strings.Join(a.formatNames(), ", "))
	}
	return nil
}

// sheet tells whether puzzles are printed together.
func (f *generateFlags) sheet() bool { return f.to == "pdf" || f.to == "sheet" }

// A made is a puzzle as it was wanted.
type made struct {
	puzzle solve.Puzzle
	answer *answer.Result // nil: not asked for
	effort int
	unit   string // "" where the effort was not asked for
	err    error
}

func (a *app) generate(ctx context.Context, args []string, f *generateFlags) error {
	if len(args) == 0 {
		return misuse.Errorf("no family: name one of %s", strings.Join(a.games.Names(), ", "))
	}
	game := a.games.Find(args[0])
	if game == nil {
		return misuse.Errorf("%s: no such family; there are %s", args[0], strings.Join(a.games.Names(), ", "))
	}
	if err := f.read(a); err != nil {
		return err
	}
	if f.output == stream && f.to != "pdf" {
		f.output = ""
	}
	if err := a.spare(f.output, f.file); err != nil {
		return err
	}
	fmt.Fprintf(a.err, "seed %d\n", f.seed)
	service, closeStore := a.newService(f.storeFlags)
	defer closeStore()
	out := generated{app: a, game: game, flags: f,
		texts: output{app: a, flags: &convertFlags{to: f.to, output: f.output}}}

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := min(runtime.NumCPU(), f.number)
	queue := make(chan chan made, 4*workers) // in order
	slots := make(chan struct{}, workers)
	go func() {
		defer close(queue)
		for i := range f.number {
			done := make(chan made, 1)
			slots <- struct{}{}
			queue <- done
			go func() {
				defer func() { <-slots }()
				// Every puzzle has a stream of its own: it is the same however
				// many there are, on any number of cores.
				done <- f.make(ctx, game, rand.New(rand.NewPCG(f.seed, uint64(i))))
			}()
		}
	}()
	slow := newProgress(a.err)
	var failed error
	var all []made // kept when all are there, so that what failed leaves nothing
	for done := range queue {
		ready := slow.during(fmt.Sprintf("puzzle %d of %d", out.number+1, f.number))
		m := <-done
		ready()
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
		failed = out.flush()
	}
	if failed != nil {
		return fmt.Errorf("generate: %w", failed)
	}
	for i, m := range all {
		seen := intake.SeenNow(store.Generated, fmt.Sprintf("seed %d, number %d", f.seed, i+1))
		// What goes wrong with the store is told once, by itself.
		_ = service.Keep(ctx, service.News(game.Name, m.puzzle, m.answer, seen))
	}
	return nil
}

// make makes puzzles until one is as wanted.
func (f *generateFlags) make(ctx context.Context, game *see.Game, rng *rand.Rand) (m made) {
	ctx, cancel := context.WithTimeout(ctx, f.timeout)
	defer cancel()
	several, easy, hard, hardest := 0, 0, 0, 0
	var unwritten error
	for try := range f.tries {
		var err error
		if m.puzzle, err = game.Deal(ctx, rng, f.order); err == nil && f.unique {
			var single bool
			if single, err = solve.Single(ctx, m.puzzle); err == nil && !single {
				several++
				continue
			}
		}
		if err == nil && f.order.Wishes == nil && !f.sheet() {
			// Of a random mix there is another that the format can write.
			if _, unwritten = encode(ctx, intake.Board{Game: game, Puzzle: m.puzzle}, &convertFlags{to: f.to}); unwritten != nil && ctx.Err() == nil {
				continue
			}
		}
		if err == nil && (f.difficulty != "" || f.sheet()) {
			err = m.measure(ctx, f.difficulty != "")
		}
		if ctx.Err() != nil {
			m.err = fmt.Errorf("%w after %d tries; %s", ctx.Err(), try, f.missed(several, easy, hard, hardest))
			return m
		}
		switch {
		case err != nil:
			m.err = err
			return m
		case f.difficulty != "" && m.effort < f.least:
			easy++
			hardest = max(hardest, m.effort)
			continue
		case f.most >= 0 && m.effort > f.most:
			hard++
			continue
		}
		if f.sheet() {
			// Anew, for the same seed to make the same sheet.
			found := (&answer.Service{}).Answer(ctx, answer.Question{Family: game.Name, Puzzle: m.puzzle})
			m.answer, m.err = &found, found.Err
		}
		return m
	}
	if unwritten != nil {
		m.err = fmt.Errorf("none of %d puzzles can be written: %w", f.tries, unwritten)
		return m
	}
	m.err = fmt.Errorf("none of %d puzzles is as wanted; %s", f.tries, f.missed(several, easy, hard, hardest))
	return m
}

// missed says what the puzzles were that were not as wanted; hardest is of those
// that were too easy.
func (f *generateFlags) missed(several, easy, hard, hardest int) string {
	text := fmt.Sprintf("%d had more than one answer, %d were too easy", several, easy)
	if easy > 0 {
		text += fmt.Sprintf(" (the hardest takes %d steps)", hardest)
	}
	return fmt.Sprintf("%s, %d too hard: ask for another size or other symbols", text, hard)
}

// measure asks how hard the puzzle is; of a family that cannot tell that is an
// error only where it matters.
func (m *made) measure(ctx context.Context, matters bool) (err error) {
	p, ok := m.puzzle.(solve.Measurer)
	if !ok {
		if matters {
			return fmt.Errorf("--difficulty: how hard puzzles of this family are is not told: %w", solve.ErrNotSupported)
		}
		return nil
	}
	m.effort, m.unit, err = p.Effort(ctx)
	return err
}

// caption is what a sheet says of the puzzle.
func (m *made) caption() string {
	if m.unit == "" {
		return ""
	}
	if m.effort == 1 {
		return "1 " + strings.TrimSuffix(m.unit, "s")
	}
	return fmt.Sprintf("%d %s", m.effort, m.unit)
}

// A generated writes puzzles in the format wanted.
type generated struct {
	app    *app
	game   *see.Game
	flags  *generateFlags
	number int // of the puzzle that comes
	texts  output
	prints []sheet.Printed
}

func (g *generated) put(ctx context.Context, m made) error {
	b := intake.Board{Input: fmt.Sprintf("puzzle %d", g.number), Index: -1, Game: g.game, Puzzle: m.puzzle}
	if g.flags.sheet() {
		var p sheet.Printed
		var err error
		p.Caption = m.caption()
		if p.Board, err = show.Shapes(g.game, m.puzzle, nil); err == nil {
			p.Answer, err = show.Shapes(g.game, m.puzzle, m.answer.Solution)
		}
		g.prints = append(g.prints, p)
		return err
	}
	data, err := encode(ctx, b, g.texts.flags)
	if err != nil {
		return err
	}
	if !g.flags.json {
		return g.texts.put(convertLine{Input: b.Input, Family: g.game.Name, Format: g.flags.to}, data)
	}
	line := generateLine{Number: g.number, Seed: g.flags.seed, Family: g.game.Name, Cols: g.flags.order.Cols, Rows: g.flags.order.Rows,
		Format: g.flags.to, Text: strings.TrimSuffix(string(data), "\n")}
	if m.unit != "" {
		line.Effort, line.Unit = &m.effort, m.unit
	}
	return plain.WriteJSON(g.app.out, line)
}

func (g *generated) flush() error {
	if !g.flags.sheet() {
		return g.texts.flush()
	}
	title := fmt.Sprintf("%s %s, seed %d", g.game.Name, g.flags.size, g.flags.seed)
	if g.flags.output == stream {
		return picture.PDF(g.app.out, sheet.Pages(title, g.prints), 1)
	}
	files, err := sheet.Write(sheet.Pages(title, g.prints), g.flags.to, g.flags.output)
	for _, name := range files {
		fmt.Fprintln(g.app.out, name)
	}
	return err
}
