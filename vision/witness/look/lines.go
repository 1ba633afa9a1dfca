package look

import (
	"cmp"
	"image"
	"math"
	"slices"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/witness/view"
)

// Lines measures the lines of a view: their colour at any place, how far what is on them
// reaches, and what lies beside and beyond them.
type Lines struct {
	*view.View
	Bleed  float64 // pitches: how far a line's border spreads
	known  *Library
	Radius map[image.Point]float64     // of start circles, line widths
	Dotted map[image.Point]float64     // how far dots reach beside their line, line widths
	Capped map[image.Point]image.Point // edges with an end into a cell, and which way
}

// An EdgeView is what one edge shows, across and along it.
type EdgeView struct {
	Gone   []float64 // along the edge between its nodes' discs: 1 where across all of the line is ground
	Depth  float64   // the most of gone over a window of the blur's length
	Share  float64   // of the edge that is gone
	Begin  float64   // half-cells from the edge's middle: where what is seen of it begins
	Length float64   // pitches: of what is seen of it
	Odd    float64   // how far the middle is from the line's colour, in contrasts
}

// leastGround is by what share of the contrast a ground must differ from the lines to
// tell something: by less where the look's colours are known.
func (s *Lines) leastGround() float64 {
	if s.known.Exact {
		return view.Clearly / 2
	}
	return view.Clearly
}

// Clear is how far, in half-cells, what is on a node hides its edges: a circle, or a dot that
// is not of the lines' colour, whose middle may be as the ground is.
func (m *Lines) Clear(node image.Point) float64 {
	r := m.Radius[node]
	if r == 0 && m.known.any() && !m.known.Exact && m.OddCore(node) {
		r = m.DotReach(node)
	}
	return 2 * m.LineWidth * r
}

// strips are where across a line it is looked at, in line widths from its middle.
var strips = [...]float64{-0.38, -0.19, 0, 0.19, 0.38}

// EdgeView looks at an edge; clear tells how far from either node, in half-cells, a
// start circle reaches.
func (s *Lines) EdgeView(at image.Point, clear func(node image.Point) float64) EdgeView {
	ux, uy := witness.EdgeDirection(at)
	fx, fy := float64(at.X), float64(at.Y)
	w := 2 * s.LineWidth // half-cells
	step := 1 / view.Tuned.EdgeSamples
	from := -1 + max(w/2, clear(at.Sub(image.Pt(int(ux), int(uy)))))
	to := 1 - max(w/2, clear(at.Add(image.Pt(int(ux), int(uy)))))
	v := EdgeView{Begin: from, Length: max(0, to-from) / 2}
	ink := s.LineInk(at)
	// What is beside it, on either side, right there.
	beside := func(d, side float64) vision.RGB {
		r := side * (w/2 + 2*s.Bleed + view.Tuned.Beside)
		return s.At(fx+d*ux+r*uy, fy+d*uy+r*ux)
	}
	// What stands in a cell may reach there: then it is as usual along the edge.
	var usual [2]vision.RGB
	for k, side := range []float64{-1, 1} {
		var all []vision.RGB
		for d := from + step; d < to; d += step {
			all = append(all, beside(d, side))
		}
		if len(all) > 0 {
			usual[k] = vision.MedianRGB(all)
		}
	}
	ground := func(d float64, k int) vision.RGB {
		if c := beside(d, []float64{-1, 1}[k]); c.Dist(usual[k]) < view.Clearly*s.Contrast() {
			return c
		}
		return usual[k]
	}
	tells := func(ground vision.RGB) bool { return ink.Dist(ground) > s.leastGround()*s.Contrast() }
	for d := from + step; d < to; d += step {
		a, b := ground(d, 0), ground(d, 1)
		least := 1.0
		for _, off := range strips {
			// Where the ground beside the line is like the line, as outside of some
			// boards, that half of the line tells nothing; and where the grounds differ a
			// break may show both, and their mixture in the middle.
			if off < 0 && !tells(a) && tells(b) || off > 0 && !tells(b) && tells(a) || off == 0 && a.Dist(b) > view.Clearly*s.Contrast() {
				continue
			}
			c := s.At(fx+d*ux+off*w*uy, fy+d*uy+off*w*ux)
			near := 0.0
			for _, g := range [2]vision.RGB{a, b} {
				if tells(g) {
					near = max(near, 1-c.Dist(g)/ink.Dist(g))
				}
			}
			least = min(least, near)
		}
		v.Gone = append(v.Gone, max(0, least))
	}
	window := max(1, int(2*view.Tuned.WindowPixels/s.Board.ScreenPitch/step+0.5))
	v.sum(window)
	v.Odd = s.Patch(fx, fy, view.Tuned.DotCore*w).Dist(ink) / s.Contrast()
	return v
}

