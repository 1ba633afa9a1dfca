package witness

import (
	"bytes"
	"context"
	"errors"
	"image"
	"maps"
	rand "math/rand/v2"
	"slices"
	"strings"
	"testing"

	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/deal"
	"onlooker/solve/witness/forms"
	"onlooker/solve/witness/rules"
	"onlooker/solve/witness/search"
	"onlooker/solve/witness/witnesstest"
)

// standardRooms are those of Kinds.
func standardRooms() Rooms { return Rooms{rules.Rows(), search.Rows(), deal.Rows()} }

// Two symbols that nobody has. All that makes them symbols stands here: what
// follows types them, solves, counts, checks, converts and generates them with
// what there is for all others.

// A lantern's region has an odd number of cells.
var lantern = board.NewKind(board.Facts{
	Name: "lantern", Called: "a lantern", Shape: "lantern",
	Rule:    solve.Rule{Name: "lantern", Doc: "A lantern's region has an odd number of cells."},
	Broken:  "an even number of cells",
	Implied: board.Red, Windmill: 12, Site: "lantern",
})

func wrongLanterns(v *rules.View, own []image.Point) []image.Point {
	if len(v.Cells)%2 == 0 {
		return own
	}
	return nil
}

func badLanterns(t *search.Tally, _ *search.Heap) bool { return t.Cells()%2 == 0 }

// A gate's cell has two sides covered that lie opposite, or with two gates two
// that meet.
var gate = board.NewKind(board.Facts{
	Name: "gate", Called: "a gate", Shape: "gate",
	Rule:   solve.Rule{Name: "gate", Doc: "A gate has the line on two opposite sides of its cell; two gates, on two that meet."},
	Broken: "the line passes otherwise",
	Most:   2, Alone: true, Windmill: 13, Site: "gate",
})

func wrongGates(v *rules.View, own []image.Point) []image.Point {
	return slices.DeleteFunc(slices.Clone(own), func(at image.Point) bool {
		left, right := v.Line.Covered(at.Sub(image.Pt(1, 0))), v.Line.Covered(at.Add(image.Pt(1, 0)))
		up, down := v.Line.Covered(at.Sub(image.Pt(0, 1))), v.Line.Covered(at.Add(image.Pt(0, 1)))
		if v.Line.Panel.At(at).Count == 1 {
			return left == right && up == down && left != up
		}
		return left != right && up != down
	})
}

func gateMet(s *board.Symbol, on [4]bool) bool {
	two := on[0] == on[2] && on[1] == on[3] && on[0] != on[1]
	if s.Count == 2 {
		two = on[0] != on[2] && on[1] != on[3]
	}
	return two
}

func madeUp() []board.Kind { return []board.Kind{lantern, gate} }

// madeUpRooms have the rows of the two.
func madeUpRooms() *Rooms {
	r := standardRooms()
	r.Rules, r.Search, r.Deal = maps.Clone(r.Rules), maps.Clone(r.Search), maps.Clone(r.Deal)
	r.Rules[lantern], r.Search[lantern], r.Deal[lantern] = wrongLanterns, search.Row{Bad: badLanterns}, deal.Row{}
	r.Rules[gate], r.Search[gate], r.Deal[gate] = wrongGates, search.Row{Met: gateMet}, deal.Row{}
	return &r
}

// Every symbol has its row in each room: a kind without one is not dealt, solved
// or checked.
func TestEveryKindHasItsRows(t *testing.T) {
	for _, k := range append(board.Kinds(), madeUp()...) {
		if k.By() != nil {
			continue // its row is made of its columns
		}
		rooms := standardRooms()
		if slices.Contains(madeUp(), k) {
			rooms = *madeUpRooms()
		}
		if _, ok := rooms.Rules[k]; !ok {
			t.Errorf("no rule for %s, want a row in package rules", k.Called())
		}
		row, ok := rooms.Search[k]
		if !ok {
			t.Errorf("no row for %s in package search", k.Called())
		}
		if a := k.About(); ok && a.Alone && !a.OnLine && row.Met == nil {
			t.Errorf("the row for %s in package search does not say when it is met", k.Called())
		}
		if _, ok := rooms.Deal[k]; !ok {
			t.Errorf("no row for %s in package deal", k.Called())
		}
	}
}

// A symbol without a row is neither right nor without an answer.
func TestKindWithoutRows(t *testing.T) {
	p := witnesstest.Corners(1, 1, image.Pt(1, 0))
	p.At(image.Pt(1, 1)).Symbol = board.Symbol{Kind: lantern}
	if a, err := Of(p).Solve(t.Context()); !errors.Is(err, solve.ErrNotSupported) || !strings.Contains(err.Error(), "a lantern") {
		t.Errorf("solved: %v, %v, want an error that names a lantern", a, err)
	}
	err := Of(p).Check(t.Context(), solve.Solution{stroke(t, "0,2 0,0 2,0 3,0")})
	if err == nil || !strings.Contains(err.Error(), "a lantern") {
		t.Errorf("checked: %v, want an error that names a lantern", err)
	}
	if _, err := (Puzzle{p, madeUpRooms()}).Solve(t.Context()); err != nil {
		t.Errorf("with its rows: %v", err)
	}
}

// decode reads the one board that a format of a family makes of a text.
func decode(t *testing.T, f solve.Format, text []byte) *board.Panel {
	t.Helper()
	var found *board.Panel
	for p, err := range f.Decode(bytes.NewReader(text)) {
		if err != nil || found != nil {
			t.Fatalf("%s: %v, a second board: %t, from\n%s", f.Name, err, found != nil, text)
		}
		found = p.(Puzzle).Panel
	}
	return found
}

