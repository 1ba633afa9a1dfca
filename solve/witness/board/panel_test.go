package board

import (
	"flag"
	"fmt"
	"image"
	rand "math/rand/v2"
	"os"
	"strings"
	"testing"

	"onlooker/solve"
	"onlooker/solve/solvetest"
)

// TestPanelAt: every half-cell of a panel has a spot of its own, and none beyond; a pillar goes
// round, and has nothing above or below.
func TestPanelAt(t *testing.T) {
	for _, pillar := range []bool{false, true} {
		p := New(3, 2, pillar)
		seen := map[*Spot]bool{}
		for at := range p.Points() {
			s := p.At(at)
			if s == nil || seen[s] || !p.In(at) {
				t.Fatalf("pillar %t: %v has no spot of its own", pillar, at)
			}
			seen[s] = true
		}
		if len(seen) != p.Width()*p.Height() || p.Width() != map[bool]int{false: 7, true: 6}[pillar] || p.Height() != 5 {
			t.Errorf("pillar %t: %d spots of %d×%d", pillar, len(seen), p.Width(), p.Height())
		}
		for _, at := range []image.Point{{-1, 2}, {p.Width(), 2}, {2, -1}, {2, p.Height()}} {
			beside := at.Y == 2
			if in := p.At(at) != nil; in != (pillar && beside) || in != p.In(at) {
				t.Errorf("pillar %t: %v is on it: %t", pillar, at, in)
			}
		}
		if pillar && (p.At(image.Pt(-1, 2)) != p.At(image.Pt(5, 2)) || p.At(image.Pt(13, 2)) != p.At(image.Pt(1, 2))) {
			t.Error("the pillar does not go round")
		}
	}
}

// TestPanelImages: what a start, an end and its cap are on the other side of each symmetry; one
// that is its own image, or whose image is not on the panel, is none.
func TestPanelImages(t *testing.T) {
	for _, row := range []struct {
		symmetry   Symmetry
		pillar     bool
		at, image  image.Point
		cap, turns image.Point
		ok         bool
	}{
		{NoSymmetry, false, image.Pt(0, 0), image.Point{}, image.Pt(-1, 0), image.Point{}, true},
		{Mirror, false, image.Pt(0, 2), image.Pt(8, 2), image.Pt(-1, 0), image.Pt(1, 0), true},
		{Mirror, false, image.Pt(4, 2), image.Pt(4, 2), image.Pt(0, -1), image.Point{}, false},
		{Flip, false, image.Pt(2, 0), image.Pt(2, 4), image.Pt(0, -1), image.Pt(0, 1), true},
		{Flip, false, image.Pt(2, 2), image.Pt(2, 2), image.Pt(0, -1), image.Point{}, false},
		{Rotation, false, image.Pt(0, 0), image.Pt(8, 4), image.Pt(-1, 1), image.Pt(1, -1), true},
		{Parallel, true, image.Pt(0, 0), image.Pt(4, 0), image.Pt(0, -1), image.Pt(0, -1), true},
		{Turned, true, image.Pt(6, 0), image.Pt(2, 4), image.Pt(0, -1), image.Pt(0, 1), true},
		{Parallel, false, image.Pt(0, 2), image.Pt(4, 2), image.Pt(-1, 0), image.Pt(-1, 0), true},
		{Turned, false, image.Pt(6, 0), image.Pt(2, 4), image.Pt(0, -1), image.Pt(0, 1), true},
		{Mirror, true, image.Pt(1, 0), image.Pt(3, 0), image.Pt(0, -1), image.Pt(0, -1), true},
	} {
		cols := 4
		if !row.pillar && row.symmetry >= Parallel {
			cols = 3
		}
		p := New(cols, 2, row.pillar)
		p.Symmetry = row.symmetry
		start, end := p.Clone(), p.Clone()
		if got := start.AddStart(row.at); got != row.ok || start.At(row.at).Start != row.ok {
			t.Errorf("%v, pillar %t: a start at %v is %t", row.symmetry, row.pillar, row.at, got)
		}
		if got := end.AddEnd(row.at, row.cap); got != row.ok || end.At(row.at).IsEnd() != row.ok || row.ok && end.At(row.at).Cap != row.cap {
			t.Errorf("%v, pillar %t: an end at %v is %t, %v", row.symmetry, row.pillar, row.at, got, end.At(row.at).Cap)
		}
		if row.ok && row.symmetry != NoSymmetry && (!start.At(row.image).Start || end.At(row.image).Cap != row.turns) {
			t.Errorf("%v, pillar %t: %v has at %v start %t, cap %v, want %v", row.symmetry, row.pillar, row.at, row.image, start.At(row.image).Start, end.At(row.image).Cap, row.turns)
		}
		starts := 0
		for at := range start.Points() {
			if start.At(at).Start {
				starts++
			}
		}
		want := 2
		if row.symmetry == NoSymmetry {
			want = 1
		}
		if row.ok && starts != want || !row.ok && starts != 0 {
			t.Errorf("%v, pillar %t: %d starts", row.symmetry, row.pillar, starts)
		}
		// What a cap touches belongs to the panel, too.
		if b := end.Bounds(); row.ok && !row.at.Add(row.cap).In(b) {
			t.Errorf("%v: the cap at %v is beyond %v", row.symmetry, row.at.Add(row.cap), b)
		}
	}
}