// sum tells how much of the edge is gone, and how much at most within a window
// of so many samples.
func (v *EdgeView) sum(window int) {
	n := 0
	for i := range v.Gone {
		if v.Gone[i] > 0.5 {
			n++
		}
		if i+window <= len(v.Gone) {
			sum := 0.0
			for _, g := range v.Gone[i : i+window] {
				sum += g
			}
			v.Depth = max(v.Depth, sum/float64(window))
		}
	}
	if len(v.Gone) > 0 {
		v.Share = float64(n) / float64(len(v.Gone))
	}
}

// LineInk is the colour of the lines about a place: of the edge's own outer parts
// where a line is there, else the usual one.
func (s *Lines) LineInk(at image.Point) vision.RGB {
	if s.known.Exact { // one colour, also where an edge is missing and the ground is like it
		return s.Board.Ink
	}
	c := s.LineColourAt(at)
	// Where edges are missing what is seen there may be what outlines those beside them, or the
	// ground's, but in a look that is known otherwise.
	if witness.IsNode(at) && (s.known.Learning || s.known.learned) && c.Dist(s.Board.Ink) > view.Tuned.OffColour*s.Contrast() {
		return s.Board.Ink
	}
	return c
}

// ReachStep is by how much reach looks further out each time, in line widths.
const ReachStep = 0.05

// reach is how far, in line widths, something that is not the ground goes on from a
// place in a direction, beginning at from; most where it does not end.
func (s *Lines) reach(x, y, dx, dy, from, most float64, ground vision.RGB) float64 {
	n := math.Hypot(dx, dy)
	w := 2 * s.LineWidth
	// Half of what a line is off the ground.
	half := 0.5 * s.Board.Ink.Dist(ground)
	// Where a look's colours are known exactly, what is no mix of the line's and the
	// ground's is another ground.
	plain := s.known.Exact && s.At(x, y).Dist(s.Board.Ink) <= s.Profile.Board.LinesWithin
	for r := from; r < most; r += ReachStep {
		c := s.At(x+r*w*dx/n, y+r*w*dy/n)
		if c.Dist(ground) < half || plain && c.OffMix(s.Board.Ink, ground) > s.Profile.Board.LinesWithin {
			return r
		}
	}
	return most
}

// Outside is what lies beyond the border beside a place, in a direction outwards: of
// what is seen there that which is least like the lines, since caps, circles and what
// shines reach out there too.
func (s *Lines) Outside(at, out image.Point) vision.RGB {
	if out.X != 0 && out.Y != 0 { // of a corner both its sides
		a, b := s.Outside(at, image.Pt(out.X, 0)), s.Outside(at, image.Pt(0, out.Y))
		if a.Dist(s.Board.Ink) > b.Dist(s.Board.Ink) {
			return a
		}
		return b
	}
	var v []vision.RGB
	for _, aside := range []float64{-0.85, -0.7, -0.55, -0.4, 0.4, 0.55, 0.7, 0.85} {
		x, y := float64(at.X)+aside*float64(out.Y*out.Y), float64(at.Y)+aside*float64(out.X*out.X)
		if x < 0 || y < 0 || x > float64(2*s.Board.Cols) || y > float64(2*s.Board.Rows) {
			continue
		}
		for _, far := range []float64{0, 0.1, 0.2} {
			r := s.LineWidth + 2*s.Bleed + view.Tuned.Beside + far
			v = append(v, s.At(x+r*float64(out.X), y+r*float64(out.Y)))
		}
	}
	if len(v) == 0 {
		return s.Board.Paper
	}
	slices.SortFunc(v, func(a, b vision.RGB) int { return cmp.Compare(b.Dist(s.Board.Ink), a.Dist(s.Board.Ink)) })
	return vision.MedianRGB(v[:(len(v)+1)/2])
}

// A Spoke is a direction from a place towards a cell or the outside beside it, with
// what the ground there shows.
type Spoke struct {
	dx, dy float64
	Ground vision.RGB
}