func TestMadeUpSymbols(t *testing.T) {
	family := NewFamily(append(board.Kinds(), madeUp()...), madeUpRooms())
	const board = "panel 3x2\n+-+-+->\n|a| |b|\n+-+-+-+\n|c| |a|\n@-+-+-+\na = red lantern\nb = 1 colourless gate\nc = white square\n"
	p := decode(t, family.Formats[0], []byte(board))
	solvetest.Same(t, forms.String(p), board, "typed, it comes back")
	short := decode(t, family.Formats[0], []byte(strings.Replace(board, "red lantern", "lantern", 1)))
	solvetest.Same(t, forms.String(short), board, "without its colour")
	if _, err := forms.Parse([]byte(board)); err == nil || !strings.Contains(err.Error(), "lantern") {
		t.Errorf("where nobody knows a lantern: %v, want an error that names it", err)
	}
	q := Puzzle{p, madeUpRooms()}
	if n := bruteAnswers(t, q); n == 0 {
		t.Errorf("no answer to\n%s", board)
	} else if got, err := q.Count(t.Context(), 0); got != n || err != nil {
		t.Errorf("%d answers, counted %d, %v", n, got, err)
	}
	for _, f := range family.Formats {
		var b bytes.Buffer
		if err := f.Encode(&b, q); err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		again := decode(t, f, b.Bytes())
		for at := range p.Points() {
			if a, b := p.At(at).Symbol.Kind, again.At(at).Symbol.Kind; a != b {
				t.Errorf("%s: at %v a %s comes back as a %s", f.Name, at, a, b)
			}
		}
	}
	for _, k := range madeUp() {
		if !slices.Contains(family.Rules, k.About().Rule) {
			t.Errorf("the family has no rule %q", k.About().Rule.Name)
		}
		solvetest.Same(t, k.ShapeName(), k.String(), "a %s is drawn as", k)
	}
}

// madeUpPanel is a small panel of everything, with some symbols made up.
func madeUpPanel(rng *rand.Rand) *board.Panel {
	p := witnesstest.AnyPanel(rng)
	for at := range p.Points() {
		if s := p.At(at); board.IsCell(at) && !s.Kind.OnLine() && rng.IntN(4) == 0 {
			s.Symbol = madeUp()[rng.IntN(2)].Sample(rng)
			s.Colour = []board.Colour{board.White, board.Red, ""}[rng.IntN(3)]
		}
	}
	return p
}

// Every answer is found and none is made up, whatever stands beside them and
// under every rule set; the second solver counts as many; a proof that there is
// none names what it must.
func TestMadeUpSymbolsAgainstBruteForce(t *testing.T) {
	most := witnesstest.Rounds(1500, 150)
	solvable, proofs := 0, 0
	for seed := range most {
		p := madeUpPanel(rand.New(rand.NewPCG(seed, 19)))
		q := Puzzle{p, madeUpRooms()}
		n := bruteAnswers(t, q)
		if n > 0 {
			solvable++
		}
		if seed%10 == 0 && n < 40 {
			if got, err := madeUpRooms().prover().Count(context.Background(), p); got != n || err != nil {
				t.Fatalf("seed %d: %d answers, the second solver says %d, %v\n%s", seed, n, got, err, forms.String(p))
			}
		}
		if n > 0 || seed%5 > 0 {
			continue
		}
		proof, err := q.Why(t.Context())
		if err == nil {
			err = q.CheckProof(context.Background(), proof)
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, forms.String(p))
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
		p := witnesstest.Corners(2, 1, image.Pt(1, 0))
		p.At(image.Pt(1, 1)).Symbol = board.Symbol{Kind: k, Count: 1}
		err := Puzzle{p, madeUpRooms()}.Check(t.Context(), solve.Solution{stroke(t, "0,2 0,0 2,0 4,0 5,0")})
		var broken *solve.RuleError
		if !errors.As(err, &broken) || broken.Rule != k.String() || broken.At != image.Pt(1, 1) {
			t.Errorf("%v, want rule %s broken at column 1 row 1\n%s", err, k, Of(p))
		}
	}
}

// The family's generator deals them, with an answer.
func TestMadeUpSymbolsGenerated(t *testing.T) {
	family := NewFamily(append(board.Kinds(), madeUp()...), madeUpRooms())
	dealt := map[board.Kind]int{}
	for seed := range uint64(120) {
		p := family.Generate(rand.New(rand.NewPCG(seed, 20)), 4, 3).(Puzzle)
		for _, k := range madeUp() {
			if slices.ContainsFunc(p.Spots, func(s board.Spot) bool { return s.Kind == k }) {
				dealt[k]++
			}
		}
		a, err := p.Solve(t.Context())
		if err == nil {
			err = p.Check(t.Context(), a)
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p)
		}
		if q := decode(t, family.Formats[0], []byte(p.String())); forms.String(q) != p.String() {
			t.Fatalf("seed %d: comes back as\n%s\nfrom\n%s", seed, forms.String(q), p)
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
	p := witnesstest.Parsed(t, "panel 3x2\n+-+-+->\n|a| |b|\n+-+-+-+\n|b| |a|\n@-+-+-+\na = white square\nb = black square\n")
	want := witnesstest.BruteCount(p, 0)
	tile := board.Square.As("tile", "diamond")
	for at := range p.Points() {
		if p.At(at).Kind == board.Square {
			p.At(at).Kind = tile
		}
	}
	if got := sameAnswers(t, p); got != want || want == 0 {
		t.Errorf("%d answers with tiles, %d with squares", got, want)
	}
	if tile.String() != "tile" || tile.ShapeName() != "diamond" || tile == board.Square {
		t.Errorf("%s drawn as %s", tile, tile.ShapeName())
	}
}
