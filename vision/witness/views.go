package witness

import (
	"cmp"
	"fmt"
	"image"

	"onlooker/solve"
	witness "onlooker/solve/witness/board"
	"onlooker/vision/witness/cell"
	"onlooker/vision/witness/decide"
	"onlooker/vision/witness/view"
)

// A reading is what one look at a panel tells.
type reading struct {
	panel  *witness.Panel
	doubts view.Doubts
	solved bool
	least  float64 // see View
}

// newReading reads one look at a panel as far as it goes.
func newReading(s *cell.Reader) (*reading, error) {
	s.Doubts = &view.Doubts{Places: map[image.Point]error{}, Whole: map[decide.Question]error{}}
	by, places := covered(s.View)
	for _, at := range places {
		s.Doubts.Places[at] = decide.Hidden.At(at, by)
	}
	p, err := panel(s)
	if err != nil {
		return nil, err
	}
	return &reading{panel: p, doubts: *s.Doubts, solved: s.Solved(p), least: s.Least}, nil
}

// tells tells whether a view says what is at a place.
func (v *reading) tells(at image.Point) bool { return v.doubts.Places[at] == nil }

// mergeViews is the panel that several looks show: what one cannot tell is taken
// from another. The error is a *vision.UnsureError where none can tell
// something, and another one where two contradict each other.
func mergeViews(views []*reading) (*witness.Panel, error) {
	first := views[0].panel
	p := witness.New(first.Cols, first.Rows, first.Pillar)
	// whole takes an aspect of the panel from the views that tell it.
	whole := func(what decide.Question, names string, take func(to, from *witness.Spot) (changed bool)) error {
		for at := range p.Points() {
			told := false
			for _, v := range views {
				if v.doubts.Whole[what] != nil || !v.tells(at) {
					continue
				}
				if take(p.At(at), v.panel.At(at)) && told {
					return contradiction(at, names)
				}
				told = true
			}
			if !told {
				return cmp.Or(views[0].doubts.Whole[what], views[0].doubts.Places[at])
			}
		}
		return nil
	}
	err := whole(decide.StartOrNone, "a start circle and none", func(to, from *witness.Spot) bool {
		was := to.Start
		to.Start = from.Start
		return was != to.Start
	})
	if err != nil {
		return nil, err
	}
	// Beside a circle that a view did not see it tells nothing.
	for _, v := range views {
		for at := range p.Points() {
			if !p.At(at).Start || v.panel.At(at).Start {
				continue
			}
			for near := range p.Points() {
				if d := near.Sub(at); max(view.Abs(d.X), view.Abs(d.Y)) <= 1 && v.tells(near) {
					v.doubts.Places[near] = v.doubts.Whole[decide.StartOrNone]
				}
			}
		}
	}
	err = whole(decide.EndOrNone, "an end cap and none, or another", func(to, from *witness.Spot) bool {
		was := to.Cap
		to.Cap = from.Cap
		return was != to.Cap
	})
	if err != nil {
		return nil, err
	}
	for at := range p.Points() {
		if err := mergeSpot(p.At(at), at, views); err != nil {
			return nil, err
		}
	}
	p.Symmetry = witness.SymmetryOf(p)
	if err := mergeLines(p, views); err != nil {
		return nil, err
	}
	return p, mergeColours(p, views)
}

// mergeSpot takes what is at a place from the views that tell it.
func mergeSpot(to *witness.Spot, at image.Point, views []*reading) error {
	told := false
	for _, v := range views {
		if !v.tells(at) {
			continue
		}
		s := v.panel.At(at)
		switch {
		case !told:
			to.Gap, to.Dot, to.Symbol = s.Gap, s.Dot, s.Symbol
		case to.Gap != s.Gap:
			return contradiction(at, "a broken edge and another")
		case to.Dot.On != s.Dot.On:
			return contradiction(at, "a dot and none")
		case !witness.SameSymbol(to.Symbol, s.Symbol):
			return contradiction(at, to.Kind.Called()+" and "+s.Kind.Called()+", or another")
		}
		told = true
	}
	if !told {
		return views[0].doubts.Places[at]
	}
	return nil
}

// mergeLines takes from the views whose line each dot is.
func mergeLines(p *witness.Panel, views []*reading) error {
	if p.Symmetry == witness.NoSymmetry {
		return nil
	}
	for at := range p.Points() {
		to := p.At(at)
		if !to.Dot.On {
			continue
		}
		told := false
		for _, v := range views {
			if !v.tells(at) || v.doubts.Whole[decide.DotsLine] != nil || v.panel.Symmetry != p.Symmetry {
				continue
			}
			line := v.panel.At(at).Dot.Line
			if told && line != to.Dot.Line {
				return contradiction(at, "a dot of one line and of another")
			}
			to.Dot.Line, told = line, true
		}
		if !told {
			return decide.DotsLine.At(at, "no view tells")
		}
	}
	return nil
}

// mergeColours names the colours of the symbols: two are of one colour when a
// view that tells both says so, or when each is of one colour with a third. The
// light may change from view to view, so colours are never compared between
// two.
func mergeColours(p *witness.Panel, views []*reading) error {
	group := map[image.Point]image.Point{} // of each symbol: one that stands for its colour
	var cells []image.Point
	for at := range p.Points() {
		if p.At(at).Kind != witness.NoSymbol {
			group[at] = at
			cells = append(cells, at)
		}
	}
	each := func(do func(a, b image.Point, same bool) error) error {
		for _, v := range views {
			if v.doubts.Whole[decide.OneColour] != nil {
				continue
			}
			for i, a := range cells {
				for _, b := range cells[:i] {
					if !v.tells(a) || !v.tells(b) {
						continue
					}
					if err := do(a, b, v.panel.At(a).Colour == v.panel.At(b).Colour); err != nil {
						return err
					}
				}
			}
		}
		return nil
	}
	each(func(a, b image.Point, same bool) error {
		if from, to := group[a], group[b]; same && from != to {
			for _, c := range cells {
				if group[c] == from {
					group[c] = to
				}
			}
		}
		return nil
	})
	differ := map[[2]image.Point]bool{}
	err := each(func(a, b image.Point, same bool) error {
		if same {
			return nil
		}
		if group[a] == group[b] {
			return contradiction(a, fmt.Sprintf("the colour of the symbol at %s and another", solve.PlaceName(b)))
		}
		differ[[2]image.Point{group[a], group[b]}], differ[[2]image.Point{group[b], group[a]}] = true, true
		return nil
	})
	if err != nil {
		return err
	}
	for i, a := range cells {
		for _, b := range cells[:i] {
			if group[a] != group[b] && !differ[[2]image.Point{group[a], group[b]}] {
				return decide.OneColour.At(a, "this", "that at "+solve.PlaceName(b)+", which no view shows together")
			}
		}
	}
	// Two views may have named two colours alike.
	taken := map[witness.Colour]image.Point{}
	for _, at := range cells {
		head := p.At(group[at])
		for {
			by, ok := taken[head.Colour]
			if !ok || by == group[at] {
				break
			}
			var rgb int
			fmt.Sscanf(string(head.Colour), "#%x", &rgb) // as hex wrote it
			head.Colour = witness.Colour(fmt.Sprintf("#%06x", (rgb+1)&0xffffff))
		}
		taken[head.Colour] = group[at]
		p.At(at).Colour = head.Colour
	}
	return nil
}

// contradiction says that two views are not of one panel, or one of them was
// misread.
func contradiction(at image.Point, what string) error {
	return fmt.Errorf("the views contradict each other at %s: %s", solve.PlaceName(at), what)
}
