package alcazar

import (
	"fmt"
	"image"
	"testing"

	"onlooker/solve"
	"onlooker/solve/solvetest"
)

func TestLarge(t *testing.T) {
	open := func(cols, rows int, every int) solvetest.LargeBoard {
		return solvetest.LargeBoard{Name: fmt.Sprintf("%dx%d/%d", cols, rows, every), Make: func() (solve.Puzzle, error) {
			return New(cols, rows, func(at image.Point) bool {
				border := at.X == 0 || at.Y == 0 || at.X == 2*cols || at.Y == 2*rows
				return !border || (at.X+at.Y)/2%every == 0
			}, func(image.Point) bool { return false })
		}}
	}
	solvetest.Large(t, open(256, 256, 1), open(255, 257, 1), open(1<<16, 1, 1), open(256, 257, 1))
}
