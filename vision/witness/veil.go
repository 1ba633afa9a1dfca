package witness

import (
	"cmp"
	"image"
	"math"
	"slices"

	"onlooker/vision"
	"onlooker/vision/witness/shape"
)

// A veil is what the game lays over a panel in a circle: its pointer, white at
// some opacity with a dark ring round it, or the larger disc that shrinks onto
// the pointer as a panel is entered. It is a compositing model: within the disc
// keep of what lies under it is seen, and add, and within the ring dark of it. What
// lies under it is what a plain board shows there. All are fitted to the picture, for
// it may have been brightened or darkened since, and no size is taken for granted, for
// it may have been scaled or cut. Lengths are pixels of the flat picture.
type veil struct {
	x, y float64
	r    float64 // to here it is veiled
	ring float64 // to here it is under the dark ring; r where there is none
	soft float64 // the borders are unclear this far to both sides
	keep float64
	add  vision.RGB
	dark float64
	from *image.RGBA // the flat picture it was found in

	line, cell vision.RGB // that are usual round it
	told       float64    // how much of keep the picture tells, and not what is usual: 0 to 1
	tinted     float64    // how far add is from grey, 0 to 1
	explained  float64    // the share of what is seen in the disc that the model explains
	seen       pointerEvidence
	odds       float64 // the logarithm of the odds that it is a pointer: see pointerOdds
	asAnother  bool    // another cell holds something of the same outline
}

// full is how bright a channel is, of 255, that may have been brighter: a value that was
// cut off, after blur and compression.
const full = 250

// few is how many places tell a colour at the least.
const few = 8

// withoutVeils measures the view again without the pointer, and without the disc round
// it, if they are over it. A pointer over something else than lines and cells stays.
func (s *sheet) withoutVeils() *sheet {
	v, ok := s.pointer(fittedPointer())
	switch {
	case !ok:
		return s
	case v.explained < tuned.Veiled:
		s.hiding = &v
		return s
	}
	return s.without(v)
}

// underUnexplained measures the view again without the pointer where it lies over a place of
// which nothing explains what is seen: that makes a pointer likelier there than elsewhere. Nil
// where none is likely.
func (s *sheet) underUnexplained(at image.Point) *sheet {
	if len(s.veils) > 0 || s.hiding != nil {
		return nil
	}
	odds := fittedPointer()
	odds.Base += tuned.Unexplained
	v, ok := s.pointer(odds)
	if !ok || !v.near(s, at) || v.explained < tuned.Veiled {
		return nil
	}
	v.odds -= tuned.Unexplained // which is how sure it is that this is the game's look
	return s.without(v)
}

// without measures the view again without a pointer, and without the disc round it.
func (s *sheet) without(v veil) *sheet {
	s = s.lift(v)
	if d, ok := s.pool(v); ok {
		s = s.lift(d)
	}
	return s
}

// light is the brightness of a colour: 0 to 765.
func light(c vision.RGB) float64 { return c[0] + c[1] + c[2] }

// lum is the brightness of the flat picture at a place.
func (s *sheet) lum(x, y float64) float64 { return vision.Along(s.b.Flat, x, y, vision.RGB{1, 1, 1}) }

// soft is how far, in pixels of the flat picture, a border in a frame that is
// slightly blurred spreads to either side.
func (s *sheet) soft() float64 { return max(1, 1.3*float64(s.b.Pitch)/s.b.ScreenPitch) }

// pointer finds the likeliest pointer on the board, if it is likelier than that there is
// none or another one: there is one pointer.
func (s *sheet) pointer(odds pointerOdds) (veil, bool) {
	if s.look.Board.Cursor.Alpha == 0 {
		return veil{}, false
	}
	all := s.rounds()
	vision.SideBySide(len(all), func(i int) { all[i] = s.pointerAt(all[i], odds) })
	best := veil{odds: math.Inf(-1)}
	for _, v := range all {
		if v.odds > best.odds {
			best = v
		}
	}
	next := math.Inf(-1)
	for _, v := range all {
		if math.Hypot(v.x-best.x, v.y-best.y) > v.r+best.r {
			next = max(next, v.odds)
		}
	}
	best.odds -= math.Log1p(math.Exp(next))
	return best, best.odds > 0
}

