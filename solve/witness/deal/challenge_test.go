package deal

import (
	"context"
	"errors"
	"image"
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
			solvetest.Same(t, len(d.Panels), w.panels, "%s: panels", d.Kind)
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
		solvetest.Same(t, starts[1:]+" to"+ends, want[d.p.Symmetry], "%s", d.p.Symmetry)
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

// TestDealtPanelsAreWorthSolving deals some of each preset and of the mix: few answers,
// none of which goes straight to the end, and other answers without any one symbol.
func TestDealtPanelsAreWorthSolving(t *testing.T) {
	deck := Standard(search.Solver{Rows: search.Rows(), Last: rules.Rows()})
	answers := func(p *board.Panel, most int) (all []solve.Solution) {
		for s, err := range deck.Solver.All(t.Context(), p) {
			solvetest.OK(t, err)
			if all = append(all, s); len(all) > most {
				break
			}
		}
		return all
	}
	names := []string{""}
	for _, p := range Presets() {
		names = append(names, p.Name)
	}
	for _, name := range names {
		for seed := range uint64(3) {
			p := solvetest.Must(deck.Make(t.Context(), rand.New(rand.NewPCG(seed, 11)), solve.Order{Cols: 5, Rows: 4, Preset: name}))(t)
			found := answers(p, 20)
			if len(found) < 1 || len(found) > fewAnswers {
				t.Errorf("%s, seed %d: %d answers, want 1 to %d\n%s", name, seed, len(found), fewAnswers, forms.String(p))
			}
			for _, s := range found {
				if long, straight := steps(s[0][:len(s[0])-1]), straightest(p); long <= straight {
					t.Errorf("%s, seed %d: an answer of %d half-cells, and the way is %d\n%s", name, seed, long, straight, forms.String(p))
				}
			}
			for at := range p.Points() {
				without := p.Clone()
				s := without.At(at)
				if s.Kind == board.NoSymbol && !s.Dot.On {
					continue
				}
				s.Symbol, s.Dot = board.Symbol{}, board.Dot{}
				others := answers(without, len(found))
				equal := func(a, b solve.Solution) bool { return slices.EqualFunc(a, b, slices.Equal[solve.Stroke]) }
				if len(others) == len(found) && !slices.ContainsFunc(others, func(o solve.Solution) bool {
					return !slices.ContainsFunc(found, func(f solve.Solution) bool { return equal(o, f) })
				}) {
					t.Errorf("%s, seed %d: what stands at %v changes nothing\n%s", name, seed, at, forms.String(p))
				}
			}
		}
	}
}

// steps is how long a stroke is, in half-cells.
func steps(s solve.Stroke) (n int) {
	for i := 1; i < len(s); i++ {
		d := s[i].Sub(s[i-1])
		n += max(d.X, -d.X) + max(d.Y, -d.Y)
	}
	return n
}

// straightest is the least number of half-cells from a start to an end, were all edges
// whole.
func straightest(p *board.Panel) int {
	least := 1 << 30
	for from := range p.Points() {
		for to := range p.Points() {
			if p.At(from).Start && p.At(to).IsEnd() {
				d := to.Sub(from)
				x := max(d.X, -d.X)
				if p.Pillar {
					x = min(x, 2*p.Cols-x)
				}
				least = min(least, x+max(d.Y, -d.Y))
			}
		}
	}
	return least
}

// TestShortest tells lines as short as any from others, round what is broken.
func TestShortest(t *testing.T) {
	p := board.New(2, 1, false)
	p.AddStart(image.Pt(0, 2))
	p.AddEnd(image.Pt(4, 2), image.Pt(1, 0))
	straight := solve.Solution{{{X: 0, Y: 2}, {X: 2, Y: 2}, {X: 4, Y: 2}, {X: 5, Y: 2}}}
	bent := solve.Solution{{{X: 0, Y: 2}, {X: 0, Y: 0}, {X: 2, Y: 0}, {X: 2, Y: 2}, {X: 4, Y: 2}, {X: 5, Y: 2}}}
	if is := shortest(p); !is(straight) || is(bent) {
		t.Errorf("straight: %t, bent: %t, want true and false", is(straight), is(bent))
	}
	p.At(image.Pt(1, 2)).Gap = board.Broken
	if is := shortest(p); !is(bent) {
		t.Error("with a broken edge the bent line is the shortest")
	}
}
