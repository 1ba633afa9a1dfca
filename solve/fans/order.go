package fans

import (
	"context"
	"math/rand/v2"

	"onlooker/solve"
)

func wishes() []solve.Wish {
	return []solve.Wish{
		{Name: "walls", Doc: "walls, in per cent of the cells", Most: 100},
		{Name: "present", Doc: "fans that blow somewhere already, in per cent of the fans", Most: 100},
		{Name: "fixed", Doc: "fans that cannot be turned, in per cent of the fans", Most: 100},
	}
}

func toOrder(_ context.Context, rng *rand.Rand, o solve.Order) (solve.Puzzle, error) {
	n := o.Wishes
	return Generate(rng, o.Cols, o.Rows, Options{Walls: n["walls"], Present: n["present"], Fixed: n["fixed"]}), nil
}
