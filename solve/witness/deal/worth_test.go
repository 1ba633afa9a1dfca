package deal

import (
	"image"
	rand "math/rand/v2"
	"slices"
	"testing"

	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/solve/witness/rules"
	"onlooker/solve/witness/search"
)

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
