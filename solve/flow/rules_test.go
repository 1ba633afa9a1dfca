package flow

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

func TestParseRules(t *testing.T) {
	was := Options{NoTouch: true}
	for _, row := range []struct {
		rules string
		want  Options
		err   string
	}{
		{"flowfree", Options{}, ""},
		{"numberlink", Options{Any: true}, ""},
		{"numberlink,notouch=on", Options{Any: true, NoTouch: true}, ""},
		{"any=on", Options{Any: true, NoTouch: true}, ""},
		{"any=on,notouch=off", Options{Any: true}, ""},
		{"notouch", Options{}, `got "notouch", want flowfree`},
		{"any=on,flowfree", Options{}, `got "flowfree"`},
		{"notouch=yes", Options{}, `got "notouch=yes", want notouch=on or notouch=off`},
		{"", Options{}, `got "", want`},
	} {
		change, err := ParseRules(row.rules)
		if row.err != "" {
			if err == nil || !strings.Contains(err.Error(), row.err) {
				t.Errorf("%q: %v, want %q", row.rules, err, row.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", row.rules, err)
		} else if got := change(was); got != row.want {
			t.Errorf("%q: %+v, want %+v", row.rules, got, row.want)
		}
	}
}

// TestCountGroups has a board with two answers, one of which doubles back on
// itself.
func TestCountGroups(t *testing.T) {
	b := NewBuilder(Square, 2, 3)
	b.Pair(b.p.point(0), b.p.point(1)).Any()
	p := solvetest.Must(b.Puzzle())(t)
	// Straight across; round by the second row and by the third, which both
	// come back beside themselves.
	solvetest.Same(t, solvetest.Must(p.Count(context.Background(), 0))(t), 3, "answers")
	if n, _, err := p.CountGroups(context.Background(), 0); n != 1 || err != nil {
		t.Errorf("%d answers that do not touch themselves, %v, want 1", n, err)
	}
}

// TestBoardTells: what a board was built of is told cell by cell, of columns and rows that
// differ in number.
func TestBoardTells(t *testing.T) {
	hole, bridge := image.Pt(4, 2), image.Pt(1, 1)
	p := solvetest.Must(NewBuilder(Square, 5, 3).Any().Hole(hole).Bridge(bridge).
		Pair(image.Pt(0, 0), image.Pt(3, 2)).Wall(image.Pt(2, 0), image.Pt(2, 1)).Join(image.Pt(0, 2), image.Pt(4, 0)).Puzzle())(t)
	for r := range 3 {
		for c := range 5 {
			at := image.Pt(c, r)
			if p.Hole(at) != (at == hole) || p.Bridge(at) != (at == bridge) {
				t.Errorf("%v: a hole %t, a bridge %t", at, p.Hole(at), p.Bridge(at))
			}
			solvetest.Same(t, p.Centre(at), image.Pt(2*c+1, 2*r+1), "%v has its middle at", at)
		}
	}
	if cols, rows := p.Size(); cols != 5 || rows != 3 || p.Bounds() != image.Rect(0, 0, 11, 7) {
		t.Errorf("%d×%d cells in %v", cols, rows, p.Bounds())
	}
	same := func(what string, got [][2]image.Point, a, b image.Point) {
		if len(got) != 1 || !slices.Contains(got[0][:], a) || !slices.Contains(got[0][:], b) {
			t.Errorf("%s: %v, want %v to %v", what, got, a, b)
		}
	}
	same("pairs", p.Pairs(), image.Pt(0, 0), image.Pt(3, 2))
	same("walls", p.Walls(), image.Pt(2, 0), image.Pt(2, 1))
	same("joins", p.Joins(), image.Pt(0, 2), image.Pt(4, 0))
	if o := p.Options(); !o.Any || o.NoTouch {
		t.Errorf("options %+v", o)
	}
	if shape, torus := p.Shape(); shape != Square || torus {
		t.Errorf("shape %v, torus %t", shape, torus)
	}
	hex := solvetest.Must(NewBuilder(Hex, 2, 2).Pair(image.Pt(0, 0), image.Pt(1, 1)).Puzzle())(t)
	solvetest.Same(t, hex.Centre(image.Pt(1, 1)), image.Pt(3, 2), "the middle of an odd column")
}

// TestDirect holds the direct search against the count of answers that fill all cells
// and in which no path touches itself: it finds one exactly where there is one.
func TestDirect(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(5, 8))
	found := 0
	for range 3000 {
		b := NewBuilder(Square, 1+rng.IntN(6), 1+rng.IntN(6))
		cells := rng.Perm(b.p.cols * b.p.rows)
		at := func(i int) image.Point { return image.Pt(cells[i]%b.p.cols, cells[i]/b.p.cols) }
		for i := 0; i < 2*(1+rng.IntN(4)) && i+1 < len(cells); i += 2 {
			b.Pair(at(i), at(i+1))
		}
		p := solvetest.Must(b.NoTouch().Puzzle())(t)
		n := solvetest.Must(p.Count(ctx, 1))(t)
		text, _ := p.MarshalText()
		s := p.direct(ctx)
		if (s != nil) != (n > 0) {
			t.Fatalf("%s: got an answer: %t, want %t", text, s != nil, n > 0)
		}
		if s == nil {
			continue
		}
		found++
		solvetest.OK(t, p.Check(ctx, s), text)
	}
	if found < 100 {
		t.Errorf("%d boards have an answer, want some hundreds", found)
	}
}

// TestTouching looks for answers of boards of which all touch themselves: a search that begins
// anew often takes 31,562 conflicts for these.
func TestTouching(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	found, conflicts := 0, int64(0)
	for found < 25 {
		w := 9 + rng.IntN(3)
		b := NewBuilder(Square, w, w)
		cells := rng.Perm(w * w)
		for range 3 + rng.IntN(3) {
			b.Pair(image.Pt(cells[0]%w, cells[0]/w), image.Pt(cells[1]%w, cells[1]/w))
			cells = cells[2:]
		}
		p := solvetest.Must(b.Puzzle())(t)
		if p.direct(t.Context()) != nil || p.parityProof() != nil {
			continue
		}
		if x := solvetest.Must(p.find(t.Context(), nil))(t); x != nil {
			found, conflicts = found+1, conflicts+x.s.Stats().Conflicts
		}
	}
	if conflicts > 20_000 {
		t.Errorf("%d conflicts, want at most 20,000", conflicts)
	}
}

// TestDirectTurned fills boards and the same boards lying on their sides in as many steps:
// that a board is wider than high makes it no harder.
func TestDirectTurned(t *testing.T) {
	for seed := range uint64(20) {
		p := generate(rand.New(rand.NewPCG(seed, 3)), 12, 7).(*Puzzle)
		b := NewBuilder(Square, p.rows, p.cols)
		for _, e := range p.Pairs() {
			b.Pair(image.Pt(e[0].Y, e[0].X), image.Pt(e[1].Y, e[1].X))
		}
		q := solvetest.Must(b.Puzzle())(t)
		wide, high := newDirect(p), newDirect(q)
		if wide.fill(t.Context()) != high.fill(t.Context()) || wide.budget != high.budget {
			t.Errorf("seed %d: %d steps are left, on its side %d", seed, wide.budget, high.budget)
		}
	}
}

// TestDrawnRows reads boards that follow one another without an empty line, ends that
// are other signs than letters, a list of Prolog, and the line that ends a file.
func TestDrawnRows(t *testing.T) {
	for _, c := range []struct {
		text  string
		sizes []image.Point
		pairs int // of the last
	}{
		{"# two\n3 2\nA.A\nB.B\n2 2\nAA\nBB\n0 0\n", []image.Point{{X: 3, Y: 2}, {X: 2, Y: 2}}, 2},
		{"4 3\n_..[\n]aa]\n_..[\n", []image.Point{{X: 4, Y: 3}}, 4},
		{"4 2\nA_.A\nB_.B\n", []image.Point{{X: 4, Y: 2}}, 3},
		{"[[1,_,1],\n[2,_,2]].", []image.Point{{X: 3, Y: 2}}, 2},
	} {
		var sizes []image.Point
		pairs := 0
		for _, f := range Family.Formats {
			if !f.Sniff([]byte(c.text)) {
				continue
			}
			for p, err := range f.Decode(strings.NewReader(c.text)) {
				solvetest.OK(t, err)
				cols, rows := p.(*Puzzle).Size()
				sizes, pairs = append(sizes, image.Pt(cols, rows)), len(p.(*Puzzle).pairs)
			}
			break
		}
		if len(sizes) != len(c.sizes) || sizes[0] != c.sizes[0] || sizes[len(sizes)-1] != c.sizes[len(c.sizes)-1] || pairs != c.pairs {
			t.Errorf("%q: got boards of %v, %d pairs, want %v, %d", c.text, sizes, pairs, c.sizes, c.pairs)
		}
	}
}

func TestEditor(t *testing.T) { solvetest.Edit(t, Family, Editor) }

// TestLinks: a board may say between which cells paths lead: between all. A slip is told with its form, its
// row, what stands there and what is wanted, and is a slip of no other form.
func TestLinks(t *testing.T) {
	const squares, hexagons = "STANDARD\nA-.-B\n| | |\n.-.-.\n| | |\nA-.-B\n", "HEX\n  A\n /|\\\nB-.-C\n|/|\\|\nB-A-C\n"
	slip := func(text string, line int, to string) string {
		lines := strings.Split(text, "\n")
		lines[line-1] = to
		return strings.Join(lines, "\n")
	}
	for _, c := range []struct{ text, want string }{
		{squares, "A.B/.../A.B"},
		{"# a board\n" + squares + squares, "A.B/.../A.B;A.B/.../A.B"},
		{hexagons, "ABC/A.C/#B#"},
		{slip(squares, 2, "A-.-B-."), `line 2: STANDARD: row 1 is "A-.-B-.", want "A-.-B"`},
		{slip(squares, 3, "| |"), `line 3: STANDARD: row 2 is "| |", want "| | |"`},
		{slip(squares, 4, ".-?-."), `line 4: STANDARD: row 3 is ".-?-.", want ".-.-."`},
		{slip(squares, 4, ".-.-C"), `line 4, cell 3: "C" stands only once, want every end twice, as STANDARD has it`},
		{squares + "A-.-B\n", `line 7: STANDARD: row 6 is the last, want one more, of cells`},
		{squares + "A-.-B\nA-.-B\n", `line 7: STANDARD: row 6 is "A-.-B", want "| | |"`},
		{slip(hexagons, 2, "  A ."), `line 2: HEX: row 1 is "  A .", want "  A  "`},
		{slip(hexagons, 4, "B-.-C-D"), `line 4: HEX: row 3 is "B-.-C-D", want "B-.-C"`},
		{slip(hexagons, 5, "|/| |"), `line 5: HEX: row 4 is "|/| |", want "|/|\\|"`},
		{slip(hexagons, 6, "B-?-C"), `line 6: HEX: row 5 is "B-?-C", want "B-.-C"`},
		{"HEX\n  A\n /|\\\n", `line 3: HEX: row 2 is the last, want one more, of cells`},
	} {
		if !sniffLinks([]byte(c.text)) {
			t.Errorf("%q is not seen to be one of links", c.text)
		}
		var got []string
		for p, err := range blocks(isLinks, block.links)(strings.NewReader(c.text)) {
			if err != nil {
				got = append(got, strings.TrimPrefix(err.Error(), "flow: "))
				continue
			}
			text, _ := p.MarshalText()
			solvetest.Same(t, strings.Contains(string(text), " hex"), strings.HasPrefix(c.text, "HEX"), "%q: hexagons", c.text)
			got = append(got, strings.Join(strings.Split(strings.TrimSpace(string(text)), "\n")[1:], "/"))
		}
		solvetest.Same(t, strings.Join(got, ";"), c.want, "%q: got %q", c.text, got)
	}
	for _, text := range []string{"HEX\nHEX\n", "A-.-B\n| | |\nA-.-B\n"} {
		if sniffLinks([]byte(text)) {
			t.Errorf("%q is taken for one of links", text)
		}
	}
}

// TestEmptyFields: nothing between two commas or tabs is an empty cell, at a row's ends too, and
// a line of tabs alone is a row: testdata/fields.rows.
func TestEmptyFields(t *testing.T) {
	for _, row := range solvetest.Rows(t, "testdata/fields.rows") {
		var c struct{ text, want string }
		solvetest.Must(fmt.Sscanf(row, "%q %q", &c.text, &c.want))(t, row)
		var got []string
		for p, err := range plainBlocks()(strings.NewReader(c.text)) {
			if err != nil {
				t.Errorf("%q: %v", c.text, err)
				continue
			}
			text, _ := p.MarshalText()
			got = append(got, strings.Join(strings.Split(strings.TrimSpace(string(text)), "\n")[1:], "/"))
		}
		solvetest.Same(t, strings.Join(got, ";"), c.want, "%q: got %v", c.text, got)
	}
}

func TestLarge(t *testing.T) {
	// Ends anywhere: hardly any such board has an answer, but that is not seen
	// at once.
	board := func(name string, shape Shape, cols, rows, pairs int, o func(*Builder) *Builder) solvetest.LargeBoard {
		return solvetest.LargeBoard{Name: name, Make: func() (solve.Puzzle, error) {
			rng := rand.New(rand.NewPCG(1, 4))
			b := o(NewBuilder(shape, cols, rows))
			at := rng.Perm(cols * rows)[:2*pairs]
			for i := 0; i < len(at); i += 2 {
				b.Pair(image.Pt(at[i]%cols, at[i]/cols), image.Pt(at[i+1]%cols, at[i+1]/cols))
			}
			return b.Puzzle()
		}}
	}
	plain := func(b *Builder) *Builder { return b }
	solvetest.Large(t,
		board("362x362", Square, 362, 362, 60, plain),
		board("362x362 any", Square, 362, 362, 2000, (*Builder).Any),
		board("362x362 torus without touching", Square, 362, 362, 60, func(b *Builder) *Builder { return b.Torus().Any().NoTouch() }),
		board("362x362 hexagons", Hex, 362, 362, 60, plain),
		board("1002x1002", Square, 1002, 1002, 4000, plain),
		board("2048x2048", Square, 2048, 2048, 60, plain),
		board("larger", Square, 2049, 2048, 60, plain),
	)
}

// collected reads fz files; name is FILE#n.
func collected(t testing.TB, o Options, glob string) (boards []*Puzzle, names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(solvetest.Collected(t, ""), glob))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no files, %v", glob, err)
	}
	slices.Sort(files)
	for _, file := range files {
		f := solvetest.Must(os.Open(file))(t)
		n := 0
		for p, err := range blocks(isBlock, block.fz)(f) {
			n++
			solvetest.OK(t, err, file)
			boards = append(boards, p.(*Puzzle).With(o))
			names = append(names, fmt.Sprintf("%s#%d", strings.TrimSuffix(filepath.Base(file), ".fz"), n))
		}
		f.Close()
	}
	return boards, names
}

