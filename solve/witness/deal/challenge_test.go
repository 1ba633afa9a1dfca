package deal

import (
	"context"
	"errors"
	rand "math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/solve/witness/rules"
	"onlooker/solve/witness/search"
)

// Every kind holds what the game deals, and of each deal exactly one panel has
// an answer.
func TestChallenge(t *testing.T) {
	type holds struct {
		cols, rows     int
		cuts, dots     [2]int // least and most
		squares, stars int    // most
		pieces         int
		triangles      int
		panels         int
	}
	want := map[string]holds{
		"maze-3":         {cols: 3, rows: 3, cuts: [2]int{1, 9}, panels: 1},
		"maze-7":         {cols: 7, rows: 7, cuts: [2]int{39, 47}, panels: 1},
		"squares":        {cols: 4, rows: 4, cuts: [2]int{1, 5}, squares: 11, panels: 1},
		"pedestal":       {cols: 5, rows: 5, cuts: [2]int{1, 25}, dots: [2]int{2, 2}, panels: 1},
		"polyominoes":    {cols: 4, rows: 4, cuts: [2]int{1, 8}, stars: 2, pieces: 2, panels: 1},
		"stars":          {cols: 4, rows: 4, cuts: [2]int{1, 10}, dots: [2]int{4, 4}, stars: 4, panels: 1},
		"symmetry":       {cols: 6, rows: 6, cuts: [2]int{1, 6}, dots: [2]int{6, 6}, panels: 1},
		"column-maze":    {cols: 7, rows: 7, cuts: [2]int{39, 47}, panels: 1},
		"triple-2":       {cols: 4, rows: 4, squares: 12, panels: 3},
		"triple-3":       {cols: 4, rows: 4, squares: 9, panels: 3},
		"triangles-6":    {cols: 4, rows: 4, triangles: 6, panels: 1},
		"triangles-8":    {cols: 4, rows: 4, triangles: 8, panels: 1},
		"pillar-dots":    {cols: 6, rows: 6, dots: [2]int{1, 8}, panels: 1},
		"pillar-squares": {cols: 6, rows: 6, squares: 6, panels: 1},
	}
	for seed := range uint64(6) {
		deals := solvetest.Must(Standard(search.Solver{Rows: search.Rows(), Last: rules.Rows()}).Challenge(t.Context(), rand.New(rand.NewPCG(seed, 3))))(t)
		var order []string
		for _, d := range deals {
			order = append(order, d.Kind)
			w := want[d.Kind]
			if len(d.Panels) != w.panels {
				t.Errorf("%s: %d panels, want %d", d.Kind, len(d.Panels), w.panels)
			}
			for i, p := range d.Panels {
				kinds := map[board.Kind]int{}
				cuts, dots := 0, 0
				for _, s := range p.Spots {
					kinds[s.Kind]++
					if s.Gap == board.Broken {
						cuts++
					}
					if s.Dot.On {
						dots++
					}
				}
				if p.Cols != w.cols || p.Rows != w.rows || cuts < w.cuts[0] || cuts > w.cuts[1] || dots < w.dots[0] || dots > w.dots[1] ||
					kinds[board.Square] > w.squares || kinds[board.Star] != w.stars || kinds[board.Polyomino] != w.pieces || kinds[board.Triangle] != w.triangles {
					t.Errorf("%s holds %d cuts, %d dots, %v, want %+v\n%s", d.Kind, cuts, dots, kinds, w, forms.String(p))
				}
				answer, err := search.Solver{Rows: search.Rows(), Last: rules.Rows()}.Solve(t.Context(), p)
				switch {
				case i != d.Solvable && !errors.Is(err, solve.ErrUnsolvable):
					t.Errorf("%s: panel %d: %v, want none\n%s", d.Kind, i, err, forms.String(p))
				case i == d.Solvable && err != nil:
					t.Errorf("%s: panel %d: %v\n%s", d.Kind, i, err, forms.String(p))
				case i == d.Solvable:
					if err := rules.Rows().Check(t.Context(), p, answer); err != nil {
						t.Errorf("%s: %v\n%s", d.Kind, err, forms.String(p))
					}
				}
			}
		}
		slices.Sort(order)
		if all := slices.Sorted(slices.Values(ChallengeKinds())); !slices.Equal(order, all) {
			t.Errorf("dealt %v, want each of %v", order, all)
		}
	}
}

// Starts and ends of the pillars as the game has them.
func TestPillarsOfTheChallenge(t *testing.T) {
	want := map[board.Symmetry]string{
		board.Parallel: "(2,12) (8,12) to (2,0) (8,0)", board.Turned: "(8,0) (2,12) to (2,0) (8,12)",
		board.Mirror: "(2,12) (4,12) to (2,0) (4,0)", board.Rotation: "(2,0) (4,12) to (4,0) (2,12)",
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 40 {
		d := &dealer{rng: rng}
		d.pillar()
		var starts, ends string
		for at := range d.p.Points() {
			if d.p.At(at).Start {
				starts += " (" + strconv.Itoa(at.X) + "," + strconv.Itoa(at.Y) + ")"
			}
			if d.p.At(at).IsEnd() {
				ends += " (" + strconv.Itoa(at.X) + "," + strconv.Itoa(at.Y) + ")"
			}
		}
		if got := starts[1:] + " to" + ends; got != want[d.p.Symmetry] {
			t.Errorf("%s: %s, want %s", d.p.Symmetry, got, want[d.p.Symmetry])
		}
	}
}

// BenchmarkChallenge decides a thousand random panels of every kind, with an
// answer or none, and reports median and worst milliseconds per panel: of five
// runs the least, since a busy machine takes the processor away for longer than
// most panels need.
func BenchmarkChallenge(b *testing.B) {
	for _, kind := range dealKinds() {
		b.Run(kind.name, func(b *testing.B) {
			for b.Loop() {
				var took []time.Duration
				solvable := 0
				for seed := range uint64(1000) {
					p := kind.panel(rand.New(rand.NewPCG(seed, 5)))
					least := time.Hour
					var err error
					for range 5 {
						start := time.Now()
						_, err = search.Solver{Rows: search.Rows(), Last: rules.Rows()}.Solve(context.Background(), p)
						least = min(least, time.Since(start))
					}
					took = append(took, least)
					if err == nil {
						solvable++
					} else if !errors.Is(err, solve.ErrUnsolvable) {
						b.Fatal(err)
					}
				}
				slices.Sort(took)
				b.ReportMetric(took[len(took)/2].Seconds()*1000, "median-ms")
				b.ReportMetric(took[len(took)-1].Seconds()*1000, "worst-ms")
				b.ReportMetric(float64(solvable), "solvable")
			}
		})
	}
}

// Challenge deals a run: the kinds in order, the four round the column in any
// order, and so the two of the hall and the two pillars.
func (d Deck) Challenge(ctx context.Context, rng *rand.Rand) ([]Deal, error) {
	kinds := ChallengeKinds()
	for _, part := range [][]string{kinds[4:8], kinds[10:12], kinds[12:14]} {
		rng.Shuffle(len(part), func(i, j int) { part[i], part[j] = part[j], part[i] })
	}
	var deals []Deal
	for _, kind := range kinds {
		one, err := d.DealChallenge(ctx, rng, kind)
		if err != nil {
			return nil, err
		}
		deals = append(deals, one)
	}
	return deals, nil
}
