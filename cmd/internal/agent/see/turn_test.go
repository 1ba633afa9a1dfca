package see

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"image"
	"image/color"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"onlooker/calibrations"
	"onlooker/cmd/internal/agent/agenttest"
	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/vision"
	"onlooker/vision/grid"
	"onlooker/vision/grid/claims"
	"onlooker/vision/locate"
	"onlooker/vision/picture"
	"onlooker/vision/posterior"
)

func TestConclude(t *testing.T) {
	solved := func(place string) *Sighting {
		s := &Sighting{New: true}
		s.Place = place
		return s
	}
	failed := func(place string, why error) *Sighting {
		s := &Sighting{New: true, Failed: why}
		s.Place = place
		return s
	}
	before := func(place, status string) *Sighting {
		s := &Sighting{Before: status}
		s.Place = place
		return s
	}
	partial := func(s *Sighting) *Sighting {
		s.Partial = true
		return s
	}
	at := func(s *Sighting, x float64) *Sighting {
		s.Board = &vision.Board{Cols: 4, ScreenPitch: 25, Quad: [4]vision.Point{{X: x}, {X: x}, {X: x}, {X: x}}}
		return s
	}
	no, doubt := solve.ErrUnsolvable, &vision.UnsureError{}
	for _, row := range []struct {
		why    string
		boards []*Sighting
		want   string
		found  bool
	}{
		{"one answered", []*Sighting{failed("left", no), solved("centre"), failed("right", no)}, "the one to solve: centre", true},
		{"two excluded, the third unread", []*Sighting{failed("left", no), failed("centre", doubt), failed("right", no)},
			"the one to solve: centre (the others have no solution)", true},
		{"two excluded in an earlier look", []*Sighting{before("left", "unsolvable"), failed("centre", doubt), before("right", "unsolvable")},
			"the one to solve: centre (the others have no solution)", true},
		{"one excluded alone tells nothing", []*Sighting{failed("left", no), failed("centre", doubt), failed("right", doubt)}, "", false},
		{"two answered is no verdict", []*Sighting{solved("left"), solved("right"), failed("centre", no)}, "more than one has an answer: left, right", false},
		{"two of three, the third dark", []*Sighting{at(partial(failed("left of the two", no)), 200), at(partial(failed("right of the two", no)), 710)},
			"two have no answer: solve the third", false},
		{"two of three, the middle dark", []*Sighting{at(partial(failed("left of the two", no)), 200), at(partial(failed("right of the two", no)), 1090)},
			"two have no answer: solve the third, between them", false},
		{"one of two", []*Sighting{partial(solved("left of the two")), partial(failed("right of the two", no))}, "the one to solve: left of the two", true},
		{"two that stand alone", []*Sighting{partial(solved("left of the two")), partial(solved("right of the two"))}, "", false},
		{"two of three, one unread", []*Sighting{partial(failed("left of the two", no)), partial(failed("right of the two", doubt))}, "", false},
		{"none has an answer", []*Sighting{failed("left", no), failed("centre", no), failed("right", no)}, "", false},
	} {
		if line, right := (&Set{Boards: row.boards}).Conclude(); line != row.want || (right != nil) != row.found {
			t.Errorf("%s: %q, %v, want %q, %v", row.why, line, right, row.want, row.found)
		}
	}
}

