package witness

import (
	"image"
	"math"
	"slices"

	"onlooker/calibrations"
	"onlooker/solve/witness"
	"onlooker/vision"
	"onlooker/vision/picture"
	drawing "onlooker/vision/picture/witness"
)

// A placeOdds is what the probability of what a place of the lines shows is made of.
type placeOdds struct {
	// Samples is how many samples tell as much as one alone, since blur and compression make
	// their noise alike, and Model how far off the picture a layout is at least, in contrasts.
	Samples, Model float64
	// How far colours may be off what is expected, in contrasts: a line's off those beside it,
	// a ground's, light's along a line, a dot's, a joint's or a break's off what is round it,
	// and a circle's, which pulses.
	Ink, Ground, Light, Dot, Joint, Circle float64
	// Shift is how far a line's border may be off its place, in half-cells.
	Shift float64
	// How far, in contrasts, a dot is at least off all mixtures of the lines and grounds
	// beside it, a dot on a start off the circle, a circle and a line off the grounds; and a
	// cap off the ground beside it, as a share of how far the lines are. Near is what speaks
	// against what is not off at all.
	LeastDot, OnStart, LeastCircle, LeastLine, LeastCap, Near float64
	// Priors: logarithms of how much likelier than a plain place.
	Broken, Missing, Dotted, Start, Cap float64
	// Sure is the lead that leaves no doubt. Nothing is looked at again where a plain place
	// leads by Clear, nor what the likeliest leads by Far.
	Sure, Clear, Far float64
}

// usualPlaceOdds were chosen on the places of the 87 flat captures and 60 drawn boards. With
// them 6,600 edges, 4,100 nodes and 4,400 ways outwards are told right, but for the caps on
// five pedestals, half of which a frame hides: these are the likeliest ends there.
// TestFitPlaceOdds says what priors drawn boards alone would have.
func usualPlaceOdds() placeOdds {
	return placeOdds{
		Samples: 3, Model: 0.03,
		Ink: 0.3, Ground: 0.15, Light: 0.1, Dot: 1, Joint: 0.045, Circle: 0.4, Shift: 0.012,
		LeastDot: 0.3, OnStart: 0.36, LeastCircle: 0.4, LeastLine: 0.12, LeastCap: 0.6, Near: 60,
		Broken: -6, Missing: -3, Dotted: -9, Start: -7, Cap: -9,
		Sure: 6, Clear: 5, Far: 60,
	}
}

// How many lengths of breaks, radii of circles and lengths of caps are compared: steps of a
// fifth to a third, which blur hides.
const (
	gapLengths  = 8
	circleRadii = 6
	capLengths  = 6
)

// noEvidence is as much evidence as leaves nothing to be told.
const noEvidence = 1e3

// How far beside an edge's line is looked, in pixels of the frame, and how far from a
// node's middle, in half-cells: symbols stand beyond.
const (
	besideEdge = 2.5
	nodeReach  = 0.85
)

// A placeKind is places that have the same layouts.
type placeKind struct {
	window  *window
	layouts []layout
	base    *covering // of the plain layout, whose shapes are these
	painted []picture.Shape
	bandOf  []float64 // which ground lies at each sample of a way outwards
	free    []bool    // where only ground is seen, whatever the place shows
}

type kindKey struct {
	sort    string
	circles int
}

// A pulse is the ring that a start sends out, half-cells.
type pulse struct {
	at     image.Point
	radius float64
}

// A lineModel tells what the places of a board's lines show.
type lineModel struct {
	*sheet
	odds    placeOdds
	spread  [roleLast]float64
	noise   float64 // of a sample, with how alike the noise of several is
	raw     float64
	blur    *blur
	step    float64
	pulses  []pulse // of starts
	radius  float64 // of start circles, line widths
	gap     float64 // length of the board's breaks; 0: not known
	broken  float64 // logarithm of how many edges are broken to how many are not
	kinds   map[kindKey]*placeKind
	circles []image.Point // that were found, and lie over what is beside them
}

