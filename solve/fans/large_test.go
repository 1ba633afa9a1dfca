package fans

import (
	"math/rand/v2"
	"strings"
	"testing"

	"onlooker/solve"
	"onlooker/solve/solvetest"
)

func TestLarge(t *testing.T) {
	rows := func(cell string) solvetest.LargeBoard {
		return solvetest.LargeBoard{Name: cell, Make: func() (solve.Puzzle, error) {
			return Parse(strings.Repeat(strings.Repeat(cell, maxSide/len(cell))+"\n", maxSide))
		}}
	}
	solvetest.Large(t, rows("FT"), rows("F"), rows("FTTT"),
		solvetest.LargeBoard{Name: "generated", Make: func() (solve.Puzzle, error) {
			return Generate(rand.New(rand.NewPCG(1, 1)), maxSide, maxSide), nil
		}},
		solvetest.LargeBoard{Name: "larger", Make: func() (solve.Puzzle, error) {
			return Parse(strings.Repeat("F", maxSide+1) + "\n")
		}})
}
