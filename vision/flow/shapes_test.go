package flow

import (
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/fogleman/gg"

	"onlooker/solve/flow"
	"onlooker/solve/solvetest"
	"onlooker/vision/grid"
)

const pitch = 60

// page is a black page for a board of lines.
func page() *gg.Context {
	c := gg.NewContext(520, 520)
	c.SetColor(color.Black)
	c.Clear()
	return c
}

func ink(pair int) color.NRGBA {
	return []color.NRGBA{{255, 0, 0, 255}, {0, 140, 0, 255}, {0, 0, 255, 255}, {235, 235, 0, 255}}[pair]
}

// stroke draws a line in a grey.
func stroke(c *gg.Context, width float64, grey uint8, x0, y0, x1, y1 float64) {
	c.SetColor(color.Gray{grey})
	c.SetLineWidth(width)
	c.DrawLine(x0, y0, x1, y1)
	c.Stroke()
}

// squares draws 5×5 cells with pairs of ends.
func squares(c *gg.Context, pairs [][2]image.Point) {
	for i := range 6 {
		at := 100 + pitch*float64(i)
		stroke(c, 2, 110, at, 100, at, 400)
		stroke(c, 2, 110, 100, at, 400, at)
	}
	for i, p := range pairs {
		for _, e := range p {
			c.SetColor(ink(i))
			c.DrawCircle(100+pitch*(float64(e.X)+0.5), 100+pitch*(float64(e.Y)+0.5), 0.34*pitch)
			c.Fill()
		}
	}
}

func read(t *testing.T, c *gg.Context) string {
	t.Helper()
	list := Scan(grid.NewScene(c.Image()), grid.Contrasts()[0], nil)
	if len(list) != 1 || list[0].Err != nil {
		t.Fatalf("got %v, want one board", list)
	}
	text := solvetest.Must(list[0].Puzzle.MarshalText())(t)
	return string(text)
}

// TestHexagons reads a board of hexagons with a hole.
func TestHexagons(t *testing.T) {
	c := page()
	b := flow.NewBuilder(flow.Hex, 4, 3)
	b.Hole(image.Pt(0, 2))
	pairs := [][2]image.Point{{{X: 0, Y: 0}, {X: 2, Y: 1}}, {{X: 1, Y: 0}, {X: 3, Y: 2}}}
	side := pitch / math.Sqrt(3)
	centre := func(p image.Point) (x, y float64) {
		return 120 + 1.5*side*float64(p.X), 140 + pitch*(float64(p.Y)-0.5*float64(p.X&1))
	}
	for col := range 4 {
		for row := range 3 {
			if p := image.Pt(col, row); p != image.Pt(0, 2) {
				x, y := centre(p)
				c.DrawRegularPolygon(6, x, y, side, 0)
				c.SetColor(color.Gray{120})
				c.SetLineWidth(2)
				c.Stroke()
			}
		}
	}
	for i, p := range pairs {
		b.Pair(p[0], p[1])
		for _, e := range p {
			x, y := centre(e)
			c.SetColor(ink(i))
			c.DrawCircle(x, y, 0.32*pitch)
			c.Fill()
		}
	}
	reads(t, c, b)
}

// TestBridge reads a bridge, drawn as two lanes, and a wall.
func TestBridge(t *testing.T) {
	c := page()
	pairs := [][2]image.Point{{{X: 0, Y: 2}, {X: 4, Y: 2}}, {{X: 2, Y: 0}, {X: 2, Y: 4}}, {{X: 0, Y: 0}, {X: 1, Y: 1}}}
	squares(c, pairs)
	for _, y := range []float64{0.3, 0.7} {
		stroke(c, 4, 220, 100+pitch*2.04, 100+pitch*(2+y), 100+pitch*2.96, 100+pitch*(2+y))
	}
	stroke(c, 8, 230, 100+pitch*3, 100+pitch*3, 100+pitch*3, 100+pitch*4)
	b := flow.NewBuilder(flow.Square, 5, 5).Bridge(image.Pt(2, 2)).Wall(image.Pt(2, 3), image.Pt(3, 3))
	for _, p := range pairs {
		b.Pair(p[0], p[1])
	}
	reads(t, c, b)
}

// TestWarp reads a board whose outline is open on both sides of one row.
func TestWarp(t *testing.T) {
	c := page()
	pairs := [][2]image.Point{{{X: 0, Y: 0}, {X: 3, Y: 4}}, {{X: 1, Y: 2}, {X: 3, Y: 2}}}
	squares(c, pairs)
	for i := range 5 {
		a, z := 100+pitch*float64(i), 100+pitch*float64(i+1)
		stroke(c, 8, 230, a, 100, z, 100)
		stroke(c, 8, 230, a, 400, z, 400)
		for _, x := range []float64{100, 400} {
			if i != 2 {
				stroke(c, 8, 230, x, a, x, z)
				continue
			}
			stroke(c, 6, 0, x, a+8, x, z-8)
			out := math.Copysign(30, x-250)
			stroke(c, 8, 230, x, a, x+out, a)
			stroke(c, 8, 230, x, z, x+out, z)
		}
	}
	b := flow.NewBuilder(flow.Square, 5, 5).Torus()
	for i := range 5 {
		b.Wall(image.Pt(i, 0), image.Pt(i, 4))
		if i != 2 {
			b.Wall(image.Pt(0, i), image.Pt(4, i))
		}
	}
	for _, p := range pairs {
		b.Pair(p[0], p[1])
	}
	reads(t, c, b)
}

// reads wants the board of a picture read as the builder has it.
func reads(t *testing.T, c *gg.Context, b *flow.Builder) {
	t.Helper()
	want := solvetest.Must(b.Puzzle())(t)
	text, _ := want.MarshalText()
	if got := read(t, c); got != string(text) {
		t.Errorf("got\n%swant\n%s", got, text)
	}
}
