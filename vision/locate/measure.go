package locate

import (
	"image"
	"math"
	"slices"

	"onlooker/calibrations"
	"onlooker/vision"
	"onlooker/vision/cv"
)

// measure fits a lattice to what is seen at full size, lets it grow by lines
// that lie beside it, and says whether it is one.
func measure(full *image.RGBA, l *lattice, look calibrations.Board) bool {
	l.samples = coarse
	for pass := range 2 {
		l.guessed = pass == 0
		if !sane(l, full.Rect.Size(), look) || !colours(full, l) {
			return false
		}
		if !refine(full, l) {
			return false
		}
	}
	for range 4 * look.MaxCells {
		if !grow(full, l, look) {
			break
		}
		if !sane(l, full.Rect.Size(), look) || !colours(full, l) || !refine(full, l) {
			return false
		}
	}
	// Somewhat less than what is asked below, at a finer look: most candidates end
	// here.
	if l.share < 0.45 || l.halves > 0.45 && !l.whole() || !sane(l, full.Rect.Size(), look) || !colours(full, l) || !l.divided(full) {
		return false
	}
	l.samples = fine
	if !refine(full, l) || !colours(full, l) {
		return false
	}
	sum, n, halves := 0.0, 0, 0
	for y := 0; y <= 2*l.rows; y++ {
		for x := 1 - y&1; x <= 2*l.cols; x += 2 {
			q := l.inHalves(full, x, y)
			if l.partly(full, x, y, q) {
				halves++
			}
			sum += l.shown(full, x, y, q)
			n++
		}
	}
	l.share = sum / float64(n)
	if halves > n/3 && !l.whole() {
		return false // edges are there or not; a texture's are half there
	}
	if l.ringed(full) {
		return false
	}
	// A half: so much is seen of a lattice of twice as many lines.
	l.score = sum - 0.5*float64(n)
	// 0.03 half-cells: flat boards are within 0.007, a bulging screen within 0.015.
	return l.share >= 0.5 && l.off < 0.03 && l.divided(full)
}

// whole tells whether so much of a lattice is seen that edges which are seen in
// part are cut by what lies on them: of 2x2 cells two start circles cut most edges.
func (l *mesh) whole() bool { return l.share > mostly && l.cols*l.rows > 2 }

// mostly is how much is seen at least of a lattice that is hardly chance: of one of
// twice as many lines half is.
const mostly = 0.8

// ringed tells whether nothing joins a lattice's border to what is within it: a
// board and what frames it.
func (l *lattice) ringed(full *image.RGBA) bool {
	for side := range 4 {
		rung := l.rung(side)
		for _, e := range rung[1 : len(rung)-1] { // the first and the last are on the border
			n := l.inHalves(full, e.X, e.Y)
			// Of a cap the inner half of an edge may be seen, and beside a start circle
			// only the outer one.
			if n[side&1] == len(places)/2 || n[0]+n[1] == len(places)-1 || l.entirely(full, e.X, e.Y, n) {
				return false
			}
		}
	}
	return l.cols*l.rows > 1
}

// divided tells whether the colours divide as on a board: lines where they
// were seen and at the nodes where they meet, something else in the corners of
// the cells. A texture has edges in the right places here and there, but not
// two colours.
func (l *lattice) divided(full *image.RGBA) bool {
	axis := l.ink.Sub(l.paper)
	scale := 1 / axis.Dot(axis)
	inky := func(x, y float64) bool {
		c := l.at(full, x, y)
		return c.Sub(l.paper).Dot(axis)*scale > 0.5 || l.onTrace(c)
	}
	dark, all := map[vision.Point]bool{}, 0 // corners of the cells, of how many
	for y := 1; y < 2*l.rows; y += 2 {
		for x := 1; x < 2*l.cols; x += 2 {
			for _, p := range l.corners(x, y) {
				all++
				// Where light lies on a part of a board its cells may be as bright there as lines elsewhere.
				if inky(p.X, p.Y) && l.at(full, p.X, p.Y).Sub(l.about(full, x, y)).Dot(axis)*scale > -0.5 && (len(l.inks) == 0 || l.level(full, l.point(p.X, p.Y), 1, l.ink) > 0.5) {
					dark[p] = true
				}
			}
		}
	}
	// Of a small board with thick lines start circles cover more.
	few := 0.15 * float64(all)
	if n := float64(len(dark)); n > few && n <= few+3*4 {
		l.uncover(full, dark, min(3, 1+l.cols*l.rows/2))
	}
	if float64(len(dark)) > few {
		return false
	}
	good, nodes := 0, 0
	for y := 0; y <= 2*l.rows; y += 2 {
		for x := 0; x <= 2*l.cols; x += 2 {
			nodes++
			// Under a dot that is narrower than the line three of its corners are seen; the
			// fourth may be rounded off.
			corners, d := 0, 0.84*l.line // of a node, 0.42 of the line's width off its middle
			for _, c := range [4]vision.Point{{X: d, Y: d}, {X: d, Y: -d}, {X: -d, Y: d}, {X: -d, Y: -d}} {
				if inky(float64(x)+c.X, float64(y)+c.Y) {
					corners++
				}
			}
			if inky(float64(x), float64(y)) || corners >= 3 || l.led(x, y, inky) {
				good++
			}
		}
	}
	// Where the ground meets what is around it there is a weak edge; when the
	// lines within are far stronger than that, it is no line of the board's.
	strong, edges := 0, 0
	for y := 0; y <= 2*l.rows; y++ {
		for x := 1 - y&1; x <= 2*l.cols; x += 2 {
			for _, d := range []float64{-0.6, 0.6} {
				px, py := float64(x)+d, float64(y)
				if y&1 == 1 {
					px, py = float64(x), float64(y)+d
				}
				if edges++; l.at(full, px, py).Sub(l.paper).Dot(axis)*scale > 2.5 {
					strong++
				}
			}
		}
	}
	if 5*strong > edges {
		return false
	}
	// Nodes may be missing, or under a dot of the cells' colour.
	return float64(good) >= 0.6*float64(nodes)
}

