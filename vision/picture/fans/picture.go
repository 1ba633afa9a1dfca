// Package fans draws boards of fans and turbines.
package fans

import (
	"image"
	"image/color"
	"math"
	"strings"

	"onlooker/solve"
	"onlooker/solve/fans"
	"onlooker/vision/picture"
)

// Colours of the pictures.
func ground() color.NRGBA  { return color.NRGBA{34, 44, 50, 255} }
func floor() color.NRGBA   { return color.NRGBA{52, 64, 70, 255} }
func stone() color.NRGBA   { return color.NRGBA{128, 112, 92, 255} }
func body() color.NRGBA    { return color.NRGBA{190, 200, 205, 255} }
func bolted() color.NRGBA  { return color.NRGBA{120, 130, 136, 255} }
func turbine() color.NRGBA { return color.NRGBA{240, 150, 70, 255} }
func hub() color.NRGBA     { return color.NRGBA{70, 44, 24, 255} }
func wind() color.NRGBA    { return color.NRGBA{120, 200, 235, 110} }
func arrow() color.NRGBA   { return color.NRGBA{40, 140, 215, 255} }
func faint() color.NRGBA   { return color.NRGBA{110, 120, 126, 255} }

// Picture is a board, and with an answer the direction of every fan and its
// wind as far as it blows. Grey fans cannot be turned. The small arrow of a
// fan that blows somewhere at present gives way to that of the answer.
func Picture(puzzle solve.Puzzle, answer solve.Solution) []picture.Shape {
	p, ok := puzzle.(*fans.Puzzle)
	if !ok {
		return nil
	}
	d := drawing{p: p}
	d.cols, d.rows = p.Size()
	blows := map[image.Point]fans.Direction{}
	for _, stroke := range answer {
		if len(stroke) != 2 {
			continue
		}
		for dir := fans.North; dir <= fans.West; dir++ {
			if stroke[1] == stroke[0].Add(dir.Step().Mul(2)) {
				blows[image.Pt(stroke[0].X/2, stroke[0].Y/2)] = dir
			}
		}
	}
	w, h := float64(2*d.cols), float64(2*d.rows)
	d.Polygon(ground(), picture.Box(-0.4, -0.4, w+0.4, h+0.4)...)
	d.each(func(c image.Point, at picture.Point, ch byte) {
		if ch == '#' {
			d.Polygon(stone(), picture.Box(at.X-1, at.Y-1, at.X+1, at.Y+1)...)
			d.Glyph(stone(), at, "███")
			return
		}
		d.Polygon(floor(), picture.Box(at.X-0.95, at.Y-0.95, at.X+0.95, at.Y+0.95)...)
	})
	d.each(func(c image.Point, at picture.Point, ch byte) {
		if dir, ok := blows[c]; ok {
			d.wind(c, dir)
		} else if i := strings.IndexByte("NESW", ch); i >= 0 && answer != nil {
			d.wind(c, fans.Direction(i))
		}
	})
	d.each(func(c image.Point, at picture.Point, ch byte) {
		dir, turned := blows[c]
		fixed, present := strings.IndexByte("NESW", ch), strings.IndexByte("^>v<", ch)
		switch {
		case ch == '#':
		case ch == 'T':
			d.turbine(at)
		case fixed >= 0:
			d.Disc(bolted(), at, 1.5)
			d.arrow(hub(), at, fans.Direction(fixed), 1)
			d.Glyph(bolted(), at, []string{"⇑", "⇒", "⇓", "⇐"}[fixed])
		case turned:
			d.Disc(body(), at, 1.5)
			d.arrow(arrow(), at, dir, 1)
			d.Glyph(arrow(), at, []string{"↑", "→", "↓", "←"}[dir])
		case present >= 0:
			d.Disc(body(), at, 1.5)
			d.arrow(faint(), at, fans.Direction(present), 0.7)
			d.Glyph(body(), at, string(ch))
		case ch == 'F':
			d.Disc(body(), at, 1.5)
			d.Disc(faint(), at, 0.5)
			d.Glyph(body(), at, "F")
		default:
			d.Glyph(faint(), at, "·")
		}
	})
	return d.Shapes
}

type drawing struct {
	picture.Drawing
	p          *fans.Puzzle
	cols, rows int
}

func (d *drawing) each(f func(c image.Point, at picture.Point, ch byte)) {
	for r := range d.rows {
		for c := range d.cols {
			f(image.Pt(c, r), picture.Point{X: float64(2*c + 1), Y: float64(2*r + 1)}, d.p.Cell(c, r))
		}
	}
}

// turbine is a wheel of three blades.
func (d *drawing) turbine(at picture.Point) {
	for blade := range 3 {
		var points []picture.Point
		// A third of the wheel less a gap, in legs of 10 degrees, and back to
		// the hub.
		for leg := range 9 {
			sin, cos := math.Sincos((float64(120*blade) + float64(10*leg)) * math.Pi / 180)
			points = append(points, picture.Point{X: at.X + 0.7*cos, Y: at.Y + 0.7*sin})
		}
		d.Polygon(turbine(), append(points, at)...)
	}
	d.Disc(hub(), at, 0.35)
	d.Glyph(turbine(), at, "T")
}

// arrow points from behind a fan's centre to before it; size 1 fills a fan.
func (d *drawing) arrow(ink color.NRGBA, at picture.Point, dir fans.Direction, size float64) {
	s := dir.Step()
	ux, uy := size*float64(s.X), size*float64(s.Y)
	p := func(along, across float64) picture.Point {
		return picture.Point{X: at.X + along*ux - across*uy, Y: at.Y + along*uy + across*ux}
	}
	d.Polygon(ink, p(0.68, 0), p(0.05, 0.5), p(0.05, 0.18), p(-0.55, 0.18), p(-0.55, -0.18), p(0.05, -0.18), p(0.05, -0.5))
}

// wind is a pale stripe from a fan to where it stops.
func (d *drawing) wind(c image.Point, dir fans.Direction) {
	s := dir.Step()
	n := 0
	for at := c.Add(s); at.X >= 0 && at.Y >= 0 && at.X < d.cols && at.Y < d.rows && d.p.Cell(at.X, at.Y) != '#'; at = at.Add(s) {
		n++
	}
	if n == 0 {
		return
	}
	from := picture.Point{X: float64(2*c.X + 1), Y: float64(2*c.Y + 1)}
	to := picture.Point{X: from.X + float64(s.X)*(2*float64(n)+0.8), Y: from.Y + float64(s.Y)*(2*float64(n)+0.8)}
	d.Add(picture.Shape{Kind: picture.Line, Colour: wind(), Width: 0.5, Line: picture.Answer, Points: []picture.Point{from, to}, Fine: true})
}
