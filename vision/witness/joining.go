package witness

import (
	"cmp"
	"fmt"
	"image"
	"math"
	"slices"
	"strings"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/witness/view"
)

// A joining puts views of a pillar together: turn[i] is the column of the
// whole that is column 0 of view i.
type joining struct {
	turn []int
	like float64 // logarithm of how likely what the views show is so
}

// keptJoinings is how many are followed: with every further view of a sequence fewer stay
// likely.
const keptJoinings = 200

// pillar joins the views and reads the whole. Views may come in any order and
// at any angle: of each place the likelihoods that they give what it may show are
// multiplied. If the likeliest joinings do not all give the same panel the reading is
// unsure.
func (r *Reader) pillar() (*witness.Panel, error) {
	var sides []*side
	for _, b := range r.boards {
		sides = append(sides, newSide(b, r.profile, r.drawn, r.lines))
	}
	joinings := []joining{{turn: []int{0}}}
	if len(r.columns) == len(sides) { // it is known how they go together
		joinings[0].turn = nil
		for i, c := range r.columns {
			cols := sides[i].cols
			joinings[0].turn = append(joinings[0].turn, ((c-r.columns[0])%cols+cols)%cols)
		}
	}
	for i := len(joinings[0].turn); i < len(sides); i++ {
		var next []joining
		for _, j := range joinings {
			for turn := range sides[i].cols {
				o := joining{turn: append(slices.Clone(j.turn), turn)}
				o.like = likelihood(sides, o.turn)
				next = append(next, o)
			}
		}
		slices.SortStableFunc(next, func(a, b joining) int { return cmp.Compare(b.like, a.like) })
		joinings = next[:min(len(next), keptJoinings)]
	}
	panel, first, err := merged(sides, joinings[0].turn)
	if err != nil {
		return nil, err
	}
	// How likely another panel is, by the other joinings.
	text := fmt.Sprint(panel.Spots)
	same, all := 1.0, 1.0
	for _, j := range joinings[1:] {
		p := math.Exp(j.like - joinings[0].like)
		if p < 1e-3 {
			break
		}
		all += p
		if o, _, err := merged(sides, j.turn); err == nil && fmt.Sprint(o.Spots) == text {
			same += p
		}
	}
	if same < r.profile.Board.Confidence*all {
		return nil, view.Unsure(image.Point{}, "the views go together in several ways, the likeliest by %.2f", same/all)
	}
	r.first = first
	return panel, nil
}

// views are what the views show of a place of the whole.
func views(sides []*side, turns []int, at image.Point) (all []*glimpse) {
	for i, t := range turns {
		width := 2 * sides[i].cols
		own := ((at.X-2*t)%width + width) % width
		for _, x := range [...]int{own, own + width} {
			if g := sides[i].at[image.Pt(x, at.Y)]; g != nil {
				all = append(all, g)
			}
		}
	}
	return all
}

// joint is what a place may show by all views of it, the likeliest first, priors included,
// and what all of it has together.
func joint(odds *placeOdds, views []*glimpse) (all []showing, sum float64) {
	all = []showing{{}}
	for _, g := range views {
		for _, o := range g.told {
			if !slices.ContainsFunc(all, func(c showing) bool { return alike(&c.spot, &o.spot) }) {
				all = append(all, showing{spot: o.spot})
			}
		}
	}
	for i := range all {
		c := &all[i]
		c.like = prior(odds, &c.spot)
		for _, g := range views {
			c.like += g.like(&c.spot)
		}
		sum += math.Exp(c.like)
	}
	slices.SortStableFunc(all, func(a, b showing) int { return cmp.Compare(b.like, a.like) })
	return all, math.Log(sum)
}

// like is the logarithm of how likely what is seen is where a place shows something.
func (g *glimpse) like(s *witness.Spot) float64 {
	for i := range g.told {
		if alike(&g.told[i].spot, s) {
			return g.told[i].like
		}
	}
	return g.rest
}

