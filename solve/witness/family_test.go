package witness

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	rand "math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/deal"
	"onlooker/solve/witness/forms"
	"onlooker/solve/witness/witnesstest"
)

func TestFamily(t *testing.T) { solvetest.Run(t, Family) }

func BenchmarkFamily(b *testing.B) { solvetest.Bench(b, Family) }

func FuzzText(f *testing.F) { solvetest.FuzzDecode(f, Family, "text") }

func FuzzWindmill(f *testing.F) { solvetest.FuzzDecode(f, Family, "windmill") }

func FuzzJSON(f *testing.F) { solvetest.FuzzDecode(f, Family, "witnesspuzzles") }

func FuzzSolveThenCheck(f *testing.F) { solvetest.FuzzSolve(f, Family, 120) }

// Every rule is broken by some stroke on some board: testdata/broken.rows has rule, panel and stroke, and
// with no rule those that Check accepts.
func TestRulesBroken(t *testing.T) {
	const plain = "panel 2x1\n+-+->\n| | |\n@-+-+\n"
	seen := map[string]bool{}
	for _, line := range solvetest.Rows(t, "testdata/broken.rows") {
		var row struct{ rule, panel, stroke string }
		solvetest.Must(fmt.Sscanf(line, "%q %q %q", &row.rule, &row.panel, &row.stroke))(t, line)
		seen[row.rule] = true
		var answer solve.Solution
		if row.stroke != "" {
			answer = solve.Solution{stroke(t, row.stroke)}
		}
		p := witnesstest.Parsed(t, row.panel)
		err := Of(p).Check(t.Context(), answer)
		if row.rule == "" {
			solvetest.Fine(t, err, line)
			continue
		}
		var broken *solve.RuleError
		if !errors.As(err, &broken) || broken.Rule != row.rule {
			t.Errorf("%s: %v, want rule %s broken\n%s", row.stroke, err, row.rule, row.panel)
			continue
		}
		if all := Of(p).Faults(t.Context(), answer); len(all) == 0 || *all[0] != *broken {
			t.Errorf("%s: the faults are %v, want %v first\n%s", row.stroke, all, broken, row.panel)
		}
	}
	for _, r := range Family.Rules {
		if !seen[r.Name] {
			t.Errorf("no board breaks rule %s", r.Name)
		}
	}
	two := solve.Solution{stroke(t, "0,2 2,2 2,0 4,0 5,0"), stroke(t, "0,2 2,2 2,0 4,0 5,0")}
	if Of(witnesstest.Parsed(t, plain)).Check(t.Context(), two[:1]) != nil || Of(witnesstest.Parsed(t, plain)).Check(t.Context(), two) == nil {
		t.Error("one stroke is right, two are not")
	}
}

// TestFaults lists all that is wrong, region by region.
func TestFaults(t *testing.T) {
	for _, row := range []struct {
		why, panel, stroke string
		want               []image.Point
	}{
		{"nothing", "panel 2x1\n+-+->\n|a|b|\n@-+-+\na = white square\nb = red square\n", "0,2 2,2 2,0 4,0 5,0", nil},
		{"all squares of two colours", "panel 3x1\n+-+-+->\n|a|b|a|\n@-+-+-+\na = white square\nb = red square\n", "0,2 0,0 2,0 4,0 6,0 7,0",
			[]image.Point{{X: 1, Y: 1}, {X: 3, Y: 1}, {X: 5, Y: 1}}},
		{"in two regions", "panel 2x1\n+-+->\n|a|b|\n@-+-+\na = 1 triangle\nb = white star\n", "0,2 2,2 2,0 4,0 5,0",
			[]image.Point{{X: 1, Y: 1}, {X: 3, Y: 1}}},
		{"a dot of one region, and the eraser of another", "panel 2x1\n+-+-+\n|e| *\n@-+->\ne = eraser\n", "0,2 0,0 2,0 2,2 4,2 5,2",
			[]image.Point{{X: 4, Y: 1}, {X: 1, Y: 1}}},
		{"a line that is none", "panel 2x1\n+-+->\n|a| |\n@-+-+\na = 3 triangles\n", "0,2 2,2 2,0", []image.Point{{X: 2, Y: 0}}},
	} {
		var got []image.Point
		for _, fault := range Of(witnesstest.Parsed(t, row.panel)).Faults(t.Context(), solve.Solution{stroke(t, row.stroke)}) {
			got = append(got, fault.At)
		}
		if !slices.Equal(got, row.want) {
			t.Errorf("%s: %v, want %v\n%s", row.why, got, row.want, row.panel)
		}
	}
}

func stroke(t *testing.T, text string) solve.Stroke { return solvetest.Strokes(t, text)[0] }