// about is the usual colour of the edges about a cell.
func (l *lattice) about(full *image.RGBA, x, y int) vision.RGB {
	var all []vision.RGB
	for _, d := range [...]vision.Point{{X: 0.45, Y: 1}, {X: 1, Y: 0.45}, {X: 0.45, Y: -1}, {X: 1, Y: -0.45}} {
		all = append(all, l.at(full, float64(x)+d.X, float64(y)+d.Y), l.at(full, float64(x)-d.X, float64(y)-d.Y))
	}
	return vision.MedianRGB(all)
}

// led tells whether every edge of a node is seen near it: what hides the node itself is
// a dot that is wider than the lines. A texture shows half of its edges.
func (l *lattice) led(x, y int, inky func(x, y float64) bool) bool {
	near := 1 - places[len(places)-1]*(1-l.line)
	for _, d := range [4]image.Point{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
		if e := image.Pt(x, y).Add(d); e.X < 0 || e.Y < 0 || e.X > 2*l.cols || e.Y > 2*l.rows {
			continue
		}
		if !inky(float64(x)+near*float64(d.X), float64(y)+near*float64(d.Y)) {
			return false
		}
	}
	return true
}

// uncover takes off the dark corners of cells what some start circles at most may
// cover: those about a node or the middle of an edge, where all that lie within the
// least circle are dark, or a circle is seen.
func (l *lattice) uncover(full *image.RGBA, dark map[vision.Point]bool, circles int) {
	for y := range 2*l.rows + 1 {
		for x := range 2*l.cols + 1 {
			if x&y&1 == 1 {
				continue // the middle of a cell
			}
			var covered, near []vision.Point // within the least circle, and within the largest, blurred
			bare := 0
			for cy := max(1, (y-1)|1); cy <= min(y+1, 2*l.rows-1); cy += 2 {
				for cx := max(1, (x-1)|1); cx <= min(x+1, 2*l.cols-1); cx += 2 {
					for _, p := range l.corners(cx, cy) {
						r := math.Hypot(p.X-float64(x), p.Y-float64(y)) / (2 * l.line)
						if r <= 1.4 && dark[p] {
							near = append(near, p)
						}
						// 1.15 of the line's width: the least radius of a circle.
						if r > 1.15 {
							continue
						}
						if covered = append(covered, p); !dark[p] {
							bare++
						}
					}
				}
			}
			if len(near) == 0 || bare > 0 || circles == 0 || len(covered) == 0 && !l.circled(full, x, y) {
				continue
			}
			circles--
			for _, p := range near {
				delete(dark, p)
			}
		}
	}
}

// circled tells whether the line's colour is seen all round a place, beyond the line.
func (l *lattice) circled(full *image.RGBA, x, y int) bool {
	axis := l.ink.Sub(l.paper)
	for k := range 16 {
		sin, cos := math.Sincos(float64(k) * math.Pi / 8)
		c := l.at(full, float64(x)+2*l.line*cos, float64(y)+2*l.line*sin)
		if c.Sub(l.paper).Dot(axis) < 0.5*axis.Dot(axis) {
			return false
		}
	}
	return true
}

// sane tells whether a lattice lies in the frame, unfolded, with cells that
// are large enough.
func sane(l *lattice, size image.Point, look calibrations.Board) bool {
	off := 0.0
	if l.guessed {
		off = l.slack
	}
	if l.cols > look.MaxCells || l.rows > look.MaxCells || !Roughly(look.Line, l.line, off) {
		return false
	}
	for y := 0; y <= 2*l.rows; y += 2 {
		for x := 0; x <= 2*l.cols; x += 2 {
			p := l.h.Apply(vision.Point{X: float64(x), Y: float64(y)})
			if !(p.X > -2 && p.Y > -2 && p.X < float64(size.X)+1 && p.Y < float64(size.Y)+1) {
				return false
			}
			r := l.h.Apply(vision.Point{X: float64(x + 2), Y: float64(y)})
			d := l.h.Apply(vision.Point{X: float64(x), Y: float64(y + 2)})
			rx, ry, dx, dy := r.X-p.X, r.Y-p.Y, d.X-p.X, d.Y-p.Y
			lr, ld := math.Hypot(rx, ry), math.Hypot(dx, dy)
			if min(lr, ld) < look.MinPitch*0.5 || max(lr, ld) < look.MinPitch*0.8 {
				return false
			}
			// Clockwise, at 20° or more to each other, sides within 1:4.
			if rx*dy-ry*dx < 0.34*lr*ld || lr > 4*ld || ld > 4*lr {
				return false
			}
		}
	}
	return true
}

