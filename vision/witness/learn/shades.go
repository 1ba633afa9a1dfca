package learn

import (
	"slices"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision/witness/colour"
)

// A boardColour is a colour as it was named on one board.
type boardColour struct {
	board int
	name  witness.Colour
}

// learnShades learns which of the colours in which symbols were seen are one, drawn thinly
// or over large parts: names tell that on each board, and over boards what is drawn alike
// and measures alike. Where that contradicts itself nothing is learned.
func learnShades(p *calibrations.Profile, all []shaded, inks map[colour.Formed]calibrations.Ink) {
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
	of := func(f colour.Formed, colours []string) (out []int) {
		for _, c := range colours {
			for i, board := range all {
				k := slices.IndexFunc(board.of, func(s shade) bool { return s.Formed == f && string(colour.Hex(s.cols[inks[f]])) == c })
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
		o.Shades = of(colour.Formed{Kind: o.Kind, Count: o.Count}, o.Colours)
	}
	for i := range p.Learned.Pieces {
		o := &p.Learned.Pieces[i]
		o.Shades = of(colour.Formed{Kind: o.Kind, Count: 0}, o.Colours)
	}
	for pair := range apart {
		p.Learned.Apart = append(p.Learned.Apart, pair)
	}
	slices.SortFunc(p.Learned.Apart, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
}

// uniteAlike makes groups one of which two boards show symbols that are drawn alike and
// measure alike.
func uniteAlike(group map[boardColour]int, i, j int, a, b shaded, inks map[colour.Formed]calibrations.Ink) {
	for _, s := range a.of {
		for _, o := range b.of {
			ink := inks[s.Formed]
			if s.Formed != o.Formed || colour.ColourStep(s.cols[ink], o.cols[ink])/max(a.brightest(inks), b.brightest(inks)) > colour.UsualSteps().Alike {
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
func (b *shaded) brightest(inks map[colour.Formed]calibrations.Ink) float64 {
	most := b.bright
	for _, s := range b.of {
		c := s.cols[inks[s.Formed]]
		most = max(most, c[0], c[1], c[2])
	}
	return most
}
