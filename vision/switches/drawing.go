package switches

import (
	"cmp"
	"image"
	"math"
	"slices"

	"onlooker/vision/grid/cell"
	"onlooker/vision/grid/part"
)

// The model of a pattern: a drawing is some squares of a lattice, each outlined by
// lines of one width, the middle one filled. Given a style (the squares' size, where
// the middle one is, how wide the lines are) each set of squares has a picture, in
// which a pixel is as dark as lines and filling cover it. A drawing is read as the set whose
// picture is nearest, by least squares: first from how much there is of each side,
// then square by square. The style is the one in which a board's drawings are
// explained best; of sizes that are too large or too small some ink lies off every
// line.

const (
	mostReach    = 3               // squares from the middle, so that the drawing fits into its cell
	span         = 2*mostReach + 1 // squares in a row
	leastFilling = 0.5             // of the clearest pixel that the filling is
	solidSide    = 0.06            // cells: lines are narrower, squares wider
	styleCells   = 12              // drawings that tell the style
)

// A style is how patterns are drawn, in cell units: the side of their squares, where
// the middle one is from where its filling shows it, how wide their lines are, and the
// side of what a pixel is the mean of.
type style struct{ unit, x, y, line, pixel float64 }

// A drawing is what the pixels of a cell show.
type drawing struct {
	dots  []inked
	all   float64       // the sum of the squares of its ink
	reach [3][4]float64 // from its middle to the ends of its ink each way, in cell units: of each of leastInk
}

// An inked is a pixel of a drawing: where it is in cell units from the drawing's own
// middle, and how far its colour is from the ground's, 1 being the filling's.
type inked struct{ x, y, ink float64 }

// newDrawing takes the pixels in the box round all ink; least is the contrast that a
// mark has at the least.
func newDrawing(dots []cell.Dot, ground part.Colour, pixel, least float64) *drawing {
	ink := inkByLight(dots, ground, least)
	if ink == nil {
		ink = inkByColour(dots, ground)
	}
	list := make([]inked, len(dots))
	for i, o := range dots {
		list[i] = inked{o.X, o.Y, ink[i]}
	}
	x, y := filledAt(dots, list, pixel)
	// The clearest pixel may be clearer than the ink, by a JPEG's noise.
	filling, n := 0.0, 0.0
	for _, o := range list {
		if max(math.Abs(o.x-x), math.Abs(o.y-y)) < solidSide/2 {
			filling, n = filling+o.ink, n+1
		}
	}
	if filling /= max(1, n); filling < leastFilling {
		filling = 1
	}
	d := &drawing{}
	for i := range list {
		o := &list[i]
		o.x, o.y, o.ink = o.x-x, o.y-y, o.ink/filling
		for k, least := range leastInk() {
			if r := &d.reach[k]; o.ink >= least {
				*r = [4]float64{max(r[0], -o.x), max(r[1], -o.y), max(r[2], o.x), max(r[3], o.y)}
			}
		}
	}
	r, over := d.reach[0], 1.5*pixel
	for _, o := range list {
		if -o.x < r[0]+over && -o.y < r[1]+over && o.x < r[2]+over && o.y < r[3]+over {
			d.dots = append(d.dots, o)
			d.all += o.ink * o.ink
		}
	}
	return d
}

// inkByLight is by how much each pixel is lighter or darker than the ground, the
// clearest by 1; nil where that is less than a mark's contrast. A JPEG has colours at
// half the size, so that a line of a pixel has its ground's, but its own lightness.
func inkByLight(dots []cell.Dot, ground part.Colour, least float64) []float64 {
	ink, most := make([]float64, len(dots)), 0.0
	for i, o := range dots {
		if ink[i] = o.Colour.Luminance() - ground.Luminance(); math.Abs(ink[i]) > math.Abs(most) {
			most = ink[i]
		}
	}
	if math.Abs(most) < least {
		return nil
	}
	for i := range ink {
		ink[i] /= most
	}
	return ink
}

// inkByColour is by how much each pixel is of the clearest one's colour, which has 1.
func inkByColour(dots []cell.Dot, ground part.Colour) []float64 {
	clearest := slices.MaxFunc(dots, func(a, b cell.Dot) int {
		return cmp.Compare(a.Colour.Contrast(ground), b.Colour.Contrast(ground))
	}).Colour
	var way [3]float64
	long := 0.0
	for k := range way {
		way[k] = float64(clearest[k]) - float64(ground[k])
		long += way[k] * way[k]
	}
	ink := make([]float64, len(dots))
	for i, o := range dots {
		for k := range way {
			ink[i] += way[k] * (float64(o.Colour[k]) - float64(ground[k])) / max(1, long)
		}
	}
	return ink
}

// leastInk is what part of the filling's ink is no ground, from clean pictures to
// those of a JPEG, where faint ink is noise; lines of half a pixel have half of it.
func leastInk() [3]float64 { return [3]float64{0.15, 0.3, 0.45} }