// Spokes are the directions from a node between its edges, and from an edge's middle
// across it, in which the ground is not like the lines.
func (s *Lines) Spokes(at image.Point) []Spoke {
	var all []Spoke
	w, h := 2*s.Board.Cols, 2*s.Board.Rows
	dirs := []image.Point{{X: 1, Y: 1}, {X: -1, Y: 1}, {X: 1, Y: -1}, {X: -1, Y: -1}}
	if witness.IsEdge(at) {
		ux, _ := witness.EdgeDirection(at)
		dirs = []image.Point{{Y: 1}, {Y: -1}}
		if ux == 0 {
			dirs = []image.Point{{X: 1}, {X: -1}}
		}
	}
	for _, d := range dirs {
		to := at.Add(d)
		var ground vision.RGB
		if to.X > 0 && to.Y > 0 && to.X < w && to.Y < h {
			ground = s.Ground(to.X, to.Y)
		} else {
			out := d
			if to.X > 0 && to.X < w {
				out.X = 0
			} else if to.Y > 0 && to.Y < h {
				out.Y = 0
			}
			ground = s.Outside(at, out)
			if ground.Dist(s.Board.Ink) < s.leastGround()*s.Contrast() {
				continue // as dark as the lines out there
			}
		}
		n := math.Hypot(float64(d.X), float64(d.Y))
		x, y := float64(d.X)/n, float64(d.Y)/n
		all = append(all, Spoke{x, y, ground})
		if witness.IsEdge(at) { // aslant as well: a symbol may stand right beside the line
			sin, cos := math.Sincos(view.Tuned.Aslant)
			all = append(all, Spoke{x*cos - y*sin, x*sin + y*cos, ground}, Spoke{x*cos + y*sin, y*cos - x*sin, ground})
		}
	}
	return all
}

