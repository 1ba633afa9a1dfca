package line

import (
	"image"
	"math"
	"slices"
	"sync"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/witness/colour"
	"onlooker/vision/witness/view"
)

// A PlaceOdds is what the probability of what a place of the lines shows is made of.
type PlaceOdds struct {
	// Samples is how many samples tell as much as one alone, since blur and compression make
	// their noise alike, and Model how far off the picture a layout is at least, in contrasts.
	Samples, Model float64
	// Noise is the most noise of a look's own lines, in contrasts: to 0.079 on captures, their
	// variants and drawn boards. What is no board has more, as one look of ten has that is
	// not known.
	Noise float64
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
	// How much brighter than the lines a circle is at most, as it pulses, and how far its hue
	// may be off theirs: to 0.06 was seen on 350 starts.
	Pulse, Tint float64
	// Explains is how much a break or a dot of an edge explains at least of what plain lines
	// leave, for each that it leaves: 820 breaks on captures 1.19 and more, those on drawn
	// boards and dots 0.37 and more, but for two of 611 dots. In looks that are not known 17 of
	// 19 things that were taken for breaks have 0.05 to 0.34; a pointer on a line, taken for a
	// dot, 0.17, and what compression leaves on one up to 0.29. NodeExplains is that of a dot
	// where lines meet: 408 on drawn boards have 0.31 and more, those of captures that were
	// distorted 0.25; what compression leaves there 0.10, 0.13, 0.15 and 0.29.
	Explains, NodeExplains float64
	// Priors: logarithms of how much likelier than a plain place, or than an empty cell: 2.8 of
	// 36 cells of captured pillars hold something.
	Broken, Missing, Dotted, Start, Cap, Symbol float64
	// A lead of Sure leaves no doubt; one of a circle or a dot of Doubt tells nothing: an
	// outlined symbol passed for a board with a circle that led by 4.5, of 350 circles one led
	// by 6.9 and the others by 15 and more. What compression leaves on a line passed for a dot
	// with 2.5 and 5; of 220 dots on drawn boards one led by 1 and the others by 60 and more. A cap that a frame hides leads all others by HiddenCap: of 31 on
	// variants of two pedestals the right ones lead by 15 and more but for one by 9.9, and a
	// wrong one by 9.4.
	Sure, Doubt, HiddenCap float64
	// Against is how much one view of a pillar speaks at most against what a place may show.
	Against float64
	// Nothing is looked at again where a plain place leads by Clear, nor what the likeliest
	// leads by Far; and nothing else where a plain place leaves less than Quiet of the
	// contrast, in the root mean square: a dot of LeastDot on 10 of 150 samples leaves 0.08.
	Clear, Far, Quiet float64
}

