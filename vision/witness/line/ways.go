package line

import (
	"image"
	"math"
	"slices"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/picture"
	"onlooker/vision/witness/view"
)

// Sorts of ways outwards from a place of the border.
const (
	wayOff    = iota // from a node or an edge between lines on both sides
	wayCorner        // straight from a corner
	wayAslant
)

// wayTurn is what sort a way is, and how its axes lie: outwards, and along the border, of a
// corner towards the board.
func (m *Model) wayTurn(at, d image.Point) (sort int, turn axes) {
	corner := witness.IsNode(at) && (at.X == 0 || at.X == 2*m.Board.Cols) && (at.Y == 0 || at.Y == 2*m.Board.Rows)
	turn = axesOut(d)
	switch {
	case d.X != 0 && d.Y != 0:
		return wayAslant, turn
	case corner:
		if turn[1]*float64(m.Board.Cols-at.X)+turn[3]*float64(m.Board.Rows-at.Y) < 0 {
			turn[1], turn[3] = -turn[1], -turn[3]
		}
		return wayCorner, turn
	}
	return wayOff, turn
}

// farOut is how far outwards is looked for caps, in half-cells.
func (d *lineDrawings) farOut() float64 { return min(1.9, 2*d.line*(d.look.Board.Cap[1]+0.5)) }

// band is which ground lies so far outwards, in half-cells.
func (d *lineDrawings) band(out float64) float64 {
	from := d.lineBorder()
	return (out - from) / (d.farOut() - from) * (bands - 1)
}

// lineBorder is how far outwards lines and dots on them are seen, in half-cells.
func (d *lineDrawings) lineBorder() float64 { return d.line + 1.5*d.blur.sigma }

// wayKind draws the layouts of a sort of ways outwards.
func (d *lineDrawings) wayKind(sort int) *drawnKind {
	long, wide := d.farOut(), max(d.line+6*d.blur.sigma, 1.8*d.line)
	if sort == wayOff { // beside it may be the end of the next place
		wide = max(d.line+4*d.blur.sigma, d.line+3*d.blur.sigma+d.step, min(wide, 1-d.line-d.blur.sigma))
	}
	k := &drawnKind{Window: Grid(d.lineBorder(), long, -wide, wide, max(d.step, long/17))}
	n := len(k.Window.U)
	k.free, k.bandOf = slices.Repeat([]bool{true}, n), make([]float64, n)
	// Frames run along the border, and round its corners.
	for i, u := range k.Window.U {
		out := u
		switch v := k.Window.V[i]; sort {
		case wayCorner:
			out = max(u, -v)
		case wayAslant:
			out = (u + math.Abs(v)) / math.Sqrt2
		}
		k.bandOf[i] = max(0, min(bands-1, d.band(out)))
	}
	add := func(w Meaning) { k.add(w, func() *Covering { return d.drawWay(k, sort, w) }) }
	add(Meaning{})
	for _, long := range steps(d.look.Board.Cap, capLengths) {
		add(Meaning{Cap: true, Length: long})
	}
	if sort != wayOff {
		add(Meaning{square: true})
	}
	for _, width := range cableWidths() {
		add(Meaning{cable: true, Length: width})
	}
	// The longest cap covers all that other layouts do, but for the lines.
	longest := Meaning{Cap: true, Length: d.look.Board.Cap[1]}
	for _, c := range []*Covering{d.drawWay(k, sort, Meaning{}), d.drawWay(k, sort, longest)} {
		ground := make([]float64, n)
		for _, cover := range c[roleBand:] {
			for j, v := range cover {
				ground[j] += v
			}
		}
		for j := range k.free {
			k.free[j] = k.free[j] && ground[j] > view.Nearly
		}
	}
	return k
}

