package switches

import (
	"fmt"
	"image"

	"onlooker/solve"
)

// Clicks are the one click that a stroke is: it changes the bulbs that its
// switch flips.
func (p *Puzzle) Clicks(s solve.Stroke) ([]solve.Click, error) {
	if len(s) != 1 {
		return nil, fmt.Errorf("switches: a stroke of %d points, want a click, which has 1", len(s))
	}
	i := p.nodeAt(s[0])
	if !s[0].In(p.Bounds()) || i >= len(p.nodes) || !p.isSwitch(i) {
		return nil, fmt.Errorf("switches: a click at %s, where no switch is", solve.PlaceName(s[0]))
	}
	click := solve.Click{At: s[0], Changes: []image.Point{}}
	for _, f := range p.flips[i] {
		if f.by%p.states != 0 {
			click.Changes = append(click.Changes, p.centre(f.bulb))
		}
	}
	return []solve.Click{click}, nil
}