// pointerAt fits a pointer to a round. Where it cannot be one, whatever else is seen, not
// all is measured.
func (s *sheet) pointerAt(c veil, odds pointerOdds) veil {
	look := s.look.Board.Cursor
	v, border := s.fitted(c)
	v.seen, v.soft = pointerEvidence{ring: mostRing, border: 1 - border}, s.soft()
	v.ring, v.from = v.r*look.Ring/look.Radius, s.b.Flat
	v.odds = odds.of(v.seen)
	if pitch := float64(s.b.Pitch); v.odds < 0 || v.r < pointerRadii[0]*pitch || v.r > pointerRadii[1]*pitch {
		v.odds = math.Inf(-1)
		return v
	}
	usual := s.usualBetween(v.x, v.y, v.ring+v.soft, 2*v.ring+v.soft)
	v.dark = s.darkness(&v, usual)
	v.seen.ring, v.seen.outline = min(mostRing, 1-v.dark), max(0, leastRing-v.dark)
	if v.odds = odds.of(v.seen); v.odds < 0 {
		return v
	}
	// 0.62: a dot under it is smaller, but for the smallest pointers.
	inner := 0.62 * v.r
	disc := s.placesOf(&v, inner, max(inner+1.5, v.r-1.5*v.soft), usual)
	if len(disc) < few {
		v.odds = math.Inf(-1)
		return v
	}
	s.compose(&v, disc, usual)
	var within []vision.RGB
	shape.Around(16, func(sin, cos float64) {
		within = append(within, vision.At(s.b.Flat, v.x+v.r/2*cos, v.y+v.r/2*sin))
	})
	bright := max(0, v.white()/255-1)
	v.seen.tinted, v.seen.bright = v.tinted, math.Pow(bright, 4)
	v.seen.inked = max(0, 1-vision.MedianRGB(within).Dist(s.b.Ink)/s.contrast())
	if v.odds = odds.of(v.seen); v.odds < 0 {
		return v
	}
	like := s.likest(&v, usual)
	// White squares beside others have 0.93 and 0.94; of six pointers in cells of captures 0.58
	// at most, and one that lies so 0.92.
	v.asAnother = like.outline > mostly
	v.seen.alike = like.colour * like.colour
	v.odds = odds.of(v.seen)
	return v
}

// darkness is how much is seen under a veil's ring where that is darkest; 1 where that
// is not known.
func (s *sheet) darkness(v *veil, usual usualColours) float64 {
	dark := 1.0
	for r := v.r + 0.5; r < v.ring+v.soft; r += 0.5 {
		var all []float64
		for _, p := range s.placesOf(v, r, r, usual) {
			all = append(all, light(p.seen)/max(1, light(p.under)))
		}
		if len(all) >= few {
			dark = min(dark, vision.Median(all))
		}
	}
	return dark
}

// white is how bright what a veil is made of is at least, 0 to 255 in a picture that
// was not brightened: its share of what is seen is what it does not keep.
func (v *veil) white() float64 { return min(v.add[0], v.add[1], v.add[2]) / (1 - v.keep) }

// A veiledPlace is what is seen of a place, and what a plain board shows there; rough
// outside of the board, where that is what lies right beyond the veil.
type veiledPlace struct {
	seen, under vision.RGB
	rough       bool
}

// cut tells whether a channel was cut off.
func (p *veiledPlace) cut(k int) bool { return p.seen[k] >= full || p.under[k] >= full }

// placesOf are the places between two distances from a veil's middle of which it is known
// what a plain board shows there.
func (s *sheet) placesOf(v *veil, from, to float64, usual usualColours) (all []veiledPlace) {
	beyond := v.ring + v.soft + 1
	for r := from; r <= to; r++ {
		shape.Around(32, func(sin, cos float64) {
			x, y := v.x+r*cos, v.y+r*sin
			ox, oy := v.x+beyond*cos, v.y+beyond*sin
			switch g := s.ground(x, y); {
			case g < grounds && usual.known[g]:
				all = append(all, veiledPlace{vision.At(s.b.Flat, x, y), usual.colour[g], false})
			case g == outside && s.ground(ox, oy) == outside:
				all = append(all, veiledPlace{vision.At(s.b.Flat, x, y), vision.At(s.b.Flat, ox, oy), true})
			}
		})
	}
	return all
}

