// Command figures prints how long fans, switches, Alcazar and Flow take on a
// folder of collected boards, beside what is asked of them and what other
// programs took:
//
//	go run ./cmd/internal/figures [-runs 5] [-rows REGEXP] [FOLDER]
//
// FOLDER is ../shared/data unless ONLOOKER_SHARED or the argument says
// otherwise; rows whose boards are not there are skipped with a word, and those
// that need none come all the same. Everything runs on one core. A board's time
// is the least of its runs, its answer is checked each time outside the clock,
// and a board whose first run takes more than half a second is run once only.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"onlooker/solve"
	"onlooker/solve/alcazar"
	"onlooker/solve/fans"
	"onlooker/solve/flow"
	"onlooker/solve/switches"
)

func main() {
	runs := flag.Int("runs", 5, "times that a board is run")
	only := flag.String("rows", "", "the rows to print, a regular expression")
	flag.Parse()
	pick, err := regexp.Compile(*only)
	if err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(2)
	}
	folder := filepath.Join("..", "shared", "data")
	if dir := os.Getenv("ONLOOKER_SHARED"); dir != "" {
		folder = filepath.Join(dir, "data")
	}
	if flag.NArg() > 0 {
		folder = flag.Arg(0)
	}
	runtime.GOMAXPROCS(1)
	t := table{folder: folder, runs: *runs, out: os.Stdout}
	fmt.Fprintf(t.out, "%-56s %6s %9s %9s %9s %9s %7s  %-3s  %-24s %s\n", "milliseconds", "boards", "median", "mean", "99 %", "worst", "sum s", "met", "asked", "others took")
	for _, r := range rows() {
		if pick.MatchString(r.what) {
			t.row(r)
		}
	}
	if t.failed {
		os.Exit(1)
	}
}

// A board is a puzzle and where it came from.
type board struct {
	name   string
	puzzle solve.Puzzle
}

// A row is boards, what is done with each, and what is asked of the times.
type row struct {
	what   string
	boards func(t *table) ([]board, error)
	// do is what is timed; what it returns is called after the clock stopped.
	do func(context.Context, solve.Puzzle) (check func() error, err error)
	// asked is said of the figures that met gets: all in milliseconds, sorted.
	asked  string
	met    func(took []float64) bool
	others string
}

type table struct {
	folder string
	runs   int
	out    io.Writer
	failed bool
}

func (t *table) row(r row) {
	boards, err := r.boards(t)
	if err != nil || len(boards) == 0 {
		if err == nil {
			err = errors.New("no boards")
		}
		fmt.Fprintf(t.out, "%-56s skipped: %v\n", r.what, err)
		return
	}
	took := make([]float64, len(boards))
	sum := 0.0
	for i, b := range boards {
		least := time.Duration(-1)
		for range t.runs {
			start := time.Now()
			check, err := r.do(context.Background(), b.puzzle)
			d := time.Since(start)
			if err == nil && check != nil {
				err = check()
			}
			if err != nil {
				fmt.Fprintf(t.out, "%-56s %s: %v\n", r.what, b.name, err)
				t.failed = true
			}
			if least < 0 || d < least {
				least = d
			}
			if d > 500*time.Millisecond {
				break
			}
		}
		took[i] = float64(least.Nanoseconds()) / 1e6
		sum += took[i]
	}
	slices.Sort(took)
	met := "no"
	if r.met == nil {
		met = "-"
	} else if r.met(took) {
		met = "yes"
	}
	n := len(took)
	fmt.Fprintf(t.out, "%-56s %6d %9.3g %9.3g %9.3g %9.3g %7.3g  %-3s  %-24s %s\n", r.what, n, took[n/2], sum/float64(n), took[n*99/100], took[n-1], sum/1000, met, r.asked, r.others)
}

func worst(ms float64) func([]float64) bool {
	return func(took []float64) bool { return took[len(took)-1] < ms }
}

func mean(ms float64) func([]float64) bool {
	return func(took []float64) bool {
		sum := 0.0
		for _, d := range took {
			sum += d
		}
		return sum/float64(len(took)) <= ms
	}
}

// solved answers; a board without an answer is an error.
func solved(ctx context.Context, p solve.Puzzle) (func() error, error) {
	s, err := p.Solve(ctx)
	return func() error { return p.Check(ctx, s) }, err
}

// decided answers or proves that there is no answer.
func decided(ctx context.Context, p solve.Puzzle) (func() error, error) {
	s, err := p.Solve(ctx)
	if errors.Is(err, solve.ErrUnsolvable) {
		return nil, nil
	}
	return func() error { return p.Check(ctx, s) }, err
}

// counted tells whether there is one answer, none, or more.
func counted(ctx context.Context, p solve.Puzzle) (func() error, error) {
	_, err := p.(solve.Counter).Count(ctx, 2)
	return nil, err
}

