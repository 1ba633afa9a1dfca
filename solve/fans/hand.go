package fans

import (
	"image"
	"strings"

	"onlooker/solve"
)

// Hand tells how fans are turned by hand: each that may be turned blows
// nowhere at first, or as it does at present.
func Hand(puzzle solve.Puzzle) *solve.Hand {
	p, ok := puzzle.(*Puzzle)
	if !ok {
		return nil
	}
	h := &solve.Hand{}
	for i, ch := range p.cell {
		now := strings.IndexByte(present, ch)
		if ch != fan && now < 0 {
			continue
		}
		c := solve.ChoicePlace{At: image.Pt(2*(i%p.cols)+1, 2*(i/p.cols)+1)}
		if ch == fan {
			c.Ways, c.Says = append(c.Ways, nil), append(c.Says, "nowhere")
			now = 0
		}
		for k := range 4 {
			d := Direction((now + k) % 4)
			c.Ways = append(c.Ways, solve.Solution{{c.At, c.At.Add(d.Step().Mul(2))}})
			c.Says = append(c.Says, [...]string{"north", "east", "south", "west"}[d])
		}
		h.Choices = append(h.Choices, c)
	}
	return h
}