// compose fits keep and add to what is seen through a veil by least squares, where what
// they do not explain weighs less. Where what lies under it has one colour that does not
// tell keep: the profile's opacity weighs as much as a variance of 0.005 contrasts.
func (s *sheet) compose(v *veil, all []veiledPlace, usual usualColours) {
	v.line, v.cell = s.b.Ink, s.b.Paper
	if usual.known[onLine] {
		v.line = usual.colour[onLine]
	}
	if usual.known[onCell] {
		v.cell = usual.colour[onCell]
	}
	contrast, prior := s.contrast(), 1-s.look.Board.Cursor.Alpha
	known := uncut(all)
	weights, misfits := make([]float64, len(all)), make([]float64, len(all))
	for i := range weights {
		weights[i] = 1
	}
	for range 4 {
		var cov, variance, n float64
		var every, smooth [3]moments
		for k := range 3 {
			for i, p := range all {
				if known[k] && p.cut(k) {
					continue
				}
				every[k].add(weights[i], p.under[k], p.seen[k])
				if known[k] && !p.rough {
					smooth[k].add(weights[i], p.under[k], p.seen[k])
				}
			}
			c, v := smooth[k].spread()
			cov, variance, n = cov+c, variance+v, n+smooth[k].n/3
		}
		least := 0.005*contrast*contrast*n + 1e-9
		v.keep, v.told = (cov+least*prior)/(variance+least), variance/(variance+least)
		for k, m := range every {
			v.add[k] = (m.y - v.keep*m.x) / max(1e-9, m.n)
		}
		for i, p := range all {
			misfits[i] = v.misfit(p, known)
			weights[i] = 1 / (0.05*contrast + misfits[i])
		}
	}
	fits := 0
	for _, m := range misfits {
		if m < clearly*contrast*v.keep {
			fits++
		}
	}
	v.explained = float64(fits) / float64(max(1, len(all)))
	v.tinted = v.tint(known)
	if s.ground(v.x, v.y) >= grounds {
		// What lies outside is darker than lines and cells mostly: there a small
		// mistake hides a cap, and white stays grey.
		grey := vision.Median(slices.Clone(v.add[:]))
		v.add = vision.RGB{grey, grey, grey}
	}
}

// uncut tells which channels were not cut off in most places: the others tell only how
// white a veil is at least.
func uncut(all []veiledPlace) (known [3]bool) {
	for k := range known {
		cut := 0
		for _, p := range all {
			if p.cut(k) {
				cut++
			}
		}
		known[k] = 2*cut < len(all)
	}
	return known
}

// moments are weighed sums of two values and of their products.
type moments struct{ n, x, y, xx, xy float64 }

func (m *moments) add(w, x, y float64) {
	m.n, m.x, m.y, m.xx, m.xy = m.n+w, m.x+w*x, m.y+w*y, m.xx+w*x*x, m.xy+w*x*y
}

// spread is the covariance of both and the variance of the first, times the weights.
func (m *moments) spread() (cov, variance float64) {
	n := max(1e-9, m.n)
	return m.xy - m.x*m.y/n, max(0, m.xx-m.x*m.x/n)
}

// misfit is how far what is seen is off what a veil makes of what lies under it, by the
// channels that were not cut off.
func (v *veil) misfit(p veiledPlace, known [3]bool) (off float64) {
	for k, ok := range known {
		if ok && !p.cut(k) {
			off = math.Hypot(off, p.seen[k]-v.keep*p.under[k]-v.add[k])
		}
	}
	return off
}

// tint is how far from grey the channels of a veil's own colour are, 0 to 1.
func (v *veil) tint(known [3]bool) float64 {
	lo, hi := math.Inf(1), 0.0
	for k, ok := range known {
		if ok {
			lo, hi = min(lo, v.add[k]), max(hi, v.add[k])
		}
	}
	return min(1, max(0, hi-lo)/max(1, hi))
}

// A likeness is how much something on the board is like what lies elsewhere, 0 to 1: in
// colour, as far as it differs from a plain board, and the share of what both cover.
type likeness struct{ colour, outline float64 }

