package witness

import (
	"errors"
	"image"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

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

// TestTriples deals the Challenge's triples and puts them among others.
func TestTriples(t *testing.T) {
	deal := func(kind string, seed uint64) []solve.Puzzle {
		d := solvetest.Must(DealChallenge(t.Context(), rand.New(rand.NewPCG(seed, 3)), kind))(t)
		var all []solve.Puzzle
		for _, p := range d.Panels {
			all = append(all, Of(p))
		}
		return all
	}
	maze, stars := deal("maze-3", 1)[0], deal("stars", 1)[0]
	two, three := deal("triple-2", 1), deal("triple-3", 1)
	other := board.Of(two[2]).Clone()
	other.At(image.Pt(0, 8)).Start = false
	other.At(image.Pt(2, 8)).Start = true
	for _, row := range []struct {
		why    string
		boards []solve.Puzzle
		want   []int // each board's set; negative where not all of it are there, 9 for a door
	}{
		{"nothing", nil, nil},
		{"a triple", two, []int{1, 1, 1}},
		{"two of a triple", two[:2], []int{-1, -1}},
		{"a triple with neighbours", []solve.Puzzle{maze, two[0], two[1], two[2], stars}, []int{0, 1, 1, 1, 0}},
		{"two triples", append(append([]solve.Puzzle{}, two...), three...), []int{1, 1, 1, 2, 2, 2}},
		{"a double door", []solve.Puzzle{stars, deal("stars", 2)[0]}, []int{9, 9}},
		{"two sizes", []solve.Puzzle{maze, stars}, []int{0, 0}},
		{"another start", []solve.Puzzle{two[0], two[1], Of(other)}, []int{-1, -1, 0}},
		{"one panel three times", []solve.Puzzle{two[0], two[0], two[0]}, []int{0, 0, 0}},
		{"three of different kinds", []solve.Puzzle{maze, two[0], three[1]}, []int{0, 0, 0}},
	} {
		got := Triples(row.boards)
		if len(got) != len(row.want) {
			t.Errorf("%s: %d verdicts, want %d", row.why, len(got), len(row.want))
			continue
		}
		for i, v := range got {
			set := v.Set
			if v.Partial {
				set = -set
			} else if v.Set == 0 && v.Place == []string{"left door", "right door"}[i%2] {
				set = 9
			}
			if set != row.want[i] || (set != 0) != (v.Place != "") {
				t.Errorf("%s: board %d is %+v, want set %d", row.why, i, v, row.want[i])
			}
		}
	}
}

// TestAsymmetric has a panel that is symmetric by its starts and ends, and has no
// answer so: both lines would take the middle.
func TestAsymmetric(t *testing.T) {
	read := func(symmetry board.Symmetry, dot board.Line) *board.Panel {
		p := board.New(2, 2, false)
		p.Symmetry = symmetry
		p.At(image.Pt(0, 4)).Start, p.At(image.Pt(4, 4)).Start = true, true
		p.At(image.Pt(0, 0)).Cap, p.At(image.Pt(4, 0)).Cap = image.Pt(0, -1), image.Pt(0, -1)
		p.At(image.Pt(2, 2)).Dot = board.Dot{On: true, Line: dot}
		return p
	}
	two := read(board.Mirror, board.AnyLine)
	if _, err := Of(two).Solve(t.Context()); !errors.Is(err, solve.ErrUnsolvable) {
		t.Fatalf("with two lines: %v, want %v", err, solve.ErrUnsolvable)
	}
	one, starts := OneLine(Of(two))
	solvetest.Same(t, len(starts), 2, "starts %v", starts)
	answer := solvetest.Must(one.Solve(t.Context()))(t)
	solvetest.Fine(t, one.Check(t.Context(), answer))
	for why, p := range map[string]*board.Panel{
		"a panel with one line":   read(board.NoSymmetry, board.AnyLine),
		"a dot of one of the two": read(board.Mirror, board.OwnLine),
	} {
		if other, _ := OneLine(Of(p)); other != nil {
			t.Errorf("%s shows another one", why)
		}
	}
}

// panelOf builds the board. A pillar is turned so that its symmetry is the
// model's, since which column is 0 there was anybody's choice.
func panelOf(t *testing.T, b *solvetest.CapturedBoard) *board.Panel {
	p := board.New(b.Size[0], b.Size[1], b.Pillar)
	shift := 0
	switch b.Symmetry {
	case "", "none":
	case "parallel":
		p.Symmetry = board.Parallel
	case "rotparallel":
		p.Symmetry = board.Turned
	case "rot180":
		p.Symmetry = board.Rotation
	case "mirror", "rot":
		p.Symmetry = map[string]board.Symmetry{"mirror": board.Mirror, "rot": board.Rotation}[b.Symmetry]
		if b.Pillar { // the two starts' images are each other
			for shift = 0; shift < p.Width(); shift += 2 {
				if image, _ := p.Image(image.Pt(b.Starts[0][0]+shift, b.Starts[0][1])); image == p.Wrap(pointOf(b.Starts[1]).Add(shiftBy(shift))) {
					break
				}
			}
		}
	default:
		t.Fatalf("symmetry %q", b.Symmetry)
	}
	spot := func(at [2]int) *board.Spot { return p.At(pointOf(at).Add(shiftBy(shift))) }
	for _, at := range b.Starts {
		spot(at).Start = true
	}
	for _, e := range b.Ends {
		cap := image.Pt(0, -1) // a pillar's truth leaves it out
		for _, d := range forms.Directions() {
			if d.Name == e.Cap {
				cap = d.Cap
			}
		}
		spot(e.At).Cap = cap
	}
	for _, at := range b.Breaks {
		spot(at).Gap = board.Broken
	}
	for _, at := range b.Missing {
		spot(at).Gap = board.Missing
	}
	// Of two lines' dots black ones are of either; of the two other colours
	// one is the player's.
	colours := map[string]board.Line{}
	for _, d := range b.Dots {
		dot := board.Dot{On: true}
		if d.Colour != "black" && p.Symmetry != board.NoSymmetry {
			if _, ok := colours[d.Colour]; !ok {
				colours[d.Colour] = board.Line(len(colours)) + board.OwnLine
			}
			dot.Line = colours[d.Colour]
		}
		spot(d.At).Dot = dot
	}
	for _, s := range b.Symbols {
		symbol := board.Symbol{Colour: board.Colour(s.Colour), Count: s.Count, Turnable: s.Turnable}
		kinds := map[string]board.Kind{"square": board.Square, "star": board.Star, "poly": board.Polyomino, "triangle": board.Triangle}
		symbol.Kind = kinds[s.Kind]
		for _, q := range s.Shape {
			symbol.Shape = append(symbol.Shape, pointOf(q))
		}
		symbol.Shape = board.NormalShape(symbol.Shape)
		// Colours there are free text; only which are equal matters.
		symbol.Colour = board.Colour("#" + hex(s.Colour))
		spot(s.At).Symbol = symbol
	}
	return p
}

func pointOf(xy [2]int) image.Point { return image.Pt(xy[0], xy[1]) }

func shiftBy(x int) image.Point { return image.Pt(x, 0) }

// hex makes six digits of a word.
func hex(word string) string {
	sum := uint32(0)
	for _, r := range word {
		sum = sum*31 + uint32(r)
	}
	digits := []byte("000000")
	for i := range digits {
		digits[i] = "0123456789abcdef"[sum>>(4*i)&15]
	}
	return string(digits)
}

// Every panel of the game that was written down has an answer under the game's
// rules, but for the decoys, which have none.
func TestPanelsOfTheGame(t *testing.T) {
	_, truth := solvetest.Captures(t)
	seen := map[string]bool{}
	boards, decoys, pillars := 0, 0, 0
	for _, file := range slices.Sorted(maps.Keys(truth)) {
		for _, b := range truth[file].Boards {
			if b.Set != "" && seen[b.Set] || b.Solvable == nil && !b.Pillar {
				continue
			}
			seen[b.Set] = true
			p := panelOf(t, &b)
			answer, err := Of(p).Solve(t.Context())
			switch {
			case b.Solvable != nil && !*b.Solvable:
				decoys++
				if !errors.Is(err, solve.ErrUnsolvable) {
					t.Errorf("%s: a decoy: %v\n%s", file, err, Of(p))
				}
				continue
			case err != nil:
				t.Errorf("%s: %v\n%s", file, err, Of(p))
				continue
			}
			if err := Of(p).Check(t.Context(), answer); err != nil {
				t.Errorf("%s: %v\n%s", file, err, Of(p))
			}
			boards++
			if b.Pillar {
				pillars++
			}
		}
	}
	t.Logf("%d with an answer, %d of them pillars, %d decoys without one", boards, pillars, decoys)
}
