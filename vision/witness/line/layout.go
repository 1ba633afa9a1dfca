package line

import (
	"image"
	"image/color"
	"math"
	"slices"
	"sync"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/cv"
	"onlooker/vision/picture"
	drawing "onlooker/vision/picture/witness"
)

// The places of the lines are read by a picture model: each place (an edge, a node, a way
// outwards from the border) has layouts, what it may show, as data. A layout is drawn as
// package drawing draws a small panel, at the board's line width and blur, and taken apart
// into layers of one colour each. Their colours are solved for by linear regression with
// priors; what is left of the picture and how unlikely the colours are is its misfit.

// A Role is what a layer of a place is: all layers of one role have the same prior.
type Role uint8

const (
	RoleGround Role = iota // the first of those on its sides, or in its corners
	_
	_
	_
	RoleLine  // of an edge
	roleJoint // of the lines at a node
	roleArm   // the first of the lines that lead to a node
	_         //
	_         //
	_         //
	roleSlope // of the line's light
	_
	roleTilt // of the light of the grounds
	_
	RoleGap    // by what a break differs from the grounds
	roleShift  // by what the line is beside its place, or wider
	roleWidth  //
	roleCircle // of the place itself, or at the first end of an edge
	roleCircle2
	roleDot
	roleCap
	roleCable // that leads away from the board
	roleBand  // grounds beyond a border, one after the other
	RoleLast  = roleBand + bands
)

// bands is how many grounds may lie beyond a border.
const bands = 14

// leastCover is the least that counts as covered: a tenth of a level.
const leastCover = 2e-3

// MostLayers is how many layers a layout has at most.
const MostLayers = 24

// A layer is how much something of one colour covers of the samples of a window.
type layer struct {
	Role  Role
	At    []int32
	Cover []float64
}

// A Layout is what a place may show: a hypothesis as data.
type Layout struct {
	What    Meaning
	first   int // of its kind's layouts that mean the same
	Layers  []layer
	changes []layer   // by what these differ from the layers of its kind's first layout
	gram    []float64 // how much each two layers cover together
	drawing sync.Once
	draw    func() *Covering
}

// A Meaning is what a layout means for the panel.
type Meaning struct {
	Gap    witness.Gap
	Dot    bool
	Start  bool
	Cap    bool
	cable  bool    // which leads away from a place
	square bool    // of lines that meet at a corner: not rounded
	Length float64 // of the break, the circle's radius or the cap, as the style has it
	radius float64 // of circles at an edge's ends
	Aside  float64 // how far along an edge a dot is off its middle, half-cells
}

// A window is where a place is sampled: half-cells along and across.
type window struct{ U, V []float64 }

// axes are how a window lies at a place: the steps right and down of those along and across.
type axes [4]float64

// Upright are those of a window that lies along a level edge.
func Upright() axes { return axes{1, 0, 0, 1} }

// place is where a sample is, in half-cells.
func (a axes) place(at image.Point, u, v float64) (x, y float64) {
	return float64(at.X) + a[0]*u + a[1]*v, float64(at.Y) + a[2]*u + a[3]*v
}

// Grid is a window of a rectangle, sampled about so densely.
func Grid(u0, u1, v0, v1, step float64) *window {
	w := &window{}
	nu, nv := max(2, int((u1-u0)/step+0.5)), max(2, int((v1-v0)/step+0.5))
	for j := range nv {
		for i := range nu {
			w.U = append(w.U, u0+(u1-u0)*(float64(i)+0.5)/float64(nu))
			w.V = append(w.V, v0+(v1-v0)*(float64(j)+0.5)/float64(nv))
		}
	}
	return w
}

// A border is blurred over so many sigmas to either side, which are told in so many steps.
const (
	sigmas    = 4
	blurSteps = 128
)

// A blur is the normal distribution's sum in steps, which is what a blurred border covers.
type blur struct {
	sigma float64
	sums  [2*blurSteps + 1]float64
}

func NewBlur(sigma float64) *blur {
	b := &blur{sigma: sigma}
	for i := range b.sums {
		b.sums[i] = (1 + math.Erf((float64(i)-blurSteps)*sigmas/blurSteps/math.Sqrt2)) / 2
	}
	return b
}

// Covers is how much is covered at a distance within a border.
func (b *blur) covers(within float64) float64 {
	x := within/b.sigma*blurSteps/sigmas + blurSteps
	if x <= 0 {
		return 0
	}
	if x >= 2*blurSteps {
		return 1
	}
	i := int(x)
	return b.sums[i] + (x-float64(i))*(b.sums[i+1]-b.sums[i])
}

