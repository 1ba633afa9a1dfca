package alcazar

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
	"onlooker/solve/path"
	"onlooker/solve/solvetest"
)

func TestFamily(t *testing.T)      { solvetest.Run(t, Family) }
func BenchmarkFamily(b *testing.B) { solvetest.Bench(b, Family) }
func FuzzDecode(f *testing.F)      { solvetest.FuzzDecode(f, Family, "alcazar") }
func FuzzWalls(f *testing.F)       { solvetest.FuzzDecode(f, Family, "walls") }
func FuzzBox(f *testing.F)         { solvetest.FuzzDecode(f, Family, "box") }
func FuzzPuzzle(f *testing.F)      { solvetest.FuzzDecode(f, Family, "puzzle") }
func FuzzSolve(f *testing.F)       { solvetest.FuzzSolve(f, Family, 300) }

// FuzzCheck plays strokes of any kind: Check says yes or names a rule.
func FuzzCheck(f *testing.F) {
	p := read(f, "alcazar 3x2\nxxxxx.x\nx0.0.0x\nx.x|x.x\n.0.0.0x\nxxxxxxx\n")
	f.Add([]byte{0, 3, 1, 3, 1, 1, 3, 1, 3, 3, 5, 3, 5, 1, 5, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		var s solve.Stroke
		for i := 0; i+1 < len(data); i += 2 {
			s = append(s, image.Pt(int(int8(data[i])), int(int8(data[i+1]))))
		}
		var broken *solve.RuleError
		if err := p.Check(t.Context(), solve.Solution{s}); err != nil && !errors.As(err, &broken) {
			t.Fatalf("%v gives %v, want a rule", s, err)
		}
	})
}

func read(t testing.TB, text string) *Puzzle {
	t.Helper()
	var found *Puzzle
	for _, f := range Family.Formats {
		if !f.Sniff([]byte(text)) {
			continue
		}
		for p, err := range f.Decode(strings.NewReader(text)) {
			if err != nil || found != nil {
				t.Fatalf("%v, a second board: %v\n%s", err, found != nil, text)
			}
			found = p.(*Puzzle)
		}
	}
	if found == nil {
		t.Fatalf("no form reads\n%s", text)
	}
	return found
}

// TestRules: testdata/lines.rows has why, board, line and the rule that it breaks.
func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range solvetest.Rows(t, "testdata/lines.rows") {
		var tt struct{ why, board, line, rule string }
		solvetest.Must(fmt.Sscanf(row, "%q %q %q %q", &tt.why, &tt.board, &tt.line, &tt.rule))(t, row)
		seen[tt.rule] = true
		err := read(t, tt.board).Check(t.Context(), solvetest.Strokes(t, tt.line))
		var re *solve.RuleError
		if tt.rule == "" && err != nil || tt.rule != "" && (!errors.As(err, &re) || re.Rule != tt.rule) {
			t.Errorf("%s: %s: got %v, want rule %q broken\n%s", tt.why, tt.line, err, tt.rule, tt.board)
		}
	}
	for _, r := range Family.Rules {
		if !seen[r.Name] {
			t.Errorf("rule %s has no line that breaks it", r.Name)
		}
	}
}

// brute counts the lines by walking them all from every opening.
func brute(p *Puzzle) int {
	n := 0
	seen := map[image.Point]bool{}
	givens := 0
	for y := range 2*p.rows + 1 {
		for x := range 2*p.cols + 1 {
			if p.ways[y*(2*p.cols+1)+x] == given {
				givens++
			}
		}
	}
	board := image.Rect(0, 0, 2*p.cols, 2*p.rows)
	var start image.Point
	var walk func(at, d image.Point, marked int)
	walk = func(at, d image.Point, marked int) {
		seen[at] = true
		for _, e := range []image.Point{{X: 1}, {Y: 1}, {X: -1}, {Y: -1}} {
			over := at.Add(e)
			w := p.ways[over.Y*(2*p.cols+1)+over.X]
			if w == wall || e == d.Mul(-1) {
				continue
			}
			m := marked
			if w == given {
				m++
			}
			if to := over.Add(e); to.In(board) {
				if !seen[to] {
					walk(to, e, m)
				}
			} else if len(seen) == p.cols*p.rows && m == givens && over != start {
				n++
			}
		}
		delete(seen, at)
	}
	for y := range 2*p.rows + 1 {
		for x := range 2*p.cols + 1 {
			at := image.Pt(x, y)
			w := p.ways[y*(2*p.cols+1)+x]
			if (x+y)%2 == 0 || w == wall {
				continue
			}
			var d image.Point
			switch {
			case x == 0:
				d.X = 1
			case x == 2*p.cols:
				d.X = -1
			case y == 0:
				d.Y = 1
			case y == 2*p.rows:
				d.Y = -1
			default:
				continue
			}
			m := 0
			if w == given {
				m++
			}
			start = at
			walk(at.Add(d), d, m)
		}
	}
	return n / 2 // each line once from either end
}

