package witness

import (
	"math/rand/v2"
	"testing"

	"onlooker/vision/witness/look"
)

// TestClearPlaces: a place in doubt is what those clear ones are that it looks like as much
// as these do like each other, and none of them where it looks like none.
func TestClearPlaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	around := func(level, noise int) (a look.Appearance) {
		for range 60 {
			a = append(a, uint8(level+rng.IntN(2*noise+1)-noise))
		}
		return a
	}
	c := &look.Pool{}
	if label, likely := c.Tell(around(40, 6)); likely > 0.5 {
		t.Errorf("with no clear place %q, %.2f", label, likely)
	}
	for range 8 {
		c.Add(look.SeenWhole, around(40, 6), 0.02)
	}
	for range 3 {
		c.Add(look.SeenBroken, around(200, 6), 0.02)
	}
	c.Bound(0.02)
	for _, row := range []struct {
		level int
		want  string
	}{{40, look.SeenWhole}, {200, look.SeenBroken}, {120, ""}, {60, ""}} {
		label, likely := c.Tell(around(row.level, 6))
		if likely < 0.9 {
			label = ""
		}
		if label != row.want {
			t.Errorf("about %d: %q, %.2f, want %q", row.level, label, likely, row.want)
		}
	}
}
