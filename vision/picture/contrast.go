package picture

import (
	"image/color"
	"math"
)

// Readable is the contrast from which a person tells a shape from its ground (WCAG 2.1,
// success criterion 1.4.11).
const Readable = 3

// Contrast is how much two opaque colours stand off each other, 1 to 21 (WCAG 2.1, contrast
// ratio).
func Contrast(a, b color.NRGBA) float64 {
	l, m := luminance(a), luminance(b)
	return (max(l, m) + 0.05) / (min(l, m) + 0.05)
}

// luminance is a colour's relative luminance, 0 to 1 (WCAG 2.1, of sRGB).
func luminance(c color.NRGBA) float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// Outline is the contour of filled shapes, so wide, in black or white: what stands off
// both the shapes and the grounds that they stand on more. Shapes that stand off each
// ground without have none.
func Outline(shapes []Shape, wide float64, grounds ...color.NRGBA) (out []Shape) {
	for _, s := range shapes {
		fill := s.Colour
		off := func(line color.NRGBA) float64 {
			least := math.Inf(1)
			for _, g := range grounds {
				least = min(least, max(Contrast(fill, g), min(Contrast(line, g), Contrast(line, fill))))
			}
			return least
		}
		if s.Kind == Glyph || off(fill) >= Readable {
			continue
		}
		s.Colour, s.Round, s.Fine = color.NRGBA{A: 255}, true, true
		if white := (color.NRGBA{255, 255, 255, 255}); off(white) > off(s.Colour) {
			s.Colour = white
		}
		s.Width += 2 * wide
		if s.Kind == Polygon {
			// The last corner's joint is that of the first side, too.
			s.Kind, s.Points = Line, append(append([]Point{}, s.Points...), s.Points[:2]...)
		}
		out = append(out, s)
	}
	return out
}
