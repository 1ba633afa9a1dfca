package vision

import (
	"image"
	"math"
)

// A colour is red, green and blue, 0 to 255, between pixels too.
type colour [3]float64

func (a colour) minus(b colour) colour { return colour{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

func (a colour) times(f float64) colour { return colour{f * a[0], f * a[1], f * a[2]} }

func (a colour) dot(b colour) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

// between is the colour of m at a place, interpolated; beyond the border it is
// the border's.
func between(m *image.RGBA, p Point) colour {
	b := m.Rect
	x := min(max(p.X, float64(b.Min.X)), float64(b.Max.X-1))
	y := min(max(p.Y, float64(b.Min.Y)), float64(b.Max.Y-1))
	x0, y0 := int(x), int(y)
	x1, y1 := min(x0+1, b.Max.X-1), min(y0+1, b.Max.Y-1)
	fx, fy := x-float64(x0), y-float64(y0)
	var out colour
	for _, c := range []struct {
		x, y int
		w    float64
	}{{x0, y0, (1 - fx) * (1 - fy)}, {x1, y0, fx * (1 - fy)}, {x0, y1, (1 - fx) * fy}, {x1, y1, fx * fy}} {
		i := m.PixOffset(c.x, c.y)
		for k := range out {
			out[k] += c.w * float64(m.Pix[i+k])
		}
	}
	return out
}

// mean is the mean colour of the (2r+1)² pixels about a place.
func mean(m *image.RGBA, p Point, r int) colour {
	var sum colour
	for dy := -r; dy <= r; dy++ {
		for dx := -r; dx <= r; dx++ {
			c := between(m, Point{p.X + float64(dx), p.Y + float64(dy)})
			for k := range sum {
				sum[k] += c[k]
			}
		}
	}
	n := float64((2*r + 1) * (2*r + 1))
	return colour{sum[0] / n, sum[1] / n, sum[2] / n}
}

// A Trail is a line that grows on a board, told from the board without it.
type Trail struct {
	before *image.RGBA // the board without the line
	light  float64     // how many times as light as there the board is now
	inks   []colour    // of the line: of its head where that is another, then of the rest
	start  colour      // of its start, before it began
}

// leastChange is how much a colour must differ from the one before for the
// line to be told: 24 levels; a cell's glow or a video's noise stay below 12.
const leastChange = 24

// NewTrail learns the colour of a line from the place where it has begun: its
// start. It says false when nothing changed there between the two frames,
// which are of one size.
func NewTrail(before, now *image.RGBA, start Point) (*Trail, bool) {
	ink := mean(now, start, 1)
	was := mean(before, start, 1)
	d := ink.minus(was)
	if d.dot(d) < leastChange*leastChange {
		return nil, false
	}
	return &Trail{before: before, light: 1, inks: []colour{ink}, start: was}, true
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
func Light(before, now *image.RGBA, places []Point) float64 {
	var all []float64
	for _, p := range places {
		was, is := mean(before, p, 1), mean(now, p, 1)
		if sum := was[0] + was[1] + was[2]; sum >= darkest {
			all = append(all, (is[0]+is[1]+is[2])/sum)
		}
	}
	if len(all) < 5 {
		return 1
	}
	return Median(all)
}

// Left is the same line once its head has left its start, where its own colour
// is seen then: a client may draw the head as something else.
func (t *Trail) Left(now *image.RGBA, start Point) *Trail {
	ink := mean(now, start, 1)
	from, own := ink.minus(t.start), ink.minus(t.inks[0])
	if from.dot(from) < leastChange*leastChange || own.dot(own) < leastChange*leastChange {
		return t
	}
	return &Trail{before: t.before, light: t.light, inks: []colour{t.inks[0], ink}, start: t.start}
}

// Veil tells whether what came over the start may be a white cursor that lets
// most of it through, of an opacity of alpha, and no line.
func (t *Trail) Veil(alpha float64) bool {
	white := colour{255, 255, 255}.minus(t.start)
	got := t.inks[0].minus(t.start)
	for k := range got {
		got[k] -= alpha * white[k]
	}
	return got.dot(got) < leastChange*leastChange
}

// share is how far a pixel went from the board's colour to the line's: 0 to 1.
// ok is false where the two look the same.
func (t *Trail) share(now *image.RGBA, p Point) (f float64, ok bool) {
	was := between(t.before, p).times(t.light)
	got := between(now, p).minus(was)
	for _, ink := range t.inks {
		want := ink.minus(was)
		n := want.dot(want)
		if n < leastChange*leastChange {
			return 0, false
		}
		g := got.dot(want) / n
		if across := got.dot(got) - g*g*n; g < 0.5 && across > 40*40 {
			// Neither the board's colour nor the line's, nor a mixture of them: a
			// dot that the line covers changes into something of its own.
			g = 1
		}
		f, ok = max(f, min(max(g, 0), 1)), true
	}
	return f, ok
}

// Changed tells whether a place changed its colour visibly, by its 3×3 pixels.
func Changed(before, now *image.RGBA, p Point) bool {
	d := mean(now, p, 1).minus(mean(before, p, 1))
	return d.dot(d) >= leastChange*leastChange
}

// Apart tells whether two places of a frame differ visibly, by their 3×3 pixels.
func Apart(m *image.RGBA, p, q Point) bool {
	d := mean(m, p, 1).minus(mean(m, q, 1))
	return d.dot(d) >= leastChange*leastChange
}

// Covers tells whether the line covers a place, by its 3×3 pixels; a place that
// had the line's colour before is taken to be covered, as nothing says otherwise.
func (t *Trail) Covers(now *image.RGBA, p Point) bool {
	// 0.4: a black dot under a light line, darkened by it, goes half way.
	sum, n := t.near(now, p)
	return n == 0 || sum > 0.4*float64(n)
}

// Stands tells whether a place has the line's own colour, by its 3×3 pixels: a
// line that blinks in another does not stand.
func (t *Trail) Stands(now *image.RGBA, p Point) bool {
	c := mean(now, p, 1)
	was := mean(t.before, p, 1).times(t.light)
	want := t.inks[len(t.inks)-1].minus(was)
	got := c.minus(was)
	return want.dot(want) < leastChange*leastChange || got.dot(want) > 0.5*want.dot(want)
}

// Hides tells whether something that is no line lies over a place where none was when
// this one began, by its 3×3 pixels: it is to be asked beside the line's way.
func (t *Trail) Hides(now *image.RGBA, p Point) bool {
	is := mean(now, p, 1)
	changed, off := is.minus(mean(t.before, p, 1).times(t.light)), is.minus(t.inks[len(t.inks)-1])
	return changed.dot(changed) >= leastChange*leastChange && off.dot(off) >= leastChange*leastChange
}

func (t *Trail) near(now *image.RGBA, p Point) (sum float64, n int) {
	for dy := -1.0; dy <= 1; dy++ {
		for dx := -1.0; dx <= 1; dx++ {
			if f, ok := t.share(now, Point{p.X + dx, p.Y + dy}); ok {
				sum += f
				n++
			}
		}
	}
	return sum, n
}

// A Way maps a distance along a straight part of a board, and one across it,
// to a pixel. The unit of both is the caller's, as long as it is one.
type Way func(along, across float64) Point

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
	return headOf(way, width, step, most, func(p Point) (float64, bool) { return t.share(now, p) })
}

// HeadOn is Head on a board that has turned since the line began, where only
// the colour of its lines tells what the line covers.
func (t *Trail) HeadOn(now *image.RGBA, way Way, lines RGB, width, step, most float64) float64 {
	want := t.inks[len(t.inks)-1].minus(colour(lines))
	n := max(want.dot(want), 1)
	return headOf(way, width, step, most, func(p Point) (float64, bool) {
		f := between(now, p).minus(colour(lines)).dot(want) / n
		return min(max(f, 0), 1), true
	})
}

// headOf finds the head by how far each place went from the board's colour to
// the line's.
func headOf(way Way, width, step, most float64, share func(Point) (float64, bool)) float64 {
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

// Brightened finds a cursor that came to a place: it finds the disc of a radius (pixels) whose pixels got lightest
// from one frame to the next, to a fraction of a pixel, and says false when
// no place looks like a disc that came there.
func Brightened(before, now *image.RGBA, radius float64) (Point, bool) {
	if before.Rect != now.Rect || radius < 2 {
		return Point{}, false
	}
	w, h := now.Rect.Dx(), now.Rect.Dy()
	// Only what changed is looked at.
	box := image.Rectangle{}
	for y := 0; y < h; y++ {
		a, b := before.Pix[y*before.Stride:y*before.Stride+4*w], now.Pix[y*now.Stride:y*now.Stride+4*w]
		for x := 0; x < w; x++ {
			if lift(a, b, x) > 10 {
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if box.Empty() {
		return Point{}, false
	}
	r := int(math.Ceil(radius))
	box = box.Inset(-2 * r).Intersect(image.Rect(0, 0, w, h))
	bw, bh := box.Dx(), box.Dy()
	sums := make([]float64, (bw+1)*(bh+1)) // summed-area table
	for y := range bh {
		a, b := before.Pix[(y+box.Min.Y)*before.Stride:], now.Pix[(y+box.Min.Y)*now.Stride:]
		line := 0.0
		for x := range bw {
			line += min(max(lift(a, b, x+box.Min.X), -60), 60)
			sums[(y+1)*(bw+1)+x+1] = sums[y*(bw+1)+x+1] + line
		}
	}
	side := int(1.6 * radius)
	best, at := 0.0, image.Point{}
	for y := 0; y+side <= bh; y++ {
		for x := 0; x+side <= bw; x++ {
			s := sums[(y+side)*(bw+1)+x+side] - sums[y*(bw+1)+x+side] - sums[(y+side)*(bw+1)+x] + sums[y*(bw+1)+x]
			if s > best {
				best, at = s, image.Pt(x, y)
			}
		}
	}
	if best < 8*float64(side*side)*0.6 {
		return Point{}, false
	}
	c := Point{float64(box.Min.X + at.X + side/2), float64(box.Min.Y + at.Y + side/2)}
	inside, total := 0, 0
	for range 6 { // the centre of what got lighter within reach of the disc
		var sx, sy, n float64
		inside, total = 0, 0
		for y := int(c.Y - 1.2*radius); y <= int(c.Y+1.2*radius)+1; y++ {
			for x := int(c.X - 1.2*radius); x <= int(c.X+1.2*radius)+1; x++ {
				if x < 0 || y < 0 || x >= w || y >= h {
					continue
				}
				d := math.Hypot(float64(x)-c.X, float64(y)-c.Y)
				if d > 1.2*radius {
					continue
				}
				lit := lift(before.Pix[y*before.Stride:], now.Pix[y*now.Stride:], x) > 8
				if d < 0.85*radius {
					total++
					if lit {
						inside++
					}
				}
				if lit {
					sx += float64(x)
					sy += float64(y)
					n++
				}
			}
		}
		if n == 0 {
			return Point{}, false
		}
		c = Point{sx / n, sy / n}
	}
	// 0.7: symbols as light as the disc hide a part of it.
	return c, float64(inside) > 0.7*float64(total)
}

// lift is how much lighter a pixel of a line of pixels got.
func lift(a, b []uint8, x int) float64 {
	p, q := a[4*x:4*x+3], b[4*x:4*x+3]
	return (float64(q[0]) + 2*float64(q[1]) + float64(q[2]) - float64(p[0]) - 2*float64(p[1]) - float64(p[2])) / 4
}