// corners are places near the corners of a cell, off any symbol, in half-cells.
func (l *mesh) corners(x, y int) [4]vision.Point {
	d := (1 - l.line) * 0.72
	fx, fy := float64(x), float64(y)
	return [4]vision.Point{{X: fx - d, Y: fy - d}, {X: fx + d, Y: fy - d}, {X: fx - d, Y: fy + d}, {X: fx + d, Y: fy + d}}
}

// at is the colour of the frame at a place of the lattice.
func (l *mesh) at(full *image.RGBA, x, y float64) vision.RGB {
	p := l.point(x, y)
	return vision.At(full, p.X, p.Y)
}

// colours measures the colours of the lines and between them.
func colours(full *image.RGBA, l *lattice) bool {
	ink, paper := make([]vision.RGB, 0, 2*l.edges()), make([]vision.RGB, 0, 4*l.cols*l.rows)
	for y := 0; y <= 2*l.rows; y++ {
		for x := 0; x <= 2*l.cols; x++ {
			fx, fy := float64(x), float64(y)
			switch {
			case x&1 == 1 && y&1 == 1:
				for _, p := range l.corners(x, y) {
					paper = append(paper, l.at(full, p.X, p.Y))
				}
			case x&1 == 1:
				ink = append(ink, l.at(full, fx-0.55, fy), l.at(full, fx+0.55, fy))
			case y&1 == 1:
				ink = append(ink, l.at(full, fx, fy-0.55), l.at(full, fx, fy+0.55))
			}
		}
	}
	l.ink, l.paper = vision.MedianRGB(ink), vision.MedianRGB(paper)
	axis := l.ink.Sub(l.paper)
	contrast := axis.Dot(axis)
	// A line that is drawn already may be lighter than the cells on a board whose
	// lines are darker, or the other way about, or of another hue.
	drawn := slices.DeleteFunc(ink, func(c vision.RGB) bool {
		c = c.Sub(l.paper)
		return c.Dot(axis) > 0.5*contrast || c.Dot(c) < 0.25*contrast
	})
	if l.traced = len(drawn) > 1; l.traced {
		l.trace = vision.MedianRGB(drawn)
		near := 0
		for _, c := range drawn {
			if l.onTrace(c) {
				near++
			}
		}
		l.traced = 4*near >= 3*len(drawn)
	}
	return math.Sqrt(contrast) >= leastContrast
}

// leastContrast is how far lines are from what is between them, of 255 a channel:
// less is the noise of a dark JPEG.
const leastContrast = 6

// onTrace tells whether a colour is that of a drawn line which is not between the
// cells' colour and the lines', nor beyond that.
func (l *lattice) onTrace(c vision.RGB) bool {
	return l.traced && c.Dist(l.trace) < 0.5*l.trace.Dist(l.paper)
}

// How many samples cross takes on each side of a line's middle: few while a
// candidate is judged, more where it counts. Between samples the place of a
// border is interpolated: at 10 within 0.01 half-cells.
const coarse, fine = 10, 20

// cross looks across an edge at a place of the lattice: how far from its
// middle, in half-cells, the line's own middle is, and how wide it is in
// pitches; width 0 when there is no line.
//
// Of a line on the border one side is enough: on a board that is fading in,
// what lies outside may be as dark as the line.
func (l *lattice) cross(full *image.RGBA, x, y float64, upright bool) (shift, width float64) {
	n := l.samples
	reach := l.line/2 + 0.35*(1-l.line)/2
	line := l.ink
	drawn := l.traced && l.onTrace(l.at(full, x, y))
	if drawn {
		line = l.trace
	}
	axis := line.Sub(l.paper)
	scale := 1 / axis.Dot(axis)
	// Across so short a way the map is as good as linear: the ends are mapped,
	// and what is between them is divided evenly.
	a, b := vision.Point{X: x - 2*reach, Y: y}, vision.Point{X: x + 2*reach, Y: y}
	if !upright {
		a, b = vision.Point{X: x, Y: y - 2*reach}, vision.Point{X: x, Y: y + 2*reach}
	}
	a, b = l.point(a.X, a.Y), l.point(b.X, b.Y)
	axis = vision.RGB{axis[0] * scale, axis[1] * scale, axis[2] * scale}
	base := l.paper.Dot(axis)
	var all [2*fine + 1]float64
	t := all[:2*n+1]
	look := func(from, to int) {
		for i := from; i <= to; i++ {
			f := float64(i) / float64(2*n)
			at := vision.Point{X: a.X + (b.X-a.X)*f, Y: a.Y + (b.Y-a.Y)*f}
			if t[i] = vision.Along(full, at.X, at.Y, axis) - base; t[i] > 0.5 && len(l.inks) > 0 {
				t[i] = min(t[i], l.level(full, at, t[i], line))
			}
		}
	}
	at, last := x, float64(2*l.cols)
	if !upright {
		at, last = y, float64(2*l.rows)
	}
	in := max(1, int(0.2*l.line/reach*float64(n)))
	look(n-in, n+in)
	centre := 0.0
	for _, v := range t[n-in : n+in+1] {
		centre += v / float64(2*in+1)
	}
	// Sheen and the cursor's disc halve the contrast. Most places are told by this much,
	// and many by one side; what lies between takes the time.
	const enough = 0.35
	look(0, 1)
	outer := [2]float64{(t[0] + t[1]) / 2}
	clear := [2]bool{centre-outer[0] >= enough}
	if !clear[0] && at != 0 {
		return 0, 0
	}
	look(2*n-1, 2*n)
	outer[1] = (t[2*n-1] + t[2*n]) / 2
	if clear[1] = centre-outer[1] >= enough; !clear[1] && (at != last || !clear[0]) {
		return 0, 0
	}
	find := func(side, step int) float64 {
		if !clear[side] {
			return 0
		}
		want := (centre + outer[side]) / 2
		for i := n; i+step >= 0 && i+step <= 2*n; i += step {
			if k := i + step; max(k-n, n-k) > in && k > 1 && k < 2*n-1 {
				look(k, k)
			}
			if t[i] >= want && t[i+step] < want {
				return (math.Abs(float64(i-n)) + (t[i]-want)/(t[i]-t[i+step])) * reach / float64(n)
			}
		}
		return 0
	}
	return l.rims(find(0, -1), find(1, 1), drawn, at == 0, at == last)
}

