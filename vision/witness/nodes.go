package witness

import (
	"image"
	"math"
	"slices"

	witness "onlooker/solve/witness/board"
	"onlooker/vision/picture"
	"onlooker/vision/witness/view"
)

// Kinds of nodes: on how many sides of the board they are.
const (
	innerNode = iota
	borderNode
	cornerNode
)

// nodeTurn is what kind of node a place is, and how its axes lie.
func (m *lineModel) nodeTurn(at image.Point) (sides int, turn axes) {
	ox, oy := m.Beyond(at)
	x, y := float64(ox), float64(oy)
	switch {
	case ox != 0 && oy != 0:
		return cornerNode, axes{-x, 0, 0, -y} // both axes inwards
	case oy != 0:
		return borderNode, axes{1, 0, 0, -y}
	case ox != 0:
		return borderNode, axes{0, -x, 1, 0}
	}
	return innerNode, upright()
}

// Around is the window of nodes on so many sides of the board: a disc as large as the
// largest circle and its border, but within the board only to where symbols stand.
func (d *lineDrawings) around(sides int) *window {
	r := d.beyondCircle()
	full := grid(-r, r, -r, r, max(d.step, 2*min(r, nodeReach)/mostSamples))
	w := &window{}
	for i := range full.u {
		reach := nodeReach
		if sides == borderNode && full.v[i] < -d.line || sides == cornerNode && min(full.u[i], full.v[i]) < -d.line {
			reach = r
		}
		u, v := math.Abs(full.u[i]), math.Abs(full.v[i])
		// Dots and breaks on the middles of edges are none of the node's.
		if min(u, v) < d.line && max(u, v) > 1-max(d.line*d.sizes.Hexagon, d.look.Board.Gap[1])-d.blur.sigma {
			continue
		}
		if math.Hypot(u, v) <= min(r, reach) {
			w.u, w.v = append(w.u, full.u[i]), append(w.v, full.v[i])
		}
	}
	return w
}

// radii are the radii of start circles that are compared, in line widths.
func (d *lineDrawings) radii() []float64 { return steps(d.look.Board.Start, circleRadii) }

// beyondCircle is how far from its middle the largest start circle has surely ended.
func (d *lineDrawings) beyondCircle() float64 { return 1.1 * 2 * d.line * d.look.Board.Start[1] }

// nodeKind draws the layouts of nodes that are on so many sides of the board.
func (d *lineDrawings) nodeKind(sides int) *drawnKind {
	k := &drawnKind{window: d.around(sides)}
	at := [...]image.Point{{2, 2}, {2, 0}, {0, 0}}[sides]
	h := d.blur.sigma / 4
	wider := d.joined(k.window, at, d.line+h)
	for i, v := range d.joined(k.window, at, d.line-h) {
		wider[i] = (wider[i] - v) / (2 * h)
	}
	add := func(w meaning) { k.add(w, func() *covering { return d.drawNode(k, at, w, wider) }) }
	add(meaning{})
	add(meaning{dot: true})
	for _, dot := range []bool{false, true} {
		for _, r := range d.radii() {
			add(meaning{start: true, dot: dot, length: r})
		}
	}
	if sides == cornerNode {
		for _, long := range steps(d.look.Board.Cap, capLengths/2) {
			add(meaning{cap: true, length: long})
		}
		add(meaning{square: true})
	}
	return k
}

// joined is what lines of some width cover about a node, in a window.
func (d *lineDrawings) joined(w *window, at image.Point, line float64) []float64 {
	style := d.style(0)
	style.Line = line
	shapes, roles := drawnShapes(witness.New(2, 2, false), style, func(*picture.Shape) role { return roleLine })
	var c covering
	c.paint(w, d.blur, at, upright(), shapes, roles)
	return c[roleLine]
}

