package witness

import (
	"image"
	"math"
	"slices"

	"onlooker/solve/witness"
	"onlooker/vision"
)

// A disc is the game's pointer seen on a board: white laid over the picture
// with some opacity, and a dark ring round it. Pixels of the flat picture.
type disc struct {
	x, y, r float64
	alpha   float64
}

// usual is what a pixel of the flat picture would show where there is nothing
// but lines and cells: one colour, or two where a line may be broken.
func (s *sheet) usual(px, py int) (first, second vision.RGB, two bool) {
	k := 2 / float64(s.b.Pitch)
	x, y := float64(px-s.b.Margin)*k, float64(py-s.b.Margin)*k
	w, h := float64(2*s.b.Cols), float64(2*s.b.Rows)
	nx, ny := 2*math.Round(x/2), 2*math.Round(y/2)
	nx, ny = max(0, min(nx, w)), max(0, min(ny, h))
	var paper vision.RGB
	if x >= -s.line && y >= -s.line && x <= w+s.line && y <= h+s.line {
		cx, cy := int(math.Floor(max(0, min(x, w-0.01))/2))*2+1, int(math.Floor(max(0, min(y, h-0.01))/2))*2+1
		paper = s.cell(cx, cy)
	} else {
		paper = s.outside(x, y)
	}
	reach := s.line // half-cells: half a line
	if x < -reach || y < -reach || x > w+reach || y > h+reach {
		// A cap may stick out here.
		return paper, s.inkAt(image.Pt(int(nx), int(ny))), true
	}
	if math.Abs(x-nx) > reach && math.Abs(y-ny) > reach {
		return paper, paper, false
	}
	at := image.Pt(int(nx), int(ny))
	return s.inkAt(at), paper, true
}

// beyond tells whether a pixel of the flat picture lies outside the border's
// lines.
func (s *sheet) beyond(px, py int) bool {
	k := 2 / float64(s.b.Pitch)
	x, y := float64(px-s.b.Margin)*k, float64(py-s.b.Margin)*k
	return x < -s.line || y < -s.line || x > float64(2*s.b.Cols)+s.line || y > float64(2*s.b.Rows)+s.line
}

// mayBreak tells whether a disc of the flat picture lies where a break would,
// and no wider than the line: the colour of cells may be that of a line with
// some white over it.
func (s *sheet) mayBreak(px, py, r float64) bool {
	k := 2 / float64(s.b.Pitch)
	x, y := (px-float64(s.b.Margin))*k, (py-float64(s.b.Margin))*k
	at := image.Pt(int(math.Round(x)), int(math.Round(y)))
	return witness.IsEdge(at) && hypot(x-float64(at.X), y-float64(at.Y)) < 0.25 && r*k < 1.3*s.line
}

// lined tells whether a pixel of the flat picture may be on a line, a start
// circle or a cap: it is not in the middle of a cell.
func (s *sheet) lined(px, py int) bool {
	if s.beyond(px, py) {
		return true
	}
	k := 1 / float64(s.b.Pitch)
	x, y := float64(px-s.b.Margin)*k, float64(py-s.b.Margin)*k
	x, y = math.Abs(x-math.Round(x)), math.Abs(y-math.Round(y))
	// 0.6: half a line, and a tenth for what is blurred.
	return min(x, y) < 0.6*s.line || hypot(x, y) < s.look.Board.Start[1]*s.line
}

// outside is the colour beyond the border nearest to a position.
func (s *sheet) outside(x, y float64) vision.RGB {
	w, h := float64(2*s.b.Cols), float64(2*s.b.Rows)
	o := s.line + 0.25
	var v []vision.RGB
	for _, d := range []float64{-1.2, -0.8, 0.8, 1.2} {
		switch {
		case x < 0:
			v = append(v, s.at(-o, max(0, min(y, h))+d))
		case x > w:
			v = append(v, s.at(w+o, max(0, min(y, h))+d))
		}
		switch {
		case y < 0:
			v = append(v, s.at(max(0, min(x, w))+d, -o))
		case y > h:
			v = append(v, s.at(max(0, min(x, w))+d, h+o))
		}
	}
	if len(v) == 0 {
		return s.b.Paper
	}
	return medianRGB(v)
}

