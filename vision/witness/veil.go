package witness

import (
	"cmp"
	"image"
	"math"
	"slices"

	"onlooker/vision"
)

// A veil is what the game lays over a panel in a circle: its pointer, white at
// some opacity with a dark ring round it, or the larger disc that shrinks onto
// the pointer as a panel is entered. What is seen there is keep of what lies
// under it, and add. Both are measured on the panel, for a picture may have
// been brightened or darkened since, and no size is taken for granted, for it
// may have been scaled or cut. Lengths are pixels of the flat picture.
type veil struct {
	x, y float64
	r    float64 // to here it is veiled
	ring float64 // to here it is under the dark ring; r where there is none
	soft float64 // the borders are unclear this far to both sides
	keep float64
	add  vision.RGB
	dark float64     // what is seen under the ring is this much of what lies there
	from *image.RGBA // the flat picture it was found in

	line, cell vision.RGB // that are usual round it
	both       bool       // lines and cells are seen through it
	cut        bool       // it was measured without the channels that were cut off
	asAnother  bool       // see sheet.asAnother
}

// full is how bright a channel is, of 255, that may have been brighter: a value that was
// cut off, after blur and compression.
const full = 250

// withoutVeils measures the view again without the pointer, and without the
// disc round it, if they are over it.
func (s *sheet) withoutVeils() *sheet {
	v, ok := s.pointer()
	if !ok {
		return s
	}
	s = s.lift(v)
	if d, ok := s.pool(v); ok {
		s = s.lift(d)
	}
	return s
}

// lum is the brightness of the flat picture at a place: 0 to 765.
func (s *sheet) lum(x, y float64) float64 {
	c := vision.At(s.b.Flat, x, y)
	return c[0] + c[1] + c[2]
}

// soft is how far, in pixels of the flat picture, a border in a frame that is
// slightly blurred spreads to either side.
func (s *sheet) soft() float64 { return max(1, 1.3*float64(s.b.Pitch)/s.b.ScreenPitch) }

// pointer finds the pointer's disc on the board: a circle that is brighter than
// what is round it all along its border, through which lines and cells are seen
// in the same way.
func (s *sheet) pointer() (veil, bool) {
	look := s.look.Board.Cursor
	if look.Alpha == 0 {
		return veil{}, false
	}
	all := s.rounds()
	scores := make([]float64, len(all))
	vision.SideBySide(len(all), func(i int) { all[i], scores[i] = s.veilAt(all[i]) })
	var best veil
	top := 0.0
	for i, score := range scores {
		if score > top {
			best, top = all[i], score
		}
	}
	// There is one pointer: what stands elsewhere as well is a symbol.
	for i, score := range scores {
		if score > 0 && all[i].again(best) {
			return veil{}, false
		}
	}
	if top > 0 && s.elsewhere(best) {
		return veil{}, false
	}
	best.asAnother = top > 0 && s.asAnother(best)
	return best, top > 0
}

// elsewhere tells whether another cell shows what lies in that of a veil, which is then a
// symbol: there is one pointer.
func (s *sheet) elsewhere(v veil) bool {
	if s.ground(v.x, v.y) != onCell {
		return false
	}
	own, next := s.nextAlike(v)
	return next < tuned.SameCell*own
}

// nextAlike is by how much what a veil's cell shows in and about the veil differs from an
// empty cell, and from the other cell that is most like it: as a root of the mean square.
func (s *sheet) nextAlike(v veil) (own, next float64) {
	pitch := float64(s.b.Pitch)
	col, row := int(math.Floor((v.x-float64(s.b.Margin))/pitch)), int(math.Floor((v.y-float64(s.b.Margin))/pitch))
	next = math.Inf(1)
	if col < 0 || row < 0 || col >= s.b.Cols || row >= s.b.Rows {
		return 0, next
	}
	reach := v.ring + v.soft
	for y := range s.b.Rows {
		for x := range s.b.Cols {
			sum, empty, n := 0.0, 0.0, 0.0
			dx, dy := float64(x-col)*pitch, float64(y-row)*pitch
			usual := s.cell(2*x+1, 2*y+1).Sub(s.cell(2*col+1, 2*row+1))
			for j := -reach; j <= reach; j++ {
				for i := -reach; i <= reach; i++ {
					if hypot(i, j) > reach {
						continue
					}
					if s.ground(v.x+i, v.y+j) != onCell {
						continue
					}
					a, b := vision.At(s.b.Flat, v.x+i, v.y+j), vision.At(s.b.Flat, v.x+i+dx, v.y+j+dy).Sub(usual)
					d, e := a.Dist(b), a.Dist(s.cell(2*col+1, 2*row+1))
					sum, empty, n = sum+d*d, empty+e*e, n+1
				}
			}
			if n == 0 {
				return 0, math.Inf(1)
			}
			own = math.Sqrt(empty / n)
			if x != col || y != row {
				next = min(next, math.Sqrt(sum/n))
			}
		}
	}
	return own, next
}

