package pillar

import (
	"cmp"
	"image"
	"math"
	"slices"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/witness/colour"
	"onlooker/vision/witness/decide"
	"onlooker/vision/witness/line"
)

// A Joining puts views of a pillar together: turn[i] is the column of the
// whole that is column 0 of view i.
type Joining struct {
	Turn []int
	Like float64 // logarithm of how likely what the views show is so
}

// KeptJoinings is how many are followed: with every further view of a sequence fewer stay
// likely.
const KeptJoinings = 200

// views are what the views show of a place of the whole.
func views(sides []*Side, turns []int, at image.Point) (all []*Glimpse) {
	for i, t := range turns {
		width := 2 * sides[i].Cols
		own := ((at.X-2*t)%width + width) % width
		for _, x := range [...]int{own, own + width} {
			if g := sides[i].At[image.Pt(x, at.Y)]; g != nil {
				all = append(all, g)
			}
		}
	}
	return all
}

// joint is what a place may show by all views of it, the likeliest first, priors included,
// and what all of it has together.
func joint(odds *line.PlaceOdds, views []*Glimpse) (all []Showing, sum float64) {
	all = []Showing{{}}
	for _, g := range views {
		for _, o := range g.Told {
			if !slices.ContainsFunc(all, func(c Showing) bool { return Alike(&c.Spot, &o.Spot) }) {
				all = append(all, Showing{Spot: o.Spot})
			}
		}
	}
	for i := range all {
		c := &all[i]
		c.Like = prior(odds, &c.Spot)
		for _, g := range views {
			c.Like += g.like(&c.Spot)
		}
		sum += math.Exp(c.Like)
	}
	slices.SortStableFunc(all, func(a, b Showing) int { return cmp.Compare(b.Like, a.Like) })
	return all, math.Log(sum)
}

// like is the logarithm of how likely what is seen is where a place shows something.
func (g *Glimpse) like(s *witness.Spot) float64 {
	for i := range g.Told {
		if Alike(&g.Told[i].Spot, s) {
			return g.Told[i].Like
		}
	}
	return g.Rest
}

// prior is the logarithm of how much likelier than nothing something is at a place.
func prior(odds *line.PlaceOdds, s *witness.Spot) float64 {
	if s.Kind != witness.NoSymbol {
		return odds.Symbol
	}
	return odds.Of(line.Meaning{Gap: s.Gap, Dot: s.Dot.On, Start: s.Start, Cap: s.IsEnd()})
}

// Alike tells whether two places show the same.
func Alike(x, y *witness.Spot) bool {
	return x.Gap == y.Gap && x.Start == y.Start && x.Cap == y.Cap && x.Dot.On == y.Dot.On && witness.SameSymbol(x.Symbol, y.Symbol)
}

// Likelihood is the logarithm of how likely what the views show is where they go together so.
func Likelihood(sides []*Side, turns []int) (sum float64) {
	for y := range 2*sides[0].Rows + 1 {
		for x := range 2 * sides[0].Cols {
			_, like := joint(sides[0].Odds, views(sides, turns, image.Pt(x, y)))
			sum += like
		}
	}
	return sum
}

// Merged is the whole pillar, at each place what the views say together, and its column that
// is column 0 of the first view.
func Merged(sides []*Side, turns []int) (panel *witness.Panel, first int, err error) {
	p := witness.New(sides[0].Cols, sides[0].Rows, true)
	hidden := 0 // columns
	var cells, dots []image.Point
	var cellColours, dotColours []vision.RGB
	var failed error
	for x := range p.Width() {
		lost := false
		for y := range p.Height() {
			at := image.Pt(x, y)
			g, spot, err := Whole(sides, views(sides, turns, at), at)
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
			hidden++
		}
	}
	if hidden > 0 {
		return nil, 0, decide.OutOfSight.At(image.Point{}, 100*(p.Width()-hidden)/p.Width())
	}
	if failed != nil {
		return nil, 0, failed
	}
	names, _, err := colour.Cluster(cells, cellColours, 0, sides[0].Confidence, colour.UsualSteps(), nil)
	if err != nil {
		return nil, 0, err
	}
	for i, at := range cells {
		p.At(at).Symbol.Colour = names[i]
	}
	for i, c := range dotColours {
		// Half of the contrast: dots at the side take on some of the line.
		if c.Dist(dotColours[0]) > 0.5*sides[0].contrast {
			return nil, 0, decide.DotsLine.At(dots[i], "there are several colours")
		}
	}
	return turned(p)
}

// Whole is what a place shows, and the view that faces it most squarely of those that show it
// so; nil where none does.
func Whole(sides []*Side, views []*Glimpse, at image.Point) (best *Glimpse, spot witness.Spot, err error) {
	odds := sides[0].Odds
	all, _ := joint(odds, views)
	spot = all[0].Spot
	shows := func(g *Glimpse) bool { return len(g.Told) > 0 && Alike(&g.Told[0].Spot, &spot) }
	var failed, against error
	for _, g := range views {
		if g.like(&spot) < -odds.Against/2 {
			against = decide.OnPillar.At(at, "contradict each other")
		}
		switch {
		case g.Facing < facingRead:
		case g.err != nil:
			failed = g.err
		case best == nil || shows(g) && !shows(best) || shows(g) == shows(best) && g.Facing > best.Facing:
			best = g
		}
	}
	switch {
	case best == nil && failed != nil:
		return &Glimpse{}, spot, failed
	case best == nil || against != nil:
		return best, spot, against
	}
	lead := odds.Far
	if len(all) > 1 {
		lead = all[0].Like - all[1].Like
	}
	certain := odds.SureLead(lead)
	if spot.Start || spot.Dot.On {
		certain = odds.SureMark(lead)
	}
	return best, spot, decide.OnPillar.Likely(at, certain, sides[0].Confidence, "tell little")
}
