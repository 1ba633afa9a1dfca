package switches

import (
	"image"

	"onlooker/vision/grid/form"
	"onlooker/vision/grid/part"
)

// Draft guesses which lamps of a board are lit: of two colours the lighter, or the more
// colourful one. Doubts are how near the two their colours are to each lamp's.
func Draft(s *form.Sheet) (*form.Draft, error) {
	r := &reading{g: s.Grid}
	for _, p := range s.Places {
		r.bulbs = append(r.bulbs, p.Colour)
	}
	a, b := part.Extremes(r.bulbs)
	shine := func(c part.Colour) float64 { return c.Luminance() + c.Chroma()/2 }
	if shine(r.bulbs[a]) > shine(r.bulbs[b]) {
		a, b = b, a
	}
	doubts := map[image.Point]float64{}
	seen := map[bool]bool{}
	for i, c := range r.bulbs {
		dark, lit := c.Distance(r.bulbs[a]), c.Distance(r.bulbs[b])
		r.lit = append(r.lit, lit < dark)
		doubts[s.Places[i].At] = min(lit, dark) / max(1, lit, dark)
		if is := lit < dark; !seen[is] {
			seen[is], doubts[s.Places[i].At] = true, 1 // of each state one: which is which nobody said
		}
	}
	p, err := r.puzzle(nil, 1)
	if err != nil {
		return nil, err
	}
	return &form.Draft{Puzzle: p, Doubts: doubts}, nil
}
