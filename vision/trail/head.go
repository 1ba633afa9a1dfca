package trail

import (
	"image"

	"onlooker/vision"
)

// A Way maps a distance along a straight part of a board, and one across it,
// to a pixel. The unit of both is the caller's, as long as it is one.
type Way func(along, across float64) vision.Point

// Width is how wide the line is across a way, some distance along it, in the
// way's unit; false when the line is not there or wider than most.
func (t *Trail) Width(now *image.RGBA, way Way, along, most float64) (float64, bool) {
	if !t.Covers(now, way(along, 0)) {
		return 0, false
	}
	step := most / 80
	side := func(sign float64) float64 {
		last := 1.0
		for s := step; s <= most; s += step {
			f, ok := t.share(now, way(along, sign*s))
			if ok && f < 0.5 {
				return s - step*(0.5-f)/max(last-f, 0.01)
			}
			last = f
		}
		return most
	}
	left, right := side(-1), side(1)
	return left + right, left < most && right < most
}

// Head is how far the middle of the line's head has come along a way from its
// beginning, in the way's unit; most bounds where it is looked for. The line's
// end is round and of the given width. The line need not reach the beginning:
// less than half a width counts as 0. step is how finely the way is sampled.
func (t *Trail) Head(now *image.RGBA, way Way, width, step, most float64) float64 {
	return headOf(way, width, step, most, func(p vision.Point) (float64, bool) { return t.share(now, p) })
}

// HeadOn is Head on a board that has turned since the line began, where only
// the colour of its lines tells what the line covers.
func (t *Trail) HeadOn(now *image.RGBA, way Way, lines vision.RGB, width, step, most float64) float64 {
	want := t.inks[len(t.inks)-1].Sub(lines)
	n := max(want.Dot(want), 1)
	return headOf(way, width, step, most, func(p vision.Point) (float64, bool) {
		f := at(now, p).Sub(lines).Dot(want) / n
		return min(max(f, 0), 1), true
	})
}

// headOf finds the head by how far each place went from the board's colour to
// the line's.
func headOf(way Way, width, step, most float64, share func(vision.Point) (float64, bool)) float64 {
	// A covered dot may look like nothing of the line for as long as it is
	// wide; the line goes on behind it.
	patience := width * 1.1
	last, lastShare := -step, 0.0
	crossing := 0.0
	for s := 0.0; s <= most+width; s += step {
		sum, n := 0.0, 0.0
		for _, off := range []float64{-0.15, 0, 0.15} { // of the width: the middle of the line, past a thin speck
			if f, ok := share(way(s, off*width)); ok {
				sum += f
				n++
			}
		}
		if n == 0 {
			continue
		}
		f := sum / n
		switch {
		case f >= 0.5:
			last, lastShare = s, f
			crossing = s
		case s-last < 1.5*step && lastShare > f:
			crossing = last + (s-last)*(lastShare-0.5)/(lastShare-f)
		}
		if s-max(last, 0) > patience {
			break
		}
	}
	return max(0, crossing-width/2)
}
