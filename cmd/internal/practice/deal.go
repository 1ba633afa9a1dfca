package practice

import (
	"context"
	"math/rand/v2"

	"onlooker/solve/witness"
)

// deal deals the boards of a slot as the Challenge does: one panel with an
// answer, or three of which one has.
func deal(rng *rand.Rand, kind string) ([]*witness.Panel, error) {
	d, err := witness.DealChallenge(context.Background(), rng, kind)
	return d.Panels, err
}
