package pillar

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
	"onlooker/vision/witness/cell"
	"onlooker/vision/witness/decide"
	"onlooker/vision/witness/line"
	"onlooker/vision/witness/pointer"
	"onlooker/vision/witness/view"
)

// How squarely a place must face the camera (the cosine of its angle).
const (
	// 0.40 is 66°: three views a third of a turn apart show everything at 60°
	// or better, and a column is then half as wide as in the middle.
	facingRead = 0.40
)

// A Glimpse is what one view shows at one half-cell.
type Glimpse struct {
	Facing float64
	Told   []Showing  // what it may show, the likeliest first
	Rest   float64    // logarithm of the likelihood of all else
	colour vision.RGB // of a dot or a symbol
	err    error      // what stands in a cell that faces the camera cannot be told
}

// A Showing is what a place may show, and the logarithm of how likely what is seen is then.
type Showing struct {
	Spot witness.Spot
	Like float64
}

// A Side is one view of a pillar, read as far as it is seen. Columns count
// from the view's own first one.
type Side struct {
	Cols, Rows int
	contrast   float64 // between lines and cells
	Odds       *line.PlaceOdds
	Confidence float64
	At         map[image.Point]*Glimpse
}

func NewSide(b *vision.Board, look *calibrations.Profile, drawn drawing.Forms, lines *line.Cache) *Side {
	flat := *b
	flat.Cols, flat.Pillar = b.Side(), false
	s := pointer.Cleared(&flat, look, drawn)
	s.Squeeze = math.Sqrt(1 / b.Aspect)
	l := line.NewReader(s, lines)
	m := line.NewModel(l)
	p := witness.New(flat.Cols, flat.Rows, false)
	beliefs, starts := m.Places(p)
	l.Lines = &line.Lines{Model: m, Beliefs: beliefs}
	v := &Side{Cols: b.Cols, Rows: b.Rows, contrast: s.Contrast(), Odds: &m.Odds, Confidence: look.Board.Confidence, At: map[image.Point]*Glimpse{}}
	for _, at := range starts {
		p.At(at).Start = true
	}
	w := &wall{View: l.View, cells: cell.NewReader(l), panel: p, starts: starts, pointer: sync.OnceValues(func() (view.Disc, bool) { return pointer.On(s) })}
	places := view.Where(p.Points(), func(at image.Point) bool {
		return s.InSight(float64(at.X)) || witness.IsNode(at) && math.Abs(b.Theta(float64(at.X))) < bulges
	})
	glimpses := make([]*Glimpse, len(places))
	vision.SideBySide(len(places), func(i int) {
		at := places[i]
		glimpses[i] = &Glimpse{Facing: b.Facing(float64(at.X))}
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
		v.At[at] = glimpses[i]
	}
	return v
}

// A wall is a view of a pillar, straightened: a sheet on which some of what
// the edges and circles reach over may be out of sight.
type wall struct {
	*view.View
	cells   *cell.Reader
	panel   *witness.Panel // with its starts
	starts  []image.Point
	pointer func() (view.Disc, bool)
}

// onLines tells what a node or an edge may show.
func (w *wall) onLines(at image.Point, g *Glimpse) {
	m, b := w.cells.Lines.Lines.Model, w.cells.Lines.Lines.Beliefs[at]
	isStart, onStart := slices.Contains(w.starts, at), false
	if isStart {
		_, onStart, g.err = w.cells.Lines.IsDot(w.panel, at, w.starts)
	}
	// What is seen aside has fewer pixels in the frame than samples.
	off := w.offColumn(at.X) / w.Board.Narrowed(float64(at.X))
	likeOf := func(evidence float64, what line.Meaning) float64 { return (evidence - m.Odds.Of(what)) / off }
	beside := !isStart && b.Best().Start // a clearer one
	plain := math.Inf(-1)
	for i, what := range b.What {
		like := likeOf(b.Evidence[i], what)
		if what.Start && (beside || isStart && what.Dot != onStart) {
			continue
		}
		if what.Plain() {
			plain = max(plain, like)
		}
		var spot witness.Spot
		spot.Gap, spot.Dot.On, spot.Start = what.Gap, what.Dot, what.Start
		g.Told = append(g.Told, Showing{spot, like})
	}
	// Up or down: a pillar has no sides for a cap to point to.
	if dir := upOrDown(m, at); dir != (image.Point{}) {
		for _, c := range m.Caps([]image.Point{at}, m.Odds.Clear) {
			if c.Dir == dir {
				g.Told = append(g.Told, Showing{witness.Spot{Cap: dir}, plain + likeOf(c.Lead, line.Meaning{Cap: true})})
			}
		}
	}
	g.settle(&m.Odds)
	if g.Told[0].Spot.Dot.On {
		x := float64(at.X)
		for _, what := range b.What {
			if what.Dot && !what.Start {
				x += what.Aside / w.Board.Aspect
			}
		}
		g.colour = w.Patch(x, float64(at.Y), 0.25*w.LineWidth) // well within the dot
	}
}

// upOrDown is the way outwards from a node of a pillar's border; zero elsewhere.
func upOrDown(m *line.Model, at image.Point) (dir image.Point) {
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
func (w *wall) bulge(at image.Point, g *Glimpse) {
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
	switch much := w.cells.Lines.Lines.Model.Odds.Sure; {
	case most > 0.5:
		g.Told, g.Rest = []Showing{{circle, 0}}, -much
	case most < view.Clearly && math.Abs(theta) < 88*math.Pi/180:
		g.Told = []Showing{{circle, -much}}
	}
}

// settle sorts what a place may show, and says how likely all else is.
func (g *Glimpse) settle(odds *line.PlaceOdds) {
	slices.SortStableFunc(g.Told, func(a, b Showing) int { return cmp.Compare(b.Like, a.Like) })
	for i := len(g.Told) - 1; i >= 0; i-- {
		g.Told[i].Like = max(-odds.Against, g.Told[i].Like-g.Told[0].Like)
	}
	g.Rest = -odds.Against
}

// offColumn is by how many times more what is seen in a column is off what it shows at its
// places than noise makes it: the further aside the more, as straightening is not exact.
func (w *wall) offColumn(x int) float64 {
	var off []float64
	for y := range 2*w.Board.Rows + 1 {
		if b := w.cells.Lines.Lines.Beliefs[image.Pt(x, y)]; b != nil && b.Samples > 0 {
			off = append(off, -2*slices.Max(b.Evidence)/b.Samples)
		}
	}
	return max(1, vision.Median(off))
}

// inCell tells what a cell may show.
func (w *wall) inCell(at image.Point, g *Glimpse) {
	odds := &w.cells.Lines.Lines.Model.Odds
	if g.Facing < facingRead {
		g.hint(w.View, at, odds.Doubt)
		return
	}
	var spot witness.Spot
	st, err := w.cells.Stains.Stain(at, w.starts)
	// Every symbol covers something near its cell's middle; glow and caps of
	// the neighbours do not.
	if farthest(w.cells.Lines.View, at) < view.Clearly {
		st, err = nil, nil
	}
	if err == nil && st != nil {
		spot.Symbol, err = w.cells.Symbol(at, st)
		g.colour = st.Col
	}
	if g.err = err; err == nil {
		g.Told, g.Rest = []Showing{{spot, 0}}, -odds.Against*w.Board.Narrowed(float64(at.X))
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
func (g *Glimpse) hint(s *view.View, at image.Point, much float64) {
	d := s.Patch(float64(at.X), float64(at.Y), 0.16).Dist(s.Board.Paper) / s.Contrast()
	// A black square is 0.8 of the contrast between line and cell away from
	// the cell; shade and glow stay below 0.3.
	switch {
	case d > view.Strongly:
		g.Told = []Showing{{witness.Spot{}, -much}}
	case d < view.Clearly:
		g.Told, g.Rest = []Showing{{}}, -much
	}
}

// turned turns a pillar so that it stands as the four symmetries of the game
// have it (the player's start in column 2), and works out which of them it is
// from its starts and ends. Column 0 of p comes to be column first.
func turned(p *witness.Panel) (panel *witness.Panel, first int, err error) {
	starts := view.Where(p.Points(), func(at image.Point) bool { return p.At(at).Start })
	ends := view.Where(p.Points(), func(at image.Point) bool { return !p.At(at).Start && p.At(at).IsEnd() })
	if len(starts) == 0 {
		return nil, 0, decide.NoStart.At(image.Point{})
	}
	if len(ends) == 0 {
		return nil, 0, decide.NoEnd.At(image.Point{})
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
	return nil, 0, decide.Symmetry.At(starts[0], starts, ends)
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
