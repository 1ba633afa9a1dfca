package shape

import (
	"math"

	"onlooker/vision/picture"
)

// A Area tells whether a place, in pitches from the cell's centre, is part of
// a symbol.
type Area func(x, y float64) bool

// Drawn is the shape that drawn parts make, as many times as large and turned by
// some degrees.
func Drawn(parts []picture.Shape, times, degrees float64) Area {
	tests := make([]Area, len(parts))
	reach, full := 0.0, 0.0 // beyond the one nothing is on a part, within the other all is
	for i, p := range parts {
		tests[i] = Covers(p)
		if p.Kind == picture.Polygon && tests[i](0, 0) {
			full = max(full, nearest(p.Points))
		}
		for _, q := range p.Points {
			reach = max(reach, math.Hypot(q.X, q.Y)+p.Width/2)
		}
	}
	sin, cos := math.Sincos(-degrees * math.Pi / 180)
	k := 2 / times // half-cells as drawn
	return func(x, y float64) bool {
		x, y = k*(x*cos-y*sin), k*(x*sin+y*cos)
		if far := x*x + y*y; far > reach*reach || far < full*full {
			return far < full*full
		}
		for _, in := range tests {
			if in(x, y) {
				return true
			}
		}
		return false
	}
}

// nearest is how far a polygon's border is from the origin at the least.
func nearest(points []picture.Point) float64 {
	least := math.Inf(1)
	for i, a := range points {
		b := points[(i+1)%len(points)]
		dx, dy := b.X-a.X, b.Y-a.Y
		k := max(0, min(1, -(a.X*dx+a.Y*dy)/max(dx*dx+dy*dy, 1e-12)))
		least = min(least, math.Hypot(a.X+k*dx, a.Y+k*dy))
	}
	return least
}

// Covers tells whether a place in half-cells is on a drawn part.
func Covers(p picture.Shape) Area {
	switch p.Kind {
	case picture.Polygon:
		lo, hi := p.Points[0], p.Points[0]
		for _, q := range p.Points {
			lo, hi = picture.Point{X: min(lo.X, q.X), Y: min(lo.Y, q.Y)}, picture.Point{X: max(hi.X, q.X), Y: max(hi.Y, q.Y)}
		}
		return func(x, y float64) bool {
			return x >= lo.X && x <= hi.X && y >= lo.Y && y <= hi.Y && enclosed(p.Points, x, y)
		}
	case picture.Disc:
		c := p.Points[0]
		return func(x, y float64) bool { return math.Hypot(x-c.X, y-c.Y) <= p.Width/2 }
	case picture.Line:
		return func(x, y float64) bool {
			for i := 1; i < len(p.Points); i++ {
				if stroked(p.Points[i-1], p.Points[i], p.Round, p.Width/2, x, y) {
					return true
				}
			}
			return false
		}
	}
	return func(x, y float64) bool { return false }
}

// enclosed tells whether a place lies in a polygon.
func enclosed(corners []picture.Point, x, y float64) bool {
	in := false
	last := corners[len(corners)-1]
	for _, c := range corners {
		if (c.Y > y) != (last.Y > y) && x < (last.X-c.X)*(y-c.Y)/(last.Y-c.Y)+c.X {
			in = !in
		}
		last = c
	}
	return in
}

// stroked tells whether a place lies on a line's leg, half as wide to either side.
func stroked(a, b picture.Point, round bool, half, x, y float64) bool {
	dx, dy := b.X-a.X, b.Y-a.Y
	long := math.Hypot(dx, dy)
	if long == 0 {
		return round && math.Hypot(x-a.X, y-a.Y) <= half
	}
	t, off := ((x-a.X)*dx+(y-a.Y)*dy)/long, math.Abs((x-a.X)*dy-(y-a.Y)*dx)/long
	if t >= 0 && t <= long {
		return off <= half
	}
	return round && min(math.Hypot(x-a.X, y-a.Y), math.Hypot(x-b.X, y-b.Y)) <= half
}