// TestPlain: a stroke is a line, a head at its end and a disc at its start, a click is a ring,
// in one colour and as wide as is asked for; Marks has each of them twice.
func TestPlain(t *testing.T) {
	boards, err := locate.Boards(agenttest.Board(t, agenttest.Squares, 0), agenttest.Profile(t).Board)
	if err != nil || len(boards) != 1 {
		t.Fatalf("%d boards, %v", len(boards), err)
	}
	r := Reading{Board: boards[0]}
	middle := boards[0].ScreenPoint(3, 3)
	answer := solve.Solution{{{X: 0, Y: 6}, {X: 0, Y: 0}, {X: 6, Y: 0}}, {{X: 3, Y: 3}}}
	for _, row := range []struct{ asked, want float64 }{{0, boards[0].ScreenPitch / 8}, {9, 9}} {
		got := Plain(r, answer, row.asked)
		if len(got) != 4 {
			t.Fatalf("%d shapes, want a line, a head, a disc and a ring", len(got))
		}
		line, head, disc, ring := got[0], got[1], got[2], got[3]
		if len(line.Points) != 3 || line.Width != row.want || len(head.Points) != 3 || head.Points[1] != line.Points[2] {
			t.Errorf("asked for %g: line %v, head %v", row.asked, line, head)
		}
		if disc.Kind != picture.Disc || disc.Points[0] != line.Points[0] || disc.Width <= 2*row.want {
			t.Errorf("asked for %g: disc %v, line from %v", row.asked, disc, line.Points[0])
		}
		for _, p := range ring.Points {
			if far := vision.Point(p).Dist(middle) / boards[0].ScreenPitch; far < 0.25 || far > 0.31 {
				t.Errorf("the ring is %.2f pitches from the cell's middle, want 0.28", far)
			}
		}
	}
	// A dot on a line lies over the answer; what is in a cell, and what is large, does not.
	box := func(x, y, r float64) picture.Shape {
		return picture.Shape{Kind: picture.Polygon, Points: picture.Box(x-r, y-r, x+r, y+r)}
	}
	r.Game = &Game{Picture: func(solve.Puzzle, solve.Solution) []picture.Shape {
		return []picture.Shape{box(3, 3, 3), box(2, 4, 0.2), box(3, 4, 0.2), box(3, 3, 0.2), box(2.6, 3, 0.2)}
	}}
	got := Plain(r, answer, 9)
	if want := boards[0].ScreenPoint(1.8, 3.8); len(got) != 6 || vision.Point(got[4].Points[0]).Dist(want) > 0.01 {
		t.Errorf("with two dots %d shapes, want 6, the first dot from %v: %v", len(got), want, got[4:])
	}
	r.Game = nil
	solvetest.Same(t, len(Marks(r, answer)), 8, "shapes of Marks")
}

// TestHandedForward: what a frame shows is handed on and never back. No file names a type, a
// function or a number of one that comes before it, from the loop down to a reading.
func TestHandedForward(t *testing.T) {
	order := strings.Fields("loop marks observe turn pillar draft look detect decide refusal flaw reading game")
	of, uses := map[string]string{}, map[string][]string{}
	files := solvetest.Must(os.ReadDir("."))(t)
	for _, f := range files {
		name, source := strings.CutSuffix(f.Name(), ".go")
		if !source || strings.HasSuffix(name, "_test") {
			continue
		}
		if !slices.Contains(order, name) {
			t.Errorf("%s.go: it has no place among %v", name, order)
		}
		parsed := solvetest.Must(parser.ParseFile(token.NewFileSet(), f.Name(), nil, 0))(t)
		for n := range parsed.Scope.Objects {
			of[n] = name
		}
		for _, n := range parsed.Unresolved {
			uses[name] = append(uses[name], n.Name)
		}
	}
	for name, list := range uses {
		for _, n := range list {
			if in := of[n]; in != "" && slices.Index(order, in) < slices.Index(order, name) {
				t.Errorf("%s.go uses %s of %s.go, which comes before it", name, n, in)
			}
		}
	}
}

// lattice draws lines 30 pixels apart, of a width, turned by some degrees and as soft as some pixels.
func lattice(degrees, soft float64) *image.Gray {
	m := image.NewGray(image.Rect(0, 0, 300, 300))
	s, c := math.Sincos(degrees * math.Pi / 180)
	for y := range 300 {
		for x := range 300 {
			u, v := c*float64(x)+s*float64(y), c*float64(y)-s*float64(x)
			off := min(math.Abs(math.Mod(u+900, 30)-15), math.Abs(math.Mod(v+900, 30)-15))
			m.SetGray(x, y, color.Gray{uint8(255 * max(0, min(1, 0.5+(off-5)/soft)))})
		}
	}
	return m
}

