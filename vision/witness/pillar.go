package witness

import (
	"cmp"
	"image"
	"math"
	"slices"
	"sync"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/view"
)

// How squarely a place must face the camera (the cosine of its angle).
const (
	// 0.40 is 66°: three views a third of a turn apart show everything at 60°
	// or better, and a column is then half as wide as in the middle.
	facingRead = 0.40
)

// A glimpse is what one view shows at one half-cell.
type glimpse struct {
	facing float64
	told   []showing  // what it may show, the likeliest first
	rest   float64    // logarithm of the likelihood of all else
	colour vision.RGB // of a dot or a symbol
	err    error      // what stands in a cell that faces the camera cannot be told
}

// A showing is what a place may show, and the logarithm of how likely what is seen is then.
type showing struct {
	spot witness.Spot
	like float64
}

// A side is one view of a pillar, read as far as it is seen. Columns count
// from the view's own first one.
type side struct {
	cols, rows int
	contrast   float64 // between lines and cells
	odds       *placeOdds
	confidence float64
	at         map[image.Point]*glimpse
}

func newSide(b *vision.Board, look *calibrations.Profile, drawn drawing.Forms, lines *lineCache) *side {
	flat := *b
	flat.Cols, flat.Pillar = b.Side(), false
	s := newSheet(&flat, look, drawn)
	s.Squeeze = math.Sqrt(1 / b.Aspect)
	l := newLineReader(s, lines)
	m := newLineModel(l)
	p := witness.New(flat.Cols, flat.Rows, false)
	beliefs, starts := m.places(p)
	l.lines = &readLines{model: m, beliefs: beliefs}
	v := &side{cols: b.Cols, rows: b.Rows, contrast: s.Contrast(), odds: &m.odds, confidence: look.Board.Confidence, at: map[image.Point]*glimpse{}}
	for _, at := range starts {
		p.At(at).Start = true
	}
	w := &wall{cellReader: newCellReader(l), panel: p, starts: starts, pointer: sync.OnceValues(func() (view.Disc, bool) { return pointerOver(s) })}
	var places []image.Point
	for at := range p.Points() {
		if s.InSight(float64(at.X)) || witness.IsNode(at) && math.Abs(b.Theta(float64(at.X))) < bulges {
			places = append(places, at)
		}
	}
	glimpses := make([]*glimpse, len(places))
	vision.SideBySide(len(places), func(i int) {
		at := places[i]
		glimpses[i] = &glimpse{facing: b.Facing(float64(at.X))}
		switch {
		case !s.InSight(float64(at.X)):
			w.bulge(at, glimpses[i])
		case witness.IsCell(at):
			w.inCell(at, glimpses[i])
		default:
			w.onLines(at, glimpses[i])
		}
	})
	for i, at := range places {
		v.at[at] = glimpses[i]
	}
	return v
}

// A wall is a view of a pillar, straightened: a sheet on which some of what
// the edges and circles reach over may be out of sight.
type wall struct {
	*cellReader
	panel   *witness.Panel // with its starts
	starts  []image.Point
	pointer func() (view.Disc, bool)
}

// onLines tells what a node or an edge may show.
func (w *wall) onLines(at image.Point, g *glimpse) {
	m, b := w.lines.model, w.lines.beliefs[at]
	isStart, onStart := slices.Contains(w.starts, at), false
	if isStart {
		_, onStart, g.err = w.isDot(w.panel, at, w.starts, w.pointer)
	}
	// What is seen aside has fewer pixels in the frame than samples.
	off := w.offColumn(at.X) / w.Board.Narrowed(float64(at.X))
	likeOf := func(evidence float64, what meaning) float64 { return (evidence - m.odds.of(what)) / off }
	beside := !isStart && b.best().start // a clearer one
	plain := math.Inf(-1)
	for i, what := range b.what {
		like := likeOf(b.evidence[i], what)
		if what.start && (beside || isStart && what.dot != onStart) {
			continue
		}
		if what.plain() {
			plain = max(plain, like)
		}
		var spot witness.Spot
		spot.Gap, spot.Dot.On, spot.Start = what.gap, what.dot, what.start
		g.told = append(g.told, showing{spot, like})
	}
	// Up or down: a pillar has no sides for a cap to point to.
	if dir := m.upOrDown(at); dir != (image.Point{}) {
		for _, c := range m.caps([]image.Point{at}, m.odds.Clear) {
			if c.dir == dir {
				g.told = append(g.told, showing{witness.Spot{Cap: dir}, plain + likeOf(c.lead, meaning{cap: true})})
			}
		}
	}
	g.settle(&m.odds)
	if g.told[0].spot.Dot.On {
		x := float64(at.X)
		for _, what := range b.what {
			if what.dot && !what.start {
				x += what.aside / w.Board.Aspect
			}
		}
		g.colour = w.Patch(x, float64(at.Y), 0.25*w.LineWidth) // well within the dot
	}
}

