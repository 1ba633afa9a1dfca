package colour

import (
	"image"
	"math"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
)

// A sharing tells of two symbols, by their numbers, whether it is known that they have one
// colour, or that they have two.
type sharing func(i, j int) (one, two bool)

// A shadeOf is a colour in which what is drawn alike was seen, and which of the look's
// colours that is.
type shadeOf struct {
	col   vision.RGB
	group int
}

// shades are a look's colours as each of what is drawn alike shows them.
type shades struct {
	of    map[Formed][]shadeOf
	apart map[[2]int]bool
}

// ShadesIn are those of a profile.
func ShadesIn(l *calibrations.Learned) *shades {
	s := &shades{of: map[Formed][]shadeOf{}, apart: map[[2]int]bool{}}
	add := func(f Formed, colours []string, groups []int) {
		for i, name := range colours {
			if c, ok := ParseRGB(name); ok && i < len(groups) {
				s.of[f] = append(s.of[f], shadeOf{c, groups[i]})
			}
		}
	}
	for _, f := range l.Forms {
		add(Formed{f.Kind, f.Count}, f.Colours, f.Shades)
	}
	for _, f := range l.Pieces {
		add(Formed{f.Kind, 0}, f.Colours, f.Shades)
	}
	for _, pair := range l.Apart {
		s.apart[pair] = true
	}
	return s
}

// which is which of the look's colours a symbol has; false where that is not clear.
func (s *shades) which(symbol witness.Symbol, c vision.RGB, bright float64) (int, bool) {
	f := Formed{symbol.Kind.Word(), symbol.Count}
	group, near, next := 0, math.Inf(1), math.Inf(1)
	for _, o := range s.of[f] {
		switch d := ColourStep(c, o.col) / bright; {
		case near < math.Inf(1) && o.group == group:
			near = min(near, d)
		case d < near:
			group, near, next = o.group, d, near
		default:
			next = min(next, d)
		}
	}
	u := UsualSteps()
	return group, near < (u.Alike+u.Divide)/2 && near < next/2
}

// Sharing is what the look knows of symbols in some colours.
func (s *shades) Sharing(at []image.Point, p *witness.Panel, cols []vision.RGB, bright float64) sharing {
	type known struct {
		group int
		ok    bool
	}
	all := make([]known, len(at))
	for _, c := range cols {
		bright = max(bright, c[0], c[1], c[2])
	}
	for i, cell := range at {
		all[i].group, all[i].ok = s.which(p.At(cell).Symbol, cols[i], bright)
	}
	return func(i, j int) (one, two bool) {
		a, b := all[i], all[j]
		if !a.ok || !b.ok {
			return false, false
		}
		return a.group == b.group, s.apart[[2]int{min(a.group, b.group), max(a.group, b.group)}]
	}
}
