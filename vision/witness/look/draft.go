package look

import (
	"image"
	"math"
)

// DiscLook is what lies within a line's width about a node or an edge's middle.
func (m *Model) DiscLook(at image.Point) (a Appearance) {
	const rings, most = 4, 0.42 // line widths: the line's own border is blurred
	a = m.observe(a, float64(at.X), float64(at.Y), false)
	for r := 1; r <= rings; r++ {
		for k := range 4 * r {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(4*r))
			far := 2 * m.LineWidth * most * float64(r) / rings
			a = m.observe(a, float64(at.X)+far*cos, float64(at.Y)+far*sin, false)
		}
	}
	return a
}
