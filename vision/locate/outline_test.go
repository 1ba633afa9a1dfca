package locate

import (
	"image"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestParts: parts of random masks, of widths that fill whole words and others, have all that is
// set in them.
func TestParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, size := range []image.Point{{1, 9}, {37, 29}, {64, 40}, {130, 71}, {199, 64}} {
		mask := make([]byte, size.X*size.Y)
		set := 0
		for i := range mask {
			if rng.IntN(3) > 0 {
				mask[i] = 255
				set++
			}
		}
		for _, p := range Parts(mask, size.X, size.Y, 1) {
			set -= p.Area
			for _, s := range p.Spans {
				row := mask[int(s.Y)*size.X:]
				if slices.Contains(row[s.X0:s.X1], 0) || s.X0 > 0 && row[s.X0-1] != 0 || int(s.X1) < size.X && row[s.X1] != 0 {
					t.Fatalf("%v: a span %v", size, s)
				}
			}
		}
		if set != 0 {
			t.Errorf("%v: parts of %d pixels less than are set", size, set)
		}
	}
}
