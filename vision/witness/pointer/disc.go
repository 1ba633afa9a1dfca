package pointer

import (
	"cmp"
	"image"
	"math"
	"slices"

	"onlooker/calibrations"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/shape"
	"onlooker/vision/witness/view"
)

// Full is how bright a channel is, of 255, that may have been brighter: a value that was
// cut off, after blur and compression.
const Full = 250

// few is how many places tell a colour at the least.
const few = 8

// withoutPointer measures the view again without the pointer, and without the disc round
// it, if they are over it. A pointer over something else than lines and cells stays, and so
// does one that another cell holds the like of. What else is one by its border and its ring,
// whatever is below it, stays as well: but where there are several of these they are symbols, and
// so is what looks as something in another cell does.
func withoutPointer(s *view.View) *view.View {
	v, all := findPointer(s, FittedOdds())
	taken := v.Odds > 0 && v.Explained >= view.Tuned.Veiled && !v.AsAnother
	apart := func(a, b view.Disc) bool { return math.Hypot(a.X-b.X, a.Y-b.Y) > a.R+b.R }
	var rings []view.Disc
	for _, o := range all {
		if o.Shape > 0 && (v.Odds <= 0 || apart(o, v)) {
			rings = append(rings, o)
		}
	}
	if slices.ContainsFunc(rings, func(o view.Disc) bool { return apart(o, rings[0]) }) {
		rings = nil
	}
	rings = slices.DeleteFunc(rings, func(o view.Disc) bool { // on lines and breaks no plain board is known
		return groundOf(s, o.X, o.Y) == onCell && o.Shape+FittedOdds().Tinted*o.Tinted < 0 || likest(s, &o, usualAbout(s, &o)).colour > view.Mostly
	})
	if taken {
		s = takeOff(s, v)
	} else if v.Odds > 0 {
		rings = append([]view.Disc{v}, rings...)
	}
	s.Rings = rings
	return s
}

// UnderUnexplained measures the view again without the pointer where it lies over a place of
// which nothing explains what is seen: that makes a pointer likelier there than elsewhere. Nil
// where none is likely.
func UnderUnexplained(s *view.View, at image.Point) *view.View {
	if len(s.Discs) > 0 {
		return nil
	}
	odds := FittedOdds()
	odds.Base += view.Tuned.Unexplained
	v, _ := findPointer(s, odds)
	if v.Odds <= 0 || !Near(v, s, at) || v.Explained < view.Tuned.Veiled {
		return nil
	}
	v.Odds -= view.Tuned.Unexplained // which is how sure it is that this is the game's look
	return takeOff(s, v)
}

// takeOff measures the view again without a pointer, and without the disc round it.
func takeOff(s *view.View, v view.Disc) *view.View {
	s = lift(s, v)
	if d, ok := poolRound(s, v); ok {
		s = lift(s, d)
	}
	return s
}

// lum is the brightness of the flat picture at a place.
func lum(s *view.View, x, y float64) float64 {
	return vision.Along(s.Board.Flat, x, y, vision.RGB{1, 1, 1})
}

// soft is how far, in pixels of the flat picture, a border in a frame that is
// slightly blurred spreads to either side.
func soft(s *view.View) float64 { return max(1, 1.3*float64(s.Board.Pitch)/s.Board.ScreenPitch) }

// findPointer finds the likeliest pointer on the board, which is one where it is likelier than
// that there is none or another one, and all that may be one.
func findPointer(s *view.View, odds Odds) (best view.Disc, all []view.Disc) {
	best.Odds = math.Inf(-1)
	if s.Profile.Board.Cursor.Alpha == 0 {
		return best, nil
	}
	all = Rounds(s)
	vision.SideBySide(len(all), func(i int) { all[i] = PointerAt(s, all[i], odds) })
	for _, v := range all {
		if v.Odds > best.Odds {
			best = v
		}
	}
	next := math.Inf(-1)
	for _, v := range all {
		if math.Hypot(v.X-best.X, v.Y-best.Y) > v.R+best.R {
			next = max(next, v.Odds)
		}
	}
	best.Odds -= math.Log1p(math.Exp(next))
	return best, all
}