// prior is the logarithm of how much likelier than nothing something is at a place.
func prior(odds *placeOdds, s *witness.Spot) float64 {
	if s.Kind != witness.NoSymbol {
		return odds.Symbol
	}
	return odds.of(meaning{gap: s.Gap, dot: s.Dot.On, start: s.Start, cap: s.IsEnd()})
}

// alike tells whether two places show the same.
func alike(x, y *witness.Spot) bool {
	return x.Gap == y.Gap && x.Start == y.Start && x.Cap == y.Cap && x.Dot.On == y.Dot.On && witness.SameSymbol(x.Symbol, y.Symbol)
}

// likelihood is the logarithm of how likely what the views show is where they go together so.
func likelihood(sides []*side, turns []int) (sum float64) {
	for y := range 2*sides[0].rows + 1 {
		for x := range 2 * sides[0].cols {
			_, like := joint(sides[0].odds, views(sides, turns, image.Pt(x, y)))
			sum += like
		}
	}
	return sum
}

// merged is the whole pillar, at each place what the views say together, and its column that
// is column 0 of the first view.
func merged(sides []*side, turns []int) (panel *witness.Panel, first int, err error) {
	p := witness.New(sides[0].cols, sides[0].rows, true)
	var hidden []string
	var cells, dots []image.Point
	var cellColours, dotColours []vision.RGB
	var failed error
	for x := range p.Width() {
		lost := false
		for y := range p.Height() {
			at := image.Pt(x, y)
			g, spot, err := whole(sides, views(sides, turns, at), at)
			switch {
			case g == nil:
				lost = true
				continue
			case err != nil:
				failed = cmp.Or(failed, err)
				continue
			}
			*p.At(at) = spot
			if spot.Kind != witness.NoSymbol {
				cells, cellColours = append(cells, at), append(cellColours, g.colour)
			}
			if spot.Dot.On {
				dots, dotColours = append(dots, at), append(dotColours, g.colour)
			}
		}
		if lost {
			hidden = append(hidden, fmt.Sprint(x))
		}
	}
	if len(hidden) > 0 {
		return nil, 0, view.Unsure(image.Point{}, "of %d columns of half-cells these are out of sight: %s; more views are needed", p.Width(), strings.Join(hidden, " "))
	}
	if failed != nil {
		return nil, 0, failed
	}
	names, _, err := cluster(cells, cellColours, 0, sides[0].confidence, usualSteps(), nil)
	if err != nil {
		return nil, 0, err
	}
	for i, at := range cells {
		p.At(at).Symbol.Colour = names[i]
	}
	for i, c := range dotColours {
		// Half of the contrast: dots at the side take on some of the line.
		if c.Dist(dotColours[0]) > 0.5*sides[0].contrast {
			return nil, 0, view.Unsure(dots[i], "dots of several colours on a pillar")
		}
	}
	return turned(p)
}

// whole is what a place shows, and the view that faces it most squarely of those that show it
// so; nil where none does.
func whole(sides []*side, views []*glimpse, at image.Point) (best *glimpse, spot witness.Spot, err error) {
	odds := sides[0].odds
	all, _ := joint(odds, views)
	spot = all[0].spot
	shows := func(g *glimpse) bool { return len(g.told) > 0 && alike(&g.told[0].spot, &spot) }
	var failed, against error
	for _, g := range views {
		if g.like(&spot) < -odds.Against/2 {
			against = view.Unsure(at, "views that contradict each other")
		}
		switch {
		case g.facing < facingRead:
		case g.err != nil:
			failed = g.err
		case best == nil || shows(g) && !shows(best) || shows(g) == shows(best) && g.facing > best.facing:
			best = g
		}
	}
	switch {
	case best == nil && failed != nil:
		return &glimpse{}, spot, failed
	case best == nil || against != nil:
		return best, spot, against
	}
	lead := odds.Far
	if len(all) > 1 {
		lead = all[0].like - all[1].like
	}
	certain := odds.sureLead(lead)
	if spot.Start || spot.Dot.On {
		certain = odds.sureMark(lead)
	}
	if certain < sides[0].confidence {
		return best, spot, view.Unsure(at, "what a pillar shows there: evidence %.1f", lead)
	}
	return best, spot, nil
}
