// Package trail follows a line that grows on a board, from frame to frame: where its
// head is, what it covers, and where a cursor came to. It knows no puzzle; places are
// pixels of a frame.
package trail

import (
	"image"
	"slices"

	"onlooker/vision"
)

// times is a colour that is so many times as light.
func times(c vision.RGB, f float64) vision.RGB { return vision.RGB{f * c[0], f * c[1], f * c[2]} }

// at is the colour of a frame between its pixels; beyond its border it is the
// border's.
func at(m *image.RGBA, p vision.Point) vision.RGB {
	return vision.At(m, p.X-float64(m.Rect.Min.X), p.Y-float64(m.Rect.Min.Y))
}

// mean is the mean colour of the 9 pixels about a place.
func mean(m *image.RGBA, p vision.Point) (sum vision.RGB) {
	for i := range 9 {
		c := at(m, vision.Point{X: p.X + float64(i%3-1), Y: p.Y + float64(i/3-1)})
		for k := range sum {
			sum[k] += c[k]
		}
	}
	return vision.RGB{sum[0] / 9, sum[1] / 9, sum[2] / 9}
}

// A Trail is a line that grows on a board, told from the board without it.
type Trail struct {
	before *image.RGBA  // the board without the line
	light  float64      // how many times as light as there the board is now
	inks   []vision.RGB // of the line: of its head where that is another, then of the rest
	start  vision.RGB   // of its start, before it began
}

// leastChange is how much a colour must differ from the one before for the
// line to be told: 24 levels; a cell's glow or a video's noise stay below 12.
const leastChange = 24

// New learns the colour of a line from the place where it has begun: its
// start. It says false when nothing changed there between the two frames,
// which are of one size.
func New(before, now *image.RGBA, start vision.Point) (*Trail, bool) {
	ink := mean(now, start)
	was := mean(before, start)
	d := ink.Sub(was)
	if d.Dot(d) < leastChange*leastChange {
		return nil, false
	}
	return &Trail{before: before, light: 1, inks: []vision.RGB{ink}, start: was}, true
}

// Again is the same line as told from another frame without it: what changes from there,
// but for the board's light, which is so many times that frame's.
func (t *Trail) Again(before *image.RGBA, light float64) *Trail {
	return &Trail{before: before, light: light, inks: t.inks, start: t.start}
}

// darkest is the least sum of a colour's parts, of 765, from which a light is told: whole
// levels round it by at most three of a hundred.
const darkest = 48

// Light is how many times as light a board is now as it was before: the median over places
// of it by their 3×3 pixels; 1 where fewer than five tell it.
func Light(before, now *image.RGBA, places []vision.Point) float64 {
	var all []float64
	for _, p := range places {
		was, is := mean(before, p), mean(now, p)
		if sum := was[0] + was[1] + was[2]; sum >= darkest {
			all = append(all, (is[0]+is[1]+is[2])/sum)
		}
	}
	if len(all) < 5 {
		return 1
	}
	return vision.Median(all)
}

// Left is the same line once its head has left its start, where its own colour
// is seen then: a client may draw the head as something else.
func (t *Trail) Left(now *image.RGBA, start vision.Point) *Trail {
	ink := mean(now, start)
	from, own := ink.Sub(t.start), ink.Sub(t.inks[0])
	if from.Dot(from) < leastChange*leastChange || own.Dot(own) < leastChange*leastChange {
		return t
	}
	return &Trail{before: t.before, light: t.light, inks: []vision.RGB{t.inks[0], ink}, start: t.start}
}

// Veil tells whether what came over the start may be a white cursor that lets
// most of it through, of an opacity of alpha, and no line.
func (t *Trail) Veil(alpha float64) bool {
	white := vision.RGB{255, 255, 255}.Sub(t.start)
	got := t.inks[0].Sub(t.start)
	for k := range got {
		got[k] -= alpha * white[k]
	}
	return got.Dot(got) < leastChange*leastChange
}

