package witness

import (
	"image"
	"math"
	"slices"

	"onlooker/solve/witness"
	"onlooker/vision"
	"onlooker/vision/picture"
)

// Sorts of ways outwards from a place of the border.
const (
	wayOff    = iota // from a node or an edge between lines on both sides
	wayCorner        // straight from a corner
	wayAslant
)

// wayTurn is what sort a way is, and how its axes lie: outwards, and along the border, of a
// corner towards the board.
func (m *lineModel) wayTurn(at, d image.Point) (sort int, turn axes) {
	corner := witness.IsNode(at) && (at.X == 0 || at.X == 2*m.b.Cols) && (at.Y == 0 || at.Y == 2*m.b.Rows)
	turn = axesOut(d)
	switch {
	case d.X != 0 && d.Y != 0:
		return wayAslant, turn
	case corner:
		if turn[1]*float64(m.b.Cols-at.X)+turn[3]*float64(m.b.Rows-at.Y) < 0 {
			turn[1], turn[3] = -turn[1], -turn[3]
		}
		return wayCorner, turn
	}
	return wayOff, turn
}

// farOut is how far outwards is looked for caps, in half-cells.
func (m *lineModel) farOut() float64 { return min(1.9, 2*m.line*(m.look.Board.Cap[1]+0.5)) }

// band is which ground lies so far outwards, in half-cells.
func (m *lineModel) band(out float64) float64 {
	from := m.lineBorder()
	return (out - from) / (m.farOut() - from) * (bands - 1)
}

// lineBorder is how far outwards lines and dots on them are seen, in half-cells.
func (m *lineModel) lineBorder() float64 { return m.line + 1.5*m.blur.sigma }

// wayKinds draws the layouts of all ways, which are looked at side by side.
func (m *lineModel) wayKinds() {
	for sort := range 3 {
		m.wayKind(sort)
	}
}

// wayKind is the layouts of a sort of ways outwards.
func (m *lineModel) wayKind(sort int) *placeKind {
	key := kindKey{"way", sort}
	if k := m.kinds[key]; k != nil {
		return k
	}
	long, wide := m.farOut(), max(m.line+6*m.blur.sigma, 1.8*m.line)
	if sort == wayOff { // beside it may be the end of the next place
		wide = max(m.line+4*m.blur.sigma, min(wide, 1-m.line-m.blur.sigma))
	}
	k := &placeKind{window: grid(m.lineBorder(), long, -wide, wide, max(m.step, long/22))}
	m.kinds[key] = k
	n := len(k.window.u)
	k.free, k.bandOf = slices.Repeat([]bool{true}, n), make([]float64, n)
	// Frames run along the border, and round its corners.
	for i, u := range k.window.u {
		out := u
		switch v := k.window.v[i]; sort {
		case wayCorner:
			out = max(u, -v)
		case wayAslant:
			out = (u + math.Abs(v)) / math.Sqrt2
		}
		k.bandOf[i] = max(0, min(bands-1, m.band(out)))
	}
	m.addWay(k, sort, meaning{}, 0)
	if sort != wayOff {
		m.addWay(k, sort, meaning{square: true}, 0)
	}
	for _, width := range cableWidths() {
		m.addWay(k, sort, meaning{cable: true, length: width}, 0)
	}
	for _, long := range steps(m.look.Board.Cap, capLengths) {
		m.addWay(k, sort, meaning{cap: true, length: long}, m.odds.Cap-math.Log(capLengths))
	}
	return k
}

// addWay adds the layout of a meaning to those of ways outwards.
func (m *lineModel) addWay(k *placeKind, sort int, w meaning, prior float64) {
	at, d := image.Pt(2, 0), image.Pt(0, -1)
	switch sort {
	case wayCorner:
		at = image.Point{}
	case wayAslant:
		at, d = image.Point{}, image.Pt(-1, -1)
	}
	p := witness.New(2, 2, false)
	if w.cap {
		p.At(at).Cap = d
	}
	shapes, roles := m.shapesAt(p, at, w)
	if w.cable {
		n := math.Hypot(float64(d.X), float64(d.Y))
		end := picture.Point{X: float64(at.X) + cableReach*float64(d.X)/n, Y: float64(at.Y) + cableReach*float64(d.Y)/n}
		shapes = append(shapes, picture.Shape{Kind: picture.Line, Width: 2 * m.line * w.length, Points: []picture.Point{{X: float64(at.X), Y: float64(at.Y)}, end}})
		roles = append(roles, roleCable)
	}
	n := len(k.window.u)
	var c covering
	for b := range bands {
		band := c.of(roleBand+role(b), n)
		for i, of := range k.bandOf {
			band[i] = max(0, 1-math.Abs(of-float64(b)))
		}
	}
	k.over(&c, m.blur, at, axesOut(d), shapes, roles)
	for i := range k.free {
		ground := 0.0
		for b := range bands {
			ground += c[roleBand+role(b)][i]
		}
		k.free[i] = k.free[i] && ground > 0.99
	}
	m.add(k, &c, w, prior)
}

// cableReach is how far cables lead away, in half-cells: beyond what is seen.
const cableReach = 4

// cableWidths are how wide cables are, in line widths: those of captures 0.15 to 0.3.
func cableWidths() []float64 { return []float64{0.15, 0.3} }

// axesOut are the axes of a window that lies in a direction.
func axesOut(d image.Point) axes {
	n := math.Hypot(float64(d.X), float64(d.Y))
	ux, uy := float64(d.X)/n, float64(d.Y)/n
	return axes{ux, -uy, uy, ux}
}

// glanceWay looks outwards from a place of the border.
func (m *lineModel) glanceWay(at, d image.Point) (*placeKind, *glance) {
	sort, turn := m.wayTurn(at, d)
	k := m.wayKind(sort)
	g := m.see(k.window, at, turn)
	// What lies beside the way, band by band.
	var sums [bands]vision.RGB
	var all [bands]float64
	for i, free := range k.free {
		if free && (g.hidden == nil || g.hidden[i] > 0) {
			b := int(math.Round(k.bandOf[i]))
			sums[b], all[b] = sums[b].Add(g.pix[i]), all[b]+1
		}
	}
	var last vision.RGB
	for b := bands - 1; b >= 0; b-- { // beside lines there is no ground
		if all[b] > 0 {
			last = vision.RGB{sums[b][0] / all[b], sums[b][1] / all[b], sums[b][2] / all[b]}
		}
		g.mean[roleBand+role(b)] = last
	}
	ink := m.inkAt(at)
	g.mean[roleJoint], g.mean[roleCap] = ink, ink
	g.mean[roleCable] = ink
	for i := range ways {
		g.mean[roleArm+role(i)] = ink
	}
	return k, g
}