// drawNode draws what a node may show; wider is what changes where lines
// are a little wider.
func (d *lineDrawings) drawNode(k *drawnKind, at image.Point, w meaning, wider []float64) *covering {
	p := witness.New(2, 2, false)
	p.At(at).Start, p.At(at).Dot.On = w.start, w.dot
	if w.cap {
		p.At(at).Cap = image.Pt(-1, -1)
	}
	shapes, roles := d.shapesAt(p, at, w)
	n := len(k.window.u)
	var c covering
	for q := range 4 {
		ground := c.of(roleGround+role(q), n)
		su, sv := quadrant(q)
		for i := range n {
			ground[i] = d.blur.covers(su*k.window.u[i]) * d.blur.covers(sv*k.window.v[i])
		}
	}
	k.over(&c, d.blur, at, upright(), shapes, roles)
	width := c.of(roleWidth, n)
	for i := range width {
		rest := 1.0
		for _, r := range []role{roleCircle, roleDot, roleCap} {
			if c[r] != nil {
				rest -= c[r][i]
			}
		}
		width[i] = rest * wider[i]
	}
	return &c
}

// quadrant is on which side along and across one of four corners is.
func quadrant(q int) (along, across float64) { return float64(2*(q&1) - 1), float64(q&2 - 1) }

// shapesAt are the shapes about a node or a way outwards from it, each line to it with a
// role of its own.
func (d *lineDrawings) shapesAt(p *witness.Panel, at image.Point, w meaning) ([]picture.Shape, []role) {
	style := d.style(w.length)
	style.Cap = w.length
	shapes, roles := drawnShapes(p, style, func(s *picture.Shape) role {
		switch {
		case s.Kind == picture.Disc && !s.Fine:
			return roleCircle
		case s.Kind == picture.Polygon:
			return roleDot
		case s.Kind == picture.Disc:
			return roleJoint
		case s.Round:
			return roleCap
		}
		mid := image.Pt(int(s.Points[0].X+s.Points[1].X), int(s.Points[0].Y+s.Points[1].Y)).Sub(at.Mul(2))
		if i := slices.Index(view.Ways[:], mid.Div(2)); i >= 0 {
			return roleArm + role(i)
		}
		return roleJoint
	})
	if w.square {
		shapes, roles = append(shapes, d.squareJoint(at)), append(roles, roleJoint)
	}
	return shapes, roles
}

// squareJoint is where lines meet that are not rounded there.
func (d *lineDrawings) squareJoint(at image.Point) picture.Shape {
	x, y := float64(at.X), float64(at.Y)
	return picture.Shape{Kind: picture.Line, Width: 2 * d.line, Points: []picture.Point{{X: x - d.line, Y: y}, {X: x + d.line, Y: y}}}
}

// glanceNode looks at a node.
func (m *lineModel) glanceNode(at image.Point) (*placeKind, *glance) {
	sides, turn := m.nodeTurn(at)
	k := m.kind(kindKey{sort: "node", which: sides, more: m.foreshortened(at)})
	g := m.see(k.window, at, turn, m.over(at, false))
	place := func(u, v float64) (x, y float64) { return turn.place(at, u, v) }
	in := func(x, y float64) bool {
		return x >= 0 && y >= 0 && x <= float64(2*m.Board.Cols) && y <= float64(2*m.Board.Rows)
	}
	far := m.drawings.beyondCircle() / math.Sqrt2
	for q := range 4 {
		su, sv := quadrant(q)
		if x, y := place(su, sv); in(x, y) {
			g.mean[roleGround+role(q)] = m.Ground(int(math.Round(x)), int(math.Round(y)))
		} else {
			x, y := place(su*far, sv*far)
			g.mean[roleGround+role(q)] = m.Patch(x, y, m.LineWidth/2)
		}
	}
	ink := m.LineColourAt(at)
	mid := m.Patch(float64(at.X), float64(at.Y), m.LineWidth/2)
	g.mean[roleCircle], g.mean[roleDot], g.mean[roleCap] = ink, ink, ink
	// What is in the middle has the colour of one of the lines that lead there.
	nearest := math.Inf(1)
	for i, d := range view.Ways {
		x, y := place(float64(d.X), float64(d.Y))
		edge := image.Pt(int(math.Round(x)), int(math.Round(y)))
		c, ok := m.LineColours[edge]
		if !ok {
			if !in(x, y) {
				continue
			}
			c = m.GroundBeside(edge)
		}
		g.mean[roleArm+role(i)] = c
		if off := c.Dist(mid); off < nearest {
			g.mean[roleJoint], nearest = c, off
		}
	}
	return k, g
}