// rims makes of how far a line reaches on its two sides, 0 where no rim of it was
// found, what cross gives. drawn: a line is traced there; first and last: the edge
// lies on that border.
func (l *lattice) rims(left, right float64, drawn, first, last bool) (shift, width float64) {
	switch {
	case left > 0 && right > 0:
		least, most := 0.55, 1.6
		if l.guessed { // of the smallest boards the outlines tell the width to a half
			least, most = 0.4, 2.5
		}
		if w := left + right; w > least*l.line && w < most*l.line {
			return right - left, w
		}
	case drawn: // what is round the board may have its colour
	case left == 0 && first && right > 0.2*l.line && right < 0.8*l.line:
		return 2*right - l.line, l.line
	case right == 0 && last && left > 0.2*l.line && left < 0.8*l.line:
		return l.line - 2*left, l.line
	}
	return 0, 0
}

// level is how much a place is of a line's colour, 1 all of it, where the look says
// which colours lines have: one that is no mix of a line's and the ground's is another
// ground, however far it is along the way from the ground to the line (along). As far off
// all mixes as lines may be is half of it. What outlines the lines is of them.
func (l *lattice) level(full *image.RGBA, at vision.Point, along float64, line vision.RGB) float64 {
	axis := line.Sub(l.paper)
	c := vision.At(full, at.X, at.Y).Sub(l.paper)
	for k := range c {
		c[k] -= along * axis[k]
	}
	off := math.Sqrt(c.Dot(c))
	for _, rim := range l.outlines {
		off = min(off, offMixes(vision.At(full, at.X, at.Y), line, l.paper, rim))
	}
	return 1 - 0.5*off/l.within
}

// offMixes is how far a colour is from all mixes of three others.
func offMixes(c, a, b, d vision.RGB) float64 {
	p, u, v := c.Sub(a), b.Sub(a), d.Sub(a)
	uu, uv, vv, pu, pv := u.Dot(u), u.Dot(v), v.Dot(v), p.Dot(u), p.Dot(v)
	det := uu*vv - uv*uv
	if s, t := pu*vv-pv*uv, pv*uu-pu*uv; det > 1e-6*uu*vv && s >= 0 && t >= 0 && s+t <= det {
		for k := range p {
			p[k] -= (s*u[k] + t*v[k]) / det
		}
		return math.Sqrt(p.Dot(p))
	}
	return min(c.OffMix(a, b), c.OffMix(b, d), c.OffMix(d, a))
}

// places are where edges are looked at, from their middles in units of their
// visible halves: off breaks in the middle, and off the nodes.
var places = [...]float64{-0.8, -0.6, 0.6, 0.8}

// seen is how much of an edge is seen as a line, 0 to 1, of what no circle covers.
func (l *lattice) seen(full *image.RGBA, x, y int) float64 {
	return l.shown(full, x, y, l.inHalves(full, x, y))
}

// shown is seen of an edge of which n is seen as a line.
func (l *lattice) shown(full *image.RGBA, x, y int, n byHalf) float64 {
	if l.entirely(full, x, y, n) {
		return 1
	}
	return n.share()
}

// byHalf is at how many places each half of an edge is seen as a line.
type byHalf [2]int

func (n byHalf) share() float64 { return float64(n[0]+n[1]) / float64(len(places)) }

// partly tells whether an edge, of which n is seen, is seen in part; not where a start
// circle may hide it: one half of it is seen, and nothing of the other.
func (l *lattice) partly(full *image.RGBA, x, y int, n byHalf) bool {
	const half = len(places) / 2
	return n != byHalf{} && n != byHalf{half, 0} && n != byHalf{0, half} && !l.entirely(full, x, y, n)
}