// Generated panels hold what was asked for, and their answer is one.
func TestGenerate(t *testing.T) {
	for _, o := range []deal.Options{
		{Cols: 3, Rows: 1},
		{Cols: 4, Rows: 3, Squares: 6, Cuts: 3},
		{Cols: 3, Rows: 5, Stars: 4, Squares: 2, SquareColours: 3},
		{Cols: 5, Rows: 4, Pieces: 3, Turned: 1, Negatives: 1},
		{Cols: 5, Rows: 5, Triangles: 6, Dots: 3},
		{Cols: 4, Rows: 4, Squares: 4, Erasers: 2},
		{Cols: 4, Rows: 4, Squares: 4, Erasers: 1, Rules: board.Windmill},
		{Cols: 6, Rows: 6, Symmetry: board.Rotation, Dots: 6, ColouredDots: true, Cuts: 6},
		{Cols: 5, Rows: 3, Symmetry: board.Parallel, Squares: 4},
		{Cols: 5, Rows: 3, Symmetry: board.Turned, Dots: 4},
		{Cols: 4, Rows: 3, Symmetry: board.Flip, Dots: 4},
		{Cols: 6, Rows: 6, Pillar: true, Symmetry: board.Parallel, Squares: 6},
		{Cols: 6, Rows: 6, Pillar: true, Symmetry: board.Mirror, Dots: 8},
		{Cols: 4, Rows: 2, Pillar: true, Symmetry: board.Rotation, Dots: 3},
		{Cols: 4, Rows: 2, Pillar: true, Symmetry: board.Flip, Dots: 1},
		{Cols: 3, Rows: 3, MidEdge: true, Squares: 3, ExtraStarts: 2, ExtraEnds: 1, MissingEdges: 2},
	} {
		for seed := range uint64(20) {
			p, answer, err := deal.Solvable(context.Background(), rand.New(rand.NewPCG(seed, 7)), o)
			if err != nil {
				t.Errorf("seed %d: %v", seed, err)
				break
			}
			if err := Of(p).Check(t.Context(), answer); err != nil {
				t.Fatalf("%+v, seed %d: %v\n%s", o, seed, err, Of(p))
			}
			kinds := map[board.Kind]int{}
			dots, cuts := 0, 0
			for at := range p.Points() {
				s := p.At(at)
				kinds[s.Kind]++
				if s.Dot.On {
					dots++
				}
				if s.Gap == board.Broken {
					cuts++
				}
			}
			got := deal.Options{Stars: kinds[board.Star], Pieces: kinds[board.Polyomino], Negatives: kinds[board.Negative], Erasers: kinds[board.Eraser], Dots: dots, Cuts: cuts}
			want := deal.Options{Stars: o.Stars, Pieces: o.Pieces, Negatives: o.Negatives, Erasers: o.Erasers, Dots: o.Dots, Cuts: o.Cuts}
			if o.Erasers > 0 { // what an eraser removes comes on top
				got.Stars, want.Stars = 0, 0
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d: %+v, want %+v\n%s", seed, got, want, Of(p))
			}
		}
	}
}

