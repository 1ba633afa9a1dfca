package switches

import (
	"cmp"
	"fmt"
	"image"
	"math"
	"slices"

	"onlooker/calibrations"
	"onlooker/solve/switches"
	"onlooker/vision"
	"onlooker/vision/grid"
	"onlooker/vision/grid/claims"
	"onlooker/vision/grid/part"
	"onlooker/vision/posterior"
)

// How lines between bulbs are told. On the boards of the shared screens a line
// is there along 0.99 of its way or more, and by chance along 0.6 at the most.
const (
	lineThere  = 0.95
	lineGone   = 0.75
	lineClear  = 0.35 // of the contrast of the bulbs' rims: what counts as line
	leastBulbs = 4
	mostBulbs  = 400
	ringInk    = 0.85 // of a bulb's rim, and of what lies within it, that are to be seen
	sameRow    = 0.34 // of a bulb's radius: names go by rows, and mean nothing
)

// A graph is bulbs joined by lines, on its way.
type graph struct {
	s      *grid.Scene
	discs  []part.Disc
	rim    float64 // radius of a bulb with its rim, in radii of its disc
	ground part.Colour
	ink    int                     // the contrast of what is drawn
	ways   [ringSteps]vision.Point // of length 1, evenly all round
}

// ringSteps is at how many places a bulb's rim is looked at.
const ringSteps = 32

// scanBulbs reads bulbs that are joined by lines; false where there are none. Those
// that cover most are looked at first: what lines enclose may be nearly round too.
func scanBulbs(s *grid.Scene, contrast int, looks []*calibrations.Profile) (claims.Reading, bool) {
	var unread claims.Reading
	found := false
	for _, discs := range s.Discs(contrast) {
		r, ok := readBulbs(s, discs, looks)
		if ok && r.Err == nil {
			return r, true
		}
		if ok && !found {
			unread, found = r, true
		}
	}
	return unread, found
}

// readBulbs reads bulbs that are some discs, and those to which their lines lead.
func readBulbs(s *grid.Scene, discs []part.Disc, looks []*calibrations.Profile) (claims.Reading, bool) {
	g := &graph{s: s, discs: discs}
	for k := range g.ways {
		g.ways[k].Y, g.ways[k].X = math.Sincos(2 * math.Pi * float64(k) / ringSteps)
	}
	if len(g.discs) < leastBulbs || len(g.discs) > mostBulbs || !g.measure() {
		return claims.Reading{}, false
	}
	g.follow()
	g.order()
	lines, err := g.lines()
	if len(lines) < len(g.discs)-1 {
		return claims.Reading{}, false
	}
	out := claims.Reading{Board: g.board(), Err: err}
	if out.Board == nil {
		return out, false
	}
	if err == nil {
		bulbs := make([]part.Colour, len(g.discs))
		for i, d := range g.discs {
			bulbs[i] = d.Colour
		}
		look, lit := lookOf(bulbs, looks)
		if look == nil {
			var at int
			var why string
			if lit, at, why = litOf(bulbs, g.ground, false); why != "" {
				err = loose(at, why)
			}
		}
		if err == nil {
			out.Look = look
			out.Evidence = posterior.Evidence{joined: 1, "few bulbs": leastBulbs / float64(len(g.discs))}
			out.Puzzle, err = g.puzzle(lit, lines, goalOf(look, looks, false))
		}
		out.Err = err
	}
	if out.Err != nil {
		out.Puzzle = nil
	}
	return out, true
}

// measure finds the ground between the bulbs and how far their rims reach.
func (g *graph) measure() bool {
	corner := []part.Colour{}
	for _, d := range g.discs {
		for k := range 8 {
			sin, cos := math.Sincos(math.Pi * (float64(k) + 0.5) / 4)
			corner = append(corner, g.s.At(d.At.X+2.2*d.Radius*cos, d.At.Y+2.2*d.Radius*sin))
		}
	}
	g.ground = part.Usual(corner)
	var reach []float64
	for _, d := range g.discs {
		for k := range 16 {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / 16)
			far := d.Radius
			for r := d.Radius; r < 2*d.Radius; r += 0.5 {
				c := g.s.At(d.At.X+r*cos, d.At.Y+r*sin).Contrast(g.ground)
				g.ink = max(g.ink, c)
				if c >= 40 {
					far = r
				}
			}
			reach = append(reach, far/d.Radius)
		}
	}
	g.rim = vision.Median(reach)
	return g.ink >= 60
}

// rimOf is the radius of a bulb with its rim in pixels: seen from aside the farther
// ones are smaller.
func (g *graph) rimOf(i int) float64 { return g.rim*g.discs[i].Radius + 1 }

// order puts the bulbs into reading order: rows by their middles.
func (g *graph) order() {
	slices.SortFunc(g.discs, func(a, b part.Disc) int { return cmp.Compare(a.At.Y, b.At.Y) })
	for first := 0; first < len(g.discs); {
		last := first + 1
		for last < len(g.discs) && g.discs[last].At.Y-g.discs[last-1].At.Y <= sameRow*g.discs[0].Radius {
			last++
		}
		slices.SortFunc(g.discs[first:last], func(a, b part.Disc) int { return cmp.Compare(a.At.X, b.At.X) })
		first = last
	}
}

