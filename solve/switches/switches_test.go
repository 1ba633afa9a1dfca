package switches

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"onlooker/solve"
	"onlooker/solve/solvetest"
)

func decode(t testing.TB, file string) *Puzzle {
	t.Helper()
	data := solvetest.Must(os.ReadFile(file))(t)
	for _, f := range Family.Formats {
		if !f.Sniff(data) {
			continue
		}
		for p, err := range f.Decode(bytes.NewReader(data)) {
			solvetest.OK(t, err, file)
			return p.(*Puzzle)
		}
	}
	t.Fatalf("%s: no format wants it", file)
	return nil
}

func parse(t testing.TB, text string) *Puzzle {
	t.Helper()
	p, err := Parse(text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return p
}

func text(t testing.TB, p *Puzzle) string {
	t.Helper()
	b := solvetest.Must(p.MarshalText())(t)
	return string(b)
}

// randomSpec makes small boards of all kinds, half of them with an answer.
func randomSpec(rng *rand.Rand) Spec {
	s := Spec{}
	n := 1 + rng.IntN(10)
	if rng.IntN(2) == 0 {
		s.Cols = 1 + rng.IntN(4)
		s.Rows = max(1, n/s.Cols)
		n = s.Cols * s.Rows
	}
	for i := range n {
		node := Node{Kind: Kind(rng.IntN(12))}
		if node.Kind > Hole || s.Rows == 0 && node.Kind == Hole {
			node.Kind = Both
		}
		if s.Rows == 0 {
			node.Name = fmt.Sprintf("n%d", i)
		}
		if node.Kind == Both || node.Kind == Lamp {
			node.Now, node.Want = rng.IntN(2), 1
			if rng.IntN(3) == 0 {
				node.Want = rng.IntN(2)
			}
		}
		s.Nodes = append(s.Nodes, node)
	}
	if s.Rows > 0 && rng.IntN(2) == 0 {
		ps := patterns()
		s.Flips = ps[rng.IntN(len(ps))].flips(&s, wraps()[rng.IntN(4)])
	}
	has := map[Flip]bool{}
	for _, f := range s.Flips {
		has[f] = true
	}
	dense := 1 + rng.IntN(5)
	for i, a := range s.Nodes {
		for j, b := range s.Nodes {
			if (a.Kind == Both || a.Kind == Button) && (b.Kind == Both || b.Kind == Lamp) && !has[Flip{i, j}] && rng.IntN(dense) == 0 {
				s.Flips = append(s.Flips, Flip{i, j})
			}
		}
	}
	if rng.IntN(2) == 0 { // wanted is what some clicks give
		for i := range s.Nodes {
			s.Nodes[i].Want = s.Nodes[i].Now
		}
		times := make([]int, n)
		for i := range times {
			times[i] = rng.IntN(2)
		}
		for _, f := range s.Flips {
			b := &s.Nodes[f.Bulb]
			b.Want = (b.Want + times[f.Switch]) % 2
		}
	}
	return s
}

// brute tries every number of clicks on every switch, on the description and
// not on the puzzle; it returns how many flips each answer takes.
func brute(s Spec) []int {
	var costs []int
	times := make([]int, len(s.Nodes))
	for {
		ok, cost := true, 0
		for i, n := range s.Nodes {
			if times[i] > 0 && (n.Kind == Lamp || n.Kind == Hole) {
				ok = false
			}
			cost += times[i]
		}
		state := make([]int, len(s.Nodes))
		for i, n := range s.Nodes {
			state[i] = n.Now
		}
		for _, f := range s.Flips {
			state[f.Bulb] += times[f.Switch]
		}
		for i, n := range s.Nodes {
			ok = ok && state[i]%2 == n.Want
		}
		if ok {
			costs = append(costs, cost)
		}
		i := 0
		for ; i < len(times) && times[i] == 1; i++ {
			times[i] = 0
		}
		if i == len(times) {
			slices.Sort(costs)
			return costs
		}
		times[i]++
	}
}

func TestBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	ctx := context.Background()
	solved, oneWay := 0, 0
	kinds := map[string]int{} // boards with an answer
	for round := range 3000 {
		s := randomSpec(rng)
		p, err := New(s)
		if err != nil {
			t.Fatalf("round %d: %v: %+v", round, err, s)
		}
		board := text(t, p)
		want := brute(s)
		if slices.ContainsFunc(s.Flips, func(f Flip) bool { return !slices.Contains(s.Flips, Flip{f.Bulb, f.Switch}) }) {
			oneWay++
		}
		if n, err := p.Count(ctx, 0); n != len(want) || err != nil {
			t.Fatalf("round %d: %d answers, %v, want %d:\n%s", round, n, err, len(want), board)
		}
		if n, _ := p.Count(ctx, 2); n != min(2, len(want)) {
			t.Fatalf("round %d: %d answers counted to 2, want %d:\n%s", round, n, min(2, len(want)), board)
		}
		var costs []int
		seen := map[string]bool{}
		for a, err := range p.All(ctx) {
			if err == nil {
				err = p.Check(t.Context(), a)
			}
			if err != nil {
				t.Fatalf("round %d: %v in\n%s", round, err, board)
			}
			costs = append(costs, len(a))
			seen[fmt.Sprint(a)] = true
		}
		if !slices.Equal(costs, want) || len(seen) != len(want) {
			t.Fatalf("round %d: all answers, %d different, take %v, want %v:\n%s", round, len(seen), costs, want, board)
		}
		best, err := p.Fewest(ctx)
		if len(want) == 0 {
			if !errors.Is(err, solve.ErrUnsolvable) {
				t.Fatalf("round %d: %v, want no solution:\n%s", round, err, board)
			}
			proof, err := p.Why(ctx)
			if err == nil {
				err = p.CheckProof(context.Background(), proof)
			}
			if err != nil {
				t.Fatalf("round %d: %v in\n%s", round, err, board)
			}
			if len(proof.Where()) == 0 {
				t.Fatalf("round %d: a proof of nowhere: %s", round, proof.Text())
			}
			continue
		}
		solved++
		for kind, is := range map[string]bool{
			"grid": s.Rows > 0, "plain graph": s.Rows == 0, "one column or row": s.Rows > 0 && min(s.Cols, s.Rows) == 1 && len(s.Nodes) > 1,
			"lamps":   slices.ContainsFunc(s.Nodes, func(n Node) bool { return n.Kind == Lamp }),
			"buttons": slices.ContainsFunc(s.Nodes, func(n Node) bool { return n.Kind == Button }),
			"holes":   slices.ContainsFunc(s.Nodes, func(n Node) bool { return n.Kind == Hole }),
		} {
			if is {
				kinds[kind]++
			}
		}
		if err != nil || best.Cost != want[0] || best.Bound != want[0] || len(best.Solution) != want[0] {
			t.Fatalf("round %d: fewest %+v, %v, want %d:\n%s", round, best, err, want[0], board)
		}
		if _, err := p.Why(ctx); err == nil {
			t.Fatalf("round %d: says why, but has answers:\n%s", round, board)
		}
	}
	for _, kind := range []string{"grid", "plain graph", "one column or row", "lamps", "buttons", "holes"} {
		if kinds[kind] < 100 {
			t.Errorf("%s: %d boards with an answer, too few to mean anything", kind, kinds[kind])
		}
	}
	if solved < 1000 || solved > 2500 || oneWay < 1000 {
		t.Errorf("%d of 3000 boards have answers and %d one-way lines: the mix is poor", solved, oneWay)
	}
}

