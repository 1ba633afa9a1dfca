package line

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
	Window  *window
	Layouts []*Layout
	base    *Covering // of the plain layout, whose shapes are these
	painted []picture.Shape
	bandOf  []float64 // which ground lies at each sample of a way outwards
	free    []bool    // where only ground is seen, whatever the place shows
}

// A KindKey says which places are meant: edges, whole ones, nodes or ways outwards; edges by
// their circles, nodes by how many sides of the board they are on, ways by their sort.
type KindKey struct {
	Sort        string
	Which       int
	Radius, Gap float64     // of circles and breaks, beside circles
	aside       bool        // dots may lie beside the middle
	more        int         // grades by which it is more blurred than the board, see blurGrade
	Ends        float64     // how far off an edge's middle its ends are, half-cells
	end         image.Point // of nodes at which an end stands: its way in the window, which ends at the border
	Wide        bool        // circles that reach to the middles of edges: their borders are seen
}

// A DrawingKey is what drawings depend on: steps of the lines' width and of the blur, and how
// many samples a pitch has.
type DrawingKey struct {
	Look                *calibrations.Profile
	Line, Blur, Density int
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
	LeastSamples = 16
	mostSamples  = 20
)

func LineStep(line float64) int { return int(math.Round(math.Log(line) / math.Log(lineGrade))) }
func BlurStep(blur float64) int { return int(math.Round(math.Log(blur) / math.Log(blurGrade))) }

// lineDrawings are what the places of a look's lines may show at one width and blur, as
// far as it was asked for.
type lineDrawings struct {
	look       *calibrations.Profile
	sizes      drawing.Sizes
	line, step float64
	blur       *blur
	mu         sync.Mutex
	kinds      map[KindKey]*drawnKind
}

