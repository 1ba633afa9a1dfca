// Package switches draws boards of switches and bulbs.
package switches

import (
	"image"
	"image/color"
	"math"

	"onlooker/solve"
	"onlooker/solve/switches"
	"onlooker/vision/picture"
)

// Colours of the pictures.
func ground() color.NRGBA   { return color.NRGBA{38, 44, 56, 255} }
func plate() color.NRGBA    { return color.NRGBA{60, 68, 84, 255} }
func dark() color.NRGBA     { return color.NRGBA{24, 28, 36, 255} }
func lit() color.NRGBA      { return color.NRGBA{255, 214, 92, 255} }
func rim() color.NRGBA      { return color.NRGBA{120, 130, 150, 255} }
func ink() color.NRGBA      { return color.NRGBA{235, 238, 245, 255} }
func link() color.NRGBA     { return color.NRGBA{110, 170, 220, 255} }
func answered() color.NRGBA { return color.NRGBA{255, 110, 80, 255} }

// Picture is a board, and a ring round every switch that the answer flips,
// with a number where it is flipped more than once. A bulb that is not wanted
// lit (in state 1) has a small disc of the wanted state in its corner. A plain
// graph of up to 8 nodes is a row with its lines as arcs above it; a larger one
// stands in rows, as many as columns, since one row could not be looked over.
// Lines have an arrow where they go one way; a terminal leaves them out.
func Picture(puzzle solve.Puzzle, answer solve.Solution) []picture.Shape {
	p, ok := puzzle.(*switches.Puzzle)
	if !ok {
		return nil
	}
	d := newDrawing(p)
	for i, n := range d.spec.Nodes {
		d.mixed = d.mixed || d.bulbIn(i) && n.Want != d.spec.Nodes[d.firstBulb()].Want
	}
	links := p.Links()
	d.board(links)
	flips := map[image.Point]int{}
	for _, stroke := range answer {
		if len(stroke) > 0 {
			flips[stroke[0]]++
		}
	}
	for i := range d.spec.Nodes {
		d.node(i, flips[d.click(i)])
	}
	d.links(links)
	return d.Shapes
}

// Place is where a half-cell of a puzzle's strokes lies in its picture: the
// nodes of a large plain graph stand in several rows there.
func Place(puzzle solve.Puzzle, at image.Point) picture.Point {
	p, ok := puzzle.(*switches.Puzzle)
	if !ok {
		return picture.Point{X: float64(at.X), Y: float64(at.Y)}
	}
	d := newDrawing(p)
	if i := at.X / 2; d.spec.Rows == 0 && 0 <= i && i < len(d.spec.Nodes) {
		return d.centre(i)
	}
	return picture.Point{X: float64(at.X), Y: float64(at.Y)}
}

// inOneRow is how many nodes of a plain graph stand in one row: 8 with their
// names are 64 columns of a terminal.
const inOneRow = 8

// small is how high words are in pictures only.
const small = 0.45

func newDrawing(p *switches.Puzzle) drawing {
	d := drawing{spec: p.Spec()}
	d.cols, d.pitch = d.spec.Cols, 2
	if n := len(d.spec.Nodes); d.spec.Rows == 0 {
		d.cols = max(1, n)
		if n > inOneRow {
			d.cols, d.pitch = int(math.Ceil(math.Sqrt(float64(n)))), 4
		}
	}
	return d
}

type drawing struct {
	picture.Drawing
	spec  switches.Spec
	cols  int
	pitch int  // from row to row in half-cells: room for names below
	mixed bool // not all bulbs are wanted in the same state
}

func (d *drawing) bulbIn(i int) bool {
	k := d.spec.Nodes[i].Kind
	return k == switches.Both || k == switches.Lamp
}

func (d *drawing) firstBulb() int {
	for i := range d.spec.Nodes {
		if d.bulbIn(i) {
			return i
		}
	}
	return 0
}

// click is the half-cell of a node's strokes.
func (d *drawing) click(i int) image.Point {
	if d.spec.Rows == 0 {
		return image.Pt(2*i+1, 1)
	}
	return image.Pt(2*(i%d.cols)+1, 2*(i/d.cols)+1)
}

func (d *drawing) centre(i int) picture.Point {
	return picture.Point{X: float64(2*(i%d.cols) + 1), Y: float64(d.pitch*(i/d.cols) + 1)}
}

// inRow tells whether the board is a plain graph in one row.
func (d *drawing) inRow() bool { return d.spec.Rows == 0 && len(d.spec.Nodes) <= inOneRow }

// arc is how high a line over that many cells rises, in half-cells: by the
// logarithm, so that a long row stays a row.
func arc(cells int) float64 { return 0.6 + 0.8*math.Log2(float64(cells)+1) }

func (d *drawing) board(links []switches.Flip) {
	top, bottom := -0.4, float64(2*max(1, d.spec.Rows))+0.4
	if d.spec.Rows == 0 {
		// 0.8 for the names of the last row.
		bottom = float64(d.pitch*(max(0, len(d.spec.Nodes)-1)/d.cols)) + 2 + 0.4 + 0.8
	}
	if d.inRow() {
		for _, l := range links {
			top = min(top, -arc(abs(l.Switch-l.Bulb)))
		}
	}
	d.Polygon(ground(), picture.Box(-0.4, top, float64(2*d.cols)+0.4, bottom)...)
}

