package witness_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"onlooker/solve"
	"onlooker/solve/witness"
)

// tinyPanel is a random panel of at most six cells that may hold everything:
// every symbol, missing and broken edges, missing nodes, starts and ends
// anywhere, every symmetry, pillars, and seldom options that differ from the
// rule set's.
func tinyPanel(rng *rand.Rand, rules witness.RuleSet) *witness.Panel {
	sizes := [][2]int{{1, 1}, {1, 2}, {2, 1}, {1, 3}, {3, 1}, {2, 2}, {2, 2}, {2, 3}, {3, 2}, {4, 1}}
	size := sizes[rng.IntN(len(sizes))]
	pillar := size[0] > 1 && rng.IntN(6) == 0
	p := witness.New(size[0], size[1], pillar)
	p.Rules = rules
	if rng.IntN(4) == 0 {
		for _, o := range witness.RuleOptions() {
			if rng.IntN(5) == 0 {
				p.Rules = o.With(p.Rules, rng.IntN(2) == 0)
			}
		}
	}
	if rng.IntN(4) == 0 {
		p.Symmetry = witness.Symmetry(1 + rng.IntN(5))
		if p.Valid() != nil { // not on a panel of this size
			p.Symmetry = witness.NoSymmetry
		}
	}
	spot := func(middles int) *witness.Spot {
		for {
			at := image.Pt(rng.IntN(p.Width()), rng.IntN(p.Height()))
			if witness.IsNode(at) || witness.IsEdge(at) && rng.IntN(middles) == 0 {
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
		case witness.IsEdge(at) && rng.IntN(20) < gaps:
			s.Gap = witness.Broken
			if missing && rng.IntN(4) > 0 {
				s.Gap = witness.Missing
			}
		case witness.IsNode(at) && missing && rng.IntN(25) == 0:
			s.Gap = witness.Missing
		}
		if !witness.IsCell(at) && rng.IntN(30) == 0 {
			s.Dot = witness.Dot{On: true, Line: witness.Line(rng.IntN(3))}
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
		if q, ok := p.Image(at); ok && !witness.IsCell(at) && rng.IntN(10) > 0 {
			s, t := p.At(at), p.At(q)
			t.Start = t.Start || s.Start
			if isEnd(p, at) && !isEnd(p, q) {
				t.Cap = s.Cap
			}
		}
	}
	full := 1 + rng.IntN(4)
	for at := range p.Points() {
		if witness.IsCell(at) && rng.IntN(5) < full {
			p.At(at).Symbol = tinySymbol(rng)
		}
	}
	return p
}

func tinySymbol(rng *rand.Rand) witness.Symbol {
	s := witness.Symbol{Colour: []witness.Colour{witness.White, witness.Black}[rng.IntN(2)]}
	switch rng.IntN(9) {
	case 0, 1:
		s.Kind = witness.Square
	case 2:
		s.Kind = witness.Star
	case 3:
		s.Kind, s.Count = witness.Triangle, 1+rng.IntN(3)
	case 4, 5:
		s.Kind = witness.Polyomino
	case 6:
		s.Kind = witness.Negative
	default:
		s.Kind = witness.Eraser
	}
	if s.Kind.IsPiece() {
		shapes := []string{"#", "##", "#/#", "##/##", "###", "#/#/#", "##/#.", "##/.#", "#./##", ".#/#."}
		s.Shape, _ = witness.ParseShape(shapes[min(rng.IntN(len(shapes)), rng.IntN(len(shapes)))])
		s.Turnable = rng.IntN(3) == 0
	}
	return s
}

// A tally is how a run of boards compared.
type tally struct {
	boards, solvable, reasons      int
	status, counts, internal, whys int // that were wrong
}

// compare holds the solver's status, answer and count of a panel against the
// brute force's; what differs is returned as words.
func compare(ctx context.Context, p *witness.Panel, sum *tally) (wrong []string) {
	want := everyAnswer(p)
	sum.boards++
	if len(want) > 0 {
		sum.solvable++
	}
	complain := func(n *int, format string, args ...any) {
		*n++
		wrong = append(wrong, fmt.Sprintf(format, args...))
	}
	answer, err := p.Solve(ctx)
	switch {
	case errors.Is(err, solve.ErrUnsolvable):
		if len(want) > 0 {
			complain(&sum.status, "no solution, but %v is one", want[0])
		}
	case err != nil:
		complain(&sum.internal, "%v", err)
	case len(want) == 0:
		complain(&sum.status, "solved by %v, and no line is right", answer)
	}
	if len(want) == 0 && errors.Is(err, solve.ErrUnsolvable) {
		sum.reasons++
		proof, err := p.Why(ctx)
		if err != nil {
			complain(&sum.internal, "why: %v", err)
		} else if why := falseWhy(p, proof.(*witness.Conflict)); why != "" {
			complain(&sum.whys, "%s: %s", proof.Text(), why)
		}
	}
	n, err := p.Count(ctx, 0)
	if err != nil {
		complain(&sum.internal, "count: %v", err)
	} else if n != len(want) {
		complain(&sum.counts, "%d answers, want %d", n, len(want))
	}
	return wrong
}

// falseWhy holds a reason against every line of a panel: none meets the clues that
// it names with all others in place, or on the panel without them where it says
// "alone".
func falseWhy(p *witness.Panel, c *witness.Conflict) string {
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
				p.At(at).Symbol, p.At(at).Dot = witness.Symbol{}, witness.Dot{}
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
// seconds' worth; ONLOOKER_RANDOM=200000 compares so many boards under each rule
// set, from the seed ONLOOKER_RANDOM_FIRST on (go test -run RandomBoards -v
// -timeout 5h).
func TestRandomBoards(t *testing.T) {
	boards, first := 1500, uint64(0)
	if text := os.Getenv("ONLOOKER_RANDOM"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("ONLOOKER_RANDOM: %v", err)
		}
		boards = n
	}
	if text := os.Getenv("ONLOOKER_RANDOM_FIRST"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("ONLOOKER_RANDOM_FIRST: %v", err)
		}
		first = n
	}
	// Boards that once went wrong: coloured dots beside a shared start, dots of one
	// line where that does not matter, erasers in the order of a flood, ends whose
	// image is none and lies inside the panel, a blue piece that has nothing to eat
	// and lets a piece lie across a loose line.
	for _, once := range []struct {
		seed  uint64
		rules witness.RuleSet
	}{
		{3072, witness.WitnessPuzzles}, {14990, witness.WitnessPuzzles}, {23288, witness.WitnessPuzzles}, {53168, witness.WitnessPuzzles},
		{1278, witness.WitnessPuzzles}, {21830, witness.Game}, {35273, witness.Game}, {93270, witness.Game},
		{20910, witness.WitnessPuzzles}, {74168, witness.WitnessPuzzles}, {86823, witness.WitnessPuzzles}, {146764, witness.WitnessPuzzles},
		{160633, witness.WitnessPuzzles}, {194227, witness.WitnessPuzzles}, {24577, witness.WitnessPuzzles},
	} {
		seed := once.seed
		p := tinyPanel(rand.New(rand.NewPCG(seed, 48)), once.rules)
		for _, w := range compare(t.Context(), p, &tally{}) {
			text, _ := p.MarshalText()
			t.Errorf("seed %d: %s\n%s", seed, w, text)
		}
	}
	for _, rules := range witness.RuleSets() {
		t.Run(rules.Name, func(t *testing.T) {
			start := time.Now()
			var mu sync.Mutex
			var all tally
			var workers sync.WaitGroup
			next := 0
			for range runtime.GOMAXPROCS(0) {
				workers.Go(func() {
					for {
						mu.Lock()
						i := next
						next++
						mu.Unlock()
						if i >= boards {
							return
						}
						seed := first + uint64(i)
						p := tinyPanel(rand.New(rand.NewPCG(seed, 48)), rules)
						var one tally
						wrong := compare(t.Context(), p, &one)
						mu.Lock()
						all.boards += one.boards
						all.solvable += one.solvable
						all.reasons += one.reasons
						all.status += one.status
						all.counts += one.counts
						all.internal += one.internal
						all.whys += one.whys
						mu.Unlock()
						for _, w := range wrong {
							text, _ := p.MarshalText()
							t.Errorf("seed %d: %s\n%s", seed, w, text)
						}
					}
				})
			}
			workers.Wait()
			t.Logf("%s: %d boards, %d with an answer: %d wrong statuses, %d wrong counts, %d internal errors, %d of %d whys false, %.0f s",
				rules.Name, all.boards, all.solvable, all.status, all.counts, all.internal, all.whys, all.reasons, time.Since(start).Seconds())
			if all.solvable < all.boards/10 || all.solvable > all.boards*9/10 {
				t.Errorf("%d of %d boards have an answer: the sample decides little", all.solvable, all.boards)
			}
		})
	}
}