// A Cache keeps the last few drawings for all boards that are read.
type Cache struct {
	mu   sync.Mutex
	keys []DrawingKey // the last used last
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

// Drawings are those of a key; sizes are the look's.
func (c *Cache) Drawings(key DrawingKey, sizes drawing.Sizes) *lineDrawings {
	c.mu.Lock()
	defer c.mu.Unlock()
	var d *lineDrawings
	if i := slices.Index(c.keys, key); i >= 0 {
		d = c.all[i]
		c.keys, c.all = slices.Delete(c.keys, i, i+1), slices.Delete(c.all, i, i+1)
	} else {
		d = &lineDrawings{
			look: key.Look, sizes: sizes,
			line: math.Pow(lineGrade, float64(key.Line)), step: 2 / float64(key.Density),
			blur: NewBlur(math.Pow(blurGrade, float64(key.Blur))), kinds: map[KindKey]*drawnKind{},
		}
		if len(c.keys) == keptDrawings {
			c.keys, c.all = slices.Delete(c.keys, 0, 1), slices.Delete(c.all, 0, 1)
		}
	}
	c.keys, c.all = append(c.keys, key), append(c.all, d)
	return d
}

// Kind is what places of a kind may show.
func (d *lineDrawings) Kind(key KindKey) *drawnKind {
	d.mu.Lock()
	defer d.mu.Unlock()
	k := d.kinds[key]
	if k == nil {
		switch key.Sort {
		case "node":
			k = d.nodeKind(key.Which, key.end)
		case "way":
			k = d.wayKind(key.Which)
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

// EdgeKind draws the layouts of edges; bit 0 and 1 of which: with a circle at their first
// and second end.
func (d *lineDrawings) edgeKind(key KindKey) *drawnKind {
	reach, wide := min(1, key.Ends)-d.line, d.line+d.step+besideEdge*d.blur.sigma
	if key.Sort == "whole" {
		wide = d.line + 2*d.step // whatever the blur
	}
	k := &drawnKind{Window: Grid(-reach, reach, -wide, wide, d.step)}
	radii := []float64{0}
	if key.Which != 0 {
		radii[0] = key.Radius
	}
	if key.Wide {
		for _, step := range [...]float64{-1, 1, -2, 2} {
			radii = append(radii, key.Radius*math.Pow(circleGrade, step))
		}
	}
	wholes := map[float64][]float64{} // what a whole line covers beside such circles
	for _, r := range radii {
		k.add(Meaning{radius: r}, func() *Covering { return d.drawEdge(k, key, Meaning{radius: r}, nil) })
		if key.Sort == "whole" {
			return k
		}
		whole := make([]float64, len(k.Window.U)) // 0 all over between circles that cover all of it
		for _, y := range k.Layout(len(k.Layouts) - 1).Layers {
			if y.Role == RoleLine {
				for i, at := range y.At {
					whole[at] = y.Cover[i]
				}
			}
		}
		wholes[r] = whole
	}
	add := func(w Meaning) {
		for _, r := range radii {
			w := w
			w.radius = r
			k.add(w, func() *Covering { return d.drawEdge(k, key, w, wholes[w.radius]) })
		}
	}
	lengths := steps(d.look.Board.Gap, gapLengths)
	if key.Gap > 0 { // a circle may hide most of a break, but not how long others are
		between := math.Pow(d.look.Board.Gap[1]/d.look.Board.Gap[0], 0.5/(gapLengths-1))
		lengths = []float64{key.Gap / between, key.Gap, min(key.Gap*between, d.look.Board.Gap[1])}
	}
	for _, g := range lengths {
		if g < 1-d.line {
			add(Meaning{Gap: witness.Broken, Length: g})
		}
	}
	add(Meaning{Gap: witness.Missing})
	add(Meaning{Dot: true})
	if key.aside {
		for step := 1.0; step <= dotsAside; step++ {
			add(Meaning{Dot: true, Aside: step / dotsAside * farthestAside})
			add(Meaning{Dot: true, Aside: -step / dotsAside * farthestAside})
		}
	}
	if key.Which == 0 {
		for _, dot := range []bool{false, true} {
			for _, r := range d.radii() {
				add(Meaning{Start: true, Dot: dot, Length: r})
			}
		}
	}
	return k
}

// drawEdge draws what an edge may show; whole is what a whole line covers.
func (d *lineDrawings) drawEdge(k *drawnKind, key KindKey, w Meaning, whole []float64) *Covering {
	p, at := witness.New(1, 2, false), image.Pt(1, 2)
	for e := range p.Points() {
		if witness.IsEdge(e) && e.X&1 == 1 {
			p.At(e).Gap = witness.Missing
		}
	}
	p.At(at).Gap = w.Gap
	p.At(at).Dot.On, p.At(at).Start = w.Dot, w.Start
	p.At(image.Pt(0, 2)).Start, p.At(image.Pt(2, 2)).Start = key.Which&1 != 0, key.Which&2 != 0
	style := d.style(w.radius)
	if w.Start {
		style.Start = w.Length
	} else {
		style.Gap = w.Length
	}
	shapes, roles := DrawnShapes(p, style, func(s *picture.Shape) Role {
		switch {
		case s.Kind == picture.Disc && !s.Fine && s.Points[0].X > float64(at.X):
			return roleCircle2
		case s.Kind == picture.Disc && !s.Fine:
			return roleCircle
		case s.Kind == picture.Polygon:
			return roleDot
		}
		return RoleLine
	})
	for i, r := range roles {
		aside := 0.0
		switch r {
		case roleDot:
			aside = w.Aside
		case roleCircle:
			aside = 1 - key.Ends
		case roleCircle2:
			aside = key.Ends - 1
		}
		if aside != 0 {
			shapes[i].Points = slices.Clone(shapes[i].Points)
			for j := range shapes[i].Points {
				shapes[i].Points[j].X += aside
			}
		}
	}
	n := len(k.Window.U)
	var c Covering
	left, right := c.Of(RoleGround, n), c.Of(RoleGround+1, n)
	for i, v := range k.Window.V {
		right[i] = d.blur.covers(v)
		left[i] = 1 - right[i]
	}
	k.over(&c, d.blur, at, Upright(), shapes, roles)
	d.addLight(&c, k.Window)
	if w.Gap == witness.Broken {
		gap, line := c.Of(RoleGap, n), c.Of(RoleLine, n)
		for i := range gap {
			gap[i] = max(0, whole[i]-line[i])
		}
	}
	if c[RoleLine] != nil {
		if w.Gap != witness.Broken {
			whole = c[RoleLine]
		}
		d.addBorders(&c, k.Window, whole)
	}
	return &c
}

// addLight adds how the light of a line and of the grounds changes along it.
func (d *lineDrawings) addLight(c *Covering, w *window) {
	n, reach := len(w.U), (1 - d.line)
	line, left, right := c[RoleLine], c[RoleGround], c[RoleGround+1]
	tilts := [2][]float64{c.Of(roleTilt, n), c.Of(roleTilt+1, n)}
	for i, u := range w.U {
		tilts[0][i], tilts[1][i] = left[i]*u/reach, right[i]*u/reach
	}
	if line == nil {
		return
	}
	slope, curve := c.Of(roleSlope, n), c.Of(roleSlope+1, n)
	for i, u := range w.U {
		slope[i], curve[i] = line[i]*u/reach, line[i]*u*u/reach/reach
	}
}

// addBorders adds what changes where a line lies a little beside its place, or is wider;
// whole is what it would cover without a break.
func (d *lineDrawings) addBorders(c *Covering, w *window, whole []float64) {
	n := len(w.U)
	shift, width := c.Of(roleShift, n), c.Of(roleWidth, n)
	h := d.blur.sigma / 2
	across := func(v float64) float64 { return d.blur.covers(d.line-v) + d.blur.covers(d.line+v) - 1 }
	for i, v := range w.V {
		d := (across(v-h) - across(v+h)) / (2 * h)
		rest := c[RoleLine][i] / max(1e-9, whole[i])
		for _, r := range []Role{roleCircle, roleCircle2, roleDot} {
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
func (k *drawnKind) add(w Meaning, draw func() *Covering) {
	first := slices.IndexFunc(k.Layouts, func(l *Layout) bool { return l.What.Same(w) })
	if first < 0 {
		first = len(k.Layouts)
	}
	k.Layouts = append(k.Layouts, &Layout{What: w, first: first, draw: draw})
	if len(k.Layouts) == 1 {
		k.Layout(0)
	}
}

// Layout is a layout of the kind, drawn.
func (k *drawnKind) Layout(i int) *Layout {
	l := k.Layouts[i]
	l.drawing.Do(func() {
		l.Layers = l.draw().layers()
		l.gram = grams(l.Layers, len(k.Window.U), nil)
		if i > 0 {
			l.changes = changesFrom(l.Layers, k.Layouts[0].Layers, len(k.Window.U))
		}
		l.draw = nil
	})
	return l
}
