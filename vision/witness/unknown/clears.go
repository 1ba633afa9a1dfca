package unknown

import (
	"math"

	"onlooker/vision"
	"onlooker/vision/witness/look"
)

// The clears are those places of one board of which it is clear what they are. What cannot
// be told of another place by itself is what those are that it looks like: on one board all
// whole edges look alike, all breaks, all dots of one line.
type Clears struct {
	labels []string
	looks  [][]look.Appearance // of each place, in each of the ways it is looked at
	spread []float64           // in each way; see Measure
}

// Add keeps what a clear place shows, in each of the ways it is looked at.
func (c *Clears) Add(label string, looks ...look.Appearance) {
	c.labels, c.looks, c.spread = append(c.labels, label), append(c.looks, looks), nil
}

// Measure finds the board's own spread: how far a clear place is from the nearest other one
// of its label in the median, at least as far as is as good as the same.
func (c *Clears) measure(same float64) {
	for way := range c.looks[0] {
		var all []float64
		for i, a := range c.looks {
			least := math.Inf(1)
			for k, o := range c.looks {
				if k != i && c.labels[k] == c.labels[i] {
					least = min(least, a[way].Apart(o[way]))
				}
			}
			if !math.IsInf(least, 1) {
				all = append(all, least)
			}
		}
		spread := math.Inf(1)
		if len(all) > 0 {
			spread = max(same, vision.Median(all))
		}
		c.spread = append(c.spread, spread)
	}
}

// Tell is what a place is by the clear ones, and how likely that is. Each label has it as
// likely as a normal distribution about its nearest place, with the board's own spread, in
// the way that tells most against it; what no label has is as likely as three spreads.
func (c *Clears) Tell(same float64, looks ...look.Appearance) (label string, likely float64) {
	if len(c.labels) == 0 {
		return "", 0
	}
	if c.spread == nil {
		c.measure(same)
	}
	least := map[string]float64{}
	for i, o := range c.looks {
		far := 0.0
		for way, a := range looks {
			if d := a.Apart(o[way]); math.IsInf(c.spread[way], 1) || math.IsInf(d, 1) {
				far = math.Inf(1)
			} else {
				far = max(far, d/c.spread[way])
			}
		}
		if d, ok := least[c.labels[i]]; !ok || far < d {
			least[c.labels[i]] = far
		}
	}
	all, best := math.Exp(-0.5*3*3), math.Inf(1)
	for l, d := range least {
		all += math.Exp(-0.5 * d * d)
		if d < best || d == best && l < label {
			label, best = l, d
		}
	}
	return label, math.Exp(-0.5*best*best) / all
}