// asAnother tells whether a veil and what lies about it in its cell cover the same part of
// that as what another cell holds does of its own, whatever its colour: it may be a symbol
// then, though a pointer may lie so as well.
func (s *sheet) asAnother(v veil) bool {
	if s.ground(v.x, v.y) != onCell {
		return false
	}
	pitch := float64(s.b.Pitch)
	cell := func(d, margin float64) int { return int(math.Floor((d - margin) / pitch)) }
	col, row := cell(v.x, float64(s.b.Margin)), cell(v.y, float64(s.b.Margin))
	reach := v.ring + v.soft
	for y := range s.b.Rows {
		for x := range s.b.Cols {
			if x == col && y == row {
				continue
			}
			both, either := 0.0, 0.0
			for j := -reach; j <= reach; j++ {
				for i := -reach; i <= reach; i++ {
					if hypot(i, j) > reach || s.ground(v.x+i, v.y+j) != onCell {
						continue
					}
					a := s.marked(col, row, v.x+i, v.y+j)
					b := s.marked(x, y, v.x+i+float64(x-col)*pitch, v.y+j+float64(y-row)*pitch)
					if a && b {
						both++
					}
					if a || b {
						either++
					}
				}
			}
			if both > tuned.SameCover*either {
				return true
			}
		}
	}
	return false
}

// marked tells whether a pixel in a cell shows something else than its ground.
func (s *sheet) marked(col, row int, px, py float64) bool {
	return vision.At(s.b.Flat, px, py).Dist(s.cell(2*col+1, 2*row+1)) > tuned.OddCell*s.contrast()
}

// again tells whether two veils lie beside each other and look the same, as two
// symbols do.
func (v veil) again(o veil) bool {
	return hypot(v.x-o.x, v.y-o.y) > v.r+o.r && max(v.r, o.r) < tuned.SameVeil*min(v.r, o.r) && v.add.Dist(o.add) < tuned.SameCell*v.add.Dist(vision.RGB{})
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
			return hypot(o.x-c.x, o.y-c.y) < 0.5*max(o.r, c.r) && max(o.r, c.r) < 1.4*min(o.r, c.r)
		}) {
			continue
		}
		if best = append(best, c.veil); len(best) == 16 {
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
	var border []steepPlace
	contrast := float32(s.contrast())
	for j := 1; j < h-1; j++ {
		for i := 1; i < w-1; i++ {
			k := j*w + i
			dx, dy := lum[k+1]-lum[k-1], lum[k+w]-lum[k-w]
			if m := float32(math.Sqrt(float64(dx*dx + dy*dy))); m > 0.15*contrast {
				border = append(border, steepPlace{float32(i), float32(j), dx / m, dy / m, min(1, m/(0.5*contrast))})
			}
		}
	}
	return border, image.Pt(w, h)
}

// A votedRound is a round and how many of the places on its border voted for it, for
// each pixel of its radius.
type votedRound struct {
	veil
	score float64
}

