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
)

// How lines between bulbs are told. On the boards of the shared screens a line
// is there along 0.99 of its way or more, and by chance along 0.6 at the most.
const (
	lineThere  = 0.95
	lineGone   = 0.75
	lineClear  = 0.35 // of the contrast of the bulbs' rims: what counts as line
	leastBulbs = 4
	sameRow    = 0.34 // of a bulb's radius: names go by rows, and mean nothing
)

// A graph is bulbs joined by lines, on its way.
type graph struct {
	s      *grid.Scene
	discs  []grid.Disc
	rim    float64 // radius of a bulb with its rim
	ground grid.Colour
	ink    int // the contrast of what is drawn
}

// scanBulbs reads bulbs that are joined by lines; false where there are none.
func scanBulbs(s *grid.Scene, contrast int, looks []*calibrations.Profile) (grid.Reading, bool) {
	g := &graph{s: s, discs: s.Discs(contrast)}
	if len(g.discs) < leastBulbs || len(g.discs) > 400 || !g.measure() {
		return grid.Reading{}, false
	}
	g.order()
	lines, err := g.lines()
	if len(lines) < len(g.discs)-1 {
		return grid.Reading{}, false
	}
	out := grid.Reading{Board: g.board(), Err: err}
	if out.Board == nil {
		return out, false
	}
	if err == nil {
		bulbs := make([]grid.Colour, len(g.discs))
		for i, d := range g.discs {
			bulbs[i] = d.Colour
		}
		look, lit := lookOf(bulbs, looks)
		if look == nil {
			var at int
			var why string
			if lit, at, why = brighterOf(bulbs, false); why != "" {
				err = unsure(image.Pt(at, 0), why)
			}
		}
		if err == nil {
			out.Puzzle, err = g.puzzle(lit, lines, goalOf(look, looks))
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
	corner := []grid.Colour{}
	for _, d := range g.discs {
		for k := range 8 {
			sin, cos := math.Sincos(math.Pi * (float64(k) + 0.5) / 4)
			corner = append(corner, g.s.At(d.At.X+2.2*d.Radius*cos, d.At.Y+2.2*d.Radius*sin))
		}
	}
	g.ground = grid.Usual(corner)
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
			reach = append(reach, far)
		}
	}
	g.rim = vision.Median(reach) + 1
	return g.ink >= 60
}

// order puts the bulbs into reading order: rows by their middles.
func (g *graph) order() {
	slices.SortFunc(g.discs, func(a, b grid.Disc) int { return cmp.Compare(a.At.Y, b.At.Y) })
	for first := 0; first < len(g.discs); {
		last := first + 1
		for last < len(g.discs) && g.discs[last].At.Y-g.discs[last-1].At.Y <= sameRow*g.discs[0].Radius {
			last++
		}
		slices.SortFunc(g.discs[first:last], func(a, b grid.Disc) int { return cmp.Compare(a.At.X, b.At.X) })
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
			switch f := g.drawn(g.discs[i].At, g.discs[j].At); {
			case f >= lineThere:
				out = append(out, [2]int{i, j})
			case f > lineGone:
				doubt = unsure(image.Pt(i, 0), fmt.Sprintf("a line between the bulbs %d and %d, or none: %.2f of it is there", i+1, j+1, f))
			}
		}
	}
	ends := make([]int, len(g.discs))
	for _, l := range out {
		ends[l[0]]++
		ends[l[1]]++
	}
	for i := range g.discs {
		if n := g.stubs(i); n != ends[i] && doubt == nil {
			doubt = unsure(image.Pt(i, 0), fmt.Sprintf("a bulb from which %d lines go and %d arrive at others", n, ends[i]))
		}
	}
	return out, doubt
}

// stubs counts the lines that leave a bulb.
func (g *graph) stubs(i int) int {
	const steps = 180
	n, was := 0, false
	d := g.discs[i]
	for k := range 2 * steps {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / steps)
		least := 255
		for _, r := range []float64{g.rim + 2, g.rim + 3, g.rim + 4} {
			least = min(least, g.s.At(d.At.X+r*cos, d.At.Y+r*sin).Contrast(g.ground))
		}
		on := float64(least) >= lineClear*float64(g.ink)
		if k >= steps && on && !was {
			n++
		}
		was = on
	}
	return n
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
		if along > 0 && along < long && aside < g.rim {
			return true
		}
	}
	return false
}

// drawn is how much of the way between two places is drawn upon.
func (g *graph) drawn(a, b vision.Point) float64 {
	dx, dy := b.X-a.X, b.Y-a.Y
	long := math.Hypot(dx, dy)
	dx, dy = dx/long, dy/long
	n, hit := 0, 0
	for t := g.rim + 1; t < long-g.rim-1; t++ {
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
	x0, y0, x1, y1 := least.X-g.rim, least.Y-g.rim, most.X+g.rim, most.Y+g.rim
	b, err := vision.Placed(image.Pt(g.s.W, g.s.H), len(g.discs), 1, [4]vision.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}})
	if err != nil {
		return nil
	}
	b.Places = places
	return b
}

// puzzle makes the board: each switch flips its own bulb and those joined to it.
func (g *graph) puzzle(lit []bool, lines [][2]int, goal int) (*switches.Puzzle, error) {
	spec := switches.Spec{States: 2}
	joined := make([]bool, len(lit))
	for i := range lit {
		n := switches.Node{Name: name(i), Kind: switches.Both, Want: goal}
		if lit[i] {
			n.Now = 1
		}
		spec.Nodes = append(spec.Nodes, n)
		spec.Flips = append(spec.Flips, switches.Flip{Switch: i, Bulb: i, By: 1})
	}
	for _, l := range lines {
		joined[l[0]], joined[l[1]] = true, true
		spec.Flips = append(spec.Flips, switches.Flip{Switch: l[0], Bulb: l[1], By: 1}, switches.Flip{Switch: l[1], Bulb: l[0], By: 1})
	}
	if i := slices.Index(joined, false); i >= 0 {
		return nil, unsure(image.Pt(i, 0), "a bulb that no line comes to")
	}
	p, err := switches.New(spec)
	if err != nil {
		return nil, unsure(image.Point{}, fmt.Sprintf("a board that is none: %v", err))
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