func (d *drawing) links(links []switches.Flip) {
	plain := d.inRow()
	both := map[switches.Flip]bool{}
	for _, l := range links {
		both[l] = true
	}
	for _, l := range links {
		twoWay := both[switches.Flip{Switch: l.Bulb, Bulb: l.Switch}]
		switch {
		case twoWay && l.Switch > l.Bulb:
		case l.Switch == l.Bulb:
			c := d.centre(l.Switch)
			d.Text(ink(), picture.Point{X: c.X - 0.6, Y: c.Y - 0.62}, small, "+1")
		default:
			d.link(l, plain, twoWay)
		}
	}
}

// link draws a line from a switch to a bulb, a curve of 24 legs.
func (d *drawing) link(l switches.Flip, plain, twoWay bool) {
	a, b := d.centre(l.Switch), d.centre(l.Bulb)
	dx, dy := b.X-a.X, b.Y-a.Y
	long := math.Hypot(dx, dy)
	// A bow to the left of its way, so that there and back are two curves; in
	// a plain graph always up.
	bow := 0.25 * long
	nx, ny := dy/long, -dx/long
	if twoWay && dy == 0 && long == 2 {
		bow = 0 // neighbours; below one another there is a name between
	}
	if plain {
		a.Y, b.Y = a.Y-0.7, b.Y-0.7
		bow, nx, ny = arc(abs(l.Switch-l.Bulb)), 0, -1
	}
	var points []picture.Point
	const legs = 24
	for i := 0; i <= legs; i++ {
		t := float64(i) / legs
		h := 4 * t * (1 - t) * bow
		points = append(points, picture.Point{X: a.X + dx*t + nx*h, Y: a.Y + (b.Y-a.Y)*t + ny*h})
	}
	if !plain {
		// From rim to rim: 0.8, just outside a ring.
		near := func(p picture.Point, of picture.Point) bool { return math.Hypot(p.X-of.X, p.Y-of.Y) < 0.8 }
		for len(points) > 2 && near(points[1], a) {
			points = points[1:]
		}
		for len(points) > 2 && near(points[len(points)-2], b) {
			points = points[:len(points)-1]
		}
	}
	d.Line(link(), 0.08, points...)
	if !twoWay {
		tip, from := points[len(points)-1], points[len(points)-2]
		w := math.Hypot(tip.X-from.X, tip.Y-from.Y)
		ux, uy := (tip.X-from.X)/w, (tip.Y-from.Y)/w
		d.Polygon(link(), tip,
			picture.Point{X: tip.X - 0.35*ux + 0.16*uy, Y: tip.Y - 0.35*uy - 0.16*ux}, picture.Point{X: tip.X - 0.35*ux - 0.16*uy, Y: tip.Y - 0.35*uy + 0.16*ux})
	}
}

// bulb is the colour of a bulb that is dark or lit.
func bulb(state int) color.NRGBA {
	if state == 1 {
		return lit()
	}
	return dark()
}

func (d *drawing) node(i, flips int) {
	n, c := d.spec.Nodes[i], d.centre(i)
	if n.Kind == switches.Hole {
		return
	}
	isBulb := n.Kind != switches.Button
	if n.Kind != switches.Lamp {
		d.Polygon(plate(), picture.Box(c.X-0.9, c.Y-0.9, c.X+0.9, c.Y+0.9)...)
	}
	word := "□"
	if isBulb {
		d.Disc(rim(), c, 1.3)
		d.Disc(bulb(n.Now), c, 1.15)
		word = []string{"○", "●"}[n.Now]
	} else {
		d.Polygon(rim(), picture.Box(c.X-0.4, c.Y-0.4, c.X+0.4, c.Y+0.4)...)
	}
	if isBulb && d.mixed {
		word += "→" + []string{"○", "●"}[n.Want]
	}
	if flips > 0 {
		var ring []picture.Point
		for k := range 33 {
			sin, cos := math.Sincos(float64(k) * math.Pi / 16)
			ring = append(ring, picture.Point{X: c.X + 0.78*cos, Y: c.Y + 0.78*sin})
		}
		d.Add(picture.Shape{Kind: picture.Line, Colour: answered(), Width: 0.16, Line: picture.Answer, Fine: true, Points: ring})
		word = "[" + word + "]"
	}
	if isBulb && (n.Want != 1 || d.mixed) {
		at := picture.Point{X: c.X + 0.62, Y: c.Y + 0.62}
		d.Disc(ink(), at, 0.5)
		d.Disc(bulb(n.Want), at, 0.4)
	}
	shade := rim()
	switch {
	case flips > 0:
		shade = answered()
	case isBulb && n.Now > 0:
		shade = lit()
	}
	d.Glyph(shade, c, word)
	if d.spec.Rows == 0 {
		name := []rune(n.Name)
		below := picture.Point{X: c.X, Y: c.Y + 1.4}
		// 0.6: a letter's width in heights; the name shall fit its cell.
		d.Text(ink(), below, min(0.7, 1.8/(0.6*float64(len(name)))), n.Name)
		if len(name) > 7 { // two half-cells of 4 characters, and a blank
			name = append(name[:6:6], '…')
		}
		d.Glyph(ink(), below, string(name))
	}
}

func abs(n int) int { return max(n, -n) }
