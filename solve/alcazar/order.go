package alcazar

import (
	"context"
	"math/rand/v2"

	"onlooker/solve"
)

func wishes() []solve.Wish {
	return []solve.Wish{{Name: "walls", Doc: "walls beside the line, in per cent of the places: the more, the easier", Most: 100}}
}

// toOrder makes a board, which always has one answer.
func toOrder(ctx context.Context, rng *rand.Rand, o solve.Order) (solve.Puzzle, error) {
	return Deal(ctx, rng, o.Cols, o.Rows, float64(o.Wishes["walls"])/100)
}