var white = vision.RGB{255, 255, 255}

// veil is the opacity of a white veil that would turn one colour into another,
// and how far from that the colour is.
func veil(base, c vision.RGB) (alpha, off float64) {
	to := white.Sub(base)
	q := to.Dot(to)
	if q < 1 {
		return 0, 0
	}
	alpha = c.Sub(base).Dot(to) / q
	var want vision.RGB
	for k := range want {
		want[k] = base[k] + alpha*to[k]
	}
	return alpha, want.Dist(c)
}

// cursor finds the pointer's disc on the board, if it is there.
func (s *sheet) cursor() (disc, bool) {
	look := s.look.Board.Cursor
	if look.Alpha == 0 {
		return disc{}, false
	}
	w, h := s.b.Flat.Rect.Dx(), s.b.Flat.Rect.Dy()
	contrast := s.b.Ink.Dist(s.b.Paper)
	const step = 2
	mw, mh := w/step, h/step
	mask := make([]bool, mw*mh)
	veils := make([]float64, mw*mh)
	for j := range mh {
		for i := range mw {
			px, py := i*step, j*step
			p := s.b.Flat.Pix[py*s.b.Flat.Stride+4*px:]
			c := vision.RGB{float64(p[0]), float64(p[1]), float64(p[2])}
			// A veil of white lifts the darkest channel above a good part of it.
			if min(c[0], c[1], c[2]) < 0.5*look.Alpha*255 {
				continue
			}
			a, b, two := s.usual(px, py)
			alpha, off := veil(a, c)
			ok := alpha > 0.6*look.Alpha && alpha < 1.7*look.Alpha && off < 0.25*contrast
			if !ok && two {
				alpha, off = veil(b, c)
				ok = alpha > 0.6*look.Alpha && alpha < 1.7*look.Alpha && off < 0.25*contrast
			}
			mask[j*mw+i] = ok
			veils[j*mw+i] = alpha
		}
	}
	want := look.Radius * float64(s.b.FrameSize.Y) / s.b.ScreenPitch * float64(s.b.Pitch)
	var best disc
	bestArea := 0
	seen := make([]bool, len(mask))
	var stack []int
	for start := range mask {
		if !mask[start] || seen[start] {
			continue
		}
		stack = append(stack[:0], start)
		seen[start] = true
		x0, y0, x1, y1, area := mw, mh, 0, 0, 0
		var all []float64
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			x, y := i%mw, i/mw
			area++
			all = append(all, veils[i])
			x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
			for _, n := range [...][2]int{{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}} {
				if n[0] >= 0 && n[1] >= 0 && n[0] < mw && n[1] < mh {
					if k := n[1]*mw + n[0]; mask[k] && !seen[k] {
						seen[k] = true
						stack = append(stack, k)
					}
				}
			}
		}
		bw, bh := float64(x1-x0+1), float64(y1-y0+1)
		r := float64(step) * (bw + bh) / 4
		fill := float64(area) / (bw * bh)
		if bw > 1.25*bh || bh > 1.25*bw || fill < 0.55 || fill > 0.92 || area < 12 || r < 0.5*want || r > 2*want {
			continue
		}
		slices.Sort(all)
		// One opacity: of what else is whitish, such as a glow, it varies.
		if all[len(all)*9/10]-all[len(all)/5] > 0.1 {
			continue
		}
		found := pool{x: float64(step) * float64(x0+x1) / 2, y: float64(step) * float64(y0+y1) / 2}
		if area > bestArea && !s.mayBreak(found.x, found.y, r) && s.pointed(found, r, want) {
			bestArea = area
			best = disc{float64(step) * float64(x0+x1) / 2, float64(step) * float64(y0+y1) / 2, r, median(all)}
		}
	}
	return best, bestArea > 0
}

