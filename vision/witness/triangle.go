package witness

import (
	"fmt"
	"math"
	"slices"

	"onlooker/solve/witness"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
)

// triangles are n of them, as far as their shape tells.
func triangles(n int) witness.Symbol { return witness.Symbol{Kind: witness.Triangle, Count: n} }

// triangleLengths are what was measured of triangles, in pitches.
type triangleLengths struct{ width, height, step, rise []float64 }

// add measures a stain that is said to be triangles; others are left out.
func (t *triangleLengths) add(sym witness.Symbol, st *stain) {
	if sym.Kind != witness.Triangle {
		return
	}
	t.height = append(t.height, st.box[3]-st.box[1])
	t.rise = append(t.rise, -(st.box[1]+st.box[3])/2)
	parts := st.parts()
	slices.SortFunc(parts, func(a, b part) int { return int(math.Copysign(1, a.x-b.x)) })
	for i, p := range parts {
		t.width = append(t.width, p.w)
		if i > 0 {
			t.step = append(t.step, p.x-parts[i-1].x)
		}
	}
}

// set puts what was measured into sizes.
func (t *triangleLengths) set(c *Calibration, to *drawing.Sizes) {
	if len(t.height) == 0 {
		c.Missing = append(c.Missing, "triangle")
		return
	}
	to.Triangle = [2]float64{round3(vision.Median(t.width)), round3(vision.Median(t.height))}
	to.TriangleRise = round3(vision.Median(t.rise))
	if len(t.step) > 0 {
		to.TriangleSpacing = round3(vision.Median(t.step))
	} else {
		// In the game triangles stand 1.3 of their width apart.
		to.TriangleSpacing = round3(1.3 * vision.Median(t.width))
		c.Missing = append(c.Missing, "spacing of triangles")
	}
	c.Measured = append(c.Measured, fmt.Sprintf("triangle (%d)", len(t.height)))
}
