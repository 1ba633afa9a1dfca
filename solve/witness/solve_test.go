package witness

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math/rand/v2"
	"testing"

	"onlooker/solve"
)

// anyPanel is a small random panel with anything on it, also what nobody would
// deal: most of these have few answers or none.
func anyPanel(rng *rand.Rand) *Panel {
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
	p := New(cols, rows, pillar)
	if rng.IntN(3) == 0 {
		for {
			p.Symmetry = Symmetry(1 + rng.IntN(5))
			if checkSize(cols, rows, pillar, p.Symmetry) == nil {
				break
			}
		}
	}
	p.Rules = RuleSets()[rng.IntN(3)]
	if rng.IntN(3) == 0 {
		for _, o := range RuleOptions() {
			if rng.IntN(4) == 0 {
				p.Rules = o.With(p.Rules, rng.IntN(2) == 0)
			}
		}
	}
	w, h := p.Width(), p.Height()
	pick := func() image.Point { // a node, or seldom the middle of an edge
		for {
			at := image.Pt(rng.IntN(w), rng.IntN(h))
			if IsNode(at) || IsEdge(at) && rng.IntN(12) == 0 {
				return at
			}
		}
	}
	both := func(at image.Point, f func(*Spot)) {
		f(p.At(at))
		if q, ok := p.Image(at); ok && rng.IntN(30) > 0 {
			f(p.At(q))
		}
	}
	for range 1 + rng.IntN(2) {
		both(pick(), func(s *Spot) { s.Start = true })
	}
	for range 1 + rng.IntN(3) {
		both(pick(), func(s *Spot) { s.Cap = image.Pt(0, 1-2*rng.IntN(2)) })
	}
	gaps, dots := rng.IntN(5), rng.IntN(4)
	missing := rng.IntN(4) == 0
	for at := range p.Points() {
		if IsCell(at) {
			continue
		}
		s := p.At(at)
		if IsEdge(at) && rng.IntN(20) < gaps {
			s.Gap = Broken
			if missing {
				s.Gap = Missing
			}
		}
		if IsNode(at) && missing && rng.IntN(12) == 0 {
			s.Gap = Missing
		}
		if rng.IntN(30) < dots {
			s.Dot = Dot{On: true, Line: Line(rng.IntN(3))}
			if rng.IntN(2) == 0 {
				s.Dot.Line = AnyLine
			}
		}
	}
	shapes := [][]image.Point{{{}}, {{}, {X: 1}}, {{}, {Y: 1}}, {{}, {X: 1}, {Y: 1}}, {{}, {X: 2}}, {{X: 1}, {Y: 1}}, {{}, {X: 1}, {Y: 1}, {X: 1, Y: 1}}, {{}, {X: 1}, {X: 2}}, {{}, {X: 1}, {X: 1, Y: 1}}}
	colours := []Colour{White, Black, Red}[:1+rng.IntN(3)]
	full := 1 + rng.IntN(7)
	mix := rng.Perm(6)[:1+rng.IntN(4)]
	for at := range p.Points() {
		if !IsCell(at) || rng.IntN(8) >= full {
			continue
		}
		s := Symbol{Kind: []Kind{Square, Star, Triangle, Polyomino, Negative, Eraser}[mix[rng.IntN(len(mix))]]}
		if s.Kind == Eraser && rng.IntN(3) == 0 {
			continue
		}
		s.Colour = colours[rng.IntN(len(colours))]
		switch s.Kind {
		case Triangle:
			s.Count = 1 + rng.IntN(3)
			if rng.IntN(20) == 0 {
				s.Count = 4
			}
		case Polyomino, Negative:
			s.Shape = normalShape(shapes[rng.IntN(len(shapes))])
			if rng.IntN(2) == 0 {
				s.Shape = normalShape(shapes[0])
			}
			s.Turnable = rng.IntN(3) == 0
		}
		if s.Kind != Square && s.Kind != Star && rng.IntN(3) == 0 {
			s.Colour = ""
		}
		p.At(at).Symbol = s
	}
	return p
}

