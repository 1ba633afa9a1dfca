package witness

import (
	"image"
	"math"
	"slices"
	"sync"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision/picture"
	drawing "onlooker/vision/picture/witness"
)

// A drawnKind is what places of one kind may show, drawn.
type drawnKind struct {
	window  *window
	layouts []*layout
	base    *covering // of the plain layout, whose shapes are these
	painted []picture.Shape
	bandOf  []float64 // which ground lies at each sample of a way outwards
	free    []bool    // where only ground is seen, whatever the place shows
}

// A kindKey says which places are meant: edges, whole ones, nodes or ways outwards; edges by
// their circles, nodes by how many sides of the board they are on, ways by their sort.
type kindKey struct {
	sort        string
	which       int
	radius, gap float64 // of circles and breaks, beside circles
	aside       bool    // dots may lie beside the middle
	more        int     // grades by which it is more blurred than the board, see blurGrade
	ends        float64 // how far off an edge's middle its ends are, half-cells
	wide        bool    // circles that reach to the middles of edges: their borders are seen
}

// A drawingKey is what drawings depend on: steps of the lines' width and of the blur, and how
// many samples a pitch has.
type drawingKey struct {
	look                *calibrations.Profile
	line, blur, density int
}

// Lines are drawn in widths and blurs each so many times the last: layouts may be wider, see
// addBorders, and the misfit of edges hardly tells blurs apart that are nearer.
const (
	lineGrade = 1.05
	blurGrade = 1.2
)

// A pitch has as many samples as pixels in the frame, but for these: places of captures and
// drawn boards are told as well with 20 as with 26, and not with 18.
const (
	leastSamples = 16
	mostSamples  = 20
)

func lineStep(line float64) int { return int(math.Round(math.Log(line) / math.Log(lineGrade))) }
func blurStep(blur float64) int { return int(math.Round(math.Log(blur) / math.Log(blurGrade))) }

// lineDrawings are what the places of a look's lines may show at one width and blur, as
// far as it was asked for.
type lineDrawings struct {
	look       *calibrations.Profile
	sizes      drawing.Sizes
	line, step float64
	blur       *blur
	mu         sync.Mutex
	kinds      map[kindKey]*drawnKind
}

// A lineCache keeps the last few drawings for all boards that are read.
type lineCache struct {
	mu   sync.Mutex
	keys []drawingKey // the last used last
	all  []*lineDrawings
}

// circleGrade is how many times the last radii are that circles at an edge's ends are
// compared in, about the one that was found: nodes tell it in steps of 1.08.
const circleGrade = 1.04

// On a pillar's level edges the game sets dots up to 0.1 pitches beside the middle: so far, in
// half-cells, and in so many steps, dots are compared there.
const (
	farthestAside = 0.2
	dotsAside     = 3
)

// keptDrawings is how many drawings are kept, about a megabyte each.
const keptDrawings = 32

// drawings are those of a key; sizes are the look's.
func (c *lineCache) drawings(key drawingKey, sizes drawing.Sizes) *lineDrawings {
	c.mu.Lock()
	defer c.mu.Unlock()
	var d *lineDrawings
	if i := slices.Index(c.keys, key); i >= 0 {
		d = c.all[i]
		c.keys, c.all = slices.Delete(c.keys, i, i+1), slices.Delete(c.all, i, i+1)
	} else {
		d = &lineDrawings{
			look: key.look, sizes: sizes,
			line: math.Pow(lineGrade, float64(key.line)), step: 2 / float64(key.density),
			blur: newBlur(math.Pow(blurGrade, float64(key.blur))), kinds: map[kindKey]*drawnKind{},
		}
		if len(c.keys) == keptDrawings {
			c.keys, c.all = slices.Delete(c.keys, 0, 1), slices.Delete(c.all, 0, 1)
		}
	}
	c.keys, c.all = append(c.keys, key), append(c.all, d)
	return d
}

// kind is what places of a kind may show.
func (d *lineDrawings) kind(key kindKey) *drawnKind {
	d.mu.Lock()
	defer d.mu.Unlock()
	k := d.kinds[key]
	if k == nil {
		switch key.sort {
		case "node":
			k = d.nodeKind(key.which)
		case "way":
			k = d.wayKind(key.which)
		default:
			k = d.edgeKind(key)
		}
		d.kinds[key] = k
	}
	return k
}

// style is how layouts are drawn, with start circles of some radius.
func (d *lineDrawings) style(radius float64) drawing.Style {
	return drawing.Style{Line: d.line, Start: radius, Symbols: d.sizes}
}

// steps are n values from the least to the greatest of a range, each as many times the last.
func steps(r calibrations.Range, n int) (out []float64) {
	for i := range n {
		out = append(out, r[0]*math.Pow(r[1]/r[0], float64(i)/float64(n-1)))
	}
	return out
}

