// Package line is a line that motion carries, for what plays a game that the agent is to play.
package line

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"

	"onlooker/vision/picture"
)

// A Line is one that relative motion carries along the edges of a board, as The Witness does.
type Line struct {
	Nodes []image.Point // nil: there is none
	Dir   image.Point   // from the last node
	Along float64       // how far the head is on that way
	Edge  int           // how long an edge is, in what nodes count

	Cap  func(node image.Point) image.Point // where an end points; nothing where none is
	Open func(node, dir image.Point) bool   // whether an edge leads on, to a node where no line is
}

func (l *Line) Last() image.Point { return l.Nodes[len(l.Nodes)-1] }

// InCap tells whether the head is in a cap, which ends before an edge's length.
func (l *Line) InCap() bool {
	return l.Nodes != nil && l.Dir != (image.Point{}) && l.Dir == l.Cap(l.Last())
}

// open tells whether the line may go a way from a node, or back.
func (l *Line) open(node, dir image.Point) bool {
	if dir == l.Cap(node) {
		return true
	}
	i := slices.Index(l.Nodes, node.Add(dir.Mul(l.Edge)))
	return l.Open(node, dir) && (i < 0 || i == len(l.Nodes)-2)
}

// Slide moves the head by one frame's motion: along its edge, at a node into the edge that
// the motion points along most; else a third of the push leaks towards the nearest corner
// that is open to it.
func (l *Line) Slide(x, y float64) {
	edge := float64(l.Edge)
	for n := 0; n < 1000 && math.Abs(x)+math.Abs(y) >= 1e-9; n++ {
		if l.Dir == (image.Point{}) && !l.setOut(&x, &y) {
			return
		}
		dx, dy := float64(l.Dir.X), float64(l.Dir.Y)
		along := (x*dx + y*dy) / (dx*dx + dy*dy)
		sx, sy := x-along*dx, y-along*dy
		t := l.Along + along
		switch {
		case t >= edge && !l.InCap():
			l.arrive()
			x, y = sx+(t-edge)*dx, sy+(t-edge)*dy
		case t <= 0 && along < 0:
			l.Dir, l.Along = image.Point{}, 0
			x, y = sx+t*dx, sy+t*dy
		default:
			l.Along = t
			if l.InCap() {
				l.Along = min(t, 0.4*edge)
			}
			if push := math.Hypot(sx, sy); push > math.Abs(along) && dx*dy == 0 {
				l.leak(image.Pt(cmp.Compare(sx, 0), cmp.Compare(sy, 0)), push/3)
			}
			return
		}
	}
}

func (l *Line) arrive() {
	l.Nodes, l.Dir, l.Along = append(l.Nodes, l.Last().Add(l.Dir.Mul(l.Edge))), image.Point{}, 0
}

// setOut chooses the way from a node, and turns the motion into it: the way that most of
// the motion goes, else the other with a third of the rest.
func (l *Line) setOut(x, y *float64) bool {
	n := l.Last()
	if tip := l.Cap(n); tip.X*tip.Y != 0 && *x*float64(tip.X) >= 0 && *y*float64(tip.Y) >= 0 {
		l.Dir, l.Along = tip, 0
		return true
	}
	dir, other := image.Pt(cmp.Compare(*x, 0), 0), image.Pt(0, cmp.Compare(*y, 0))
	long, short := math.Abs(*x), math.Abs(*y)
	if short > long {
		dir, other, long, short = other, dir, short, long
	}
	if !l.open(n, dir) {
		if short == 0 || !l.open(n, other) {
			return false
		}
		dir = other
		*x, *y = float64(dir.X)*(short+long/3), float64(dir.Y)*(short+long/3)
	}
	l.Dir, l.Along = dir, 0
	if k := len(l.Nodes) - 1; k > 0 && n.Add(dir.Mul(l.Edge)) == l.Nodes[k-1] { // back along the line
		l.Nodes, l.Dir, l.Along = l.Nodes[:k], image.Point{}.Sub(dir), float64(l.Edge)
	}
	return true
}

func (l *Line) leak(side image.Point, by float64) {
	far, n := l.Along > float64(l.Edge)/2, l.Last()
	switch {
	case far && !l.InCap() && l.open(n.Add(l.Dir.Mul(l.Edge)), side):
		if l.Along += by; l.Along >= float64(l.Edge) {
			l.arrive()
		}
	case !far && l.open(n, side):
		if l.Along -= by; l.Along <= 0 {
			l.Dir, l.Along = image.Point{}, 0
		}
	}
}

// Draw draws the line as wide as 2r, with a disc at its start: at is where a node is.
func (l *Line) Draw(m *image.RGBA, at func(x, y float64) picture.Point, r, start float64, ink color.RGBA) {
	place := func(n image.Point) picture.Point { return at(float64(n.X), float64(n.Y)) }
	last := place(l.Nodes[0])
	Paint(m, last, last, start, ink)
	for _, n := range l.Nodes[1:] {
		Paint(m, last, place(n), r, ink)
		last = place(n)
	}
	Paint(m, last, l.Head(at), r, ink)
}

// Head is where its head is.
func (l *Line) Head(at func(x, y float64) picture.Point) picture.Point {
	n := l.Last()
	return at(float64(n.X)+l.Along*float64(l.Dir.X), float64(n.Y)+l.Along*float64(l.Dir.Y))
}

// Paint lays a thick line with round ends and smooth edges over m.
func Paint(m *image.RGBA, a, b picture.Point, r float64, ink color.RGBA) {
	for y := int(min(a.Y, b.Y) - r - 1); y <= int(max(a.Y, b.Y)+r+1); y++ {
		for x := int(min(a.X, b.X) - r - 1); x <= int(max(a.X, b.X)+r+1); x++ {
			if !image.Pt(x, y).In(m.Rect) {
				continue
			}
			f := 0.0
			if l := math.Hypot(b.X-a.X, b.Y-a.Y); l > 0 {
				f = min(max(((float64(x)-a.X)*(b.X-a.X)+(float64(y)-a.Y)*(b.Y-a.Y))/(l*l), 0), 1)
			}
			d := math.Hypot(float64(x)-a.X-f*(b.X-a.X), float64(y)-a.Y-f*(b.Y-a.Y))
			alpha := min(max(r+0.5-d, 0), 1) * float64(ink.A) / 255
			i := m.PixOffset(x, y)
			for k, v := range []uint8{ink.R, ink.G, ink.B} {
				m.Pix[i+k] = uint8(float64(m.Pix[i+k])*(1-alpha) + float64(v)*alpha + 0.5)
			}
		}
	}
}