// Every collected board has an answer that Check accepts, and exactly one in
// which no path touches itself, but for one board that is proved to have none.
func TestCollected(t *testing.T) {
	boards, names := collected(t, Options{}, "flow/*.fz")
	var none, more []string
	for i, p := range boards {
		if testing.Short() && i%10 > 0 {
			continue
		}
		s, err := p.Solve(t.Context())
		if errors.Is(err, solve.ErrUnsolvable) {
			none = append(none, names[i])
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", names[i], err)
			continue
		}
		solvetest.Fine(t, p.Check(t.Context(), s), fmt.Sprintf("%s: Check refuses %v", names[i], s))
		n, err := p.With(Options{NoTouch: true}).Count(t.Context(), 2)
		if n != 1 || err != nil {
			more = append(more, fmt.Sprintf("%s has %d answers without touching, %v", names[i], n, err))
		}
	}
	t.Logf("%d boards", len(boards))
	if !testing.Short() && !slices.Equal(none, []string{"mzucker#29"}) {
		t.Errorf("without an answer: %v, want unsolvable_cross (mzucker#29) alone", none)
	}
	for _, m := range more {
		t.Log(m)
	}
	if len(more) > 1 {
		t.Errorf("%d boards do not have one answer, want at most one such", len(more))
	}
}