// entirely tells whether an edge, of which n is seen, is seen wherever no circle about
// a node covers it.
func (l *lattice) entirely(full *image.RGBA, x, y int, n byHalf) bool {
	const half = len(places) / 2
	for k := range half { // from the nodes on
		if n[0] < half-k && !l.encircled(full, x, y, places[k]) || n[1] < half-k && !l.encircled(full, x, y, places[len(places)-1-k]) {
			return false
		}
	}
	return n != byHalf{}
}

// encircled tells whether a place of an edge lies under a circle: the line's colour goes
// on to one and a half of the line's width and more, from where on cross sees no line.
func (l *lattice) encircled(full *image.RGBA, x, y int, place float64) bool {
	axis := l.ink.Sub(l.paper)
	d := place * (1 - l.line)
	for _, off := range [...]float64{-1.5 * l.line, 0, 1.5 * l.line} {
		px, py := float64(x)+d, float64(y)+off
		if y&1 == 1 {
			px, py = float64(x)+off, float64(y)+d
		}
		if c := l.at(full, px, py); c.Sub(l.paper).Dot(axis) < 0.5*axis.Dot(axis) {
			return false
		}
	}
	return true
}

// inHalves looks at an edge.
func (l *lattice) inHalves(full *image.RGBA, x, y int) (n byHalf) {
	l.look(full, x, y, func(half int, _, _, _, _ float64) { n[half]++ })
	return n
}

// look calls do with where an edge is seen as a line: in which of its halves, the
// place in half-cells, and what cross says of it.
func (l *lattice) look(full *image.RGBA, x, y int, do func(half int, px, py, shift, width float64)) {
	upright := y&1 == 1
	for i, place := range places {
		d := place * (1 - l.line)
		px, py := float64(x)+d, float64(y)
		if upright {
			px, py = float64(x), float64(y)+d
		}
		if shift, w := l.cross(full, px, py, upright); w > 0 {
			do(2*i/len(places), px, py, shift, w)
		}
	}
}

// edges is how many a lattice has.
func (l *mesh) edges() int { return l.cols*(l.rows+1) + l.rows*(l.cols+1) }

// sightings are where the middles of a lattice's lines are seen, and how wide the
// lines are there; halves counts the edges that are seen in part. It stops where so many
// as least cannot be seen any more.
func (l *lattice) sightings(full *image.RGBA, least int) (seen []vision.Sighting, widths []float64, halves int) {
	left := l.edges()
	for y := 0; y <= 2*l.rows; y++ {
		for x := 1 - y&1; x <= 2*l.cols; x += 2 {
			var n byHalf
			l.look(full, x, y, func(half int, px, py, shift, width float64) {
				n[half]++
				widths = append(widths, width)
				if y&1 == 1 {
					seen = append(seen, vision.Sighting{P: l.point(px+shift, py), Upright: true, At: float64(x)})
				} else {
					seen = append(seen, vision.Sighting{P: l.point(px, py+shift), At: float64(y)})
				}
			})
			if l.partly(full, x, y, n) {
				halves++
			}
			if left--; len(seen)+left*len(places) < least {
				return seen, widths, halves
			}
		}
	}
	return seen, widths, halves
}

// refine fits the lattice to the middles of its lines, and measures their
// width.
func refine(full *image.RGBA, l *lattice) bool {
	// 0.25: a board is seen to a half, on its own lines; grown by a false line
	// or two on every side to somewhat less.
	least := l.edges() * len(places) / 4
	got, widths, halves := l.sightings(full, least)
	if len(got) < least {
		return false
	}
	l.share, l.halves = float64(len(got))/float64(len(places)*l.edges()), float64(halves)/float64(l.edges())
	h, off, ok := fitLattice(l.h, got)
	l.off = off
	if !ok {
		return false
	}
	l.h = h
	l.line = vision.Median(widths)
	// Where circles lie at most nodes half of a line and more is seen beside one. Most of
	// what is seen elsewhere is as wide as the quarter that is least.
	if len(l.inks) > 0 && l.line > l.widths[1] {
		if low := vision.Ranked(widths, len(widths)/4); l.widths.Has(low) {
			l.line = low
		}
	}
	return true
}

// settle fits a lattice again until it rests: where it began far from its lines,
// some of them were not seen, or something else for them.
func (l *lattice) settle(full *image.RGBA) {
	for range 6 { // two or three were seen
		before := *l
		if !refine(full, l) {
			*l = before
			return
		}
		moved := 0.0
		for i, p := range l.quad() {
			q := before.quad()[i]
			moved = max(moved, math.Hypot(p.X-q.X, p.Y-q.Y))
		}
		if moved < 0.1 { // pixels
			return
		}
	}
}

// unbend measures how the lines of a lattice that stray from their places are
// bent, where that says where nearly all of them are.
func (l *lattice) unbend(full *image.RGBA) {
	// 0.004 half-cells: flat boards are within 0.007, and most within 0.003.
	if l.off < 0.004 || l.cols < 2 || l.rows < 2 {
		return
	}
	flat := *l
	for range 2 { // far from its place a line is not measured well
		seen, _, _ := l.sightings(full, 0)
		b, off, ok := fitBend(l.h, l.cols, l.rows, seen)
		if !ok || off > 0.5*flat.off {
			*l = flat
			return
		}
		l.bend, l.off = b, off
	}
}

