package grid

import (
	"math"

	"onlooker/vision"
)

// A plane is a projective map, row by row; the last number is 1 where it was
// fitted.
type plane vision.Mat3

func (m plane) apply(x, y float64) vision.Point {
	return vision.Mat3(m).Apply(vision.Point{X: x, Y: y})
}

func (m plane) mul(n plane) plane { return plane(vision.Mat3(m).Mul(vision.Mat3(n))) }

// inverse of a map that has one.
func (m plane) inverse() (plane, bool) {
	inverse, ok := vision.Mat3(m).Inverse()
	return plane(inverse), ok
}

// A spot says that a place in cell units was seen at a pixel.
type spot struct{ x, y, px, py float64 }

// exact is how far in pixels spots are from where a right map has them, usually:
// they are middles of boxes of whole pixels.
const exact = 0.6

// fit is the map through spots: upright with even columns and rows where that
// explains them all to a tolerance in pixels and most exactly, else affine, else
// projective with at least 9 spots, by least squares.
func fit(spots []spot, tolerance float64) (plane, bool) {
	if m, ok := fitUpright(spots); ok && m.worst(spots) <= tolerance && m.usual(spots) <= exact {
		return m, true
	}
	m, ok := fitAffine(spots)
	if ok && m.worst(spots) <= tolerance && m.usual(spots) <= exact || len(spots) < 9 {
		return m, ok
	}
	if p, good := fitProjective(spots); good && (!ok || p.usual(spots) < m.usual(spots)) {
		return p, true
	}
	return m, ok
}

// bent tells whether spots are seen turned or from aside rather than as an upright
// map has them: another map has them at half the distance, usually. Where drawings
// cut cells into pieces no map does.
func (m plane) bent(spots []spot) bool {
	upright := m.usual(spots)
	if upright <= exact || len(spots) < 9 {
		return false
	}
	a, ok1 := fitAffine(spots)
	p, ok2 := fitProjective(spots)
	return ok1 && 2*a.usual(spots) < upright || ok2 && 2*p.usual(spots) < upright
}

// usual is the median distance of spots from where a map has them.
func (m plane) usual(spots []spot) float64 {
	list := make([]float64, len(spots))
	for i, s := range spots {
		p := m.apply(s.x, s.y)
		list[i] = math.Hypot(p.X-s.px, p.Y-s.py)
	}
	return vision.Median(list)
}

func (m plane) worst(spots []spot) float64 {
	far := 0.0
	for _, s := range spots {
		p := m.apply(s.x, s.y)
		far = max(far, math.Hypot(p.X-s.px, p.Y-s.py))
	}
	return far
}

func fitUpright(spots []spot) (plane, bool) {
	line := func(get func(spot) (x, p float64)) (a, b float64, ok bool) {
		var n, sx, sp, sxx, sxp float64
		for _, s := range spots {
			x, p := get(s)
			n, sx, sp, sxx, sxp = n+1, sx+x, sp+p, sxx+x*x, sxp+x*p
		}
		det := n*sxx - sx*sx
		if det < 1e-9 {
			return 0, 0, false
		}
		b = (n*sxp - sx*sp) / det
		return (sp - b*sx) / n, b, true
	}
	ax, bx, ok1 := line(func(s spot) (float64, float64) { return s.x, s.px })
	ay, by, ok2 := line(func(s spot) (float64, float64) { return s.y, s.py })
	return plane{bx, 0, ax, 0, by, ay, 0, 0, 1}, ok1 && ok2
}

func fitAffine(spots []spot) (plane, bool) {
	var all squares
	for _, s := range spots {
		all.add(s.px, s.x, s.y, 1, 0, 0, 0)
		all.add(s.py, 0, 0, 0, s.x, s.y, 1)
	}
	v, ok := all.solve()
	if !ok {
		return plane{}, false
	}
	return plane{v[0], v[1], v[2], v[3], v[4], v[5], 0, 0, 1}, true
}

func fitProjective(spots []spot) (plane, bool) {
	var all squares
	for _, s := range spots {
		all.add(s.px, s.x, s.y, 1, 0, 0, 0, -s.x*s.px, -s.y*s.px)
		all.add(s.py, 0, 0, 0, s.x, s.y, 1, -s.x*s.py, -s.y*s.py)
	}
	v, ok := all.solve()
	if !ok {
		return plane{}, false
	}
	return plane{v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], 1}, true
}

// squares are equations, row·v = want, of which the v of least squares is wanted, by their
// normal equations.
type squares struct {
	n   int // equations
	sum [][]float64
}

func (s *squares) add(want float64, row ...float64) {
	if s.sum == nil {
		s.sum = make([][]float64, len(row))
		for i := range s.sum {
			s.sum[i] = make([]float64, len(row)+1)
		}
	}
	s.n++
	for i, v := range row {
		for j, w := range row {
			s.sum[i][j] += v * w
		}
		s.sum[i][len(row)] += v * want
	}
}

// solve is called once.
func (s *squares) solve() ([]float64, bool) { return vision.Solve(s.sum, 1e-9) }
