package switches

import (
	"fmt"
	"slices"

	"onlooker/solve"
)

// maxFlips is how often a switch is flipped by hand at most: bulbs of more
// states are for the solver.
const maxFlips = 12

// Hand tells how switches are flipped by hand.
func Hand(puzzle solve.Puzzle) *solve.Hand {
	p, ok := puzzle.(*Puzzle)
	if !ok {
		return nil
	}
	h := &solve.Hand{}
	for i := range p.nodes {
		if !p.isSwitch(i) {
			continue
		}
		c := solve.ChoicePlace{At: p.centre(i)}
		for n := range min(p.states, maxFlips) {
			c.Ways = append(c.Ways, slices.Repeat(solve.Solution{{c.At}}, n))
			c.Says = append(c.Says, [...]string{"left alone", "flipped"}[min(n, 1)])
			if n > 1 {
				c.Says[n] = fmt.Sprintf("flipped %d times", n)
			}
		}
		h.Choices = append(h.Choices, c)
	}
	return h
}
