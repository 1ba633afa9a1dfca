package witness

import "onlooker/solve"

// Family is The Witness as the other stages see it.
var Family = solve.Family{
	Name:    "witness",
	Doc:     "panels of The Witness: one line from a start to an end that satisfies every symbol",
	Rules:   Rules(),
	Formats: []solve.Format{textFormat(), windmillFormat(), jsonFormat()},
}