// edgeKind draws the layouts of edges; bit 0 and 1 of which: with a circle at their first
// and second end.
func (d *lineDrawings) edgeKind(key kindKey) *drawnKind {
	reach, wide := min(1, key.ends)-d.line, d.line+d.step+besideEdge*d.blur.sigma
	if key.sort == "whole" {
		wide = d.line + 2*d.step // whatever the blur
	}
	k := &drawnKind{window: grid(-reach, reach, -wide, wide, d.step)}
	radii := []float64{0}
	if key.which != 0 {
		radii[0] = key.radius
	}
	if key.wide {
		for _, step := range [...]float64{-1, 1, -2, 2} {
			radii = append(radii, key.radius*math.Pow(circleGrade, step))
		}
	}
	wholes := map[float64][]float64{} // what a whole line covers beside such circles
	for _, r := range radii {
		k.add(meaning{radius: r}, func() *covering { return d.drawEdge(k, key, meaning{radius: r}, nil) })
		if key.sort == "whole" {
			return k
		}
		whole := make([]float64, len(k.window.u)) // 0 all over between circles that cover all of it
		for _, y := range k.layout(len(k.layouts) - 1).layers {
			if y.role == roleLine {
				for i, at := range y.at {
					whole[at] = y.cover[i]
				}
			}
		}
		wholes[r] = whole
	}
	add := func(w meaning) {
		for _, r := range radii {
			w := w
			w.radius = r
			k.add(w, func() *covering { return d.drawEdge(k, key, w, wholes[w.radius]) })
		}
	}
	lengths := steps(d.look.Board.Gap, gapLengths)
	if key.gap > 0 { // a circle may hide most of a break, but not how long others are
		between := math.Pow(d.look.Board.Gap[1]/d.look.Board.Gap[0], 0.5/(gapLengths-1))
		lengths = []float64{key.gap / between, key.gap, min(key.gap*between, d.look.Board.Gap[1])}
	}
	for _, g := range lengths {
		if g < 1-d.line {
			add(meaning{gap: witness.Broken, length: g})
		}
	}
	add(meaning{gap: witness.Missing})
	add(meaning{dot: true})
	if key.aside {
		for step := 1.0; step <= dotsAside; step++ {
			add(meaning{dot: true, aside: step / dotsAside * farthestAside})
			add(meaning{dot: true, aside: -step / dotsAside * farthestAside})
		}
	}
	if key.which == 0 {
		for _, dot := range []bool{false, true} {
			for _, r := range d.radii() {
				add(meaning{start: true, dot: dot, length: r})
			}
		}
	}
	return k
}

// drawEdge draws what an edge may show; whole is what a whole line covers.
func (d *lineDrawings) drawEdge(k *drawnKind, key kindKey, w meaning, whole []float64) *covering {
	p, at := witness.New(1, 2, false), image.Pt(1, 2)
	for e := range p.Points() {
		if witness.IsEdge(e) && e.X&1 == 1 {
			p.At(e).Gap = witness.Missing
		}
	}
	p.At(at).Gap = w.gap
	p.At(at).Dot.On, p.At(at).Start = w.dot, w.start
	p.At(image.Pt(0, 2)).Start, p.At(image.Pt(2, 2)).Start = key.which&1 != 0, key.which&2 != 0
	style := d.style(w.radius)
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
	for i, r := range roles {
		aside := 0.0
		switch r {
		case roleDot:
			aside = w.aside
		case roleCircle:
			aside = 1 - key.ends
		case roleCircle2:
			aside = key.ends - 1
		}
		if aside != 0 {
			shapes[i].Points = slices.Clone(shapes[i].Points)
			for j := range shapes[i].Points {
				shapes[i].Points[j].X += aside
			}
		}
	}
	n := len(k.window.u)
	var c covering
	left, right := c.of(roleGround, n), c.of(roleGround+1, n)
	for i, v := range k.window.v {
		right[i] = d.blur.covers(v)
		left[i] = 1 - right[i]
	}
	k.over(&c, d.blur, at, upright(), shapes, roles)
	d.addLight(&c, k.window)
	if w.gap == witness.Broken {
		gap, line := c.of(roleGap, n), c.of(roleLine, n)
		for i := range gap {
			gap[i] = max(0, whole[i]-line[i])
		}
	}
	if c[roleLine] != nil {
		if w.gap != witness.Broken {
			whole = c[roleLine]
		}
		d.addBorders(&c, k.window, whole)
	}
	return &c
}

// addLight adds how the light of a line and of the grounds changes along it.
func (d *lineDrawings) addLight(c *covering, w *window) {
	n, reach := len(w.u), (1 - d.line)
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
func (d *lineDrawings) addBorders(c *covering, w *window, whole []float64) {
	n := len(w.u)
	shift, width := c.of(roleShift, n), c.of(roleWidth, n)
	h := d.blur.sigma / 2
	across := func(v float64) float64 { return d.blur.covers(d.line-v) + d.blur.covers(d.line+v) - 1 }
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

// add adds a layout to those of a kind of places. All but the first are drawn when they are
// asked for.
func (k *drawnKind) add(w meaning, draw func() *covering) {
	first := slices.IndexFunc(k.layouts, func(l *layout) bool { return l.what.same(w) })
	if first < 0 {
		first = len(k.layouts)
	}
	k.layouts = append(k.layouts, &layout{what: w, first: first, draw: draw})
	if len(k.layouts) == 1 {
		k.layout(0)
	}
}

// layout is a layout of the kind, drawn.
func (k *drawnKind) layout(i int) *layout {
	l := k.layouts[i]
	l.drawing.Do(func() {
		l.layers = l.draw().layers()
		l.gram = grams(l.layers, len(k.window.u), nil)
		if i > 0 {
			l.changes = changesFrom(l.layers, k.layouts[0].layers, len(k.window.u))
		}
		l.draw = nil
	})
	return l
}
