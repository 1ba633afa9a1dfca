package practice

import (
	"context"
	"math/rand/v2"

	"onlooker/solve/witness"
	"onlooker/solve/witness/board"
)

// deal deals the boards of a slot as the Challenge does: one panel with an
// answer, or three of which one has.
func deal(rng *rand.Rand, kind string) ([]*board.Panel, error) {
	d, err := witness.DealChallenge(context.Background(), rng, kind)
	return d.Panels, err
}
