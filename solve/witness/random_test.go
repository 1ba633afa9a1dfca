package witness_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	witnessproof "onlooker/solve/witness/proof"
)

// tinyPanel is a random panel of at most six cells that may hold everything:
// every symbol, missing and broken edges, missing nodes, starts and ends
// anywhere, every symmetry, pillars, and seldom options that differ from the
// rule set's.
func tinyPanel(rng *rand.Rand, rules board.RuleSet) *board.Panel {
	sizes := [][2]int{{1, 1}, {1, 2}, {2, 1}, {1, 3}, {3, 1}, {2, 2}, {2, 2}, {2, 3}, {3, 2}, {4, 1}}
	size := sizes[rng.IntN(len(sizes))]
	pillar := size[0] > 1 && rng.IntN(6) == 0
	p := board.New(size[0], size[1], pillar)
	p.Rules = rules
	if rng.IntN(4) == 0 {
		for _, o := range board.RuleOptions() {
			// What concerns no symbol here must not change the boards of a seed.
			if o.Name != "fixed-new" && rng.IntN(5) == 0 {
				p.Rules = o.With(p.Rules, rng.IntN(2) == 0)
			}
		}
	}
	if rng.IntN(4) == 0 {
		p.Symmetry = board.Symmetry(1 + rng.IntN(5))
		if p.Valid() != nil { // not on a panel of this size
			p.Symmetry = board.NoSymmetry
		}
	}
	spot := func(middles int) *board.Spot {
		for {
			at := image.Pt(rng.IntN(p.Width()), rng.IntN(p.Height()))
			if board.IsNode(at) || board.IsEdge(at) && rng.IntN(middles) == 0 {
				if q, ok := p.Image(at); ok && rng.IntN(20) > 0 {
					*p.At(q) = *p.At(at)
				}
				return p.At(at)
			}
		}
	}
	gaps, missing := rng.IntN(6), rng.IntN(2) == 0
	for at := range p.Points() {
		s := p.At(at)
		switch {
		case board.IsEdge(at) && rng.IntN(20) < gaps:
			s.Gap = board.Broken
			if missing && rng.IntN(4) > 0 {
				s.Gap = board.Missing
			}
		case board.IsNode(at) && missing && rng.IntN(25) == 0:
			s.Gap = board.Missing
		}
		if !board.IsCell(at) && rng.IntN(30) == 0 {
			s.Dot = board.Dot{On: true, Line: board.Line(rng.IntN(3))}
		}
	}
	for range 1 + rng.IntN(3) {
		s := spot(6)
		s.Start = true
	}
	for range 1 + rng.IntN(3) {
		spot(6).Cap = ways[rng.IntN(4)]
	}
	for at := range p.Points() { // the image of a terminal is one, mostly
		if q, ok := p.Image(at); ok && !board.IsCell(at) && rng.IntN(10) > 0 {
			s, t := p.At(at), p.At(q)
			t.Start = t.Start || s.Start
			if isEnd(p, at) && !isEnd(p, q) {
				t.Cap = s.Cap
			}
		}
	}
	full := 1 + rng.IntN(4)
	for at := range p.Points() {
		if board.IsCell(at) && rng.IntN(5) < full {
			p.At(at).Symbol = tinySymbol(rng)
		}
	}
	return p
}

func tinySymbol(rng *rand.Rand) board.Symbol {
	s := board.Symbol{Colour: []board.Colour{board.White, board.Black}[rng.IntN(2)]}
	switch rng.IntN(9) {
	case 0, 1:
		s.Kind = board.Square
	case 2:
		s.Kind = board.Star
	case 3:
		s.Kind, s.Count = board.Triangle, 1+rng.IntN(3)
	case 4, 5:
		s.Kind = board.Polyomino
	case 6:
		s.Kind = board.Negative
	default:
		s.Kind = board.Eraser
	}
	if s.Kind.IsPiece() {
		shapes := []string{"#", "##", "#/#", "##/##", "###", "#/#/#", "##/#.", "##/.#", "#./##", ".#/#."}
		s.Shape, _ = forms.ParseShape(shapes[min(rng.IntN(len(shapes)), rng.IntN(len(shapes)))])
		s.Turnable = rng.IntN(3) == 0
	}
	return s
}

// A tally is how many boards were compared, and what they decided.
type tally struct{ boards, solvable, reasons int }