// lift takes the pointer's disc off a picture: what is under it is seen
// through it, what is under its ring is replaced by what is usual there.
func (s *sheet) lift(d disc) *image.RGBA {
	out := image.NewRGBA(s.b.Flat.Rect)
	copy(out.Pix, s.b.Flat.Pix)
	look := s.look.Board.Cursor
	ring := d.r*look.Ring/look.Radius + 2
	blur := max(1, float64(s.b.Pitch)/s.b.ScreenPitch)
	inner := d.r - 0.7*blur
	for y := max(0, int(d.y-ring-2)); y <= min(out.Rect.Dy()-1, int(d.y+ring+2)); y++ {
		for x := max(0, int(d.x-ring-2)); x <= min(out.Rect.Dx()-1, int(d.x+ring+2)); x++ {
			r := hypot(float64(x)-d.x, float64(y)-d.y)
			p := out.Pix[y*out.Stride+4*x:]
			switch {
			case r <= inner:
				for k := range 3 {
					v := (float64(p[k]) - d.alpha*255) / (1 - d.alpha)
					p[k] = uint8(max(0, min(255, v)))
				}
			case r <= ring+blur:
				c := vision.RGB{float64(p[0]), float64(p[1]), float64(p[2])}
				a, b, two := s.usual(x, y)
				if s.beyond(x, y) {
					two = false // what matters of a cap is its middle
				}
				if two {
					// Of line and gap what continues inwards: look just inside.
					f := (inner - 1) / max(r, 1)
					qx, qy := d.x+(float64(x)-d.x)*f, d.y+(float64(y)-d.y)*f
					in := vision.At(s.b.Flat, qx, qy)
					for k := range in {
						in[k] = (in[k] - d.alpha*255) / (1 - d.alpha)
					}
					if in.Dist(b) < in.Dist(a) {
						a = b
					}
				}
				c = a
				for k := range 3 {
					p[k] = uint8(max(0, min(255, c[k])))
				}
			}
		}
	}
	return out
}

// A pool is a large veil of white round the pointer, as the game lays it over
// a panel for a moment on entering: opacity by the distance from its middle,
// in pixels of the flat picture.
type pool struct {
	x, y  float64
	alpha []float64
	edge  []bool // distances at which a ring or a border hides what is there
}