// TestUnordered compares All where answers are too many to put in order with
// the ordered list.
func TestUnordered(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	ctx := context.Background()
	for round := range 200 {
		p := solvetest.Must(New(randomSpec(rng)))(t)
		a, err := p.answers(context.Background(), true)
		if err != nil {
			continue
		}
		var want, got []string
		for s := range p.All(ctx) {
			want = append(want, fmt.Sprint(s))
		}
		a.unordered(ctx, func(s solve.Solution, err error) bool {
			solvetest.OK(t, err)
			got = append(got, fmt.Sprint(s))
			return true
		})
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("round %d: got %d answers, want %d: %v, %v", round, len(got), len(want), got, want)
		}
	}
}

// TestRoundTrip asks that the text says all that the puzzle is.
func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for round := range 3000 {
		p := solvetest.Must(New(randomSpec(rng)))(t)
		first := text(t, p)
		q := parse(t, first)
		if fmt.Sprint(p.Spec()) != fmt.Sprint(q.Spec()) {
			t.Fatalf("round %d: read back as\n%+v, want\n%+v, from\n%s", round, q.Spec(), p.Spec(), first)
		}
		if !sniffText([]byte(first)) {
			t.Fatalf("round %d: not recognised:\n%s", round, first)
		}
		// The same on one line.
		q = parse(t, strings.ReplaceAll(strings.TrimSpace(first), "\n", " / "))
		if text(t, q) != first {
			t.Fatalf("round %d: on one line read as\n%s, want\n%s", round, text(t, q), first)
		}
	}
}

