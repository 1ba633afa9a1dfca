package see

import (
	"errors"
	"image"
	"math"
	"strings"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/vision"
	"onlooker/vision/posterior"
)

// readingAt is a reading of a family of a board whose corner is at (x,0), 100 pixels wide.
func readingAt(t *testing.T, family string, x float64, e posterior.Evidence, err error) Reading {
	t.Helper()
	b := solvetest.Must(vision.Placed(image.Pt(500, 500), 4, 4, [4]vision.Point{{X: x}, {X: x + 100}, {X: x + 100, Y: 100}, {X: x, Y: 100}}))(t)
	r := Reading{Game: &Game{Family: &solve.Family{Name: family}}, Board: b, Profile: &calibrations.Profile{Levels: calibrations.Levels{Read: 0.7, Mouse: 0.9}}, Evidence: e, Err: err}
	if err == nil {
		r.Puzzle = &one{text: family, solve: func() (solve.Solution, error) { return nil, nil }}
	}
	return r
}

// TestDecide: readings of one place share their odds with one another and with no board;
// the likeliest is given where its level allows, and the reason of a place that nobody read
// is that of the refusal which explained most.
func TestDecide(t *testing.T) {
	model := posterior.Model{}
	for _, family := range []string{"a", "b"} {
		model[family] = posterior.Weights{By: map[string]float64{"odds": 1}, Most: 0.999}
	}
	odds := func(p float64) posterior.Evidence { return posterior.Evidence{"odds": math.Log(p / (1 - p))} }
	doubt := func(what string) error { return &vision.UnsureError{What: what} }
	model[posterior.Refused("a")] = posterior.Weights{By: map[string]float64{posterior.Refused("an odd wall"): 2}}
	model[posterior.Refused("b")] = posterior.Weights{By: map[string]float64{posterior.Refused("an odd end"): 1, posterior.Refused("no marks"): -1}}
	for _, row := range []struct {
		why     string
		all     []Reading
		given   string // families, in order
		sure    float64
		refused string // in the reason of the first that is refused
	}{
		{"one alone", []Reading{readingAt(t, "a", 0, odds(0.8), nil)}, "a", 0.8, ""},
		{"one alone that is too unlikely", []Reading{readingAt(t, "a", 0, odds(0.6), nil)}, "", 0, "it may be no board at all"},
		{"the likelier of two", []Reading{readingAt(t, "a", 0, odds(0.2), nil), readingAt(t, "b", 0, odds(0.95), nil)}, "b", 0.938, ""},
		{"two as likely", []Reading{readingAt(t, "a", 0, odds(0.9), nil), readingAt(t, "b", 0, odds(0.9), nil)}, "", 0, "with --family (a or b)"},
		{"two places", []Reading{readingAt(t, "a", 0, odds(0.9), nil), readingAt(t, "b", 200, odds(0.95), nil)}, "b a", 0.95, ""},
		{"the reason of the likeliest refusal", []Reading{readingAt(t, "a", 0, nil, doubt("no marks")), readingAt(t, "b", 0, nil, doubt("an odd end"))}, "", 0, "an odd end"},
		{"what is its own of a family outweighs the rest", []Reading{readingAt(t, "b", 0, nil, doubt("an odd end")), readingAt(t, "a", 0, nil, &vision.UnsureError{What: "no marks", Own: true})}, "", 0, "most like a"},
		{"a refusal beside a reading of the place is not told", []Reading{readingAt(t, "a", 0, nil, doubt("no marks")), readingAt(t, "b", 0, odds(0.9), nil)}, "b", 0.9, ""},
	} {
		var given []string
		refused, sure := "", 0.0
		for _, r := range decide(model, row.all) {
			if r.Err != nil {
				if refused == "" {
					refused = r.Err.Error()
				}
				if r.Puzzle != nil {
					t.Errorf("%s: a refused reading has a puzzle", row.why)
				}
				continue
			}
			if len(given) == 0 {
				sure = r.Confidence
			}
			given = append(given, r.Game.Name)
		}
		if strings.Join(given, " ") != row.given || math.Abs(sure-row.sure) > 1e-3 || !strings.Contains(refused, row.refused) || (refused == "") != (row.refused == "") {
			t.Errorf("%s: got %q, %.3f sure, refused %q; want %q, %.3f, %q", row.why, given, sure, refused, row.given, row.sure, row.refused)
		}
	}
}

// TestDecidedOfAsked: of a family that somebody named there is a board, so that what is read is given,
// unless what could not be read of the same picture may as well be the one that was meant.
func TestDecidedOfAsked(t *testing.T) {
	model := posterior.Model{"a": {By: map[string]float64{"odds": 1}, Most: 0.999}, posterior.Refused("a"): {By: map[string]float64{posterior.Refused("an odd end"): 1, posterior.Refused("no marks"): -4}}}
	read := func(x, p float64) Reading {
		return readingAt(t, "a", x, posterior.Evidence{"odds": math.Log(p / (1 - p))}, nil)
	}
	for _, row := range []struct {
		why   string
		all   []Reading
		given bool
	}{
		{"one alone", []Reading{read(0, 0.4)}, true},
		{"beside what is hardly one", []Reading{read(0, 0.6), readingAt(t, "a", 200, nil, &vision.UnsureError{What: "no marks"})}, true},
		{"beside what may be one", []Reading{read(0, 0.6), readingAt(t, "a", 200, nil, &vision.UnsureError{What: "an odd end"})}, false},
		{"beside another that is read", []Reading{read(0, 0.6), read(200, 0.59)}, true},
	} {
		e := &Eye{Model: model, Asked: true}
		if got := e.decided(row.all); (got[0].Err == nil) != row.given {
			t.Errorf("%s: %v, %.2f sure; want it given: %v", row.why, got[0].Err, got[0].Confidence, row.given)
		} else if !row.given && strings.Contains(got[0].Err.Error(), "--family") {
			t.Errorf("%s: %v, but the family was named", row.why, got[0].Err)
		}
	}
}