// Area is how much a shape of package drawing covers of a place.
func (b *blur) shape(s *picture.Shape, x, y float64) float64 {
	switch s.Kind {
	case picture.Disc:
		return b.covers(s.Width/2 - math.Hypot(x-s.Points[0].X, y-s.Points[0].Y))
	case picture.Line:
		p, q := s.Points[0], s.Points[1]
		n := math.Hypot(q.X-p.X, q.Y-p.Y)
		ux, uy := (q.X-p.X)/n, (q.Y-p.Y)/n
		along, across := (x-p.X)*ux+(y-p.Y)*uy, (y-p.Y)*ux-(x-p.X)*uy
		if s.Round {
			return b.covers(s.Width/2 - math.Hypot(along-max(0, min(n, along)), across))
		}
		c := b.covers(s.Width/2-across) + b.covers(s.Width/2+across) - 1
		if c <= 0 {
			return 0
		}
		return c * (b.covers(along) + b.covers(n-along) - 1)
	case picture.Polygon:
		least := math.Inf(1)
		for i, p := range s.Points {
			q := s.Points[(i+1)%len(s.Points)]
			n := math.Hypot(q.X-p.X, q.Y-p.Y)
			least = min(least, ((q.X-p.X)*(y-p.Y)-(q.Y-p.Y)*(x-p.X))/n)
		}
		return b.covers(least)
	}
	return 0
}

// DrawnShapes are the shapes of a panel that lie over its ground, and the role of each.
func DrawnShapes(p *witness.Panel, style drawing.Style, role func(s *picture.Shape) Role) (shapes []picture.Shape, roles []Role) {
	style.Ground, style.Lines, style.Dot = color.NRGBA{}, color.NRGBA{}, color.NRGBA{}
	for _, s := range drawing.Shapes(p, nil, style) {
		if s.Kind == picture.Glyph || s.Kind == picture.Polygon && !s.Fine {
			continue
		}
		shapes, roles = append(shapes, s), append(roles, role(&s))
	}
	return shapes, roles
}

// Covering is how much each role covers of the samples of a window.
type Covering [RoleLast][]float64

func (c *Covering) Of(r Role, n int) []float64 {
	if c[r] == nil {
		c[r] = make([]float64, n)
	}
	return c[r]
}

// Paint lays shapes over the grounds; turn is the axes of the window.
func (c *Covering) Paint(w *window, b *blur, at image.Point, turn axes, shapes []picture.Shape, roles []Role) {
	n := len(w.U)
	xs, ys := make([]float64, n), make([]float64, n)
	least, most := picture.Point{X: math.Inf(1), Y: math.Inf(1)}, picture.Point{X: math.Inf(-1), Y: math.Inf(-1)}
	for k := range n {
		x, y := turn.place(at, w.U[k], w.V[k])
		xs[k], ys[k] = x, y
		least, most = picture.Point{X: min(least.X, x), Y: min(least.Y, y)}, picture.Point{X: max(most.X, x), Y: max(most.Y, y)}
	}
	for i := range shapes {
		far := shapes[i].Width/2 + sigmas*b.sigma
		lo, hi := picture.Extent([]picture.Shape{{Points: shapes[i].Points}})
		if lo.X-far > most.X || lo.Y-far > most.Y || hi.X+far < least.X || hi.Y+far < least.Y {
			continue
		}
		own := c.Of(roles[i], n)
		var under [][]float64
		for r := range c {
			if c[r] != nil {
				under = append(under, c[r])
			}
		}
		for k := range n {
			if x, y := xs[k], ys[k]; x < lo.X-far || y < lo.Y-far || x > hi.X+far || y > hi.Y+far {
				continue
			}
			a := b.shape(&shapes[i], xs[k], ys[k])
			if a < leastCover {
				continue
			}
			for _, u := range under {
				u[k] *= 1 - a
			}
			own[k] += a
		}
	}
}

// over is a covering with shapes laid over it, of which those that were painted before are
// the first.
func (k *drawnKind) over(c *Covering, b *blur, at image.Point, turn axes, shapes []picture.Shape, roles []Role) {
	if k.base == nil {
		c.Paint(k.Window, b, at, turn, shapes, roles)
		base := c.clone()
		k.base, k.painted = &base, shapes
		return
	}
	if n := len(k.painted); n <= len(shapes) && slices.EqualFunc(k.painted, shapes[:n], sameDrawing) {
		*c = k.base.clone()
		shapes, roles = shapes[n:], roles[n:]
	}
	c.Paint(k.Window, b, at, turn, shapes, roles)
}

