package witness

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
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
