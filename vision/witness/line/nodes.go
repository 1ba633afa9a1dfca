package line

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
func (m *Model) nodeTurn(at image.Point) (sides int, turn axes) {
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
	return innerNode, Upright()
}

// Around is the window of nodes on so many sides of the board: a disc as large as the
// largest circle and its border, but within the board only to where symbols stand, and where
// an end leads away only to the border.
func (d *lineDrawings) around(sides int, end image.Point) *window {
	r := d.beyondCircle()
	full := Grid(-r, r, -r, r, max(d.step, 2*min(r, nodeReach)/mostSamples))
	w := &window{}
	for i := range full.U {
		reach := nodeReach
		if sides == borderNode && full.V[i] < -d.line || sides == cornerNode && min(full.U[i], full.V[i]) < -d.line {
			reach = r
		}
		if end != (image.Point{}) && min(full.U[i], full.V[i]) < -d.line {
			continue
		}
		u, v := math.Abs(full.U[i]), math.Abs(full.V[i])
		// Dots and breaks on the middles of edges are none of the node's.
		if min(u, v) < d.line && max(u, v) > 1-max(d.line*d.sizes.Hexagon, d.look.Board.Gap[1])-d.blur.sigma {
			continue
		}
		if math.Hypot(u, v) <= min(r, reach) {
			w.U, w.V = append(w.U, full.U[i]), append(w.V, full.V[i])
		}
	}
	return w
}

// radii are the radii of start circles that are compared, in line widths.
func (d *lineDrawings) radii() []float64 { return steps(d.look.Board.Start, circleRadii) }

// beyondCircle is how far from its middle the largest start circle has surely ended.
func (d *lineDrawings) beyondCircle() float64 { return 1.1 * 2 * d.line * d.look.Board.Start[1] }

// nodeKind draws the layouts of nodes that are on so many sides of the board, with an end that
// leads that way out of it.
func (d *lineDrawings) nodeKind(sides int, end image.Point) *drawnKind {
	k := &drawnKind{Window: d.around(sides, end)}
	at := [...]image.Point{{2, 2}, {2, 0}, {0, 0}}[sides]
	h := d.blur.sigma / 4
	wider := d.joined(k.Window, at, d.line+h)
	for i, v := range d.joined(k.Window, at, d.line-h) {
		wider[i] = (wider[i] - v) / (2 * h)
	}
	add := func(w Meaning) { k.add(w, func() *Covering { return d.drawNode(k, at, w, end, wider) }) }
	add(Meaning{})
	add(Meaning{Dot: true})
	if end != (image.Point{}) {
		return k
	}
	for _, dot := range []bool{false, true} {
		for _, r := range d.radii() {
			add(Meaning{Start: true, Dot: dot, Length: r})
		}
	}
	if sides == cornerNode {
		for _, long := range steps(d.look.Board.Cap, capLengths/2) {
			add(Meaning{Cap: true, Length: long})
		}
		add(Meaning{square: true})
	}
	return k
}

// joined is what lines of some width cover about a node, in a window.
func (d *lineDrawings) joined(w *window, at image.Point, line float64) []float64 {
	style := d.style(0)
	style.Line = line
	shapes, roles := DrawnShapes(witness.New(2, 2, false), style, func(*picture.Shape) Role { return RoleLine })
	var c Covering
	c.Paint(w, d.blur, at, Upright(), shapes, roles)
	return c[RoleLine]
}

// drawNode draws what a node may show; wider is what changes where lines
// are a little wider.
func (d *lineDrawings) drawNode(k *drawnKind, at image.Point, w Meaning, end image.Point, wider []float64) *Covering {
	p := witness.New(2, 2, false)
	p.At(at).Start, p.At(at).Dot.On, p.At(at).Cap = w.Start, w.Dot, end
	if w.Cap {
		p.At(at).Cap = image.Pt(-1, -1)
	}
	shapes, roles := d.shapesAt(p, at, w)
	n := len(k.Window.U)
	var c Covering
	for q := range 4 {
		ground := c.Of(RoleGround+Role(q), n)
		su, sv := quadrant(q)
		for i := range n {
			ground[i] = d.blur.covers(su*k.Window.U[i]) * d.blur.covers(sv*k.Window.V[i])
		}
	}
	k.over(&c, d.blur, at, Upright(), shapes, roles)
	width := c.Of(roleWidth, n)
	for i := range width {
		rest := 1.0
		for _, r := range []Role{roleCircle, roleDot, roleCap} {
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
func (d *lineDrawings) shapesAt(p *witness.Panel, at image.Point, w Meaning) ([]picture.Shape, []Role) {
	style := d.style(w.Length)
	if style.Cap = w.Length; !w.Cap { // of an end that is known
		style.Cap = d.look.Board.Cap[1]
	}
	shapes, roles := DrawnShapes(p, style, func(s *picture.Shape) Role {
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
			return roleArm + Role(i)
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

// GlanceNode looks at a node.
func (m *Model) GlanceNode(at image.Point) (*PlaceKind, *Glance) {
	sides, turn := m.nodeTurn(at)
	key := KindKey{Sort: "node", Which: sides, more: m.foreshortened(at)}
	if m.ended != nil {
		out := m.ended.At(at).Cap
		key.end = image.Pt(int(turn[0])*out.X+int(turn[2])*out.Y, int(turn[1])*out.X+int(turn[3])*out.Y)
	}
	k := m.kind(key)
	g := m.see(k.Window, at, turn, m.over(at, false))
	place := func(u, v float64) (x, y float64) { return turn.place(at, u, v) }
	in := func(x, y float64) bool {
		return x >= 0 && y >= 0 && x <= float64(2*m.Board.Cols) && y <= float64(2*m.Board.Rows)
	}
	far := m.drawings.beyondCircle() / math.Sqrt2
	for q := range 4 {
		su, sv := quadrant(q)
		if x, y := place(su, sv); in(x, y) {
			g.Mean[RoleGround+Role(q)] = m.Ground(int(math.Round(x)), int(math.Round(y)))
		} else {
			x, y := place(su*far, sv*far)
			g.Mean[RoleGround+Role(q)] = m.Patch(x, y, m.LineWidth/2)
		}
	}
	ink := m.LineColourAt(at)
	mid := m.Patch(float64(at.X), float64(at.Y), m.LineWidth/2)
	g.Mean[roleCircle], g.Mean[roleDot], g.Mean[roleCap] = ink, ink, ink
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
		g.Mean[roleArm+Role(i)] = c
		if off := c.Dist(mid); off < nearest {
			g.Mean[roleJoint], nearest = c, off
		}
	}
	return k, g
}
