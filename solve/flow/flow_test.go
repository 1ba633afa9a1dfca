package flow

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"onlooker/solve"
	"onlooker/solve/path"
	"onlooker/solve/solvetest"
)

func TestFamily(t *testing.T)      { solvetest.Run(t, Family) }
func BenchmarkFamily(b *testing.B) { solvetest.Bench(b, Family) }
func FuzzDecode(f *testing.F)      { solvetest.FuzzDecode(f, Family, "flow") }
func FuzzPuzzLink(f *testing.F)    { solvetest.FuzzDecode(f, Family, "puzz.link") }
func FuzzLetters(f *testing.F)     { solvetest.FuzzDecode(f, Family, "letters") }
func FuzzSolve(f *testing.F)       { solvetest.FuzzSolve(f, Family, 200) }

func FuzzLevels(f *testing.F) {
	f.Add([]byte("4:3,0,1,3,,3;0,4,8,9;1,2;5,6,7,11,10;\n"))
	f.Add([]byte("X_W_5+B,0,2,1,6,1_0B:2,3|4;0,24"))
	solvetest.FuzzDecode(f, Family, "levels")
}

func FuzzNumbers(f *testing.F) {
	f.Add([]byte("1 . 2\n- 1 2\n\n12 12\n"))
	solvetest.FuzzDecode(f, Family, "numbers")
}

// FuzzCheck plays strokes of any kind: Check says yes or names a rule.
func FuzzCheck(f *testing.F) {
	var boards []*Puzzle
	for _, text := range []string{
		"flow 3x2\nA.A\nB.B\n", "flow 3x1 torus any\nA.A\n", "flow 3x3 any notouch\n.B.\nA+A\n.B.\n",
		"flow 2x2 loose\nAB\nAB\njoins 0,0~0,1 1,0~1,1\n", "flow 3x3 hex any notouch\nA..\n...\n..A\n",
	} {
		boards = append(boards, read(f, text))
	}
	f.Add([]byte{0, 1, 1, 3, 1, 5, 1, 255, 1, 3, 3, 3, 5, 3})
	f.Add([]byte{1, 1, 1, 0, 1, 255, 6, 1, 5, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 {
			return
		}
		p := boards[int(data[0])%len(boards)]
		sol := solve.Solution{{}}
		for i := 1; i < len(data); i++ {
			if data[i] == 255 {
				sol = append(sol, solve.Stroke{})
			} else if i+1 < len(data) {
				n := len(sol) - 1
				sol[n] = append(sol[n], image.Pt(int(int8(data[i])), int(int8(data[i+1]))))
				i++
			}
		}
		var broken *solve.RuleError
		if err := p.Check(t.Context(), sol); err != nil && !errors.As(err, &broken) {
			t.Fatalf("%v gives %v, want a rule", sol, err)
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
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			if found != nil {
				t.Fatalf("two boards in\n%s", text)
			}
			found = p.(*Puzzle)
		}
	}
	if found == nil {
		t.Fatalf("no form reads\n%s", text)
	}
	return found
}

// TestRules: testdata/lines.rows has why, board, strokes and the rule that they break.
func TestRules(t *testing.T) {
	broken := map[string]bool{}
	for _, row := range solvetest.Rows(t, "testdata/lines.rows") {
		var tt struct{ why, board, strokes, rule string }
		solvetest.Must(fmt.Sscanf(row, "%q %q %q %q", &tt.why, &tt.board, &tt.strokes, &tt.rule))(t, row)
		t.Run(tt.why, func(t *testing.T) {
			err := read(t, tt.board).Check(t.Context(), solvetest.Strokes(t, tt.strokes))
			var re *solve.RuleError
			switch {
			case tt.rule == "" && err != nil:
				t.Errorf("%s%s\nrefused: %v", tt.board, tt.strokes, err)
			case tt.rule != "" && (!errors.As(err, &re) || re.Rule != tt.rule):
				t.Errorf("%s%s\ngot %v, want rule %s broken", tt.board, tt.strokes, err, tt.rule)
			}
		})
		broken[tt.rule] = true
	}
	for _, r := range Family.Rules {
		if !broken[r.Name] {
			t.Errorf("rule %s has no board that breaks it", r.Name)
		}
	}
}

func TestAnswers(t *testing.T) {
	tests := []struct {
		why, board string
		count      int // of all answers; 0: there is none
	}{
		{"the only answer touches itself", "flow 2x2\nA.\nA.\n", 1},
		{"the same, where that is forbidden", "flow 2x2 notouch\nA.\nA.\n", 0},
		{"round the border, but not by a ring", "flow 4x3\n....\n.AA.\n....\n", 2},
		{"no pairs, no cells", "flow 2x1\n##\n", 1},
		{"no pairs, a cell to fill", "flow 2x1\n#.\n", 0},
		{"a row", "flow 5x1\nA.ABB\n", 1},
		{"a row that is cut", "flow 5x1\nA.ABB\nwalls 1,0|2,0\n", 0},
		{"round the back of a torus", "flow 3x1 torus\nA.A\nwalls 0,0|1,0\n", 0},
		{"either way round a ring, cells may stay empty", "flow 4x1 torus any\nA.A.\n", 2},
		{"a path under itself", "flow 3x3\nA.#\n.+A\n#..\n", 0},
		{"two paths cross", "flow 3x3\n#B#\nA+A\n#B#\n", 1},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			p := read(t, tt.board)
			n, err := p.Count(t.Context(), 0)
			if err != nil || n != tt.count {
				t.Errorf("Count: %d, %v, want %d\n%s", n, err, tt.count, tt.board)
			}
			s, err := p.Solve(t.Context())
			if tt.count == 0 && !errors.Is(err, solve.ErrUnsolvable) || tt.count > 0 && (err != nil || p.Check(t.Context(), s) != nil) {
				t.Errorf("Solve: %v, %v\n%s", s, err, tt.board)
			}
		})
	}
}