// On small collected boards the search counts what the sweep does, which shares
// nothing with it but the graph.
func TestCollectedAgainstSweep(t *testing.T) {
	n := 0
	for _, glob := range []string{"traps/*.fz", "flow/0.fz", "flow/23_hexes.fz", "flow/27_warps.fz", "flow/28_party.fz"} {
		boards, names := collected(t, Options{}, glob)
		for i, p := range boards {
			if p.cols*p.rows > 49 {
				continue
			}
			plan, order := p.plan()
			want := solvetest.Must(path.Sweep(context.Background(), plan, order, sweepLimit))(t, names[i])
			if got, err := p.Count(t.Context(), 0); err != nil || uint64(got) != want {
				t.Errorf("%s: Count says %d, %v, the sweep %d", names[i], got, err, want)
			}
			n++
		}
	}
	if n < 100 {
		t.Errorf("%d boards, want at least 100 to mean anything", n)
	}
}

// Where cells may stay empty.
func TestNumberlink(t *testing.T) {
	boards, names := collected(t, Options{Any: true}, "numberlink/janko.fz")
	for i, p := range boards {
		s, err := p.Solve(t.Context())
		if err != nil || p.Check(t.Context(), s) != nil {
			t.Errorf("%s: %v, %v", names[i], err, p.Check(t.Context(), s))
		}
	}
}
