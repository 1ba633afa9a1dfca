package witness

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	rand "math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"onlooker/solve"
	"onlooker/solve/limits"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/solve/witness/witnesstest"
)

// row is a row of cells that the line cannot part: two paths, one region.
// The words are kinds (S star, Q square, P piece, N blue piece, Y eraser, T
// triangle), a colour (k w r o), and a count or a shape; "." is an empty cell.
func row(t testing.TB, words string) *board.Panel {
	t.Helper()
	cells := strings.Fields(words)
	p := board.New(len(cells), 1, false)
	p.At(image.Pt(0, 2)).Start = true
	p.At(image.Pt(2*len(cells), 0)).Cap = image.Pt(1, 0)
	for i, word := range cells {
		if i > 0 {
			p.At(image.Pt(2*i, 1)).Gap = board.Broken
		}
		if word != "." {
			p.At(image.Pt(2*i+1, 1)).Symbol = symbolOf(t, word)
		}
	}
	return p
}

func symbolOf(t testing.TB, word string) board.Symbol {
	t.Helper()
	kinds := map[byte]board.Kind{'S': board.Star, 'Q': board.Square, 'P': board.Polyomino, 'N': board.Negative, 'Y': board.Eraser, 'T': board.Triangle}
	s := board.Symbol{Kind: kinds[word[0]]}
	s.Colour = s.Kind.About().Implied
	rest := word[1:]
	if rest != "" {
		if c, ok := map[byte]board.Colour{'k': board.Black, 'w': board.White, 'r': board.Red, 'o': board.Orange}[rest[0]]; ok {
			s.Colour, rest = c, rest[1:]
		}
	}
	switch s.Kind {
	case board.Triangle:
		fmt.Sscan(rest, &s.Count)
	case board.Polyomino, board.Negative:
		shape := solvetest.Must(forms.ParseShape(rest))(t)
		s.Shape = shape
	}
	return s
}

// Where implementations differ: each row of testdata/differ.rows with the number of answers under
// witnesspuzzles, windmill and game. Two paths are possible on each. By its order witnesspuzzles.com would say
// 0 for one square and two spare erasers, and 2 where the red square is listed last (see ErasersCancel).
func TestWhereRuleSetsDiffer(t *testing.T) {
	for _, line := range solvetest.Rows(t, "testdata/differ.rows") {
		var c struct {
			why, cells                     string
			witnessPuzzles, windmill, game int
		}
		solvetest.Must(fmt.Sscanf(line, "%q %q %d %d %d", &c.why, &c.cells, &c.witnessPuzzles, &c.windmill, &c.game))(t, line)
		p := row(t, c.cells)
		for _, s := range []struct {
			rules board.RuleSet
			want  int
		}{{board.WitnessPuzzles, c.witnessPuzzles}, {board.Windmill, c.windmill}, {board.Game, c.game}} {
			q := p.Clone()
			q.Rules = s.rules
			solvetest.Same(t, witnesstest.BruteCount(q, 0), s.want, "%s: %s under %s: answers", c.why, c.cells, s.rules)
		}
	}

	for _, c := range []struct {
		why, panel                     string
		witnessPuzzles, windmill, game int
	}{
		{"a dot with its four edges broken, and an eraser",
			"panel 2x2\n+-+->\n|a: |\n+:*:+\n| : |\n@-+-+\na = eraser\n", 2, 2, 2},
		{"equal areas, other shapes",
			"panel 2x2\n+-+->\n|a: |\n+:+:+\n| :b|\n@-+-+\na = piece #/#\nb = negative piece ##\n", 0, 2, 2},
		{"equal areas and shapes",
			"panel 2x2\n+-+->\n|a: |\n+:+:+\n| :b|\n@-+-+\na = piece #/#\nb = negative piece #/#\n", 2, 2, 2},
		{"a cell open to the outside",
			"panel 2x1\n+ ^-+\n  |a|\n+ @-+\na = piece #\n", 2, 1, 2},
		{"a loose line through a piece",
			"panel 2x2\n+-+-^\n|a: |\n+:@-+\n| : :\n+-+-+\na = piece ##/##\n", 0, 1, 1},
		{"a line through an end to another, which has a dot",
			"panel 2x1\n+-^-a\n| : |\n@:+:+\na = end right, dot\n", 1, 1, 1},
		{"a black and a white square on a pillar, and one line from bottom to top: one region",
			"pillar 2x1\n^-+:\n|a:b\n@-+-\na = black square\nb = white square\n", 0, 0, 0},
		{"dots of their own lines",
			"panel 3x1 symmetry=mirror\n>:+-+:<\na | | b\n@:+-+:@\na = own cyan dot\nb = other yellow dot\n", 1, 2, 1},
		{"black dots, either line",
			"panel 3x1 symmetry=mirror\n>:+-+:<\n* | | *\n@:+-+:@\n", 2, 2, 2},
		{"both dots belong to the player's line, and an eraser does not help",
			"panel 3x1 symmetry=mirror\n>:+-+:<\na |c| a\n@:+-+:@\na = own cyan dot\nc = eraser\n", 0, 0, 0},
	} {
		for _, s := range []struct {
			rules board.RuleSet
			want  int
		}{{board.WitnessPuzzles, c.witnessPuzzles}, {board.Windmill, c.windmill}, {board.Game, c.game}} {
			q := witnesstest.Parsed(t, c.panel)
			q.Rules = s.rules
			solvetest.Same(t, witnesstest.BruteCount(q, 0), s.want, "%s under %s: answers %s", c.why, s.rules, Of(q))
		}
	}
}