// single answers and proves that there is no other answer.
func single(ctx context.Context, p solve.Puzzle) (func() error, error) {
	n, err := p.(solve.Counter).Count(ctx, 2)
	if err == nil && n != 1 {
		err = fmt.Errorf("%d answers, want one", n)
	}
	return nil, err
}

// fewest answers with a cost that is proved to be the least.
func fewest(ctx context.Context, p solve.Puzzle) (func() error, error) {
	best, err := p.(solve.Minimiser).Fewest(ctx)
	if err == nil && best.Cost != best.Bound {
		err = fmt.Errorf("%d %s, a bound of %d, want the fewest", best.Cost, best.Unit, best.Bound)
	}
	return func() error { return p.Check(ctx, best.Solution) }, err
}

// refuted proves that there is no answer, and checks the proof.
func refuted(ctx context.Context, p solve.Puzzle) (func() error, error) {
	proof, err := p.(solve.Prover).Why(ctx)
	return func() error { return p.(solve.Prover).CheckProof(ctx, proof) }, err
}

// read gives the boards of files, of those that keep accepts (nil: all).
func read(f *solve.Family, glob string, change func(solve.Puzzle) solve.Puzzle, keep func(solve.Puzzle) bool) func(*table) ([]board, error) {
	return func(t *table) ([]board, error) {
		files, err := filepath.Glob(filepath.Join(t.folder, glob))
		if err != nil {
			return nil, err
		}
		if len(files) == 0 {
			return nil, fmt.Errorf("no %s in %s", glob, t.folder)
		}
		var boards []board
		for _, file := range files {
			more, err := decode(f, file)
			if err != nil {
				return nil, err
			}
			for i, p := range more {
				if keep != nil && !keep(p) {
					continue
				}
				if change != nil {
					p = change(p)
				}
				boards = append(boards, board{fmt.Sprintf("%s, board %d", filepath.Base(file), i+1), p})
			}
		}
		return boards, nil
	}
}

func decode(f *solve.Family, file string) ([]solve.Puzzle, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	why := fmt.Errorf("%s: in no form of %s", file, f.Name)
	for _, format := range f.Formats {
		if !format.Sniff(data[:min(len(data), 4096)]) {
			continue
		}
		var boards []solve.Puzzle
		err := error(nil)
		for p, e := range format.Decode(strings.NewReader(string(data))) {
			if e != nil {
				err = fmt.Errorf("%s: %w", file, e)
				break
			}
			boards = append(boards, p)
		}
		if err == nil {
			return boards, nil
		}
		why = err
	}
	return nil, why
}

// dealt makes boards of a size.
func dealt(n int, make func(rng *rand.Rand) solve.Puzzle) func(*table) ([]board, error) {
	return func(*table) ([]board, error) {
		var boards []board
		for i := range n {
			boards = append(boards, board{fmt.Sprintf("board %d", i+1), make(rand.New(rand.NewPCG(uint64(i), 12)))})
		}
		return boards, nil
	}
}

func with(o flow.Options) func(solve.Puzzle) solve.Puzzle {
	return func(p solve.Puzzle) solve.Puzzle { return p.(*flow.Puzzle).With(o) }
}

func flowSize(cols, rows int) func(solve.Puzzle) bool {
	return func(p solve.Puzzle) bool {
		c, r := p.(*flow.Puzzle).Size()
		return c == cols && r == rows || c == rows && r == cols
	}
}

func alcazarSize(n int) func(solve.Puzzle) bool {
	return func(p solve.Puzzle) bool {
		c, r := p.(*alcazar.Puzzle).Size()
		return c == n && r == n
	}
}

// fort is a board of Alcazar with one answer.
func fort(n int) func(*rand.Rand) solve.Puzzle {
	return func(rng *rand.Rand) solve.Puzzle { return alcazar.Family.Generate(rng, n, n) }
}

// grid is a grid of switches that has an answer.
func grid(n, states int) func(*rand.Rand) solve.Puzzle {
	return func(rng *rand.Rand) solve.Puzzle { return switches.Generate(rng, n, n, states) }
}

// spoilt changes a bulb of a grid until there is no answer.
func spoilt(n int) func(*rand.Rand) solve.Puzzle {
	return func(rng *rand.Rand) solve.Puzzle {
		for {
			s := switches.Generate(rng, n, n, 2).Spec()
			i := rng.IntN(len(s.Nodes))
			s.Nodes[i].Now = 1 - s.Nodes[i].Now
			p, err := switches.New(s)
			if err != nil {
				panic(err) // the board is a dealt one but for a bulb's state
			}
			if _, err := p.Solve(context.Background()); errors.Is(err, solve.ErrUnsolvable) {
				return p
			}
		}
	}
}