func newLineModel(s *sheet) *lineModel {
	m := &lineModel{sheet: s, odds: usualPlaceOdds(), kinds: map[kindKey]*placeKind{}}
	m.step = 2 / min(max(s.b.ScreenPitch, 16), 26)
	c := s.contrast()
	for r := range m.spread {
		v := m.odds.Light
		switch r := role(r); {
		case r < roleLine || r >= roleBand:
			v = m.odds.Ground
		case r == roleJoint || r == roleGap:
			v = m.odds.Joint
		case r == roleLine || r >= roleArm && r < roleSlope || r == roleCap:
			v = m.odds.Ink
		case r == roleShift || r == roleWidth:
			v = m.odds.Shift
		case r == roleCircle || r == roleCircle2:
			v = m.odds.Circle
		case r == roleDot || r == roleCable:
			v = m.odds.Dot
		}
		m.spread[r] = v * c
	}
	m.measureNoise()
	return m
}

// measureNoise measures by how much the picture is blurred and how noisy it is, on edges:
// most are whole.
func (m *lineModel) measureNoise() {
	m.raw = m.odds.Model * m.contrast()
	m.noise, m.blur = m.raw, newBlur(2*tuned.BlurPixels/m.b.ScreenPitch)
	if m.b.Round() {
		m.noise *= math.Sqrt(m.odds.Samples)
		return // its edges are seen from many sides
	}
	least := math.Inf(1)
	var blur *blur
	var edges []image.Point
	for y := 0; y <= 2*m.b.Rows; y++ {
		for x := 1 - y&1; x <= 2*m.b.Cols; x += 2 {
			edges = append(edges, image.Pt(x, y))
		}
	}
	for len(edges) > 40 {
		half := edges[:0]
		for i := 0; i < len(edges); i += 2 {
			half = append(half, edges[i])
		}
		edges = half
	}
	var glances []*glance
	for _, pixels := range []float64{0.6, 0.9, 1.3, 1.8} {
		m.blur = newBlur(2 * max(pixels/m.b.ScreenPitch, 0.5/float64(m.b.Pitch)))
		m.kinds = map[kindKey]*placeKind{}
		k := m.wholeEdge(0)
		var all []float64
		for i, at := range edges {
			if len(glances) <= i {
				glances = append(glances, m.glanceEdge(k.window, at, 0))
			}
			g := glances[i]
			q := k.layouts[0].misfit(g, m.noise, &m.spread, nil)
			all = append(all, q/float64(3*max(1, g.seen)))
		}
		slices.Sort(all)
		if q := all[len(all)/3]; q < least {
			least, blur = q, m.blur
		}
	}
	m.blur = blur
	m.raw = max(0.7, m.noise*math.Sqrt(least), m.odds.Model*m.contrast())
	m.noise = m.raw * math.Sqrt(m.odds.Samples)
	m.kinds = map[kindKey]*placeKind{}
}

// evidence of each layout.
func (m *lineModel) evidence(k *placeKind, g *glance) []float64 {
	out := make([]float64, len(k.layouts))
	n := 3 * float64(g.seen) / m.odds.Samples
	top, start := math.Inf(-1), math.Inf(-1)
	for i := range k.layouts {
		w := k.layouts[i].what
		if w.start && w.dot && start < top-m.odds.Far {
			out[i] = math.Inf(-1) // no start is there
			continue
		}
		q := k.layouts[i].misfit(g, m.noise, &m.spread, nil)
		out[i] = -n/2*math.Log(1+q/n) + k.layouts[i].prior
		if top = max(top, out[i]); w.start {
			start = max(start, out[i])
		}
	}
	return out
}

// tell is the evidence of the best layout of each meaning; what is plain by a
// clear lead is not looked at again.
func (m *lineModel) tell(k *placeKind, g *glance, clear float64) []float64 {
	out := m.evidence(k, g)
	best := map[meaning]int{}
	top, other := 0, math.Inf(-1)
	for i := range k.layouts {
		w := k.layouts[i].what
		w.length = 0
		if j, ok := best[w]; !ok || out[i] > out[j] {
			best[w] = i
		}
		if out[i] > out[top] {
			top = i
		}
		if !k.layouts[i].what.plain() {
			other = max(other, out[i])
		}
	}
	alike := func(i int) float64 {
		var colours [mostLayers]vision.RGB
		k.layouts[i].misfit(g, m.noise, &m.spread, colours[:])
		return m.tooAlike(&k.layouts[i], g, colours[:])
	}
	if k.layouts[top].what.plain() && out[top]-other > clear && alike(top) == 0 {
		return out
	}
	apart := slices.Repeat([]float64{math.Inf(-1)}, len(out)) // evidence less what is too alike
	for _, i := range best {
		apart[i] = out[i] - alike(i)
	}
	again, most := slices.Repeat([]float64{math.Inf(-1)}, len(out)), slices.Max(apart)
	for _, i := range best {
		if out[i] < out[top]-m.odds.Far && apart[i] < most-m.odds.Far {
			again[i] = -noEvidence + apart[i] - most
			continue
		}
		q, colours := k.layouts[i].robust(g, m.raw, m.odds.Samples, &m.spread)
		again[i] = -q/2 + k.layouts[i].prior - m.tooAlike(&k.layouts[i], g, colours)
	}
	return again
}