// likest compares what lies in and about a veil with what lies at the same place of other
// cells or other lines: there is one pointer, and symbols and dots are often alike.
func (s *sheet) likest(v *veil, usual usualColours) (most likeness) {
	centre, reach := s.ground(v.x, v.y), v.ring+v.soft
	if centre >= grounds || !usual.known[centre] {
		return most
	}
	var at []image.Point // of what lies there on the same ground
	own := 0.0
	plain := usual.colour[centre]
	for y := int(v.y - reach); y <= int(v.y+reach)+1; y++ {
		for x := int(v.x - reach); x <= int(v.x+reach)+1; x++ {
			if p := image.Pt(x, y); p.In(s.b.Flat.Rect) && math.Hypot(float64(x)-v.x, float64(y)-v.y) <= reach && s.ground(float64(x), float64(y)) == centre {
				d := s.pixel(p).Dist(plain)
				at, own = append(at, p), own+d*d
			}
		}
	}
	odd := slightly * s.contrast()
	for j := -s.b.Rows; j <= s.b.Rows; j++ {
		for i := -s.b.Cols; i <= s.b.Cols; i++ {
			by := image.Pt(i, j).Mul(s.b.Pitch)
			x, y := v.x+float64(by.X), v.y+float64(by.Y)
			if by == (image.Point{}) || s.ground(x, y) != centre {
				continue
			}
			there := plain
			if centre == onCell {
				odd := func(d float64) int { return 2*((int(d)-s.b.Margin)/s.b.Pitch) + 1 }
				there = s.cell(odd(x), odd(y))
			}
			var sum, both, either float64
			for _, p := range at {
				a, b := s.pixel(p).Sub(plain), s.pixel(p.Add(by)).Sub(there)
				d := a.Dist(b)
				sum += d * d
				oddA, oddB := a.Dist(vision.RGB{}) > odd, b.Dist(vision.RGB{}) > odd
				if oddA && oddB {
					both++
				}
				if oddA || oddB {
					either++
				}
			}
			most.colour = max(most.colour, 1-math.Sqrt(sum/max(1, own)))
			if centre == onCell {
				most.outline = max(most.outline, both/max(1, either))
			}
		}
	}
	return most
}

// pixel is the colour of a pixel of the flat picture, or of the nearest one.
func (s *sheet) pixel(p image.Point) vision.RGB {
	r := s.b.Flat.Rect
	k := s.b.Flat.PixOffset(max(0, min(p.X, r.Max.X-1)), max(0, min(p.Y, r.Max.Y-1)))
	q := s.b.Flat.Pix[k : k+3 : k+3]
	return vision.RGB{float64(q[0]), float64(q[1]), float64(q[2])}
}

// usualColours are the usual colours of lines and of cells, where they are known.
type usualColours struct {
	colour [grounds]vision.RGB
	known  [grounds]bool
}

// usualBetween are the usual colours between two distances from a place.
func (s *sheet) usualBetween(x, y, from, to float64) (usual usualColours) {
	var all [grounds][]vision.RGB
	b := s.b.Flat.Rect
	for py := max(0, int(y-to)); py <= min(b.Dy()-1, int(y+to)+1); py++ {
		for px := max(0, int(x-to)); px <= min(b.Dx()-1, int(x+to)+1); px++ {
			if r := math.Hypot(float64(px)-x, float64(py)-y); r < from || r > to {
				continue
			}
			if g := s.ground(float64(px), float64(py)); g < grounds {
				p := s.b.Flat.Pix[py*s.b.Flat.Stride+4*px:]
				all[g] = append(all[g], vision.RGB{float64(p[0]), float64(p[1]), float64(p[2])})
			}
		}
	}
	for g := range all {
		if usual.known[g] = len(all[g]) >= few; usual.known[g] {
			usual.colour[g] = vision.MedianRGB(all[g])
		}
	}
	return usual
}

// pointerRadii are the radii that the pointer was seen with, in pitches: 0.11
// on the widest cells, 0.65 on the smallest.
var pointerRadii = [2]float64{0.095, 0.75}

// rounds are circles that are brighter inside than outside along most of their
// border: each steep place votes for the middle of the circle that it would be
// on, for a range of radii. The likeliest come first, 16 at most: symbols and caps are
// rounds as well, and on a full board clearer ones.
func (s *sheet) rounds() []veil {
	border, size := s.steepPlaces()
	var radii []float64
	pitch := float64(s.b.Pitch) / voteStep
	for r := pointerRadii[0] * pitch; r <= pointerRadii[1]*pitch; r *= 1.13 {
		radii = append(radii, r)
	}
	found := make([][]votedRound, len(radii))
	vision.SideBySide(len(radii), func(n int) { found[n] = vote(border, size, radii[n]) })
	all := slices.Concat(found...)
	slices.SortStableFunc(all, func(a, b votedRound) int { return cmp.Compare(b.score, a.score) })
	var best []veil
	for _, c := range all {
		// The same circle was found with the next radius, and a little aside.
		if slices.ContainsFunc(best, func(o veil) bool {
			return math.Hypot(o.x-c.x, o.y-c.y) < 0.5*max(o.r, c.r) && max(o.r, c.r) < (1+clearly)*min(o.r, c.r)
		}) {
			continue
		}
		if best = append(best, veil{x: c.x, y: c.y, r: c.r}); len(best) == 16 {
			break
		}
	}
	return best
}

// voteStep is how many pixels of the flat picture, each way, are one of the picture
// in which places vote.
const voteStep = 2

