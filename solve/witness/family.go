package witness

import (
	"math/rand/v2"

	"onlooker/solve"
)

// Family is the panels of The Witness.
var Family = solve.Family{
	Name:     "witness",
	Doc:      "panels of The Witness: a line from a start to an end that cuts the panel as its symbols want",
	Rules:    Rules(),
	Formats:  []solve.Format{textFormat(), windmillFormat(), jsonFormat()},
	Generate: func(rng *rand.Rand, cols, rows int) solve.Puzzle { return generateAny(rng, cols, rows) },
}
