package witness

import (
	"context"
	"math/rand/v2"

	"onlooker/solve"
)

// Family is the panels of The Witness.
var Family = NewFamily(Kinds())

// NewFamily is the family with these kinds of symbols: those that its formats
// read, that its generator deals and whose rules it lists.
func NewFamily(kinds []Kind) solve.Family {
	return solve.Family{
		Name:    "witness",
		Doc:     "panels of The Witness: a line from a start to an end that cuts the panel as its symbols want",
		Rules:   rulesOf(kinds),
		Formats: []solve.Format{textFormat(kinds), windmillFormat(kinds), jsonFormat(kinds)},
		Generate: func(rng *rand.Rand, cols, rows int) solve.Puzzle {
			p, _ := generateAny(context.Background(), kinds, rng, cols, rows) // an error is the context's
			return p
		},
		Wishes: wishes(),
		Make:   orders(kinds),
	}
}