// TestPanelOutside: a missing edge at the border lets the outside in, as far as edges are
// missing; the way round a pillar is no border.
func TestPanelOutside(t *testing.T) {
	for _, row := range []struct {
		pillar  bool
		missing []image.Point
		outside []image.Point // cells
	}{
		{false, []image.Point{{2, 1}}, nil},
		{false, []image.Point{{0, 1}}, []image.Point{{1, 1}}},
		{false, []image.Point{{0, 1}, {2, 1}, {3, 2}}, []image.Point{{1, 1}, {3, 1}, {3, 3}}},
		{false, []image.Point{{3, 4}, {6, 3}}, []image.Point{{3, 3}, {5, 3}}},
		{true, []image.Point{{0, 1}}, nil},
		{true, []image.Point{{1, 0}, {0, 1}}, []image.Point{{1, 1}, {5, 1}}},
	} {
		p := New(3, 2, row.pillar)
		for _, at := range row.missing {
			p.At(at).Gap = Missing
		}
		got, outside := 0, p.Outside()
		for _, is := range outside {
			if is {
				got++
			}
		}
		want := len(row.outside)
		for _, at := range row.outside {
			if !outside[at.Y*p.Width()+at.X] {
				t.Errorf("pillar %t, without %v: %v is not outside", row.pillar, row.missing, at)
			}
		}
		if want > 0 {
			want += len(row.missing)
		}
		solvetest.Same(t, got, want, "outside of pillar %t, without %v", row.pillar, row.missing)
	}
}

// TestSymmetryOf: of starts and ends that have images the symmetry is told, and of others none.
func TestSymmetryOf(t *testing.T) {
	for _, row := range []struct {
		symmetry Symmetry
		pillar   bool
		end, cap image.Point
	}{
		{Mirror, false, image.Pt(2, 0), image.Pt(0, -1)},
		{Flip, false, image.Pt(8, 0), image.Pt(0, -1)},
		{Rotation, false, image.Pt(2, 0), image.Pt(0, -1)},
		{Parallel, true, image.Pt(2, 0), image.Pt(0, -1)},
		{Turned, true, image.Pt(2, 0), image.Pt(0, -1)},
		{Mirror, true, image.Pt(0, 0), image.Pt(0, -1)},
	} {
		p := New(4, 4, row.pillar)
		p.Symmetry = row.symmetry
		if !p.AddStart(image.Pt(0, 6)) || !p.AddEnd(row.end, row.cap) {
			t.Fatalf("%v: no start or end", row.symmetry)
		}
		solvetest.Same(t, SymmetryOf(p), row.symmetry, "pillar %t", row.pillar)
		q := p.Clone()
		q.At(image.Pt(0, 6)).Start = false
		solvetest.Same(t, SymmetryOf(q), NoSymmetry, "without one of its starts")
		q = p.Clone()
		q.At(row.end).Cap = image.Pt(-1, -1)
		solvetest.Same(t, SymmetryOf(q), NoSymmetry, "with another cap")
	}
	lone := New(4, 4, false)
	lone.At(image.Pt(4, 8)).Start = true
	lone.At(image.Pt(4, 0)).Cap = image.Pt(0, -1)
	solvetest.Same(t, SymmetryOf(lone), NoSymmetry, "of one start and one end")
	for _, start := range []bool{true, false} {
		p := New(4, 4, false)
		for _, x := range []int{2, 6} {
			if p.At(image.Pt(x, 0)).Start = start; !start {
				p.At(image.Pt(x, 0)).Cap = image.Pt(0, -1)
			}
		}
		solvetest.Same(t, SymmetryOf(p), NoSymmetry, "of starts alone, or ends alone (%t)", start)
	}
}

