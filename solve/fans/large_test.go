package fans

import (
	"math/rand/v2"
	"strings"
	"testing"

	"onlooker/solve"
	"onlooker/solve/solvetest"
)

func TestLarge(t *testing.T) {
	const side = 2048
	rows := func(cell string) solvetest.LargeBoard {
		return solvetest.LargeBoard{Name: cell, Make: func() (solve.Puzzle, error) {
			return Parse(strings.Repeat(strings.Repeat(cell, side/len(cell))+"\n", side))
		}}
	}
	solvetest.Large(t, rows("FT"), rows("^T"), rows("F"), rows("FT#F"),
		solvetest.LargeBoard{Name: "generated", Make: func() (solve.Puzzle, error) {
			return Generate(rand.New(rand.NewPCG(1, 1)), side, side, Options{Walls: 10, Present: 30, Fixed: 5}), nil
		}},
		solvetest.LargeBoard{Name: "larger", Make: func() (solve.Puzzle, error) {
			return Parse(strings.Repeat(strings.Repeat("F", side)+"\n", side+1))
		}})
}