func randomPuzzle(r *rand.Rand) *Puzzle {
	cols, rows := 1+r.IntN(5), 1+r.IntN(4)
	part, openings := r.Float64(), 1+r.IntN(4)
	marks := r.IntN(2) * r.IntN(20)
	p, err := New(cols, rows, func(at image.Point) bool {
		if at.X == 0 || at.Y == 0 || at.X == 2*cols || at.Y == 2*rows {
			return r.IntN(5) < openings
		}
		return r.Float64() > part/2
	}, func(at image.Point) bool {
		return r.IntN(100) < marks
	})
	if err != nil {
		panic(err)
	}
	return p
}

// kinds counts a board under what is on it.
func (p *Puzzle) kinds(count map[string]int) {
	has := map[string]bool{
		"one column or row": p.cols == 1 || p.rows == 1,
		"oblong":            p.cols != p.rows,
		"odd":               p.cols*p.rows%2 == 1,
	}
	at, _ := p.openings()
	has["more than two openings"] = len(at) > 2
	for y := range 2*p.rows + 1 {
		for x := range 2*p.cols + 1 {
			at := image.Pt(x, y)
			border := x == 0 || y == 0 || x == 2*p.cols || y == 2*p.rows
			switch {
			case (x+y)%2 == 0:
			case p.Given(at) && border:
				has["marked opening"] = true
			case p.Given(at):
				has["marked within"] = true
			case !p.Open(at) && !border:
				has["inner walls"] = true
			}
		}
	}
	for kind, is := range has {
		if is {
			count[kind]++
		}
	}
}

// Thousands of small boards: the counts agree with walking all lines.
func TestCountsAgainstBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	rounds := 6000
	if testing.Short() {
		rounds = 600
	}
	with := 0
	proofs := map[proofKind]int{}
	kinds := map[string]int{} // boards with an answer
	for i := range rounds {
		p := randomPuzzle(r)
		want := brute(p)
		if want > 0 {
			p.kinds(kinds)
		}
		if want > 1 {
			kinds["several answers"]++
		}
		got, err := p.Count(t.Context(), 0)
		text, _ := p.MarshalText()
		if err != nil || got != want {
			t.Fatalf("round %d: Count says %d, %v, want %d\n%s", i, got, err, want, text)
		}
		s, err := p.Solve(t.Context())
		if want == 0 && !errors.Is(err, solve.ErrUnsolvable) || want > 0 && err != nil {
			t.Fatalf("round %d: Solve says %v, want %d answers\n%s", i, err, want, text)
		}
		plan, order := p.plan()
		if n, err := path.Sweep(context.Background(), plan, order, sweepLimit); err != nil || n != uint64(want) {
			t.Fatalf("round %d: the sweep counts %d, %v, want %d\n%s", i, n, err, want, text)
		}
		proof, err := p.Why(t.Context())
		if (err == nil) != (want == 0) {
			t.Fatalf("round %d: Why says %v, want a proof exactly when there is no answer\n%s", i, err, text)
		}
		if err == nil {
			proofs[proof.(*Proof).kind]++
			if err := p.CheckProof(context.Background(), proof); err != nil {
				t.Fatalf("round %d: CheckProof refuses %q: %v\n%s", i, proof.Text(), err, text)
			}
		} else {
			for _, lie := range []*Proof{{kind: byParity}, {kind: byCell, where: []image.Point{{X: 1, Y: 1}}}, {kind: bySweep}} {
				if p.CheckProof(context.Background(), lie) == nil {
					t.Fatalf("round %d: CheckProof believes that there is no answer (%d)\n%s", i, lie.kind, text)
				}
			}
		}
		if want > 0 {
			with++
			if err := p.Check(t.Context(), s); err != nil {
				t.Fatalf("round %d: Check refuses %v: %v\n%s", i, s, err, text)
			}
		}
	}
	solvetest.Same(t, len(proofs), 3, "proofs by kind: %v", proofs)
	for _, kind := range []string{"one column or row", "oblong", "odd", "inner walls", "more than two openings", "marked within", "marked opening", "several answers"} {
		if kinds[kind] < rounds/100 {
			t.Errorf("%s: %d boards with an answer, too few to mean anything", kind, kinds[kind])
		}
	}
	if with < rounds/10 || with > rounds*9/10 {
		t.Errorf("%d of %d boards have answers: too many or too few to mean anything", with, rounds)
	}
}