// TestDisputed: what the rule sets read differently, each alone, beside what they do not.
func TestDisputed(t *testing.T) {
	put := func(p *Panel, k Kind) { p.At(image.Pt(1, 1)).Kind = k }
	for _, row := range []struct {
		why  string
		set  func(*Panel)
		want bool
	}{
		{"nothing", func(*Panel) {}, false},
		{"a square", func(p *Panel) { put(p, Square) }, false},
		{"a piece", func(p *Panel) { put(p, Polyomino) }, false},
		{"a missing edge", func(p *Panel) { p.At(image.Pt(1, 0)).Gap = Missing }, true},
		{"a start within", func(p *Panel) { p.At(image.Pt(2, 2)).Start = true }, false},
		{"a piece, a start on the border", func(p *Panel) {
			put(p, Polyomino)
			p.At(image.Pt(0, 2)).Start = true
		}, false},
		{"a piece, a start within", func(p *Panel) {
			put(p, Polyomino)
			p.At(image.Pt(2, 2)).Start = true
		}, true},
		{"a start and its image", func(p *Panel) { p.Symmetry = Mirror; p.AddStart(image.Pt(0, 4)) }, false},
		{"a start that is its own image", func(p *Panel) { p.Symmetry = Mirror; p.At(image.Pt(2, 4)).Start = true }, true},
		{"a start without its image", func(p *Panel) { p.Symmetry = Mirror; p.At(image.Pt(0, 4)).Start = true }, false},
		{"a start on an edge, mirrored", func(p *Panel) { p.Symmetry = Mirror; p.AddStart(image.Pt(1, 4)) }, true},
		{"an end without its image", func(p *Panel) { p.Symmetry = Mirror; p.At(image.Pt(0, 0)).Cap = image.Pt(-1, 0) }, true},
		{"a blue piece", func(p *Panel) { put(p, Negative) }, true},
		{"an eraser", func(p *Panel) { put(p, Eraser) }, true},
	} {
		p := New(2, 2, false)
		row.set(p)
		solvetest.Same(t, p.Disputed(), row.want, "%s", row.why)
	}
}

