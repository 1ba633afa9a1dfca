package grid

import (
	"math"

	"onlooker/vision"
)

// A spot says that a place in cell units was seen at a pixel.
type spot struct{ x, y, px, py float64 }

// exact is how far in pixels spots are from where a right map has them, usually:
// they are middles of boxes of whole pixels.
const exact = 0.6

// fit is the map through spots: upright with even columns and rows where that
// explains them all to a tolerance in pixels and most exactly, else affine, else
// projective with at least 9 spots, by least squares.
func fit(spots []spot, tolerance float64) (vision.Mat3, bool) {
	if m, ok := fitUpright(spots); ok && worst(m, spots) <= tolerance && usual(m, spots) <= exact {
		return m, true
	}
	m, ok := fitAffine(spots)
	if ok && worst(m, spots) <= tolerance && usual(m, spots) <= exact || len(spots) < 9 {
		return m, ok
	}
	if p, good := fitProjective(spots); good && (!ok || usual(p, spots) < usual(m, spots)) {
		return p, true
	}
	return m, ok
}

// bent tells whether spots are seen turned or from aside rather than as an upright
// map has them: another map has them at half the distance, usually. Where drawings
// cut cells into pieces no map does.
func bent(m vision.Mat3, spots []spot) bool {
	upright := usual(m, spots)
	if upright <= exact || len(spots) < 9 {
		return false
	}
	a, ok1 := fitAffine(spots)
	p, ok2 := fitProjective(spots)
	return ok1 && 2*usual(a, spots) < upright || ok2 && 2*usual(p, spots) < upright
}

// usual is the median distance of spots from where a map has them.
func usual(m vision.Mat3, spots []spot) float64 {
	list := make([]float64, len(spots))
	for i, s := range spots {
		p := m.At(s.x, s.y)
		list[i] = math.Hypot(p.X-s.px, p.Y-s.py)
	}
	return vision.Median(list)
}

func worst(m vision.Mat3, spots []spot) float64 {
	far := 0.0
	for _, s := range spots {
		p := m.At(s.x, s.y)
		far = max(far, math.Hypot(p.X-s.px, p.Y-s.py))
	}
	return far
}

func fitUpright(spots []spot) (vision.Mat3, bool) {
	var across, down vision.Trend
	for _, s := range spots {
		across.Add(1, s.x, s.px)
		down.Add(1, s.y, s.py)
	}
	left, wide, ok1 := across.Line()
	top, high, ok2 := down.Line()
	return vision.Mat3{wide, 0, left, 0, high, top, 0, 0, 1}, ok1 && ok2
}

func fitAffine(spots []spot) (vision.Mat3, bool) {
	var across, down vision.Squares
	for _, s := range spots {
		across.Add(1, s.px, s.x, s.y, 1)
		down.Add(1, s.py, s.x, s.y, 1)
	}
	x, ok1 := across.Solve()
	y, ok2 := down.Solve()
	if !ok1 || !ok2 {
		return vision.Mat3{}, false
	}
	return vision.Mat3{x[0], x[1], x[2], y[0], y[1], y[2], 0, 0, 1}, true
}

func fitProjective(spots []spot) (vision.Mat3, bool) {
	seen := make([]vision.Sighting, 0, 2*len(spots))
	for _, s := range spots {
		at := vision.Point{X: s.x, Y: s.y}
		seen = append(seen, vision.Sighting{P: at, Upright: true, At: s.px}, vision.Sighting{P: at, At: s.py})
	}
	return vision.Same().Nearer(seen, math.Inf(1))
}