func TestDeal(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, size := range [][2]int{{1, 1}, {1, 6}, {5, 1}, {2, 3}, {3, 3}, {7, 4}, {10, 10}, {15, 11}} {
		for _, walls := range []float64{0, 0.5, 1} {
			p, err := Deal(t.Context(), r, size[0], size[1], walls)
			if err != nil {
				t.Errorf("%v: %v", size, err)
				continue
			}
			if n, err := p.Count(t.Context(), 3); n != 1 || err != nil {
				text, _ := p.MarshalText()
				t.Errorf("%v, walls %v: %d answers, %v, want 1\n%s", size, walls, n, err, text)
			}
		}
	}
	if _, err := Deal(t.Context(), r, 0, 3, 0); err == nil {
		t.Error("a board without columns was dealt")
	}
}

// TestMalformed: testdata/refused.rows has why, form, text and a part of the error.
func TestMalformed(t *testing.T) {
	for _, row := range solvetest.Rows(t, "testdata/refused.rows") {
		var tt struct{ why, format, text, want string }
		solvetest.Must(fmt.Sscanf(row, "%q %q %q %q", &tt.why, &tt.format, &tt.text, &tt.want))(t, row)
		i := slices.IndexFunc(Family.Formats, func(f solve.Format) bool { return f.Name == tt.format })
		var got error
		for p, err := range Family.Formats[i].Decode(strings.NewReader(tt.text)) {
			if (p == nil) == (err == nil) {
				t.Fatalf("%s: got %v and %v, want one of them", tt.why, p, err)
			}
			if got == nil {
				got = err
			}
		}
		if got == nil || !strings.HasPrefix(got.Error(), "alcazar: line ") || !strings.Contains(got.Error(), tt.want) {
			t.Errorf("%s:\n%s\ngot %v, want %s", tt.why, tt.text, got, tt.want)
		}
	}
}

func TestForms(t *testing.T) {
	const want = "alcazar 2x1\nxxxxx\n.0-0.\nxx.xx\n"
	want2 := strings.Replace(want, "xx.xx", "x.xxx", 1)
	for why, text := range map[string]string{
		"as it is":                         "xxxxx\n 0-0 \nx xxx\n",
		"trailing space cut off":           "xxxxx\n 0-0\nx xxx\n",
		"more trailing spaces":             "xxxxx   \n 0-0  \nx xxx\n",
		"CR LF":                            "xxxxx\r\n 0-0 \r\nx xxx\r\n",
		"a space between all":              "x x x x x\n  0 - 0  \nx   x x x\n",
		"a space between all, ends cut":    "x x x x x\n  0 - 0\nx   x x x\n",
		"blank lines before and behind it": "\n\nxxxxx\n 0-0 \nx xxx\n\n",
	} {
		if got, err := read(t, text).MarshalText(); string(got) != want2 || err != nil {
			t.Errorf("%s:\n%s\ngives\n%s%v, want\n%s", why, text, got, err, want2)
		}
	}
}

func collected(t testing.TB, glob string) (boards []*Puzzle, names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(solvetest.Collected(t, "alcazar"), glob))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no files, %v", glob, err)
	}
	for _, file := range files {
		data := solvetest.Must(os.ReadFile(file))(t)
		boards = append(boards, read(t, string(data)))
		names = append(names, strings.TrimSuffix(filepath.Base(file), ".puzzle"))
	}
	return boards, names
}

