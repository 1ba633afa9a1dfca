package witness

import (
	"image"
	"math"
	"slices"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
)

// A sharing tells of two symbols, by their numbers, whether it is known that they have one
// colour, or that they have two.
type sharing func(i, j int) (one, two bool)

// A boardColour is a colour as it was named on one board.
type boardColour struct {
	board int
	name  witness.Colour
}

// learnShades learns which of the colours in which symbols were seen are one, drawn thinly
// or over large parts: names tell that on each board, and over boards what is drawn alike
// and measures alike. Where that contradicts itself nothing is learned.
func learnShades(p *calibrations.Profile, all []shaded, inks map[formed]calibrations.Ink) {
	var names []boardColour
	group := map[boardColour]int{}
	for i, board := range all {
		for _, s := range board.of {
			n := boardColour{i, s.name}
			if _, ok := group[n]; !ok {
				group[n] = len(names)
				names = append(names, n)
			}
		}
	}
	for i, a := range all {
		for j, b := range all[:i] {
			uniteAlike(group, i, j, a, b, inks)
		}
	}
	apart := map[[2]int]bool{}
	for _, a := range names {
		for _, b := range names {
			switch ga, gb := group[a], group[b]; {
			case a.board != b.board || a.name == b.name:
			case ga == gb:
				return
			default:
				apart[[2]int{min(ga, gb), max(ga, gb)}] = true
			}
		}
	}
	of := func(f formed, colours []string) (out []int) {
		for _, c := range colours {
			for i, board := range all {
				k := slices.IndexFunc(board.of, func(s shade) bool { return s.formed == f && string(hex(s.cols[inks[f]])) == c })
				if k >= 0 {
					out = append(out, group[boardColour{i, board.of[k].name}])
					break
				}
			}
		}
		return out
	}
	for i := range p.Learned.Forms {
		o := &p.Learned.Forms[i]
		o.Shades = of(formed{o.Kind, o.Count}, o.Colours)
	}
	for i := range p.Learned.Pieces {
		o := &p.Learned.Pieces[i]
		o.Shades = of(formed{o.Kind, 0}, o.Colours)
	}
	for pair := range apart {
		p.Learned.Apart = append(p.Learned.Apart, pair)
	}
	slices.SortFunc(p.Learned.Apart, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
}

// uniteAlike makes groups one of which two boards show symbols that are drawn alike and
// measure alike.
func uniteAlike(group map[boardColour]int, i, j int, a, b shaded, inks map[formed]calibrations.Ink) {
	for _, s := range a.of {
		for _, o := range b.of {
			ink := inks[s.formed]
			if s.formed != o.formed || colourStep(s.cols[ink], o.cols[ink])/max(a.brightest(inks), b.brightest(inks)) > usualSteps().alike {
				continue
			}
			from, to := group[boardColour{i, s.name}], group[boardColour{j, o.name}]
			for n, g := range group {
				if g == from {
					group[n] = to
				}
			}
		}
	}
}

// brightest is how bright the brightest is of a board and its symbols.
func (b *shaded) brightest(inks map[formed]calibrations.Ink) float64 {
	most := b.bright
	for _, s := range b.of {
		c := s.cols[inks[s.formed]]
		most = max(most, c[0], c[1], c[2])
	}
	return most
}

// A shadeOf is a colour in which what is drawn alike was seen, and which of the look's
// colours that is.
type shadeOf struct {
	col   vision.RGB
	group int
}

// shades are a look's colours as each of what is drawn alike shows them.
type shades struct {
	of    map[formed][]shadeOf
	apart map[[2]int]bool
}

// shadesIn are those of a profile.
func shadesIn(l *calibrations.Learned) *shades {
	s := &shades{of: map[formed][]shadeOf{}, apart: map[[2]int]bool{}}
	add := func(f formed, colours []string, groups []int) {
		for i, name := range colours {
			if c, ok := rgbOf(name); ok && i < len(groups) {
				s.of[f] = append(s.of[f], shadeOf{c, groups[i]})
			}
		}
	}
	for _, f := range l.Forms {
		add(formed{f.Kind, f.Count}, f.Colours, f.Shades)
	}
	for _, f := range l.Pieces {
		add(formed{f.Kind, 0}, f.Colours, f.Shades)
	}
	for _, pair := range l.Apart {
		s.apart[pair] = true
	}
	return s
}

// which is which of the look's colours a symbol has; false where that is not clear.
func (s *shades) which(symbol witness.Symbol, c vision.RGB, bright float64) (int, bool) {
	f := formed{symbol.Kind.Word(), symbol.Count}
	group, near, next := 0, math.Inf(1), math.Inf(1)
	for _, o := range s.of[f] {
		switch d := colourStep(c, o.col) / bright; {
		case near < math.Inf(1) && o.group == group:
			near = min(near, d)
		case d < near:
			group, near, next = o.group, d, near
		default:
			next = min(next, d)
		}
	}
	u := usualSteps()
	return group, near < (u.alike+u.divide)/2 && near < next/2
}

// sharing is what the look knows of symbols in some colours.
func (s *shades) sharing(at []image.Point, p *witness.Panel, cols []vision.RGB, bright float64) sharing {
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