// plain tells whether a place shows lines alone.
func (w meaning) plain() bool { return w.gap == witness.Whole && !w.dot && !w.start && !w.cap }

// style is how layouts are drawn, with start circles of some radius.
func (m *lineModel) style(radius float64) drawing.Style {
	return drawing.Style{Line: m.line, Start: radius, Symbols: m.sizes}
}

// steps are n values from the least to the greatest of a range, each as many times the last.
func steps(r calibrations.Range, n int) (out []float64) {
	for i := range n {
		out = append(out, r[0]*math.Pow(r[1]/r[0], float64(i)/float64(n-1)))
	}
	return out
}

// edgeKind is the layouts of edges; bit 0 and 1 of circles: with a circle at their first and
// second end.
func (m *lineModel) edgeKind(circles int) *placeKind {
	key := kindKey{"edge", circles}
	if k := m.kinds[key]; k != nil {
		return k
	}
	k := m.wholeEdge(circles)
	m.kinds[key] = k
	var whole []float64 // what a whole line covers
	for _, y := range k.layouts[0].layers {
		if y.role == roleLine {
			whole = make([]float64, len(k.window.u))
			for i, at := range y.at {
				whole[at] = y.cover[i]
			}
		}
	}
	lengths, prior := steps(m.look.Board.Gap, gapLengths), m.odds.Broken-math.Log(gapLengths)
	if circles != 0 && m.gap > 0 { // a circle may hide most of a break, but not how long others are
		between := math.Pow(m.look.Board.Gap[1]/m.look.Board.Gap[0], 0.5/(gapLengths-1))
		lengths, prior = []float64{m.gap / between, m.gap, m.gap * between}, m.broken
	}
	for _, g := range lengths {
		if g < 1-m.line {
			m.addEdge(k, circles, meaning{gap: witness.Broken, length: g}, prior, whole)
		}
	}
	m.addEdge(k, circles, meaning{gap: witness.Missing}, m.odds.Missing, whole)
	m.addEdge(k, circles, meaning{dot: true}, m.odds.Dotted, whole)
	if circles == 0 {
		for _, r := range m.radii() {
			prior := m.odds.Start - math.Log(circleRadii)
			m.addEdge(k, circles, meaning{start: true, length: r}, prior, whole)
		}
		for _, r := range m.radii() {
			m.addEdge(k, circles, meaning{start: true, dot: true, length: r}, m.odds.Start+m.odds.Dotted-math.Log(circleRadii), whole)
		}
	}
	return k
}

// wholeEdge is the kind of edges with the layout of whole ones alone.
func (m *lineModel) wholeEdge(circles int) *placeKind {
	reach, wide := m.edgeReach(), m.line+2*besideEdge/m.b.ScreenPitch+m.step
	k := &placeKind{window: grid(-reach, reach, -wide, wide, m.step)}
	m.addEdge(k, circles, meaning{}, 0, nil)
	return k
}

// edgeReach is how far from an edge's middle its nodes begin, in half-cells.
func (m *lineModel) edgeReach() float64 { return 1 - m.line }

// addEdge adds the layout of a meaning to those of edges; whole is what a whole line covers.
func (m *lineModel) addEdge(k *placeKind, circles int, w meaning, prior float64, whole []float64) {
	p, at := witness.New(1, 2, false), image.Pt(1, 2)
	for e := range p.Points() {
		if witness.IsEdge(e) && e.X&1 == 1 {
			p.At(e).Gap = witness.Missing
		}
	}
	p.At(at).Gap = w.gap
	p.At(at).Dot.On, p.At(at).Start = w.dot, w.start
	p.At(image.Pt(0, 2)).Start, p.At(image.Pt(2, 2)).Start = circles&1 != 0, circles&2 != 0
	style := m.style(m.radius)
	if w.start {
		style.Start = w.length
	} else {
		style.Gap = w.length
	}
	shapes, roles := drawnShapes(p, style, func(s *picture.Shape) role {
		switch {
		case s.Kind == picture.Disc && !s.Fine && s.Points[0].X > float64(at.X):
			return roleCircle2
		case s.Kind == picture.Disc && !s.Fine:
			return roleCircle
		case s.Kind == picture.Polygon:
			return roleDot
		}
		return roleLine
	})
	n := len(k.window.u)
	var c covering
	left, right := c.of(roleGround, n), c.of(roleGround+1, n)
	for i, v := range k.window.v {
		right[i] = m.blur.covers(v)
		left[i] = 1 - right[i]
	}
	k.over(&c, m.blur, at, upright(), shapes, roles)
	m.addLight(&c, k.window)
	if w.gap == witness.Broken {
		gap := c.of(roleGap, n)
		for i := range gap {
			gap[i] = max(0, whole[i]-c[roleLine][i])
		}
	}
	if c[roleLine] != nil {
		if w.gap != witness.Broken {
			whole = c[roleLine]
		}
		m.addBorders(&c, k.window, whole)
	}
	m.add(k, &c, w, prior)
}