// TestFlaw: what is wrong with a picture as a whole is told where it is measured.
func TestFlaw(t *testing.T) {
	for _, row := range []struct {
		why           string
		degrees, soft float64
		want          string
	}{{"sharp", 0, 0.1, ""}, {"as drawn", 0, 1, ""}, {"hardly turned", 1, 1, ""}, {"soft", 0, 9, "blurred"},
		{"turned", 14, 1, "turned"}, {"turned the other way", -20, 1, "turned"}} {
		if got := flaw(lattice(row.degrees, row.soft)); !strings.Contains(got, row.want) || (got == "") != (row.want == "") {
			t.Errorf("%s: %q, want %q", row.why, got, row.want)
		}
	}
}

// TestLit: what is as bright as can be and fades is light; a white disc is none, nor one beside the board.
func TestLit(t *testing.T) {
	b := solvetest.Must(vision.Placed(image.Pt(300, 300), 4, 4, [4]vision.Point{{X: 120, Y: 120}, {X: 240, Y: 120}, {X: 240, Y: 240}, {X: 120, Y: 240}}))(t)
	for _, row := range []struct {
		why        string
		x, y, soft float64
		ground     uint8 // about it
		want       bool
	}{
		{"light", 180, 170, 14, 0, true}, {"a disc", 180, 170, 0.5, 0, false}, {"a disc that is enlarged", 180, 170, 1, 0, false},
		{"a disc on a bright ground", 180, 170, 0.5, 195, false}, {"light beside it", 60, 60, 12, 0, false},
	} {
		m := lattice(0, 1)
		for y := range 300 {
			for x := range 300 {
				v := &m.Pix[m.PixOffset(x, y)]
				*v = *v / 2 // no line is as bright
				off := math.Hypot(float64(x)-row.x, float64(y)-row.y)
				if off < 25 {
					*v = max(*v, row.ground)
				}
				share := min(1, math.Exp((20-off)/row.soft))
				*v += uint8(share * float64(255-*v))
			}
		}
		solvetest.Same(t, lit(m, b), row.want, "%s", row.why)
	}
}

// TestInked: what lies beside a board comes up to the border where its colour changes along there.
func TestInked(t *testing.T) {
	on := lattice(0, 1)
	off := image.NewGray(on.Rect)
	copy(off.Pix, on.Pix)
	for i := range 300 {
		for _, at := range []image.Point{{i, 0}, {i, 299}, {0, i}, {299, i}} {
			off.Set(at.X, at.Y, color.White)
		}
	}
	placed := func(from, to float64) *vision.Board {
		return solvetest.Must(vision.Placed(on.Rect.Size(), 4, 4, [4]vision.Point{{X: from, Y: from}, {X: to, Y: from}, {X: to, Y: to}, {X: from, Y: to}}))(t)
	}
	for _, row := range []struct {
		why  string
		m    *image.Gray
		b    *vision.Board
		want bool
	}{{"lines to the border", on, placed(5, 265), true}, {"a margin", off, placed(5, 295), false}, {"beyond it", off, placed(-6, 306), false}, {"far from it", on, placed(120, 180), false}} {
		solvetest.Same(t, inked(row.m, row.b), row.want, "%s", row.why)
	}
}