func (c *Covering) clone() (out Covering) {
	n := 0
	for _, cover := range c {
		n += len(cover)
	}
	all := make([]float64, 0, n)
	for r, cover := range c {
		if cover != nil {
			from := len(all)
			all = append(all, cover...)
			out[r] = all[from:len(all):len(all)]
		}
	}
	return out
}

func sameDrawing(a, b picture.Shape) bool {
	return a.Kind == b.Kind && a.Width == b.Width && a.Round == b.Round && slices.Equal(a.Points, b.Points)
}

// A pile is layers that are laid down one after the other, in memory that they share: the
// collector need not look at each.
type pile struct {
	layers []layer
	at     []int32
	cover  []float64
	ends   []int
}

// add adds a layer without the samples of which it covers no more than least.
func (p *pile) add(r Role, cover []float64, least float64) {
	for k, v := range cover {
		if math.Abs(v) > least {
			p.at, p.cover = append(p.at, int32(k)), append(p.cover, v)
		}
	}
	p.layers, p.ends = append(p.layers, layer{Role: r}), append(p.ends, len(p.at))
}

// done are the layers of a pile; empty says whether those that cover nothing are.
func (p *pile) done(empty bool) (out []layer) {
	at, cover := slices.Clone(p.at), slices.Clone(p.cover)
	out = make([]layer, 0, len(p.layers))
	from := 0
	for i, y := range p.layers {
		if to := p.ends[i]; to > from || empty {
			y.At, y.Cover = at[from:to:to], cover[from:to:to]
			out = append(out, y)
			from = to
		}
	}
	return out
}

// layers are the covering's, without what covers nothing.
func (c *Covering) layers() (out []layer) {
	var p pile
	for r, cover := range c {
		if cover != nil {
			p.add(Role(r), cover, leastCover)
		}
	}
	return p.done(false)
}

// sum is what is seen where a layer covers, as much as it covers.
func (y *layer) sum(pix []vision.RGB) (c vision.RGB) {
	for k, at := range y.At {
		p, cover := &pix[at], y.Cover[k]
		c[0] += cover * p[0]
		c[1] += cover * p[1]
		c[2] += cover * p[2]
	}
	return c
}

// changesFrom are by what layers differ from others of the same roles, layer by layer, in full:
// with the sums of these they are as much as the layers' own.
func changesFrom(layers, base []layer, n int) (out []layer) {
	var p pile
	dense := make([]float64, n)
	for i := range layers {
		clear(dense)
		for k, at := range layers[i].At {
			dense[at] = layers[i].Cover[k]
		}
		for j := range base {
			if base[j].Role == layers[i].Role {
				for k, at := range base[j].At {
					dense[at] -= base[j].Cover[k]
				}
			}
		}
		p.add(layers[i].Role, dense, 0)
	}
	return p.done(true)
}

// grams are how much each two of some layers cover together.
func grams(layers []layer, n int, weights []float64) []float64 {
	m := len(layers)
	a, dense := make([]float64, m*m), make([]float64, n)
	for i := range layers {
		clear(dense)
		for k, at := range layers[i].At {
			if weights == nil {
				dense[at] = layers[i].Cover[k]
			} else {
				dense[at] = layers[i].Cover[k] * weights[at]
			}
		}
		for j := range i + 1 {
			sum := 0.0
			for k, at := range layers[j].At {
				sum += layers[j].Cover[k] * dense[at]
			}
			a[i*m+j], a[j*m+i] = sum, sum
		}
	}
	return a
}

// solved is the inverse of the normal equations of layers; sigma is the noise, and spread
// the deviation of each role's colour from what is expected.
func solved(layers []layer, gram []float64, sigma float64, spread *[RoleLast]float64) (inv []float64) {
	m := len(layers)
	a := make([]float64, m*m)
	for i, sum := range gram {
		a[i] = sum / sigma / sigma
	}
	for i := range layers {
		a[i*m+i] += 1 / spread[layers[i].Role] / spread[layers[i].Role]
	}
	return cv.Inverse(a, m)
}

// A look at a place: what its samples show, and what colours are expected.
type Glance struct {
	Pix    []vision.RGB
	Hidden []float64 // 0 where it is; nil: none
	seen   int       // how many are not
	square float64
	sums   *[RoleLast]vision.RGB // of its kind's first layout; see layer.sum
	Mean   [RoleLast]vision.RGB
}