// UsualPlaceOdds were chosen on the places of the 87 flat captures and 60 drawn boards. With
// them 6,600 edges, 4,100 nodes and 4,400 ways outwards are told right, but for the caps on
// five pedestals, half of which a frame hides: these are the likeliest ends there.
func UsualPlaceOdds() PlaceOdds {
	return PlaceOdds{
		Samples: 3, Model: 0.03, Noise: 0.13,
		Ink: 0.3, Ground: 0.15, Light: 0.1, Dot: 1, Joint: 0.045, Circle: 0.4, Shift: 0.012,
		LeastDot: 0.3, OnStart: 0.36, LeastCircle: 0.4, LeastLine: 0.12, LeastCap: 0.6, Near: 60,
		Pulse: 0.5, Tint: 0.25, Explains: 0.36, NodeExplains: 0.2,
		Broken: -6, Missing: -3, Dotted: -9, Start: -7, Cap: -9, Symbol: -2.5,
		Sure: 10, Doubt: 3, HiddenCap: 10, Against: 30, Clear: 5, Far: 60, Quiet: 0.04,
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

// How far beside an edge's line is looked, in sigmas of the blur, and how far from a
// node's middle, in half-cells: symbols stand beyond.
const (
	besideEdge = 3
	nodeReach  = 0.85
)

// Blurs are compared from the least to the most, in pixels of the frame; a straightened
// picture has half a pixel at least.
const (
	leastBlur = 0.6
	mostBlur  = 1.8
	flatBlur  = 0.5
)

// noiseEdges is on how many edges at most blur and noise are measured.
const noiseEdges = 12

// A PlaceKind is places that have the same layouts, on one board.
type PlaceKind struct {
	*drawnKind
	inv   []func() []float64 // of each layout's normal equations
	prior []float64          // logarithms
}

// A Model tells what the places of a board's lines show.
type Model struct {
	*view.View
	lines    *Reader
	Odds     PlaceOdds
	Spread   [RoleLast]float64
	Noise    float64 // of a sample, with how alike the noise of several is
	raw      float64
	drawings *lineDrawings
	blur     int            // step of theirs
	pulses   []pulse        // of starts
	radius   float64        // of start circles, line widths
	gap      float64        // length of the board's breaks; 0: not known
	broken   float64        // logarithm of how many edges are broken to how many are not
	ended    *witness.Panel // with the ends that were found
	circles  []image.Point  // that were found, and lie over what is beside them
	mu       sync.Mutex
	kinds    map[KindKey]*PlaceKind
	measured float64   // noise of whole edges
	quiet    float64   // what is left where nothing else is seen
	dim      [8]*Model // see dimmed
}

func NewModel(s *Reader) *Model {
	m := &Model{View: s.View, lines: s, Odds: UsualPlaceOdds()}
	c := s.Contrast()
	for r := range m.Spread {
		v := m.Odds.Light
		switch r := Role(r); {
		case r < RoleLine || r >= roleBand:
			v = m.Odds.Ground
		case r == roleJoint || r == RoleGap:
			v = m.Odds.Joint
		case r == RoleLine || r >= roleArm && r < roleSlope || r == roleCap:
			v = m.Odds.Ink
		case r == roleShift || r == roleWidth:
			v = m.Odds.Shift
		case r == roleCircle || r == roleCircle2:
			v = m.Odds.Circle
		case r == roleDot || r == roleCable:
			v = m.Odds.Dot
		}
		m.Spread[r] = v * c
	}
	m.measureNoise()
	return m
}

// measureNoise measures by how much the picture is blurred and how noisy it is, on edges:
// most are whole.
func (m *Model) measureNoise() {
	m.setNoise(1)
	if m.Board.Round() { // its edges are seen from many sides
		m.blur = BlurStep(2 * view.Tuned.BlurPixels / m.Board.ScreenPitch)
		m.drawings = m.drawn(m.blur)
		return
	}
	m.Noise = m.raw
	var edges []image.Point
	for y := 0; y <= 2*m.Board.Rows; y++ {
		for x := 1 - y&1; x <= 2*m.Board.Cols; x += 2 {
			edges = append(edges, image.Pt(x, y))
		}
	}
	for len(edges) > noiseEdges {
		half := edges[:0]
		for i := 0; i < len(edges); i += 2 {
			half = append(half, edges[i])
		}
		edges = half
	}
	misfit, best := math.Inf(1), 0
	var likeliest *lineDrawings
	glances := make([]*Glance, len(edges))
	try := func(blur int) {
		m.drawings, m.kinds = m.drawn(blur), nil
		k := m.kind(KindKey{Sort: "whole", Ends: 1})
		var all []float64
		for i, at := range edges {
			if glances[i] == nil {
				glances[i] = m.GlanceEdge(k.Window, at, 0)
			}
			g := glances[i]
			g.sums = nil
			q := k.Misfit(0, g, m.Noise, &m.Spread, nil)
			all = append(all, q/float64(3*max(1, g.seen)))
		}
		slices.Sort(all)
		if q := all[len(all)/3]; q < misfit {
			misfit, likeliest, best = q, m.drawings, blur
		}
	}
	least, most := BlurStep(2*leastBlur/m.Board.ScreenPitch), BlurStep(2*mostBlur/m.Board.ScreenPitch)
	flat := BlurStep(2 * flatBlur / float64(m.Board.Pitch))
	for blur := max(flat, least); blur <= max(flat, most); blur += 2 {
		try(blur)
	}
	for _, blur := range []int{best - 1, best + 1} {
		if blur >= max(flat, least) && blur <= max(flat, most) {
			try(blur)
		}
	}
	m.blur, m.drawings, m.kinds = best, likeliest, nil
	m.measured = m.Noise * math.Sqrt(misfit)
	m.setNoise(1)
}

// setNoise sets how noisy samples are where lines have a share of the board's contrast.
func (m *Model) setNoise(share float64) {
	m.raw = max(0.7, m.measured, m.Odds.Model*share*m.Contrast())
	m.Noise = m.raw * math.Sqrt(m.Odds.Samples)
	m.quiet = m.Odds.Quiet * share * m.Contrast()
}

// drawn are the drawings of the board's lines with so much blur.
func (m *Model) drawn(blur int) *lineDrawings {
	return m.lines.Drawings.Drawings(DrawingKey{
		Look: m.Profile, Line: LineStep(m.View.LineWidth), Blur: blur,
		Density: int(math.Round(min(max(m.Board.ScreenPitch, LeastSamples), mostSamples))),
	}, m.Sizes)
}

// kind is what places of a kind may show, with what the board says of it.
func (m *Model) kind(key KindKey) *PlaceKind {
	m.mu.Lock()
	defer m.mu.Unlock()
	if k := m.kinds[key]; k != nil {
		return k
	}
	drawings := m.drawings
	if key.more > 0 {
		drawings = m.drawn(m.blur + key.more)
	}
	k := &PlaceKind{drawnKind: drawings.Kind(key)}
	alike := make([]float64, len(k.Layouts))
	for _, l := range k.Layouts {
		alike[l.first]++
	}
	for i, l := range k.Layouts {
		w := l.What
		prior := m.Odds.Of(w)
		if w.Gap == witness.Broken && key.Gap > 0 { // a circle may hide most of a break, but not how many others there are
			prior = m.broken
		}
		k.prior = append(k.prior, prior-math.Log(alike[l.first]))
		k.inv = append(k.inv, sync.OnceValue(func() []float64 {
			l := k.Layout(i)
			return solved(l.Layers, l.gram, m.Noise, &m.Spread)
		}))
	}
	if m.kinds == nil {
		m.kinds = map[KindKey]*PlaceKind{}
	}
	m.kinds[key] = k
	return k
}

// EdgeKind is what edges may show; bit 0 and 1 of circles: with a circle at their first and
// second end.
func (m *Model) EdgeKind(at image.Point, circles int) *PlaceKind {
	key := KindKey{Sort: "edge", Ends: 1, more: m.foreshortened(at)}
	if m.Board.Round() && at.X&1 == 1 {
		key.aside, key.Ends = true, math.Round(aspectSteps*m.Board.Aspect)/aspectSteps
	}
	if circles != 0 {
		key.Which, key.Radius, key.Gap, key.Wide = circles, m.radius, m.gap, m.wideCircles()
	}
	return m.kind(key)
}

// aspectSteps is in how many steps of a half-cell it is told how wide cells are.
const aspectSteps = 16

// foreshortened is by how many grades a place of a pillar is more blurred than what faces the
// camera: across what is narrower in the frame than in the straightened picture.
func (m *Model) foreshortened(at image.Point) int {
	if !m.Board.Round() {
		return 0
	}
	width := max(view.LeastWidth, m.Board.Narrowed(float64(at.X)))
	if witness.IsNode(at) || at.X&1 == 1 { // both ways, as a dot is
		width = math.Sqrt(width)
	}
	return BlurStep(1 / width)
}

// circleReach is how far from its middle a start circle and its border reach.
func (m *Model) circleReach() float64 { return 2*m.LineWidth*m.radius + 2*m.drawings.blur.sigma }

// wideCircles tells whether they reach to the middles of edges, where breaks are.
func (m *Model) wideCircles() bool { return m.circleReach() > 1 }

// Priors are the numbers of the odds that a look at a place does not change.
func (o *PlaceOdds) Priors() []*float64 {
	return []*float64{&o.Broken, &o.Missing, &o.Dotted, &o.Start, &o.Cap}
}

// SureLead is how sure what leads by so much is: see Sure.
func (o *PlaceOdds) SureLead(lead float64) float64 { return view.Sure(lead, 0, o.Sure) }

// SureMark is how sure a circle or a dot is that leads by so much.
func (o *PlaceOdds) SureMark(lead float64) float64 { return view.Sure(lead, o.Doubt, o.Sure+o.Doubt) }

// Of is the prior of a meaning.
func (o *PlaceOdds) Of(w Meaning) (sum float64) {
	for i, is := range []bool{w.Gap == witness.Broken, w.Gap == witness.Missing, w.Dot, w.Start, w.Cap} {
		if is {
			sum += *o.Priors()[i]
		}
	}
	return sum
}

// evidence of each layout. Where the shortest of a break, the smallest of a circle or the
// like explains less than a plain place does, larger ones do so all the more: what is seen
// there would be explained by it in part. Nor are other lines than usual looked at where
// the usual ones lead clearly, nor anything else where a place is quiet.
func (m *Model) evidence(k *PlaceKind, g *Glance, clear float64) []float64 {
	out := make([]float64, len(k.Layouts))
	n := 3 * float64(g.seen) / m.Odds.Samples
	less := m.Odds.Sure
	if math.IsInf(clear, 1) {
		less = m.Odds.Far
	}
	far, rival, quiet := false, math.Inf(-1), false
	for i, l := range k.Layouts {
		if quiet || far && l.first != i && l.What.Aside == 0 || l.What.otherwise() && rival < out[0]-clear {
			out[i] = math.Inf(-1)
			continue
		}
		var colours [MostLayers]vision.RGB
		q := k.Misfit(i, g, m.Noise, &m.Spread, colours[:])
		like := -n / 2 * math.Log(1+q/n)
		out[i] = like + k.prior[i]
		if i == 0 && !math.IsInf(clear, 1) {
			quiet = m.isQuiet(k.Layout(0), g, q, colours[:])
		}
		if l.first == i {
			far = like < out[0]-less
		}
		if !l.What.Plain() {
			rival = max(rival, out[i])
		}
	}
	return out
}

// isQuiet tells whether plain lines of the colours that are expected explain nearly all.
func (m *Model) isQuiet(l *Layout, g *Glance, q float64, colours []vision.RGB) bool {
	if q*m.Noise*m.Noise > 3*float64(g.seen)*m.quiet*m.quiet {
		return false
	}
	odd := m.tooAlike(l, g, colours)
	for i, y := range l.Layers {
		off := colours[i].Sub(g.Mean[y.Role])
		odd += off.Dot(off) / m.Spread[y.Role] / m.Spread[y.Role]
	}
	return odd < m.Odds.Sure
}

// tell is the evidence of the best layout of each meaning, and what the robust fit of those
// that were looked at again leaves. What is plain by a clear lead, or has no rival, is not.
func (m *Model) tell(k *PlaceKind, g *Glance, clear float64) (evidence, left []float64) {
	out := m.evidence(k, g, clear)
	best := make([]int, 0, len(out)) // of each meaning
	for i := range out {
		switch n := len(best) - 1; {
		case k.Layouts[i].first == i:
			best = append(best, i)
		case out[i] > out[best[n]]:
			best[n] = i
		}
	}
	top := slices.Max(out)
	apart := slices.Repeat([]float64{math.Inf(-1)}, len(out)) // evidence less what is too alike
	for _, i := range best {
		if apart[i] = out[i]; out[i] >= top-m.Odds.Far {
			var colours [MostLayers]vision.RGB
			k.Misfit(i, g, m.Noise, &m.Spread, colours[:])
			apart[i] -= m.tooAlike(k.Layout(i), g, colours[:])
		}
	}
	most, plain, other, rivals := slices.Max(apart), math.Inf(-1), math.Inf(-1), 0
	for i, e := range apart {
		if k.Layouts[i].What.Plain() {
			plain = max(plain, e)
		} else {
			other = max(other, e)
		}
		if e >= most-m.Odds.Far {
			rivals++
		}
	}
	left = make([]float64, len(out))
	if !math.IsInf(clear, 1) && (rivals == 1 || plain-other > clear) {
		return apart, left
	}
	again := slices.Repeat([]float64{math.Inf(-1)}, len(out))
	for _, i := range best {
		if apart[i] < most-m.Odds.Far {
			again[i] = -noEvidence + apart[i] - most
			continue
		}
		q, colours := k.Layout(i).robust(g, m.raw, m.Odds.Samples, &m.Spread)
		left[i], again[i] = q, -q/2+k.prior[i]-m.tooAlike(k.Layout(i), g, colours)
	}
	return again, left
}

// explains is how much of what plain lines leave a layout explains, for each that it leaves;
// left is what is known of that.
func (m *Model) explains(k *PlaceKind, g *Glance, i int, left []float64) float64 {
	// Where the simple fit says it by far the other one does: of 4,000 breaks and dots and what
	// was taken for one none of 10 and more had less than 0.4 then.
	if quick := m.explainsBy(k, i, func(i int) float64 { return k.Misfit(i, g, m.Noise, &m.Spread, nil) }); quick > 25*m.Odds.Explains {
		return quick
	}
	return m.explainsBy(k, i, func(i int) float64 {
		if left[i] > 0 {
			return left[i]
		}
		q, _ := k.Layout(i).robust(g, m.raw, m.Odds.Samples, &m.Spread)
		return q
	})
}

// explainsBy is explains by what layouts leave.
func (m *Model) explainsBy(k *PlaceKind, i int, leaves func(int) float64) float64 {
	plain := math.Inf(1)
	for j, l := range k.Layouts {
		if l.What.Plain() && !l.What.cable {
			plain = min(plain, leaves(j))
		}
	}
	own := leaves(i)
	return (plain - own) / max(1e-9, own)
}

// Plain tells whether a place shows lines alone.
func (w Meaning) Plain() bool { return w.Gap == witness.Whole && !w.Dot && !w.Start && !w.Cap }

// otherwise tells whether it shows lines as they usually are not.
func (w Meaning) otherwise() bool { return w.cable || w.square }

// tooAlike is what speaks against a layout in which something has nearly the colour of
// what lies beside it: it is nothing then.
func (m *Model) tooAlike(l *Layout, g *Glance, colours []vision.RGB) (sum float64) {
	c := m.Contrast()
	against := func(off, least float64) {
		off = min(1, off/c/least)
		sum += m.Odds.Near * (1 - off) * (1 - off)
	}
	for i, y := range l.Layers {
		switch y.Role {
		case roleDot:
			least := m.Odds.LeastDot
			if l.What.Start {
				least = m.Odds.OnStart
			}
			against(l.off(i, g, colours), least)
		case roleCircle:
			if l.What.Start {
				against(g.fromGround(colours[i]), m.Odds.LeastCircle)
				// A start's pulse was seen 0.28 brighter than the lines, and of their hue.
				grey, hue := g.fromLines(colours[i])
				bright, tint := max(0, grey/c-m.Odds.Pulse), hue/c/m.Odds.Tint
				sum += m.Odds.Near * min(1, 4*bright*bright+tint*tint)
			}
		case RoleLine:
			if l.What.Gap != witness.Missing {
				against(g.fromGround(colours[i]), m.Odds.LeastLine)
			}
		case roleCap:
			// Off the ground right beside it, towards the lines, but for that at its tip, which may be a frame's.
			last := roleBand + Role(max(0, min(bands-1, m.drawings.band(2*m.LineWidth*(l.What.Length-0.5)))))
			off, far := 0.0, 1e-9
			for _, ground := range g.Mean[roleBand : last+1] {
				to := g.Mean[roleCap].Sub(ground)
				d := math.Sqrt(to.Dot(to))
				off, far = off+max(0, colours[i].Sub(ground).Dot(to))/max(1, d), far+d
			}
			against(off/far*c, m.Odds.LeastCap)
		}
	}
	return sum
}

// off is how far a dot's colour is off all mixtures of what lies beside it and of what is
// expected of the line, as noise in its middle may be taken for a dot on a line whose ends
// differ; on a start, off the circle and the lines, as nothing else is seen through a hole
// in it.
func (l *Layout) off(dot int, g *Glance, colours []vision.RGB) float64 {
	least := math.Inf(1)
	for i, a := range l.Layers {
		for j, b := range l.Layers[:i] {
			if l.What.Start && min(a.Role, b.Role) < RoleLine {
				continue
			}
			if i == dot || j == dot || !a.Role.solid() || !b.Role.solid() {
				continue
			}
			least = min(least, colours[dot].OffMix(colours[i], colours[j]))
			if a.Role == RoleLine {
				least = min(least, colours[dot].OffMix(g.Mean[RoleLine], colours[j]))
			}
		}
	}
	return least
}

// solid tells whether a layer is of a colour of its own, and no change of another's.
func (r Role) solid() bool {
	return r <= RoleLine || r >= roleArm && r < roleSlope || r == roleCircle || r == roleCircle2
}

// fromLines is how much a colour is brighter or darker than the lines that are expected, and
// how far its hue is off theirs: of that which it is nearest to.
func (g *Glance) fromLines(c vision.RGB) (grey, hue float64) {
	least := math.Inf(1)
	for r, mean := range g.Mean {
		if Role(r) == roleCircle || Role(r) >= roleArm && Role(r) < roleSlope && mean != (vision.RGB{}) {
			if d := c.Dist(mean); d < least {
				v, h := colour.GreyAndHue(c.Sub(mean))
				least, grey, hue = d, math.Sqrt(3)*math.Abs(v), math.Sqrt(h.Dot(h))
			}
		}
	}
	return grey, hue
}

// fromGround is how far a colour is from the grounds that are expected.
func (g *Glance) fromGround(c vision.RGB) float64 {
	least := math.Inf(1)
	for r, mean := range g.Mean {
		if (Role(r) < RoleLine || Role(r) >= roleBand) && mean != (vision.RGB{}) {
			least = min(least, c.Dist(mean))
		}
	}
	return least
}