// TestTouchable: the mouse wants more than reading does.
func TestTouchable(t *testing.T) {
	r := readingAt(t, "a", 0, nil, nil)
	for _, row := range []struct {
		sure float64
		want bool
	}{{0.95, true}, {0.9, true}, {0.89, false}} {
		if r.Confidence = row.sure; r.Touchable() != row.want {
			t.Errorf("%.2f sure: got %v, want %v", row.sure, !row.want, row.want)
		}
	}
}

// TestAccountDoubts: a board that surely has no answer is none, and one with exactly one
// has that for it.
func TestAccountDoubts(t *testing.T) {
	r := readingAt(t, "a", 0, posterior.Evidence{}, nil)
	r.Puzzle = &one{text: "a", solve: func() (solve.Solution, error) { return nil, solve.ErrUnsolvable }}
	var u *vision.UnsureError
	if r.account(false); !errors.As(r.Err, &u) || r.Puzzle != nil {
		t.Errorf("got %v, want a board that has no answer", r.Err)
	}
}

// TestDoubtAmid: a board of lines amid a larger lattice of cells is a part of it, unless it is
// sure by itself, all in sight; beside one or on a small one it is none.
func TestDoubtAmid(t *testing.T) {
	for _, row := range []struct {
		why        string
		x, wide    float64
		cols, rows int
		sure       float64
		want       bool
	}{
		{"amid 7×7 cells", 50, 200, 7, 7, 0.85, true},
		{"sure by itself", 50, 200, 7, 7, 0.95, false},
		{"as sure, at the picture's border", 10, 200, 7, 7, 0.95, true},
		{"beside them", 320, 100, 7, 7, 0.85, false},
		{"as large as they are", 1, 298, 7, 7, 0.85, false},
		{"on a lattice of few cells", 50, 150, 3, 7, 0.85, false},
	} {
		lines, cells := readingAt(t, "lines", row.x, nil, nil), readingAt(t, "cells", 0, nil, errors.New("no board"))
		at := func(x, y, w, h float64, cols, rows int) *vision.Board {
			return solvetest.Must(vision.Placed(image.Pt(500, 500), cols, rows, [4]vision.Point{{X: x, Y: y}, {X: x + w, Y: y}, {X: x + w, Y: y + h}, {X: x, Y: y + h}}))(t)
		}
		lines.Board, cells.Board = at(row.x, row.x, row.wide, row.wide/2, 2, 2), at(0, 0, 300, 300, row.cols, row.rows)
		lines.Board.Confidence = row.sure
		lines.Board.Flat = image.NewRGBA(image.Rect(0, 0, 1, 1))
		all := []Reading{lines, cells}
		if doubtAmid(nil, all); (all[0].Err != nil) != row.want {
			t.Errorf("%s: got %v, want it doubted: %v", row.why, all[0].Err, row.want)
		}
	}
}

// TestSettle: a look that reads all boards surely, with their borders in sight, leaves nothing to
// others.
func TestSettle(t *testing.T) {
	at := func(x, sure float64, err error) Reading {
		r := readingAt(t, "lines", x, nil, err)
		b := solvetest.Must(vision.Placed(image.Pt(500, 500), 4, 4, [4]vision.Point{{X: x, Y: 50}, {X: x + 80, Y: 50}, {X: x + 80, Y: 130}, {X: x, Y: 130}}))(t)
		b.Confidence = sure
		r.Board, r.Evidence = b, posterior.Evidence{}
		return r
	}
	for _, row := range []struct {
		why  string
		read []Reading
		want bool
	}{
		{"nothing", nil, false},
		{"all surely", []Reading{at(50, 0.95, nil), at(250, 0.95, nil)}, true},
		{"one not", []Reading{at(50, 0.95, nil), at(250, 0.95, errors.New("a cell"))}, true},
		{"none", []Reading{at(50, 0.95, errors.New("a cell"))}, false},
		{"a side of one", []Reading{at(50, 0.95, &vision.UnsureError{Turned: true})}, true},
		{"one less surely", []Reading{at(50, 0.95, nil), at(250, 0.85, nil)}, false},
		{"one at the picture's border", []Reading{at(50, 0.95, nil), at(419, 0.95, nil)}, false},
	} {
		s := &Sight{Profile: &calibrations.Profile{}, Readings: row.read}
		if got := (&Eye{}).settle(s); got != row.want || len(s.Readings) != len(row.read) {
			t.Errorf("%s: settled %v with %d boards, want %v with %d", row.why, got, len(s.Readings), row.want, len(row.read))
		}
	}
}
