package search

import (
	"context"
	"testing"

	"onlooker/solve/path"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness/forms"
)

// A region has no room for cells that are farther away than its pieces have squares,
// by ways round what it was denied; that is seen before anything is decided.
func TestLabelReach(t *testing.T) {
	const board = `panel 6x2
+-+-+-+-+-+->
|a|b| | | | |
+-+-+-+-+-+-+
| | | | | | |
@-+-+-+-+-+-+
a = turned yellow piece ###
b = turned yellow piece ##
`
	p := solvetest.Must(forms.Parse([]byte(board)))(t)
	for _, test := range []struct {
		why   string
		cells []int32 // that are said to lie in a's region, or, less than 0, not to
		none  bool
	}{
		{"five cells in a row", []int32{1, 4}, false},
		{"six", []int32{1, 5}, true},
		{"five, but not in a row", []int32{1, 4, -4}, true},
		{"each of two is near enough", []int32{1, 3, 6}, false},
		{"but not both", []int32{1, 4, 6}, true},
	} {
		q := solvetest.Must(standardSolver().newSearch(context.Background(), p))(t)
		in := q.m.labels[0].in
		var assumed []path.Lit
		for _, x := range test.cells {
			if x < 0 {
				assumed = append(assumed, in[-x-1].Not())
			} else {
				assumed = append(assumed, in[x])
			}
		}
		status := solvetest.Must(q.s.Solve(context.Background(), assumed...))(t)
		n := int(q.s.Stats().Decisions) - len(assumed)
		if (status == path.Unsat) != test.none || test.none && n > 0 {
			t.Errorf("%s: %v after %d decisions, want none %t at once", test.why, status, n, test.none)
		}
	}
}