// pool finds a veil with anything round in it: the pointer's disc alone, or
// with a larger disc round it. Unlike cursor it goes by the colours of the
// whole board, since those of the cells under it are veiled too.
func (s *sheet) pool() (pool, bool) {
	look := s.look.Board.Cursor
	if look.Alpha == 0 {
		return pool{}, false
	}
	w, h := s.b.Flat.Rect.Dx(), s.b.Flat.Rect.Dy()
	contrast := s.b.Ink.Dist(s.b.Paper)
	const step = 2
	mw, mh := w/step, h/step
	mask := make([]bool, mw*mh)
	at := func(px, py int) (float64, bool) {
		p := s.b.Flat.Pix[py*s.b.Flat.Stride+4*px:]
		c := vision.RGB{float64(p[0]), float64(p[1]), float64(p[2])}
		if min(c[0], c[1], c[2]) < 0.3*look.Alpha*255 {
			return 0, false
		}
		a1, o1 := veil(s.b.Paper, c)
		if a2, o2 := veil(s.b.Ink, c); o2 < o1 && s.lined(px, py) {
			a1, o1 = a2, o2
		}
		return a1, o1 < 0.22*contrast
	}
	for j := range mh {
		for i := range mw {
			alpha, ok := at(i*step, j*step)
			mask[j*mw+i] = ok && alpha > 0.35*look.Alpha && alpha < 1.8*look.Alpha
		}
	}
	want := look.Radius * float64(s.b.FrameSize.Y) / s.b.ScreenPitch * float64(s.b.Pitch)
	// How much of the mask lies in a circle, and how much just outside it.
	holds := func(x, y, r float64) (inside, outside float64) {
		const n = 32
		in, all := 0, 0
		for i := range n {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / n)
			for _, f := range []float64{0.2, 0.45, 0.65, 0.8, 0.92} {
				px, py := int(x+f*r*cos+0.5), int(y+f*r*sin+0.5)
				if px < 0 || py < 0 || px >= mw || py >= mh {
					continue
				}
				if all++; mask[py*mw+px] {
					in++
				}
			}
			if px, py := int(x+(r+1.5)*cos+0.5), int(y+(r+1.5)*sin+0.5); px >= 0 && py >= 0 && px < mw && py < mh && mask[py*mw+px] {
				outside += 1.0 / n
			}
		}
		return float64(in) / float64(max(all, 1)), outside
	}
	var best pool
	bestArea, radius := 0, 0.0
	seen := make([]bool, len(mask))
	var stack []int
	for start := range mask {
		if !mask[start] || seen[start] {
			continue
		}
		stack = append(stack[:0], start)
		seen[start] = true
		x0, y0, x1, y1, area := mw, mh, 0, 0, 0
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			x, y := i%mw, i/mw
			area++
			x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
			for _, n := range [...][2]int{{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}} {
				if n[0] >= 0 && n[1] >= 0 && n[0] < mw && n[1] < mh {
					if k := n[1]*mw + n[0]; mask[k] && !seen[k] {
						seen[k] = true
						stack = append(stack, k)
					}
				}
			}
		}
		bw, bh := float64(x1-x0+1), float64(y1-y0+1)
		// 7: the larger disc begins at six times the pointer's radius. Next to
		// it something else may be veiled or whitish, so the box is a beginning.
		x, y, r := float64(x0+x1)/2, float64(y0+y1)/2, min(bw, bh)/2
		if bw > 1.6*bh || bh > 1.6*bw || step*r < 0.5*want || step*r > 7.5*want || area <= bestArea {
			continue
		}
		value := func(x, y, r float64) float64 {
			in, out := holds(x, y, r)
			return in - out
		}
		top := value(x, y, r)
		for d := max(1, math.Round(r/4)); d >= 0.5; {
			better := false
			for _, m := range [][3]float64{{d, 0, 0}, {-d, 0, 0}, {0, d, 0}, {0, -d, 0}, {0, 0, d}, {0, 0, -d}} {
				if r+m[2] < 2 {
					continue
				}
				if v := value(x+m[0], y+m[1], r+m[2]); v > top {
					top, x, y, r, better = v, x+m[0], y+m[1], r+m[2], true
				}
			}
			if !better {
				d /= 2
			}
		}
		if in, out := holds(x, y, r); in < 0.62 || out > 0.35 || step*r < 0.6*want || step*r > 7*want {
			continue
		}
		bestArea, radius = area, step*r
		best = pool{x: step * x, y: step * y}
	}
	if bestArea == 0 {
		return best, false
	}
	n := int(radius) + 4
	byRadius := make([][]float64, n)
	looked := make([]int, n)
	for y := max(0, int(best.y)-n); y < min(h, int(best.y)+n); y++ {
		for x := max(0, int(best.x)-n); x < min(w, int(best.x)+n); x++ {
			k := int(hypot(float64(x)-best.x, float64(y)-best.y) + 0.5)
			if k >= n {
				continue
			}
			looked[k]++
			if a, ok := at(x, y); ok {
				byRadius[k] = append(byRadius[k], a)
			}
		}
	}
	best.alpha = make([]float64, n)
	best.edge = make([]bool, n)
	for k := range n {
		if 2*len(byRadius[k]) < looked[k] {
			best.edge[k] = true
			continue
		}
		best.alpha[k] = median(byRadius[k])
	}
	// The pool is one opacity, and the pointer's disc in it another.
	even, all := 0, 0
	for k := 2; k < n-6; k++ {
		if all++; !best.edge[k] && math.Abs(best.alpha[k+1]-best.alpha[k-1]) <= 0.05 {
			even++
		}
	}
	for k := 2; k+2 < n; k++ {
		// A dark ring lies under what is on both sides of it.
		if best.alpha[k] < min(best.alpha[k-2], best.alpha[k+2])-0.04 {
			best.edge[k] = true
		}
	}
	if all < 2 || 2*even < all {
		return best, false
	}
	return best, s.pointed(best, radius, want)
}

