package witness

import (
	"context"
	"errors"
	"fmt"
	"image"
	rand "math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"onlooker/solve"
	"onlooker/solve/limits"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/deal"
	"onlooker/solve/witness/forms"
	"onlooker/solve/witness/rules"
	"onlooker/solve/witness/witnesstest"
)

// perPanel is how much time a panel of the corpora may take at most.
const perPanel = 10 * time.Second

// spread prints what a set of times looks like.
func spread(name string, times []time.Duration) string {
	if len(times) == 0 {
		return name + ": none"
	}
	s := slices.Sorted(slices.Values(times))
	at := func(q float64) time.Duration { return s[min(len(s)-1, int(q*float64(len(s))))] }
	sum := time.Duration(0)
	for _, t := range s {
		sum += t
	}
	return fmt.Sprintf("%s: %d panels, median %v, p90 %v, p99 %v, slowest %v, %v in all",
		name, len(s), at(.5).Round(time.Microsecond), at(.9).Round(time.Microsecond), at(.99).Round(time.Microsecond), s[len(s)-1].Round(time.Microsecond), sum.Round(time.Millisecond))
}

// BenchmarkCorpora solves every distinct panel of both corpora under the rules
// of The Windmill, one after the other. It wants ONLOOKER_SHARED.
func BenchmarkCorpora(b *testing.B) {
	names, links := witnesstest.Corpus(b)
	seen := map[string]bool{}
	for range b.N {
		clear(seen)
		var times []time.Duration
		solved, none, late, over := 0, 0, 0, 0
		used := solvetest.ProcessorTime()
		for i, link := range links {
			if seen[link] {
				continue
			}
			seen[link] = true
			p, err := forms.DecodeWindmill(link)
			solvetest.OK(b, err)
			ctx, cancel := witnesstest.Within(perPanel + perPanel/10)
			begin := witnesstest.Clock()
			_, err = Of(p).Solve(ctx)
			t := witnesstest.Clock() - begin
			cancel()
			times = append(times, t)
			if t > 100*time.Millisecond {
				over++
			}
			if t > perPanel {
				late++
			}
			switch {
			case err == nil:
				solved++
			case errors.Is(err, solve.ErrUnsolvable):
				none++
			case errors.Is(err, context.Canceled):
			default:
				b.Fatalf("%s: %v", names[i], err)
			}
			if t > 300*time.Millisecond {
				b.Logf("%s %dx%d: %v, %v; %s", names[i], p.Cols, p.Rows, t.Round(time.Millisecond), err, contents(p))
			}
		}
		used = solvetest.ProcessorTime() - used
		b.Logf("%s; %v of processor time; %d answers, %d proofs, %d undecided or over 10 s, %d over 100 ms", spread("corpora", times), used.Round(time.Millisecond), solved, none, late, over)
	}
}

// contents lists how many symbols of each kind a panel has.
func contents(p *board.Panel) string {
	n := map[string]int{}
	for i := range p.Spots {
		if s := &p.Spots[i]; s.Dot.On {
			n["dot"]++
		} else if s.Kind != board.NoSymbol {
			n[s.Kind.String()]++
		}
	}
	var out []string
	for k, c := range n {
		out = append(out, fmt.Sprintf("%d %s", c, k))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// BenchmarkGrowth decides twenty generated panels of each mix and size, and the
// same with their symbols shuffled. It reports the median, the 90th and the 95th
// percentile in milliseconds of clock, how many have no answer, and how many were
// not decided within five seconds (they count as five seconds).
func BenchmarkGrowth(b *testing.B) {
	const most = 5 * time.Second
	for _, m := range witnesstest.Mixes() {
		for _, n := range []int{4, 6, 8, 10, 12} {
			const seeds = 20
			for _, shuffle := range []bool{false, true} {
				name := fmt.Sprintf("%s/%dx%d/dealt", m.Name, n, n)
				if shuffle {
					name = fmt.Sprintf("%s/%dx%d/shuffled", m.Name, n, n)
				}
				b.Run(name, func(b *testing.B) {
					for b.Loop() {
						growth(b, m, n, shuffle, seeds, most)
					}
				})
			}
		}
	}
}

func growth(b *testing.B, m witnesstest.Mix, n int, shuffle bool, seeds int, most time.Duration) {
	o := m.Of(n)
	o.Cols, o.Rows = n, n
	var took []time.Duration
	none, undecided := 0, 0
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(uint64(seed), 11))
		p, _, err := deal.Solvable(context.Background(), rng, o)
		solvetest.OK(b, err)
		if shuffle {
			p = witnesstest.Shuffled(p, rng)
		}
		ctx, cancel := witnesstest.Within(most)
		start := witnesstest.Clock()
		_, err = Of(p).Solve(ctx)
		took = append(took, min(witnesstest.Clock()-start, most))
		cancel()
		switch {
		case errors.Is(err, solve.ErrUnsolvable) && !shuffle:
			b.Fatalf("no answer, but it was dealt with one\n%s", Of(p))
		case errors.Is(err, solve.ErrUnsolvable):
			none++
		case errors.Is(err, context.Canceled):
			undecided++
		case err != nil:
			b.Fatal(err)
		}
	}
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2].Seconds()*1000, "median-ms")
	b.ReportMetric(took[len(took)*9/10].Seconds()*1000, "p90-ms")
	b.ReportMetric(took[len(took)*95/100].Seconds()*1000, "p95-ms")
	b.ReportMetric(float64(none), "none")
	b.ReportMetric(float64(undecided), "undecided")
}