// Misfit is how badly a layout explains what is seen, in units of the noise, colours that
// are not as expected included; and the colours.
func (k *PlaceKind) Misfit(i int, g *Glance, sigma float64, spread *[RoleLast]float64, colours []vision.RGB) (quad float64) {
	l := k.Layout(i)
	var inv []float64
	if g.Hidden == nil {
		inv = k.inv[i]()
	} else {
		inv = solved(l.Layers, grams(l.Layers, len(g.Pix), g.Hidden), sigma, spread)
	}
	m := len(l.Layers)
	if g.sums == nil {
		g.sums = new([RoleLast]vision.RGB)
		for _, y := range k.Layout(0).Layers {
			g.sums[y.Role] = y.sum(g.Pix)
		}
	}
	s2 := 1 / sigma / sigma
	quad = g.square * s2
	var b [MostLayers]vision.RGB
	for i := range l.Layers {
		r := l.Layers[i].Role
		c := g.sums[r]
		if l.changes != nil {
			c = c.Add(l.changes[i].sum(g.Pix))
		}
		t := 1 / spread[r] / spread[r]
		mean := &g.Mean[r]
		b[i] = vision.RGB{c[0]*s2 + mean[0]*t, c[1]*s2 + mean[1]*t, c[2]*s2 + mean[2]*t}
		quad += mean.Dot(*mean) * t
	}
	for i := range m {
		var c vision.RGB
		for j, v := range inv[i*m : i*m+m] {
			c[0] += v * b[j][0]
			c[1] += v * b[j][1]
			c[2] += v * b[j][2]
		}
		quad -= c.Dot(b[i])
		if colours != nil {
			colours[i] = c
		}
	}
	return max(0, quad)
}

// robust is how badly a layout explains what is seen where few samples may show anything:
// a Student's likelihood, by reweighting. raw is the noise of a sample, and alike how many
// samples tell as much as one.
func (l *Layout) robust(g *Glance, raw, alike float64, spread *[RoleLast]float64) (quad float64, colours []vision.RGB) {
	const freedom = 8
	m, n := len(l.Layers), len(g.Pix)
	weights := make([]float64, n)
	for i := range weights {
		weights[i] = 1
		if g.Hidden != nil {
			weights[i] = g.Hidden[i]
		}
	}
	sigma := raw * math.Sqrt(alike)
	s2 := 1 / sigma / sigma
	rest := make([]vision.RGB, n)
	b := make([]vision.RGB, m)
	colours = make([]vision.RGB, m)
	for round := 0; ; round++ {
		inv := solved(l.Layers, grams(l.Layers, n, weights), sigma, spread)
		for i := range l.Layers {
			y := &l.Layers[i]
			var sum vision.RGB
			for k, at := range y.At {
				p, c := &g.Pix[at], y.Cover[k]*weights[at]
				sum[0] += c * p[0]
				sum[1] += c * p[1]
				sum[2] += c * p[2]
			}
			t := 1 / spread[y.Role] / spread[y.Role]
			mean := &g.Mean[y.Role]
			b[i] = vision.RGB{sum[0]*s2 + mean[0]*t, sum[1]*s2 + mean[1]*t, sum[2]*s2 + mean[2]*t}
		}
		copy(rest, g.Pix)
		quad = 0
		for i := range m {
			var c vision.RGB
			for j, v := range inv[i*m : i*m+m] {
				c[0] += v * b[j][0]
				c[1] += v * b[j][1]
				c[2] += v * b[j][2]
			}
			colours[i] = c
			y := &l.Layers[i]
			off := c.Sub(g.Mean[y.Role])
			quad += off.Dot(off) / spread[y.Role] / spread[y.Role]
			for k, at := range y.At {
				r, v := &rest[at], y.Cover[k]
				r[0] -= v * c[0]
				r[1] -= v * c[1]
				r[2] -= v * c[2]
			}
		}
		sum := 0.0
		for i := range rest {
			if g.Hidden != nil && g.Hidden[i] == 0 {
				continue
			}
			q := rest[i].Dot(rest[i]) / raw / raw / freedom
			sum += (freedom + 3) * math.Log1p(q)
			weights[i] = (freedom + 3) / freedom / (1 + q)
		}
		if quad += sum / alike; round == 2 {
			return quad, colours
		}
	}
}