// pointed tells whether a veil is the pointer's and no whitish symbol: it has
// the pointer's dark ring, or the pointer's disc inside a larger one, or its
// size, away from where symbols stand.
func (s *sheet) pointed(v pool, radius, want float64) bool {
	look := s.look.Board.Cursor
	dark := 0.0
	mid := radius * (1 + look.Ring/look.Radius) / 2
	for k := range 32 {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / 32)
		lum := func(r float64) float64 {
			c := vision.At(s.b.Flat, v.x+r*cos, v.y+r*sin)
			return c[0] + c[1] + c[2]
		}
		if lum(mid) < 0.9*lum(1.45*radius) {
			dark += 1.0 / 32
		}
	}
	if dark > 0.6 {
		return true
	}
	level := func(from, to float64) float64 {
		var a []float64
		for k := int(from); k < int(to) && k < len(v.alpha); k++ {
			if !v.edge[k] {
				a = append(a, v.alpha[k])
			}
		}
		return median(a)
	}
	if radius > 1.5*want && level(0, 0.8*want) > level(1.4*want, 0.95*radius)+0.06 {
		return true
	}
	pitch := float64(s.b.Pitch)
	ox := math.Mod((v.x-float64(s.b.Margin))/pitch+4, 1) - 0.5
	oy := math.Mod((v.y-float64(s.b.Margin))/pitch+4, 1) - 0.5
	symbol := hypot(ox, oy) < 0.12 && radius > 0.11*pitch && radius < 0.27*pitch
	return !symbol && math.Abs(radius/want-1) < 0.25
}

