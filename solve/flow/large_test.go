package flow

import (
	"image"
	"math/rand/v2"
	"testing"

	"onlooker/solve"
	"onlooker/solve/solvetest"
)

func TestLarge(t *testing.T) {
	// Ends anywhere: hardly any such board has an answer, but that is not seen
	// at once.
	board := func(name string, shape Shape, cols, rows, pairs int, o func(*Builder) *Builder) solvetest.LargeBoard {
		return solvetest.LargeBoard{Name: name, Make: func() (solve.Puzzle, error) {
			rng := rand.New(rand.NewPCG(1, 4))
			b := o(NewBuilder(shape, cols, rows))
			at := rng.Perm(cols * rows)[:2*pairs]
			for i := 0; i < len(at); i += 2 {
				b.Pair(image.Pt(at[i]%cols, at[i]/cols), image.Pt(at[i+1]%cols, at[i+1]/cols))
			}
			return b.Puzzle()
		}}
	}
	plain := func(b *Builder) *Builder { return b }
	solvetest.Large(t,
		board("362x362", Square, 362, 362, 60, plain),
		board("362x362 any", Square, 362, 362, 2000, (*Builder).Any),
		board("362x362 torus without touching", Square, 362, 362, 60, func(b *Builder) *Builder { return b.Torus().Any().NoTouch() }),
		board("362x362 hexagons", Hex, 362, 362, 60, plain),
		board("larger", Square, 363, 362, 60, plain),
	)
}