// Every option changes the number of answers of some board.
func TestEveryOptionMatters(t *testing.T) {
	boards := map[string]string{
		"fixed-new":      "panel 2x1\n+-+->\n|a|b|\n@:+:+\na = 4 arrows up\nb = eraser\n",
		"erasers-cancel": "Y Y", "erasers-share": "Sr Y Y", "erase-freely": "Qr Qw Y Y",
		"erase-in-turn": "Sr Qr Qw Qw Qw Y Y", "erasers-seen": "Sw Yw", "erasers-count": "Sw Sw Yw",
		"erased-count": "Sr Qr Qw Qw Y", "erasers-among-pieces": "P# P# P####### . . Y Y", "overhang": "P### N#",
		"zero-any-shape":     "panel 2x2\n+-+->\n|a: |\n+:+:+\n| :b|\n@-+-+\na = piece #/#\nb = negative piece ##\n",
		"open-cells-outside": "panel 2x1\n+ ^-+\n  |a|\n+ @-+\na = piece #\n",
		"line-blocks-pieces": "panel 2x2\n+-+-^\n|a: |\n+:@-+\n| : :\n+-+-+\na = piece ##/##\n",
		"through-ends":       "panel 2x1\n+-^-a\n| : |\n@:+:+\na = end right, dot\n",
		"shared-starts":      "panel 2x1 symmetry=mirror\n<-+->\n| | |\n+-@-+\n",
		"lone-ends":          "panel 3x1 symmetry=mirror\n<-+-+-+\n| | | |\n@-+-+-@\n",
		"image-ends-part":    "panel 3x4 symmetry=mirror\n+-+ +-+\n| | | |\n<@+ +@>\n|a| |a|\n+-+ +-+\n|b| | |\n+-+ +-+\n| | | |\n+-+ +-+\na = black piece #/#\nb = black eraser\n",
		"coloured-dots":      "panel 3x1 symmetry=mirror\n>:+-+:<\na | | b\n@:+-+:@\na = own cyan dot\nb = other yellow dot\n",
	}
	for _, o := range board.RuleOptions() {
		text, ok := boards[o.Name]
		if !ok {
			t.Errorf("no board for %s", o.Name)
			continue
		}
		var p *board.Panel
		if strings.HasPrefix(text, "panel") {
			p = witnesstest.Parsed(t, text)
		} else {
			p = row(t, text)
		}
		base := board.Game
		if o.Name == "erase-in-turn" {
			base.ErasersCancel = false
		}
		p.Rules = o.With(base, true)
		on := witnesstest.BruteCount(p, 0)
		p.Rules = o.With(base, false)
		if off := witnesstest.BruteCount(p, 0); on == off {
			t.Errorf("%s: %d answers on and off\n%s", o.Name, on, Of(p))
		}
	}
}

// Counts that are known from elsewhere.
func TestKnownCounts(t *testing.T) {
	for _, c := range []struct {
		cols, rows, want int
	}{{1, 1, 2}, {2, 1, 4}, {2, 2, 12}, {3, 3, 184}, {4, 3, 976}, {4, 4, 8512}} {
		p := witnesstest.Corners(c.cols, c.rows, image.Pt(1, 0))
		solvetest.Same(t, witnesstest.BruteCount(p, 0), c.want, "%d×%d: corner paths", c.cols, c.rows)
		// A square in every cell asks for no cut, and none forbids any.
		for at := range p.Points() {
			if board.IsCell(at) {
				p.At(at).Symbol = board.Symbol{Kind: board.Polyomino, Colour: board.Yellow, Shape: []image.Point{{}}}
			}
		}
		solvetest.Same(t, witnesstest.BruteCount(p, 0), c.want, "%d×%d full of single squares: answers", c.cols, c.rows)
		solvetest.Same(t, solvetest.Must(Of(p).Count(t.Context(), 0))(t), c.want, "%d×%d full of single squares: the solver counts", c.cols, c.rows)
	}
}