// PointerAt fits a pointer to a round. Where it cannot be one, whatever else is seen, not
// all is measured.
func PointerAt(s *view.View, c view.Disc, odds Odds) view.Disc {
	look := s.Profile.Board.Cursor
	v, border := fitDisc(s, c)
	v.Seen, v.Soft = view.PointerEvidence{Ring: mostRing, Border: 1 - border}, soft(s)
	v.Ring, v.From = v.R*look.Ring/look.Radius, s.Board.Flat
	v.Odds, v.Shape = odds.Of(v.Seen), math.Inf(-1)
	if pitch := float64(s.Board.Pitch); v.Odds < 0 || v.R < pointerRadii[0]*pitch || v.R > pointerRadii[1]*pitch {
		v.Odds = math.Inf(-1)
		return v
	}
	usual := usualAbout(s, &v)
	v.Dark = darkness(s, &v, usual)
	v.Seen.Ring, v.Seen.Outline = min(mostRing, 1-v.Dark), max(0, leastRing-v.Dark)
	v.Odds = odds.Of(v.Seen)
	if v.Shape = v.Odds; v.Odds < 0 && v.Seen.Border > 0 {
		return v
	}
	if v.Odds < 0 { // on black no ring is seen
		alike := v.Seen
		alike.Ring = max(alike.Ring, mostRing*(1-unlike(s, &v, usual)/view.Clearly))
		v.Shape = odds.Of(alike)
		return v
	}
	// 0.62: a dot under it is smaller, but for the smallest pointers.
	inner := 0.62 * v.R
	disc := placesOf(s, &v, inner, max(inner+1.5, v.R-1.5*v.Soft), usual)
	if len(disc) < few {
		v.Odds = math.Inf(-1)
		return v
	}
	compose(s, &v, disc, usual)
	var within []vision.RGB
	shape.Around(16, func(sin, cos float64) {
		within = append(within, vision.At(s.Board.Flat, v.X+v.R/2*cos, v.Y+v.R/2*sin))
	})
	white := min(v.Add[0], v.Add[1], v.Add[2]) // at least, in a picture that was not brightened
	if v.Filtered {
		white = v.Add[0]
	}
	bright := max(0, white/(1-v.Keep)/255-1) // its share of what is seen is what it does not keep
	v.Seen.Inked = max(0, 1-vision.MedianRGB(within).Dist(s.Board.Ink)/s.Contrast())
	v.Shape = odds.Of(v.Seen)
	v.Seen.Tinted, v.Seen.Bright = v.Tinted, math.Pow(bright, 4)
	if v.Odds = odds.Of(v.Seen); v.Odds < 0 {
		return v
	}
	like := likest(s, &v, usual)
	// White squares beside others have 0.93 and 0.94; of six pointers in cells of captures 0.58
	// at most, and one that lies so 0.92.
	v.AsAnother = like.outline > view.Mostly
	v.Seen.Alike = like.colour * like.colour
	v.Odds = odds.Of(v.Seen)
	return v
}

// darkness is how much is seen under a veil's ring where that is darkest, of what a plain board
// shows there, and on lines of the darker of what lies inwards of it and outwards; 1 where that is not known.
func darkness(s *view.View, v *view.Disc, usual usualColours) float64 {
	dark, white := 1.0, vision.RGB{1, 1, 1}
	for r := v.R + 0.5; r < v.Ring+v.Soft; r += 0.5 {
		var all []float64
		for _, p := range placesOf(s, v, r, r, usual) {
			all = append(all, p.seen.Dot(white)/max(1, p.under.Dot(white)))
		}
		if len(all) >= few {
			dark = min(dark, vision.Median(all))
		}
	}
	if groundOf(s, v.X, v.Y) == onCell {
		return dark
	}
	var ring []float64 // about lines and their breaks no plain board is known
	shape.Around(32, func(sin, cos float64) {
		at := func(r float64) float64 { return lum(s, v.X+r*cos, v.Y+r*sin) }
		beside := max(1, min(at(v.R-1.5*v.Soft), at(v.Ring+2*v.Soft)))
		least := beside
		for r := v.R + 0.5; r < v.Ring+v.Soft; r += 0.5 {
			least = min(least, at(r))
		}
		ring = append(ring, least/beside)
	})
	return min(dark, vision.Median(ring))
}