// filledAt is where the filled square of a drawing has its middle: by the places
// round which all is ink, farther than a line is wide.
func filledAt(dots []cell.Dot, list []inked, pixel float64) (x, y float64) {
	var box image.Rectangle
	for _, o := range dots {
		box = box.Union(image.Rectangle{o.At, o.At.Add(image.Pt(1, 1))})
	}
	ink := make([]float64, box.Dx()*box.Dy())
	index := func(p image.Point) int { return (p.Y-box.Min.Y)*box.Dx() + p.X - box.Min.X }
	for i, o := range dots {
		ink[index(o.At)] = list[i].ink
	}
	wide := max(2, int(math.Round(solidSide/pixel)))
	weights := make([]float64, len(dots))
	for i, o := range dots {
		least := math.Inf(1)
		for dy := range wide {
			for dx := 0; dx < wide && least > 0; dx++ { // most of a cell is ground
				if p := o.At.Add(image.Pt(dx, dy)); p.In(box) {
					least = min(least, ink[index(p)])
				} else {
					least = 0
				}
			}
		}
		weights[i] = max(0, least) * max(0, least) * max(0, least)
	}
	// The mean, then that of what is near it.
	half := float64(wide-1) / 2 * pixel
	x, y = 0.5, 0.5
	for _, near := range []float64{1, mostUnit / 2} {
		var all, sx, sy float64
		for i, w := range weights {
			u, v := list[i].x+half, list[i].y+half
			if math.Abs(u-x) < near && math.Abs(v-y) < near {
				all, sx, sy = all+w, sx+w*u, sy+w*v
			}
		}
		if all > 0 {
			x, y = sx/all, sy/all
		}
	}
	return x, y
}

// A band is what of a pixel lies on the lattice in one direction: on a line, and in
// the squares before and after it.
type band struct {
	at                int // the line's number, 0 to span
	on, before, after float64
}

func (st style) band(at, middle float64) band {
	t := (at-middle)/st.unit + float64(span)/2
	n := math.Round(t)
	line := middle + (n-float64(span)/2)*st.unit
	part := func(from, to float64) float64 {
		return max(0, min(at+st.pixel/2, to)-max(at-st.pixel/2, from)) / st.pixel
	}
	return band{int(n), part(line-st.line/2, line+st.line/2), part(line-st.unit+st.line/2, line-st.line/2), part(line+st.line/2, line+st.unit-st.line/2)}
}

// squares are which squares of a drawing there are, from (1,1), with none round them.
type squares [span + 2][span + 2]bool

const centre = mostReach + 1

// bandSteps are the places within a pixel for which bands are worked out.
const bandSteps = 16

// bands are the bands of places a cell each way, in steps of parts of a pixel.
func (st style) bands(middle, pixel float64) []band {
	out := make([]band, 2*int(bandSteps/pixel)+2)
	for i := range out {
		out[i] = st.band(float64(i)*pixel/bandSteps-1, middle)
	}
	return out
}

// A lattice is a style laid over cells.
type lattice struct {
	x, y []band
	per  float64 // bands for a cell
	unit float64 // of the style
}

func (st style) lattice(pixel float64) lattice {
	return lattice{st.bands(st.x, pixel), st.bands(st.y, pixel), bandSteps / pixel, st.unit}
}

func (l *lattice) at(d inked) (x, y *band) {
	return &l.x[int((d.x+1)*l.per+0.5)], &l.y[int((d.y+1)*l.per+0.5)]
}

// picture is how much of a pixel some squares' lines and filling cover.
func (s *squares) picture(x, y *band) (lines, filling float64) {
	if x.at < 0 || y.at < 0 || x.at > span || y.at > span {
		return 0, 0
	}
	// Squares before and after the line each way.
	bb, ab, ba, aa := s[x.at][y.at], s[x.at+1][y.at], s[x.at][y.at+1], s[x.at+1][y.at+1]
	share := func(v float64, there bool) {
		if there {
			lines += v
		}
	}
	share(x.on*y.on, bb || ab || ba || aa)
	share(x.before*y.on, bb || ba)
	share(x.after*y.on, ab || aa)
	share(x.on*y.before, bb || ab)
	share(x.on*y.after, ba || aa)
	if s[centre][centre] {
		in := func(b *band) float64 {
			switch b.at {
			case mostReach:
				return b.after
			case mostReach + 1:
				return b.before
			}
			return 0
		}
		filling = in(x) * in(y)
	}
	return lines, filling
}

// sided are the squares all sides of which there is at least half of.
func (l *lattice) sided(d *drawing) (s squares) {
	var across, down [span + 2][span + 2][2]float64 // sides above and left of squares: ink, and what there would be
	add := func(to *[2]float64, along, on, ink float64) {
		w := along * along * along * on // ends of sides are shared with others
		to[0] += w * ink
		to[1] += w * along * on
	}
	for _, o := range d.dots {
		x, y := l.at(o)
		if x.at < 0 || y.at < 0 || x.at > span || y.at > span {
			continue
		}
		add(&across[x.at][y.at+1], x.before, y.on, o.ink)
		add(&across[x.at+1][y.at+1], x.after, y.on, o.ink)
		add(&down[x.at+1][y.at], y.before, x.on, o.ink)
		add(&down[x.at+1][y.at+1], y.after, x.on, o.ink)
	}
	there := func(v [2]float64) bool { return v[1] > 0 && v[0] >= 0.5*v[1] }
	for x := 1; x <= span; x++ {
		for y := 1; y <= span; y++ {
			s[x][y] = there(across[x][y]) && there(across[x][y+1]) && there(down[x][y]) && there(down[x+1][y])
		}
	}
	return s
}