// A reader or a scan that panics, on a goroutine of its own or not, is an error that
// says where, and what another family reads of the same frame is kept.
func TestPanicsWhileReading(t *testing.T) {
	frame := agenttest.Board(t, agenttest.Squares, 0)
	broken := func() { vision.SideBySide(3, func(i int) { _ = []int{}[i] }) }
	lines := func(name string, read func()) (Game, *calibrations.Profile) {
		look := *agenttest.Profile(t)
		look.Family = name
		return Game{Family: &solve.Family{Name: name}, NewReader: func(*calibrations.Profile) Reader {
			read()
			return &needs{want: 1, puzzle: &one{text: name}}
		}}, &look
	}
	cells := func(name string, scan func()) (Game, *calibrations.Profile) {
		return Game{Family: &solve.Family{Name: name}, Scan: func(*grid.Scene, int, []*calibrations.Profile) []claims.Reading {
			scan()
			b := &vision.Board{Cols: 2, Rows: 2, Quad: [4]vision.Point{{X: 1, Y: 1}, {X: 9, Y: 1}, {X: 9, Y: 9}, {X: 1, Y: 9}}}
			return []claims.Reading{{Board: b, Puzzle: &one{text: name, solve: func() (solve.Solution, error) { return nil, nil }}}}
		}}, &calibrations.Profile{Name: name, Family: name}
	}
	fine := func() {}
	for _, row := range []struct {
		why   string
		first func(string, func()) (Game, *calibrations.Profile)
		do    func()
		other func(string, func()) (Game, *calibrations.Profile)
		read  int  // boards of the other family
		told  bool // what panicked, and where
	}{
		{"a reader, nothing beside it", lines, broken, nil, 0, true},
		{"a scan, nothing beside it", cells, broken, nil, 0, true},
		{"a reader, a scan beside it", lines, broken, cells, 1, false},
		{"a scan, a reader beside it, which settles the frame", cells, broken, lines, 1, false},
		{"a scan, a scan beside it", cells, broken, cells, 1, true},
	} {
		e := &Eye{}
		add := func(g Game, p *calibrations.Profile) {
			e.Games, e.Profiles = append(e.Games, g), append(e.Profiles, p)
		}
		add(row.first("first", row.do))
		if row.other != nil {
			add(row.other("other", fine))
		}
		sight, err := e.Look(image.Image(frame), Millis{})
		read, fault := 0, err
		if sight != nil {
			read, fault = sight.Read(), errors.Join(err, sight.Broken)
			for _, r := range sight.Readings {
				fault = errors.Join(fault, r.Err)
			}
		}
		solvetest.Same(t, read, row.read, "%s: boards read", row.why)
		if row.told && (!errors.As(fault, new(*vision.Fault)) || !strings.Contains(fault.Error(), "(turn_test.go:")) {
			t.Errorf("%s: %v, want what panicked and where", row.why, fault)
		}
	}
}

