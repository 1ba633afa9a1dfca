package colour

import (
	"image"
	"math"
	"slices"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
)

// A sharing tells of two symbols, by their numbers, what is known of their colours.
type sharing func(i, j int) shared

// shared is whether two symbols have one colour.
type shared int

const (
	sharedUnknown shared = iota
	sharedSeldom         // they are drawn alike, and were not seen to be one
	sharedByBoth
	sharedByNeither
)

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

// Steps are between the colours of each two symbols: the look's, but no finer than usual where one
// is drawn as nothing was that shares a colour with what is drawn otherwise.
func (s *shades) Steps(at []image.Point, p *witness.Panel, learned ColourSteps) func(i, j int) ColourSteps {
	u := UsualSteps()
	wide := ColourSteps{Alike: min(learned.Alike, u.Alike), Divide: max(learned.Divide, u.Divide), Clear: max(learned.Clear, u.Clear)}
	form := func(i int) Formed { return formed(p.At(at[i]).Symbol) }
	return func(i, j int) ColourSteps {
		if form(i) == form(j) || s.compared(form(i)) && s.compared(form(j)) {
			return learned
		}
		return wide
	}
}

// compared tells whether something else was seen in a colour of what is drawn so.
func (s *shades) compared(f Formed) bool {
	for _, a := range s.of[f] {
		for g, others := range s.of {
			if g != f && slices.ContainsFunc(others, func(b shadeOf) bool { return a.group == b.group }) {
				return true
			}
		}
	}
	return false
}

func formed(s witness.Symbol) Formed { return Formed{s.Kind.Word(), s.Count} }

// which is which of the look's colours a symbol has; false where that is not clear.
func (s *shades) which(symbol witness.Symbol, c vision.RGB, bright float64) (int, bool) {
	f := formed(symbol)
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
	form := func(i int) Formed { return formed(p.At(at[i]).Symbol) }
	return func(i, j int) shared {
		switch a, b := all[i], all[j]; {
		case !a.ok || !b.ok:
			return sharedUnknown
		case a.group == b.group:
			return sharedByBoth
		case s.apart[[2]int{min(a.group, b.group), max(a.group, b.group)}]:
			return sharedByNeither
		case form(i) == form(j):
			return sharedSeldom
		}
		return sharedUnknown
	}
}
