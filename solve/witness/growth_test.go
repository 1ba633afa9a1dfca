package witness

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"onlooker/solve"
)

// A mix is a kind of panel by its symbols, for an n×n panel.
type mix struct {
	name string
	of   func(n int) GenerateOptions
}

func mixes() []mix {
	return []mix{
		{"maze-and-dots", func(n int) GenerateOptions { return GenerateOptions{Dots: n, Cuts: n * n / 2} }},
		{"squares", func(n int) GenerateOptions { return GenerateOptions{Squares: n * n / 2} }},
		{"stars", func(n int) GenerateOptions { return GenerateOptions{Stars: n * n / 12 * 2} }},
		{"pieces", func(n int) GenerateOptions { return GenerateOptions{Pieces: n*n/10 + 1} }},
		{"squares-stars-pieces", func(n int) GenerateOptions {
			return GenerateOptions{Squares: n * n / 6, Stars: n / 2 * 2, Pieces: n*n/12 + 1}
		}},
		{"triangles", func(n int) GenerateOptions { return GenerateOptions{Triangles: n * n / 3} }},
		{"squares-and-erasers", func(n int) GenerateOptions { return GenerateOptions{Squares: n * n / 3, Erasers: 2} }},
		{"blue-pieces", func(n int) GenerateOptions { return GenerateOptions{Pieces: n / 2, Negatives: 1} }},
		{"rotation", func(n int) GenerateOptions {
			return GenerateOptions{Symmetry: Rotation, Dots: n, ColouredDots: true, Squares: n}
		}},
		{"pillar", func(n int) GenerateOptions {
			return GenerateOptions{Pillar: true, Symmetry: Parallel, Dots: n / 2, Squares: n}
		}},
	}
}

// shuffled moves a panel's symbols about, or without any its cuts; many such
// panels have no answer.
func shuffled(p *Panel, rng *rand.Rand) *Panel {
	p = p.Clone()
	var cells, edges []image.Point
	symbols := 0
	for at := range p.Points() {
		switch s := p.At(at); {
		case IsCell(at):
			cells = append(cells, at)
			if s.Kind != NoSymbol {
				symbols++
			}
		case IsEdge(at) && !s.Dot.On:
			edges = append(edges, at)
		}
	}
	if symbols == 0 {
		rng.Shuffle(len(edges), func(i, j int) {
			a, b := p.At(edges[i]), p.At(edges[j])
			a.Gap, b.Gap = b.Gap, a.Gap
		})
		return p
	}
	rng.Shuffle(len(cells), func(i, j int) {
		a, b := p.At(cells[i]), p.At(cells[j])
		a.Symbol, b.Symbol = b.Symbol, a.Symbol
	})
	return p
}

// BenchmarkGrowth decides twenty generated panels of each mix and size, and the
// same with their symbols shuffled. It reports the median, the 90th and the 95th
// percentile in milliseconds of clock, how many have no answer, and how many were
// not decided within five seconds (they count as five seconds).
func BenchmarkGrowth(b *testing.B) {
	const most = 5 * time.Second
	for _, m := range mixes() {
		for _, n := range []int{4, 6, 8, 10, 12} {
			const seeds = 20
			for _, shuffle := range []bool{false, true} {
				name := fmt.Sprintf("%s/%dx%d/dealt", m.name, n, n)
				if shuffle {
					name = fmt.Sprintf("%s/%dx%d/shuffled", m.name, n, n)
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

func growth(b *testing.B, m mix, n int, shuffle bool, seeds int, most time.Duration) {
	o := m.of(n)
	o.Cols, o.Rows = n, n
	var took []time.Duration
	none, undecided := 0, 0
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(uint64(seed), 11))
		p, _, err := GenerateSolvable(context.Background(), rng, o)
		if err != nil {
			b.Fatal(err)
		}
		if shuffle {
			p = shuffled(p, rng)
		}
		ctx, cancel := within(most)
		start := clock()
		_, err = p.Solve(ctx)
		took = append(took, min(clock()-start, most))
		cancel()
		switch {
		case errors.Is(err, solve.ErrUnsolvable) && !shuffle:
			b.Fatalf("no answer, but it was dealt with one\n%s", p)
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