type verdict struct {
	ID             string
	Size           [2]int
	WitnessPuzzles string
	Windmill       string
	Count          *int
	Why            []string
}

// verdicts are what others found for the panels of the corpus.
func verdicts(t testing.TB) []verdict {
	var all []verdict
	for _, line := range strings.Split(strings.TrimSpace(string(witnesstest.Shared(t, "witness/verdicts.jsonl"))), "\n") {
		var v verdict
		solvetest.OK(t, json.Unmarshal([]byte(line), &v))
		all = append(all, v)
	}
	return all
}

// differs are the verdicts that Check does not follow, and why: our number of
// answers, -1 for at least one.
func differs() map[string]struct {
	answers int
	why     string
} {
	// witnesspuzzles.com pairs spare erasers off only once its search has
	// taken the last of the wrong symbols, in the order in which it flooded
	// the region: an artefact. With that order the counts are 101 and 12.
	const pairs = "spare erasers are paired off whatever the order"
	// The Windmill's search, which lays pieces before blue ones, does not find
	// these. The left region is three squares of 2×2 down the diagonal, less
	// the two cells that they cover twice (a blue piece #./.#). The right one
	// is a column of three with a foot and a square of 2×2, less a cell that
	// they cover twice and one that is outside (two single blue ones).
	//
	//	##..    11..        #..    1..
	//	###.    1*2.        #.#    1-2    - is covered and eaten
	//	.###    .2*3        ###    1*2    * is covered twice, eaten once
	//	..##    ..33
	const fit = "a fit that the other search misses"
	return map[string]struct {
		answers int
		why     string
	}{
		"windmill:525 witnesspuzzles":  {102, pairs},
		"windmill:1350 witnesspuzzles": {18, pairs},
		"windmill:1719 windmill":       {-1, fit},
		"windmill:2124 windmill":       {-1, fit},
	}
}

// agrees compares a number of answers with a verdict; n is enough when it was
// counted to a limit of 1.
func agrees(v verdict, rules board.RuleSet, n int, counted bool) error {
	known, count := v.Windmill, (*int)(nil)
	if rules == board.WitnessPuzzles {
		known, count = v.WitnessPuzzles, v.Count
	}
	if d, ok := differs()[v.ID+" "+rules.Name]; ok {
		if n > 0 && (!counted || d.answers < 0 || n == d.answers) {
			return nil
		}
		return fmt.Errorf("%d answers, want %d (%s)", n, d.answers, d.why)
	}
	if counted && count != nil && n != *count {
		return fmt.Errorf("%d answers, want %d (%v)", n, *count, v.Why)
	}
	if known != "unknown" && (n > 0) != (known == "solvable") {
		return fmt.Errorf("%d answers, want %s (%v)", n, known, v.Why)
	}
	return nil
}

// Brute force agrees with every known verdict on small panels: 9 cells, or 16
// where more is asked for.
func TestVerdicts(t *testing.T) {
	cells := 9
	if solvetest.More() > 1 {
		cells = 16
	}
	link := corpusByName(t)
	boards, counts := 0, 0
	for _, v := range verdicts(t) {
		if v.Size[0]*v.Size[1] > cells {
			continue
		}
		boards++
		p := solvetest.Must(forms.DecodeWindmill(link[v.ID]))(t)
		for _, rules := range []board.RuleSet{board.WitnessPuzzles, board.Windmill} {
			p.Rules = rules
			counted := rules == board.WitnessPuzzles && v.Count != nil
			limit := 1
			if counted {
				limit = 0
				counts++
			}
			if err := agrees(v, rules, witnesstest.BruteCount(p, limit), counted); err != nil {
				t.Errorf("%s under %s: %v\n%s", v.ID, rules, err, Of(p))
			}
		}
	}
	t.Logf("%d boards, %d counts", boards, counts)
}