// drawWay draws what a way outwards may show.
func (d *lineDrawings) drawWay(k *drawnKind, sort int, w Meaning) *Covering {
	at, out := image.Pt(2, 0), image.Pt(0, -1)
	switch sort {
	case wayCorner:
		at = image.Point{}
	case wayAslant:
		at, out = image.Point{}, image.Pt(-1, -1)
	}
	p := witness.New(2, 2, false)
	if w.Cap {
		p.At(at).Cap = out
	}
	shapes, roles := d.shapesAt(p, at, w)
	if w.cable {
		n := math.Hypot(float64(out.X), float64(out.Y))
		end := picture.Point{X: float64(at.X) + cableReach*float64(out.X)/n, Y: float64(at.Y) + cableReach*float64(out.Y)/n}
		shapes = append(shapes, picture.Shape{Kind: picture.Line, Width: 2 * d.line * w.Length, Points: []picture.Point{{X: float64(at.X), Y: float64(at.Y)}, end}})
		roles = append(roles, roleCable)
	}
	n := len(k.Window.U)
	var c Covering
	for b := range bands {
		band := c.Of(roleBand+Role(b), n)
		for i, of := range k.bandOf {
			band[i] = max(0, 1-math.Abs(of-float64(b)))
		}
	}
	k.over(&c, d.blur, at, axesOut(out), shapes, roles)
	return &c
}

// cableReach is how far cables lead away, in half-cells: beyond what is seen.
const cableReach = 4

// cableWidths are how wide cables are, in line widths: those of captures 0.15 to 0.3.
func cableWidths() []float64 { return []float64{0.15, 0.3} }

// axesOut are the axes of a window that lies in a direction.
func axesOut(out image.Point) axes {
	n := math.Hypot(float64(out.X), float64(out.Y))
	ux, uy := float64(out.X)/n, float64(out.Y)/n
	return axes{ux, -uy, uy, ux}
}

// GlanceWay looks outwards from a place of the border; the model is that of so much
// contrast as lines have there.
func (m *Model) GlanceWay(at, d image.Point) (*Model, *PlaceKind, *Glance) {
	sort, turn := m.wayTurn(at, d)
	key := KindKey{Sort: "way", Which: sort}
	drawn := m.drawings.Kind(key)
	g := m.see(drawn.Window, at, turn, m.over(at, false))
	// What lies beside the way, band by band.
	var sums [bands]vision.RGB
	var all [bands]float64
	for i, free := range drawn.free {
		if free && (g.Hidden == nil || g.Hidden[i] > 0) {
			b := int(math.Round(drawn.bandOf[i]))
			sums[b], all[b] = sums[b].Add(g.Pix[i]), all[b]+1
		}
	}
	ink := m.LineColourAt(at)
	last := m.GroundBeside(at) // where nothing is free
	var off []float64
	for b := bands - 1; b >= 0; b-- { // beside lines there is no ground
		if all[b] > 0 {
			last = vision.RGB{sums[b][0] / all[b], sums[b][1] / all[b], sums[b][2] / all[b]}
		}
		g.Mean[roleBand+Role(b)] = last
		off = append(off, last.Dist(ink))
	}
	g.Mean[roleJoint], g.Mean[roleCap] = ink, ink
	g.Mean[roleCable] = ink
	for i := range view.Ways {
		g.Mean[roleArm+Role(i)] = ink
	}
	m = m.dimmed(vision.Median(off))
	return m, m.kind(key), g
}

// dimmed is the model where lines have so much contrast: what lies about a board may be as
// dark as they are, and light on it and its colours differ as little. Steps of two.
func (m *Model) dimmed(contrast float64) *Model {
	step := min(len(m.dim)-1, int(math.Log2(m.Contrast()/max(1, contrast))))
	if step <= 0 {
		return m
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dim[step] == nil {
		share := math.Exp2(-float64(step))
		d := &Model{View: m.View, lines: m.lines, Odds: m.Odds, drawings: m.drawings, measured: m.measured}
		for r, spread := range m.Spread {
			d.Spread[r] = share * spread
		}
		d.setNoise(share)
		m.dim[step] = d
	}
	return m.dim[step]
}