// addLight adds how the light of a line and of the grounds changes along it.
func (m *lineModel) addLight(c *covering, w *window) {
	n, reach := len(w.u), m.edgeReach()
	line, left, right := c[roleLine], c[roleGround], c[roleGround+1]
	tilts := [2][]float64{c.of(roleTilt, n), c.of(roleTilt+1, n)}
	for i, u := range w.u {
		tilts[0][i], tilts[1][i] = left[i]*u/reach, right[i]*u/reach
	}
	if line == nil {
		return
	}
	slope, curve := c.of(roleSlope, n), c.of(roleSlope+1, n)
	for i, u := range w.u {
		slope[i], curve[i] = line[i]*u/reach, line[i]*u*u/reach/reach
	}
}

// addBorders adds what changes where a line lies a little beside its place, or is wider;
// whole is what it would cover without a break.
func (m *lineModel) addBorders(c *covering, w *window, whole []float64) {
	n := len(w.u)
	shift, width := c.of(roleShift, n), c.of(roleWidth, n)
	h := m.blur.sigma / 2
	across := func(v float64) float64 { return m.blur.covers(m.line-v) + m.blur.covers(m.line+v) - 1 }
	for i, v := range w.v {
		d := (across(v-h) - across(v+h)) / (2 * h)
		rest := c[roleLine][i] / max(1e-9, whole[i])
		for _, r := range []role{roleCircle, roleCircle2, roleDot} {
			if c[r] != nil {
				rest -= c[r][i]
			}
		}
		rest = max(0, rest)
		shift[i], width[i] = rest*d, rest*math.Abs(d)
	}
}

// add adds a layout to those of a kind of places.
func (m *lineModel) add(k *placeKind, c *covering, w meaning, prior float64) {
	l := layout{what: w, layers: c.layers(), prior: prior}
	l.prepare(m.noise, &m.spread, len(k.window.u))
	k.layouts = append(k.layouts, l)
}

// see samples a window that lies at a place.
func (m *lineModel) see(w *window, at image.Point, turn axes) *glance {
	g := &glance{pix: make([]vision.RGB, len(w.u)), seen: len(w.u)}
	for i := range w.u {
		x, y := turn.place(at, w.u[i], w.v[i])
		x = float64(at.X) + m.squeeze*m.squeeze*(x-float64(at.X)) // see squeeze
		if m.covered(at, x, y) {
			if g.hidden == nil {
				g.hidden = slices.Repeat([]float64{1}, len(w.u))
			}
			g.hidden[i] = 0
			g.seen--
			continue
		}
		c := m.at(x, y)
		g.pix[i] = c
		g.square += c.Dot(c)
	}
	return g
}

// covered tells whether something lies over what a place shows: the border of a veil, or a
// start circle at another place.
func (m *lineModel) covered(at image.Point, x, y float64) bool {
	for _, o := range m.circles {
		if o != at && math.Hypot(x-float64(o.X), y-float64(o.Y)) < 2*m.line*m.radius+2*m.blur.sigma {
			return true
		}
	}
	for _, o := range m.pulses {
		if r := math.Hypot(x-float64(o.at.X), y-float64(o.at.Y)); math.Abs(r-o.radius) < 2*m.step {
			return true
		}
	}
	return len(m.veils) > 0 && m.hidden(float64(m.b.Margin)+x*float64(m.b.Pitch)/2, float64(m.b.Margin)+y*float64(m.b.Pitch)/2)
}

