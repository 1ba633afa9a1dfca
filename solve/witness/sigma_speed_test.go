package witness

import (
	"fmt"
	"image"
	rand "math/rand/v2"
	"slices"
	"testing"
	"time"

	"onlooker/solve/solvetest"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/deal"
	"onlooker/solve/witness/forms"
	"onlooker/solve/witness/rules"
	"onlooker/solve/witness/witnesstest"
)

// secretDoor is the one of sigma144's Expert: six arrows of three heads.
func secretDoor() *board.Panel {
	p := board.New(5, 5, false)
	p.Rules = board.Sigma
	p.At(image.Pt(0, 10)).Start = true
	p.At(image.Pt(10, 0)).Cap = image.Pt(1, 0)
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