// larger is a lattice that has settled with the lines that are beside it, which may be seen only
// then, and where it is known how its lines are bent; false where there are none.
func (l *lattice) larger(full *image.RGBA, look calibrations.Board) (*lattice, bool) {
	larger := *l
	if !grow(full, &larger, look) || larger.cols*larger.rows < l.cols*l.rows {
		return nil, false
	}
	larger.bend = nil // which is the smaller one's
	return &larger, measure(full, &larger, look) && larger.cols*larger.rows > l.cols*l.rows
}

// along is how much is seen of the edges along one side of a lattice (0 left, 1
// right, 2 top, 3 bottom), 0 to 1.
func (l *lattice) along(full *image.RGBA, side int) float64 {
	if side < 2 {
		return l.on(full, side*2*l.cols, true)
	}
	return l.on(full, (side-2)*2*l.rows, false)
}

// on is how much is seen of the edges on one line of a lattice, 0 to 1.
func (l *lattice) on(full *image.RGBA, at int, upright bool) (sum float64) {
	n := l.cols
	if upright {
		n = l.rows
	}
	for i := range n {
		if upright {
			sum += l.seen(full, at, 2*i+1)
		} else {
			sum += l.seen(full, 2*i+1, at)
		}
	}
	return sum / float64(n)
}

// across is how much is seen of the edges that lead to one side of a lattice, and
// how many of them are seen to a half at least: none where all of those are caps
// that point at what frames the board, of which only the inner half is seen. Beside
// start circles only the outer one is.
func (l *lattice) across(full *image.RGBA, side int) (seen float64, lead int) {
	edges := l.rung(side)
	caps := true
	for _, e := range edges {
		n := l.inHalves(full, e.X, e.Y)
		seen += float64(n[0]+n[1]) / float64(len(places)*len(edges))
		if 2*(n[0]+n[1]) >= len(places) {
			lead++
			caps = caps && n[side&1] == 0
		}
	}
	if caps {
		lead = 0
	}
	return seen, lead
}

// rung is the edges that lead to the line at a side.
func (l *mesh) rung(side int) (edges []image.Point) { return l.row(side, 0, -1) }

// row is every second half-cell of those so far out from a side, from a place along it on.
func (l *mesh) row(side, from, out int) (places []image.Point) {
	for along := from; along <= int(l.length(side)); along += 2 {
		at := l.outside(side, float64(along), float64(out))
		places = append(places, image.Pt(int(at.X), int(at.Y)))
	}
	return places
}

// moved is a lattice with lines added (d = 1) or taken off (d = -1) at a side.
func (l *lattice) moved(side, d int) *lattice {
	out := *l
	out.cols, out.rows = l.cols+d*(1-side/2), l.rows+d*(side/2)
	by := [4]vision.Point{0: {X: -2}, 2: {Y: -2}}[side]
	out.h = l.h.Mul(vision.Shift(float64(d)*by.X, float64(d)*by.Y))
	return &out
}

// inked tells whether one side of a lattice has the colour of its lines, or of
// those that lead to it in the light that falls there: where the ground around a
// board ends, there is an edge, but another colour.
func (l *lattice) inked(full *image.RGBA, side int) bool {
	colour := func(edges []image.Point) (vision.RGB, bool) { // false where all of them are drawn
		var v []vision.RGB
		for _, e := range edges {
			for _, d := range []float64{-0.6, 0.6} {
				c := l.at(full, float64(e.X)+d*float64(e.X&1), float64(e.Y)+d*float64(e.Y&1))
				if !l.onTrace(c) {
					v = append(v, c)
				}
			}
		}
		return vision.MedianRGB(v), len(v) > 0
	}
	c, ok := colour(l.row(side, 1, 0))
	if !ok {
		return true
	}
	// 0.55 of the contrast: light and shade on a board stay below a third.
	far := 0.55 * l.ink.Dist(l.paper)
	leads, ok := colour(slices.DeleteFunc(l.rung(side), func(e image.Point) bool { return l.seen(full, e.X, e.Y) < 0.75 }))
	return c.Dist(l.ink) < far || ok && c.Dist(leads) < far && leads.Dist(l.paper) > far
}

// grow adds a line beside the lattice at each side, or takes one off its border, when
// that is what is seen; false when there is nothing to change.
func grow(full *image.RGBA, l *lattice, look calibrations.Board) (changed bool) {
	for side := range 4 {
		if l.fades && side == 1 {
			continue // the line there has faded away, and none follows
		}
		if (side < 2 && l.cols > 1) || (side >= 2 && l.rows > 1) {
			// Nothing leads to it: not a line of the board but something
			// beside it, such as its frame. Of a cap that points there some is seen.
			if across, lead := l.across(full, side); across < 0.15 || lead < 2 && !l.inked(full, side) {
				*l, changed = *l.moved(side, -1), true
				continue
			}
		}
		bigger := l.moved(side, 1)
		if !sane(bigger, full.Rect.Size(), look) {
			continue
		}
		// Where every edge that leads to it is there, the line is too: it has faded, or
		// all of its edges are missing. 0.95: what ends short of it is seen to 0.75 of an
		// edge at the most.
		across, lead := bigger.across(full, side)
		all := len(bigger.rung(side))
		if across >= 0.95 && lead == all && all > 2 {
			*l, changed = *bigger, true
			continue
		}
		if side == 1 && len(l.inks) > 0 && l.fadesOut(full) {
			bigger.fades = true
			*l, changed = *bigger, true
			continue
		}
		along := bigger.along(full, side)
		if along < 0.4 {
			continue
		}
		if across >= 0.3 && lead > 1 && along+across >= 1 && bigger.inked(full, side) {
			*l, changed = *bigger, true
		}
	}
	return changed
}