// share is how far a pixel went from the board's colour to the line's: 0 to 1.
// ok is false where the two look the same.
func (t *Trail) share(now *image.RGBA, p vision.Point) (f float64, ok bool) {
	was := times(at(t.before, p), t.light)
	got := at(now, p).Sub(was)
	for _, ink := range t.inks {
		want := ink.Sub(was)
		n := want.Dot(want)
		if n < leastChange*leastChange {
			return 0, false
		}
		g := got.Dot(want) / n
		if across := got.Dot(got) - g*g*n; g < 0.5 && across > 40*40 {
			// Neither the board's colour nor the line's, nor a mixture of them: a
			// dot that the line covers changes into something of its own.
			g = 1
		}
		f, ok = max(f, min(max(g, 0), 1)), true
	}
	return f, ok
}

// Changed tells whether a place changed its colour visibly, by its 3×3 pixels.
func Changed(before, now *image.RGBA, p vision.Point) bool {
	d := mean(now, p).Sub(mean(before, p))
	return d.Dot(d) >= leastChange*leastChange
}

// Apart tells whether two places of a frame differ visibly, by their 3×3 pixels.
func Apart(m *image.RGBA, p, q vision.Point) bool {
	d := mean(m, p).Sub(mean(m, q))
	return d.Dot(d) >= leastChange*leastChange
}

// Covers tells whether the line covers a place, by its 3×3 pixels; a place that
// had the line's colour before is taken to be covered, as nothing says otherwise.
func (t *Trail) Covers(now *image.RGBA, p vision.Point) bool {
	// 0.4: a black dot under a light line, darkened by it, goes half way.
	sum, n := t.near(now, p)
	return n == 0 || sum > 0.4*float64(n)
}

// Stands tells whether a place has the line's own colour, by its 3×3 pixels: a
// line that blinks in another does not stand.
func (t *Trail) Stands(now *image.RGBA, p vision.Point) bool {
	return t.stands(now, p, t.inks[len(t.inks)-1])
}

// StandsAs is Stands for a place that showed the line in an earlier frame, which may have covered
// some of it alone.
func (t *Trail) StandsAs(shown, now *image.RGBA, p vision.Point) bool {
	return t.stands(now, p, mean(shown, p))
}

func (t *Trail) stands(now *image.RGBA, p vision.Point, ink vision.RGB) bool {
	was := times(mean(t.before, p), t.light)
	want := ink.Sub(was)
	got := mean(now, p).Sub(was)
	return want.Dot(want) < leastChange*leastChange || got.Dot(want) > 0.5*want.Dot(want)
}

// Lit tells whether a place has the line's colour, or one nearer to it than to
// another.
func (t *Trail) Lit(now *image.RGBA, p vision.Point, other vision.RGB) bool {
	c := mean(now, p)
	b := c.Sub(other)
	return slices.ContainsFunc(t.inks, func(ink vision.RGB) bool {
		a := c.Sub(ink)
		return a.Dot(a) < b.Dot(b)
	})
}

// Hides tells whether something that is no line lies over a place where none was when
// this one began, by its 3×3 pixels: it is to be asked beside the line's way.
func (t *Trail) Hides(now *image.RGBA, p vision.Point) bool {
	is := mean(now, p)
	changed, off := is.Sub(times(mean(t.before, p), t.light)), is.Sub(t.inks[len(t.inks)-1])
	return changed.Dot(changed) >= leastChange*leastChange && off.Dot(off) >= leastChange*leastChange
}

func (t *Trail) near(now *image.RGBA, p vision.Point) (sum float64, n int) {
	for dy := -1.0; dy <= 1; dy++ {
		for dx := -1.0; dx <= 1; dx++ {
			if f, ok := t.share(now, vision.Point{X: p.X + dx, Y: p.Y + dy}); ok {
				sum += f
				n++
			}
		}
	}
	return sum, n
}

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