// A steepPlace is one where the brightness rises: where it is, in pixels of the
// reduced picture, which way it rises, as a vector of length 1, and what it counts.
type steepPlace struct{ x, y, dx, dy, much float32 }

// steepPlaces are those of the flat picture, reduced, and the reduced picture's size.
func (s *sheet) steepPlaces() ([]steepPlace, image.Point) {
	const step = voteStep
	w, h := s.b.Flat.Rect.Dx()/step, s.b.Flat.Rect.Dy()/step
	lum := make([]float32, w*h)
	for j := range h {
		for i := range w {
			k := j*step*s.b.Flat.Stride + i*step*4
			p, q := s.b.Flat.Pix[k:k+8:k+8], s.b.Flat.Pix[k+s.b.Flat.Stride:][:8:8]
			t := int(p[0]) + int(p[1]) + int(p[2]) + int(p[4]) + int(p[5]) + int(p[6])
			t += int(q[0]) + int(q[1]) + int(q[2]) + int(q[4]) + int(q[5]) + int(q[6])
			lum[j*w+i] = float32(t) / (step * step)
		}
	}
	border := make([]steepPlace, 0, w*h/4)
	contrast := float32(s.contrast())
	for j := 1; j < h-1; j++ {
		for i := 1; i < w-1; i++ {
			k := j*w + i
			dx, dy := lum[k+1]-lum[k-1], lum[k+w]-lum[k-w]
			if m := float32(math.Sqrt(float64(dx*dx + dy*dy))); m > slightly*contrast {
				border = append(border, steepPlace{float32(i), float32(j), dx / m, dy / m, min(1, m/(0.5*contrast))})
			}
		}
	}
	return border, image.Pt(w, h)
}

// A votedRound is a round and how many of the places on its border voted for it, for
// each pixel of its radius; lengths as a veil's.
type votedRound struct{ x, y, r, score float64 }

// vote is where circles of a radius, in pixels of the reduced picture, may have their
// middles: where half of a border's places vote for at least, and more than beside it.
// Votes are gathered in squares of two by two.
func vote(border []steepPlace, size image.Point, r float64) (found []votedRound) {
	vw, vh := size.X/2+1, size.Y/2+1
	votes := make([]float32, vw*vh)
	for _, e := range border {
		x, y := e.x+float32(r)*e.dx, e.y+float32(r)*e.dy
		if x >= 0 && y >= 0 && x < float32(size.X) && y < float32(size.Y) {
			votes[int(y/2)*vw+int(x/2)] += e.much
		}
	}
	// Of four squares each; of the rows of these three are needed at a time.
	fours := make([]float32, 3*vw)
	four := func(j int) []float32 { return fours[j%3*vw:][:vw:vw] }
	gather := func(j int) {
		above, below, sums := votes[j*vw:][:vw:vw], votes[(j+1)*vw:][:vw:vw], four(j)
		for i := range vw - 1 {
			sums[i] = above[i] + above[i+1] + below[i] + below[i+1]
		}
	}
	// 0.5 of a border that is a pixel wide.
	least := float32(0.5 * 2 * math.Pi * r)
	for j := range min(2, vh-1) {
		gather(j)
	}
	for j := 1; j < vh-2; j++ {
		gather(j + 1)
		above, row, below := four(j-1), four(j), four(j+1)
		for i := 1; i < vw-2; i++ {
			v := row[i]
			if v < least || v < max(row[i-1], row[i+1], above[i], below[i]) || v < max(above[i-1], above[i+1], below[i-1], below[i+1]) {
				continue
			}
			// The corner that the four squares share.
			x, y := float64(2*i+2)*voteStep-0.5, float64(2*j+2)*voteStep-0.5
			found = append(found, votedRound{x, y, voteStep * r, float64(v) / r})
		}
	}
	return found
}