// lines are the pairs of bulbs with a line all the way between them.
func (g *graph) lines() ([][2]int, error) {
	var out [][2]int
	var doubt error
	for i := range g.discs {
		for j := i + 1; j < len(g.discs); j++ {
			if g.between(i, j) {
				continue
			}
			switch f := g.drawn(i, j); {
			case f >= lineThere:
				out = append(out, [2]int{i, j})
			case f > lineGone:
				doubt = loose(i, fmt.Sprintf("a line between the bulbs %d and %d, or none: %.2f of it is there", i+1, j+1, f))
			}
		}
	}
	ends := make([]int, len(g.discs))
	for _, l := range out {
		ends[l[0]]++
		ends[l[1]]++
	}
	for i := range g.discs {
		if n := len(g.stubs(i)); n != ends[i] && doubt == nil {
			doubt = loose(i, fmt.Sprintf("a bulb from which %d lines go and %d arrive at others", n, ends[i]))
		}
	}
	return out, doubt
}

// stubs are the directions in which lines leave a bulb, in radians.
func (g *graph) stubs(i int) (out []float64) {
	const steps = 180
	first, was := 0, true
	d := g.discs[i]
	for k := range 2*steps + 1 {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / steps)
		least := 255
		for _, r := range []float64{2, 3, 4} {
			r += g.rimOf(i)
			least = min(least, g.s.At(d.At.X+r*cos, d.At.Y+r*sin).Contrast(g.ground))
		}
		on := float64(least) >= lineClear*float64(g.ink)
		if on && !was {
			first = k
		}
		// Each is counted in the second round, where it ends.
		if !on && was && first > 0 && k > steps {
			out = append(out, math.Pi*float64(first+k-1)/steps)
		}
		was = on
	}
	return out
}

// follow adds the bulbs to which lines lead where no disc was found: what is written
// on one may cut it into pieces.
func (g *graph) follow() {
	for i := 0; i < len(g.discs) && len(g.discs) < mostBulbs; i++ {
		for _, way := range g.stubs(i) {
			if d, ok := g.end(i, way); ok && !slices.ContainsFunc(g.discs, func(o part.Disc) bool {
				return math.Hypot(o.At.X-d.At.X, o.At.Y-d.At.Y) < 2*d.Radius
			}) {
				g.discs = append(g.discs, d)
			}
		}
	}
}

// end is the bulb at the end of the line that leaves another in a direction; false
// where none is.
func (g *graph) end(i int, way float64) (part.Disc, bool) {
	from := g.discs[i]
	sin, cos := math.Sincos(way)
	on := func(t float64) bool {
		for _, off := range []float64{0, -1, 1, -2, 2} {
			c := g.s.At(from.At.X+t*cos-off*sin, from.At.Y+t*sin+off*cos)
			if float64(c.Contrast(g.ground)) >= lineClear*float64(g.ink) {
				return true
			}
		}
		return false
	}
	t := g.rimOf(i) + 2
	for far := float64(g.s.W + g.s.H); t < far && on(t); t++ {
		// A bulb on the way is drawn upon the line: its middle is as far as its rim's.
		d := part.Disc{At: vision.Point{X: from.At.X + (t+g.rim*from.Radius)*cos, Y: from.At.Y + (t+g.rim*from.Radius)*sin}, Radius: from.Radius}
		if slices.ContainsFunc(g.discs, func(o part.Disc) bool { return math.Hypot(o.At.X-d.At.X, o.At.Y-d.At.Y) < o.Radius }) {
			return d, false // one that is known
		}
		if g.ringAt(&d) < ringInk/2 {
			continue
		}
		if d, ok := g.ring(d); ok {
			return d, true
		}
	}
	return part.Disc{}, false
}

// ring tells whether a bulb stands about some place, and where and in which colour:
// its rim is drawn all round, and within it is one colour that is no rim's.
func (g *graph) ring(d part.Disc) (part.Disc, bool) {
	best, most := d, 0.0
	for dy := -2.0; dy <= 2; dy++ {
		for dx := -2.0; dx <= 2; dx++ {
			o := d
			o.At = vision.Point{X: d.At.X + dx, Y: d.At.Y + dy}
			if v := g.ringAt(&o); v > most {
				best, most = o, v
			}
		}
	}
	return best, most >= ringInk
}

