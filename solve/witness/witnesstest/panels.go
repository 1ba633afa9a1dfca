// Package witnesstest has panels for the tests of the rooms: any small ones, mixes of
// any size and those that people made, and the answers that brute force finds.
package witnesstest

import (
	"context"
	"fmt"
	"image"
	rand "math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/deal"
	"onlooker/solve/witness/forms"
	"onlooker/solve/witness/rules"
)

// A Mix is a kind of panel by its symbols, for an n×n panel.
type Mix struct {
	Name string
	Of   func(n int) deal.Options
}

func Mixes() []Mix {
	return []Mix{
		{"maze-and-dots", func(n int) deal.Options { return deal.Options{Dots: n, Cuts: n * n / 2} }},
		{"squares", func(n int) deal.Options { return deal.Options{Squares: n * n / 2} }},
		{"stars", func(n int) deal.Options { return deal.Options{Stars: n * n / 12 * 2} }},
		{"pieces", func(n int) deal.Options { return deal.Options{Pieces: n*n/10 + 1} }},
		{"squares-stars-pieces", func(n int) deal.Options {
			return deal.Options{Squares: n * n / 6, Stars: n / 2 * 2, Pieces: n*n/12 + 1}
		}},
		{"triangles", func(n int) deal.Options { return deal.Options{Triangles: n * n / 3} }},
		{"squares-and-erasers", func(n int) deal.Options { return deal.Options{Squares: n * n / 3, Erasers: 2} }},
		{"blue-pieces", func(n int) deal.Options { return deal.Options{Pieces: n / 2, Negatives: 1} }},
		{"rotation", func(n int) deal.Options {
			return deal.Options{Symmetry: board.Rotation, Dots: n, ColouredDots: true, Squares: n}
		}},
		{"pillar", func(n int) deal.Options {
			return deal.Options{Pillar: true, Symmetry: board.Parallel, Dots: n / 2, Squares: n}
		}},
	}
}