// fitted moves and widens a circle to where the step across its border is
// highest, and says along how much of the border it is brighter inside.
func (s *sheet) fitted(v veil) (veil, float64) {
	const n = 16
	step := func(v veil, sin, cos, reach float64) float64 {
		return s.lum(v.x+(v.r-reach)*cos, v.y+(v.r-reach)*sin) - s.lum(v.x+(v.r+reach)*cos, v.y+(v.r+reach)*sin)
	}
	// Of a sharp border one reach alone would not find the middle.
	value := func(v veil) (t float64) {
		shape.Around(n, func(sin, cos float64) {
			t += (step(v, sin, cos, 0.7) + step(v, sin, cos, 1.5) + step(v, sin, cos, 2.5)) / n
		})
		return t
	}
	top := value(v)
	for d := max(1, v.r/8); d >= 0.4; {
		better := false
		for _, m := range [][3]float64{{d, 0, 0}, {-d, 0, 0}, {0, d, 0}, {0, -d, 0}, {0, 0, d}, {0, 0, -d}} {
			o := v
			o.x, o.y, o.r = v.x+m[0], v.y+m[1], v.r+m[2]
			if o.r < 2 {
				continue
			}
			if t := value(o); t > top {
				top, v, better = t, o, true
			}
		}
		if !better {
			d /= 2
		}
	}
	share, contrast, reach := 0.0, s.contrast(), 1+s.soft()
	shape.Around(n, func(sin, cos float64) {
		if step(v, sin, cos, reach) > faintly*contrast {
			share += 1.0 / n
		}
	})
	return v, share
}

// A ground is what a place of the flat picture shows on a plain board.
type ground int

const (
	onLine ground = iota
	onCell
	grounds
	outside // the board, perhaps on a cap
	neither // a line's border
)

func (s *sheet) ground(px, py float64) ground {
	k := 1 / float64(s.b.Pitch)
	x, y := (px-float64(s.b.Margin))*k, (py-float64(s.b.Margin))*k
	if o := max(-x, -y, x-float64(s.b.Cols), y-float64(s.b.Rows)); o > 0.7*s.line {
		return outside
	} else if o > 0.3*s.line {
		return neither
	}
	// A border spreads by 1.3 pixels of the frame.
	unclear := max(0.08*s.line, min(0.2*s.line, 1.3/s.b.ScreenPitch))
	switch d := min(math.Abs(x-math.Round(x)), math.Abs(y-math.Round(y))); {
	case d < 0.5*s.line-unclear:
		return onLine
	case d > 0.5*s.line+unclear:
		return onCell
	}
	return neither
}

// pool finds the disc that shrinks onto the pointer, which is taken off.
func (s *sheet) pool(p veil) (veil, bool) {
	const n = 64
	contrast := s.contrast()
	reach := p.soft + 0.5
	type ring struct{ r, step float64 }
	var rings []ring
	// From a third of the pointer, as it vanishes, to seven times, as it begins.
	for r := p.r / 3; r < 7*p.r; r++ {
		if r > p.r-2*p.soft-reach && r < p.ring+2*p.soft+reach {
			continue // the pointer's own borders
		}
		sum := 0.0
		shape.Around(n, func(sin, cos float64) {
			d := s.lum(p.x+(r-reach)*cos, p.y+(r-reach)*sin) - s.lum(p.x+(r+reach)*cos, p.y+(r+reach)*sin)
			sum += max(-0.3*contrast, min(0.3*contrast, d)) / n
		})
		rings = append(rings, ring{r, sum})
	}
	// Where lines and cells lie round the pointer alike there are steeper ones.
	var steepest []ring
	for i, at := range rings {
		if at.step <= 0 || i > 0 && rings[i-1].step >= at.step || i < len(rings)-1 && rings[i+1].step > at.step {
			continue
		}
		last := i // as steep as the first
		for last < len(rings)-1 && rings[last+1].step > nearly*at.step {
			last++
		}
		steepest = append(steepest, ring{(at.r + rings[last].r) / 2, at.step})
	}
	slices.SortStableFunc(steepest, func(a, b ring) int { return cmp.Compare(b.step, a.step) })
	for _, at := range steepest {
		if v, ok := s.poolAt(p, at.r); ok {
			return v, true
		}
	}
	return veil{}, false
}

// poolAt is pool for a disc of about some radius.
func (s *sheet) poolAt(p veil, r float64) (veil, bool) {
	v, share := s.fitted(veil{x: p.x, y: p.y, r: r})
	if share < mostly || math.Hypot(v.x-p.x, v.y-p.y) > 0.5*p.r {
		return veil{}, false
	}
	v.ring, v.soft, v.dark = v.r, s.soft(), 1
	from, beyond := max(p.ring+2*p.soft, 0.5*v.r), 1.4*v.r+v.soft
	if v.r < p.r {
		from, beyond = 0.3*v.r, p.r-p.soft
	}
	usual := s.usualBetween(v.x, v.y, v.r+v.soft, beyond)
	within := s.placesOf(&v, from, v.r-v.soft, usual)
	s.compose(&v, within, usual)
	// It is as white as a pointer with a ring beyond doubt. Beyond the pointer lines and cells
	// are to tell its opacity, for that changes.
	odds := fittedPointer()
	white := odds.of(pointerEvidence{ring: mostRing, tinted: v.tinted}) > 0
	return v, white && len(within) >= few && v.explained > tuned.Veiled && min(v.add[0], v.add[1], v.add[2]) > 0 && (v.r < p.r || v.told > 0.5)
}