// brute lists all answers by trying every path of every pair, from the clues
// and the neighbour relation written out anew.
func brute(p *Puzzle) []solve.Solution {
	type step struct {
		to   int
		d    image.Point // half-cells between the centres; zero: single join
		over bool
	}
	n := p.cols * p.rows
	wall := func(a, b int) bool { return slices.Contains(p.walls, [2]int32{int32(min(a, b)), int32(max(a, b))}) }
	ways := make([][]step, n)
	known := map[[2]int]bool{}
	link := func(a, b int, d image.Point, over bool) {
		if a == b || p.hole[a] || p.hole[b] || wall(a, b) || known[[2]int{a, b}] {
			return
		}
		known[[2]int{a, b}] = true
		ways[a] = append(ways[a], step{b, d, over})
	}
	for _, over := range []bool{false, true} {
		for a := range n {
			for b := range n {
				ax, ay, bx, by := a%p.cols, a/p.cols, b%p.cols, b/p.cols
				switch p.shape {
				case Square:
					for _, d := range [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
						x, y := ax+d[0], ay+d[1]
						if !over && x == bx && y == by {
							link(a, b, image.Pt(2*d[0], 2*d[1]), false)
						}
						if over && p.torus && (x != (x+p.cols)%p.cols || y != (y+p.rows)%p.rows) && (x+p.cols)%p.cols == bx && (y+p.rows)%p.rows == by {
							link(a, b, image.Pt(2*d[0], 2*d[1]), true)
						}
					}
				case Hex:
					// Neighbours are the cells whose centres are about as
					// near as those above one another: columns 1 apart and
					// heights a half apart, or the same column.
					dy := (2*by - bx&1) - (2*ay - ax&1)
					if ax == bx && (dy == 2 || dy == -2) || (bx-ax == 1 || bx-ax == -1) && (dy == 1 || dy == -1) {
						link(a, b, image.Pt(2*(bx-ax), dy), false)
					}
				}
			}
		}
	}
	for _, j := range p.joins {
		link(int(j[0]), int(j[1]), image.Point{}, false)
		link(int(j[1]), int(j[0]), image.Point{}, false)
	}
	end := map[int]bool{}
	for _, e := range p.pairs {
		end[int(e[0])], end[int(e[1])] = true, true
	}
	used := map[[2]int]bool{} // cell, axis
	var out []solve.Solution
	var sol solve.Solution
	var nextPair func(k int)
	var walk func(k, at int, in image.Point)
	walk = func(k, at int, in image.Point) {
		goal := int(p.pairs[k][1])
		for _, s := range ways[at] {
			if p.bridge[at] && s.d != in || end[s.to] && s.to != goal {
				continue
			}
			key := [2]int{s.to, 0}
			if p.bridge[s.to] && s.d.X == 0 {
				key[1] = 1
			}
			if used[key] {
				continue
			}
			used[key] = true
			kept := sol
			last := append(slices.Clone(sol[len(sol)-1]), image.Point{})[:len(sol[len(sol)-1])]
			next := slices.Clone(sol[:len(sol)-1])
			from := last[len(last)-1]
			to := p.centre(s.to)
			switch {
			case s.d == (image.Point{}):
				next = append(next, last, solve.Stroke{to})
			case s.over:
				half := s.d.Div(2)
				next = append(next, append(last, from.Add(half)), solve.Stroke{to.Sub(half), to})
			default:
				next = append(next, append(last, to))
			}
			sol = next
			if s.to == goal {
				nextPair(k + 1)
			} else {
				walk(k, s.to, s.d)
			}
			sol = kept
			delete(used, key)
		}
	}
	nextPair = func(k int) {
		if k == len(p.pairs) {
			if !p.any {
				for i := range n {
					if !p.hole[i] && (!used[[2]int{i, 0}] || p.bridge[i] && !used[[2]int{i, 1}]) {
						return
					}
				}
			}
			out = append(out, slices.Clone(sol))
			return
		}
		a, b := int(p.pairs[k][0]), int(p.pairs[k][1])
		used[[2]int{a, 0}] = true
		sol = append(sol, solve.Stroke{p.centre(a)})
		if a != b {
			walk(k, a, image.Point{})
		}
		sol = sol[:len(sol)-1]
		delete(used, [2]int{a, 0})
	}
	nextPair(0)
	return out
}

