package look

import (
	"cmp"
	"image"
	"math"
	"slices"

	"onlooker/vision"
	"onlooker/vision/witness/view"
)

// DotCore is the colour of the patch that a dot is told by.
func (m *Model) DotCore(at image.Point) vision.RGB {
	return m.Patch(float64(at.X), float64(at.Y), view.Tuned.DotCore*2*m.LineWidth)
}

// DotColour is a dot's colour: of a ring, whose middle shows the line or more of it than
// of the ring, that of the ring.
func (m *Model) DotColour(at image.Point) vision.RGB {
	core := m.DotCore(at)
	tint, c := m.Tint(at)
	odd := view.Clearly * m.Contrast()
	if core.Dist(m.LineInk(at)) > odd && (m.Known.exact || tint*m.Contrast()-m.offMixes(at, core) < odd) {
		return core
	}
	return c
}

// offMixes is how far a colour is off all mixes of the line's colour at a place and the
// grounds' about it.
func (m *Model) offMixes(at image.Point, c vision.RGB) float64 {
	ink := m.LineInk(at)
	off := c.OffMix(ink, m.Board.Paper)
	for _, p := range m.Spokes(at) {
		off = min(off, c.OffMix(ink, p.Ground))
	}
	return off
}

// Tint is how far a quarter of what lies about a place of the lines is off all mixes of
// the line's colour and the grounds', in contrasts, and that quarter's colour.
func (m *Model) Tint(at image.Point) (float64, vision.RGB) {
	ink := m.LineInk(at)
	grounds := []vision.RGB{m.Board.Paper}
	for _, p := range m.Spokes(at) {
		grounds = append(grounds, p.Ground)
	}
	type sample struct {
		off float64
		col vision.RGB
	}
	var all []sample
	for _, r := range [...]float64{0.1, 0.2, 0.3, 0.4} {
		for k := range 12 {
			sin, cos := math.Sincos(float64(k) * math.Pi / 6)
			c := m.At(float64(at.X)+2*m.LineWidth*r*cos, float64(at.Y)+2*m.LineWidth*r*sin)
			off := math.Inf(1)
			for _, g := range grounds {
				off = min(off, c.OffMix(ink, g))
			}
			all = append(all, sample{off / m.Contrast(), c})
		}
	}
	slices.SortFunc(all, func(a, b sample) int { return cmp.Compare(b.off, a.off) })
	all = all[:len(all)/4]
	var cols []vision.RGB
	for _, s := range all {
		cols = append(cols, s.col)
	}
	return all[len(all)-1].off, vision.MedianRGB(cols)
}

// DivideNames are the measures that divide.
func DivideNames() []string {
	return []string{DivideStart, DivideCap, DivideBreak, DivideDot, DivideTint, DivideMatch, DivideSymbol}
}