// upOrDown is the way outwards from a node of a pillar's border; zero elsewhere.
func (m *lineModel) upOrDown(at image.Point) (dir image.Point) {
	if witness.IsNode(at) {
		for _, d := range m.Outwards(at) {
			if d.X == 0 {
				return d
			}
		}
	}
	return dir
}

// inkiness is 1 on the lines' colour at a place and 0 on the cells' beside it;
// own is how far the colour is from both, in contrasts.
func (w *wall) inkiness(at image.Point, x, y, half float64) (ink, own float64) {
	c := w.Patch(x, y, half)
	a, b := w.LineColourAt(at), w.GroundBeside(at)
	axis := a.Sub(b)
	q := axis.Dot(axis)
	if q < 1 {
		return 0, 0
	}
	t := c.Sub(b).Dot(axis) / q
	near := max(0, min(1, t))
	for k := range c {
		c[k] -= b[k] + near*axis[k]
	}
	return t, math.Sqrt(c.Dot(c) / q)
}

// bulges is how far aside, in radians, a start circle is seen to bulge into sight.
const bulges = 91 * math.Pi / 180

// bulge says whether a start circle is at a node too near the side to be read:
// such a circle reaches 0.85 of a line's width towards the middle while it
// reaches 0.66 off the level line. Measured at 70° to 91°: 0.45 and more of the
// lines' colour with a circle, up to 0.24 without.
func (w *wall) bulge(at image.Point, g *glimpse) {
	theta := w.Board.Theta(float64(at.X))
	dx := 2 * 0.85 * w.LineWidth / w.Board.Aspect
	if theta > 0 {
		dx = -dx
	}
	most := 0.0
	for _, dy := range []float64{-1, 1} {
		ink, own := w.inkiness(at, float64(at.X)+dx, float64(at.Y)+dy*2*0.66*w.LineWidth, 0.02)
		if y := at.Y + int(dy); y < 0 || y > 2*w.Board.Rows {
			continue // beyond the lines, where caps are
		}
		if own > view.Clearly {
			return // a symbol, or its glow
		}
		most = max(most, ink)
	}
	circle := witness.Spot{Start: true}
	switch much := w.lines.model.odds.Sure; {
	case most > 0.5:
		g.told, g.rest = []showing{{circle, 0}}, -much
	case most < view.Clearly && math.Abs(theta) < 88*math.Pi/180:
		g.told = []showing{{circle, -much}}
	}
}

// settle sorts what a place may show, and says how likely all else is.
func (g *glimpse) settle(odds *placeOdds) {
	slices.SortStableFunc(g.told, func(a, b showing) int { return cmp.Compare(b.like, a.like) })
	for i := len(g.told) - 1; i >= 0; i-- {
		g.told[i].like = max(-odds.Against, g.told[i].like-g.told[0].like)
	}
	g.rest = -odds.Against
}

// offColumn is by how many times more what is seen in a column is off what it shows at its
// places than noise makes it: the further aside the more, as straightening is not exact.
func (w *wall) offColumn(x int) float64 {
	var off []float64
	for y := range 2*w.Board.Rows + 1 {
		if b := w.lines.beliefs[image.Pt(x, y)]; b != nil && b.samples > 0 {
			off = append(off, -2*slices.Max(b.evidence)/b.samples)
		}
	}
	return max(1, vision.Median(off))
}

