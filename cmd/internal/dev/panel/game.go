package main

import (
	"context"
	"image"
	"image/color"
	"image/draw"
	"math"
	"time"

	"onlooker/calibrations"
	"onlooker/cmd/internal/agent/agenttest/line"
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

	number    int // of the panel
	bare      *image.RGBA
	corner    picture.Point // where half-cell (0,0) is, in pixels
	half      float64       // pixels of a half-cell
	solving   bool
	pointer   picture.Point
	line.Line // in half-cells
	verdict   verdict
	when      time.Time // of the verdict
	accepted  int
	refused   int
}

// lineFactor is how much further a line's head goes than the pointer by the same motion.
const lineFactor = 1.4

func newGame(panels []*board.Panel, size image.Point, profile *calibrations.Profile, judges solve.Referee) *game {
	g := &game{panels: panels, size: size, style: drawing.Typical(profile), cursor: profile.Board.Cursor, judges: judges}
	g.Line = line.Line{Edge: 2, Open: g.open, Cap: func(n image.Point) image.Point { return g.panel().At(n).Cap }}
	g.show(0)
	return g
}

// show brings a panel on.
func (g *game) show(number int) {
	p := g.panels[number]
	g.number, g.solving, g.Nodes, g.verdict = number, false, nil, none
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

// open tells whether an edge leads on from a node.
func (g *game) open(from, way image.Point) bool {
	p, to := g.panel(), from.Add(way.Mul(2))
	return p.In(from.Add(way)) && p.In(to) && p.At(from.Add(way)).Gap == board.Whole && p.At(to).Gap == board.Whole
}

// push moves by one frame's motion, in units of the mouse.
func (g *game) push(dx, dy float64) {
	switch {
	case g.verdict != none || !g.solving || dx == 0 && dy == 0:
	case g.Nodes == nil:
		g.pointer.X = min(max(g.pointer.X+dx, 0), float64(g.size.X-1))
		g.pointer.Y = min(max(g.pointer.Y+dy, 0), float64(g.size.Y-1))
	default:
		g.Slide(dx*lineFactor/g.half, dy*lineFactor/g.half)
	}
}

// left is a click with the left button.
func (g *game) left(now time.Time) {
	switch {
	case g.verdict != none:
	case !g.solving:
		g.solving, g.pointer = true, picture.Point{X: float64(g.size.X) / 2, Y: float64(g.size.Y) / 2}
	case g.Nodes == nil:
		for at := range g.panel().Points() {
			c := g.at(at)
			if g.panel().At(at).Start && math.Hypot(c.X-g.pointer.X, c.Y-g.pointer.Y) < 2*g.style.Line*g.style.Start*g.half {
				g.Nodes, g.Dir, g.Along = []image.Point{at}, image.Point{}, 0
			}
		}
	case g.InCap() && g.Along > 0.2:
		g.judge(now)
	}
}

// judge has the panel's own rules say whether the line is right.
func (g *game) judge(now time.Time) {
	stroke := append(solve.Stroke{}, g.Nodes...)
	stroke = append(stroke, g.Last().Add(g.Dir))
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
	case g.Nodes != nil:
		g.Nodes = nil
	default:
		g.solving = false
	}
}

// fading is how long a line that was refused stays.
const fading = 300 * time.Millisecond

// tick ends what takes its time.
func (g *game) tick(now time.Time) {
	if g.verdict == refused && now.Sub(g.when) > fading {
		g.Nodes, g.verdict, g.solving = nil, none, false
	}
}

// frame is what the window shows.
func (g *game) frame() *image.RGBA {
	m := image.NewRGBA(g.bare.Rect)
	copy(m.Pix, g.bare.Pix)
	switch {
	case g.Nodes != nil:
		width := 2 * g.style.Line * g.half
		c := color.RGBA{240, 246, 230, 255}
		if g.verdict == refused {
			c = color.RGBA{40, 20, 20, 255}
		}
		g.Draw(m, g.place, width/2, g.style.Start*width, c)
	case g.solving:
		height := float64(g.size.Y)
		line.Paint(m, g.pointer, g.pointer, g.cursor.Radius*height, color.RGBA{255, 255, 255, uint8(255 * g.cursor.Alpha)})
	}
	return m
}