// unlike is how far what is seen along a third of a round's border, within it, is from what the
// look's pointer makes of what lies there, in parts of what that adds: a symbol may lie under the
// rest. It is 1 where that is not known.
func unlike(s *view.View, v *view.Disc, usual usualColours) float64 {
	alpha, end := s.Profile.Board.Cursor.Alpha, v.R-1.5*v.Soft
	var all []float64
	for _, p := range placesOf(s, v, end-1, end, usual) {
		off := 0.0
		for k, seen := range p.seen {
			off = max(off, math.Abs((seen-(1-alpha)*p.under[k])/(255*alpha)-1))
		}
		all = append(all, off)
	}
	if len(all) < few {
		return 1
	}
	return vision.Ranked(all, len(all)/3)
}

// A veiledPlace is what is seen of a place, and what a plain board shows there; rough
// outside of the board, where that is what lies right beyond the veil.
type veiledPlace struct {
	seen, under vision.RGB
	rough       bool
}

// cut tells whether a channel was cut off.
func (p *veiledPlace) cut(k int) bool { return p.seen[k] >= Full || p.under[k] >= Full }

// placesOf are the places between two distances from a veil's middle of which it is known
// what a plain board shows there.
func placesOf(s *view.View, v *view.Disc, from, to float64, usual usualColours) (all []veiledPlace) {
	beyond := v.Ring + v.Soft + 1
	for r := from; r <= to; r++ {
		shape.Around(32, func(sin, cos float64) {
			x, y := v.X+r*cos, v.Y+r*sin
			ox, oy := v.X+beyond*cos, v.Y+beyond*sin
			switch g := groundOf(s, x, y); {
			case g < grounds && usual.known[g]:
				all = append(all, veiledPlace{vision.At(s.Board.Flat, x, y), usual.colour[g], false})
			case g == outside && groundOf(s, ox, oy) == outside:
				all = append(all, veiledPlace{vision.At(s.Board.Flat, x, y), vision.At(s.Board.Flat, ox, oy), true})
			}
		})
	}
	return all
}