// sized is how sure it is that a board has as many cells as the lattice: 0.5 would
// be a toss, 1 is clear. It may be larger where a line beside the lattice, and
// edges that lead to it, are nearly as clear as grow asks for, and have fewer lines
// where one of them is hardly seen anywhere.
func (l *lattice) sized(full *image.RGBA, look calibrations.Board) float64 {
	more := 0.0
	for side := range 4 {
		bigger := l.moved(side, 1)
		if !sane(bigger, full.Rect.Size(), look) {
			continue
		}
		if across, lead := bigger.across(full, side); lead > 0 {
			along := bigger.along(full, side)
			// Of a short line all edges may be missing.
			more = max(more, min(along/0.4, across/0.3, along+across), 2*across-1)
		}
	}
	sure := 1 - 1.6*more
	return max(0, min(1, sure, 0.3+l.inner(full, true), 0.3+l.inner(full, false)))
}

// goesOn tells whether a lattice's lines go on beyond a side, though not as far as a
// line more: what shows it ends there, as at a window's border. Three quarters of them
// are seen to, and three at the least: caps and start circles stand at a node here and
// there. Where cells lie beyond the side half of them are, whatever they end at; all of four and
// more end alike at something in the colour of what is about, unless a frame is seen there.
// One is enough that leads out of the picture further than a cap does, or of which the picture does
// not show whether it leads on; of what may be caps that it cuts there are two at the most.
func (l *lattice) goesOn(full *image.RGBA, side int) bool {
	on, ended, caps, all := 0, 0, 0, 0
	out := 0.2 + 0.8*l.line // the place of the edge that is nearest to the lattice
	for along := 0.0; along <= l.length(side); along += 2 {
		all++
		at := l.outside(side, along, out)
		if !l.shows(full, at) {
			return true
		}
		if _, w := l.cross(full, at.X, at.Y, side >= 2); w == 0 {
			continue
		}
		alone, shown := l.endsAlone(full, at.X, at.Y, side)
		if alone {
			ended++
			continue
		}
		if on++; !shown {
			if caps++; caps > 2 || l.shows(full, l.outside(side, along, 1)) {
				return true
			}
		}
	}
	leads := 2*on > all || 2*(on+ended) > all && !l.framed(full, side)
	return on >= 3 && 4*on >= 3*all || 2*(on+ended) > all && l.cellsBeyond(full, side) || leads && ended == all && all > 3 || l.windowed(full, side, leads)
}

// shows tells whether a place of a lattice lies in a picture.
func (l *mesh) shows(full *image.RGBA, at vision.Point) bool {
	p := l.point(at.X, at.Y)
	return image.Pt(int(p.X), int(p.Y)).In(full.Rect)
}

// cellsBeyond tells whether the cells' ground lies beyond a side, and another beyond all
// other sides: there are more cells, which something in their colour lies over, as a door
// that opens does.
func (l *lattice) cellsBeyond(full *image.RGBA, side int) bool {
	near := 0.3 * l.ink.Dist(l.paper) // see endsAlone
	for s := range 4 {
		if (l.beside(full, s, 2*l.line).Dist(l.paper) < near) != (s == side) {
			return false
		}
	}
	return true
}

// windowed tells whether something with a straight border lies over what is beyond a side, as a
// window does: up to the outermost line, or further where lines lead on from it. There is none of the
// grounds that are beside the other sides' lines, and past both ends of the side it begins as well.
func (l *lattice) windowed(full *image.RGBA, side int, leads bool) bool {
	near, out := 0.3*l.ink.Dist(l.paper), 1.5*l.line // see endsAlone
	var about []vision.RGB
	for s := range 4 {
		if c := l.beside(full, s, out); s != side { // as it is, and in the light that falls on the side's cells
			about = append(about, c, c.Sub(l.beside(full, s, -out)).Add(l.beside(full, side, -out)))
		}
	}
	for slices.ContainsFunc(about, func(c vision.RGB) bool { return c.Dist(l.beside(full, side, out)) < near }) {
		if out += 0.05; out > 2 || !leads {
			return false
		}
	}
	for _, along := range []float64{-2 * l.line, l.length(side) + 2*l.line} {
		in, beyond := l.outside(side, along, -0.5), l.outside(side, along, out+2*l.line)
		if l.at(full, in.X, in.Y).Dist(l.at(full, beyond.X, beyond.Y)) < near {
			return false
		}
	}
	return l.length(side) > 2 && (!l.fades || side > 1) // beside one edge little is seen
}