// TestRefusal: a refusal names the likeliest family, what that
// could not tell, and what to do about it.
func TestRefusal(t *testing.T) {
	cut, odd := vision.CutOff("a board that is cut off"), &vision.UnsureError{What: "an odd end: 3 px, want 4", Measured: ": 3 px, want 4", At: image.Pt(1, 3)}
	hidden := &vision.UnsureError{What: "the cursor", At: image.Pt(1, 1), Hidden: true}
	games := map[string]*Game{}
	at := func(family string, err error, odds float64) Reading {
		r := readingAt(t, family, 0, nil, err)
		r.Odds = odds
		if games[family] == nil {
			games[family] = r.Game
		}
		r.Game = games[family]
		return r
	}
	lines := at("lines", &vision.UnsureError{What: "no end", Whole: true}, 0.5)
	lines.Board.Flat, lines.Board.Cols, lines.Board.Rows = image.NewRGBA(image.Rect(0, 0, 1, 1)), 1, 1
	few, part, small, covered := at("a", cut, 0), at("a", cut, 4), at("a", odd, 4), at("a", odd, -2)
	few.Board.Cols, part.Board.Cols, small.Board.Cols = 2, 2, 2
	small.Board.Flat = lines.Board.Flat
	narrow, wide := at("a", odd, -3), at("b", odd, -3.5)
	wide.Board.Cols, wide.Board.Quad[1].X, wide.Board.Quad[2].X = 5, wide.Board.Quad[1].X+100, wide.Board.Quad[2].X+100
	covered.Board.Unlike = []image.Point{{3, 5}, {5, 5}}
	const do = "if it is a board, draw it in, or say which family with --family and its size with --size"
	for _, row := range []struct {
		why  string
		r    Reading
		all  []Reading
		want string
	}{
		{"one that stands out", at("a", odd, 4), []Reading{at("b", cut, 0)}, "most like a, 4×4: unsure at column 1 row 2: an odd end; say what is there"},
		{"two", at("a", odd, 1), []Reading{at("b", cut, 0.5)}, "most like a, 4×4: unsure at column 1 row 2: an odd end; say what is there"},
		{"one that is not likely", at("a", odd, -2), []Reading{at("b", cut, -3)}, "4×4 places like cells, of no family in particular, and it may be no board at all; " + do},
		{"one that may be", at("a", odd, -0.5), []Reading{at("b", cut, -3)}, "perhaps a, 4×4: unsure at column 1 row 2: an odd end; say what is there; " + do},
		{"some of it covered", covered, []Reading{at("b", cut, -3)}, "4×4 places like cells (2 of them unlike the others, from column 2 row 3 to column 3 row 3: if something lies over them, take the picture again without it), of no family in particular, and it may be no board at all; " + do},
		{"a part of what is likely", part, []Reading{at("b", odd, -3)}, "perhaps no board, or a, of which only 2×4 places like cells are seen; if it is one, draw all of it in"},
		{"few lines", small, nil, "perhaps no board, or a, 2×4: unsure at column 1 row 2: an odd end; say what is there"},
		{"that was asked for", at("a", odd, -1), nil, "most like a, 4×4: unsure at column 1 row 2: an odd end; say what is there"},
		{"one that is cut", at("a", vision.CutOff("its lines go on"), 4), nil, "a board that is cut off, or none: its lines go on; " + vision.Room},
		{"two of one family", at("a", odd, 1), []Reading{at("a", cut, 0)}, "most like a, 4×4: unsure at column 1 row 2: an odd end; say what is there"},
		{"the likelier of two others", at("a", odd, 1), []Reading{at("b", cut, -1), at("b", odd, 0.5)}, "most like a, 4×4: unsure at column 1 row 2: an odd end; say what is there"},
		{"hidden", at("a", hidden, 4), nil, "most like a, 4×4: hidden by the cursor: column 1 row 1; take the picture again without what lies over it, or, where nothing does, put right what no look knows"},
		{"few cells", few, []Reading{at("b", odd, -1)}, "only 2×4 places like cells are made out; " + do},
		{"a larger lattice", narrow, []Reading{wide}, "5×4 places like cells, of no family in particular, and it may be no board at all; " + do},
		{"lines amid cells", at("a", odd, 1), []Reading{lines}, "most like a, 4×4: unsure at column 1 row 2: an odd end; say what is there"},
		{"in two looks", at("a", fmt.Errorf("%w; or so: %v", hidden, odd), 4), nil, "most like a, 4×4: hidden by the cursor: column 1 row 1; or so: unsure at column 1 row 2: an odd end; take the picture again without what lies over it, or, where nothing does, put right what no look knows"},
	} {
		err := refusal(row.r, posterior.Model{}, append(row.all, row.r))
		if err.Error() != row.want || !errors.As(err, new(*vision.UnsureError)) {
			t.Errorf("%s: got %q, want %q", row.why, err, row.want)
		}
	}
}

// TestDraftable: what was refused is put right over its picture, unless it lies on no lattice.
func TestDraftable(t *testing.T) {
	for _, row := range []struct {
		err  error
		want bool
	}{{nil, false}, {&vision.UnsureError{What: "an odd end"}, true}, {&vision.UnsureError{What: "a line between two bulbs", Loose: true}, false}} {
		r := readingAt(t, "a", 0, nil, row.err)
		solvetest.Same(t, r.Draftable(), row.want, "%v", row.err)
		if r.Board.Pillar = true; r.Draftable() {
			t.Errorf("%v: a pillar is put right", row.err)
		}
	}
}

// TestNever: a board without an answer is doubted, and is a result where its family was named.
func TestNever(t *testing.T) {
	for _, asked := range []bool{false, true} {
		r := readingAt(t, "a", 0, posterior.Evidence{}, nil)
		r.Game.Unsolved = true
		r.Puzzle = &one{text: "a", solve: func() (solve.Solution, error) { return nil, solve.ErrUnsolvable }}
		if r.account(asked); !r.Never || (r.Err == nil) != asked {
			t.Errorf("named: %v: got %v, never %v", asked, r.Err, r.Never)
		}
	}
}
