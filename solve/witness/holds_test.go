package witness

import (
	"image"
	"math/rand/v2"
	"slices"
	"testing"

	"onlooker/solve"
)

// Where some line is right by all rule sets, Solve gives one that is, whichever
// set was asked for.
func TestAnswersThatHoldEverywhere(t *testing.T) {
	most := rounds(2500, 250)
	all, some := 0, 0
	for seed := range most {
		p := anyPanel(rand.New(rand.NewPCG(seed, 21)))
		p.Rules = RuleSets()[seed%3]
		a, err := p.Solve(t.Context())
		if err != nil {
			continue // TestAgainstBruteForce says whether that is right
		}
		st := p.Holds(t.Context(), a)
		by := st.Right
		if !slices.Contains(by, p.Rules.Name) || len(by)+len(st.Wrong) != len(RuleSets()) || len(st.Unknown) > 0 {
			t.Fatalf("seed %d: %+v\n%s", seed, st, text(p))
		}
		if len(st.Wrong) == 0 {
			all++
			continue
		}
		some++
		for b := range bruteForce(p) {
			if by := p.Holds(t.Context(), b).Right; len(by) == len(RuleSets()) {
				t.Fatalf("seed %d: %v is right by %v, and %v by all\n%s", seed, a, by, b, text(p))
			}
		}
	}
	t.Logf("%d answers that hold everywhere, %d that do not", all, some)
	if all < int(most)/20 || some < int(most)/100 {
		t.Errorf("%d answers that hold everywhere and %d that do not, of %d panels: the sample decides little", all, some, most)
	}
}

// A panel in which nobody disputes anything is right by all sets or none.
func TestUndisputed(t *testing.T) {
	n := 0
	for seed := range uint64(1500) {
		p := anyPanel(rand.New(rand.NewPCG(seed, 22)))
		p.Rules = RuleSets()[seed%3]
		if p.disputed() {
			continue
		}
		n++
		answers := 0
		for a := range bruteForce(p) {
			if st := p.Holds(t.Context(), a); len(st.Right) > 0 && len(st.Wrong) > 0 || len(st.Unknown) > 0 {
				t.Fatalf("seed %d: %v is %+v\n%s", seed, a, st, text(p))
			}
			answers++
		}
		for _, rules := range RuleSets() {
			if got := bruteCount(p.under(rules), 0); got != answers {
				t.Fatalf("seed %d: %d answers by %s, %d by %s\n%s", seed, got, rules, answers, p.Rules, text(p))
			}
		}
	}
	if n < 150 {
		t.Errorf("%d undisputed panels: the sample decides little", n)
	}
}

var _ solve.Holder = (*Panel)(nil)

// The Windmill's page misses the places of these answers' pieces although others
// of the same panel are found: what is preferred is one of those.
func TestAnswersOnThePage(t *testing.T) {
	link := corpusByName(t)
	for _, name := range []string{"windmill:313", "windmill:968", "windmill:1194", "windmill:2347", "witness:75"} {
		p, err := DecodeWindmill(link[name])
		if err != nil {
			t.Fatal(err)
		}
		a, err := p.Solve(t.Context())
		if err != nil || !p.onPage(a) {
			t.Errorf("%s: %v, %v, want an answer whose pieces the page finds\n%s", name, a, err, p)
		}
	}
}

// What the page finds, and what nobody could find.
func TestPageFinds(t *testing.T) {
	piece := func(text string, kind Kind) *Symbol {
		shape, err := ParseShape(text)
		if err != nil {
			t.Fatal(err)
		}
		return &Symbol{Kind: kind, Shape: shape}
	}
	cells := func(text string) []image.Point {
		shape, err := ParseShape(text)
		if err != nil {
			t.Fatal(err)
		}
		return shape
	}
	for _, c := range []struct {
		why    string
		cells  string
		pieces []*Symbol
		want   bool
	}{
		{"they fit as they are", "##/##", []*Symbol{piece("##", Polyomino), piece("##", Polyomino)}, true},
		{"they do not fit", "###/#..", []*Symbol{piece("##/##", Polyomino)}, false},
		{"as many squares as blue ones", "#", []*Symbol{piece("##", Polyomino), piece("#/#", Negative)}, true},
		{"a square over at the left", "##", []*Symbol{piece("###", Polyomino), piece("#", Negative)}, true},
		{"the blue one is too large", "##", []*Symbol{piece("####", Polyomino), piece("#/#", Negative)}, false},
	} {
		if got := pageFinds(cells(c.cells), c.pieces, pageStates); got != c.want {
			t.Errorf("%s: %t, want %t", c.why, got, c.want)
		}
	}
}

// witnesspuzzles.com pairs two of three erasers off only where the third took the
// last wrong symbol that it comes upon, from the left: of these it refuses the
// second, as its engine/validate.js does when it is run.
func TestErasersOnTheSite(t *testing.T) {
	for _, c := range []struct {
		words string
		want  bool
	}{
		{"P##### Y Y Y P##/##", true},
		{"P##/## Y Y Y P#####", false},
		{"P##/## Y . . P#####", true}, // none to pair off
	} {
		p := row(t, c.words)
		p.Rules = WitnessPuzzles
		a, err := p.Solve(t.Context())
		if err != nil || p.onSite(t.Context(), a) != c.want {
			t.Errorf("%s: %v, %v, accepted %t, want %t", c.words, a, err, !c.want, c.want)
		}
	}
}
