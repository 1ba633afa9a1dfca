package answer

import (
	"context"
	"errors"
	"image"
	"iter"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"onlooker/cmd/internal/store"
	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/vision"
	"onlooker/vision/picture"
)

// A toy is a puzzle whose answer is a click at its own place.
type toy struct {
	at    int
	solve func() (solve.Solution, error)
}

// slowCheck is the place of a toy whose check does not end by itself.
const slowCheck = 9

func click(x int) solve.Solution { return solve.Solution{{image.Pt(x, 1)}} }

func (p toy) MarshalText() ([]byte, error)                  { return []byte{byte('a' + p.at)}, nil }
func (p toy) Bounds() image.Rectangle                       { return image.Rect(0, 0, 20, 2) }
func (p toy) Solve(context.Context) (solve.Solution, error) { return p.solve() }
func (p toy) Check(ctx context.Context, s solve.Solution) error {
	for slow := p.at == slowCheck; ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !slow {
			break
		}
	}
	if s[0][0].X != p.at {
		return &solve.RuleError{Rule: "place", At: s[0][0], Got: "elsewhere"}
	}
	return nil
}

func (p toy) All(context.Context) iter.Seq2[solve.Solution, error] {
	return func(yield func(solve.Solution, error) bool) {
		for {
			if s, err := p.solve(); !yield(s, err) || err != nil {
				return
			}
		}
	}
}

// TestAnswer: what is no answer is not given, and a solver's mistake is told.
func TestAnswer(t *testing.T) {
	var none []int
	for _, row := range []struct {
		why   string
		solve func() (solve.Solution, error)
		want  string
		state string
	}{
		{"an answer", func() (solve.Solution, error) { return click(3), nil }, "", Solved},
		{"a wrong one", func() (solve.Solution, error) { return click(4), nil }, "check: the answer found is wrong: rule place broken at edge right of column 2 row 1: elsewhere", Failed},
		{"none", func() (solve.Solution, error) { return nil, solve.ErrUnsolvable }, "no solution", Unsolvable},
		{"a panic of the solver", func() (solve.Solution, error) { return click(none[3]), nil }, "solve: internal error: ", Failed},
		{"a panic of the check", func() (solve.Solution, error) { return nil, nil }, "solve: internal error: ", Failed},
	} {
		r := (&Service{}).Answer(t.Context(), Question{Family: "toy", Puzzle: toy{3, row.solve}})
		if got := Status(r.Err); got != row.state || r.Err != nil && !strings.HasPrefix(r.Err.Error(), row.want) || (r.Err == nil) != (r.Solution != nil) {
			t.Errorf("%s: %s, %v with %v, want %s, %q", row.why, got, r.Err, r.Solution, row.state, row.want)
		}
	}
	ended, stop := context.WithDeadline(t.Context(), time.Now())
	defer stop()
	if r := (&Service{}).Answer(ended, Question{Family: "toy", Puzzle: toy{3, func() (solve.Solution, error) { return click(3), nil }}}); r.Err != nil || r.Solution == nil {
		t.Errorf("an answer that was found at the last moment: %s, %v with %v, want it", Status(r.Err), r.Err, r.Solution)
	}
	if r := (&Service{}).Answer(ended, Question{Family: "toy", Puzzle: toy{slowCheck, func() (solve.Solution, error) { return click(slowCheck), nil }}}); Status(r.Err) != "timeout" || errors.As(r.Err, new(*WrongError)) || r.Solution != nil {
		t.Errorf("an answer that there was no time to check: %s, %v with %v, want a timeout", Status(r.Err), r.Err, r.Solution)
	}
	other := toy{5, func() (solve.Solution, error) { return click(5), nil }}
	r := (&Service{}).Answer(t.Context(), Question{Family: "toy", Puzzle: toy{3, func() (solve.Solution, error) { return nil, solve.ErrUnsolvable }},
		Otherwise: func(solve.Puzzle) (solve.Puzzle, []image.Point) { return other, []image.Point{{X: 1}} }})
	if r.Err != nil || r.Other == nil || len(r.Bare) != 1 {
		t.Errorf("as another puzzle: %+v", r)
	}
}

