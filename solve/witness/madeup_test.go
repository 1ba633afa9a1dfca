package witness

import (
	"bytes"
	"context"
	"errors"
	"image"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"onlooker/solve"
)

// Two symbols that nobody has. All that makes them symbols stands here: what
// follows types them, solves, counts, checks, converts and generates them with
// what there is for all others.

// A lantern's region has an odd number of cells.
type lantern struct{ plainKind }

func (lantern) about() about {
	return about{
		name: "lantern", called: "a lantern", shape: "lantern",
		rule:    solve.Rule{Name: "lantern", Doc: "A lantern's region has an odd number of cells."},
		broken:  "an even number of cells",
		implied: Red, windmill: 12, site: "lantern",
	}
}

func (lantern) wrong(v *view, own []image.Point) []image.Point {
	if len(v.cells)%2 == 0 {
		return own
	}
	return nil
}

func (lantern) bad(t *tally, _ *heap) bool {
	n := 0
	for _, c := range t.pl.cells {
		if int(c) < t.m.l.real {
			n++
		}
	}
	return n%2 == 0
}

// A gate's cell has two sides covered that lie opposite, or with two gates two
// that meet.
type gate struct{ plainKind }

func (gate) about() about {
	return about{
		name: "gate", called: "a gate", shape: "gate",
		rule:   solve.Rule{Name: "gate", Doc: "A gate has the line on two opposite sides of its cell; two gates, on two that meet."},
		broken: "the line passes otherwise",
		most:   2, alone: true, windmill: 13, site: "gate",
	}
}

func (gate) wrong(v *view, own []image.Point) []image.Point {
	return slices.DeleteFunc(slices.Clone(own), func(at image.Point) bool {
		left, right := v.line.covered(at.Sub(image.Pt(1, 0))), v.line.covered(at.Add(image.Pt(1, 0)))
		up, down := v.line.covered(at.Sub(image.Pt(0, 1))), v.line.covered(at.Add(image.Pt(0, 1)))
		if v.line.p.At(at).Count == 1 {
			return left == right && up == down && left != up
		}
		return left != right && up != down
	})
}

func (gate) met(s *Symbol, on [4]bool) bool {
	two := on[0] == on[2] && on[1] == on[3] && on[0] != on[1]
	if s.Count == 2 {
		two = on[0] != on[2] && on[1] != on[3]
	}
	return two
}

func madeUp() []Kind { return []Kind{{lantern{}}, {gate{}}} }

// decode reads the one board that a format of a family makes of a text.
func decode(t *testing.T, f solve.Format, text []byte) *Panel {
	t.Helper()
	var found *Panel
	for p, err := range f.Decode(bytes.NewReader(text)) {
		if err != nil || found != nil {
			t.Fatalf("%s: %v, a second board: %t, from\n%s", f.Name, err, found != nil, text)
		}
		found = p.(*Panel)
	}
	return found
}

func TestMadeUpSymbols(t *testing.T) {
	family := NewFamily(append(Kinds(), madeUp()...))
	const board = "panel 3x2\n+-+-+->\n|a| |b|\n+-+-+-+\n|c| |a|\n@-+-+-+\na = red lantern\nb = 1 colourless gate\nc = white square\n"
	p := decode(t, family.Formats[0], []byte(board))
	if got := text(p); got != board {
		t.Errorf("typed as\n%s\nand comes back as\n%s", board, got)
	}
	short := decode(t, family.Formats[0], []byte(strings.Replace(board, "red lantern", "lantern", 1)))
	if got := text(short); got != board {
		t.Errorf("without its colour it is\n%s", got)
	}
	if _, err := Parse([]byte(board)); err == nil || !strings.Contains(err.Error(), "lantern") {
		t.Errorf("where nobody knows a lantern: %v, want an error that names it", err)
	}
	if n := sameAnswers(t, p); n == 0 {
		t.Errorf("no answer to\n%s", board)
	} else if got, err := p.Count(t.Context(), 0); got != n || err != nil {
		t.Errorf("%d answers, counted %d, %v", n, got, err)
	}
	for _, f := range family.Formats {
		var b bytes.Buffer
		if err := f.Encode(&b, p); err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		q := decode(t, f, b.Bytes())
		for at := range p.Points() {
			if a, b := p.At(at).Symbol.Kind, q.At(at).Symbol.Kind; a != b {
				t.Errorf("%s: at %v a %s comes back as a %s", f.Name, at, a, b)
			}
		}
	}
	for _, k := range madeUp() {
		if !slices.Contains(family.Rules, k.about().rule) {
			t.Errorf("the family has no rule %q", k.about().rule.Name)
		}
		if k.ShapeName() != k.String() {
			t.Errorf("a %s is drawn as %q", k, k.ShapeName())
		}
	}
}