// TestSameMeaning: which symbols ask the same of a line, and how they are named.
func TestSameMeaning(t *testing.T) {
	bar, upright := []image.Point{{0, 0}, {1, 0}}, []image.Point{{0, 0}, {0, 1}}
	block := []image.Point{{0, 0}, {1, 0}, {0, 1}, {1, 1}}
	piece := func(k Kind, shape []image.Point, turnable bool) Symbol {
		return Symbol{Kind: k, Shape: shape, Turnable: turnable}
	}
	for _, row := range []struct {
		a, b      Symbol
		same, kin bool
	}{
		{piece(Polyomino, bar, false), piece(Polyomino, bar, false), true, false},
		{piece(Polyomino, bar, false), piece(Polyomino, upright, false), false, false},
		{piece(Polyomino, bar, true), piece(Polyomino, bar, false), false, false},
		{piece(Polyomino, block, true), piece(Polyomino, block, false), true, false},
		{piece(Negative, block, true), piece(Polyomino, block, false), false, true},
		{piece(Negative, bar, false), piece(Polyomino, upright, false), false, false},
		{Symbol{Kind: Triangle, Count: 1}, Symbol{Kind: Triangle, Count: 2}, false, false},
		{Symbol{Kind: Triangle, Count: 2}, Symbol{Kind: Triangle, Count: 2}, true, false},
		{Symbol{Kind: Square}, Symbol{Kind: Star}, false, false},
	} {
		if got := SameMeaning(row.a, row.b); got != row.same || SameMeaning(row.b, row.a) != row.same {
			t.Errorf("%v and %v are the same: %t, want %t", SymbolName(row.a), SymbolName(row.b), got, row.same)
		}
		solvetest.Same(t, Kin(row.a, row.b), row.kin, "%v and %v are one piece", SymbolName(row.a), SymbolName(row.b))
	}
	for want, s := range map[string]Symbol{
		"a star":                                     {Kind: Star},
		Triangle.Called() + " (2)":                   {Kind: Triangle, Count: 2},
		Polyomino.Called() + " [(0,0) (1,0)]":        piece(Polyomino, bar, false),
		Polyomino.Called() + " [(0,0) (1,0)] turned": piece(Polyomino, bar, true),
	} {
		if got := SymbolName(s); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	solvetest.Same(t, Extent(bar), image.Pt(2, 1), "a bar")
}

// TestDiffer: what is told of two panels that differ in one thing, and nothing of two that name
// their colours otherwise.
func TestDiffer(t *testing.T) {
	base := New(2, 2, false)
	base.At(image.Pt(0, 4)).Start = true
	base.At(image.Pt(1, 1)).Symbol = Symbol{Kind: Square, Colour: White}
	base.At(image.Pt(3, 1)).Symbol = Symbol{Kind: Square, Colour: Black}
	base.At(image.Pt(1, 3)).Symbol = Symbol{Kind: Star, Colour: White}
	for _, row := range []struct {
		why    string
		change func(*Panel)
		same   bool
	}{
		{"nothing", func(*Panel) {}, true},
		{"other names", func(p *Panel) {
			p.At(image.Pt(1, 1)).Colour, p.At(image.Pt(1, 3)).Colour, p.At(image.Pt(3, 1)).Colour = Cyan, Cyan, White
		}, true},
		{"one colour for two", func(p *Panel) { p.At(image.Pt(3, 1)).Colour = White }, false},
		{"two for one", func(p *Panel) { p.At(image.Pt(1, 3)).Colour = Cyan }, false},
		{"a start", func(p *Panel) { p.At(image.Pt(0, 0)).Start = true }, false},
		{"an end", func(p *Panel) { p.At(image.Pt(0, 0)).Cap = image.Pt(-1, 0) }, false},
		{"a dot", func(p *Panel) { p.At(image.Pt(0, 0)).Dot.On = true }, false},
		{"a gap", func(p *Panel) { p.At(image.Pt(1, 0)).Gap = Missing }, false},
		{"a missing node", func(p *Panel) { p.At(image.Pt(0, 0)).Gap = Missing }, true},
		{"a symbol", func(p *Panel) { p.At(image.Pt(1, 1)).Kind = Star }, false},
		{"a count", func(p *Panel) { p.At(image.Pt(1, 1)).Count = 1 }, false},
		{"symmetry", func(p *Panel) { p.Symmetry = Mirror }, false},
	} {
		p := base.Clone()
		row.change(p)
		if got := Differ(base, p); (got == "") != row.same {
			t.Errorf("%s: %q", row.why, got)
		}
	}
	if Differ(base, New(2, 3, false)) == "" || Differ(base, New(2, 2, true)) == "" {
		t.Error("another size is no difference")
	}
}

// TestValid: a panel made by hand is refused with the place of what is wrong.
func TestValid(t *testing.T) {
	cell, node, edge := image.Pt(1, 1), image.Pt(2, 2), image.Pt(1, 2)
	for _, row := range []struct {
		at   image.Point
		spot Spot
		good bool
	}{
		{cell, Spot{Symbol: Symbol{Kind: Square, Colour: White}}, true},
		{cell, Spot{Symbol: Symbol{Kind: Square, Colour: "#0a9f00"}}, true},
		{cell, Spot{Symbol: Symbol{Kind: Square, Colour: "#0a9f0"}}, false},
		{cell, Spot{Symbol: Symbol{Kind: Square, Colour: "#0A9F00"}}, false},
		{cell, Spot{Symbol: Symbol{Kind: Square, Colour: "broken"}}, false},
		{cell, Spot{Symbol: Symbol{Kind: Square}}, false},
		{cell, Spot{Start: true}, false},
		{cell, Spot{Gap: Missing}, false},
		{cell, Spot{Cap: image.Pt(1, 0)}, false},
		{cell, Spot{Dot: Dot{On: true}}, false},
		{cell, Spot{Symbol: Symbol{Kind: Triangle, Count: 3}}, true},
		{cell, Spot{Symbol: Symbol{Kind: Triangle}}, false},
		{cell, Spot{Symbol: Symbol{Kind: Triangle, Count: 99}}, false},
		{node, Spot{Symbol: Symbol{Kind: Square, Colour: White}}, false},
		{node, Spot{Gap: Missing}, true},
		{node, Spot{Gap: Broken}, false},
		{edge, Spot{Gap: Broken}, true},
		{edge, Spot{Gap: Missing + 1}, false},
		{node, Spot{Cap: image.Pt(-1, 1)}, true},
		{node, Spot{Cap: image.Pt(0, 2)}, false},
		{node, Spot{Cap: image.Pt(-2, 0)}, false},
		{edge, Spot{Dot: Dot{On: true, Line: OtherLine, Colour: "pink"}}, true},
		{edge, Spot{Dot: Dot{On: true, Line: OtherLine + 1}}, false},
		{edge, Spot{Dot: Dot{On: true, Colour: "start"}}, false},
	} {
		p := New(2, 2, false)
		*p.At(row.at) = row.spot
		if err := p.Valid(); (err == nil) != row.good || err != nil && !strings.Contains(err.Error(), solve.PlaceName(row.at)) {
			t.Errorf("%+v at %v: %v, want none: %t", row.spot, row.at, err, row.good)
		}
	}
}

func TestRulesRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, base := range RuleSets() {
		got, err := ParseRules(base.Name)
		if err != nil || got != base || base.String() != base.Name {
			t.Errorf("%s reads as %v, %v", base, got, err)
		}
		for range 200 {
			r := base
			for _, o := range RuleOptions() {
				r = o.With(r, rng.IntN(2) == 0)
			}
			got, err := ParseRules(r.String())
			if err != nil || got != r {
				t.Fatalf("%s reads as %s, %v", r, got, err)
			}
		}
	}
}