// framed tells whether the ground ends beyond the other side as far out as beyond this one, and at the
// same colour, as within a frame.
func (l *lattice) framed(full *image.RGBA, side int) bool {
	near := 0.3 * l.ink.Dist(l.paper) // see endsAlone
	var outs [2]float64
	var frames [2]vision.RGB
	for i := range outs {
		ground := l.beside(full, side^i, 1.5*l.line)
		for outs[i] = 1.5 * l.line; outs[i] < 2 && l.beside(full, side^i, outs[i]).Dist(ground) < near; {
			outs[i] += 0.05
		}
		frames[i] = l.beside(full, side^i, outs[i]+2*l.line)
	}
	return max(outs[0], outs[1]) < 2 && math.Abs(outs[0]-outs[1]) < 0.2 && frames[0].Dist(frames[1]) < near
}

// beside is the usual colour so far out from a side, in half-cells, beside what stands at nodes.
func (l *lattice) beside(full *image.RGBA, side int, out float64) vision.RGB {
	var seen []vision.RGB
	for i := 1.0; i < l.length(side); i += 2 {
		for _, aside := range []float64{-0.2, 0, 0.2} {
			at := l.outside(side, i+aside, out)
			seen = append(seen, l.at(full, at.X, at.Y))
		}
	}
	return vision.MedianRGB(seen)
}

// outside is the position so far along a side, and so far out from it, in half-cells.
func (l *mesh) outside(side int, along, out float64) vision.Point {
	w, h := float64(2*l.cols), float64(2*l.rows)
	return [4]vision.Point{{X: -out, Y: along}, {X: w + out, Y: along}, {X: along, Y: -out}, {X: along, Y: h + out}}[side]
}

// length is how many half-cells a side has.
func (l *mesh) length(side int) float64 { return float64(2 * [2]int{l.rows, l.cols}[side/2]) }

// endsAlone tells whether a line that leads out of a lattice at a place ends within a
// pitch while the ground beside it goes on: a cap or a circle. What is cut ends together
// with its ground. What leads out of the picture as a line is not shown to.
func (l *lattice) endsAlone(full *image.RGBA, x, y float64, side int) (alone, shown bool) {
	out := [4]vision.Point{{X: -1, Y: 0}, {X: 1, Y: 0}, {X: 0, Y: -1}, {X: 0, Y: 1}}[side]
	near := 0.3 * l.ink.Dist(l.paper) // light and shade on a board stay below a third
	for d := 0.0; d < 2; d += 0.05 {
		at := vision.Point{X: x + d*out.X, Y: y + d*out.Y}
		c := l.at(full, at.X, at.Y)
		if !l.shows(full, at) {
			return false, c.Dist(l.at(full, x, y)) > near
		}
		// Beside a line that reaches out and beside the next one's: in the middle between
		// nodes other caps may stand.
		for _, aside := range [...]float64{-0.7, 0.7} {
			before, beside := l.at(full, x+aside*out.Y, y+aside*out.X), l.at(full, at.X+aside*out.Y, at.Y+aside*out.X)
			if c.Dist(before) < near && beside.Dist(before) < near {
				return true, true
			}
		}
	}
	return false, true
}

// inner is how much is seen of the least seen line within a lattice, 0 to 1. Where
// each is a single edge, which may be missing, it is how much is seen of all, less
// what would be seen of a board of half as many.
func (l *lattice) inner(full *image.RGBA, upright bool) float64 {
	lines, edges := l.rows, l.cols
	if upright {
		lines, edges = l.cols, l.rows
	}
	least, sum := 1.0, 0.0
	for i := 1; i < lines; i++ {
		seen := l.on(full, 2*i, upright)
		least, sum = min(least, seen), sum+seen
	}
	if edges == 1 && lines > 1 {
		return sum/float64(lines-1) - 0.3
	}
	return least
}

// newBoard straightens a lattice.
func newBoard(full *image.RGBA, l *lattice) *vision.Board {
	l.settle(full)
	l.unbend(full)
	b := &vision.Board{
		Cols: l.cols, Rows: l.rows, Quad: l.quad(), Pitch: vision.FlatPitch, Margin: vision.FlatPitch,
		Line: l.line, Ink: l.ink, Paper: l.paper, Stray: l.off, Share: l.share,
		FrameSize: full.Rect.Size(), ToScreen: l.h, Bend: l.bend,
	}
	b.ScreenPitch = math.Inf(1)
	for i, n := range []int{l.cols, l.rows, l.cols, l.rows} {
		p, q := b.Quad[i], b.Quad[(i+1)%4]
		b.ScreenPitch = min(b.ScreenPitch, math.Hypot(p.X-q.X, p.Y-q.Y)/float64(n))
	}
	w, h := l.cols*b.Pitch+2*b.Margin+1, l.rows*b.Pitch+2*b.Margin+1
	s := 2 / float64(b.Pitch)
	if l.bend != nil {
		b.Flat = vision.Resampled(full, w, h, func(x, y int) vision.Point {
			return l.point(float64(x-b.Margin)*s, float64(y-b.Margin)*s)
		})
		return b
	}
	b.Flat = cv.Warped(full, l.h.Mul(vision.Mat3{s, 0, -s * float64(b.Margin), 0, s, -s * float64(b.Margin), 0, 0, 1}), w, h)
	return b
}