func rows() []row {
	fillAny, noTouch := flow.Options{Any: true}, flow.Options{NoTouch: true}
	return []row{
		// 0.25 s a board, 20 s in all: both are asked.
		{"flow: answered or proved to have none", read(&flow.Family, "flow/*.fz", nil, nil), decided, "worst < 250, sum < 20 s",
			func(took []float64) bool { return worst(250)(took) && mean(20_000/float64(len(took)))(took) }, ""},
		{"flow: one answer that does not touch itself, or counted", read(&flow.Family, "flow/*.fz", with(noTouch), nil), counted, "99 % < 1000",
			func(took []float64) bool { return took[len(took)*99/100] < 1000 }, ""},
		{"flow 14×14", read(&flow.Family, "flow/*.fz", nil, flowSize(14, 14)), decided, "mean ≤ 2.13", mean(2.13), "permanganate 213–460 (a hundredth is asked), mzucker 3.5–2800, noqx 184–305"},
		{"flow 15×15", read(&flow.Family, "flow/*.fz", nil, flowSize(15, 15)), decided, "mean ≤ 2.13", mean(2.13), "permanganate 213–460 (a hundredth is asked), noqx 184–305"},
		{"flow hexagons", read(&flow.Family, "flow/23_hexes.fz", nil, nil), decided, "worst < 250", worst(250), ""},
		{"flow warps", read(&flow.Family, "flow/27_warps.fz", nil, nil), decided, "worst < 250", worst(250), "permanganate 700–77000"},
		{"flow traps, touching allowed", read(&flow.Family, "traps/*.fz", with(fillAny), nil), solved, "answered", worst(250), ""},
		{"numberlink: janko", read(&flow.Family, "numberlink/janko.fz", with(fillAny), nil), solved, "mean ≤ 0.495", mean(1.5 * 0.33), "numberlink 0.33"},
		{"numberlink: 40×20", read(&flow.Family, "numberlink/*.fz", with(fillAny), flowSize(40, 20)), solved, "mean < 10", mean(10), "numberlink 2.4"},
		{"numberlink: 50×50", read(&flow.Family, "numberlink/*.fz", with(fillAny), flowSize(50, 50)), solved, "mean < 200", mean(200), "numberlink 1739"},
		{"numberlink: the others", read(&flow.Family, "numberlink/inputs[1-8].fz", with(fillAny), nil), decided, "", nil, ""},

		{"alcazar: samples", read(&alcazar.Family, "alcazar/*.puzzle", nil, nil), solved, "worst < 5", worst(5), "AlcaSAT 150–314"},
		{"alcazar: samples, one answer or several", read(&alcazar.Family, "alcazar/*.puzzle", nil, nil), counted, "", nil, ""},
		{"alcazar: 30×30, one answer proved", read(&alcazar.Family, "alcazar/gen/*.puzzle", nil, alcazarSize(30)), single, "worst < 10", worst(10), ""},
		{"alcazar: 50×50, one answer proved", read(&alcazar.Family, "alcazar/gen/*.puzzle", nil, alcazarSize(50)), single, "worst < 30", worst(30), ""},
		{"alcazar: loose and parity traps", read(&alcazar.Family, "alcazar/loose/*.puzzle", nil, nil), decided, "worst < 100", worst(100), ""},
		{"alcazar: 50×50 of its own, one answer proved", dealt(5, fort(50)), single, "", nil, ""},

		{"switches: the source's example", read(&switches.Family, "switches/taw_ep68_4x3.txt", nil, nil), fewest, "", nil, ""},
		{"switches: collected grids, the fewest proved", read(&switches.Family, "switches/grid*.txt", nil, nil), fewest, "proved", worst(1000), "z3 stops at 18×18, cryptominisat at 40×40"},
		{"switches: collected 40×40", read(&switches.Family, "switches/grid40_*.txt", nil, nil), solved, "worst < 10", worst(10), ""},
		{"switches: 5×5", dealt(100, grid(5, 2)), solved, "worst < 0.020", worst(0.020), ""},
		{"switches: 20×20, the fewest proved", dealt(20, grid(20, 2)), fewest, "proved", worst(1000), ""},
		{"switches: 40×40", dealt(10, grid(40, 2)), solved, "worst < 10", worst(10), ""},
		{"switches: 100×100", dealt(3, grid(100, 2)), solved, "worst < 500", worst(500), ""},
		{"switches: 19×19 without an answer, proof checked", dealt(10, spoilt(19)), refuted, "", nil, ""},
		{"switches: 20×20 of three states", dealt(5, grid(20, 3)), solved, "", nil, ""},

		{"fans: the shrine, its one answer", read(&fans.Family, "fans/botw_storey.txt", nil, nil), single, "< 0.1", worst(0.1), ""},
		{"fans: 30×30", read(&fans.Family, "fans/gen_30_*.txt", nil, nil), solved, "worst < 10", worst(10), ""},
	}
}