// off is by how much a drawing differs from a picture of squares, as a sum of squares.
func (l *lattice) off(d *drawing, s *squares) (sum float64) {
	for _, o := range d.dots {
		lines, filling := s.picture(l.at(o))
		v := o.ink - lines - filling
		sum += v * v
	}
	return sum
}

// A finding is which squares a drawing is, and of the least sure square how much of
// what tells it speaks for it: 1 all, 0 as much as against it.
type finding struct {
	squares squares
	off     float64
	sure    float64
	at      image.Point // the least sure square, from the middle
}

// found is the set of squares whose picture is nearest to a drawing.
func (l *lattice) found(d *drawing) finding {
	f := finding{squares: l.sided(d)}
	for range span * span {
		f.sure, f.off = math.Inf(1), l.off(d, &f.squares)
		for x := 1; x <= span; x++ {
			for y := 1; y <= span; y++ {
				if v := l.sure(d, &f.squares, x, y); v < f.sure {
					f.sure, f.at = v, image.Pt(x-centre, y-centre)
				}
			}
		}
		if f.sure >= 0 {
			break
		}
		at := f.at.Add(image.Pt(centre, centre))
		f.squares[at.X][at.Y] = !f.squares[at.X][at.Y]
	}
	return f
}

// sure is how much of what tells a square from none speaks for how it is.
func (l *lattice) sure(d *drawing, s *squares, x, y int) float64 {
	o := *s
	o[x][y] = !o[x][y]
	at := func(k int) float64 { return float64(k-centre) * l.unit }
	if r := d.reach[0]; -at(x) > r[0] || -at(y) > r[1] || at(x) > r[2] || at(y) > r[3] {
		return math.Inf(1) // off all ink
	}
	more, all := 0.0, 0.0
	for _, p := range d.dots {
		u, v := l.at(p)
		if u.at < x-1 || u.at > x || v.at < y-1 || v.at > y {
			continue
		}
		a, b := s.picture(u, v)
		a2, b2 := o.picture(u, v)
		was, is := p.ink-a-b, p.ink-a2-b2
		more += is*is - was*was
		all += (is - was) * (is - was)
	}
	if all < 1e-6 {
		return 0 // all its sides are other squares' as well
	}
	return more / all
}

// left is how much of some drawings' ink a style leaves unexplained, as a share of
// the sum of its squares; more than most where it is that, but not how much. pixel is the
// frame's in cell units.
func (st style) left(list []*drawing, pixel, most float64) float64 {
	l := st.lattice(pixel)
	off, all := 0.0, 0.0
	for _, d := range list {
		all += d.all
	}
	all = max(all, 1e-9)
	for _, d := range list {
		s := l.sided(d)
		if off += l.off(d, &s); off > 1.001*most*all { // but for rounding
			return math.Inf(1)
		}
	}
	return off / all
}

// styles are the styles that explain drawings best from some sizes of squares, the
// best one first; pixel is the frame's in cell units.
func styles(list []*drawing, units []float64, pixel float64) []style {
	some := make([]*drawing, 0, 2*styleCells)
	for i := 0; i < len(list); i += max(1, len(list)/styleCells) {
		some = append(some, list[i])
	}
	out := make([]style, len(units))
	left := make(map[style]float64, len(units))
	for i, unit := range units {
		out[i] = style{unit: unit, line: pixel, pixel: pixel}
		best := out[i].left(some, pixel, math.Inf(1))
		for step := 0.5; step > 0.05; step /= 2 { // pixels
			for moved := true; moved; {
				moved = false
				for _, o := range out[i].beside(step*pixel, pixel) {
					if e := o.left(some, pixel, 0.99*best); e < 0.99*best {
						out[i], best, moved = o, e, true
					}
				}
			}
		}
		left[out[i]] = best
	}
	slices.SortFunc(out, func(a, b style) int { return cmp.Compare(left[a], left[b]) })
	return out
}

// beside are the styles a step from one in one of its measures.
func (st style) beside(step, pixel float64) (out []style) {
	for k := range 10 {
		o, by := st, step*float64(1-2*(k%2))
		switch k / 2 {
		case 0:
			o.x += by
		case 1:
			o.y += by
		case 2:
			o.unit += by / mostReach // that far at the outermost squares
		case 3:
			o.line += by
		case 4:
			o.pixel += by
		}
		if o.line >= 0.25*pixel && o.pixel >= 0.75*pixel && o.line+o.pixel <= o.unit {
			out = append(out, o)
		}
	}
	return out
}
