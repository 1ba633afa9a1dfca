package witness

import (
	"image"
	"math/rand/v2"
	"testing"

	"onlooker/solve/witness"
)

// TestClearPlaces: a place in doubt is what those clear ones are that it looks like as much
// as these do like each other, and none of them where it looks like none.
func TestClearPlaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	around := func(level, noise int) (a appearance) {
		for range 60 {
			a = append(a, uint8(level+rng.IntN(2*noise+1)-noise))
		}
		return a
	}
	c := &clears{}
	if label, likely := c.tell(0.02, around(40, 6)); likely != 0 {
		t.Errorf("with no clear place %q, %.2f", label, likely)
	}
	for range 8 {
		c.add(seenWhole, around(40, 6))
	}
	for range 3 {
		c.add(seenBroken, around(200, 6))
	}
	for _, row := range []struct {
		level int
		want  string
	}{{40, seenWhole}, {200, seenBroken}, {120, ""}, {60, ""}} {
		label, likely := c.tell(0.02, around(row.level, 6))
		if likely < strangeRate {
			label = ""
		}
		if label != row.want {
			t.Errorf("about %d: %q, %.2f, want %q", row.level, label, likely, row.want)
		}
	}
}

// TestManyEnds: a board with ends nearly everywhere has lines that pass for caps.
func TestManyEnds(t *testing.T) {
	f := &strange{panel: witness.New(3, 3, false)}
	for i, at := range []image.Point{{X: 6}, {X: 0}, {X: 2}, {X: 4}} {
		f.panel.At(at).Cap = image.Pt(0, -1)
		if err := f.manyEnds(); (err != nil) != (i == 3) {
			t.Errorf("%d ends at 16 nodes: %v", i+1, err)
		}
	}
}