func clicks(at ...int) solve.Solution {
	var s solve.Solution
	for i := 0; i < len(at); i += 2 {
		s = append(s, solve.Stroke{image.Pt(at[i], at[i+1])})
	}
	return s
}

func TestCheck(t *testing.T) {
	const row = "grid 3x1\noo*\n" // the left switch lights both dark bulbs
	const mixed = "grid 4x1\nlamps: 3,0\no+.*\n"
	rows := []struct {
		name, board string
		strokes     solve.Solution
		rule        string
		at          image.Point
	}{
		{"right", row, clicks(1, 1), "", image.Point{}},
		{"any order, repeats cancel", row, clicks(5, 1, 1, 1, 5, 1), "", image.Point{}},
		{"nothing done", row, nil, ruleWanted, image.Pt(1, 1)},
		{"the wrong switch", row, clicks(5, 1), ruleWanted, image.Pt(1, 1)},
		{"a drag", row, solve.Solution{{image.Pt(1, 1), image.Pt(3, 1)}}, ruleClick, image.Pt(1, 1)},
		{"an empty stroke", row, solve.Solution{{}}, ruleClick, image.Point{}},
		{"between two cells", row, clicks(2, 1), ruleClick, image.Pt(2, 1)},
		{"left of the board", row, clicks(-1, 1), ruleClick, image.Pt(-1, 1)},
		{"below the board", row, clicks(1, 3), ruleClick, image.Pt(1, 3)},
		{"right of the board", row, clicks(7, 1), ruleClick, image.Pt(7, 1)},
		{"a switch that is no bulb", mixed, clicks(3, 1), "", image.Point{}},
		{"a bulb without a switch", mixed, clicks(7, 1), ruleClick, image.Pt(7, 1)},
		{"no cell", mixed, clicks(5, 1), ruleClick, image.Pt(5, 1)},
	}
	seen := map[string]bool{}
	for _, r := range rows {
		err := parse(t, r.board).Check(t.Context(), r.strokes)
		seen[r.rule] = true
		if r.rule == "" {
			solvetest.Fine(t, err, r.name)
			continue
		}
		var broken *solve.RuleError
		if !errors.As(err, &broken) || broken.Rule != r.rule || broken.At != r.at {
			t.Errorf("%s: %v, want rule %s at %v", r.name, err, r.rule, r.at)
		}
	}
	for _, r := range Family.Rules {
		if !seen[r.Name] {
			t.Errorf("no row breaks rule %s", r.Name)
		}
	}
}

// TestMalformed: testdata/refused.rows has text and a part of the error.
func TestMalformed(t *testing.T) {
	for _, row := range solvetest.Rows(t, "testdata/refused.rows") {
		var r struct{ text, want string }
		solvetest.Must(fmt.Sscanf(row, "%q %q", &r.text, &r.want))(t, row)
		if p, err := Parse(r.text); err == nil || !strings.Contains(err.Error(), r.want) {
			t.Errorf("%q: %v, %v, want %q", r.text, p, err, r.want)
		}
	}
	for _, r := range []struct{ text, want string }{
		{"a b c\na\na b\nb d\n", `line 2: got "a", want "a b" or "a > b" (line 1 is no list of all names, as "d" of line 4 is not there)`},
		{"a b c d\na\na b c d\n", `line 3: got "a b c d", want "a b" or "a > b"`},
		{"a b\na\na b\nb a\n", `line 4: got "b a", but line 3 joins them already`},
		{"a b\na\na a\n", `line 3: got "a" joined to itself`},
		{"a b a\na\na b\n", `line 1: the name "a" is there twice`},
		{"a b\na a\na b\n", `line 2: "a" needs flipping twice`},
		{"a b\na b\na c=d\n", `line 3: got the name "c=d"`},
	} {
		var err error
		for _, e := range decodeConnections(strings.NewReader(r.text)) {
			err = e
		}
		if err == nil || !strings.Contains(err.Error(), r.want) {
			t.Errorf("%q: %v, want %q", r.text, err, r.want)
		}
	}
}

