package witness

import (
	"fmt"
	"image"
	"math"
	"slices"
	"strings"

	"onlooker/calibrations"
	"onlooker/solve/witness"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
)

// How squarely a place must face the camera (the cosine of its angle).
const (
	// 0.40 is 66°: three views a third of a turn apart show everything at 60°
	// or better, and a column is then half as wide as in the middle.
	facingRead = 0.40
	// 0.55 is 57°: three views show nearly everything so, and nearer to the side
	// a line that fades may pass for a broken one, or for one with a dot.
	facingFades = 0.55
	// 0.20 is 78°: to there a symbol still shows as a sliver, which is no
	// reading but a witness of how two views go together.
	facingHint = 0.20
)

// A glimpse is what one view shows at one half-cell.
type glimpse struct {
	spot   witness.Spot
	colour vision.RGB // of a dot or a symbol
	facing float64
	err    error // cannot be told from this view
	// Where the place is seen too flatly to be read: whether something stands
	// there (1), or nothing (-1), or neither is sure (0).
	hint int
}

func (g *glimpse) readable() bool { return g.facing >= facingRead && g.err == nil }

// marked tells whether anything but plain lines and empty cells is there.
func marked(s *witness.Spot) bool {
	return s.Start || s.IsEnd() || s.Dot.On || s.Kind != witness.NoSymbol || s.Gap != witness.Whole
}

// A side is one view of a pillar, read as far as it is seen. Columns count
// from the view's own first one.
type side struct {
	cols, rows int
	contrast   float64 // between lines and cells
	at         map[image.Point]*glimpse
	// bulges are the nodes about the sides of what is seen, and whether a start
	// circle bulges into view from there: 1, -1 or, where that is not sure, 0.
	bulges map[image.Point]int
}

func newSide(b *vision.Board, look *calibrations.Profile, drawn drawing.Forms, lines *lineCache) *side {
	flat := *b
	flat.Cols, flat.Pillar = b.Side(), false
	s := newSheet(&flat, look, drawn)
	s.squeeze, s.lineCache = math.Sqrt(1/b.Aspect), lines
	v := &side{cols: b.Cols, rows: b.Rows, contrast: b.Ink.Dist(b.Paper), at: map[image.Point]*glimpse{}, bulges: map[image.Point]int{}}
	m := newLineModel(s)
	p := witness.New(flat.Cols, flat.Rows, false)
	beliefs, starts := m.places(p)
	s.lines = &readLines{model: m, beliefs: beliefs}
	w := &wall{sheet: s, board: b, starts: starts}
	points := p.Points()
	places := slices.Collect(points)
	glimpses := make([]*glimpse, len(places))
	vision.SideBySide(len(places), func(i int) {
		at, facing := places[i], b.Facing(float64(places[i].X))
		if facing < facingHint {
			return
		}
		glimpses[i] = &glimpse{facing: facing}
		if facing >= facingRead {
			w.glimpse(at, glimpses[i])
		}
		glimpses[i].hint = s.hint(at)
	})
	for i, at := range places {
		if glimpses[i] != nil {
			v.at[at] = glimpses[i]
		}
		if witness.IsNode(at) && b.Facing(float64(at.X)) < facingRead {
			v.bulges[at] = w.bulge(at)
		}
	}
	return v
}

// A wall is a view of a pillar, straightened: a sheet on which some of what
// the edges and circles reach over may be out of sight.
type wall struct {
	*sheet
	board  *vision.Board
	starts []image.Point
}

// inSight tells whether a place faces the camera enough to have a colour.
func (s *sheet) inSight(x float64) bool { return !s.b.Round() || s.b.Facing(x) >= facingHint }