// Shuffled moves a panel's symbols about, or without any its cuts; many such
// panels have no answer.
func Shuffled(p *board.Panel, rng *rand.Rand) *board.Panel {
	p = p.Clone()
	var cells, edges []image.Point
	symbols := 0
	for at := range p.Points() {
		switch s := p.At(at); {
		case board.IsCell(at):
			cells = append(cells, at)
			if s.Kind != board.NoSymbol {
				symbols++
			}
		case board.IsEdge(at) && !s.Dot.On:
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

// Rounds is how many panels a test tries, and fewer where tests are to be short.
func Rounds(all, short uint64) uint64 {
	if testing.Short() {
		return short
	}
	return all
}

// AnyPanel is a small random panel with anything on it, also what nobody would
// deal: most of these have few answers or none.
func AnyPanel(rng *rand.Rand) *board.Panel {
	cols, rows := 1+rng.IntN(3), 1+rng.IntN(3)
	if rng.IntN(12) == 0 {
		cols, rows = 1+rng.IntN(2), 4
	}
	pillar := rng.IntN(5) == 0
	if pillar {
		cols = 2 + rng.IntN(2)*2
		if cols == 4 {
			rows = 1 + rng.IntN(2)
		}
	}
	p := board.New(cols, rows, pillar)
	if rng.IntN(3) == 0 {
		for {
			p.Symmetry = board.Symmetry(1 + rng.IntN(5))
			if board.CheckSize(cols, rows, pillar, p.Symmetry) == nil {
				break
			}
		}
	}
	p.Rules = board.RuleSets()[rng.IntN(3)]
	if rng.IntN(3) == 0 {
		for _, o := range board.RuleOptions() {
			// What concerns no symbol here must not change the panels of a seed.
			if o.Name != "fixed-new" && rng.IntN(4) == 0 {
				p.Rules = o.With(p.Rules, rng.IntN(2) == 0)
			}
		}
	}
	w, h := p.Width(), p.Height()
	pick := func() image.Point { // a node, or seldom the middle of an edge
		for {
			at := image.Pt(rng.IntN(w), rng.IntN(h))
			if board.IsNode(at) || board.IsEdge(at) && rng.IntN(12) == 0 {
				return at
			}
		}
	}
	both := func(at image.Point, f func(*board.Spot)) {
		f(p.At(at))
		if q, ok := p.Image(at); ok && rng.IntN(30) > 0 {
			f(p.At(q))
		}
	}
	for range 1 + rng.IntN(2) {
		both(pick(), func(s *board.Spot) { s.Start = true })
	}
	for range 1 + rng.IntN(3) {
		both(pick(), func(s *board.Spot) { s.Cap = image.Pt(0, 1-2*rng.IntN(2)) })
	}
	gaps, dots := rng.IntN(5), rng.IntN(4)
	missing := rng.IntN(4) == 0
	for at := range p.Points() {
		if board.IsCell(at) {
			continue
		}
		s := p.At(at)
		if board.IsEdge(at) && rng.IntN(20) < gaps {
			s.Gap = board.Broken
			if missing {
				s.Gap = board.Missing
			}
		}
		if board.IsNode(at) && missing && rng.IntN(12) == 0 {
			s.Gap = board.Missing
		}
		if rng.IntN(30) < dots {
			s.Dot = board.Dot{On: true, Line: board.Line(rng.IntN(3))}
			if rng.IntN(2) == 0 {
				s.Dot.Line = board.AnyLine
			}
		}
	}
	shapes := [][]image.Point{{{}}, {{}, {X: 1}}, {{}, {Y: 1}}, {{}, {X: 1}, {Y: 1}}, {{}, {X: 2}}, {{X: 1}, {Y: 1}}, {{}, {X: 1}, {Y: 1}, {X: 1, Y: 1}}, {{}, {X: 1}, {X: 2}}, {{}, {X: 1}, {X: 1, Y: 1}}}
	colours := []board.Colour{board.White, board.Black, board.Red}[:1+rng.IntN(3)]
	full := 1 + rng.IntN(7)
	mix := rng.Perm(6)[:1+rng.IntN(4)]
	for at := range p.Points() {
		if !board.IsCell(at) || rng.IntN(8) >= full {
			continue
		}
		s := board.Symbol{Kind: []board.Kind{board.Square, board.Star, board.Triangle, board.Polyomino, board.Negative, board.Eraser}[mix[rng.IntN(len(mix))]]}
		if s.Kind == board.Eraser && rng.IntN(3) == 0 {
			continue
		}
		s.Colour = colours[rng.IntN(len(colours))]
		switch s.Kind {
		case board.Triangle:
			s.Count = 1 + rng.IntN(3)
			if rng.IntN(20) == 0 {
				s.Count = 4
			}
		case board.Polyomino, board.Negative:
			s.Shape = board.NormalShape(shapes[rng.IntN(len(shapes))])
			if rng.IntN(2) == 0 {
				s.Shape = board.NormalShape(shapes[0])
			}
			s.Turnable = rng.IntN(3) == 0
		}
		if s.Kind != board.Square && s.Kind != board.Star && rng.IntN(3) == 0 {
			s.Colour = ""
		}
		p.At(at).Symbol = s
	}
	return p
}

// BruteForce yields every answer of a panel, by walking every path and asking
// Check. It prunes only what a walk itself cannot do.
func BruteForce(table rules.Table, p *board.Panel) func(yield func(solve.Solution) bool) {
	return func(yield func(solve.Solution) bool) {
		for at := range p.Points() {
			if s := p.At(at); s.Start && s.Gap == board.Whole && !walkOn(table, p, solve.Stroke{at}, map[image.Point]bool{at: true}, yield) {
				return
			}
		}
	}
}

// walkOn goes on with a stroke that has reached a half-cell; x is not wrapped.
func walkOn(table rules.Table, p *board.Panel, stroke solve.Stroke, seen map[image.Point]bool, yield func(solve.Solution) bool) bool {
	at := stroke[len(stroke)-1]
	if s := p.At(at); s.IsEnd() {
		answer := solve.Solution{append(append(solve.Stroke(nil), stroke...), at.Add(s.Cap))}
		if table.Check(context.Background(), p, answer) == nil && !yield(answer) {
			return false
		}
	}
	if board.IsEdge(at) && len(stroke) > 1 {
		return true
	}
	for _, d := range []image.Point{{X: 1}, {Y: 1}, {X: -1}, {Y: -1}} {
		half := at.Add(d)
		spot := p.At(half)
		if spot == nil || board.IsCell(half) || spot.Gap != board.Whole || seen[p.Wrap(half)] {
			continue
		}
		seen[p.Wrap(half)] = true
		if board.IsNode(at) && spot.IsEnd() { // stop on the middle of the edge
			answer := solve.Solution{append(append(solve.Stroke(nil), stroke...), half, half.Add(spot.Cap))}
			if table.Check(context.Background(), p, answer) == nil && !yield(answer) {
				return false
			}
		}
		next := half
		if board.IsNode(at) {
			next = half.Add(d)
		}
		if node := p.At(next); node != nil && node.Gap == board.Whole && (next == half || !seen[p.Wrap(next)]) {
			seen[p.Wrap(next)] = true
			if !walkOn(table, p, append(stroke, next), seen, yield) {
				return false
			}
			delete(seen, p.Wrap(next))
		}
		delete(seen, p.Wrap(half))
	}
	return true
}

// BruteCount counts a panel's answers, up to a limit.
func BruteCount(p *board.Panel, limit int) int {
	n := 0
	for range BruteForce(rules.Rows(), p) {
		if n++; n == limit {
			break
		}
	}
	return n
}

func Parsed(t testing.TB, text string) *board.Panel {
	t.Helper()
	return solvetest.Must(forms.Parse([]byte(text)))(t, text)
}

// Corners is an empty panel whose line leads from its lower left to its upper right.
func Corners(cols, rows int, cap image.Point) *board.Panel {
	p := board.New(cols, rows, false)
	p.At(image.Pt(0, 2*rows)).Start = true
	p.At(image.Pt(2*cols, 0)).Cap = cap
	return p
}

// Clock is the time by which panels are measured and ended: the process's processor
// time, since others may use the machine too, and with ONLOOKER_IDLE=1, which says
// that nobody does, time itself. Solve lets two turns run side by side, so that it
// may take half as much of that.
func Clock() time.Duration {
	if os.Getenv("ONLOOKER_IDLE") != "" {
		return time.Since(started)
	}
	return solvetest.ProcessorTime()
}

var started = time.Now()

// Within is a context that ends when the clock has gone on for so long.
func Within(most time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	until := Clock() + most
	go func() {
		for ctx.Err() == nil && Clock() < until {
			time.Sleep(20 * time.Millisecond)
		}
		cancel()
	}()
	return ctx, cancel
}

// Shared is a file of the folder of material beside the repository, which not
// every machine has.
func Shared(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(solvetest.Shared(name))
	if err != nil {
		t.Skipf("no shared material: %v", err)
	}
	return data
}

// Corpus is the links of both collections, named as verdicts.jsonl names them.
func Corpus(t testing.TB) (names, links []string) {
	for _, c := range []string{"witness", "windmill"} {
		for i, line := range strings.Split(string(Shared(t, "witness/"+c+"_puzzles.txt")), "\n") {
			if line = strings.TrimRight(line, "\r"); line != "" {
				names = append(names, fmt.Sprintf("%s:%d", c, i+1))
				links = append(links, line)
			}
		}
	}
	return names, links
}