// The solver agrees with the known verdicts and counts: with one in ten, or with all where more is
// asked for; each panel has 20 s of the processor's time.
func TestVerdictsSolved(t *testing.T) {
	link := corpusByName(t)
	for i, v := range verdicts(t) {
		if i%10 != 0 && solvetest.More() == 1 {
			continue
		}
		p := solvetest.Must(forms.DecodeWindmill(link[v.ID]))(t)
		for _, p.Rules = range []board.RuleSet{board.WitnessPuzzles, board.Windmill} {
			ctx, cancel := witnesstest.Within(20 * time.Second)
			n, counted := 1, p.Rules == board.WitnessPuzzles && v.Count != nil
			answer, err := Of(p).Solve(ctx)
			switch {
			case errors.Is(err, solve.ErrUnsolvable):
				n, err = 0, nil
			case err == nil:
				err = Of(p).Check(t.Context(), answer)
			}
			if err == nil && counted {
				n, err = Of(p).Count(ctx, 0)
			}
			cancel()
			if err == nil {
				err = agrees(v, p.Rules, n, counted)
			}
			if err != nil && (solvetest.More() == 1 || !errors.Is(err, context.Canceled)) {
				t.Errorf("%s under %s: %v\n%s", v.ID, p.Rules, err, Of(p))
			}
		}
	}
}

func corpusByName(t testing.TB) map[string]string {
	names, links := witnesstest.Corpus(t)
	link := map[string]string{}
	for i, name := range names {
		link[name] = links[i]
	}
	return link
}

// sameAnswers compares the solver's answers with brute force's.
func sameAnswers(t *testing.T, p *board.Panel) int {
	t.Helper()
	return bruteAnswers(t, Of(p))
}

func bruteAnswers(t *testing.T, q Puzzle) int {
	p := q.Panel
	t.Helper()
	want := map[string]bool{}
	for a := range witnesstest.BruteForce(q.rooms.rules(), p) {
		want[lineKey(p, a)] = true
	}
	got := map[string]bool{}
	for a, err := range q.All(context.Background()) {
		if err != nil {
			t.Fatalf("%v\n%s", err, forms.String(p))
		}
		k := lineKey(p, a)
		if got[k] {
			t.Fatalf("%s twice, of\n%s", k, forms.String(p))
		}
		if got[k] = true; !want[k] {
			t.Fatalf("%s is no answer of\n%s", k, forms.String(p))
		}
	}
	for k := range want {
		if !got[k] {
			t.Fatalf("%d answers, %d found; missed %s, of\n%s", len(want), len(got), k, forms.String(p))
		}
	}
	a, err := q.Solve(context.Background())
	if len(want) == 0 && !errors.Is(err, solve.ErrUnsolvable) || len(want) > 0 && (err != nil || q.Check(t.Context(), a) != nil) {
		t.Fatalf("%d answers, but Solve says %v, %v, of\n%s", len(want), a, err, forms.String(p))
	}
	return len(want)
}

// lineKey names an answer, the same whichever way it is written on a pillar.
func lineKey(p *board.Panel, a solve.Solution) string {
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
		p := witnesstest.AnyPanel(rand.New(rand.NewPCG(seed, 7)))
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
		solvetest.Same(t, sameAnswers(t, witnesstest.Parsed(t, row.panel)), row.want, "%s: answers", row.why)
	}
}

// On a pillar of two columns the cells of a row meet on both hands: a line on one
// of them bars a piece there, and none on the other.
func TestPieceOnTwoColumns(t *testing.T) {
	p := witnesstest.Parsed(t, "pillar 2x3 rules=witnesspuzzles\n@-+-\n| |b\n+-^-\n|c|d\n+-v-\n| |b\n+-+-\nb = black piece #\nc = colourless piece #\nd = turned colourless piece ##/#.\n")
	if n := sameAnswers(t, p); n == 0 {
		t.Errorf("no answer to\n%s", Of(p))
	}
}

// However soon its context ends a search gives an answer, or says that it ended; what was
// found and not looked at is no mistake of the search.
func TestSolveEndsWithItsContext(t *testing.T) {
	panels := map[string]*board.Panel{"triangles": witnesstest.Parsed(t, "panel 3x3\n+-+-+->\n|a| |a|\n+-+-+-+\n| |a| |\n+-+-+-+\n|a| | |\n@-+-+-+\na = 2 triangles\n")}
	if text, err := os.ReadFile(solvetest.Shared("outside", "break", "p2097.json")); err == nil {
		if panels["p2097.json"], err = forms.DecodeJSON(text); err != nil {
			t.Fatal(err)
		}
	}
	for name, p := range panels {
		given := 0
		for steps := 1; steps < 1<<14; steps *= 64 {
			s, err := Of(p).Solve(limits.WithSteps(t.Context(), steps))
			switch {
			case err == nil:
				given++
				solvetest.Fine(t, Of(p).Check(t.Context(), s), fmt.Sprintf("%s, %d steps", name, steps))
			case !errors.Is(err, context.DeadlineExceeded) || strings.Contains(err.Error(), "internal"):
				t.Errorf("%s, %d steps: %v", name, steps, err)
			}
		}
		if given == 0 {
			t.Errorf("%s: no answer with any number of steps", name)
		}
	}
}