// compare holds the solver's status, answer and count of a panel against the
// brute force's; what differs is returned as words.
func compare(ctx context.Context, p *board.Panel, sum *tally) (wrong []string) {
	want := everyAnswer(p)
	sum.boards++
	if len(want) > 0 {
		sum.solvable++
	}
	complain := func(format string, args ...any) {
		wrong = append(wrong, fmt.Sprintf(format, args...)+"\n"+forms.String(p))
	}
	answer, err := witness.Of(p).Solve(ctx)
	switch {
	case errors.Is(err, solve.ErrUnsolvable):
		if len(want) > 0 {
			complain("no solution, but %v is one", want[0])
		}
	case err != nil:
		complain("%v", err)
	case len(want) == 0:
		complain("solved by %v, and no line is right", answer)
	}
	if len(want) == 0 && errors.Is(err, solve.ErrUnsolvable) {
		sum.reasons++
		proof, err := witness.Of(p).Why(ctx)
		if err != nil {
			complain("why: %v", err)
		} else if why := falseWhy(p, proof.(*witnessproof.Conflict)); why != "" {
			complain("%s: %s", proof.Text(), why)
		}
	}
	if n, err := witness.Of(p).Count(ctx, 0); err != nil || n != len(want) {
		complain("%d answers, %v, want %d", n, err, len(want))
	}
	return wrong
}

// sideBySide compares a board of each seed, on all processors, and tells what is wrong.
func sideBySide(t *testing.T, boards uint64, one func(seed uint64, sum *tally) (wrong []string)) (all tally) {
	t.Helper()
	var next atomic.Uint64
	var mu sync.Mutex
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			var own tally
			for seed := next.Add(1) - 1; seed < boards; seed = next.Add(1) - 1 {
				for _, w := range one(seed, &own) {
					t.Errorf("seed %d: %s", seed, w)
				}
			}
			mu.Lock()
			defer mu.Unlock()
			all = tally{all.boards + own.boards, all.solvable + own.solvable, all.reasons + own.reasons}
		})
	}
	workers.Wait()
	t.Logf("%d boards, %d with an answer, %d whys", all.boards, all.solvable, all.reasons)
	return all
}

// falseWhy holds a reason against every line of a panel: none meets the clues that
// it names with all others in place, or on the panel without them where it says
// "alone".
func falseWhy(p *board.Panel, c *witnessproof.Conflict) string {
	named := make(map[image.Point]bool)
	for _, at := range c.Clues {
		named[at] = true
	}
	met := func(d *drawing) bool { return d.meets(named) }
	if strings.Contains(c.Text(), "alone") != c.Alone {
		return fmt.Sprintf("alone is %t", c.Alone)
	}
	if c.Alone {
		p = p.Clone()
		for at := range p.Points() {
			if !named[at] {
				p.At(at).Symbol, p.At(at).Dot = board.Symbol{}, board.Dot{}
			}
		}
		met = (*drawing).right
	}
	if lines := everyLine(p, met); len(lines) > 0 {
		return fmt.Sprintf("%v meets them", lines[0])
	}
	return ""
}

// Tiny boards of everything: the solver says what a brute force says. Some
// seconds' worth; as often where more is asked for (go test -run RandomBoards -v
// -timeout 5h).
func TestRandomBoards(t *testing.T) {
	// Boards that once went wrong: coloured dots beside a shared start, dots of one
	// line where that does not matter, erasers in the order of a flood, ends whose
	// image is none and lies inside the panel, a blue piece that has nothing to eat
	// and lets a piece lie across a loose line.
	for _, once := range []struct {
		seed  uint64
		rules board.RuleSet
	}{
		{3072, board.WitnessPuzzles}, {14990, board.WitnessPuzzles}, {23288, board.WitnessPuzzles}, {53168, board.WitnessPuzzles},
		{1278, board.WitnessPuzzles}, {21830, board.Game}, {35273, board.Game}, {93270, board.Game},
		{20910, board.WitnessPuzzles}, {74168, board.WitnessPuzzles}, {86823, board.WitnessPuzzles}, {146764, board.WitnessPuzzles},
		{160633, board.WitnessPuzzles}, {194227, board.WitnessPuzzles}, {24577, board.WitnessPuzzles},
	} {
		for _, w := range compare(t.Context(), tinyPanel(rand.New(rand.NewPCG(once.seed, 48)), once.rules), &tally{}) {
			t.Errorf("seed %d: %s", once.seed, w)
		}
	}
	for _, rules := range board.RuleSets() {
		t.Run(rules.Name, func(t *testing.T) {
			all := sideBySide(t, 1500*uint64(solvetest.More()), func(seed uint64, sum *tally) []string {
				return compare(t.Context(), tinyPanel(rand.New(rand.NewPCG(seed, 48)), rules), sum)
			})
			if all.solvable < all.boards/10 || all.solvable > all.boards*9/10 {
				t.Errorf("%d of %d boards have an answer: the sample decides little", all.solvable, all.boards)
			}
		})
	}
}