// compose fits keep and add to what is seen through a veil by least squares, where what
// they do not explain weighs less. Where what lies under it has one colour that does not
// tell keep: the profile's opacity weighs as much as a variance of 0.005 contrasts.
func compose(s *view.View, v *view.Disc, all []veiledPlace, usual usualColours) {
	v.Line, v.Cell = s.Board.Ink, s.Board.Paper
	if usual.known[onLine] {
		v.Line = usual.colour[onLine]
	}
	if usual.known[onCell] {
		v.Cell = usual.colour[onCell]
	}
	contrast, prior := s.Contrast(), 1-s.Profile.Board.Cursor.Alpha
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
		v.Keep, v.Told = (cov+least*prior)/(variance+least), variance/(variance+least)
		for k, m := range every {
			v.Add[k] = (m.y - v.Keep*m.x) / max(1e-9, m.n)
		}
		for i, p := range all {
			misfits[i] = misfit(v, p, known)
			weights[i] = 1 / (0.05*contrast + misfits[i])
		}
	}
	fits := 0
	for _, m := range misfits {
		if m < view.Clearly*contrast*v.Keep {
			fits++
		}
	}
	v.Explained = float64(fits) / float64(max(1, len(all)))
	v.Tinted = tint(v, known)
	if off := filtered(s, v); off < v.Tinted {
		v.Tinted, v.Filtered = off, true
	}
	if groundOf(s, v.X, v.Y) >= grounds {
		// What lies outside is darker than lines and cells mostly: there a small
		// mistake hides a cap, and white stays grey.
		grey := vision.Median(slices.Clone(v.Add[:]))
		v.Add = vision.RGB{grey, grey, grey}
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
func misfit(v *view.Disc, p veiledPlace, known [3]bool) (off float64) {
	for k, ok := range known {
		if ok && !p.cut(k) {
			off = math.Hypot(off, p.seen[k]-v.Keep*p.under[k]-v.Add[k])
		}
	}
	return off
}

// tint is how far from grey the channels of a veil's own colour are, 0 to 1.
func tint(v *view.Disc, known [3]bool) float64 {
	lo, hi := math.Inf(1), 0.0
	for k, ok := range known {
		if ok {
			lo, hi = min(lo, v.Add[k]), max(hi, v.Add[k])
		}
	}
	return min(1, max(0, hi-lo)/max(1, hi))
}

// filtered is how much, 0 to 1, the board shows of what a screen does not whose blue light is
// filtered so that a veil's own colour is its white; 1 where it is the white of none.
func filtered(s *view.View, v *view.Disc) (off float64) {
	if v.Add[0] < v.Add[1] || v.Add[1] < v.Add[2] {
		return 1
	}
	for i, c := range s.Board.Flat.Pix {
		if i%4 < 3 {
			off = max(off, float64(c)/255-v.Add[i%4]/v.Add[0])
		}
	}
	return off
}

// A likeness is how much something on the board is like what lies elsewhere, 0 to 1: in
// colour, as far as it differs from a plain board, and the share of what both cover.
type likeness struct{ colour, outline float64 }

// likest compares what lies in and about a veil with what lies at the same place of other
// cells or other lines: there is one pointer, and symbols and dots are often alike.
func likest(s *view.View, v *view.Disc, usual usualColours) (most likeness) {
	centre, reach := groundOf(s, v.X, v.Y), v.Ring+v.Soft
	if centre >= grounds || !usual.known[centre] {
		return most
	}
	var at []image.Point // of what lies there on the same ground
	own, plain := 0.0, usual.colour[centre]
	for y := int(v.Y - reach); y <= int(v.Y+reach)+1; y++ {
		for x := int(v.X - reach); x <= int(v.X+reach)+1; x++ {
			if p := image.Pt(x, y); p.In(s.Board.Flat.Rect) && math.Hypot(float64(x)-v.X, float64(y)-v.Y) <= reach && groundOf(s, float64(x), float64(y)) == centre {
				d := pixel(s, p).Dist(plain)
				at, own = append(at, p), own+d*d
			}
		}
	}
	odd := view.Slightly * s.Contrast()
	for j := -s.Board.Rows; j <= s.Board.Rows; j++ {
		for i := -s.Board.Cols; i <= s.Board.Cols; i++ {
			by := image.Pt(i, j).Mul(s.Board.Pitch)
			x, y := v.X+float64(by.X), v.Y+float64(by.Y)
			if by == (image.Point{}) || groundOf(s, x, y) != centre {
				continue
			}
			there := plain
			if centre == onCell {
				odd := func(d float64) int { return 2*((int(d)-s.Board.Margin)/s.Board.Pitch) + 1 }
				there = s.Ground(odd(x), odd(y))
			}
			var sum, both, either float64
			for _, p := range at {
				a, b := pixel(s, p).Sub(plain), pixel(s, p.Add(by)).Sub(there)
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
func pixel(s *view.View, p image.Point) vision.RGB {
	r := s.Board.Flat.Rect
	k := s.Board.Flat.PixOffset(max(0, min(p.X, r.Max.X-1)), max(0, min(p.Y, r.Max.Y-1)))
	q := s.Board.Flat.Pix[k : k+3 : k+3]
	return vision.RGB{float64(q[0]), float64(q[1]), float64(q[2])}
}

// usualColours are the usual colours of lines and of cells, where they are known.
type usualColours struct {
	colour [grounds]vision.RGB
	known  [grounds]bool
}

// usualAbout are the usual colours about a veil.
func usualAbout(s *view.View, v *view.Disc) usualColours {
	return usualBetween(s, v.X, v.Y, v.Ring+v.Soft, 2*v.Ring+v.Soft)
}

// usualBetween are the usual colours between two distances from a place.
func usualBetween(s *view.View, x, y, from, to float64) (usual usualColours) {
	var all [grounds][]vision.RGB
	b := s.Board.Flat.Rect
	for py := max(0, int(y-to)); py <= min(b.Dy()-1, int(y+to)+1); py++ {
		for px := max(0, int(x-to)); px <= min(b.Dx()-1, int(x+to)+1); px++ {
			if r := math.Hypot(float64(px)-x, float64(py)-y); r < from || r > to {
				continue
			}
			if g := groundOf(s, float64(px), float64(py)); g < grounds {
				p := s.Board.Flat.Pix[py*s.Board.Flat.Stride+4*px:]
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

// Rounds are circles that are brighter inside than outside along most of their
// border: each steep place votes for the middle of the circle that it would be
// on, for a range of radii. The likeliest come first, 32 at most: symbols and caps are
// rounds as well, and on a full board clearer ones: three triangles in a cell are three.
func Rounds(s *view.View) []view.Disc {
	border, size := steepPlaces(s)
	var radii []float64
	pitch := float64(s.Board.Pitch) / voteStep
	for r := pointerRadii[0] * pitch; r <= pointerRadii[1]*pitch; r *= 1.13 {
		radii = append(radii, r)
	}
	found := make([][]votedRound, len(radii))
	vision.SideBySide(len(radii), func(n int) { found[n] = vote(border, size, radii[n]) })
	all := slices.Concat(found...)
	slices.SortStableFunc(all, func(a, b votedRound) int { return cmp.Compare(b.score, a.score) })
	var best []view.Disc
	for _, c := range all {
		// The same circle was found with the next radius, and a little aside.
		if slices.ContainsFunc(best, func(o view.Disc) bool {
			return math.Hypot(o.X-c.x, o.Y-c.y) < 0.5*max(o.R, c.r) && max(o.R, c.r) < (1+view.Clearly)*min(o.R, c.r)
		}) {
			continue
		}
		if best = append(best, view.Disc{X: c.x, Y: c.y, R: c.r}); len(best) == 32 {
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
func steepPlaces(s *view.View) ([]steepPlace, image.Point) {
	const step = voteStep
	w, h := s.Board.Flat.Rect.Dx()/step, s.Board.Flat.Rect.Dy()/step
	lum := make([]float32, w*h)
	for j := range h {
		for i := range w {
			k := j*step*s.Board.Flat.Stride + i*step*4
			p, q := s.Board.Flat.Pix[k:k+8:k+8], s.Board.Flat.Pix[k+s.Board.Flat.Stride:][:8:8]
			t := int(p[0]) + int(p[1]) + int(p[2]) + int(p[4]) + int(p[5]) + int(p[6])
			t += int(q[0]) + int(q[1]) + int(q[2]) + int(q[4]) + int(q[5]) + int(q[6])
			lum[j*w+i] = float32(t) / (step * step)
		}
	}
	border := make([]steepPlace, 0, w*h/4)
	contrast := float32(s.Contrast())
	for j := 1; j < h-1; j++ {
		for i := 1; i < w-1; i++ {
			k := j*w + i
			dx, dy := lum[k+1]-lum[k-1], lum[k+w]-lum[k-w]
			if m := float32(math.Sqrt(float64(dx*dx + dy*dy))); m > view.Slightly*contrast {
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

// fitDisc moves and widens a circle to where the step across its border is
// highest, and says along how much of the border it is brighter inside.
func fitDisc(s *view.View, v view.Disc) (view.Disc, float64) {
	const n = 16
	var ways [][2]float64 // worked out once: this is asked for again and again
	shape.Around(n, func(sin, cos float64) { ways = append(ways, [2]float64{sin, cos}) })
	step := func(v view.Disc, w [2]float64, reach float64) float64 {
		sin, cos := w[0], w[1]
		return lum(s, v.X+(v.R-reach)*cos, v.Y+(v.R-reach)*sin) - lum(s, v.X+(v.R+reach)*cos, v.Y+(v.R+reach)*sin)
	}
	// Of a sharp border one reach alone would not find the middle.
	value := func(v view.Disc) (t float64) {
		for _, w := range ways {
			t += (step(v, w, 0.7) + step(v, w, 1.5) + step(v, w, 2.5)) / n
		}
		return t
	}
	top := value(v)
	for d := max(1, v.R/8); d >= 0.4; {
		better := false
		for _, m := range [][3]float64{{d, 0, 0}, {-d, 0, 0}, {0, d, 0}, {0, -d, 0}, {0, 0, d}, {0, 0, -d}} {
			o := v
			o.X, o.Y, o.R = v.X+m[0], v.Y+m[1], v.R+m[2]
			if o.R < 2 {
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
	share, contrast, reach := 0.0, s.Contrast(), 1+soft(s)
	for _, w := range ways {
		if step(v, w, reach) > view.Faintly*contrast {
			share += 1.0 / n
		}
	}
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

func groundOf(s *view.View, px, py float64) ground {
	k := 1 / float64(s.Board.Pitch)
	x, y := (px-float64(s.Board.Margin))*k, (py-float64(s.Board.Margin))*k
	if o := max(-x, -y, x-float64(s.Board.Cols), y-float64(s.Board.Rows)); o > 0.7*s.LineWidth {
		return outside
	} else if o > 0.3*s.LineWidth {
		return neither
	}
	// A border spreads by 1.3 pixels of the frame.
	unclear := max(0.08*s.LineWidth, min(0.2*s.LineWidth, 1.3/s.Board.ScreenPitch))
	switch d := min(math.Abs(x-math.Round(x)), math.Abs(y-math.Round(y))); {
	case d < 0.5*s.LineWidth-unclear:
		return onLine
	case d > 0.5*s.LineWidth+unclear:
		return onCell
	}
	return neither
}

// poolRound finds the disc that shrinks onto the pointer, which is taken off.
func poolRound(s *view.View, p view.Disc) (view.Disc, bool) {
	const n = 64
	contrast := s.Contrast()
	reach := p.Soft + 0.5
	type ring struct{ r, step float64 }
	var rings []ring
	// From a third of the pointer, as it vanishes, to seven times, as it begins.
	for r := p.R / 3; r < 7*p.R; r++ {
		if r > p.R-2*p.Soft-reach && r < p.Ring+2*p.Soft+reach {
			continue // the pointer's own borders
		}
		sum := 0.0
		shape.Around(n, func(sin, cos float64) {
			d := lum(s, p.X+(r-reach)*cos, p.Y+(r-reach)*sin) - lum(s, p.X+(r+reach)*cos, p.Y+(r+reach)*sin)
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
		for last < len(rings)-1 && rings[last+1].step > view.Nearly*at.step {
			last++
		}
		steepest = append(steepest, ring{(at.r + rings[last].r) / 2, at.step})
	}
	slices.SortStableFunc(steepest, func(a, b ring) int { return cmp.Compare(b.step, a.step) })
	for _, at := range steepest {
		if v, ok := poolAt(s, p, at.r); ok {
			return v, true
		}
	}
	return view.Disc{}, false
}

// poolAt is pool for a disc of about some radius.
func poolAt(s *view.View, p view.Disc, r float64) (view.Disc, bool) {
	v, share := fitDisc(s, view.Disc{X: p.X, Y: p.Y, R: r})
	if share < view.Mostly || math.Hypot(v.X-p.X, v.Y-p.Y) > 0.5*p.R {
		return view.Disc{}, false
	}
	v.Ring, v.Soft, v.Dark = v.R, soft(s), 1
	from, beyond := max(p.Ring+2*p.Soft, 0.5*v.R), 1.4*v.R+v.Soft
	if v.R < p.R {
		from, beyond = 0.3*v.R, p.R-p.Soft
	}
	usual := usualBetween(s, v.X, v.Y, v.R+v.Soft, beyond)
	within := placesOf(s, &v, from, v.R-v.Soft, usual)
	compose(s, &v, within, usual)
	// It is as white as a pointer with a ring beyond doubt. Beyond the pointer lines and cells
	// are to tell its opacity, for that changes.
	odds := FittedOdds()
	white := odds.Of(view.PointerEvidence{Ring: mostRing, Tinted: v.Tinted}) > 0
	return v, white && len(within) >= few && v.Explained > view.Tuned.Veiled && min(v.Add[0], v.Add[1], v.Add[2]) > 0 && (v.R < p.R && whiteAs(&v, &p) || v.Told > 0.5)
}

// whiteAs tells whether a disc is as white as a pointer where each is brightest, by its own
// opacity: a symbol that is no wider is not.
func whiteAs(v, p *view.Disc) bool {
	own, other := slices.Max(v.Add[:])/(1-v.Keep), slices.Max(p.Add[:])/(1-p.Keep)
	return math.Abs(own-other) < view.Clearly*other
}

// under is what lies under a veil through which a colour is seen. A channel that was cut
// off is, of a line or a cell or both mixed, theirs; of anything else it may have been as
// bright.
func under(v *view.Disc, seen vision.RGB, contrast float64) (c vision.RGB) {
	axis := v.Cell.Sub(v.Line)
	dot, all := 0.0, 0.0
	cut := false
	for k := range c {
		if c[k] = (seen[k] - v.Add[k]) / v.Keep; seen[k] < Full {
			dot, all = dot+axis[k]*(c[k]-v.Line[k]), all+axis[k]*axis[k]
		} else {
			cut = true
		}
	}
	if !cut {
		return c
	}
	share := max(0, min(1, dot/max(1, all)))
	off, mixed := 0.0, v.Line
	for k := range mixed {
		mixed[k] += share * axis[k]
		if seen[k] < Full {
			off = math.Hypot(off, c[k]-mixed[k])
		} else {
			off = max(off, c[k]-mixed[k])
		}
	}
	for k := range c {
		switch {
		case seen[k] < Full:
		case off < view.Clearly*contrast:
			c[k] = max(c[k], mixed[k])
		default:
			c[k] = 255
		}
	}
	return c
}

// lift measures the view without a veil. Under its borders stands what is seen
// beside them.
func lift(s *view.View, v view.Disc) *view.View {
	clear := *s.Board
	clear.Flat = image.NewRGBA(s.Board.Flat.Rect)
	copy(clear.Flat.Pix, s.Board.Flat.Pix)
	under := func(x, y float64) vision.RGB { return under(&v, vision.At(s.Board.Flat, x, y), s.Contrast()) }
	end := v.Ring + v.Soft
	for y := max(0, int(v.Y-end)); y <= min(clear.Flat.Rect.Dy()-1, int(v.Y+end)+1); y++ {
		for x := max(0, int(v.X-end)); x <= min(clear.Flat.Rect.Dx()-1, int(v.X+end)+1); x++ {
			fx, fy := float64(x), float64(y)
			r := math.Hypot(fx-v.X, fy-v.Y)
			to := func(d float64) (x, y float64) { return v.X + (fx-v.X)*d/r, v.Y + (fy-v.Y)*d/r }
			var c vision.RGB
			switch in := max(0, v.R-v.Soft); {
			case r > end:
				continue
			case r <= in:
				c = under(fx, fy)
			case r > v.R+v.Soft && r < v.Ring-v.Soft:
				c = vision.At(s.Board.Flat, fx, fy)
				for k := range c {
					c[k] /= v.Dark
				}
			default:
				// A border: of what is seen inwards of it and outwards that which,
				// with some of the veil over it, is more like it.
				c = under(to(in))
				x, y := to(end)
				out, seen := vision.At(s.Board.Flat, x, y), vision.At(s.Board.Flat, fx, fy)
				off := func(c vision.RGB) float64 {
					var over, dark vision.RGB
					for k := range c {
						over[k], dark[k] = v.Keep*c[k]+v.Add[k], v.Dark*c[k]
					}
					return seen.OffMix(over, dark)
				}
				if a, b := off(c), off(out); b < 0.5*a || b < 2*a && r > (v.R+v.Ring)/2 {
					c = out
				}
			}
			p := clear.Flat.Pix[y*clear.Flat.Stride+4*x:]
			for k := range 3 {
				p[k] = uint8(max(0, min(255, c[k]+0.5)))
			}
		}
	}
	return view.Measure(&clear, s.Profile, s.Forms, append(slices.Clone(s.Discs), v))
}

// On is where the pointer is, if it is on the board: seen through, or not.
func On(s *view.View) (view.Disc, bool) {
	if all := slices.Concat(s.Discs, s.Rings); len(all) > 0 {
		return all[0], true
	}
	return view.Disc{}, false
}

// Hides tells whether what may be a pointer and was not taken off lies over what reaches so far
// from a place, in pitches, or right beside it.
func Hides(s *view.View, at image.Point, reach float64) bool {
	return slices.ContainsFunc(s.Rings, func(v view.Disc) bool {
		x, y := To(v, s, at)
		return math.Hypot(x, y) < v.Ring+soft(s)+reach*float64(s.Board.Pitch)
	})
}

// To is the way from a veil's middle to a place, in pixels of the flat picture.
func To(v view.Disc, s *view.View, at image.Point) (x, y float64) {
	k := float64(s.Board.Pitch) / 2
	return float64(s.Board.Margin) + k*float64(at.X) - v.X, float64(s.Board.Margin) + k*float64(at.Y) - v.Y
}

// Near tells whether a place lies under the pointer or right beside it.
func Near(v view.Disc, s *view.View, at image.Point) bool {
	x, y := To(v, s, at)
	return math.Hypot(x, y) < v.Ring+s.LineWidth*float64(s.Board.Pitch)
}

// Border is how far to both sides of its rim a veil is not looked through.
func Border(v view.Disc, s *view.View) float64 { return max(1.5*soft(s), 0.1*v.R) }

// Beneath is how many discs but the first, which is the pointer, lie over a patch of
// some half width, given from the pointer's middle; -1 where one ends there, or the
// pointer does not reach.
func Beneath(s *view.View, discs []view.Disc, px, py, half float64) int {
	deep := -1
	for k, d := range discs {
		x, y := math.Abs(px+discs[0].X-d.X), math.Abs(py+discs[0].Y-d.Y)
		switch {
		case math.Hypot(x+half, y+half) <= d.R-Border(d, s):
			deep++
		case k == 0 || math.Hypot(max(0, x-half), max(0, y-half)) < d.R+Border(d, s):
			return -1
		}
	}
	return deep
}

// Cleared measures a view; a pointer over it, and the disc that comes with it,
// are seen through.
func Cleared(b *vision.Board, look *calibrations.Profile, drawn drawing.Forms) *view.View {
	return withoutPointer(view.Measure(view.Unwashed(view.Levelled(b)), look, drawn, nil))
}

// What is seen under the rings of captured pointers is 0.72 to 0.95 of what lies there, in
// drawn ones 0.48 and more: a darker ring is an outline. leastRing is the least, mostRing
// how much darker than what lies there a ring is to be as clear as any.
const leastRing, mostRing = 0.5, 0.1

// A Odds is what a round's probability to be the pointer is made of: the logarithm
// of the odds before anything is seen, and the weights of what tells.
type Odds struct {
	Base, Ring, Outline, Border, Tinted, Inked, Bright, Alike float64
}

// FittedOdds was fitted by logistic regression to the candidates of 191 boards of
// captures, 324 of four variants of each, 497 drawn boards, 147 with a pointer drawn on
// them, a third as heavy, and 353 in 64 looks that have none. Of 253 candidates that are
// captured pointers it leaves 4 below even odds, of 19,061 others 16 above them.
// Bright was fitted to the square instead of the fourth power, which says more of what is
// more than twice as white: captured pointers are up to 1.3 times, in a picture that is
// brightened by half 1.95, white symbols on a dark ground 2.1 and more.
//
// That fit is not in the repository. Its weights are not in use: they
// give a start circle of the lines' colour 3 to 1, and a picture of 480 of other looks is WRONG.
func FittedOdds() Odds {
	return Odds{Base: -1.8, Ring: 66, Outline: -80, Border: -42, Tinted: -11.6, Inked: -4.9, Bright: -6.1, Alike: -8}
}

// Of is the logarithm of the odds.
func (o *Odds) Of(e view.PointerEvidence) float64 {
	return o.Base + o.Ring*e.Ring + o.Outline*e.Outline + o.Border*e.Border + o.Tinted*e.Tinted + o.Inked*e.Inked + o.Bright*e.Bright + o.Alike*e.Alike
}
