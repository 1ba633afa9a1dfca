// Package alcazar draws boards of Alcazar.
package alcazar

import (
	"image"
	"image/color"
	"math"

	"onlooker/solve"
	"onlooker/solve/alcazar"
	"onlooker/vision/picture"
)

// Colours of the pictures.
func ground() color.NRGBA { return color.NRGBA{244, 238, 224, 255} }
func tile() color.NRGBA   { return color.NRGBA{226, 214, 190, 255} }
func wall() color.NRGBA   { return color.NRGBA{70, 48, 36, 255} }
func given() color.NRGBA  { return color.NRGBA{150, 120, 90, 255} }
func path() color.NRGBA   { return color.NRGBA{200, 40, 50, 255} }
func gate() color.NRGBA   { return color.NRGBA{90, 140, 80, 255} }

// Picture is a board: its walls, the openings in its border, the pieces of the
// line that are given; and the line, if there is an answer, with an arrow
// where it leaves.
func Picture(puzzle solve.Puzzle, answer solve.Solution) []picture.Shape {
	p, ok := puzzle.(*alcazar.Puzzle)
	if !ok {
		return nil
	}
	d := drawing{p: p}
	d.cols, d.rows = p.Size()
	d.board()
	for _, stroke := range answer {
		d.path(stroke)
	}
	return d.Shapes
}

type drawing struct {
	picture.Drawing
	p          *alcazar.Puzzle
	cols, rows int
}

func pt(p image.Point) picture.Point { return picture.Point{X: float64(p.X), Y: float64(p.Y)} }

// outward is the way out of the board at a place on its border; zero within.
func (d *drawing) outward(at image.Point) image.Point {
	switch {
	case at.X == 0:
		return image.Pt(-1, 0)
	case at.Y == 0:
		return image.Pt(0, -1)
	case at.X == 2*d.cols:
		return image.Pt(1, 0)
	case at.Y == 2*d.rows:
		return image.Pt(0, 1)
	}
	return image.Point{}
}

func (d *drawing) board() {
	w, h := float64(2*d.cols), float64(2*d.rows)
	// 1.6: the line ends one half-cell out, and its arrow another half.
	d.Polygon(ground(), picture.Box(-1.6, -1.6, w+1.6, h+1.6)...)
	for r := range d.rows {
		for c := range d.cols {
			x, y := float64(2*c+1), float64(2*r+1)
			d.Polygon(tile(), picture.Box(x-0.9, y-0.9, x+0.9, y+0.9)...)
		}
	}
	for k := range (2*d.rows + 1) * (2*d.cols + 1) {
		at := image.Pt(k%(2*d.cols+1), k/(2*d.cols+1))
		if (at.X+at.Y)%2 == 0 {
			continue // a cell or a corner
		}
		c := pt(at)
		// Along the wall that could stand here, and across it.
		along := picture.Point{X: 1}
		if at.Y%2 == 1 {
			along = picture.Point{Y: 1}
		}
		switch {
		case !d.p.Open(at):
			d.Add(picture.Shape{Kind: picture.Line, Colour: wall(), Width: 0.26,
				Points: []picture.Point{{X: c.X - along.X, Y: c.Y - along.Y}, {X: c.X + along.X, Y: c.Y + along.Y}}})
			for _, end := range []float64{-1, 1} { // so that corners are whole
				d.Disc(wall(), picture.Point{X: c.X + end*along.X, Y: c.Y + end*along.Y}, 0.26)
			}
		case d.outward(at) != image.Point{}:
			out := d.outward(at)
			o := picture.Point{X: float64(out.X), Y: float64(out.Y)}
			// A small gate outside the opening.
			d.Polygon(gate(), picture.Point{X: c.X + 0.3*o.X, Y: c.Y + 0.3*o.Y},
				picture.Point{X: c.X + 0.75*o.X + 0.3*along.X, Y: c.Y + 0.75*o.Y + 0.3*along.Y},
				picture.Point{X: c.X + 0.75*o.X - 0.3*along.X, Y: c.Y + 0.75*o.Y - 0.3*along.Y})
		}
		if d.p.Given(at) {
			d.Add(picture.Shape{Kind: picture.Line, Colour: given(), Width: 0.5, Round: true,
				Points: []picture.Point{{X: c.X - 0.8*along.Y, Y: c.Y - 0.8*along.X}, {X: c.X + 0.8*along.Y, Y: c.Y + 0.8*along.X}}})
		}
	}
}

// path draws the line, half a cell out of both openings.
func (d *drawing) path(stroke solve.Stroke) {
	if len(stroke) < 2 {
		return
	}
	var points []picture.Point
	for _, at := range stroke {
		points = append(points, pt(at))
	}
	first, last := d.outward(stroke[0]), d.outward(stroke[len(stroke)-1])
	points = append([]picture.Point{pt(stroke[0].Add(first))}, points...)
	points = append(points, pt(stroke[len(stroke)-1].Add(last)))
	d.Add(picture.Shape{Kind: picture.Line, Colour: path(), Width: 0.34, Round: true, Line: picture.Answer, Points: points})
	tip := points[len(points)-1]
	turn := math.Atan2(float64(last.Y), float64(last.X))
	var head []picture.Point
	for _, a := range []float64{0, 2.4, -2.4} { // 2.4 rad: a slender triangle
		head = append(head, picture.Point{X: tip.X + 0.5*math.Cos(turn+a), Y: tip.Y + 0.5*math.Sin(turn+a)})
	}
	d.Polygon(path(), head...)
	d.Glyph(path(), tip, string([]rune("↑←·→↓")[2+last.X+2*last.Y]))
}