// TestAll: each answer is checked, and what the caller does wrong is the caller's.
func TestAll(t *testing.T) {
	n := 0
	next := func() (solve.Solution, error) { n++; return click(3 + n/3), nil }
	var got []error
	for _, err := range (&Service{}).All(t.Context(), Question{Family: "toy", Puzzle: toy{3, next}}) {
		got = append(got, err)
	}
	if len(got) != 3 || got[1] != nil || got[2] == nil || !strings.HasPrefix(got[2].Error(), "check: answer 3 is wrong") {
		t.Errorf("got %v, want two answers and that the third is wrong", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("a panic of the caller's was taken for the family's")
		}
	}()
	n = -100
	for range (&Service{}).All(t.Context(), Question{Family: "toy", Puzzle: toy{3, func() (solve.Solution, error) { return click(3), nil }}}) {
		panic("mine")
	}
}

// TestKeeps: what is kept does not depend on what is printed, and is not solved again.
func TestKeeps(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.sqlite")
	open := func() (*Service, *Keeper) {
		k := &Keeper{Path: func() (string, error) { return file, nil }, Most: 100, Tell: func(err error, _ bool) { t.Error(err) }}
		return &Service{Memory: k, Version: "v1"}, k
	}
	solved := 0
	p := toy{3, func() (solve.Solution, error) { solved++; return click(3), nil }}
	none := toy{4, func() (solve.Solution, error) { solved++; return nil, solve.ErrUnsolvable }}
	for round := range 2 {
		s, k := open()
		for _, q := range []toy{p, none} {
			r := s.Answer(t.Context(), Question{Family: "toy", Puzzle: q})
			if (r.Kept != nil) != (round > 0) || (r.Err == nil) != (q.at == 3) {
				t.Errorf("round %d: %+v", round, r)
			}
			solvetest.Fine(t, s.Begin(s.News("toy", q, &r, store.Origin{Source: store.Typed, Times: 1}))())
		}
		k.Close()
	}
	solvetest.Same(t, solved, 2, "boards that were solved")
}

// TestJudge: another's answer may be anything.
func TestJudge(t *testing.T) {
	solvetest.Fine(t, Judge(t.Context(), toy{at: 3}, click(3)))
	var broken *solve.RuleError
	if err := Judge(t.Context(), toy{at: 3}, click(4)); !errors.As(err, &broken) {
		t.Errorf("got %v, want a rule", err)
	}
	var fault *vision.Fault
	if err := Judge(t.Context(), toy{at: 3}, nil); !errors.As(err, &fault) {
		t.Errorf("got %v, want a fault", err)
	}
}

// TestPlaces: on a board whose half-cells have places of their own an answer is
// there, and so is what is drawn of them.
func TestPlaces(t *testing.T) {
	b := solvetest.Must(vision.Placed(image.Pt(200, 100), 3, 1, [4]vision.Point{{X: 10, Y: 10}, {X: 190, Y: 10}, {X: 190, Y: 90}, {X: 10, Y: 90}}))(t)
	b.Places = map[image.Point]vision.Point{{X: 1, Y: 1}: {X: 40, Y: 20}, {X: 3, Y: 1}: {X: 180, Y: 30}, {X: 5, Y: 1}: {X: 90, Y: 80}}
	on := Onto(b, toy{})
	if got := on.Strokes(solve.Solution{{{X: 3, Y: 1}}, {{X: 5, Y: 1}}}); got[0][0] != b.Places[image.Pt(3, 1)] || got[1][0] != b.Places[image.Pt(5, 1)] {
		t.Errorf("strokes at %v", got)
	}
	drawn := func(at image.Point) picture.Point { return picture.Point{X: float64(at.X), Y: float64(at.Y)} }
	got := on.Shapes([]picture.Shape{
		{Kind: picture.Disc, Width: 1, Points: []picture.Point{{X: 3, Y: 1}}},
		{Kind: picture.Line, Points: []picture.Point{{X: 1, Y: 0.5}, {X: 3, Y: -3}, {X: 5, Y: 0.5}}},
		{Kind: picture.Polygon, Points: picture.Box(0, 0, 6, 2)},
	}, 10, drawn)
	if len(got) != 2 || got[0].Points[0] != (picture.Point{X: 180, Y: 30}) || got[0].Width != 10 {
		t.Fatalf("drawn as %+v, want a disc and a line", got)
	}
	if line := got[1].Points; len(line) != 2 || line[0] != (picture.Point{X: 40, Y: 15}) || line[1] != (picture.Point{X: 90, Y: 75}) {
		t.Errorf("the line is %v, want it from bulb to bulb", line)
	}
}