// vote is where circles of a radius, in pixels of the reduced picture, may have their
// middles: where half of a border's places vote for at least, and more than beside it.
// Votes are gathered in squares of two by two.
func vote(border []steepPlace, size image.Point, r float64) (found []votedRound) {
	vw, vh := size.X/2+1, size.Y/2+1
	votes, four := make([]float32, vw*vh), make([]float32, vw*vh)
	for _, e := range border {
		x, y := e.x+float32(r)*e.dx, e.y+float32(r)*e.dy
		if x >= 0 && y >= 0 && x < float32(size.X) && y < float32(size.Y) {
			votes[int(y/2)*vw+int(x/2)] += e.much
		}
	}
	for j := range vh - 1 {
		above, below, sums := votes[j*vw:][:vw:vw], votes[(j+1)*vw:][:vw:vw], four[j*vw:][:vw:vw]
		for i := range vw - 1 {
			sums[i] = above[i] + above[i+1] + below[i] + below[i+1]
		}
	}
	// 0.5 of a border that is a pixel wide.
	least := float32(0.5 * 2 * math.Pi * r)
	for j := 1; j < vh-2; j++ {
		for i := 1; i < vw-2; i++ {
			k := j*vw + i
			if v := four[k]; v < least || v < max(four[k-1], four[k+1], four[k-vw], four[k+vw]) || v < max(four[k-vw-1], four[k-vw+1], four[k+vw-1], four[k+vw+1]) {
				continue
			}
			// The corner that the four squares share.
			c := veil{x: float64(2*i+2)*voteStep - 0.5, y: float64(2*j+2)*voteStep - 0.5, r: voteStep * r}
			found = append(found, votedRound{c, float64(four[k]) / r})
		}
	}
	return found
}

