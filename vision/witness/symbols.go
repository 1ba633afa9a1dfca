package witness

import (
	"image"
	"math"
	"slices"

	"onlooker/solve/witness"
	"onlooker/vision"
)

// A stain is what stands in a cell: how much of each pixel of the cell's
// square it covers, 0 to 1, and its colour.
type stain struct {
	n     int       // pixels a side
	scale float64   // pixels per pitch
	cover []float64 // n×n
	col   vision.RGB
	area  float64    // square pitches
	box   [4]float64 // least x, y, greatest x, y of what is half covered, in pitches from the cell's centre
}

// stain finds what stands in a cell; nil when it is empty. Start circles
// beside it do not belong to it.
func (s *sheet) stain(cell image.Point, circles []image.Point) *stain {
	half := (1 - s.line) / 2 * 0.94 / max(s.squeeze, 1/s.squeeze) // pitches: just inside the lines
	n := int(2 * half * float64(s.b.Pitch))
	st := &stain{n: n, scale: float64(s.b.Pitch), cover: make([]float64, n*n)}
	paper := s.cell(cell.X, cell.Y)
	rings := make([]float64, len(circles))
	for k, o := range circles {
		rings[k] = s.ring(o)
	}
	pix := make([]vision.RGB, n*n)
	dist := make([]float64, n*n)
	for j := range n {
		for i := range n {
			x := float64(cell.X) + 2*(float64(i)+0.5-float64(n)/2)/st.scale*s.squeeze
			y := float64(cell.Y) + 2*(float64(j)+0.5-float64(n)/2)/st.scale/s.squeeze
			pix[j*n+i] = s.at(x, y)
			if s.hidden(float64(s.b.Margin)+x*st.scale/2, float64(s.b.Margin)+y*st.scale/2) && pix[j*n+i].Dist(paper) < 0.5*s.b.Ink.Dist(s.b.Paper) {
				pix[j*n+i] = paper
			}
			for k, o := range circles {
				// 1.45 of the line's width: a circle and its blurred border.
				r := hypot(x-float64(o.X), y-float64(o.Y))
				if r < 2*1.45*s.line || rings[k] > 0 && math.Abs(r-2*rings[k]) < 6/st.scale {
					pix[j*n+i] = paper
				}
			}
			dist[j*n+i] = pix[j*n+i].Dist(paper)
		}
	}
	sorted := slices.Clone(dist)
	slices.Sort(sorted)
	// A symbol covers at least 2 % of its cell: a triangle's core.
	top := sorted[len(sorted)-1-len(sorted)/50]
	contrast := s.b.Ink.Dist(s.b.Paper)
	if top < 0.22*contrast {
		return nil
	}
	// A symbol has a border; the light of a neighbour has none: over two pixels
	// of the frame it changes by less than a fifth of the contrast.
	step := max(1, int(2*st.scale/s.b.ScreenPitch+0.5))
	steepest := 0.0
	for j := step; j < n-step; j++ {
		for i := step; i < n-step; i++ {
			steepest = max(steepest, pix[j*n+i+step].Dist(pix[j*n+i-step]), pix[(j+step)*n+i].Dist(pix[(j-step)*n+i]))
		}
	}
	if steepest < 0.25*contrast {
		return nil
	}
	var core []vision.RGB
	for i, d := range dist {
		if d >= 0.85*top {
			core = append(core, pix[i])
		}
	}
	st.col = medianRGB(core)
	axis := st.col.Sub(paper)
	q := axis.Dot(axis)
	st.box = [4]float64{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for j := range n {
		for i := range n {
			c := pix[j*n+i].Sub(paper).Dot(axis) / q
			// What glows round a bright symbol stays below a third of it.
			c = max(0, min(1, (c-0.5)*2+0.5))
			st.cover[j*n+i] = c
			st.area += c / st.scale / st.scale
			if c >= 0.5 {
				x, y := (float64(i)+0.5-float64(n)/2)/st.scale, (float64(j)+0.5-float64(n)/2)/st.scale
				h := 0.5 / st.scale
				st.box[0], st.box[1] = min(st.box[0], x-h), min(st.box[1], y-h)
				st.box[2], st.box[3] = max(st.box[2], x+h), max(st.box[3], y+h)
			}
		}
	}
	if st.box[2] <= st.box[0] {
		return nil
	}
	return st
}

// A shape tells whether a place, in pitches from the cell's centre, is part of
// a symbol.
type shape func(x, y float64) bool

// like compares a stain with a shape moved by (dx, dy): 1 is equal, 0 nothing
// in common.
func (st *stain) like(f shape, dx, dy float64, blur float64) float64 {
	diff, all := 0.0, 0.0
	for j := range st.n {
		for i := range st.n {
			x, y := (float64(i)+0.5-float64(st.n)/2)/st.scale-dx, (float64(j)+0.5-float64(st.n)/2)/st.scale-dy
			t := 0.0
			for _, o := range [][2]float64{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}, {0, 0}} {
				if f(x+o[0]*blur, y+o[1]*blur) {
					t += 0.2
				}
			}
			c := st.cover[j*st.n+i]
			diff += math.Abs(c - t)
			all += max(c, t)
		}
	}
	if all == 0 {
		return 0
	}
	return 1 - diff/all
}