// The collected boards: those that were made with one answer have one, the
// parity traps have none, and all are decided.
func TestCollected(t *testing.T) {
	for _, tt := range []struct {
		glob string
		want []int // counts to 2 that may be
	}{
		{"alcasat*.puzzle", []int{1, 2}},
		{"gen/*.puzzle", []int{1}},
		{"loose/loose*.puzzle", []int{0, 1, 2}},
		{"loose/parity*.puzzle", []int{0}},
	} {
		boards, names := collected(t, tt.glob)
		var several []string
		for i, p := range boards {
			n, err := p.Count(t.Context(), 2)
			if err != nil || !slices.Contains(tt.want, n) {
				t.Errorf("%s: %d answers, %v, want one of %v", names[i], n, err, tt.want)
			}
			s, err := p.Solve(t.Context())
			if (n == 0) != errors.Is(err, solve.ErrUnsolvable) || n > 0 && p.Check(t.Context(), s) != nil {
				t.Errorf("%s: Solve says %v, %v, Count %d", names[i], err, p.Check(t.Context(), s), n)
			}
			if n == 2 {
				several = append(several, names[i])
			}
		}
		if strings.HasPrefix(tt.glob, "alcasat") && len(several) != 3 {
			t.Errorf("several answers: %v, want three of the samples", several)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := read(t, "alcazar 1x1\nxxx\n.0.\nxxx\n")
	if _, err := p.Solve(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Solve: %v, want %v", err, context.Canceled)
	}
	if _, err := p.Count(ctx, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("Count: %v, want %v", err, context.Canceled)
	}
}

// TestDrawnWalls: boards of walls as they are drawn, from the narrowest and the lowest on, and
// what is cut off or askew.
func TestDrawnWalls(t *testing.T) {
	for _, row := range []struct {
		why, text  string
		cols, rows int // 0: it is refused
	}{
		{"one cell, as narrow as can be", "+-+\n| |\n+ +\n", 1, 1},
		{"a row", "+-+-+\n    |\n+-+-+\n", 2, 1},
		{"two rows, wide", "+---+---+\n|   |   |\n+   +   +\n|        \n+---+---+\n", 2, 2},
		{"indented", "  +--+--+\n  |     |\n  +--+  +\n", 2, 1},
		{"corners at other distances", "+---+--+\n|   |  |\n+---+  +\n", 0, 0},
		{"the last line is missing", "+---+\n|   |\n+   +\n|   |\n", 0, 0},
		{"nothing below", "+---+\n", 0, 0},
	} {
		b := solve.Block{Family: "alcazar", Text: strings.Split(strings.TrimSuffix(row.text, "\n"), "\n")}
		for i := range b.Text {
			b.No = append(b.No, i+1)
		}
		p, err := drawnWalls(b)
		if (err == nil) != (row.cols > 0) {
			t.Errorf("%s: %v, want an error: %t", row.why, err, row.cols == 0)
			continue
		}
		if err == nil && p.Bounds().Size() != image.Pt(2*row.cols+1, 2*row.rows+1) {
			t.Errorf("%s: %v half-cells, want %d×%d cells", row.why, p.Bounds().Size(), row.cols, row.rows)
		}
	}
}

func TestEditor(t *testing.T) { solvetest.Edit(t, Family, Editor) }

// TestResized: a board is made wider and lower with its walls, its given ways and its openings;
// a new one has two openings and no walls.
func TestResized(t *testing.T) {
	blank := solvetest.Must(Editor.Blank(3, 2))(t)
	for _, row := range []struct {
		board      solve.Puzzle
		cols, rows string
		want       string
	}{
		{blank, "3", "2", "alcazar 3x2\nxxxxxxx\n.0.0.0x\nx.x.x.x\nx0.0.0.\nxxxxxxx\n"},
		{read(t, "alcazar 2x3\nxxx.x\n.0-0x\nxxx|x\n.0x0.\nx.x.x\nx0.0x\nx.xxx\n"), "3", "2", "alcazar 3x2\nxxx.xxx\n.0-0.0x\nxxx|x.x\n.0x0.0.\nx.xxxxx\n"},
	} {
		p := solvetest.Must(Editor.Do(row.board, solve.Edit{Tool: "board", Values: map[string]string{"cols": row.cols, "rows": row.rows}}))(t)
		if text, _ := p.MarshalText(); string(text) != row.want {
			t.Errorf("got\n%s, want\n%s", text, row.want)
		}
	}
}

func TestLarge(t *testing.T) {
	open := func(cols, rows int, every int) solvetest.LargeBoard {
		return solvetest.LargeBoard{Name: fmt.Sprintf("%dx%d/%d", cols, rows, every), Make: func() (solve.Puzzle, error) {
			return New(cols, rows, func(at image.Point) bool {
				border := at.X == 0 || at.Y == 0 || at.X == 2*cols || at.Y == 2*rows
				return !border || (at.X+at.Y)/2%every == 0
			}, func(image.Point) bool { return false })
		}}
	}
	solvetest.Large(t, open(256, 256, 1), open(255, 257, 1), open(1<<16, 1, 1), open(256, 257, 1))
}