// around calls do with the sines and cosines of n directions.
func around(n int, do func(sin, cos float64)) {
	for k := range n {
		do(math.Sincos(2 * math.Pi * float64(k) / float64(n)))
	}
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
		around(n, func(sin, cos float64) {
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
	around(n, func(sin, cos float64) {
		if step(v, sin, cos, reach) > 0.1*contrast {
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

// usualBetween are the usual colours between two distances from a place, of
// lines and of cells, and how many pixels are of either.
func (s *sheet) usualBetween(x, y, from, to float64) (usual [grounds]vision.RGB, count [grounds]int) {
	var all [grounds][]vision.RGB
	b := s.b.Flat.Rect
	for py := max(0, int(y-to)); py <= min(b.Dy()-1, int(y+to)+1); py++ {
		for px := max(0, int(x-to)); px <= min(b.Dx()-1, int(x+to)+1); px++ {
			if r := hypot(float64(px)-x, float64(py)-y); r < from || r > to {
				continue
			}
			if g := s.ground(float64(px), float64(py)); g < grounds {
				p := s.b.Flat.Pix[py*s.b.Flat.Stride+4*px:]
				all[g] = append(all[g], vision.RGB{float64(p[0]), float64(p[1]), float64(p[2])})
			}
		}
	}
	for g := range all {
		if count[g] = len(all[g]); count[g] > 0 {
			usual[g] = vision.MedianRGB(all[g])
		}
	}
	return usual, count
}

// through measures how a veil between two distances from its middle changes
// what lies under it, by comparison with what lies between two other distances.
// both tells whether lines and cells are seen through it: from one of them alone
// the opacity is not known, and taken as keep. off is how far from grey the
// veil's own colour is.
func (s *sheet) through(v veil, in, out [2]float64, keep float64) (fitted veil, both bool, off float64, ok bool) {
	v.cut = false
	if fitted, both, off, ok = s.throughAll(v, in, out, keep); ok {
		return fitted, both, off, ok
	}
	v.cut = true
	return s.throughAll(v, in, out, keep)
}

// throughAll is through by all channels, or without those that were cut off.
func (s *sheet) throughAll(v veil, in, out [2]float64, keep float64) (fitted veil, both bool, off float64, ok bool) {
	const few = 8 // pixels
	a, na := s.usualBetween(v.x, v.y, out[0], out[1])
	b, nb := s.usualBetween(v.x, v.y, in[0], in[1])
	contrast := s.contrast()
	if nb[onLine] < few && nb[onCell] >= few {
		b[onCell] = s.emptyUnder(v, in[1], b[onCell])
	}
	v.line, v.cell = s.b.Ink, s.b.Paper
	if na[onLine] >= few {
		v.line = a[onLine]
	}
	if na[onCell] >= few {
		v.cell = a[onCell]
	}
	told := func(k int, g ground) bool { return !v.cut || max(a[g][k], b[g][k]) < full }
	dot, axis := 0.0, 0.0
	for k := range v.add {
		if d := a[onLine][k] - a[onCell][k]; told(k, onLine) && told(k, onCell) {
			dot, axis = dot+d*(b[onLine][k]-b[onCell][k]), axis+d*d
		}
	}
	both = min(na[onLine], na[onCell], nb[onLine], nb[onCell]) >= few && axis > 0.1*contrast*contrast
	v.keep = keep
	if both {
		v.keep = dot / axis
	}
	v.add = vision.RGB{}
	if v.keep < 0.2 || v.keep > 0.95 {
		return v, both, 0, false
	}
	var seen []ground
	for g := range grounds {
		if na[g] >= few && nb[g] >= few {
			seen = append(seen, g)
		}
	}
	if len(seen) == 0 {
		return v, both, 0, false
	}
	off = v.coloured(seen, a, b, told)
	plain := s.seenThrough(v, in, v.line, v.cell)
	return v, both, off, min(v.add[0], v.add[1], v.add[2]) > 0 && plain > 0.75
}

// emptyUnder is the colour within a veil that lies within one cell: that of all of it,
// if the cell is empty, since colours spread into the borders of a compressed picture;
// else as it was measured near its border.
func (s *sheet) emptyUnder(v veil, radius float64, measured vision.RGB) vision.RGB {
	var all []vision.RGB
	plain := 0
	for y := v.y - radius; y <= v.y+radius; y++ {
		for x := v.x - radius; x <= v.x+radius; x++ {
			if hypot(x-v.x, y-v.y) > radius {
				continue
			}
			c := vision.At(s.b.Flat, x, y)
			if all = append(all, c); c.Dist(measured) < 0.25*s.contrast() {
				plain++
			}
		}
	}
	if 20*plain > 19*len(all) {
		return vision.MedianRGB(all)
	}
	return measured
}

// seenThrough is the share of the places between two distances from a veil's middle
// that show lines or cells through it, or both mixed: what does not is what stands
// there.
func (s *sheet) seenThrough(v veil, in [2]float64, ink, paper vision.RGB) float64 {
	for k := range ink {
		ink[k], paper[k] = v.keep*ink[k]+v.add[k], v.keep*paper[k]+v.add[k]
		if v.cut {
			ink[k], paper[k] = min(255, ink[k]), min(255, paper[k])
		}
	}
	fits, all := 0, 0
	for y := v.y - in[1]; y <= v.y+in[1]; y += 1.5 {
		for x := v.x - in[1]; x <= v.x+in[1]; x += 1.5 {
			if r := hypot(x-v.x, y-v.y); r < in[0] || r > in[1] {
				continue
			}
			all++
			if vision.At(s.b.Flat, x, y).OffMix(ink, paper) < 0.25*s.contrast()*v.keep {
				fits++
			}
		}
	}
	return float64(fits) / float64(max(1, all))
}

// coloured measures a veil's own colour by what lines and cells show outside and under
// it, and says how far from grey that is, 0 to 1. What was cut off on both of them tells
// only how much white there is at least.
func (v *veil) coloured(seen []ground, outside, under [grounds]vision.RGB, told func(k int, g ground) bool) (off float64) {
	var grey []float64
	var known [3]bool
	for k := range v.add {
		least, n := 0.0, 0.0
		for _, g := range seen {
			add := under[g][k] - v.keep*outside[g][k]
			if told(k, g) {
				v.add[k], n = v.add[k]+add, n+1
			}
			least = max(least, add)
		}
		if v.add[k] /= max(1, n); n == 0 {
			v.add[k] = least
		}
		if known[k] = n > 0 && (v.cut || max(under[onLine][k], under[onCell][k]) < full); known[k] {
			grey = append(grey, v.add[k])
		}
	}
	if len(grey) == 0 || !v.cut && len(grey) == 1 {
		return 0
	}
	off = (slices.Max(grey) - slices.Min(grey)) / max(1, slices.Max(grey))
	for k, least := range v.add {
		if !known[k] {
			off = max(off, (least-slices.Max(grey))/max(1, least))
		}
		if v.cut && !known[k] {
			v.add[k] = max(least, slices.Min(grey))
		}
	}
	return off
}

// throughOutside measures a veil of a known opacity where no line or cell is
// known, such as over a cap: across its border most directions go on with what
// they show.
func (s *sheet) throughOutside(v veil, in, out float64) (fitted veil, both bool, off float64, ok bool) {
	var adds []vision.RGB
	around(32, func(sin, cos float64) {
		a, b := vision.At(s.b.Flat, v.x+in*cos, v.y+in*sin), vision.At(s.b.Flat, v.x+out*cos, v.y+out*sin)
		for k := range a {
			a[k] -= v.keep * b[k]
		}
		adds = append(adds, a)
	})
	v.add = vision.MedianRGB(adds)
	most := max(v.add[0], v.add[1], v.add[2])
	off = (most - min(v.add[0], v.add[1], v.add[2])) / max(1, most)
	// What lies outside is darker than lines and cells mostly: there a small
	// mistake hides a cap, and white stays grey.
	grey := vision.Median([]float64{v.add[0], v.add[1], v.add[2]})
	v.add = vision.RGB{grey, grey, grey}
	fits := 0
	for _, c := range adds {
		if c.Dist(v.add) < 0.25*s.contrast() {
			fits++
		}
	}
	return v, false, off, grey > 0 && 10*fits > 6*len(adds)
}

// veilAt measures a round as the pointer, and says how sure it is that it is
// one: 0 when it may be a symbol, a dot or a start circle.
func (s *sheet) veilAt(c veil) (veil, float64) {
	look := s.look.Board.Cursor
	v, share := s.fitted(c)
	pitch := float64(s.b.Pitch)
	if share < 0.8 || v.r < pointerRadii[0]*pitch || v.r > pointerRadii[1]*pitch {
		return v, 0
	}
	v.soft = s.soft()
	v.ring, v.from = v.r*look.Ring/look.Radius, s.b.Flat
	// 0.62: a dot under it is smaller, but for the smallest pointers.
	in := [2]float64{0.62 * v.r, max(0.62*v.r+1.5, v.r-1.5*v.soft)}
	v, both, off, ok := s.through(v, in, [2]float64{v.ring + v.soft, 1.3*v.ring + v.soft + 2}, 1-look.Alpha)
	if !ok { // too little to compare with so near
		v, both, off, ok = s.through(v, in, [2]float64{v.ring + v.soft, 2*v.ring + v.soft}, 1-look.Alpha)
	}
	if g := s.ground(v.x, v.y); !ok && g != onLine && g != onCell {
		v, both, off, ok = s.throughOutside(v, in[1], v.ring+v.soft)
	}
	// 0.35: white is grey however bright the picture; gamma and clipping were
	// seen to spread it by 0.25. What is brighter than any white is a white symbol.
	if !ok || off > 0.35 || v.white() > tuned.WhitestVeil*255 {
		return v, 0
	}
	// Under the ring, as sharp as that is seen, by what is usual round it.
	v.dark = 1
	round, count := s.usualBetween(v.x, v.y, v.ring+v.soft, 1.8*v.ring+v.soft)
	for r := v.r + 0.5; r < v.ring+v.soft; r += 0.5 {
		var dark []float64
		around(32, func(sin, cos float64) {
			x, y := v.x+r*cos, v.y+r*sin
			ox, oy := v.x+(v.ring+v.soft+1)*cos, v.y+(v.ring+v.soft+1)*sin
			switch g := s.ground(x, y); {
			case g < grounds && count[g] >= 8:
				dark = append(dark, s.lum(x, y)/max(1, round[g][0]+round[g][1]+round[g][2]))
			case g == outside && s.ground(ox, oy) == outside:
				dark = append(dark, s.lum(x, y)/max(1, s.lum(ox, oy)))
			}
		})
		if len(dark) >= 6 { // of 32 directions
			v.dark = min(v.dark, vision.Median(dark))
		}
	}
	if v.dark < tuned.DarkestRing {
		return v, 0 // an outline
	}
	ringed := v.dark < 0.94
	ox := math.Abs(math.Mod((v.x-float64(s.b.Margin))/pitch+4, 1) - 0.5)
	oy := math.Abs(math.Mod((v.y-float64(s.b.Margin))/pitch+4, 1) - 0.5)
	r := v.r / pitch
	switch {
	case !both && s.lineColoured(v):
		return v, 0 // a start circle, or the round end of a cap in a look of bright lines
	case !both && r < 0.62*s.line && s.ground(v.x, v.y) == onLine: // a dot has that size, and may lie under it; a break too
		return v, 0
	case ringed:
	case both && (v.keep < 0.45 || v.keep > 0.75): // 0.6 was seen
		return v, 0
	case !both && max(ox, oy) < 0.35 && (r < 0.24 || v.dark > 0.98): // a symbol has that size, and what is laid over one no ring
		return v, 0
	}
	v.both = both
	score := share
	if ringed {
		score += 1
	}
	if both {
		score += 0.5
	}
	return v, score
}

// white is how bright what a veil is made of is at least, 0 to 255 in a picture that
// was not brightened: its share of what is seen is what it does not keep.
func (v *veil) white() float64 { return min(v.add[0], v.add[1], v.add[2]) / (1 - v.keep) }

// certain tells whether a veil is a pointer beyond doubt: lines and cells are seen through
// it, or its ring is as dark as pointers' are. How white it is tells nothing where it is not
// known by how much the picture was brightened.
func (v *veil) certain() bool { return v.both || v.dark < tuned.BrightestRing }

// lineColoured tells whether what lies in a circle has the colour of the lines.
func (s *sheet) lineColoured(v veil) bool {
	var c []vision.RGB
	around(16, func(sin, cos float64) { c = append(c, vision.At(s.b.Flat, v.x+0.6*v.r*cos, v.y+0.6*v.r*sin)) })
	return vision.MedianRGB(c).Dist(s.b.Ink) < 0.35*s.contrast()
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
		around(n, func(sin, cos float64) {
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
		for last < len(rings)-1 && rings[last+1].step > 0.95*at.step {
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
	if share < 0.7 || hypot(v.x-p.x, v.y-p.y) > 0.5*p.r {
		return veil{}, false
	}
	v.ring, v.soft, v.dark = v.r, s.soft(), 1
	if v.r < p.r {
		v, _, off, ok := s.through(v, [2]float64{0.3 * v.r, v.r - v.soft}, [2]float64{v.r + v.soft, p.r - p.soft}, 1-s.look.Board.Cursor.Alpha)
		return v, ok && off < 0.35
	}
	v, both, off, ok := s.through(v, [2]float64{max(p.ring+2*p.soft, 0.5*v.r), v.r - v.soft}, [2]float64{v.r + v.soft, 1.4*v.r + v.soft}, 0)
	return v, ok && both && off < 0.35
}

// under is what lies under a veil through which a colour is seen. A channel that was cut
// off is, of a line or a cell or both mixed, theirs; of anything else it may have been as
// bright.
func (v *veil) under(seen vision.RGB, contrast float64) (c vision.RGB) {
	if !v.cut {
		for k := range c {
			c[k] = (seen[k] - v.add[k]) / v.keep
		}
		return c
	}
	axis := v.cell.Sub(v.line)
	dot, all := 0.0, 0.0
	for k := range c {
		if c[k] = (seen[k] - v.add[k]) / v.keep; seen[k] < full {
			dot, all = dot+axis[k]*(c[k]-v.line[k]), all+axis[k]*axis[k]
		}
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
		case off < 0.25*contrast:
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
			r := hypot(fx-v.x, fy-v.y)
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

// halo finds the pointer where it cannot be seen through, as over a symbol, by
// what is round whatever lies under it: a dark ring, brighter on both sides.
func (s *sheet) halo() (veil, bool) {
	look := s.look.Board.Cursor
	if look.Alpha == 0 {
		return veil{}, false
	}
	flat := s.b.Flat
	want := look.Radius * float64(s.b.FrameSize.Y) / s.b.ScreenPitch * float64(s.b.Pitch)
	const turns = 24
	var sin, cos [turns]float64
	for k := range turns {
		// Far from one to the next, so that three tell most places to be none.
		sin[k], cos[k] = math.Sincos(2 * math.Pi * float64(k*7%turns) / turns)
	}
	lum := func(x, y float64) int {
		i, j := int(x+0.5), int(y+0.5)
		if i < 0 || j < 0 || i >= flat.Rect.Dx() || j >= flat.Rect.Dy() {
			return -1
		}
		p := flat.Pix[j*flat.Stride+4*i:]
		return int(p[0]) + int(p[1]) + int(p[2])
	}
	// 0.5: a picture may have been darkened by half.
	white := 0.5 * look.Alpha * 255
	// Of how many rays the ring is darker than what is inside, under the veil, and
	// outside, by so many percent; -1 when it is so of fewer than least.
	ringed := func(x, y, r float64, percent, least int) int {
		ring := r * (1 + look.Ring/look.Radius) / 2
		dark := 0
		for k := range turns {
			at := func(r float64) int { return lum(x+r*cos[k], y+r*sin[k]) }
			in, mid := at(0.8*r), 100*at(ring)
			if float64(in) > 3*white && mid < (100-percent)*in && mid < (100-percent)*at(1.35*r) {
				dark++
			} else if k-dark >= turns-least || k == 5 && dark == 0 { // a quarter of the turn's rays, from all sides
				return -1
			}
		}
		return dark
	}
	const step = 2
	rows := make([]struct { // the best of each row
		veil
		dark int
	}, (flat.Rect.Dy()+step-1)/step)
	vision.SideBySide(len(rows), func(i int) {
		y, best := i*step, &rows[i]
		for x := 0; x < flat.Rect.Dx(); x += step {
			p := flat.Pix[y*flat.Stride+4*x:]
			if float64(min(p[0], p[1], p[2])) < white {
				continue
			}
			for _, scale := range []float64{0.85, 1, 1.2} {
				// The ring is two or three pixels wide: first nearly, then closely.
				if ringed(float64(x), float64(y), scale*want, 3, turns/2) < 0 {
					continue
				}
				for d := range 9 {
					cx, cy := float64(x+d%3-1), float64(y+d/3-1)
					if dark := ringed(cx, cy, scale*want, 8, turns*3/4); dark > best.dark {
						best.veil, best.dark = veil{x: cx, y: cy, r: scale * want, ring: scale * want * look.Ring / look.Radius, from: flat}, dark
					}
				}
			}
		}
	})
	best := rows[0]
	for _, r := range rows {
		if r.dark > best.dark {
			best = r
		}
	}
	return best.veil, best.dark > 0
}

// pointed is where the pointer is, if it is on the board: seen through, or not.
func (s *sheet) pointed() (veil, bool) {
	if len(s.veils) > 0 {
		return s.veils[0], true
	}
	return s.halo()
}

// to is the way from a veil's middle to a place, in pixels of the flat picture.
func (v veil) to(s *sheet, at image.Point) (x, y float64) {
	k := float64(s.b.Pitch) / 2
	return float64(s.b.Margin) + k*float64(at.X) - v.x, float64(s.b.Margin) + k*float64(at.Y) - v.y
}

// near tells whether a place lies under the pointer or right beside it.
func (v veil) near(s *sheet, at image.Point) bool {
	x, y := v.to(s, at)
	return hypot(x, y) < v.ring+s.line*float64(s.b.Pitch)
}

// reaches tells whether a veil or its border may lie over what stands in a cell, or
// beside it.
func (v veil) reaches(s *sheet, cell image.Point) bool {
	x, y := v.to(s, cell)
	// 0.24: a square reaches so far from its middle.
	return hypot(x, y) < v.ring+v.soft+0.24*float64(s.b.Pitch)
}

// over tells whether the pointer lies over what stands in a cell.
func (v veil) over(s *sheet, cell image.Point, st *stain) bool {
	x, y := v.to(s, cell)
	for j := range st.n {
		for i := range st.n {
			if st.cover[j*st.n+i] >= 0.5 && hypot(x+float64(i)+0.5-float64(st.n)/2, y+float64(j)+0.5-float64(st.n)/2) < v.ring {
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
	if v.r-v.border(s) < 0.24*pitch || hypot(x, y) > 0.1*pitch {
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
		if cover >= 0.5 && hypot(px, py) > v.ring {
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
		case hypot(x+half, y+half) <= d.r-d.border(s):
			deep++
		case k == 0 || hypot(max(0, x-half), max(0, y-half)) < d.r+d.border(s):
			return -1
		}
	}
	return deep
}

// hidden tells whether a pixel of the flat picture lies under the border of a
// veil, where what is there was not seen.
func (s *sheet) hidden(px, py float64) bool {
	return slices.ContainsFunc(s.veils, func(v veil) bool {
		r := hypot(px-v.x, py-v.y)
		return math.Abs(r-v.r) < v.soft+1 || math.Abs(r-v.ring) < v.soft+1
	})
}
