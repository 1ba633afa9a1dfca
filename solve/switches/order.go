package switches

import (
	"context"
	"math/rand/v2"

	"onlooker/solve"
)

func wishes() []solve.Wish {
	return []solve.Wish{{Name: "states", Doc: "states of a bulb, 2 unless said", Most: mostStates}}
}

// mostStates is how many states the digits of a grid's rows can show.
const mostStates = 10

func toOrder(_ context.Context, rng *rand.Rand, o solve.Order) (solve.Puzzle, error) {
	states := o.Wishes["states"]
	if states < 2 {
		states = 2
	}
	return Generate(rng, o.Cols, o.Rows, states), nil
}

// Effort is the number of flips of the cheapest answer that is found: a person
// has to make them.
func (p *Puzzle) Effort(ctx context.Context) (int, string, error) {
	best, err := p.Fewest(ctx)
	return best.Cost, "flips", err
}