// halo finds the pointer where it cannot be seen through, as over a symbol, by
// what is round whatever lies under it: a dark ring, brighter on both sides.
func (s *sheet) halo() (disc, bool) {
	look := s.look.Board.Cursor
	if look.Alpha == 0 {
		return disc{}, false
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
	// Of how many rays the ring is darker than what is inside and outside, by so
	// many percent; -1 when it is so of fewer than least.
	ringed := func(x, y, r float64, percent, least int) int {
		ring := r * (1 + look.Ring/look.Radius) / 2
		dark := 0
		for k := range turns {
			at := func(r float64) int { return lum(x+r*cos[k], y+r*sin[k]) }
			if mid := 100 * at(ring); mid < (100-percent)*at(0.8*r) && mid < (100-percent)*at(1.35*r) {
				dark++
			} else if k-dark >= turns-least {
				return -1
			}
		}
		return dark
	}
	best, most := disc{}, -1
	for y := 0; y < flat.Rect.Dy(); y += 2 {
		for x := 0; x < flat.Rect.Dx(); x += 2 {
			p := flat.Pix[y*flat.Stride+4*x:]
			if float64(min(p[0], p[1], p[2])) < 0.5*look.Alpha*255 {
				continue
			}
			for _, scale := range []float64{0.85, 1, 1.2} {
				// The ring is two or three pixels wide: first nearly, then closely.
				if ringed(float64(x), float64(y), scale*want, 3, turns/2) < 0 {
					continue
				}
				for d := range 9 {
					cx, cy := float64(x+d%3-1), float64(y+d/3-1)
					if dark := ringed(cx, cy, scale*want, 8, turns*3/4); dark > most {
						best, most = disc{x: cx, y: cy, r: scale * want, alpha: look.Alpha}, dark
					}
				}
			}
		}
	}
	return best, most > 0
}

// pointer is the pointer's disc, if it is on the board: seen through, or not.
func (s *sheet) pointer() (disc, bool) {
	if s.disc != nil {
		return *s.disc, true
	}
	if v := s.veiled; v != nil {
		// In the middle of a veil; or the veil is the pointer itself.
		want := s.look.Board.Cursor.Radius * float64(s.b.FrameSize.Y) / s.b.ScreenPitch * float64(s.b.Pitch)
		return disc{x: v.x, y: v.y, r: want}, true
	}
	return s.halo()
}

// over tells whether the pointer lies over what stands in a cell.
func (d disc) over(s *sheet, cell image.Point, st *stain) bool {
	k := float64(s.b.Pitch) / 2
	x, y := float64(s.b.Margin)+k*float64(cell.X)-d.x, float64(s.b.Margin)+k*float64(cell.Y)-d.y
	reach := d.r * s.look.Board.Cursor.Ring / s.look.Board.Cursor.Radius
	for j := range st.n {
		for i := range st.n {
			if st.cover[j*st.n+i] >= 0.5 && hypot(x+float64(i)+0.5-float64(st.n)/2, y+float64(j)+0.5-float64(st.n)/2) < reach {
				return true
			}
		}
	}
	return false
}

// hidden tells whether a pixel of the flat picture lies under the border of
// the pointer or of a veil, where what is there was not seen.
func (s *sheet) hidden(px, py float64) bool {
	if v := s.veiled; v != nil {
		k := int(hypot(px-v.x, py-v.y) + 0.5)
		for d := max(0, k-2); d <= k+2 && d < len(v.alpha); d++ {
			if v.edge[d] || d > 0 && d+1 < len(v.alpha) && math.Abs(v.alpha[d+1]-v.alpha[d-1]) > 0.05 {
				return true
			}
		}
		return k > len(v.alpha)-8 && k < len(v.alpha)
	}
	if d := s.disc; d != nil {
		r := hypot(px-d.x, py-d.y)
		return r > d.r-3 && r < d.r*s.look.Board.Cursor.Ring/s.look.Board.Cursor.Radius+4
	}
	return false
}

// clear takes a pool off a picture.
func (s *sheet) clear(v pool) *image.RGBA {
	out := image.NewRGBA(s.b.Flat.Rect)
	copy(out.Pix, s.b.Flat.Pix)
	n := len(v.alpha)
	for y := max(0, int(v.y)-n); y < min(out.Rect.Dy(), int(v.y)+n); y++ {
		for x := max(0, int(v.x)-n); x < min(out.Rect.Dx(), int(v.x)+n); x++ {
			k := int(hypot(float64(x)-v.x, float64(y)-v.y) + 0.5)
			if k >= n {
				continue
			}
			p := out.Pix[y*out.Stride+4*x:]
			c := vision.RGB{float64(p[0]), float64(p[1]), float64(p[2])}
			if v.edge[k] {
				// A ring or a border: what is usual there, of line and cell the
				// one that this is more like with some white or black over it.
				if s.beyond(x, y) {
					c = s.outside(2*float64(x-s.b.Margin)/float64(s.b.Pitch), 2*float64(y-s.b.Margin)/float64(s.b.Pitch))
				} else if _, o1 := veil(s.b.Paper, c); true {
					c1 := s.b.Paper
					if _, o2 := veil(s.b.Ink, c); o2 < o1 {
						c1 = s.b.Ink
					}
					c = c1
				}
			} else {
				for i := range c {
					c[i] = (c[i] - v.alpha[k]*255) / (1 - v.alpha[k])
				}
			}
			for i := range 3 {
				p[i] = uint8(max(0, min(255, c[i]+0.5)))
			}
		}
	}
	return out
}
