package fans

import (
	"image"
	"testing"

	"onlooker/solve"
)

// TestClicks counts the quarter turns clockwise that lead from how a fan stands
// to where a stroke turns it.
func TestClicks(t *testing.T) {
	p, err := New("^>T", "F.<")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		from, to image.Point
		n        int // -1: an error
	}{
		{image.Pt(1, 1), image.Pt(1, -1), 0},
		{image.Pt(1, 1), image.Pt(3, 1), 1},
		{image.Pt(1, 1), image.Pt(-1, 1), 3},
		{image.Pt(3, 1), image.Pt(3, -1), 3},
		{image.Pt(5, 3), image.Pt(7, 3), 2},
		{image.Pt(1, 3), image.Pt(1, 1), -1}, // how it stands is not told
		{image.Pt(5, 1), image.Pt(5, 3), -1}, // a turbine
	} {
		clicks, err := p.Clicks(solve.Stroke{row.from, row.to})
		if (err != nil) != (row.n < 0) || err == nil && len(clicks) != row.n {
			t.Errorf("from %v to %v: %d clicks, %v, want %d", row.from, row.to, len(clicks), err, row.n)
		}
		for _, c := range clicks {
			if c.At != row.from || len(c.Changes) != 1 || c.Changes[0] != row.from {
				t.Errorf("from %v: click %v", row.from, c)
			}
		}
	}
}
