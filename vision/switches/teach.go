package switches

import (
	"fmt"
	"slices"
	"strings"

	"onlooker/calibrations"
	"onlooker/solve/switches"
	"onlooker/vision/grid/form"
	"onlooker/vision/grid/part"
)

// sameColour is the distance below which two colours of a look are one, in steps
// of 0 to 255 in each channel.
const sameColour = 30

// Teach learns the colours of lit and dark bulbs of grids, and what is wanted of
// all of them, from pictures of which it is known what they show.
func Teach(look *calibrations.Profile, lessons []form.Lesson) error {
	var lit, dark []part.Colour
	goals := map[int]int{}
	bulbs := 0
	for _, l := range lessons {
		p, ok := l.Puzzle.(*switches.Puzzle)
		if !ok {
			continue
		}
		spec := p.Spec()
		for _, n := range spec.Nodes {
			if n.Kind == switches.Both || n.Kind == switches.Lamp {
				goals[n.Want]++
				bulbs++
			}
		}
		if spec.Cols*spec.Rows != len(spec.Nodes) {
			continue // joined by lines
		}
		g, err := l.Scene.GridAt(l.Quad, spec.Cols, spec.Rows)
		if err != nil {
			return err
		}
		g.Tile = [2]float64{usualTile, usualTile}
		g.Straighten()
		for i, n := range spec.Nodes {
			list := &dark
			if n.Now > 0 {
				list = &lit
			}
			c := g.Tint(i%spec.Cols, i/spec.Cols)
			if !slices.ContainsFunc(*list, func(o part.Colour) bool { return o.Distance(c) < sameColour }) {
				*list = append(*list, c)
			}
		}
	}
	switch {
	case bulbs > 0 && goals[1] == bulbs:
		look.Cells.Goal = "on"
	case bulbs > 0 && goals[0] == bulbs:
		look.Cells.Goal = "off"
	}
	for _, a := range lit {
		for _, b := range dark {
			if a.Distance(b) < sameColour {
				return nil // no colour tells lit from dark here
			}
		}
	}
	look.Cells.Lit, look.Cells.Dark = named(lit), named(dark)
	return nil
}

// Learned says what Teach learned.
func Learned(look *calibrations.Profile) []string {
	var out []string
	switch look.Cells.Goal {
	case "on", "off":
		out = append(out, "all are to be "+look.Cells.Goal)
	default:
		out = append(out, "whether all are to be on or off differs from picture to picture, or is not told")
	}
	if len(look.Cells.Lit) == 0 {
		return append(out, "no colour tells lit from dark: the brighter ones are taken for lit")
	}
	return append(out, "lit are "+strings.Join(look.Cells.Lit, ", ")+", dark "+strings.Join(look.Cells.Dark, ", "))
}

// usualTile is how much of a pitch a lamp takes at the least.
const usualTile = 0.8

func named(list []part.Colour) (out []string) {
	for _, c := range list {
		out = append(out, fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2]))
	}
	return out
}
