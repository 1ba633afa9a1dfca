package line

import (
	"image"
	"math"
	"slices"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/witness/view"
)

// A pulse is a ring or a circle round a place, in half-cells.
type pulse struct {
	at     image.Point
	radius float64
}

// see samples a window that lies at a place, but for what lies over it; nil: nothing.
func (m *Model) see(w *window, at image.Point, turn axes, over *lid) *Glance {
	g := &Glance{Pix: make([]vision.RGB, len(w.U)), seen: len(w.U)}
	for i := range w.U {
		x, y := turn.place(at, w.U[i], w.V[i])
		x = float64(at.X) + m.Squeeze*m.Squeeze*(x-float64(at.X)) // see squeeze
		if over != nil && over.covers(x, y) {
			if g.Hidden == nil {
				g.Hidden = slices.Repeat([]float64{1}, len(w.U))
			}
			g.Hidden[i] = 0
			g.seen--
			continue
		}
		c := m.At(x, y)
		g.Pix[i] = c
		g.square += c.Dot(c)
	}
	return g
}

// A lid is what may lie over a place: circles of other places, rings that starts send out,
// the borders of veils, a pillar's own side.
type lid struct {
	m       *Model
	circles []pulse
	pulses  []pulse
	veiled  bool
}

// over is what may lie over a place; nil where nothing does. The borders of wide circles at
// an edge's ends do not where it is asked what is beneath them.
func (m *Model) over(at image.Point, beneath bool) *lid {
	l := &lid{m: m}
	const far = 3 // half-cells: windows end nearer
	for _, o := range m.circles {
		d := o.Sub(at)
		if o == at || max(view.Abs(d.X), view.Abs(d.Y)) > far {
			continue
		}
		reach := m.circleReach()
		if beneath && m.wideCircles() && slices.Contains(view.Ways[:], d) {
			reach -= 4 * m.drawings.blur.sigma
		}
		l.circles = append(l.circles, pulse{o, reach})
	}
	for _, o := range m.pulses {
		if d := o.at.Sub(at); math.Hypot(float64(d.X), float64(d.Y)) < o.radius+far {
			l.pulses = append(l.pulses, o)
		}
	}
	k := float64(m.Board.Pitch) / 2
	l.veiled = slices.ContainsFunc(m.Discs, func(v view.Disc) bool {
		x, y := (v.X-float64(m.Board.Margin))/k, (v.Y-float64(m.Board.Margin))/k
		return math.Hypot(x-float64(at.X), y-float64(at.Y)) < far+max(v.R, v.Ring)/k
	})
	if l.circles == nil && l.pulses == nil && !l.veiled && !m.Board.Round() {
		return nil
	}
	return l
}

// Covers tells whether something lies over what a place shows.
func (l *lid) covers(x, y float64) bool {
	m := l.m
	if !m.InSight(x) {
		return true
	}
	for _, o := range l.circles {
		if math.Hypot(x-float64(o.at.X), y-float64(o.at.Y)) < o.radius {
			return true
		}
	}
	for _, o := range l.pulses {
		if r := math.Hypot(x-float64(o.at.X), y-float64(o.at.Y)); math.Abs(r-o.radius) < 2*m.drawings.step {
			return true
		}
	}
	if !l.veiled {
		return false
	}
	for _, off := range [][2]float64{{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}} { // a veil's border is as blurred as others
		x, y := x+2*off[0]*m.drawings.blur.sigma, y+2*off[1]*m.drawings.blur.sigma
		if m.Hidden(float64(m.Board.Margin)+x*float64(m.Board.Pitch)/2, float64(m.Board.Margin)+y*float64(m.Board.Pitch)/2) {
			return true
		}
	}
	return false
}

// GlanceEdge looks at an edge.
func (m *Model) GlanceEdge(w *window, at image.Point, circles int) *Glance {
	turn := Upright()
	if at.X&1 == 0 {
		turn = axes{0, 1, 1, 0}
	}
	g := m.see(w, at, turn, m.over(at, true))
	ux, uy := witness.EdgeDirection(at)
	far := m.drawings.beyondCircle()
	for q, side := range []float64{-1, 1} {
		x, y := float64(at.X)+side*uy, float64(at.Y)+side*ux
		if x > 0 && y > 0 && x < float64(2*m.Board.Cols) && y < float64(2*m.Board.Rows) {
			g.Mean[RoleGround+Role(q)] = m.Ground(int(x), int(y))
		} else {
			g.Mean[RoleGround+Role(q)] = m.Patch(float64(at.X)+side*uy*far, float64(at.Y)+side*ux*far, m.LineWidth/2)
		}
	}
	to := image.Pt(int(ux), int(uy))
	ink := m.LineColourAt(at)
	g.Mean[RoleLine] = ink
	g.Mean[roleCircle], g.Mean[roleCircle2] = ink, ink
	if circles&1 != 0 {
		g.Mean[roleCircle] = m.Patch(float64(at.X-to.X), float64(at.Y-to.Y), m.LineWidth/2)
	}
	if circles&2 != 0 {
		g.Mean[roleCircle2] = m.Patch(float64(at.X+to.X), float64(at.Y+to.Y), m.LineWidth/2)
	}
	g.Mean[roleDot] = ink
	return g
}
