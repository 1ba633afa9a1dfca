package locate

import (
	"image"
	"math"

	"onlooker/vision"
)

// A board that goes round may be drawn flat (as witnesspuzzles.com does): on its
// right the last column of cells fades out into the ground outside, lines and
// cells alike, and where the next line would be there is nothing but that ground.

const (
	// fadeSteps is at how many places of the last column the fade is looked at.
	fadeSteps = 24
	// fadeNoise is how far colours that are one may lie apart, in contrasts: half of
	// what divides colours of a board elsewhere.
	fadeNoise = 0.1
	// fadeRows is how many of the rows must fade alike: a symbol or a circle hides
	// the fade here and there.
	fadeRows = 0.75
)

// fadesOut tells whether the column of cells right of a lattice fades out.
func (l *lattice) fadesOut(full *image.RGBA) bool {
	contrast := l.ink.Dist(l.paper)
	from := float64(2 * l.cols)
	noise := fadeNoise * contrast
	var outer []vision.RGB
	for y := range 2*l.rows + 1 {
		p := l.point(from+2, float64(y))
		if !image.Pt(int(p.X), int(p.Y)).In(full.Rect) {
			return false
		}
		outer = append(outer, vision.At(full, p.X, p.Y))
	}
	ground := vision.MedianRGB(outer)
	if ground.Dist(l.paper) < 2*noise || ground.Dist(l.ink) < 2*noise {
		return false
	}
	alike := 0
	for _, c := range outer {
		if c.Dist(ground) < noise {
			alike++
		}
	}
	if float64(alike) < fadeRows*float64(len(outer)) {
		return false
	}
	// The rows of lines, then those of cells, each beside symbols' middles.
	fading, rows := 0, 0
	for y := 0; y <= 2*l.rows; y++ {
		rows++
		colour, at := l.ink, float64(y)
		if y&1 == 1 {
			colour, at = l.paper, at+0.72*(1-l.line)
		}
		if l.fadesAlong(full, from, at, colour, ground, noise) {
			fading++
		}
	}
	return float64(fading) >= fadeRows*float64(rows)
}

// fadesAlong tells whether a row goes over from a colour into the ground outside by
// degrees, and never back: the first half of the way, to a cell's middle, it has
// not begun or is not done.
func (l *mesh) fadesAlong(full *image.RGBA, from, y float64, colour, ground vision.RGB, noise float64) bool {
	axis := ground.Sub(colour)
	size := axis.Dot(axis)
	unit := noise / math.Sqrt(size) // of the share, what is one colour
	last, between := 0.0, 0
	for i := range fadeSteps {
		x := from + l.line + (2-l.line)*(float64(i)+0.5)/fadeSteps
		c := l.at(full, x, y)
		if c.OffMix(colour, ground) > noise {
			return false
		}
		share := c.Sub(colour).Dot(axis) / size
		if share < last-unit || share > 1+unit {
			return false
		}
		last = max(last, share)
		if share > unit && share < 1-unit {
			between++
		}
		if i < fadeSteps/4 && share > 0.5 {
			return false // a border, not a fade
		}
	}
	return last > 1-unit && between >= fadeSteps/8
}
