package witness

import (
	"image"
	"strings"
	"testing"

	witness "onlooker/solve/witness/board"
)

// showingOnly is a view of a place that is sure of what it shows.
func showingOnly(spot witness.Spot) *glimpse {
	odds := usualPlaceOdds()
	return &glimpse{facing: 1, told: []showing{{spot, 0}}, rest: -odds.Against}
}

// TestViewsMultiply: what one view doubts another one tells, and views that are sure of
// different things contradict each other.
func TestViewsMultiply(t *testing.T) {
	odds := usualPlaceOdds()
	dot, start := witness.Spot{Dot: witness.Dot{On: true}}, witness.Spot{Start: true}
	faint := &glimpse{facing: 0.5, told: []showing{{witness.Spot{}, 0}, {dot, -3}}, rest: -odds.Against}
	unlike := &glimpse{facing: 0.9} // tells nothing
	sides := []*side{{cols: 2, rows: 1, odds: &odds, confidence: 0.9}}
	for _, row := range []struct {
		what  string
		views []*glimpse
		want  witness.Spot
		fault string
	}{
		{"one view of nothing", []*glimpse{showingOnly(witness.Spot{})}, witness.Spot{}, ""},
		{"one view of a dot", []*glimpse{showingOnly(dot)}, dot, ""},
		{"a dot that another view takes for nothing, without being sure", []*glimpse{faint, showingOnly(dot)}, dot, ""},
		{"a view that tells nothing", []*glimpse{unlike, showingOnly(start)}, start, ""},
		{"views that tell nothing", []*glimpse{{facing: 0.9, told: []showing{{dot, 0}, {witness.Spot{}, -8.5}}, rest: -odds.Against}}, witness.Spot{}, "evidence"},
		{"a dot and a start", []*glimpse{showingOnly(dot), showingOnly(start)}, start, "contradict"},
		{"a view from aside alone", []*glimpse{{facing: 0.3, told: []showing{{dot, 0}}, rest: -odds.Against}}, dot, "out of sight"},
	} {
		best, got, err := whole(sides, row.views, image.Point{})
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
		if row.fault == "" && !alike(&got, &row.want) {
			t.Errorf("%s: %+v, want %+v", row.what, got, row.want)
		}
	}
}

// TestJoiningsByMarks: views go together so that what both see coincides.
func TestJoiningsByMarks(t *testing.T) {
	const cols, rows = 4, 2
	odds := usualPlaceOdds()
	whole := witness.New(cols, rows, true)
	whole.At(image.Pt(2, 2)).Dot.On = true
	whole.At(image.Pt(6, 4)).Start = true
	// Each view shows two columns and a half from its first one on.
	view := func(turn int) *side {
		s := &side{cols: cols, rows: rows, odds: &odds, confidence: 0.9, at: map[image.Point]*glimpse{}}
		for y := range 2*rows + 1 {
			for x := range 5 {
				s.at[image.Pt(x, y)] = showingOnly(*whole.At(image.Pt(x+2*turn, y)))
			}
		}
		return s
	}
	sides := []*side{view(0), view(3)}
	best, turn := likelihood(sides, []int{0, 0}), 0
	for k := 1; k < cols; k++ {
		if like := likelihood(sides, []int{0, k}); like > best {
			best, turn = like, k
		}
	}
	if turn != 3 {
		t.Errorf("the second view is turned by %d columns, want 3", turn)
	}
}
