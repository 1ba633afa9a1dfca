package switches

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"onlooker/calibrations"
	"onlooker/vision/grid/part"
)

// How well a look's colours have to fit bulbs, as parts of the brightest named
// colour. On the shared screens a look's own bulbs are 0.06 off at the most, and
// blue is 0.2 and more from white under any light.
const (
	mostOff   = 0.12 // of any bulb, from the nearest of the colours
	nextState = 0.25 // of any bulb from the nearest colour of the other state
)

// lookOf is the look whose colours the bulbs have, and which of them are lit by
// it; nil where no look that names colours has them. A picture may be lighter or
// darker than the look, in all bulbs alike.
func lookOf(bulbs []part.Colour, looks []*calibrations.Profile) (look *calibrations.Profile, lit []bool) {
	least := math.Inf(1)
	for _, l := range looks {
		if l.Cells == nil {
			continue
		}
		on, off := colours(l.Cells.Lit), colours(l.Cells.Dark)
		if len(on) == 0 || len(off) == 0 {
			continue
		}
		bright := 0.0
		for _, c := range append(on, off...) {
			bright = max(bright, math.Sqrt(c[0]*c[0]+c[1]*c[1]+c[2]*c[2]))
		}
		// In steps of 4 %: a picture may be 0.6 to 1.4 times as bright.
		for light := 0.55; light <= 1.5; light *= 1.04 {
			far, is := 0.0, make([]bool, len(bulbs))
			for i, b := range bulbs {
				u, v := nearest(b, on, light)/(bright*light), nearest(b, off, light)/(bright*light)
				is[i] = u < v
				if far = max(far, min(u, v)); max(u, v) < nextState {
					far = math.Inf(1)
				}
			}
			if far < mostOff && far < least && slices.Contains(is, true) && slices.Contains(is, false) {
				look, lit, least = l, is, far
			}
		}
	}
	return look, lit
}

// nearest is how far a colour is from the nearest of some under a light.
func nearest(b part.Colour, of [][3]float64, light float64) float64 {
	best := math.Inf(1)
	for _, c := range of {
		sum := 0.0
		for k, v := range c {
			d := float64(b[k]) - v*light
			sum += d * d
		}
		best = min(best, math.Sqrt(sum))
	}
	return best
}

// colours are those written #rrggbb; others are passed over.
func colours(named []string) [][3]float64 {
	var out [][3]float64
	for _, n := range named {
		var c part.Colour
		if k, err := fmt.Sscanf(n, "#%02x%02x%02x", &c[0], &c[1], &c[2]); err == nil && k == 3 {
			out = append(out, [3]float64{float64(c[0]), float64(c[1]), float64(c[2])})
		}
	}
	return out
}

// Goals are what may be wanted of all bulbs: the words of a look's goal.
func Goals() []string { return []string{"on", "off"} }

// goalOf is the state that is wanted of all bulbs: by the look that they have, or that is
// the only one, which somebody named, whatever its colours; else by the one for bulbs of any
// colours. Where none says, dark, as games of it ask for, but lit where the board draws what each
// square flips, as Simon Tatham's Flip does.
func goalOf(look *calibrations.Profile, looks []*calibrations.Profile, drawn bool) int {
	said := ""
	if len(looks) == 1 && looks[0].Cells != nil {
		look = looks[0]
	}
	if look != nil {
		said = look.Cells.Goal
	}
	for _, l := range looks {
		if l.Cells != nil && len(l.Cells.Lit) == 0 {
			said = cmp.Or(said, l.Cells.Goal)
		}
	}
	if said == "on" || said == "" && drawn {
		return 1
	}
	return 0
}
