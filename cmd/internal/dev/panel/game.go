package main

import (
	"cmp"
	"context"
	"image"
	"image/color"
	"image/draw"
	"math"
	"time"

	"onlooker/calibrations"
	"onlooker/solve"
	"onlooker/solve/witness"
	"onlooker/solve/witness/board"
	"onlooker/vision/picture"
	drawing "onlooker/vision/picture/witness"
)

// A verdict is what became of a line.
type verdict uint8

const (
	none verdict = iota
	accepted
	refused
)

// A game shows panels one after another, and is played as The Witness is: a
// click enters solve mode and brings a pointer, a click on a start begins a
// line, relative motion carries its head along the edges, and a click in the
// cap submits it. A right click drops the line, or leaves.
type game struct {
	panels []*board.Panel
	size   image.Point // of the window, in pixels
	style  drawing.Style
	cursor calibrations.Cursor
	judges solve.Referee // of lines

	number   int // of the panel
	bare     *image.RGBA
	corner   picture.Point // where half-cell (0,0) is, in pixels
	half     float64       // pixels of a half-cell
	solving  bool
	pointer  picture.Point
	nodes    []image.Point // of the line, in half-cells; nil: there is none
	way      image.Point   // from the last node on
	along    float64       // how far the head is on that way, in half-cells
	verdict  verdict
	when     time.Time // of the verdict
	accepted int
	refused  int
}

// capReach is how far a head goes into a cap, and lineFactor how much further
// a line's head goes than the pointer by the same motion.
const (
	capReach   = 0.8
	lineFactor = 1.4
)

func newGame(panels []*board.Panel, size image.Point, profile *calibrations.Profile, judges solve.Referee) *game {
	g := &game{panels: panels, size: size, style: drawing.Typical(profile), cursor: profile.Board.Cursor, judges: judges}
	g.show(0)
	return g
}

// show brings a panel on.
func (g *game) show(number int) {
	p := g.panels[number]
	g.number, g.solving, g.nodes, g.verdict = number, false, nil, none
	g.half = float64(g.size.Y) * 0.7 / float64(2*max(p.Cols, p.Rows)+2)
	g.bare = image.NewRGBA(image.Rectangle{Max: g.size})
	for y := range g.size.Y { // a wall lit from above
		v := uint8(90 - 40*y/g.size.Y)
		draw.Draw(g.bare, image.Rect(0, y, g.size.X, y+1), image.NewUniform(color.RGBA{v, v - 4, v - 10, 255}), image.Point{}, draw.Src)
	}
	shapes := drawing.Shapes(p, nil, g.style)
	least, _ := picture.Extent(shapes)
	m := picture.Image(shapes, g.half)
	at := g.size.Sub(m.Rect.Size()).Div(2)
	draw.Draw(g.bare, m.Rect.Add(at), m, image.Point{}, draw.Over)
	g.corner = picture.Point{X: float64(at.X) - least.X*g.half, Y: float64(at.Y) - least.Y*g.half}
}

// place is where a half-cell, or a part of one, is on the window.
func (g *game) place(x, y float64) picture.Point {
	return picture.Point{X: g.corner.X + x*g.half, Y: g.corner.Y + y*g.half}
}

func (g *game) at(node image.Point) picture.Point { return g.place(float64(node.X), float64(node.Y)) }

func (g *game) panel() *board.Panel { return g.panels[g.number] }

// next goes on to the next panel once this one is solved.
func (g *game) next() {
	if g.verdict == accepted && g.number+1 < len(g.panels) {
		g.show(g.number + 1)
	}
}

// open tells whether the line may go on from its last node, or back.
func (g *game) open(way image.Point) bool {
	p, from := g.panel(), g.nodes[len(g.nodes)-1]
	to := from.Add(way.Mul(2))
	if way == p.At(from).Cap {
		return true
	}
	if !p.In(from.Add(way)) || !p.In(to) || p.At(from.Add(way)).Gap != board.Whole || p.At(to).Gap != board.Whole {
		return false
	}
	for i, n := range g.nodes {
		if n == to {
			return i == len(g.nodes)-2
		}
	}
	return true
}