func text(p *Panel) string {
	b, err := p.MarshalText()
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// sameAnswers compares the solver's answers with brute force's.
func sameAnswers(t *testing.T, p *Panel) int {
	t.Helper()
	want := map[string]bool{}
	for a := range bruteForce(p) {
		want[p.lineKey(a)] = true
	}
	got := map[string]bool{}
	for a, err := range p.All(context.Background()) {
		if err != nil {
			t.Fatalf("%v\n%s", err, text(p))
		}
		k := p.lineKey(a)
		if got[k] {
			t.Fatalf("%s twice, of\n%s", k, text(p))
		}
		if got[k] = true; !want[k] {
			t.Fatalf("%s is no answer of\n%s", k, text(p))
		}
	}
	for k := range want {
		if !got[k] {
			t.Fatalf("%d answers, %d found; missed %s, of\n%s", len(want), len(got), k, text(p))
		}
	}
	a, err := p.Solve(context.Background())
	if len(want) == 0 && !errors.Is(err, solve.ErrUnsolvable) || len(want) > 0 && (err != nil || p.Check(t.Context(), a) != nil) {
		t.Fatalf("%d answers, but Solve says %v, %v, of\n%s", len(want), a, err, text(p))
	}
	return len(want)
}

// lineKey names an answer, the same whichever way it is written on a pillar.
func (p *Panel) lineKey(a solve.Solution) string {
	line := []image.Point{p.Wrap(a[0][0])}
	for i, q := range a[0][1:] {
		line = append(line, q.Sub(a[0][i])) // two edges may join the same nodes round a pillar
	}
	return fmt.Sprint(line)
}

func TestAgainstBruteForce(t *testing.T) {
	rounds := 6000
	if testing.Short() {
		rounds = 600
	}
	solvable, single := 0, 0
	for seed := range uint64(rounds) {
		p := anyPanel(rand.New(rand.NewPCG(seed, 7)))
		if p.Valid() != nil {
			t.Fatalf("seed %d: %v", seed, p.Valid())
		}
		switch n := sameAnswers(t, p); {
		case n == 1:
			single++
			fallthrough
		case n > 0:
			solvable++
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Logf("%d panels, %d solvable, %d of them in one way", rounds, solvable, single)
	if solvable < rounds/10 || solvable > rounds*9/10 {
		t.Errorf("%d of %d panels are solvable: the sample decides little", solvable, rounds)
	}
}

// Two lines may begin at a start that is its own image, where the rule set says so.
func TestSharedStarts(t *testing.T) {
	for _, row := range []struct {
		why, panel string
		want       int
	}{
		{"the middle of a turned panel", "panel 2x2 symmetry=rotation rules=witnesspuzzles\n+-+->\n| | |\n+-@-+\n| | |\n<-+-+\n", 8},
		{"not by the game's rules", "panel 2x2 symmetry=rotation rules=game\n+-+->\n| | |\n+-@-+\n| | |\n<-+-+\n", 0},
		{"on the axis of a mirror, which the line does not follow", "panel 2x1 symmetry=mirror rules=witnesspuzzles\n<-+->\n| | |\n+-@-+\n", 2},
		{"the middle of an edge across the axis", "panel 1x2 symmetry=mirror rules=witnesspuzzles\n<->\n| |\n+-+\n| |\n+@+\n", 2},
		{"the middle of an edge, inside", "panel 1x2 symmetry=mirror rules=witnesspuzzles\n<->\n|a|\n+@+\n|b|\n+-+\na = white square\nb = white square\n", 2},
		{"the same, where squares must be parted", "panel 1x2 symmetry=mirror rules=witnesspuzzles\n<->\n|a|\n+@+\n|b|\n+-+\na = white square\nb = black square\n", 0},
		{"nothing of it comes by later", "panel 2x2 symmetry=rotation rules=witnesspuzzles\n@-+->\n| | |\n+-@-+\n| | |\n<-+-@\n", 12},
		{"a dot on it is covered", "panel 2x2 symmetry=rotation rules=witnesspuzzles\n+-+->\n| | |\n+-a-+\n| | |\n<-+-+\na = start, dot\n", 8},
		{"a dot of one line on it is not", "panel 2x2 symmetry=rotation rules=witnesspuzzles\n+-+->\n| | |\n+-a-+\n| | |\n<-+-+\na = start, own dot\n", 0},
		{"the way that a dot of one line leaves", "panel 2x2 symmetry=rotation rules=witnesspuzzles\n+-+->\n| | |\n+-@-a\n| | |\n<-+-+\na = own dot\n", 3},
		{"starts all along the axis", "panel 2x2 symmetry=mirror rules=witnesspuzzles\n<-@->\n| @ |\n+-@-+\n| @ |\n+-@-+\n", 6},
		{"an end too: both lines stop where they begin", "panel 1x2 symmetry=mirror rules=witnesspuzzles\n+a+\n| |\n+-+\n| |\n+-+\na = start, end up\n", 1},
		{"round a pillar", "pillar 4x1 symmetry=mirror rules=witnesspuzzles\n+-+-@-+-\n| | | | \n^-+-+-+-\n", 0},
	} {
		if got := sameAnswers(t, mustParse(t, row.panel)); got != row.want {
			t.Errorf("%s: %d answers, want %d", row.why, got, row.want)
		}
	}
}

// An ending is a context that ends when it has been asked a number of times.
type ending struct {
	context.Context
	left  int
	at    func() // called when it ends
	after int    // how often it was asked again
}

func (e *ending) Err() error {
	if e.left--; e.left > 0 {
		return nil
	}
	if e.left == 0 {
		e.at()
	} else {
		e.after++
	}
	return context.Canceled
}

// A search ends when its context does, also while regions with blue pieces are
// judged.
func TestCancel(t *testing.T) {
	panel, err := Parse([]byte(`panel 9x5 rules=windmill
^-+-+-+-+-+-+-+-+-+
| | | | | | | | | |
+-+-+-+-+-+-+-+-+-+
|a| |a| |a| | | | |
+-+-+-+-+-+-+-+-+-+
| | | | | | | | | |
+-+-+-+-+-+-+-+-+-+
|b|b|b| | | | | |a|
+-+-+-+-+-+-+-+-+-+
| | | | | | | | | |
@-+-+-+-+-+-+-+-+-+
a = yellow piece ###/###/###
b = negative piece #
`))
	if err != nil {
		t.Fatal(err)
	}
	ended := 0
	for last := 10; last <= 1000; last *= 2 {
		steps := 0
		var q *search
		ctx := &ending{Context: t.Context(), left: last}
		ctx.at = func() { steps = q.m.tiles.steps }
		if q, err = panel.newSearch(ctx); err != nil {
			t.Fatal(err)
		}
		if _, err = q.each(ctx, func() bool { return true }); err == nil {
			break // it was through before
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("ended after it was asked %d times: %v, want %v", last, err, context.Canceled)
		}
		ended++
		// One region after the other says so at once, and the search itself
		// asks again after at most 16 steps.
		if more := q.m.tiles.steps - steps; more > tickSteps || ctx.after > 50 {
			t.Errorf("ended after it was asked %d times: %d more steps and %d more questions, want at most %d and 50", last, more, ctx.after, tickSteps)
		}
	}
	if ended < 5 {
		t.Errorf("the search was ended %d times, want 5 or more: the panel is too easy", ended)
	}
}

// On a pillar of two columns the cells of a row meet on both hands: a line on one
// of them bars a piece there, and none on the other.
func TestPieceOnTwoColumns(t *testing.T) {
	p := mustParse(t, "pillar 2x3 rules=witnesspuzzles\n@-+-\n| |b\n+-^-\n|c|d\n+-v-\n| |b\n+-+-\nb = black piece #\nc = colourless piece #\nd = turned colourless piece ##/#.\n")
	if n := sameAnswers(t, p); n == 0 {
		t.Errorf("no answer to\n%s", p)
	}
}