// madeUpPanel is a small panel of everything, with some symbols made up.
func madeUpPanel(rng *rand.Rand) *Panel {
	p := anyPanel(rng)
	for at := range p.Points() {
		if s := p.At(at); IsCell(at) && !s.Kind.OnLine() && rng.IntN(4) == 0 {
			s.Symbol = madeUp()[rng.IntN(2)].sample(rng)
			s.Colour = []Colour{White, Red, ""}[rng.IntN(3)]
		}
	}
	return p
}

// Every answer is found and none is made up, whatever stands beside them and
// under every rule set; the second solver counts as many; a proof that there is
// none names what it must.
func TestMadeUpSymbolsAgainstBruteForce(t *testing.T) {
	most := rounds(1500, 150)
	solvable, proofs := 0, 0
	for seed := range most {
		p := madeUpPanel(rand.New(rand.NewPCG(seed, 19)))
		n := sameAnswers(t, p)
		if n > 0 {
			solvable++
		}
		if seed%10 == 0 && n < 40 {
			if got, err := p.newCross().count(context.Background()); got != n || err != nil {
				t.Fatalf("seed %d: %d answers, the second solver says %d, %v\n%s", seed, n, got, err, text(p))
			}
		}
		if n > 0 || seed%5 > 0 {
			continue
		}
		proof, err := p.Why(t.Context())
		if err == nil {
			err = p.CheckProof(context.Background(), proof)
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text(p))
		}
		proofs++
	}
	t.Logf("%d panels, %d solvable, %d proofs", most, solvable, proofs)
	if solvable < int(most)/20 || proofs < int(most)/20 {
		t.Errorf("%d of %d panels are solvable, %d proofs: the sample decides little", solvable, most, proofs)
	}
}

// Check names the made-up rule that is broken.
func TestMadeUpRulesBroken(t *testing.T) {
	for _, k := range madeUp() {
		p := New(2, 1, false)
		p.At(image.Pt(0, 2)).Start = true
		p.At(image.Pt(4, 0)).Cap = image.Pt(1, 0)
		p.At(image.Pt(1, 1)).Symbol = Symbol{Kind: k, Count: 1}
		err := p.Check(t.Context(), solve.Solution{stroke(t, "0,2 0,0 2,0 4,0 5,0")})
		var broken *solve.RuleError
		if !errors.As(err, &broken) || broken.Rule != k.String() || broken.At != image.Pt(1, 1) {
			t.Errorf("%v, want rule %s broken at (1,1)\n%s", err, k, p)
		}
	}
}

// The family's generator deals them, with an answer.
func TestMadeUpSymbolsGenerated(t *testing.T) {
	family := NewFamily(append(Kinds(), madeUp()...))
	dealt := map[Kind]int{}
	for seed := range uint64(120) {
		p := family.Generate(rand.New(rand.NewPCG(seed, 20)), 4, 3).(*Panel)
		for _, k := range madeUp() {
			if slices.ContainsFunc(p.Spots, func(s Spot) bool { return s.Kind == k }) {
				dealt[k]++
			}
		}
		a, err := p.Solve(t.Context())
		if err == nil {
			err = p.Check(t.Context(), a)
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text(p))
		}
		if q := decode(t, family.Formats[0], []byte(text(p))); text(q) != text(p) {
			t.Fatalf("seed %d: comes back as\n%s\nfrom\n%s", seed, text(q), text(p))
		}
	}
	for _, k := range madeUp() {
		if dealt[k] < 5 {
			t.Errorf("%d of 120 panels have a %s, want 5 or more", dealt[k], k)
		}
	}
}

// A kind under another name is another kind with the same rules.
func TestKindAs(t *testing.T) {
	p := mustParse(t, "panel 3x2\n+-+-+->\n|a| |b|\n+-+-+-+\n|b| |a|\n@-+-+-+\na = white square\nb = black square\n")
	want := bruteCount(p, 0)
	tile := Square.As("tile", "diamond")
	for at := range p.Points() {
		if p.At(at).Kind == Square {
			p.At(at).Kind = tile
		}
	}
	if got := sameAnswers(t, p); got != want || want == 0 {
		t.Errorf("%d answers with tiles, %d with squares", got, want)
	}
	if tile.String() != "tile" || tile.ShapeName() != "diamond" || tile == Square {
		t.Errorf("%s drawn as %s", tile, tile.ShapeName())
	}
}