// reach is how far the head's way goes, in half-cells.
func (g *game) reach() float64 {
	if g.way == g.panel().At(g.nodes[len(g.nodes)-1]).Cap {
		return capReach
	}
	return 2
}

// push moves by one frame's motion, in units of the mouse.
func (g *game) push(dx, dy float64) {
	switch {
	case g.verdict != none || !g.solving || dx == 0 && dy == 0:
	case g.nodes == nil:
		g.pointer.X = min(max(g.pointer.X+dx, 0), float64(g.size.X-1))
		g.pointer.Y = min(max(g.pointer.Y+dy, 0), float64(g.size.Y-1))
	default:
		g.carry(dx*lineFactor/g.half, dy*lineFactor/g.half)
	}
}

// carry moves the head by half-cells: along its edge, and at a node into the
// edge that the motion points along most.
func (g *game) carry(x, y float64) {
	// Every round uses up an edge's worth of the motion, or ends.
	for range 4 * (g.panel().Cols + g.panel().Rows) {
		if math.Abs(x)+math.Abs(y) < 1e-9 {
			return
		}
		if g.way == (image.Point{}) && !g.setOut(&x, &y) {
			return
		}
		forward := x*float64(g.way.X) + y*float64(g.way.Y)
		if g.way.X != 0 && g.way.Y != 0 { // a slanting cap: in its half-cells' diagonals
			forward /= 2
		}
		aside := picture.Point{X: x - forward*float64(g.way.X), Y: y - forward*float64(g.way.Y)}
		reach, to := g.reach(), g.along+forward
		switch {
		case to >= 2 && reach == 2: // at the next node, with what is left
			g.nodes = append(g.nodes, g.nodes[len(g.nodes)-1].Add(g.way.Mul(2)))
			x, y = aside.X+(to-2)*float64(g.way.X), aside.Y+(to-2)*float64(g.way.Y)
			g.way, g.along = image.Point{}, 0
		case to <= 0 && forward < 0: // back at the node it came from
			x, y = aside.X+to*float64(g.way.X), aside.Y+to*float64(g.way.Y)
			g.way, g.along = image.Point{}, 0
		default:
			g.along = min(to, reach)
			g.leak(aside, forward)
			return
		}
	}
}

// setOut chooses the way from a node, and turns the motion into it: the way
// that most of the motion goes, else the other with a third of the rest.
func (g *game) setOut(x, y *float64) bool {
	tip := g.panel().At(g.nodes[len(g.nodes)-1]).Cap
	if tip.X != 0 && tip.Y != 0 && *x*float64(tip.X) >= 0 && *y*float64(tip.Y) >= 0 {
		g.way, g.along = tip, 0
		return true
	}
	most, least := image.Pt(cmp.Compare(*x, 0), 0), image.Pt(0, cmp.Compare(*y, 0))
	long, short := math.Abs(*x), math.Abs(*y)
	if short > long {
		most, least, long, short = least, most, short, long
	}
	way := most
	if !g.open(most) {
		if short == 0 || !g.open(least) {
			return false
		}
		way = least
		short += long / 3
		*x, *y = float64(way.X)*short, float64(way.Y)*short
	}
	g.way, g.along = way, 0
	if n := len(g.nodes); n > 1 && g.nodes[n-1].Add(way.Mul(2)) == g.nodes[n-2] {
		g.nodes = g.nodes[:n-1] // back along the line
		g.way, g.along = image.Point{}.Sub(way), 2
	}
	return true
}

// leak lets a push across the edge carry the head towards the nearer node, if
// the line could turn that way there.
func (g *game) leak(aside picture.Point, forward float64) {
	by := math.Hypot(aside.X, aside.Y)
	if by <= math.Abs(forward) || g.reach() != 2 {
		return
	}
	turn := image.Pt(cmp.Compare(aside.X, 0), cmp.Compare(aside.Y, 0))
	if g.along > 1 {
		back := g.nodes
		g.nodes = append(g.nodes[:len(back):len(back)], back[len(back)-1].Add(g.way.Mul(2)))
		if open := g.open(turn); !open || g.along+by/3 < 2 {
			g.nodes = back
			if open {
				g.along += by / 3
			}
			return
		}
		g.way, g.along = image.Point{}, 0
		return
	}
	if g.open(turn) {
		if g.along -= by / 3; g.along <= 0 {
			g.way, g.along = image.Point{}, 0
		}
	}
}

