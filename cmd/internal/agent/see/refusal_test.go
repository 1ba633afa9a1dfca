package see

import (
	"errors"
	"fmt"
	"image"
	"testing"

	"onlooker/solve"
	"onlooker/vision"
	"onlooker/vision/posterior"
)

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
	few := at("a", cut, 4)
	few.Board.Cols = 2
	for _, row := range []struct {
		why  string
		r    Reading
		all  []Reading
		want string
	}{
		{"one that stands out", at("a", odd, 4), []Reading{at("b", cut, 0)}, "most like a, 4×4: unsure at column 1 row 2: an odd end; say what is there"},
		{"two", at("a", odd, 1), []Reading{at("b", cut, 0.5)}, "most like a, 4×4: unsure at column 1 row 2: an odd end; say what is there"},
		{"one that is not likely", at("a", odd, -1), []Reading{at("b", cut, -3)}, "4×4 places like cells, of no family in particular, and it may be no board at all; if there is one, draw it in, or say which family with --family and its size with --size"},
		{"that was asked for", at("a", odd, -1), nil, "most like a, 4×4: unsure at column 1 row 2: an odd end; say what is there"},
		{"one that is cut", at("a", vision.CutOff("its lines go on"), 4), nil, "a board that is cut off, or none: its lines go on; " + vision.Room},
		{"two of one family", at("a", odd, 1), []Reading{at("a", cut, 0)}, "most like a, 4×4: unsure at column 1 row 2: an odd end; say what is there"},
		{"the likelier of two others", at("a", odd, 1), []Reading{at("b", cut, -1), at("b", odd, 0.5)}, "most like a, 4×4: unsure at column 1 row 2: an odd end; say what is there"},
		{"hidden", at("a", hidden, 4), nil, "most like a, 4×4: hidden by the cursor: column 1 row 1; take the picture again without what lies over it, or, where nothing does, put right what no look knows"},
		{"few cells", few, []Reading{at("b", odd, 4)}, "no board could be made out here; if there is one, draw it in"},
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
		if got := r.Draftable(); got != row.want {
			t.Errorf("%v: %v, want %v", row.err, got, row.want)
		}
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
