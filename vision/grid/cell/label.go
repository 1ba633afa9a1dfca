package cell

import (
	"image"
	"math"

	"onlooker/vision/grid"
	"onlooker/vision/grid/part"
)

// onDisc is how much of a blob's radius is looked at for what is written on it:
// farther out its edge is blurred.
const onDisc = 0.85

// LabelOn is what is written on a blob: what stands out from its colour, in the
// smallest box that holds it; false for nothing.
func LabelOn(g *grid.Rectified, c, r int, b Blob) (*Mark, bool) {
	n := g.Side
	mid, reach := float64(n)/2, onDisc*b.Radius*float64(n)
	contrast := make([]int, n*n)
	most := 0
	for k := range contrast {
		if math.Hypot(float64(k%n)+0.5-mid, float64(k/n)+0.5-mid) > reach {
			continue
		}
		contrast[k] = g.FlatPixel((c+1)*n+k%n, (r+1)*n+k/n).Contrast(b.Colour)
		most = max(most, contrast[k])
	}
	if most < 2*g.Contrast {
		return nil, false
	}
	var box image.Rectangle
	for k, v := range contrast {
		if 3*v >= most {
			box = box.Union(image.Rect(k%n, k/n, k%n+1, k/n+1))
		}
	}
	m := &Mark{W: box.Dx(), H: box.Dy(), Left: float64(box.Min.X) / float64(n), Top: float64(box.Min.Y) / float64(n), Contrast: most, side: n}
	var ink []part.Colour
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			v := contrast[y*n+x]
			m.Ink = append(m.Ink, float64(v)/float64(most))
			if 10*v > 7*most {
				ink = append(ink, g.FlatPixel((c+1)*n+x, (r+1)*n+y))
			}
		}
	}
	m.Colour = part.Usual(ink)
	return m, true
}