func randomPuzzle(r *rand.Rand) *Puzzle {
	for {
		w, h := 1+r.IntN(5), 1+r.IntN(4)
		b := NewBuilder(Shape(r.IntN(5)%3), w, h)
		at := func() image.Point { return image.Pt(r.IntN(w), r.IntN(h)) }
		if r.IntN(3) == 0 && b.p.shape == Square {
			b.Torus()
		}
		for range r.IntN(2) * r.IntN(3) {
			b.Hole(at())
		}
		if b.p.shape == Square {
			for range r.IntN(2) * r.IntN(3) {
				b.Bridge(at())
			}
		}
		for range r.IntN(2) * r.IntN(4) {
			if c := at(); b.p.shape != Loose {
				for _, d := range b.p.steps(c.X) {
					if j := b.p.at(c.X+d.X, c.Y+d.Y); j >= 0 && j != c.Y*w+c.X && r.IntN(4) == 0 {
						b.Wall(c, b.p.point(j))
					}
				}
			}
		}
		joins := r.IntN(2) * r.IntN(3)
		if b.p.shape == Loose {
			joins = 2 * w * h
		}
		for range joins {
			c, d := at(), at()
			i, j := c.Y*w+c.X, d.Y*w+d.X
			if i != j && !b.p.hole[i] && !b.p.hole[j] && !b.p.bridge[i] && !b.p.bridge[j] && !b.p.beside(i, j) {
				b.Join(c, d)
			}
		}
		if r.IntN(2) == 0 {
			b.Any()
		}
		board, err := b.Puzzle()
		if err != nil {
			continue
		}
		p := board
		if r.IntN(2) == 0 {
			if p, err = Deal(context.Background(), r, board); err != nil {
				continue
			}
		} else {
			pb := Builder{p: *board}
			used := map[image.Point]bool{}
			for range 1 + r.IntN(3) {
				c, d := at(), at()
				if c != d && !used[c] && !used[d] {
					used[c], used[d] = true, true
					pb.Pair(c, d)
				}
			}
			if p, err = pb.Puzzle(); err != nil {
				continue
			}
		}
		if p.any && p.cols*p.rows > 12 {
			continue // too many answers for trying them all
		}
		return p
	}
}

// kinds counts a board under what is on it, and what its answer uses.
func (p *Puzzle) kinds(answer solve.Solution, count map[string]int) {
	border, join := false, false
	for _, s := range answer {
		for _, at := range []image.Point{s[0], s[len(s)-1]} {
			border = border || p.torus && (at.X%2 == 0 || at.Y%2 == 0)
		}
	}
	join = len(p.joins) > 0 && len(answer) > len(p.pairs) && !border
	for kind, is := range map[string]bool{
		"square": p.shape == Square, "hexagons": p.shape == Hex, "loose": p.shape == Loose,
		"torus": p.torus, "over the border": border, "holes": slices.Contains(p.hole, true),
		"walls": len(p.walls) > 0, "bridges": slices.Contains(p.bridge, true), "joins": len(p.joins) > 0, "over a join": join,
		"one column or row": p.cols == 1 || p.rows == 1, "oblong": p.cols != p.rows,
	} {
		if is {
			count[kind]++
		}
	}
}

