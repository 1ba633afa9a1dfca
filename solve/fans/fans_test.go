package fans

import (
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

func mustParse(t testing.TB, text string) *Puzzle {
	t.Helper()
	p, err := Parse(text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return p
}

func text(p *Puzzle) string {
	b, _ := p.MarshalText()
	return string(b)
}

// letters is an answer's directions in reading order.
func letters(t testing.TB, p *Puzzle, s solve.Solution) string {
	t.Helper()
	var b strings.Builder
	for _, stroke := range s {
		switch stroke[1].Sub(stroke[0]) {
		case image.Pt(0, -2):
			b.WriteByte('N')
		case image.Pt(2, 0):
			b.WriteByte('E')
		case image.Pt(0, 2):
			b.WriteByte('S')
		case image.Pt(-2, 0):
			b.WriteByte('W')
		}
	}
	return b.String()
}

// random is any board, with an answer or not.
func random(rng *rand.Rand) *Puzzle {
	p := &Puzzle{cols: 1 + rng.IntN(6), rows: 1 + rng.IntN(4)}
	if rng.IntN(4) == 0 {
		p.cols, p.rows = 1+rng.IntN(10), 1
	}
	if rng.IntN(2) == 0 {
		p.cols, p.rows = p.rows, p.cols
	}
	if rng.IntN(3) == 0 {
		p = Generate(rng, p.cols, p.rows)
	} else {
		mix := []string{"FTT.", "FTTT..", "FTTTT.."}[rng.IntN(3)]
		for range p.cols * p.rows {
			p.cell = append(p.cell, mix[rng.IntN(len(mix))])
		}
	}
	// At most six fans to be turned: brute force tries 4^6 ways.
	n := 0
	for i, ch := range p.cell {
		if ch == 'F' {
			if n++; n > 6 {
				p.cell[i] = empty
			}
		}
	}
	return p
}

// brute tries every direction of every fan on the rows of text.
func brute(text string) (all, groups int) {
	text = strings.TrimPrefix(text, "fans\n")
	rows := strings.Split(strings.TrimSpace(text), "\n")
	type at struct{ r, c int }
	var turnable []at
	for r, row := range rows {
		for c, ch := range row {
			if ch == 'F' {
				turnable = append(turnable, at{r, c})
			}
		}
	}
	steps := map[byte][2]int{'N': {-1, 0}, 'E': {0, 1}, 'S': {1, 0}, 'W': {0, -1}}
	seen := map[string]bool{}
	total := 1
	for range turnable {
		total *= 4
	}
	for code := range total {
		grid := make([][]byte, len(rows))
		for r := range rows {
			grid[r] = []byte(rows[r])
		}
		for i, n := 0, code; i < len(turnable); i, n = i+1, n/4 {
			a := turnable[i]
			grid[a.r][a.c] = "NESW"[n%4]
		}
		reached := map[at]bool{}
		key := ""
		for r := range grid {
			for c, ch := range grid[r] {
				d, ok := steps[ch]
				if !ok {
					continue
				}
				useful := false
				for y, x := r+d[0], c+d[1]; y >= 0 && x >= 0 && y < len(grid) && x < len(grid[0]); y, x = y+d[0], x+d[1] {
					if grid[y][x] == 'T' {
						reached[at{y, x}] = true
						useful = true
					}
				}
				if useful {
					key += fmt.Sprint(r, c, string(ch), ";")
				}
			}
		}
		ok := true
		for r := range grid {
			for c, ch := range grid[r] {
				ok = ok && (ch != 'T' || reached[at{r, c}])
			}
		}
		if !ok {
			continue
		}
		all++
		seen[key] = true
	}
	return all, len(seen)
}

func TestBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	ctx := context.Background()
	solved, thin := 0, 0 // boards with an answer
	for round := range 3000 {
		p := random(rng)
		board := text(p)
		all, groups := brute(board)
		if n, err := p.Count(ctx, 0); n != all || err != nil {
			t.Fatalf("round %d: %d answers, %v, want %d:\n%s", round, n, err, all, board)
		}
		if n, err := p.Count(ctx, 3); n != min(3, all) || err != nil {
			t.Fatalf("round %d: %d answers, %v, counted to 3, want %d:\n%s", round, n, err, min(3, all), board)
		}
		if n, _, err := p.CountGroups(ctx, 0); n != groups || err != nil {
			t.Fatalf("round %d: %d groups, %v, want %d:\n%s", round, n, err, groups, board)
		}
		seen := map[string]bool{}
		for s, err := range p.All(ctx) {
			if err == nil {
				err = p.Check(t.Context(), s)
			}
			if err != nil {
				t.Fatalf("round %d: %v in\n%s", round, err, board)
			}
			seen[letters(t, p, s)] = true
		}
		if len(seen) != all {
			t.Fatalf("round %d: all %d answers, want %d:\n%s", round, len(seen), all, board)
		}
		answer, err := p.Solve(ctx)
		if all == 0 {
			if !errors.Is(err, solve.ErrUnsolvable) {
				t.Fatalf("round %d: %v, want no solution:\n%s", round, err, board)
			}
			proof, err := p.Why(ctx)
			if err == nil {
				err = p.CheckProof(context.Background(), proof)
			}
			if err != nil || len(proof.Where()) == 0 {
				t.Fatalf("round %d: %v in\n%s", round, err, board)
			}
			// None of the turbines is named for nothing.
			core := proof.(*Conflict)
			for i := range core.Turbines {
				less := &Conflict{Turbines: slices.Delete(slices.Clone(core.Turbines), i, i+1)}
				if p.CheckProof(context.Background(), less) == nil {
					t.Fatalf("round %d: %s: turbine %d is not needed in\n%s", round, proof.Text(), i, board)
				}
			}
			continue
		}
		solved++
		if min(p.cols, p.rows) == 1 {
			thin++
		}
		if err == nil {
			err = p.Check(t.Context(), answer)
		}
		if err != nil {
			t.Fatalf("round %d: %v in\n%s", round, err, board)
		}
		if _, err := p.Why(ctx); err == nil {
			t.Fatalf("round %d: says why, but has answers:\n%s", round, board)
		}
	}
	if thin < 100 {
		t.Errorf("%d boards of one row or column have answers, too few to mean anything", thin)
	}
	if solved < 800 || solved > 2500 {
		t.Errorf("%d of 3000 boards have answers: the mix is poor", solved)
	}
}

func TestShrine(t *testing.T) {
	p := mustParse(t, "FTTFT/TTFTT/TTTFT/FTTTF")
	s, err := p.Solve(context.Background())
	if err == nil {
		err = p.Check(t.Context(), s)
	}
	if got := letters(t, p, s); err != nil || got != "ESWWEN" {
		t.Errorf("%s, %v, want ESWWEN", got, err)
	}
	solvetest.Same(t, solvetest.Must(p.Count(context.Background(), 0))(t), 1, "answers")
}

// TestTell reads the words of an answer: where to, and whether it matters.
func TestTell(t *testing.T) {
	p := mustParse(t, "TF.\n..F\n")
	var got []string
	for _, s := range (solve.Solution{{image.Pt(3, 1), image.Pt(1, 1)}, {image.Pt(5, 3), image.Pt(5, 5)}}) {
		got = append(got, p.Tell(s))
	}
	if want := []string{"fan in column 2 row 1: west", "fan in column 3 row 2: south, reaching no turbine"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCheck(t *testing.T) {
	at := func(points ...int) solve.Stroke {
		var s solve.Stroke
		for i := 0; i < len(points); i += 2 {
			s = append(s, image.Pt(points[i], points[i+1]))
		}
		return s
	}
	const board = "FT.\nT.F\n..T\n" // the first fan faces two turbines; (2,1) can blow down
	right := at(1, 1, 3, 1)
	down := at(5, 3, 5, 5)
	rows := []struct {
		name  string
		board string
		s     solve.Solution
		rule  string
		at    image.Point
	}{
		{"one fan each", "FT\nTF\n", solve.Solution{at(1, 1, 3, 1), at(3, 3, 1, 3)}, "", image.Point{}},
		{"in any order", "FT\nTF\n", solve.Solution{at(3, 3, 1, 3), at(1, 1, 3, 1)}, "", image.Point{}},
		{"off the border", "TF\nTF\n", solve.Solution{at(3, 1, 1, 1), at(3, 3, 1, 3)}, "", image.Point{}},
		{"a fan that does nothing still blows", "FTF\n", solve.Solution{at(1, 1, 3, 1), at(5, 1, 7, 1)}, "", image.Point{}},
		{"wind goes over fans and turbines", "FTFT\n", solve.Solution{at(1, 1, 3, 1), at(5, 1, 5, -1)}, "", image.Point{}},
		{"one turbine left", board, solve.Solution{right, down}, ruleTurbine, image.Pt(1, 3)},
		{"a fan left out", board, solve.Solution{right}, ruleOne, image.Pt(5, 3)},
		{"a fan twice", board, solve.Solution{right, down, right}, ruleOne, image.Pt(1, 1)},
		{"a turbine is turned", board, solve.Solution{at(3, 1, 1, 1)}, ruleStroke, image.Pt(3, 1)},
		{"a click", board, solve.Solution{at(1, 1)}, ruleStroke, image.Pt(1, 1)},
		{"an empty stroke", board, solve.Solution{nil}, ruleStroke, image.Point{}},
		{"two cells far", board, solve.Solution{at(1, 1, 5, 1)}, ruleStroke, image.Pt(1, 1)},
		{"off the board", board, solve.Solution{at(-1, 1, 1, 1)}, ruleStroke, image.Pt(-1, 1)},
		{"from an edge", board, solve.Solution{at(2, 1, 4, 1)}, ruleStroke, image.Pt(2, 1)},
	}
	seen := map[string]bool{}
	for _, r := range rows {
		err := mustParse(t, r.board).Check(t.Context(), r.s)
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

func TestMalformed(t *testing.T) {
	for _, line := range solvetest.Rows(t, "testdata/refused.rows") {
		var r struct{ text, want string }
		solvetest.Must(fmt.Sscanf(line, "%q %q", &r.text, &r.want))(t, line)
		if p, err := Parse(r.text); err == nil || !strings.Contains(err.Error(), r.want) {
			t.Errorf("%q: %v, %v, want %q", r.text, p, err, r.want)
		}
	}
}

// TestManyBoards reads on after a broken board.
func TestManyBoards(t *testing.T) {
	file := "# first\nFT\n\n# second\nfans\nFT\nF\n\n\nFTF/T.T\nTF\r\nFT\r\n"
	var got []string
	for p, err := range decode(strings.NewReader(file)) {
		if err != nil {
			got = append(got, err.Error())
			continue
		}
		got = append(got, text(p.(*Puzzle)))
	}
	want := []string{"FT\n", "fans: line 7 has 1 cells, want 2", "FTF\nT.T\n", "fans\nTF\nFT\n"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestUnique: a board of one answer is dealt at any size, the same for the same seed, and a board
// of pairs says what it is.
func TestUnique(t *testing.T) {
	for seed := range uint64(20) {
		o := solve.Order{Cols: 3 + int(seed)%8, Rows: 10, Unique: true}
		p := solvetest.Must(Family.Deal(t.Context(), rand.New(rand.NewPCG(seed, 0)), o))(t)
		if one, err := solve.Single(t.Context(), p); err != nil || !one {
			t.Errorf("seed %d: %v, %v; want one answer of\n%s", seed, one, err, text(p.(*Puzzle)))
		}
		if q, err := Family.Deal(t.Context(), rand.New(rand.NewPCG(seed, 0)), o); err != nil || !solve.Same(p, q) {
			t.Errorf("seed %d: %v, another board the second time", seed, err)
		}
	}
	for rows, want := range map[string]string{".TF/..T/F..": "fans\n.TF\n..T\nF..\n", "TF.": "TF.\n", "FTT/T.F": "FTT\nT.F\n"} {
		solvetest.Same(t, text(mustParse(t, rows)), want, "%s: written as", rows)
	}
}

func TestSniff(t *testing.T) {
	for _, r := range []struct {
		text string
		want bool
	}{
		{"FTTFT\nTTFTT\n", true},
		{"# a shrine\nFTTFT / TTFTT", true},
		{"#T\nFT\n", false},
		{">TT\n", false},
		{"A..B\nA..B\n", false},
		{"grid 5x5\n*o*o*\n", false},
		{"xxx xx\nx0 0 0x\n", false},
		{"a b\na\na b\n", false},
		{"...\n", false},
		{"NEWS\n", false}, // nothing to turn and nothing to reach
		{"", false},
	} {
		solvetest.Same(t, sniff([]byte(r.text)), r.want, "%q: taken for fans: %v", r.text, !r.want)
	}
}

// TestShared answers the boards beside the project.
func TestShared(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(solvetest.Collected(t, "fans"), "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	ctx := context.Background()
	for _, file := range files {
		data := solvetest.Must(os.ReadFile(file))(t)
		if !sniff(data) {
			t.Errorf("%s: not recognised", file)
		}
		p := mustParse(t, string(data))
		s, err := p.Solve(ctx)
		if err == nil {
			err = p.Check(t.Context(), s)
		}
		solvetest.Fine(t, err, file)
		n, err := p.Count(ctx, 1000)
		g, _, err2 := p.CountGroups(ctx, 1000)
		if err != nil || err2 != nil || n < 1 || g < 1 || g > n {
			t.Errorf("%s: %d answers, %d groups, %v, %v", file, n, g, err, err2)
		}
	}
}

// TestHuge counts what cannot be listed: parts are multiplied.
func TestHuge(t *testing.T) {
	var rows []string
	for k := range 10 {
		rows = append(rows, strings.Repeat("...", k)+"FTF"+strings.Repeat("...", 9-k))
	}
	p, err := New(rows...)
	solvetest.OK(t, err)
	// Of each pair's 16 ways 7 reach the turbine between.
	want := 1
	for range 10 {
		want *= 7
	}
	solvetest.Same(t, solvetest.Must(p.Count(context.Background(), 0))(t), want, "answers")
	// In groups a fan blows at it or not.
	want = 1
	for range 10 {
		want *= 3
	}
	if n, _, err := p.CountGroups(context.Background(), 0); n != want || err != nil {
		t.Errorf("%d groups, %v, want %d", n, err, want)
	}
	if p, err = New(strings.Repeat("F", 40)); err != nil {
		t.Fatal(err)
	}
	if n, err := p.Count(context.Background(), 0); err == nil {
		t.Errorf("4^40 answers counted as %d", n)
	}
	solvetest.Same(t, solvetest.Must(p.Count(context.Background(), 99))(t), 99, "4^40 answers counted to 99")
	if n, _, err := p.CountGroups(context.Background(), 0); n != 1 || err != nil {
		t.Errorf("%d groups, %v, want 1", n, err)
	}
}

// TestCancelled gives the context's error, not an answer or a verdict.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := Generate(rand.New(rand.NewPCG(1, 5)), 20, 20)
	if _, err := p.Solve(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Solve: %v", err)
	}
	if _, err := p.Count(ctx, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("Count: %v", err)
	}
	for _, err := range p.All(ctx) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("All: %v", err)
		}
	}
}

func TestFamily(t *testing.T)      { solvetest.Run(t, Family) }
func BenchmarkFamily(b *testing.B) { solvetest.Bench(b, Family) }
func FuzzDecode(f *testing.F)      { solvetest.FuzzDecode(f, Family, "text") }
func FuzzSolve(f *testing.F)       { solvetest.FuzzSolve(f, Family, 200) }

// BenchmarkShrine answers the board of the shrine; the bar is 0.1 ms.
func BenchmarkShrine(b *testing.B) {
	p := mustParse(b, "FTTFT/TTFTT/TTTFT/FTTTF")
	for b.Loop() {
		solvetest.Must(p.Solve(context.Background()))(b)
	}
}

// Parse reads one board.
func Parse(text string) (*Puzzle, error) {
	p, err := Family.Parse(text)
	q, _ := p.(*Puzzle)
	return q, err
}

func TestEditor(t *testing.T) { solvetest.Edit(t, Family, Editor) }

func TestLarge(t *testing.T) {
	rows := func(cell string) solvetest.LargeBoard {
		return solvetest.LargeBoard{Name: cell, Make: func() (solve.Puzzle, error) {
			return Parse(strings.Repeat(strings.Repeat(cell, maxSide/len(cell))+"\n", maxSide))
		}}
	}
	solvetest.Large(t, rows("FT"), rows("F"), rows("FTTT"),
		solvetest.LargeBoard{Name: "generated", Make: func() (solve.Puzzle, error) {
			return Generate(rand.New(rand.NewPCG(1, 1)), maxSide, maxSide), nil
		}},
		solvetest.LargeBoard{Name: "larger", Make: func() (solve.Puzzle, error) {
			return Parse(strings.Repeat("F", maxSide+1) + "\n")
		}})
}