// ringAt is how much of a bulb's rim, and of what lies within, is to be seen,
// whichever is less. It sets the bulb's colour where that may be half of what is asked
// of a bulb.
func (g *graph) ringAt(d *part.Disc) float64 {
	var rims, inner [ringSteps]part.Colour
	inky := 0
	for k, way := range g.ways {
		r := d.Radius * (1 + g.rim) / 2
		rims[k] = g.s.At(d.At.X+r*way.X, d.At.Y+r*way.Y)
		if 2*rims[k].Contrast(g.ground) > g.ink {
			inky++
		}
		if f := float64(inky+ringSteps-1-k) / ringSteps; f < ringInk/2 {
			return f // no more than that
		}
	}
	for k, way := range g.ways {
		r := 0.8 * d.Radius
		inner[k] = g.s.At(d.At.X+r*way.X, d.At.Y+r*way.Y)
	}
	rim := part.Usual(rims[:])
	d.Colour = part.Usual(inner[:])
	if apart := d.Colour.Distance(rim); apart < leastApart {
		return 0
	}
	on, in := 0, 0
	for k := range rims {
		if rims[k].Distance(rim) < rims[k].Distance(d.Colour) && 2*rims[k].Contrast(g.ground) > g.ink {
			on++
		}
		if inner[k].Distance(d.Colour) < inner[k].Distance(rim) && inner[k].Distance(d.Colour) < leastApart {
			in++
		}
	}
	return float64(min(on, in)) / ringSteps
}

// between tells whether another bulb lies on the way.
func (g *graph) between(i, j int) bool {
	a, b := g.discs[i].At, g.discs[j].At
	dx, dy := b.X-a.X, b.Y-a.Y
	long := math.Hypot(dx, dy)
	for k, d := range g.discs {
		if k == i || k == j {
			continue
		}
		along := ((d.At.X-a.X)*dx + (d.At.Y-a.Y)*dy) / long
		aside := math.Abs((d.At.X-a.X)*dy-(d.At.Y-a.Y)*dx) / long
		if along > 0 && along < long && aside < g.rimOf(k) {
			return true
		}
	}
	return false
}

// drawn is how much of the way between two bulbs is drawn upon.
func (g *graph) drawn(i, j int) float64 {
	a, b := g.discs[i].At, g.discs[j].At
	dx, dy := b.X-a.X, b.Y-a.Y
	long := math.Hypot(dx, dy)
	dx, dy = dx/long, dy/long
	n, hit := 0, 0
	for t := g.rimOf(i) + 1; t < long-g.rimOf(j)-1; t++ {
		n++
		for _, off := range []float64{0, -1, 1, -2, 2} {
			c := g.s.At(a.X+t*dx-off*dy, a.Y+t*dy+off*dx)
			if float64(c.Contrast(g.ground)) >= lineClear*float64(g.ink) {
				hit++
				break
			}
		}
	}
	if n < 2 {
		return 0
	}
	return float64(hit) / float64(n)
}

// board is the outline of the bulbs, with each where its cell (i,0) is.
func (g *graph) board() *vision.Board {
	least, most := g.discs[0].At, g.discs[0].At
	places := map[image.Point]vision.Point{}
	for i, d := range g.discs {
		least = vision.Point{X: min(least.X, d.At.X), Y: min(least.Y, d.At.Y)}
		most = vision.Point{X: max(most.X, d.At.X), Y: max(most.Y, d.At.Y)}
		places[image.Pt(2*i+1, 1)] = d.At
	}
	rim := g.rimOf(0)
	x0, y0, x1, y1 := least.X-rim, least.Y-rim, most.X+rim, most.Y+rim
	b, err := vision.Placed(image.Pt(g.s.W, g.s.H), len(g.discs), 1, [4]vision.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}})
	if err != nil {
		return nil
	}
	b.Places = places
	return b
}

// puzzle makes the board: each switch flips its own bulb and those joined to it.
func (g *graph) puzzle(lit []bool, lines [][2]int, goal int) (*switches.Puzzle, error) {
	spec := switches.Spec{}
	joined := make([]bool, len(lit))
	for i := range lit {
		n := switches.Node{Name: name(i), Kind: switches.Both, Want: goal}
		if lit[i] {
			n.Now = 1
		}
		spec.Nodes = append(spec.Nodes, n)
		spec.Flips = append(spec.Flips, switches.Flip{Switch: i, Bulb: i})
	}
	for _, l := range lines {
		joined[l[0]], joined[l[1]] = true, true
		spec.Flips = append(spec.Flips, switches.Flip{Switch: l[0], Bulb: l[1]}, switches.Flip{Switch: l[1], Bulb: l[0]})
	}
	if i := slices.Index(joined, false); i >= 0 {
		return nil, loose(i, "a bulb that no line comes to")
	}
	p, err := switches.New(spec)
	if err != nil {
		return nil, ofBoard(fmt.Sprintf("a board that is none: %v", err))
	}
	return p, nil
}

// name is a, b, …, z, aa, ab, …
func name(i int) string {
	if i < 26 {
		return string(rune('a' + i))
	}
	return name(i/26-1) + name(i%26)
}

// loose is unsure of a bulb that lines join to others: it has a number, and no place on a grid.
func loose(i int, what string) error {
	return &vision.UnsureError{What: what, At: image.Pt(2*i+1, 1), Loose: true,
		Do: "if its lines run out of the picture, give all of it; where no better picture is to be had, type the lamps, those to flip and their lines, as in a b c / b / a b / b c"}
}
