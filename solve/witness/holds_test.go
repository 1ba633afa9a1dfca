package witness

import (
	"image"
	rand "math/rand/v2"
	"slices"
	"testing"
	"time"

	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/solve/witness/rules"
	"onlooker/solve/witness/witnesstest"
)

// Where some line of a panel of the game is right by all rule sets, Solve gives one that
// is.
// TestStatedRules: what a panel's own text is under stands for the rule set of that name where other
// rules are asked for.
func TestStatedRules(t *testing.T) {
	p := solvetest.Must(forms.Parse([]byte("panel 2x1 rules=witnesspuzzles,open-cells-outside=off\n+-+->\n|a|b|\n@-+-+\na = white square\nb = black square\n")))(t)
	q := solvetest.Must(UnderRules(Of(p), "game"))(t)
	if all := board.Of(q).Others(); !slices.Contains(all, p.Rules) || slices.Contains(all, board.WitnessPuzzles) || !slices.Contains(all, board.Game) {
		t.Errorf("the other rule sets are %v, want %v among them", all, p.Rules)
	}
}

func TestAnswersThatHoldEverywhere(t *testing.T) {
	most := witnesstest.Rounds(2500, 250)
	all, some := 0, 0
	for seed := range most {
		p := witnesstest.AnyPanel(rand.New(rand.NewPCG(seed, 21)))
		p.Rules = board.Game
		a, err := Of(p).Solve(t.Context())
		if err != nil {
			continue // TestAgainstBruteForce says whether that is right
		}
		st := Of(p).Holds(t.Context(), a)
		by := st.Right
		if !slices.Contains(by, p.Rules.Name) || len(by)+len(st.Wrong) != len(p.Others()) || len(st.Unknown) > 0 {
			t.Fatalf("seed %d: %+v\n%s", seed, st, forms.String(p))
		}
		if len(st.Wrong) == 0 {
			all++
			continue
		}
		some++
		for b := range witnesstest.BruteForce(rules.Rows(), p) {
			if by := Of(p).Holds(t.Context(), b).Right; len(by) == len(p.Others()) {
				t.Fatalf("seed %d: %v is right by %v, and %v by all\n%s", seed, a, by, b, forms.String(p))
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
		p := witnesstest.AnyPanel(rand.New(rand.NewPCG(seed, 22)))
		p.Rules = board.RuleSets()[seed%3]
		if p.Disputed() {
			continue
		}
		n++
		answers := 0
		for a := range witnesstest.BruteForce(rules.Rows(), p) {
			if st := Of(p).Holds(t.Context(), a); len(st.Right) > 0 && len(st.Wrong) > 0 || len(st.Unknown) > 0 {
				t.Fatalf("seed %d: %v is %+v\n%s", seed, a, st, forms.String(p))
			}
			answers++
		}
		for _, rules := range board.RuleSets() {
			if got := witnesstest.BruteCount(p.Under(rules), 0); got != answers {
				t.Fatalf("seed %d: %d answers by %s, %d by %s\n%s", seed, got, rules, answers, p.Rules, forms.String(p))
			}
		}
	}
	if n < 150 {
		t.Errorf("%d undisputed panels: the sample decides little", n)
	}
}

var _ solve.Holder = Puzzle{}

// The Windmill's page misses the places of these answers' pieces although others
// of the same panel are found: what is preferred is one of those.
func TestAnswersOnThePage(t *testing.T) {
	link := corpusByName(t)
	for _, name := range []string{"windmill:313", "windmill:968", "windmill:1194", "windmill:2347", "witness:75"} {
		p := solvetest.Must(forms.DecodeWindmill(link[name]))(t)
		a, err := Of(p).Solve(t.Context())
		if err != nil || !rules.Rows().Accepted(t.Context(), p, a) {
			t.Errorf("%s: %v, %v, want an answer whose pieces the page finds\n%s", name, a, err, Of(p))
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
		p.Rules = board.WitnessPuzzles
		a, err := Of(p).Solve(t.Context())
		if err != nil || rules.Rows().Accepted(t.Context(), p, a) != c.want {
			t.Errorf("%s: %v, %v, accepted %t, want %t", c.words, a, err, !c.want, c.want)
		}
	}
}

// A page that would try the sets of many wrong symbols for hours is no reason to
// wait: the answer is given before long, and that the page accepts it is not known.
func TestManyErasersOnTheSite(t *testing.T) {
	p := board.New(10, 10, false)
	p.Rules = board.WitnessPuzzles
	p.At(image.Pt(0, 20)).Start = true
	p.At(image.Pt(20, 0)).Cap = image.Pt(0, -1)
	for y := range 10 {
		for x := range 10 {
			s := &p.At(image.Pt(2*x+1, 2*y+1)).Symbol
			switch rim := min(x, y, 9-x, 9-y); {
			case rim == 4:
				*s = board.Symbol{Kind: board.Square, Colour: []board.Colour{board.White, board.Black}[(x+y)%2]}
			default:
				*s = board.Symbol{Kind: []board.Kind{board.Eraser, board.Eraser, board.Star, board.Star}[rim], Colour: []board.Colour{board.White, board.Black}[rim%2]}
			}
		}
	}
	line := solve.Stroke{}
	for x := 0; x <= 20; x += 2 {
		line = append(line, image.Pt(x, 20))
	}
	for y := 18; y >= 0; y -= 2 {
		line = append(line, image.Pt(20, y))
	}
	if rules.Rows().Accepted(t.Context(), p, solve.Solution{append(line, image.Pt(20, -1))}) {
		t.Error("the page is said to accept what it does not find")
	}
	before := solvetest.ProcessorTime()
	if _, err := Of(p).Solve(t.Context()); err != nil {
		t.Error(err)
	}
	if took := solvetest.ProcessorTime() - before; took > 20*time.Second {
		t.Errorf("%v of processor time for an answer that is found at once", took)
	}
}