// under is what lies under a veil through which a colour is seen. A channel that was cut
// off is, of a line or a cell or both mixed, theirs; of anything else it may have been as
// bright.
func (v *veil) under(seen vision.RGB, contrast float64) (c vision.RGB) {
	axis := v.cell.Sub(v.line)
	dot, all := 0.0, 0.0
	cut := false
	for k := range c {
		if c[k] = (seen[k] - v.add[k]) / v.keep; seen[k] < full {
			dot, all = dot+axis[k]*(c[k]-v.line[k]), all+axis[k]*axis[k]
		} else {
			cut = true
		}
	}
	if !cut {
		return c
	}
	share := max(0, min(1, dot/max(1, all)))
	off, mixed := 0.0, v.line
	for k := range mixed {
		mixed[k] += share * axis[k]
		if seen[k] < full {
			off = math.Hypot(off, c[k]-mixed[k])
		} else {
			off = max(off, c[k]-mixed[k])
		}
	}
	for k := range c {
		switch {
		case seen[k] < full:
		case off < clearly*contrast:
			c[k] = max(c[k], mixed[k])
		default:
			c[k] = 255
		}
	}
	return c
}

// lift measures the view without a veil. Under its borders stands what is seen
// beside them.
func (s *sheet) lift(v veil) *sheet {
	clear := *s.b
	clear.Flat = image.NewRGBA(s.b.Flat.Rect)
	copy(clear.Flat.Pix, s.b.Flat.Pix)
	under := func(x, y float64) vision.RGB { return v.under(vision.At(s.b.Flat, x, y), s.contrast()) }
	end := v.ring + v.soft
	for y := max(0, int(v.y-end)); y <= min(clear.Flat.Rect.Dy()-1, int(v.y+end)+1); y++ {
		for x := max(0, int(v.x-end)); x <= min(clear.Flat.Rect.Dx()-1, int(v.x+end)+1); x++ {
			fx, fy := float64(x), float64(y)
			r := math.Hypot(fx-v.x, fy-v.y)
			to := func(d float64) (x, y float64) { return v.x + (fx-v.x)*d/r, v.y + (fy-v.y)*d/r }
			var c vision.RGB
			switch in := max(0, v.r-v.soft); {
			case r > end:
				continue
			case r <= in:
				c = under(fx, fy)
			case r > v.r+v.soft && r < v.ring-v.soft:
				c = vision.At(s.b.Flat, fx, fy)
				for k := range c {
					c[k] /= v.dark
				}
			default:
				// A border: of what is seen inwards of it and outwards that which,
				// with some of the veil over it, is more like it.
				c = under(to(in))
				x, y := to(end)
				out, seen := vision.At(s.b.Flat, x, y), vision.At(s.b.Flat, fx, fy)
				off := func(c vision.RGB) float64 {
					var over, dark vision.RGB
					for k := range c {
						over[k], dark[k] = v.keep*c[k]+v.add[k], v.dark*c[k]
					}
					return seen.OffMix(over, dark)
				}
				if a, b := off(c), off(out); b < 0.5*a || b < 2*a && r > (v.r+v.ring)/2 {
					c = out
				}
			}
			p := clear.Flat.Pix[y*clear.Flat.Stride+4*x:]
			for k := range 3 {
				p[k] = uint8(max(0, min(255, c[k]+0.5)))
			}
		}
	}
	return measure(&clear, s.look, s.drawn, append(slices.Clone(s.veils), v))
}

// pointed is where the pointer is, if it is on the board: seen through, or not.
func (s *sheet) pointed() (veil, bool) {
	switch {
	case len(s.veils) > 0:
		return s.veils[0], true
	case s.hiding != nil:
		return *s.hiding, true
	}
	return veil{}, false
}

// certain tells whether a veil is a pointer with some confidence.
func (v veil) certain(confidence float64) bool { return v.odds > math.Log(confidence/(1-confidence)) }

// to is the way from a veil's middle to a place, in pixels of the flat picture.
func (v veil) to(s *sheet, at image.Point) (x, y float64) {
	k := float64(s.b.Pitch) / 2
	return float64(s.b.Margin) + k*float64(at.X) - v.x, float64(s.b.Margin) + k*float64(at.Y) - v.y
}