// TestLarge asks about panels of the largest size, with symbols anywhere.
func TestLarge(t *testing.T) {
	panel := func(name string, side int, symbols ...string) solvetest.LargeBoard {
		return solvetest.LargeBoard{Name: name, Make: func() (solve.Puzzle, error) {
			rng := rand.New(rand.NewPCG(1, 5))
			var b strings.Builder
			fmt.Fprintf(&b, "panel %dx%d\n", side, side)
			for r := range side {
				b.WriteString(strings.Repeat("+-", side) + map[bool]string{true: ">\n", false: "+\n"}[r == 0])
				for range side {
					cell := byte(' ')
					if k := rng.IntN(2*len(symbols) + 1); k < len(symbols) {
						cell = 'a' + byte(k)
					}
					b.Write([]byte{'|', cell})
				}
				b.WriteString("|\n")
			}
			b.WriteString("@-" + strings.Repeat("+-", side-1) + "+\n")
			for k, s := range symbols {
				fmt.Fprintf(&b, "%c = %s\n", 'a'+k, s)
			}
			p, err := forms.Parse([]byte(b.String()))
			return Of(p), err
		}}
	}
	solvetest.Large(t,
		panel("maze", board.MaxSide),
		panel("stars", board.MaxSide, "black star", "white star"),
		panel("pieces", board.MaxSide, "yellow piece ##/.#", "turned piece ###"),
		panel("all", board.MaxSide, "black star", "black square", "white square", "eraser", "yellow piece ##/.#", "negative piece ##", "2 orange triangles"),
		panel("all, smaller", 30, "black star", "black square", "white square", "eraser", "yellow piece ##/.#", "negative piece ##", "2 orange triangles"),
		panel("stars, smaller", 36, "black star", "white star"),
		panel("pieces, smaller", 36, "yellow piece ##/.#", "turned piece ###"),
		panel("larger", board.MaxSide+1),
	)
}

// TestLabelsTooLarge wants a panel whose labels alone are too large refused before
// they are made.
func TestLabelsTooLarge(t *testing.T) {
	p := witnesstest.Corners(board.MaxSide, board.MaxSide, image.Pt(1, 0))
	for y := range board.MaxSide {
		for x := range board.MaxSide {
			p.At(image.Pt(2*x+1, 2*y+1)).Symbol = board.Symbol{Kind: board.Star, Colour: board.Black}
		}
	}
	var large *limits.MemoryError
	if _, err := Of(p).Solve(limits.WithMemory(context.Background(), 2<<30)); !errors.As(err, &large) || large.Want <= large.Most {
		t.Errorf("%v, want that more memory is wanted than there may be", err)
	}
}