// Every option is a field of its own: switching it changes nothing else.
func TestOptionsAreSeparate(t *testing.T) {
	for _, a := range RuleOptions() {
		for _, b := range RuleOptions() {
			for _, base := range RuleSets() {
				changed := a.With(base, !a.In(base))
				if (b.In(changed) != b.In(base)) != (a.Name == b.Name) {
					t.Errorf("switching %s in %s changes %s", a.Name, base.Name, b.Name)
				}
			}
		}
	}
}

func TestParseRulesErrors(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"", `rule set ""`},
		{"Windmill", `rule set "Windmill"`},
		{"game,flying=on", `"flying"`},
		{"game,overhang", `overhang is ""`},
		{"game,overhang=yes", `overhang is "yes"`},
		{"game,", `rule option ""`},
	} {
		if _, err := ParseRules(row.text); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%q: %v, want an error with %s", row.text, err, row.want)
		}
	}
}

var update = flag.Bool("update", false, "write the README's table of words anew")

// The README says of symbols' rules what Words says.
func TestWordsInReadme(t *testing.T) {
	const file, from, to = "../../README.md", "<!-- words -->\n", "<!-- end -->"
	data := solvetest.Must(os.ReadFile(file))(t)
	before, rest, ok := strings.Cut(string(data), from)
	got, after, closed := strings.Cut(rest, to)
	if !ok || !closed {
		t.Fatalf("%s has no %q before a %q", file, from, to)
	}
	switch want := wordsText(); {
	case got == want:
	case *update:
		solvetest.OK(t, os.WriteFile(file, []byte(before+from+want+to+after), 0o644))
	default:
		t.Errorf("%s says otherwise than Words: run this test with -update", file)
	}
}

// Every value that a column may have in Go has its word.
func TestEveryValueHasAWord(t *testing.T) {
	for _, said := range [][2]string{
		{"scope", string(Ray)}, {"scope", string(Rays)}, {"scope", string(Corners)}, {"scope", string(Sides)}, {"scope", string(Next)},
		{"scope", string(Around)}, {"scope", string(Cross)}, {"scope", string(Ahead)}, {"scope", string(All)},
		{"pick", string(PickLine)}, {"pick", string(PickTurn)}, {"pick", string(PickSeen)}, {"pick", string(PickOwn)}, {"pick", string(PickOther)}, {"pick", string(PickSymbol)},
		{"until", string(Hole)}, {"fold", string(Lined)}, {"fold", string(SidesSet)},
	} {
		if !strings.Contains(wordsText(), "| `"+said[1]+"` |") {
			t.Errorf("%s %q has no word", said[0], said[1])
		}
	}
	for _, k := range Kinds() {
		if c := k.By(); c != nil {
			solvetest.Fine(t, c.Meaning(), k)
		}
	}
}

// wordsText is the table of Words for people, as rows of Markdown.
func wordsText() string {
	var b strings.Builder
	b.WriteString("| column | says | counts, or means | wants |\n|---|---|---|---|\n")
	last := ""
	for _, w := range Words() {
		if w.Means == "" {
			continue
		}
		column := ""
		if w.Column != last {
			column = "`rule." + w.Column + "`"
		}
		last = w.Column
		wants := strings.NewReplacer("rule.", "", "\"", "`").Replace(w.Wants)
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s |\n", column, w.Value, w.Means, wants)
	}
	return b.String()
}