// near tells whether a place lies under the pointer or right beside it.
func (v veil) near(s *sheet, at image.Point) bool {
	x, y := v.to(s, at)
	return math.Hypot(x, y) < v.ring+s.line*float64(s.b.Pitch)
}

// reaches tells whether a veil or its border may lie over what stands in a cell, or
// beside it.
func (v veil) reaches(s *sheet, cell image.Point) bool {
	x, y := v.to(s, cell)
	// 0.24: a square reaches so far from its middle.
	return math.Hypot(x, y) < v.ring+v.soft+0.24*float64(s.b.Pitch)
}

// over tells whether the pointer lies over what stands in a cell.
func (v veil) over(s *sheet, cell image.Point, st *stain) bool {
	x, y := v.to(s, cell)
	for j := range st.n {
		for i := range st.n {
			if st.cover[j*st.n+i] >= 0.5 && math.Hypot(x+float64(i)+0.5-float64(st.n)/2, y+float64(j)+0.5-float64(st.n)/2) < v.ring {
				return true
			}
		}
	}
	return false
}

// alone tells whether what is seen in a cell is the pointer and nothing else: a disc
// larger than any symbol's parts, through which none is seen.
func (v veil) alone(s *sheet, cell image.Point, st *stain) bool {
	pitch := float64(s.b.Pitch)
	x, y := v.to(s, cell)
	// 0.24: a square reaches so far from its middle.
	if v.r-v.border(s) < 0.24*pitch || math.Hypot(x, y) > 0.1*pitch {
		return false
	}
	discs := s.veils // the pointer, and what shrinks onto it
	if len(discs) == 0 {
		discs = []veil{v}
	}
	// Patches as wide as what fits into a triangle: single pixels of a compressed
	// picture differ by more.
	half := int(0.04*pitch + 0.5)
	under := make([][]vision.RGB, len(discs)) // by under how many more discs than the pointer
	for py := math.Ceil(-v.r); py < v.r; py++ {
		for px := math.Ceil(-v.r); px < v.r; px++ {
			deep := s.beneath(discs, px, py, float64(half))
			if deep < 0 {
				continue
			}
			var mean vision.RGB
			for b := -half; b <= half; b++ {
				for a := -half; a <= half; a++ {
					mean = mean.Add(vision.At(v.from, v.x+px+float64(a), v.y+py+float64(b)))
				}
			}
			n := float64((2*half + 1) * (2*half + 1))
			under[deep] = append(under[deep], vision.RGB{mean[0] / n, mean[1] / n, mean[2] / n})
		}
	}
	// 0.125: a symbol differs from the cell by 0.22 of the contrast, seen through the
	// veil by 0.6 of that, and through every further one by as much less.
	most := 0.125 * s.contrast()
	for deep, seen := range under {
		if deep > 0 {
			most *= discs[deep].keep
		}
		if len(seen) == 0 {
			continue
		}
		usual := vision.MedianRGB(seen)
		for _, c := range seen {
			if c.Dist(usual) > most {
				return false
			}
		}
	}
	if st == nil {
		return true
	}
	for k, cover := range st.cover {
		px, py := x+float64(k%st.n)+0.5-float64(st.n)/2, y+float64(k/st.n)+0.5-float64(st.n)/2
		if cover >= 0.5 && math.Hypot(px, py) > v.ring {
			return false
		}
	}
	return true
}

// border is how far to both sides of its rim a veil is not looked through.
func (v veil) border(s *sheet) float64 { return max(1.5*s.soft(), 0.1*v.r) }

// beneath is how many discs but the first, which is the pointer, lie over a patch of
// some half width, given from the pointer's middle; -1 where one ends there, or the
// pointer does not reach.
func (s *sheet) beneath(discs []veil, px, py, half float64) int {
	deep := -1
	for k, d := range discs {
		x, y := math.Abs(px+discs[0].x-d.x), math.Abs(py+discs[0].y-d.y)
		switch {
		case math.Hypot(x+half, y+half) <= d.r-d.border(s):
			deep++
		case k == 0 || math.Hypot(max(0, x-half), max(0, y-half)) < d.r+d.border(s):
			return -1
		}
	}
	return deep
}

// hidden tells whether a pixel of the flat picture lies under the border of a
// veil, where what is there was not seen.
func (s *sheet) hidden(px, py float64) bool {
	return slices.ContainsFunc(s.veils, func(v veil) bool {
		r := math.Hypot(px-v.x, py-v.y)
		return math.Abs(r-v.r) < v.soft+1 || math.Abs(r-v.ring) < v.soft+1
	})
}
