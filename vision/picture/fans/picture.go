// Package fans draws boards of fans and turbines.
package fans

import (
	"image"
	"image/color"
	"math"

	"onlooker/solve"
	"onlooker/solve/fans"
	"onlooker/vision/picture"
)

// Colours of the pictures.
func ground() color.NRGBA  { return color.NRGBA{34, 44, 50, 255} }
func floor() color.NRGBA   { return color.NRGBA{52, 64, 70, 255} }
func body() color.NRGBA    { return color.NRGBA{190, 200, 205, 255} }
func turbine() color.NRGBA { return color.NRGBA{240, 150, 70, 255} }
func hub() color.NRGBA     { return color.NRGBA{70, 44, 24, 255} }
func wind() color.NRGBA    { return color.NRGBA{120, 200, 235, 110} }
func arrow() color.NRGBA   { return color.NRGBA{40, 140, 215, 255} }
func faint() color.NRGBA   { return color.NRGBA{110, 120, 126, 255} }

// Picture is a board, and with an answer the direction of every fan and its
// wind to the border.
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
		d.Polygon(floor(), picture.Box(at.X-0.95, at.Y-0.95, at.X+0.95, at.Y+0.95)...)
	})
	d.each(func(c image.Point, at picture.Point, ch byte) {
		if dir, ok := blows[c]; ok {
			d.wind(c, dir)
		}
	})
	d.each(func(c image.Point, at picture.Point, ch byte) {
		dir, turned := blows[c]
		switch {
		case ch == 'T':
			d.turbine(at)
		case turned:
			d.Disc(body(), at, 1.5)
			d.arrow(at, dir)
			d.Glyph(arrow(), at, []string{"↑", "→", "↓", "←"}[dir])
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

// arrow points from behind a fan's centre to before it.
func (d *drawing) arrow(at picture.Point, dir fans.Direction) {
	s := dir.Step()
	ux, uy := float64(s.X), float64(s.Y)
	p := func(along, across float64) picture.Point {
		return picture.Point{X: at.X + along*ux - across*uy, Y: at.Y + along*uy + across*ux}
	}
	d.Polygon(arrow(), p(0.68, 0), p(0.05, 0.5), p(0.05, 0.18), p(-0.55, 0.18), p(-0.55, -0.18), p(0.05, -0.18), p(0.05, -0.5))
}

// wind is a pale stripe from a fan to the border.
func (d *drawing) wind(c image.Point, dir fans.Direction) {
	s := dir.Step()
	n := 0
	for at := c.Add(s); at.X >= 0 && at.Y >= 0 && at.X < d.cols && at.Y < d.rows; at = at.Add(s) {
		n++
	}
	if n == 0 {
		return
	}
	from := picture.Point{X: float64(2*c.X + 1), Y: float64(2*c.Y + 1)}
	to := picture.Point{X: from.X + float64(s.X)*(2*float64(n)+0.8), Y: from.Y + float64(s.Y)*(2*float64(n)+0.8)}
	d.Add(picture.Shape{Kind: picture.Line, Colour: wind(), Width: 0.5, Line: picture.Answer, Points: []picture.Point{from, to}, Fine: true})
}