// A guess is a symbol and how like it a stain is.
type guess struct {
	sym   witness.Symbol
	score float64
}

// fit is the best likeness of a shape near the middle of the stain's box.
func (st *stain) fit(f shape, box [4]float64, blur float64) float64 {
	dx := (st.box[0]+st.box[2])/2 - (box[0]+box[2])/2
	dy := (st.box[1]+st.box[3])/2 - (box[1]+box[3])/2
	best := 0.0
	step := 0.5 / st.scale
	for _, o := range [][2]float64{{0, 0}, {step, 0}, {-step, 0}, {0, step}, {0, -step}} {
		best = max(best, st.like(f, dx+o[0], dy+o[1], blur))
	}
	return best
}

// guesses compares a stain with every symbol, the likeliest first.
func (s *sheet) guesses(st *stain) []guess {
	sy := &s.look.Symbols
	blur := 0.35 / s.b.ScreenPitch // a third of a pixel of the frame
	var out []guess
	for _, k := range []float64{0.9, 1, 1.1} {
		a := sy.Square / 2 * k
		sq := func(x, y float64) bool {
			x, y = math.Abs(x), math.Abs(y)
			if x > a || y > a {
				return false
			}
			r := 0.55 * a // corners are round
			return x < a-r || y < a-r || math.Hypot(x-a+r, y-a+r) < r
		}
		out = append(out, guess{witness.Symbol{Kind: witness.Square}, st.fit(sq, [4]float64{-a, -a, a, a}, blur)})
		b := sy.Star / 2 * k
		star := starShape(b)
		out = append(out, guess{witness.Symbol{Kind: witness.Star}, st.fit(star, [4]float64{-b, -b, b, b}, blur)})
		for n := 1; n <= 3; n++ {
			tw, th := sy.Triangle[0]*k, sy.Triangle[1]*k
			sp := sy.TriangleSpacing * k
			tri := func(x, y float64) bool {
				for i := range n {
					cx := (float64(i) - float64(n-1)/2) * sp
					v := (y + th/2) / th // 0 at the tip, 1 at the base
					if v >= 0 && v <= 1 && math.Abs(x-cx) <= tw/2*v {
						return true
					}
				}
				return false
			}
			tot := float64(n-1)*sp/2 + tw/2
			out = append(out, guess{witness.Symbol{Kind: witness.Triangle, Count: n}, st.fit(tri, [4]float64{-tot, -th / 2, tot, th / 2}, blur)})
		}
		e := sy.Eraser / 2 * k
		y := func(px, py float64) bool {
			for _, deg := range []float64{90, 210, 330} {
				c, sn := math.Cos(deg*math.Pi/180), math.Sin(deg*math.Pi/180)
				u, v := px*c+py*sn, -px*sn+py*c
				if u > -0.05*e && u < e && math.Abs(v) < 0.28*e {
					return true
				}
			}
			return false
		}
		out = append(out, guess{witness.Symbol{Kind: witness.Eraser}, st.fit(y, [4]float64{-e, -e / 2, e, e}, blur)})
	}
	for _, turn := range []float64{0, 15, 20, -15, -20} {
		for _, k := range []float64{0.85, 1, 1.15} {
			if g, ok := s.piece(st, turn, k, blur); ok {
				out = append(out, g)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b guess) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	return out
}

// starShape is an eight-pointed star: two squares, one on its tip, whose tips
// are at the given radius.
func starShape(r float64) shape {
	// Two crossed squares of half diagonal r; their notches are at 0.765 r.
	a := r / math.Sqrt2
	return func(x, y float64) bool {
		x, y = math.Abs(x), math.Abs(y)
		return (x <= a && y <= a) || x+y <= r
	}
}

// piece reads a stain as squares on a grid turned by some degrees.
func (s *sheet) piece(st *stain, degrees, k, blur float64) (guess, bool) {
	sy := &s.look.Symbols
	block, spacing := sy.Block*k, sy.Spacing*k
	c, sn := math.Cos(degrees*math.Pi/180), math.Sin(degrees*math.Pi/180)
	// The box in the turned directions.
	lox, loy, hix, hiy := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for j := range st.n {
		for i := range st.n {
			if st.cover[j*st.n+i] < 0.5 {
				continue
			}
			x, y := (float64(i)+0.5-float64(st.n)/2)/st.scale, (float64(j)+0.5-float64(st.n)/2)/st.scale
			u, v := x*c+y*sn, -x*sn+y*c
			lox, loy, hix, hiy = min(lox, u), min(loy, v), max(hix, u), max(hiy, v)
		}
	}
	h := 0.5 / st.scale
	lox, loy, hix, hiy = lox-h, loy-h, hix+h, hiy+h
	nx, ny := int(math.Round((hix-lox-block)/spacing))+1, int(math.Round((hiy-loy-block)/spacing))+1
	if nx < 1 || ny < 1 || nx > 6 || ny > 6 {
		return guess{}, false
	}
	// The grid fills the box.
	mx, my := (lox+hix)/2, (loy+hiy)/2
	var squares []image.Point
	for b := range ny {
		for a := range nx {
			u, v := mx+(float64(a)-float64(nx-1)/2)*spacing, my+(float64(b)-float64(ny-1)/2)*spacing
			sum, n := 0.0, 0.0
			for _, ou := range []float64{-0.3, 0, 0.3} {
				for _, ov := range []float64{-0.3, 0, 0.3} {
					pu, pv := u+ou*block, v+ov*block
					sum += st.coverAt(pu*c-pv*sn, pu*sn+pv*c)
					n++
				}
			}
			if sum/n > 0.5 {
				squares = append(squares, image.Pt(a, b))
			}
		}
	}
	if len(squares) == 0 {
		return guess{}, false
	}
	kind, hole := witness.Polyomino, 0.0
	if st.hollow(squares, func(q image.Point, u, v float64) (x, y float64) {
		u += mx + (float64(q.X)-float64(nx-1)/2)*spacing
		v += my + (float64(q.Y)-float64(ny-1)/2)*spacing
		return u*c - v*sn, u*sn + v*c
	}, block) {
		kind, hole = witness.Negative, block/4
	}
	f := func(x, y float64) bool {
		u, v := x*c+y*sn-mx, -x*sn+y*c-my
		for _, q := range squares {
			du, dv := math.Abs(u-(float64(q.X)-float64(nx-1)/2)*spacing), math.Abs(v-(float64(q.Y)-float64(ny-1)/2)*spacing)
			if du <= block/2 && dv <= block/2 {
				return du >= hole || dv >= hole
			}
		}
		return false
	}
	return guess{witness.Symbol{Kind: kind, Shape: squares, Turnable: degrees != 0}, st.like(f, 0, 0, blur)}, true
}

// hollow tells whether the squares of a piece are outlines, as those of blue
// pieces are: less covered in the middle than half way to their sides. place
// turns a place within a square into one on the stain.
func (st *stain) hollow(squares []image.Point, place func(q image.Point, u, v float64) (x, y float64), block float64) bool {
	middle, ring := 0.0, 0.0
	for _, q := range squares {
		middle += st.coverAt(place(q, 0, 0)) / float64(len(squares))
		for _, d := range [][2]float64{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			// 0.36: the middle of an outline a quarter of the side wide.
			ring += st.coverAt(place(q, 0.36*block*d[0], 0.36*block*d[1])) / float64(4*len(squares))
		}
	}
	return middle < ring-0.25
}

// coverAt is the cover at a place in pitches from the cell's centre.
func (st *stain) coverAt(x, y float64) float64 {
	i := int(x*st.scale + float64(st.n)/2)
	j := int(y*st.scale + float64(st.n)/2)
	if i < 0 || j < 0 || i >= st.n || j >= st.n {
		return 0
	}
	return st.cover[j*st.n+i]
}

// ring is the radius, in pitches, of the ring that some start circles send out
// as they pulse; 0 where there is none.
func (s *sheet) ring(start image.Point) float64 {
	best, where := 0.0, 0.0
	floor := max(s.b.Ink[0]+s.b.Ink[1]+s.b.Ink[2], s.b.Paper[0]+s.b.Paper[1]+s.b.Paper[2])
	for r := 1.3 * s.line; r < 2.6*s.line; r += 0.5 / float64(s.b.Pitch) {
		bright := 0.0
		for k := range 32 {
			sin, cos := math.Sincos(2 * math.Pi * (float64(k) + 0.5) / 32)
			c := s.at(float64(start.X)+2*r*cos, float64(start.Y)+2*r*sin)
			if c[0]+c[1]+c[2] > 1.15*floor {
				bright += 1.0 / 32
			}
		}
		if bright > best {
			best, where = bright, r
		}
	}
	if best < 0.75 {
		return 0
	}
	return where
}
