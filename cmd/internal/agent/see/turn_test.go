package see

import (
	"testing"

	"onlooker/solve"
	"onlooker/vision"
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