// Thousands of small boards of every kind: how many answers there are, and
// how many without touching, agree with brute force, and
// Solve finds one exactly when there is one.
func TestCountsAgainstBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 9))
	rounds := 2500
	if testing.Short() {
		rounds = 400
	}
	some := map[string]int{}
	proofs := map[proofKind]int{}
	kinds := map[string]int{} // boards with an answer
	for i := range rounds {
		p := randomPuzzle(r)
		text, _ := p.MarshalText()
		all := brute(p)
		if len(all) > 0 {
			p.kinds(all[0], kinds)
		}
		plan, order := p.plan()
		if n, err := path.Sweep(context.Background(), plan, order, sweepLimit); err != nil || n != uint64(len(all)) {
			t.Fatalf("round %d: the sweep counts %d, %v, want %d\n%s", i, n, err, len(all), text)
		}
		proof, err := p.Why(t.Context())
		if (err == nil) != (len(all) == 0) {
			t.Fatalf("round %d: Why says %v, want a proof exactly when there is no answer\n%s", i, err, text)
		}
		if err == nil {
			proofs[proof.(*Proof).kind]++
			if err := p.CheckProof(context.Background(), proof); err != nil {
				t.Fatalf("round %d: CheckProof refuses %q: %v\n%s", i, proof.Text(), err, text)
			}
		} else {
			for _, lie := range []*Proof{{kind: byParity}, {kind: byPairs, pairs: p.pairs}, {kind: bySweep}} {
				if p.CheckProof(context.Background(), lie) == nil {
					t.Fatalf("round %d: CheckProof believes that there is no answer (%d)\n%s", i, lie.kind, text)
				}
			}
		}
		for _, o := range []Options{{}, {NoTouch: true}} {
			o.Any = p.any
			q := p.With(o)
			want := 0
			for _, s := range all {
				err := q.Check(t.Context(), s)
				var re *solve.RuleError
				if err == nil {
					want++
				} else if !errors.As(err, &re) || re.Rule != "touch" {
					t.Fatalf("round %d: Check refuses %v: %v\n%s", i, s, err, text)
				}
			}
			some[fmt.Sprint(o, want > 0)]++
			got, err := q.Count(t.Context(), 0)
			if err != nil || got != want {
				t.Fatalf("round %d, %+v: Count says %d, %v, want %d of %d\n%s", i, o, got, err, want, len(all), text)
			}
			s, err := q.Solve(t.Context())
			if want == 0 && !errors.Is(err, solve.ErrUnsolvable) || want > 0 && err != nil {
				t.Fatalf("round %d, %+v: Solve says %v, %v, want %d answers\n%s", i, o, s, err, want, text)
			}
			if want > 0 {
				if err := q.Check(t.Context(), s); err != nil {
					t.Fatalf("round %d, %+v: Check refuses %v: %v\n%s", i, o, s, err, text)
				}
			}
		}
	}
	solvetest.Same(t, len(proofs), 3, "proofs by kind: %v", proofs)
	for _, kind := range []string{"square", "hexagons", "loose", "torus", "over the border", "holes", "walls", "bridges", "joins", "over a join", "one column or row", "oblong"} {
		if kinds[kind] < rounds/100 {
			t.Errorf("%s: %d boards with an answer, too few to mean anything", kind, kinds[kind])
		}
	}
	for k, n := range some {
		if n < rounds/50 {
			t.Errorf("%s: only %d boards, too few to mean anything", k, n)
		}
	}
	if len(some) != 8 {
		t.Errorf("%v: want boards with and without answers for all options", some)
	}
}

func TestDealUnique(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, tt := range []struct {
		cols, rows int
	}{{5, 4}, {7, 7}, {9, 2}} {
		board := solvetest.Must(NewBuilder(Square, tt.cols, tt.rows).Puzzle())(t)
		p, err := DealUnique(t.Context(), r, board)
		if err != nil {
			t.Errorf("%+v: %v", tt, err)
			continue
		}
		if n, err := p.With(Options{NoTouch: true}).Count(t.Context(), 3); n != 1 || err != nil {
			text, _ := p.MarshalText()
			t.Errorf("%+v: %d answers, %v, want 1\n%s", tt, n, err, text)
		}
	}
	if _, err := Deal(t.Context(), r, read(t, "flow 3x1\n.#.\n")); err == nil {
		t.Error("two isolated cells were dealt a board")
	}
}