// secretDoor is the one of sigma144's Expert: six arrows of three heads.
func secretDoor() *board.Panel {
	p := witnesstest.Corners(5, 5, image.Pt(1, 0))
	p.Rules = board.Sigma
	for at, way := range map[image.Point]string{{X: 1, Y: 1}: "SE", {X: 1, Y: 5}: "E", {X: 1, Y: 9}: "NE", {X: 9, Y: 1}: "SW", {X: 9, Y: 5}: "W", {X: 9, Y: 9}: "NW"} {
		p.At(at).Symbol = board.Symbol{Kind: board.Arrow, Colour: board.Orange, Count: 3, Way: witnesstest.Way(way)}
	}
	return p
}

// entrance is a panel as the Challenge's entrance on Expert: five stars and six
// arrows of one colour; nil where chance gives none.
func entrance(t *testing.T, seed uint64) *board.Panel {
	rng := rand.New(rand.NewPCG(seed, 31))
	for range 300 {
		p, answer, err := deal.Standard(nil).Solvable(t.Context(), rng, deal.Options{Cols: 6, Rows: 6, Rules: board.Sigma, Others: []deal.SymbolCount{{Kind: board.Arrow, N: 6}}})
		if err != nil {
			continue
		}
		line, _ := rules.Rows().Draw(t.Context(), p, answer)
		stars := 5
		for _, r := range line.Regions() {
			want := 2 - len(r.Symbols)
			for _, at := range r.Symbols {
				p.At(at).Colour = board.Green
			}
			for _, at := range r.Cells {
				if s := p.At(at); want > 0 && want <= stars && s.Kind == board.NoSymbol && len(r.Cells) >= 2 {
					s.Symbol = board.Symbol{Kind: board.Star, Colour: board.Green}
					want--
					stars--
				}
			}
		}
		if stars == 0 && Of(p).Check(t.Context(), answer) == nil {
			return p
		}
	}
	return nil
}

// Panels of the randomizers are answered at once: half of them in 20 ms, nineteen of
// twenty in 500, of 20 of each sort.
func TestSigmaSpeed(t *testing.T) {
	rounds := 20 * solvetest.More()
	spent := func(p *board.Panel) time.Duration {
		ctx, cancel := witnesstest.Within(5 * time.Second)
		defer cancel()
		from := witnesstest.Clock()
		if _, err := Of(p).Solve(ctx); err != nil {
			t.Errorf("%v\n%s", err, forms.String(p))
		}
		return witnesstest.Clock() - from
	}
	judge := func(name string, most, worst time.Duration, of func(seed uint64) *board.Panel) {
		var all []time.Duration
		for seed := range uint64(rounds) {
			if p := of(seed); p != nil {
				all = append(all, spent(p))
			}
		}
		slices.Sort(all)
		if len(all) < rounds/4 {
			t.Errorf("%s: %d panels were dealt, want %d", name, len(all), rounds)
			return
		}
		median, p95 := all[len(all)/2], all[len(all)*19/20]
		t.Logf("%-40s median %6.1f ms, p95 %6.1f ms", name, float64(median.Microseconds())/1000, float64(p95.Microseconds())/1000)
		if median > most || p95 > worst {
			t.Errorf("%s: median %v, p95 %v, want %v and %v", name, median, p95, most, worst)
		}
	}
	for _, n := range []int{5, 7} {
		for _, k := range []board.Kind{board.Arrow, board.AntiTriangle, board.Cave, board.Mines, board.Flower, board.Dart} {
			for _, mixed := range []bool{false, true} {
				judge(fmt.Sprintf("%d×%d, five of %s, mixed %t", n, n, k, mixed), 20*time.Millisecond, 500*time.Millisecond, func(seed uint64) *board.Panel {
					o := deal.Options{Cols: n, Rows: n, Rules: board.Sigma, Others: []deal.SymbolCount{{Kind: k, N: 5}}}
					if mixed {
						o.Stars, o.Squares = 4, 5
					}
					p, _, _ := deal.Standard(nil).Solvable(t.Context(), rand.New(rand.NewPCG(seed, 30)), o)
					return p
				})
			}
		}
	}
	judge("the Challenge's entrance", 100*time.Millisecond, 500*time.Millisecond, func(seed uint64) *board.Panel { return entrance(t, seed) })
	judge("the secret door", 100*time.Millisecond, 100*time.Millisecond, func(uint64) *board.Panel { return secretDoor() })
}
