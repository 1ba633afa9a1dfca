package flow

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"onlooker/solve"
	"onlooker/solve/path"
)

// shared is the folder of collected boards beside the project, or skips.
func shared(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("ONLOOKER_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	if _, err := os.Stat(filepath.Join(dir, "data", "flow")); err != nil {
		t.Skipf("no collected boards: %v (set ONLOOKER_SHARED to their folder)", err)
	}
	return filepath.Join(dir, "data")
}

// collected reads fz files; name is FILE#n.
func collected(t testing.TB, o Options, glob string) (boards []*Puzzle, names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(shared(t), glob))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no files, %v", glob, err)
	}
	slices.Sort(files)
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for p, err := range blocks(isBlock, block.fz)(f) {
			n++
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			boards = append(boards, p.(*Puzzle).With(o))
			names = append(names, fmt.Sprintf("%s#%d", strings.TrimSuffix(filepath.Base(file), ".fz"), n))
		}
		f.Close()
	}
	return boards, names
}

// Every collected board has an answer that Check accepts, and exactly one in
// which no path touches itself, but for one board that is proved to have none.
func TestCollected(t *testing.T) {
	boards, names := collected(t, Options{}, "flow/*.fz")
	var none, more []string
	for i, p := range boards {
		if testing.Short() && i%10 > 0 {
			continue
		}
		s, err := p.Solve(t.Context())
		if errors.Is(err, solve.ErrUnsolvable) {
			none = append(none, names[i])
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", names[i], err)
			continue
		}
		if err := p.Check(s); err != nil {
			t.Errorf("%s: Check refuses %v: %v", names[i], s, err)
		}
		n, err := p.With(Options{NoTouch: true}).Count(t.Context(), 2)
		if n != 1 || err != nil {
			more = append(more, fmt.Sprintf("%s has %d answers without touching, %v", names[i], n, err))
		}
	}
	t.Logf("%d boards", len(boards))
	if !testing.Short() && !slices.Equal(none, []string{"mzucker#29"}) {
		t.Errorf("without an answer: %v, want unsolvable_cross (mzucker#29) alone", none)
	}
	for _, m := range more {
		t.Log(m)
	}
	if len(more) > 1 {
		t.Errorf("%d boards do not have one answer, want at most one such", len(more))
	}
}

// On small collected boards the search counts what the sweep does, which shares
// nothing with it but the graph.
func TestCollectedAgainstSweep(t *testing.T) {
	n := 0
	for _, glob := range []string{"traps/*.fz", "flow/0.fz", "flow/23_hexes.fz", "flow/27_warps.fz", "flow/28_party.fz"} {
		boards, names := collected(t, Options{}, glob)
		for i, p := range boards {
			if p.cols*p.rows > 49 {
				continue
			}
			plan, order := p.plan()
			want, err := path.Sweep(plan, order, sweepLimit)
			if err != nil {
				t.Fatalf("%s: %v", names[i], err)
			}
			if got, err := p.Count(t.Context(), 0); err != nil || uint64(got) != want {
				t.Errorf("%s: Count says %d, %v, the sweep %d", names[i], got, err, want)
			}
			n++
		}
	}
	if n < 100 {
		t.Errorf("%d boards, want at least 100 to mean anything", n)
	}
}

// Where cells may stay empty.
func TestNumberlink(t *testing.T) {
	boards, names := collected(t, Options{Any: true}, "numberlink/janko.fz")
	for i, p := range boards {
		s, err := p.Solve(t.Context())
		if err != nil || p.Check(s) != nil {
			t.Errorf("%s: %v, %v", names[i], err, p.Check(s))
		}
	}
}

// A table of times: boards, the sum, the median, the 99th of 100, the worst,
// in milliseconds, each board at its least of five runs where it takes less
// than a second.
func BenchmarkCollected(b *testing.B) {
	solveOne := func(ctx context.Context, p *Puzzle) error {
		s, err := p.Solve(ctx)
		if errors.Is(err, solve.ErrUnsolvable) {
			return nil
		}
		if err == nil {
			err = p.Check(s)
		}
		return err
	}
	unique := func(ctx context.Context, p *Puzzle) error {
		_, err := p.With(Options{NoTouch: true}).Count(ctx, 2)
		return err
	}
	any := Options{Any: true}
	for _, row := range []struct {
		what string
		o    Options
		glob string
		do   func(context.Context, *Puzzle) error
	}{
		{"flow/solve", Options{}, "flow/*.fz", solveOne},
		{"flow/unique", Options{}, "flow/*.fz", unique},
		{"flow14x14-15x15/solve", Options{}, "flow/25_mania15.fz", solveOne},
		{"hexes/solve", Options{}, "flow/23_hexes.fz", solveOne},
		{"warps/solve", Options{}, "flow/27_warps.fz", solveOne},
		{"numberlink/janko", any, "numberlink/janko.fz", solveOne},
		{"numberlink/40x20", any, "numberlink/inputs9.fz", solveOne},
		{"numberlink/50x50", any, "numberlink/inputs10.fz", solveOne},
		{"numberlink/others", any, "numberlink/inputs[1-8].fz", solveOne},
	} {
		b.Run(row.what, func(b *testing.B) {
			boards, names := collected(b, row.o, row.glob)
			for b.Loop() {
				var took []time.Duration
				var sum, worst time.Duration
				name := ""
				for i, p := range boards {
					least := time.Duration(0)
					for range 5 {
						start := time.Now()
						if err := row.do(b.Context(), p); err != nil {
							b.Errorf("%s: %v", names[i], err)
						}
						if d := time.Since(start); least == 0 || d < least {
							least = d
						}
						if least > time.Second {
							break
						}
					}
					took = append(took, least)
					sum += least
					if least > worst {
						worst, name = least, names[i]
					}
				}
				slices.Sort(took)
				ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
				b.ReportMetric(float64(len(took)), "boards")
				b.ReportMetric(ms(sum)/float64(len(took)), "ms/board")
				b.ReportMetric(ms(took[len(took)/2]), "median-ms")
				b.ReportMetric(ms(took[len(took)*99/100]), "p99-ms")
				b.ReportMetric(ms(worst), "worst-ms")
				b.ReportMetric(sum.Seconds(), "sum-s")
				b.Logf("worst: %s", name)
			}
		})
	}
}