// TestMalformed: testdata/refused.rows has why, form, text and a part of the error.
func TestMalformed(t *testing.T) {
	for _, row := range solvetest.Rows(t, "testdata/refused.rows") {
		var tt struct{ why, format, text, want string }
		solvetest.Must(fmt.Sscanf(row, "%q %q %q %q", &tt.why, &tt.format, &tt.text, &tt.want))(t, row)
		t.Run(tt.format+"/"+tt.why, func(t *testing.T) {
			i := slices.IndexFunc(Family.Formats, func(f solve.Format) bool { return f.Name == tt.format })
			var got error
			for p, err := range Family.Formats[i].Decode(strings.NewReader(tt.text)) {
				if (p == nil) == (err == nil) {
					t.Fatalf("got %v and %v, want one of them", p, err)
				}
				if got == nil {
					got = err
				}
			}
			if got == nil || !strings.HasPrefix(got.Error(), "flow: line ") || !strings.Contains(got.Error(), tt.want) {
				t.Errorf("got %v, want flow: line …: %s\n%s", got, tt.want, tt.text)
			}
		})
	}
}

// Answers in words.
func TestTell(t *testing.T) {
	for _, tt := range []struct{ why, text, want string }{
		{"a path with a turn", "flow 3x2 any\nA..\n..A\n", "A from column 1 row 1: down 1, right 2"},
		{"over the border and in on the other side", "flow 3x1 torus\nA#A\n", "A from column 1 row 1: left over the border; on from column 3 row 1"},
		{"over a join, one cell between two", "flow 5x1 loose\nA.#.A\njoins 0,0~1,0 1,0~3,0 3,0~4,0\n", "A from column 1 row 1; on from column 2 row 1; on from column 4 row 1; A from column 5 row 1"},
		{"hexagons", "flow 2x2 hex\nA.\n#A\nwalls 0,0|1,0\n", "A from column 1 row 1: down-right 1"},
	} {
		p := read(t, tt.text)
		for s, err := range p.With(Options{Any: true}).All(t.Context()) {
			solvetest.OK(t, err)
			var got []string
			for _, stroke := range s {
				got = append(got, p.Tell(stroke))
			}
			solvetest.Same(t, strings.Join(got, "; "), tt.want, "%s (strokes %v)", tt.why, s)
			break
		}
	}
}

// The same board in every form.
func TestForms(t *testing.T) {
	for _, row := range solvetest.Rows(t, "testdata/forms.rows") {
		var tt struct{ why, text, want string }
		solvetest.Must(fmt.Sscanf(row, "%q %q %q", &tt.why, &tt.text, &tt.want))(t, row)
		got, err := read(t, tt.text).MarshalText()
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %s\ngives %s%v, want %s", tt.why, tt.text, got, err, tt.want)
		}
	}
	// With more than 52 pairs the ends are numbers.
	b := NewBuilder(Square, 2, 60)
	for r := range 60 {
		b.Pair(image.Pt(0, r), image.Pt(1, r))
	}
	p := solvetest.Must(b.Puzzle())(t)
	text, _ := p.MarshalText()
	if back, _ := read(t, string(text)).MarshalText(); string(back) != string(text) || !strings.Contains(string(text), "\n60 60\n") {
		t.Errorf("60 pairs come back as %s, want %s", back, text)
	}
	// Fans and turbines are drawn with F, T and dots.
	for text, want := range map[string]bool{"FTTFT\nTTFTT\n": false, "F.F\n...\n": true, "A.A\n": true, "FF\nTT\n": true} {
		solvetest.Same(t, sniffLetters([]byte(text)), want, "sniffLetters(%q) =", text)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := read(t, "flow 3x1\nA.A\n")
	if _, err := p.Solve(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Solve: %v, want %v", err, context.Canceled)
	}
	if _, err := p.Count(ctx, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("Count: %v, want %v", err, context.Canceled)
	}
	for _, err := range p.All(ctx) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("All: %v, want %v", err, context.Canceled)
		}
	}
}
