package witness

import (
	"errors"
	"image"
	"strings"
	"testing"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/witness/line"
	"onlooker/vision/witness/pillar"
)

// showingOnly is a view of a place that is sure of what it shows.
func showingOnly(spot witness.Spot) *pillar.Glimpse {
	odds := line.UsualPlaceOdds()
	return &pillar.Glimpse{Facing: 1, Told: []pillar.Showing{{Spot: spot, Like: 0}}, Rest: -odds.Against}
}

// TestViewsMultiply: what one view doubts another one tells, and views that are sure of
// different things contradict each other.
func TestViewsMultiply(t *testing.T) {
	odds := line.UsualPlaceOdds()
	dot, start := witness.Spot{Dot: witness.Dot{On: true}}, witness.Spot{Start: true}
	faint := &pillar.Glimpse{Facing: 0.5, Told: []pillar.Showing{{Spot: witness.Spot{}, Like: 0}, {Spot: dot, Like: -3}}, Rest: -odds.Against}
	unlike := &pillar.Glimpse{Facing: 0.9} // tells nothing
	sides := []*pillar.Side{{Cols: 2, Rows: 1, Odds: &odds, Confidence: 0.9}}
	for _, row := range []struct {
		what  string
		views []*pillar.Glimpse
		want  witness.Spot
		fault string
	}{
		{"one view of nothing", []*pillar.Glimpse{showingOnly(witness.Spot{})}, witness.Spot{}, ""},
		{"one view of a dot", []*pillar.Glimpse{showingOnly(dot)}, dot, ""},
		{"a dot that another view takes for nothing, without being sure", []*pillar.Glimpse{faint, showingOnly(dot)}, dot, ""},
		{"a view that tells nothing", []*pillar.Glimpse{unlike, showingOnly(start)}, start, ""},
		{"views that tell nothing", []*pillar.Glimpse{{Facing: 0.9, Told: []pillar.Showing{{Spot: dot, Like: 0}, {Spot: witness.Spot{}, Like: -8.5}}, Rest: -odds.Against}}, witness.Spot{}, "tell little"},
		{"a dot and a start", []*pillar.Glimpse{showingOnly(dot), showingOnly(start)}, start, "contradict"},
		{"a view from aside alone", []*pillar.Glimpse{{Facing: 0.3, Told: []pillar.Showing{{Spot: dot, Like: 0}}, Rest: -odds.Against}}, dot, "out of sight"},
	} {
		best, got, err := pillar.Whole(sides, row.views, image.Point{})
		fault := ""
		switch {
		case best == nil:
			fault = "out of sight"
		case err != nil:
			fault = err.Error()
		}
		if !strings.Contains(fault, row.fault) || (fault == "") != (row.fault == "") {
			t.Errorf("%s: %q, want %q", row.what, fault, row.fault)
		}
		if row.fault == "" && !pillar.Alike(&got, &row.want) {
			t.Errorf("%s: %+v, want %+v", row.what, got, row.want)
		}
	}
}

// TestJoiningsByMarks: views go together so that what both see coincides.
func TestJoiningsByMarks(t *testing.T) {
	const cols, rows = 4, 2
	odds := line.UsualPlaceOdds()
	whole := witness.New(cols, rows, true)
	whole.At(image.Pt(2, 2)).Dot.On = true
	whole.At(image.Pt(6, 4)).Start = true
	// Each view shows two columns and a half from its first one on.
	view := func(turn int) *pillar.Side {
		s := &pillar.Side{Cols: cols, Rows: rows, Odds: &odds, Confidence: 0.9, At: map[image.Point]*pillar.Glimpse{}}
		for y := range 2*rows + 1 {
			for x := range 5 {
				s.At[image.Pt(x, y)] = showingOnly(*whole.At(image.Pt(x+2*turn, y)))
			}
		}
		return s
	}
	sides := []*pillar.Side{view(0), view(3)}
	best, turn := pillar.Likelihood(sides, []int{0, 0}), 0
	for k := 1; k < cols; k++ {
		if like := pillar.Likelihood(sides, []int{0, k}); like > best {
			best, turn = like, k
		}
	}
	if turn != 3 {
		t.Errorf("the second view is turned by %d columns, want 3", turn)
	}
	// One view is refused as one that explains what it shows, so that no other puzzle's
	// refusal is told in its stead.
	var u *vision.UnsureError
	if _, _, err := pillar.Merged(sides[:1], []int{0}); !errors.As(err, &u) || !strings.Contains(u.What, "more views are needed") {
		t.Errorf("one view alone: got %v, want that more views are needed, and all of it explained", err)
	}
}