// TestManyBoards reads on after a broken board.
func TestManyBoards(t *testing.T) {
	file := "# three boards\ngrid 2x1\n**\n\ngrid 2x1\n*\nswitches\nnames: a\ngrid 1x2 / * / o\ngrid 1x1\no\n"
	var got []string
	for p, err := range decodeBoards(isHeader, board.parse)(strings.NewReader(file)) {
		if err != nil {
			got = append(got, err.Error())
			continue
		}
		got = append(got, text(t, p.(*Puzzle)))
	}
	want := []string{"grid 2x1\n**\n", "switches: line 6: got 1 cells, want 2", "switches\nnames: a\n", "grid 1x2\n*\no\n", "grid 1x1\no\n"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestConnections reads the form with and without the line of names.
func TestConnections(t *testing.T) {
	for _, r := range []struct{ name, text, want string }{
		{"names first", "a b c\nb c\na b\nb c\n", "switches\nnames: a b c\nlit: a\na b\nb c\n"},
		{"names left out", "b\na b\nb c\n", "switches\nnames: b a c\nlit: a c\nb a\nb c\n"},
		{"nothing to flip", "a b\n\na b\n", "switches\nnames: a b\nlit: a b\na b\n"},
		{"one-way", "a b\na\nb > a\n", "switches\nnames: a b\nlit: b\nb > a\n"},
		{"on one line", "a b c / b c / a b / b c", "switches\nnames: a b c\nlit: a\na b\nb c\n"},
	} {
		n := 0
		for p, err := range decodeConnections(strings.NewReader(r.text)) {
			n++
			if err != nil {
				t.Errorf("%s: %v", r.name, err)
			} else if got := text(t, p.(*Puzzle)); got != r.want {
				t.Errorf("%s: got\n%s, want\n%s", r.name, got, r.want)
			}
		}
		solvetest.Same(t, n, 1, "%s: boards", r.name)
		if !sniffConnections([]byte(r.text)) {
			t.Errorf("%s: not recognised", r.name)
		}
	}
}

// TestMatrix reads any toggle matrix, and says what is wrong with one.
func TestMatrix(t *testing.T) {
	read := func(text string) (*Puzzle, error) {
		var found *Puzzle
		for p, err := range decodeBoards(isMatrix, board.matrix)(strings.NewReader(text)) {
			if err != nil {
				return nil, err
			}
			found = p.(*Puzzle)
		}
		return found, nil
	}
	for _, r := range []struct{ why, text, want string }{
		{"as many switches as bulbs", "matrix\n110\n111\n011\nlit: 2\n", "switches\nnames: 1 2 3\nlit: 2\n1 2\n2 3\n"},
		{"with spaces", "matrix\n1 1\n0 1\n", "switches\nnames: 1 2\n1 > 2\n"},
		{"a switch that does not flip its own bulb", "matrix\n01\n10\n", "switches\nnames: 1 2\nnot own: 1 2\n1 2\n"},
		{"a switch that flips nothing", "matrix\n00\n11\n", "switches\nnames: 1 2\nnot own: 1\n2 > 1\n"},
		{"more switches than bulbs", "matrix\n10\n01\n11\n", "switches\nnames: b1 b2 s1 s2 s3\nlamps: b1 b2\nbuttons: s1 s2 s3\ns1 > b1\ns2 > b2\ns3 > b1\ns3 > b2\n"},
		{"more bulbs, with names", "matrix\nnames: x y z\n11\nwant: x\n", "switches\nnames: x y z\nlamps: x y\nbuttons: z\nwant: x\nz > x\nz > y\n"},
	} {
		p, err := read(r.text)
		if err != nil {
			t.Errorf("%s: %v", r.why, err)
			continue
		}
		solvetest.Same(t, text(t, p), r.want, "%s", r.why)
	}
	for _, r := range []struct{ text, want string }{
		{"matrix\n", "line 1: got no rows, want one for each switch"},
		{"matrix\n10\n011\n", "line 3: got 3 columns, want 2 as in line 2"},
		{"matrix\n10\n02\n", `line 3: got "2" in column 2, want 0 or 1`},
		{"matrix\n1\nlit: 2\n", `line 3: got "2", which is no name`},
		{"matrix\nnames: a b\n1\n", "line 2: got 2 names, want 1"},
		{"matrix\nwrap: both\n1\n", `line 2: got "wrap:", want one of names: lit: want:`},
	} {
		if p, err := read(r.text); err == nil || !strings.Contains(err.Error(), r.want) {
			t.Errorf("%q: %v, %v, want %q", r.text, p, err, r.want)
		}
	}
}

// TestSniff leaves other families' boards alone.
func TestSniff(t *testing.T) {
	for _, text := range []string{
		"FTTFT\nTTFTT\nTTTFT\nFTTTF\n",
		"A..B\n....\nA..B\n",
		"1 . . 2\n. . . .\n1 . . 2\n",
		"puzzle a\nsize 5 5\ntopo square\npairs 1-2 3-4\n",
		"xxxx xx\nx0 0 0x\nxxxx xx\n", // walls and cells, with openings
		"0x0x0\n", "", "\n\n", "a\n", "grid\n",
		"7,0,1,4;0,1,2;3,4,5\n",
		"1 . 2\n1 .\n",           // a ragged board of numbers
		"hello world\nfoo bar\n", // nothing that needs flipping is joined
	} {
		if sniffText([]byte(text)) || sniffConnections([]byte(text)) {
			t.Errorf("%q: taken for switches", text)
		}
	}
}

// TestProofs asks that CheckProof refuses what proves nothing.
func TestProofs(t *testing.T) {
	p := parse(t, "grid 5x5\no****\n*****\n*****\n*****\n*****\n")
	proof := solvetest.Must(p.Why(context.Background()))(t)
	solvetest.OK(t, p.CheckProof(context.Background(), proof))
	good := proof.(*Certificate).Bulbs
	spoilt := func(bulbs ...int) *Certificate { return &Certificate{p: p, Bulbs: bulbs} }
	for name, bad := range map[string]solve.Proof{
		"empty":         spoilt(),
		"one bulb less": spoilt(good[1:]...),
		"out of range":  spoilt(append(slices.Clone(good), 25)...),
		"twice":         spoilt(append(slices.Clone(good), good[0])...),
		"another kind":  otherProof{},
	} {
		if err := p.CheckProof(context.Background(), bad); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	solvable := parse(t, "grid 5x5\n*****\n*****\n*****\n*****\n*****\n")
	if err := solvable.CheckProof(context.Background(), proof); err == nil {
		t.Error("the proof is accepted for a board that has an answer")
	}
}

type otherProof struct{}

func (otherProof) Text() string         { return "" }
func (otherProof) Where() []image.Point { return nil }

// TestShared answers the boards beside the project.
func TestShared(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(solvetest.Collected(t, "switches"), "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		p := decode(t, file)
		best, err := p.Fewest(context.Background())
		if err == nil {
			err = p.Check(t.Context(), best.Solution)
		}
		if errors.Is(err, solve.ErrUnsolvable) {
			proof, err := p.Why(context.Background())
			if err == nil {
				err = p.CheckProof(context.Background(), proof)
			}
			solvetest.Fine(t, err, file)
			continue
		}
		if err != nil || best.Cost != best.Bound {
			t.Errorf("%s: %d flips, at least %d: %v", file, best.Cost, best.Bound, err)
		}
		if filepath.Base(file) == "taw_ep68_4x3.txt" {
			var got []string
			for _, stroke := range best.Solution {
				got = append(got, strings.TrimPrefix(p.Tell(stroke), "flip "))
			}
			if want := "a b e f g i j k"; strings.Join(got, " ") != want {
				t.Errorf("%s: flip %v, want %s", file, got, want)
			}
		}
	}
}

// TestFewestGrids proves the fewest flips on grids up to 20×20, the ones with
// the largest kernels among them.
func TestFewestGrids(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for _, size := range [][2]int{{1, 1}, {1, 20}, {5, 5}, {9, 9}, {11, 20}, {14, 14}, {16, 16}, {19, 19}, {19, 20}, {20, 20}} {
		p := Generate(rng, size[0], size[1])
		best, err := p.Fewest(context.Background())
		if err == nil {
			err = p.Check(t.Context(), best.Solution)
		}
		if err != nil || best.Bound != best.Cost || best.Cost != len(best.Solution) || best.Cost == 0 {
			t.Errorf("%v: %d strokes, cost %d, bound %d: %v", size, len(best.Solution), best.Cost, best.Bound, err)
		}
	}
}

// TestTooLarge has a kernel of 2^32 that falls into no parts: an answer, and
// an honest bound.
func TestTooLarge(t *testing.T) {
	p := Generate(rand.New(rand.NewPCG(5, 1)), 39, 39)
	best, err := p.Fewest(context.Background())
	if err == nil {
		err = p.Check(t.Context(), best.Solution)
	}
	if err != nil || best.Bound >= best.Cost || best.Bound < 1 {
		t.Errorf("cost %d, bound %d: %v; want a bound between", best.Cost, best.Bound, err)
	}
	solvetest.Same(t, solvetest.Must(p.Count(context.Background(), 0))(t), 1<<32, "answers")
	n := 0
	for s, err := range p.All(context.Background()) {
		if err == nil {
			err = p.Check(t.Context(), s)
		}
		solvetest.OK(t, err)
		if n++; n == 50 {
			break
		}
	}
	wide := "switches\nnames:"
	for i := range 80 {
		wide += fmt.Sprintf(" s%d", i)
	}
	wide += "\nbuttons:" + strings.TrimPrefix(wide, "switches\nnames:") + "\n"
	if n, err := parse(t, wide).Count(context.Background(), 0); err == nil {
		t.Errorf("2^80 answers counted as %d", n)
	}
	// Switches that flip nothing: 2^90000 answers, and one to do nothing.
	idle := parse(t, "grid 300x300\nflips: none\n"+strings.Repeat(strings.Repeat("*", 300)+"\n", 300))
	if s, err := idle.Solve(context.Background()); err != nil || len(s) != 0 {
		t.Errorf("%d flips, %v, want none", len(s), err)
	}
	solvetest.Same(t, solvetest.Must(parse(t, wide).Count(context.Background(), 100))(t), 100, "2^80 answers counted to 100")
}

func TestFamily(t *testing.T)      { solvetest.Run(t, Family) }
func BenchmarkFamily(b *testing.B) { solvetest.Bench(b, Family) }
func FuzzDecode(f *testing.F)      { solvetest.FuzzDecode(f, Family, "text") }
func FuzzConnections(f *testing.F) { solvetest.FuzzDecode(f, Family, "connections") }
func FuzzRows(f *testing.F)        { solvetest.FuzzDecode(f, Family, "rows") }
func FuzzFlip(f *testing.F)        { solvetest.FuzzDecode(f, Family, "flip") }
func FuzzMatrix(f *testing.F)      { solvetest.FuzzDecode(f, Family, "matrix") }
func FuzzSolve(f *testing.F)       { solvetest.FuzzSolve(f, Family, 200) }

// BenchmarkGrid answers with the fewest flips; the bars are 20 µs for 5×5,
// 10 ms for 40×40 and 0.5 s for 100×100.
func BenchmarkGrid(b *testing.B) {
	for _, n := range []int{5, 16, 19, 20, 30, 40, 100} {
		p := Generate(rand.New(rand.NewPCG(6, uint64(n))), n, n)
		b.Run(fmt.Sprintf("%dx%d", n, n), func(b *testing.B) {
			for b.Loop() {
				solvetest.Must(p.Solve(context.Background()))(b)
			}
		})
	}
}

// Parse reads one board.
func Parse(text string) (*Puzzle, error) {
	p, err := Family.Parse(text)
	q, _ := p.(*Puzzle)
	return q, err
}