// median is the lower median of what is measured along each spoke; 0 without any.
func median(spokes []Spoke, measure func(Spoke) float64) float64 {
	var all []float64
	for _, p := range spokes {
		all = append(all, measure(p))
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[(len(all)-1)/2]
}

// StartReach is how far, in line widths, a circle about a place reaches towards the
// cells and the outside round it: the median over the directions.
func (s *Lines) StartReach(at image.Point) float64 {
	from := 0.8
	if witness.IsEdge(at) {
		from = 0.6
	}
	return median(s.Spokes(at), func(p Spoke) float64 {
		return s.reach(float64(at.X), float64(at.Y), p.dx, p.dy, from, view.Tuned.MostStart, p.Ground)
	})
}

// Cover is how far, in line widths, a circle or a dot covers what is round it, hollow
// ones too: to the furthest that is not the ground, short of what stands in cells.
// Aslant from the middle of an edge nothing stands as near as that, and beyond a dot
// what comes after some ground is a symbol.
func (s *Lines) Cover(at image.Point, circle bool) float64 {
	most, hole := 0.36, math.Inf(1)
	if !circle {
		hole = view.Tuned.MostHole
	} else if witness.IsEdge(at) {
		most = 0.5
	}
	return median(s.Spokes(at), func(p Spoke) float64 {
		return s.Furthest(at, p.dx, p.dy, p.Ground, min(view.Tuned.MostCover, most/s.LineWidth), hole)
	})
}

// Furthest is how far, in line widths, something that is not the ground is seen from a
// place in a direction: at least from half a width on, and not beyond most, nor beyond
// ground that is seen for longer than a hole.
func (s *Lines) Furthest(at image.Point, dx, dy float64, ground vision.RGB, most, hole float64) (last float64) {
	half := 0.5 * s.Board.Ink.Dist(ground)
	for r := 0.5; r <= min(most, max(last, 0.5)+hole); r += 0.05 {
		if s.At(float64(at.X)+2*s.LineWidth*r*dx, float64(at.Y)+2*s.LineWidth*r*dy).Dist(ground) > half {
			last = r
		}
	}
	return last
}

// DotReach is how far, in line widths, what is on a node or an edge that is not of the
// lines' colour reaches along the line, were it a ring about that; clearly where there is
// nothing such, and 0 where no line leads to it.
func (s *Lines) DotReach(at image.Point) float64 {
	odd := view.Clearly * s.Contrast()
	least := view.Tuned.MostCover
	for _, d := range view.Ways {
		if e := at.Add(d); e.X < 0 || e.Y < 0 || e.X > 2*s.Board.Cols || e.Y > 2*s.Board.Rows {
			continue
		}
		plain := func(r float64) bool {
			far := 2 * s.LineWidth * r
			return s.At(float64(at.X)+far*float64(d.X), float64(at.Y)+far*float64(d.Y)).Dist(s.Board.Ink) < odd
		}
		for r := view.Clearly; r < least; r += ReachStep {
			// Where a dot goes over into its rim it may pass the line's colour.
			if plain(r) && plain(r+ReachStep) && plain(r+2*ReachStep) {
				least = r
			}
		}
	}
	if least == view.Tuned.MostCover {
		return 0
	}
	return least
}

// BehindDot is how far, in line widths, something that is not the ground goes on in a
// direction from where the line is seen again that a dot lies on, or from where it is mixed
// with the dot no longer; 0 where nothing does.
func (s *Lines) BehindDot(at, d image.Point, dot float64, ground vision.RGB) float64 {
	for from := dot; from <= dot+2*s.Bleed/s.LineWidth; from += ReachStep {
		if r := s.reach(float64(at.X), float64(at.Y), float64(d.X), float64(d.Y), from, view.Tuned.MostCap, ground); r > from {
			return r
		}
	}
	return 0
}

// A CapView is how far what may be a cap reaches from a place of the border.
type CapView struct {
	Dir   image.Point
	Reach float64 // line widths from the node's middle
	slim  float64 // the same a line's width beside it, the greater of both sides: a circle reaches far there
}

// Own is how far a cap reaches: what a circle or the line itself reaches beside it, more
// than a line's border, is none of it.
func (v *CapView) Own() float64 { return v.Reach - max(0, v.slim-view.Strongly) }

// CapViews looks outwards from a place in every direction in which no edge can lead.
func (s *Lines) CapViews(at image.Point) []CapView {
	var out []CapView
	dot := s.DotReach(at)
	for _, d := range s.Outwards(at) {
		ground := s.Outside(at, d)
		if ground.Dist(s.Board.Ink) < s.leastGround()*s.Contrast() {
			continue
		}
		n := math.Hypot(float64(d.X), float64(d.Y))
		ux, uy := float64(d.X)/n, float64(d.Y)/n
		v := CapView{Dir: d, Reach: s.reach(float64(at.X), float64(at.Y), ux, uy, 0.3, view.Tuned.MostCap, ground)}
		if dot > view.Clearly {
			v.Reach = max(v.Reach, s.BehindDot(at, d, dot, ground))
		}
		for _, side := range []float64{-1, 1} {
			x, y := float64(at.X)-side*uy*2*s.LineWidth*view.Tuned.CapBeside, float64(at.Y)+side*ux*2*s.LineWidth*view.Tuned.CapBeside
			v.slim = max(v.slim, s.reach(x, y, ux, uy, 0.3, view.Tuned.MostCap, ground))
		}
		out = append(out, v)
	}
	return out
}

// DotCore is the colour of the patch that a dot is told by.
func (m *Lines) DotCore(at image.Point) vision.RGB {
	return m.Patch(float64(at.X), float64(at.Y), view.Tuned.DotCore*2*m.LineWidth)
}

// DotColour is a dot's colour: of a ring, whose middle shows the line or more of it than
// of the ring, that of the ring.
func (m *Lines) DotColour(at image.Point) vision.RGB {
	core := m.DotCore(at)
	tint, c := m.Tint(at)
	odd := view.Clearly * m.Contrast()
	if core.Dist(m.LineInk(at)) > odd && (m.known.Exact || tint*m.Contrast()-m.offMixes(at)(core) < odd) {
		return core
	}
	return c
}

// offMixes tells how far a colour is off all mixes of the line's colour at a place and the
// grounds' about it.
func (m *Lines) offMixes(at image.Point) func(vision.RGB) float64 {
	ink, grounds := m.LineInk(at), []vision.RGB{m.Board.Paper}
	for _, p := range m.Spokes(at) {
		grounds = append(grounds, p.Ground)
	}
	return func(c vision.RGB) float64 {
		return nearest(grounds, func(g vision.RGB) float64 { return c.OffMix(ink, g) })
	}
}

// Tint is how far a quarter of what lies about a place of the lines is off all mixes of
// the line's colour and the grounds', in contrasts, and that quarter's colour.
func (m *Lines) Tint(at image.Point) (float64, vision.RGB) {
	offMixes := m.offMixes(at)
	type sample struct {
		off float64
		col vision.RGB
	}
	var all []sample
	for _, r := range [...]float64{0.1, 0.2, 0.3, 0.4} {
		for k := range 12 {
			sin, cos := math.Sincos(float64(k) * math.Pi / 6)
			c := m.At(float64(at.X)+2*m.LineWidth*r*cos, float64(at.Y)+2*m.LineWidth*r*sin)
			all = append(all, sample{offMixes(c) / m.Contrast(), c})
		}
	}
	slices.SortFunc(all, func(a, b sample) int { return cmp.Compare(b.off, a.off) })
	all = all[:len(all)/4]
	var cols []vision.RGB
	for _, s := range all {
		cols = append(cols, s.col)
	}
	return all[len(all)-1].off, vision.MedianRGB(cols)
}

// OddCore tells whether a node's middle is not of the lines' colour: a dot, or a circle.
func (m *Lines) OddCore(node image.Point) bool {
	return m.DotCore(node).Dist(m.LineInk(node)) > view.Clearly*m.Contrast()
}

// Covered notes what circles and dots cover.
func (m *Lines) Covered(p *witness.Panel) {
	for at := range p.Points() {
		if p.At(at).Start {
			m.Radius[at] = m.Cover(at, true)
		} else if p.At(at).Dot.On {
			m.Dotted[at] = m.Cover(at, false)
		}
	}
}