// glanceEdge looks at an edge.
func (m *lineModel) glanceEdge(w *window, at image.Point, circles int) *glance {
	turn := upright()
	if at.X&1 == 0 {
		turn = axes{0, 1, 1, 0}
	}
	g := m.see(w, at, turn)
	ux, uy := along(at)
	far := m.beyondCircle()
	for q, side := range []float64{-1, 1} {
		x, y := float64(at.X)+side*uy, float64(at.Y)+side*ux
		if x > 0 && y > 0 && x < float64(2*m.b.Cols) && y < float64(2*m.b.Rows) {
			g.mean[roleGround+role(q)] = m.cell(int(x), int(y))
		} else {
			g.mean[roleGround+role(q)] = m.patch(float64(at.X)+side*uy*far, float64(at.Y)+side*ux*far, m.line/2)
		}
	}
	to := image.Pt(int(ux), int(uy))
	ink := m.inkAt(at)
	g.mean[roleLine] = ink
	g.mean[roleCircle], g.mean[roleCircle2] = ink, ink
	if circles&1 != 0 {
		g.mean[roleCircle] = m.patch(float64(at.X-to.X), float64(at.Y-to.Y), m.line/2)
	}
	if circles&2 != 0 {
		g.mean[roleCircle2] = m.patch(float64(at.X+to.X), float64(at.Y+to.Y), m.line/2)
	}
	g.mean[roleDot] = ink
	return g
}

// tooAlike is what speaks against a layout in which something has nearly the colour of
// what lies beside it: it is nothing then.
func (m *lineModel) tooAlike(l *layout, g *glance, colours []vision.RGB) (sum float64) {
	c := m.contrast()
	against := func(off, least float64) {
		off = min(1, off/c/least)
		sum += m.odds.Near * (1 - off) * (1 - off)
	}
	for i, y := range l.layers {
		switch y.role {
		case roleDot:
			least := m.odds.LeastDot
			if l.what.start {
				least = m.odds.OnStart
			}
			against(l.off(i, colours), least)
		case roleCircle:
			if l.what.start {
				against(g.fromGround(colours[i]), m.odds.LeastCircle)
				// Half of the contrast: a start's pulse was seen 0.28 brighter than the lines.
				off := max(0, g.fromLines(colours[i])/c-0.5)
				sum += m.odds.Near * min(1, 4*off*off)
			}
		case roleLine:
			if l.what.gap != witness.Missing {
				against(g.fromGround(colours[i]), m.odds.LeastLine)
			}
		case roleCap:
			// Off the ground right beside it, but for that at its tip, which may be a frame's.
			last := roleBand + role(max(0, min(bands-1, m.band(2*m.line*(l.what.length-0.5)))))
			off, far := 0.0, 1e-9
			for _, ground := range g.mean[roleBand : last+1] {
				off, far = off+colours[i].Dist(ground), far+g.mean[roleCap].Dist(ground)
			}
			against(off/far*c, m.odds.LeastCap)
		}
	}
	return sum
}

// off is how far a dot's colour is off all mixtures of what lies beside it; on a start, off
// the circle and the lines, as nothing else is seen through a hole in it.
func (l *layout) off(dot int, colours []vision.RGB) float64 {
	least := math.Inf(1)
	for i, a := range l.layers {
		for j, b := range l.layers[:i] {
			if l.what.start && min(a.role, b.role) < roleLine {
				continue
			}
			if i != dot && j != dot && a.role.solid() && b.role.solid() {
				least = min(least, colours[dot].OffMix(colours[i], colours[j]))
			}
		}
	}
	return least
}

// solid tells whether a layer is of a colour of its own, and no change of another's.
func (r role) solid() bool {
	return r <= roleLine || r >= roleArm && r < roleSlope || r == roleCircle || r == roleCircle2
}

// fromLines is how far a colour is from those of the lines that are expected.
func (g *glance) fromLines(c vision.RGB) float64 {
	least := c.Dist(g.mean[roleCircle])
	for r := roleArm; r < roleSlope; r++ {
		if mean := g.mean[r]; mean != (vision.RGB{}) {
			least = min(least, c.Dist(mean))
		}
	}
	return least
}

// fromGround is how far a colour is from the grounds that are expected.
func (g *glance) fromGround(c vision.RGB) float64 {
	least := math.Inf(1)
	for r, mean := range g.mean {
		if (role(r) < roleLine || role(r) >= roleBand) && mean != (vision.RGB{}) {
			least = min(least, c.Dist(mean))
		}
	}
	return least
}