// left is a click with the left button.
func (g *game) left(now time.Time) {
	switch {
	case g.verdict != none:
	case !g.solving:
		g.solving, g.pointer = true, picture.Point{X: float64(g.size.X) / 2, Y: float64(g.size.Y) / 2}
	case g.nodes == nil:
		for at := range g.panel().Points() {
			c := g.at(at)
			if g.panel().At(at).Start && math.Hypot(c.X-g.pointer.X, c.Y-g.pointer.Y) < 2*g.style.Line*g.style.Start*g.half {
				g.nodes, g.way, g.along = []image.Point{at}, image.Point{}, 0
			}
		}
	case g.reach() == capReach && g.along > capReach/4:
		g.judge(now)
	}
}

// judge has the panel's own rules say whether the line is right.
func (g *game) judge(now time.Time) {
	stroke := append(solve.Stroke{}, g.nodes...)
	stroke = append(stroke, g.nodes[len(g.nodes)-1].Add(g.way))
	g.when = now
	if g.judges(context.Background(), witness.Of(g.panel()), solve.Solution{stroke}) == nil {
		g.verdict = accepted
		g.accepted++
	} else {
		g.verdict = refused
		g.refused++
	}
}

// right is a click with the right button.
func (g *game) right() {
	switch {
	case g.verdict != none:
	case g.nodes != nil:
		g.nodes = nil
	default:
		g.solving = false
	}
}

// fading is how long a line that was refused stays.
const fading = 300 * time.Millisecond

// tick ends what takes its time.
func (g *game) tick(now time.Time) {
	if g.verdict == refused && now.Sub(g.when) > fading {
		g.nodes, g.verdict, g.solving = nil, none, false
	}
}

// frame is what the window shows.
func (g *game) frame() *image.RGBA {
	m := image.NewRGBA(g.bare.Rect)
	copy(m.Pix, g.bare.Pix)
	switch {
	case g.nodes != nil:
		width := 2 * g.style.Line * g.half
		c := color.RGBA{240, 246, 230, 255}
		if g.verdict == refused {
			c = color.RGBA{40, 20, 20, 255}
		}
		last := g.at(g.nodes[0])
		stroke(m, last, last, g.style.Start*width, c)
		for _, n := range g.nodes[1:] {
			stroke(m, last, g.at(n), width/2, c)
			last = g.at(n)
		}
		n := g.nodes[len(g.nodes)-1]
		stroke(m, last, g.place(float64(n.X)+g.along*float64(g.way.X), float64(n.Y)+g.along*float64(g.way.Y)), width/2, c)
	case g.solving:
		height := float64(g.size.Y)
		stroke(m, g.pointer, g.pointer, g.cursor.Radius*height, color.RGBA{255, 255, 255, uint8(255 * g.cursor.Alpha)})
	}
	return m
}

// stroke draws a line with round ends and soft edges; the colour's alpha is
// how much of what is below it covers.
func stroke(m *image.RGBA, from, to picture.Point, radius float64, c color.RGBA) {
	area := image.Rect(
		int(min(from.X, to.X)-radius-1), int(min(from.Y, to.Y)-radius-1),
		int(max(from.X, to.X)+radius+2), int(max(from.Y, to.Y)+radius+2)).Intersect(m.Rect)
	dx, dy := to.X-from.X, to.Y-from.Y
	length := dx*dx + dy*dy
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			px, py := float64(x)+0.5-from.X, float64(y)+0.5-from.Y
			if length > 0 {
				t := min(max((px*dx+py*dy)/length, 0), 1)
				px, py = px-t*dx, py-t*dy
			}
			share := min(max(radius+0.5-math.Hypot(px, py), 0), 1) * float64(c.A) / 255
			if share == 0 {
				continue
			}
			i := m.PixOffset(x, y)
			for k, v := range [3]uint8{c.R, c.G, c.B} {
				m.Pix[i+k] = uint8(math.Round(float64(m.Pix[i+k])*(1-share) + float64(v)*share))
			}
		}
	}
}
