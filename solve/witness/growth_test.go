package witness

import (
	"context"
	"errors"
	"fmt"
	rand "math/rand/v2"
	"slices"
	"testing"
	"time"

	"onlooker/solve"
	"onlooker/solve/witness/deal"
	"onlooker/solve/witness/witnesstest"
)

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
		if err != nil {
			b.Fatal(err)
		}
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