// inkiness is 1 on the lines' colour at a place and 0 on the cells' beside it;
// own is how far the colour is from both, in contrasts.
func (w *wall) inkiness(at image.Point, x, y, half float64) (ink, own float64) {
	c := w.patch(x, y, half)
	a, b := w.inkAt(at), w.paperBeside(at)
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

// bulge says whether a start circle is at a node too near the side to be read:
// such a circle reaches 0.85 of a line's width towards the middle while it
// reaches 0.66 off the level line. Measured at 70° to 91°: 0.45 and more of the
// lines' colour with a circle, up to 0.24 without.
func (w *wall) bulge(at image.Point) int {
	theta := w.board.Theta(float64(at.X))
	if math.Abs(theta) > 91*math.Pi/180 {
		return 0
	}
	dx := 2 * 0.85 * w.line / w.board.Aspect
	if theta > 0 {
		dx = -dx
	}
	most := 0.0
	for _, dy := range []float64{-1, 1} {
		ink, own := w.inkiness(at, float64(at.X)+dx, float64(at.Y)+dy*2*0.66*w.line, 0.02)
		if y := at.Y + int(dy); y < 0 || y > 2*w.b.Rows {
			continue // beyond the lines, where caps are
		}
		if own > 0.25 {
			return 0 // a symbol, or its glow
		}
		most = max(most, ink)
	}
	switch {
	case most > 0.5:
		return 1
	case most < 0.3 && math.Abs(theta) < 88*math.Pi/180:
		return -1
	}
	return 0
}

// glimpse reads one half-cell on its own.
func (w *wall) glimpse(at image.Point, g *glimpse) {
	switch {
	case witness.IsCell(at):
		st, err := w.stain(at, w.starts)
		// Every symbol covers something near its cell's middle; glow and caps of
		// the neighbours do not.
		if w.farthest(at) < 0.3 {
			return
		}
		if st == nil {
			g.err = err
			return
		}
		g.spot.Symbol, g.err = w.symbol(at, st)
		g.colour = st.col
		return
	}
	m, b := w.lines.model, w.lines.beliefs[at]
	what, lead := b.best(), 0.0
	g.spot.Start, g.spot.Dot.On, g.spot.Gap = slices.Contains(w.starts, at), what.dot, what.gap
	switch {
	case g.spot.Start:
		lead = m.startLead(b)
	case what.start: // beside a clearer one

	default:
		lead = b.lead(what.same, anything)
	}
	certain := m.sureLead(lead)
	if what.start || what.dot {
		certain = m.sureMark(lead)
	}
	if g.err = w.told(at, certain, "a start circle, a dot, a break or none: evidence %.1f", lead); g.err != nil {
		return
	}
	if what.dot {
		g.colour = w.patch(float64(at.X)+what.aside/w.board.Aspect, float64(at.Y), 0.25*w.line)
	}
	if !witness.IsNode(at) || what.start {
		return
	}
	// Up or down: a pillar has no sides for a cap to point to.
	for _, c := range m.caps([]image.Point{at}, m.odds.Clear) {
		if c.dir.X != 0 {
			continue
		}
		if c.lead > 0 {
			g.spot.Cap = c.dir
		}
		g.err = w.told(at, m.sureLead(math.Abs(c.lead)), "an end cap or none: evidence %.1f", c.lead)
	}
}

// farthest is how far from the cell's own colour anything near its middle is,
// in contrasts between lines and cells.
func (s *sheet) farthest(cell image.Point) float64 {
	paper := s.cell(cell.X, cell.Y)
	d := 0.0
	for x := -0.3; x <= 0.31; x += 0.1 {
		for y := -0.3; y <= 0.31; y += 0.1 {
			d = max(d, s.at(float64(cell.X)+x, float64(cell.Y)+y).Dist(paper))
		}
	}
	return d / s.contrast()
}

// hint says whether something stands at a place that is seen very flatly.
func (s *sheet) hint(at image.Point) int {
	d := 0.0
	if witness.IsCell(at) {
		c := s.patch(float64(at.X), float64(at.Y), 0.16)
		d = c.Dist(s.b.Paper) / s.contrast()
	} else {
		c := s.patch(float64(at.X), float64(at.Y), 0.3*s.line)
		d = c.Dist(s.b.Ink) / s.contrast()
	}
	// A black square is 0.8 of the contrast between line and cell away from
	// the cell, a dot 1.6 from the line; shade and glow stay below 0.3.
	switch {
	case d > 0.6:
		return 1
	case d < 0.35:
		return -1
	}
	return 0
}

// A joining puts views of a pillar together: turn[i] is the column of the
// whole that is column 0 of view i.
type joining struct {
	turn  []int
	agree int // marks that two views show at the same place
}

// pillar joins the views and reads the whole. Views may come in any order and
// at any angle: every joining that nothing speaks against is kept, and if these
// do not all give the same panel the reading is unsure.
func (r *Reader) pillar() (*witness.Panel, error) {
	var sides []*side
	for _, b := range r.boards {
		sides = append(sides, newSide(b, r.profile, r.drawn, r.lines))
	}
	joinings := []joining{{turn: []int{0}}}
	known := len(r.columns) == len(sides)
	if known {
		j, err := r.known(sides)
		if err != nil {
			return nil, err
		}
		joinings = []joining{j}
	}
	for i := 1; i < len(sides) && !known; i++ {
		var next []joining
		for _, j := range joinings {
			for turn := range sides[i].cols {
				if agree, ok := fits(sides, j.turn, turn); ok {
					next = append(next, joining{append(slices.Clone(j.turn), turn), j.agree + agree})
				}
			}
		}
		if len(next) == 0 {
			return nil, unsure(image.Point{}, "view %d does not go together with those before it", i+1)
		}
		// 200: with every further view of a sequence fewer stay possible.
		slices.SortStableFunc(next, func(a, b joining) int { return b.agree - a.agree })
		joinings = next[:min(len(next), 200)]
	}
	type whole struct {
		panel *witness.Panel
		text  string
		agree int
		first int
	}
	var found []whole
	var failed error
	open := -1 // marks of the best joining that leaves something out
	for _, j := range joinings {
		p, first, err := merged(sides, j.turn, r.profile.Board.Confidence)
		if err != nil {
			if open = max(open, j.agree); failed == nil {
				failed = err
			}
			continue
		}
		text := fmt.Sprint(p.Spots)
		if k := slices.IndexFunc(found, func(w whole) bool { return w.text == text }); k >= 0 {
			found[k].agree = max(found[k].agree, j.agree)
			continue
		}
		found = append(found, whole{p, text, j.agree, first})
	}
	slices.SortStableFunc(found, func(a, b whole) int { return b.agree - a.agree })
	switch {
	// The whole pillar need not have been in sight: that one joining of the
	// views leaves nothing out speaks for it no more than its marks do.
	case len(found) == 0 || open > found[0].agree:
		return nil, failed
	case len(found) == 1:
		r.first = found[0].first
		return found[0].panel, nil
	}
	// Two marks more: one alone may be a glint at the pillar's side.
	if found[0].agree >= found[1].agree+2 {
		r.first = found[0].first
		return found[0].panel, nil
	}
	return nil, unsure(image.Point{}, "the views go together in %d ways", len(found))
}

// fits tells whether the next view, turned so, agrees with those before, and
// how many marks it shares with them.
func fits(sides []*side, turns []int, turn int) (agree int, ok bool) {
	next := sides[len(turns)]
	for i, t := range turns {
		n, ok := next.match(sides[i], turn-t)
		if !ok {
			return 0, false
		}
		agree += n
	}
	return agree, true
}

// other is what a view says of a place of another one, whose column 0 is turn
// columns on; nil where it says nothing.
func (v *side) other(at image.Point, turn int) *glimpse {
	width := 2 * v.cols
	x := ((at.X+2*turn)%width + width) % width
	if g := v.at[image.Pt(x, at.Y)]; g != nil {
		return g
	}
	return v.at[image.Pt(x+width, at.Y)]
}

// match compares two views of one pillar; false when they contradict each
// other.
func (v *side) match(o *side, turn int) (agree int, ok bool) {
	for at, g := range v.at {
		h := o.other(at, turn)
		if h == nil || !g.readable() && !h.readable() {
			continue
		}
		if g.readable() && h.readable() {
			if !alike(g, h) {
				return 0, false
			}
			if marked(&g.spot) {
				agree++
			}
			continue
		}
		a, b := g, h
		if !a.readable() {
			a, b = h, g
		}
		if b.facing >= facingRead {
			continue // it faces the camera, and still cannot be told
		}
		// Starts and caps are of the line's colour: no hint shows them.
		stands := a.spot.Dot.On || a.spot.Kind != witness.NoSymbol
		switch {
		case stands && b.hint < 0 && (witness.IsCell(at) || b.facing > 0.33):
			return 0, false // a dot is narrow, and blurs with the line first
		case !stands && b.hint > 0 && witness.IsCell(at):
			return 0, false // on lines it may be the glow of a symbol beside
		case stands && b.hint > 0:
			agree++
		}
	}
	for _, way := range []struct {
		bulges map[image.Point]int
		reader *side
		turn   int
	}{{v.bulges, o, turn}, {o.bulges, v, -turn}} {
		for at, bulge := range way.bulges {
			g := way.reader.other(at, way.turn)
			if g == nil || !g.readable() || bulge == 0 {
				continue
			}
			if g.spot.Start != (bulge > 0) {
				return 0, false
			}
			if g.spot.Start {
				agree++
			}
		}
	}
	return agree, true
}

// alike tells whether two views show the same at a place.
func alike(a, b *glimpse) bool {
	x, y := &a.spot, &b.spot
	return x.Gap == y.Gap && x.Start == y.Start && x.Cap == y.Cap && x.Dot.On == y.Dot.On && sameSymbol(x.Symbol, y.Symbol)
}

// merged is the whole pillar, at each place what the view says that faces it
// most squarely, and its column that is column 0 of the first view.
func merged(sides []*side, turns []int, confidence float64) (panel *witness.Panel, first int, err error) {
	p := witness.New(sides[0].cols, sides[0].rows, true)
	var hidden []string
	var cells, dots []image.Point
	var cellColours, dotColours []vision.RGB
	var failed error
	for x := range p.Width() {
		lost := false
		for y := range p.Height() {
			var best *glimpse
			for i, t := range turns {
				own := ((x-2*t)%p.Width() + p.Width()) % p.Width()
				for _, o := range []int{own, own + p.Width()} {
					g := sides[i].at[image.Pt(o, y)]
					if g == nil || g.facing < facingRead {
						continue
					}
					if best == nil || best.err != nil && g.err == nil || (best.err == nil) == (g.err == nil) && g.facing > best.facing {
						best = g
					}
				}
			}
			at := image.Pt(x, y)
			switch {
			case best == nil:
				lost = true
				continue
			case best.err != nil:
				if failed == nil {
					failed = best.err
				}
				continue
			}
			*p.At(at) = best.spot
			if best.spot.Kind != witness.NoSymbol {
				cells, cellColours = append(cells, at), append(cellColours, best.colour)
			}
			if best.spot.Dot.On {
				dots, dotColours = append(dots, at), append(dotColours, best.colour)
			}
		}
		if lost {
			hidden = append(hidden, fmt.Sprint(x))
		}
	}
	if len(hidden) > 0 {
		return nil, 0, unsure(image.Point{}, "of %d columns of half-cells these are out of sight: %s; more views are needed", p.Width(), strings.Join(hidden, " "))
	}
	if failed != nil {
		return nil, 0, failed
	}
	names, _, err := cluster(cells, cellColours, 0, confidence, usualSteps(), nil)
	if err != nil {
		return nil, 0, err
	}
	for i, at := range cells {
		p.At(at).Symbol.Colour = names[i]
	}
	for i, c := range dotColours {
		// Half of the contrast: dots at the side take on some of the line.
		if c.Dist(dotColours[0]) > 0.5*sides[0].contrast {
			return nil, 0, unsure(dots[i], "dots of several colours on a pillar")
		}
	}
	return turned(p)
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
		return nil, 0, unsure(image.Point{}, "no start circle")
	}
	if len(ends) == 0 {
		return nil, 0, unsure(image.Point{}, "no end cap")
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
	return nil, 0, unsure(starts[0], "starts %v and ends %v fit none of a pillar's symmetries", starts, ends)
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