func TestGenerateUnsolvable(t *testing.T) {
	for seed := range uint64(5) {
		p := solvetest.Must(unsolvable(t.Context(), (*Rooms)(nil).deck(board.Kinds()), rand.New(rand.NewPCG(seed, 7)), deal.Options{Cols: 3, Rows: 3, Squares: 5, Stars: 2}))(t)
		solvetest.Same(t, witnesstest.BruteCount(p, 1), 0, "seed %d: it has an answer %s", seed, Of(p))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if p, err := unsolvable(ctx, (*Rooms)(nil).deck(board.Kinds()), rand.New(rand.NewPCG(1, 7)), deal.Options{Cols: 3, Rows: 3, Squares: 5}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v, %v", Of(p), err)
	}
}

// A line on 60×60 cells without a symbol is drawn at once, and an end is looked for.
func TestGenerateEnds(t *testing.T) {
	p, _, err := deal.Solvable(t.Context(), rand.New(rand.NewPCG(1, 7)), deal.Options{Cols: 60, Rows: 60})
	if err != nil || len(p.Features()) > 0 {
		t.Errorf("%v, %d clues, want a panel without any", err, len(p.Features()))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := deal.Solvable(ctx, rand.New(rand.NewPCG(1, 7)), deal.Options{Cols: 60, Rows: 60}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
	if _, err := Family.Make(ctx, rand.New(rand.NewPCG(1, 7)), solve.Order{Cols: 60, Rows: 60}); !errors.Is(err, context.Canceled) {
		t.Errorf("made after the end: %v", err)
	}
}

// A panel that wants nothing but a line gets a shortest one, of any size.
func TestFreePanels(t *testing.T) {
	p := witnesstest.Corners(100, 100, image.Pt(1, 0))
	a, err := Of(p).Solve(t.Context())
	if err == nil {
		err = Of(p).Check(t.Context(), a)
	}
	if err != nil || len(a[0]) != 202 {
		t.Errorf("%v, %v, want 201 nodes and a cap", a, err)
	}
	p.At(image.Pt(199, 0)).Gap, p.At(image.Pt(200, 1)).Gap = board.Broken, board.Missing
	if a, err := Of(p).Solve(t.Context()); !errors.Is(err, solve.ErrUnsolvable) {
		t.Errorf("%v, %v, where no edge leads to the end", a, err)
	}
}

// unsolvable makes a random panel of the same mix that is proved to
// have no answer: the symbols of a solvable one change places until it has
// none.
func unsolvable(ctx context.Context, d deal.Deck, rng *rand.Rand, o deal.Options) (*board.Panel, error) {
	for range 200 {
		p, _, err := d.Solvable(ctx, rng, o)
		if err != nil {
			return nil, err
		}
		var cells []image.Point
		for at := range p.Points() {
			if board.IsCell(at) {
				cells = append(cells, at)
			}
		}
		for range 20 {
			rng.Shuffle(len(cells), func(i, j int) {
				a, b := p.At(cells[i]), p.At(cells[j])
				a.Symbol, b.Symbol = b.Symbol, a.Symbol
			})
			switch _, err := d.Solver.Solve(ctx, p); {
			case errors.Is(err, solve.ErrUnsolvable):
				return p, nil
			case err != nil:
				return nil, err
			}
		}
	}
	return nil, fmt.Errorf("generate: %+v: every panel has an answer", o)
}

// Every count is that of a program that shares nothing with us.
func TestSigmaCases(t *testing.T) {
	all := witnesstest.Cases(t)
	for n, c := range all {
		p := c.Panel(t)
		if again := witnesstest.Parsed(t, forms.String(p)); forms.String(again) != forms.String(p) {
			t.Fatalf("comes back as\n%s\nfrom\n%s", forms.String(again), forms.String(p))
		}
		got, err := Of(p).Count(t.Context(), 0)
		if got != c.Count || err != nil {
			t.Errorf("case %d: %d answers, %v, want %d\n%s\n%s", n+1, got, err, c.Count, forms.String(p), c.Why)
		}
		a, err := Of(p).Solve(t.Context())
		if (err == nil) != (c.Count > 0) {
			t.Errorf("case %d: %v, %v, want one of %d answers", n+1, a, err, c.Count)
		}
		if c.First != nil {
			var line solve.Stroke
			for _, q := range c.First {
				line = append(line, image.Pt(q[0], q[1]))
			}
			end := line[len(line)-1]
			if err := Of(p).Check(t.Context(), solve.Solution{append(line, end.Add(p.At(end).Cap))}); err != nil {
				t.Errorf("case %d: its line is refused: %v\n%s", n+1, err, forms.String(p))
			}
		}
	}
	if len(all) < 100 {
		t.Errorf("%d cases, want 100 or more", len(all))
	}
}

// The sites' JSON: arrows, darts and antitriangles turned clockwise from up.
func TestSigmaJSON(t *testing.T) {
	const text = "panel 4x2 rules=witnesspuzzles\n+-+-+-+->\n|a|b|c|d|\n+-+-+-+-+\n|e|f| | |\n@-+-+-+-+\n" +
		"a = 2 purple arrows up-left\nb = 3 red darts right\nc = 4 white antitriangles\nd = red flower\ne = 1 purple arrow up\nf = 1 white dart down\n"
	p := witnesstest.Parsed(t, text)
	data := solvetest.Must(forms.EncodeJSON(p))(t)
	for _, want := range []string{`"CUSTOM_MECHANICS":true`, `{"type":"arrow","color":"purple","count":2,"rot":7}`, `{"type":"dart","color":"red","count":3,"rot":2}`,
		`{"type":"atriangle","color":"white","count":4}`, `{"type":"pokerchip","color":"red"}`, `{"type":"arrow","color":"purple","count":1}`} {
		if !bytes.Contains(data, []byte(want)) {
			t.Errorf("no %s in %s", want, data)
		}
	}
	again, err := forms.DecodeJSON(data)
	if err != nil || forms.String(again) != text {
		t.Errorf("%v, comes back as\n%s", err, forms.String(again))
	}
	for _, kind := range []string{"cave 1", "mines 0"} {
		q := witnesstest.Parsed(t, "panel 1x1 rules=witnesspuzzles\n+->\n|a|\n@-+\na = "+kind+"\n")
		if _, err := forms.EncodeJSON(q); err == nil {
			t.Errorf("%s was written", kind)
		}
	}
}