// inCell tells what a cell may show.
func (w *wall) inCell(at image.Point, g *glimpse) {
	odds := &w.lines.model.odds
	if g.facing < facingRead {
		g.hint(w.View, at, odds.Doubt)
		return
	}
	var spot witness.Spot
	st, err := w.stain(at, w.starts)
	// Every symbol covers something near its cell's middle; glow and caps of
	// the neighbours do not.
	if farthest(w.cellReader.lineReader.View, at) < view.Clearly {
		st, err = nil, nil
	}
	if err == nil && st != nil {
		spot.Symbol, err = w.symbol(at, st)
		g.colour = st.col
	}
	if g.err = err; err == nil {
		g.told, g.rest = []showing{{spot, 0}}, -odds.Against*w.Board.Narrowed(float64(at.X))
	}
}

// farthest is how far from the cell's own colour anything near its middle is,
// in contrasts between lines and cells.
func farthest(s *view.View, cell image.Point) float64 {
	paper := s.Ground(cell.X, cell.Y)
	d := 0.0
	for x := -0.3; x <= 0.31; x += 0.1 {
		for y := -0.3; y <= 0.31; y += 0.1 {
			d = max(d, s.At(float64(cell.X)+x, float64(cell.Y)+y).Dist(paper))
		}
	}
	return d / s.Contrast()
}

// hint says whether something stands in a cell that is seen very flatly: so much speaks for it
// or against.
func (g *glimpse) hint(s *view.View, at image.Point, much float64) {
	d := s.Patch(float64(at.X), float64(at.Y), 0.16).Dist(s.Board.Paper) / s.Contrast()
	// A black square is 0.8 of the contrast between line and cell away from
	// the cell; shade and glow stay below 0.3.
	switch {
	case d > view.Strongly:
		g.told = []showing{{witness.Spot{}, -much}}
	case d < view.Clearly:
		g.told, g.rest = []showing{{}}, -much
	}
}

// turned turns a pillar so that it stands as the four symmetries of the game
// have it (the player's start in column 2), and works out which of them it is
// from its starts and ends. Column 0 of p comes to be column first.
func turned(p *witness.Panel) (panel *witness.Panel, first int, err error) {
	var starts, ends []image.Point
	for at := range p.Points() {
		if s := p.At(at); s.Start {
			starts = append(starts, at)
		} else if s.IsEnd() {
			ends = append(ends, at)
		}
	}
	if len(starts) == 0 {
		return nil, 0, view.Unsure(image.Point{}, "no start circle")
	}
	if len(ends) == 0 {
		return nil, 0, view.Unsure(image.Point{}, "no end cap")
	}
	kinds := []witness.Symmetry{witness.Parallel, witness.Turned, witness.Mirror, witness.Rotation}
	if len(starts) == 1 {
		kinds = []witness.Symmetry{witness.NoSymmetry}
	}
	for _, kind := range kinds {
		var best *witness.Panel
		rank := math.MaxInt
		for k := range p.Cols {
			q := p.Clone()
			q.Symmetry = kind
			for at := range p.Points() {
				*q.At(at.Add(image.Pt(2*k, 0))) = *p.At(at)
			}
			if !symmetric(q) {
				continue
			}
			// The lowest start, and of two the left one, in column 2.
			own := image.Pt(math.MaxInt, -1)
			for at := range q.Points() {
				if q.At(at).Start && (at.Y > own.Y || at.Y == own.Y && at.X < own.X) {
					own = at
				}
			}
			off := own.X - 2
			if kind == witness.Rotation {
				off = own.X - 4 // there the lower start is the second
			}
			if d := off * off; d < rank {
				best, first, rank = q, k, d
			}
		}
		if best != nil {
			return best, first, nil
		}
	}
	return nil, 0, view.Unsure(starts[0], "starts %v and ends %v fit none of a pillar's symmetries", starts, ends)
}

// symmetric tells whether the starts and ends of a panel are mapped onto each
// other by its symmetry.
func symmetric(p *witness.Panel) bool {
	if p.Symmetry == witness.NoSymmetry {
		return true
	}
	for at := range p.Points() {
		s := p.At(at)
		if !s.Start && !s.IsEnd() {
			continue
		}
		to, ok := p.Image(at)
		if !ok || to == at {
			return false
		}
		if o := p.At(to); o.Start != s.Start || o.IsEnd() != s.IsEnd() {
			return false
		}
	}
	return true
}
