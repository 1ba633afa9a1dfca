package vision

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRanked: every rank is what sorting gives, with equal values as well, and
// what is no number is gone through to an end.
func TestRanked(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 40; n++ {
		v := make([]float64, n)
		for i := range v {
			v[i] = float64(rng.IntN(n))
		}
		sorted := slices.Sorted(slices.Values(v))
		for k := range v {
			if got := Ranked(slices.Clone(v), k); got != sorted[k] {
				t.Fatalf("rank %d of %v: %v, want %v", k, v, got, sorted[k])
			}
		}
		if got := Median(v); got != sorted[n/2] {
			t.Errorf("median of %v: %v, want %v", sorted, got, sorted[n/2])
		}
	}
	zero := 0.0
	Ranked([]float64{1, zero / zero, 3, zero / zero, 2}, 2)
	if got := Median(nil); got != 0 {
		t.Errorf("median of nothing: %v, want 0", got)
	}
}
