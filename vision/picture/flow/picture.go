// Package flow draws boards of Flow Free and Numberlink.
package flow

import (
	"image"
	"image/color"
	"math"
	"strconv"

	"onlooker/solve"
	"onlooker/solve/flow"
	"onlooker/vision/picture"
)

// Colours of the pictures.
func ground() color.NRGBA { return color.NRGBA{28, 30, 36, 255} }
func cell() color.NRGBA   { return color.NRGBA{46, 50, 60, 255} }
func seam() color.NRGBA   { return color.NRGBA{80, 86, 100, 255} }
func wall() color.NRGBA   { return color.NRGBA{200, 205, 215, 255} }
func faint() color.NRGBA  { return color.NRGBA{130, 138, 155, 255} }

// ink is the colour of a pair: sixteen that people tell apart, and then hues a
// golden angle apart.
func ink(pair int) color.NRGBA {
	first := []color.NRGBA{
		{235, 60, 50, 255}, {45, 160, 70, 255}, {60, 110, 235, 255}, {240, 215, 60, 255},
		{240, 135, 35, 255}, {60, 205, 220, 255}, {235, 80, 190, 255}, {140, 60, 45, 255},
		{130, 70, 200, 255}, {235, 235, 235, 255}, {140, 145, 150, 255}, {145, 230, 60, 255},
		{190, 175, 110, 255}, {30, 60, 150, 255}, {20, 130, 130, 255}, {245, 160, 170, 255},
	}
	if pair < len(first) {
		return first[pair]
	}
	// 137.5 degrees: however many follow, no two are close for long.
	hue := math.Mod(float64(pair)*137.508, 360) / 60
	x := 1 - math.Abs(math.Mod(hue, 2)-1)
	rgb := [][3]float64{{1, x, 0}, {x, 1, 0}, {0, 1, x}, {0, x, 1}, {x, 0, 1}, {1, 0, x}}[int(hue)%6]
	// Lighter and darker in turn.
	dim := 150 + 35*float64(pair%3)
	return color.NRGBA{uint8(40 + dim*rgb[0]), uint8(40 + dim*rgb[1]), uint8(40 + dim*rgb[2]), 255}
}

// name is what an end is called: a letter, or a number from 1 where letters do
// not suffice.
func name(pair, pairs int) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	if pairs > len(letters) {
		return strconv.Itoa(pair + 1)
	}
	return letters[pair : pair+1]
}

// Picture is a board with its paths, if there is an answer. A bridge has two
// bars beside the way across. Where opposite borders are joined, the border is
// thin and pairs of ends run out on both sides; cells joined one by one are
// linked by thin bows.
func Picture(puzzle solve.Puzzle, answer solve.Solution) []picture.Shape {
	p, ok := puzzle.(*flow.Puzzle)
	if !ok {
		return nil
	}
	d := drawing{p: p, pairs: p.Pairs()}
	d.cols, d.rows = p.Size()
	d.shape, d.torus = p.Shape()
	d.board()
	for _, pair := range p.Joins() {
		d.bow(pair[0], pair[1], faint(), 0.1)
	}
	used := d.paths(answer)
	d.each(func(c image.Point, at picture.Point) {
		if !d.p.Hole(c) && !used[c.Y*d.cols+c.X] {
			word := "·"
			if d.p.Bridge(c) {
				word = "+"
			}
			d.Glyph(faint(), at, word)
		}
	})
	for i, pair := range d.pairs {
		for _, c := range pair {
			at := d.at(c)
			d.Disc(ink(i), at, 1.2)
			word := name(i, len(d.pairs))
			d.Text(against(ink(i)), at, 0.8/math.Sqrt(float64(len(word))), word)
			d.Glyph(ink(i), at, word)
		}
	}
	return d.Shapes
}

// against is black or white, whichever is seen better on a colour.
func against(c color.NRGBA) color.NRGBA {
	if 3*int(c.R)+6*int(c.G)+int(c.B) > 1400 {
		return color.NRGBA{20, 20, 24, 255}
	}
	return color.NRGBA{255, 255, 255, 255}
}

type drawing struct {
	picture.Drawing
	p          *flow.Puzzle
	pairs      [][2]image.Point
	cols, rows int
	shape      flow.Shape
	torus      bool
}

func (d *drawing) each(f func(c image.Point, at picture.Point)) {
	for r := range d.rows {
		for c := range d.cols {
			f(image.Pt(c, r), d.at(image.Pt(c, r)))
		}
	}
}

// at is a cell's centre.
func (d *drawing) at(c image.Point) picture.Point {
	at := d.p.Centre(c)
	return picture.Point{X: float64(at.X), Y: float64(at.Y)}
}

// outline is a cell, size 1 reaching to its neighbours. Hexagons stand 2
// half-cells apart across and down, and so are a little wide: their corners
// are 4/3 and 2/3 half-cells from the middle.
func (d *drawing) outline(at picture.Point, size float64) []picture.Point {
	corners := [][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}
	if d.shape == flow.Hex {
		corners = [][2]float64{{-2. / 3, -1}, {2. / 3, -1}, {4. / 3, 0}, {2. / 3, 1}, {-2. / 3, 1}, {-4. / 3, 0}}
	}
	points := make([]picture.Point, 0, len(corners))
	for _, c := range corners {
		points = append(points, picture.Point{X: at.X + size*c[0], Y: at.Y + size*c[1]})
	}
	return points
}

func (d *drawing) board() {
	w, h := float64(2*d.cols), float64(2*d.rows)
	top, side := 0.0, 0.0
	if d.shape == flow.Hex {
		top, side = 1, 1./3
	}
	margin := 0.4
	if d.torus {
		margin = 1 // for the paths that run out
	}
	d.Polygon(ground(), picture.Box(-side-margin, -top-margin, w+side+margin, h+margin)...)
	d.each(func(c image.Point, at picture.Point) {
		if d.p.Hole(c) {
			return
		}
		size := 0.96
		if d.shape == flow.Loose {
			size = 0.7
		}
		d.Polygon(cell(), d.outline(at, size)...)
		if d.p.Bridge(c) {
			for _, y := range []float64{-0.55, 0.55} {
				d.Line(wall(), 0.1, picture.Point{X: at.X - 0.9, Y: at.Y + y}, picture.Point{X: at.X + 0.9, Y: at.Y + y})
			}
		}
	})
	if d.torus {
		d.Line(seam(), 0.06, picture.Point{}, picture.Point{X: w}, picture.Point{X: w, Y: h}, picture.Point{Y: h}, picture.Point{})
	}
	for _, pair := range d.p.Walls() {
		d.wall(pair[0], pair[1])
	}
}

// wall draws the side between two cells: on a joined border both of its
// sides.
func (d *drawing) wall(a, b image.Point) {
	step := b.Sub(a)
	from, to := d.at(a), d.at(b)
	if d.torus {
		// Over the border the step is as long as the board less one.
		switch {
		case step.X == d.cols-1 && step.Y == 0 && d.cols > 2:
			d.side(from, picture.Point{X: -1})
			d.side(to, picture.Point{X: 1})
			return
		case step.Y == d.rows-1 && step.X == 0 && d.rows > 2:
			d.side(from, picture.Point{Y: -1})
			d.side(to, picture.Point{Y: 1})
			return
		}
	}
	d.side(from, picture.Point{X: (to.X - from.X) / 2, Y: (to.Y - from.Y) / 2})
}

// side draws a cell's side whose middle lies that way from its centre.
func (d *drawing) side(at, way picture.Point) {
	half := 1.0
	across := picture.Point{X: -way.Y, Y: way.X}
	if d.shape == flow.Hex {
		// The upper and lower sides are 4/3 long; the slanting ones go 2/3
		// across and 1 down.
		if way.X == 0 {
			half = 2. / 3
		} else {
			across = picture.Point{X: -math.Copysign(1./3, way.X*way.Y), Y: 0.5}
			half = 1
		}
	}
	m := picture.Point{X: at.X + way.X, Y: at.Y + way.Y}
	d.Add(picture.Shape{Kind: picture.Line, Colour: wall(), Width: 0.22, Round: true, Points: []picture.Point{
		{X: m.X - half*across.X, Y: m.Y - half*across.Y}, {X: m.X + half*across.X, Y: m.Y + half*across.Y}}})
}

// bow joins two cells.
func (d *drawing) bow(a, b image.Point, ink color.NRGBA, width float64) {
	from, to := d.at(a), d.at(b)
	dx, dy := to.X-from.X, to.Y-from.Y
	long := math.Hypot(dx, dy)
	rise := 0.0 // neighbours are joined by a straight line
	if long > 3 {
		rise = 0.12 * long
	}
	var points []picture.Point
	const legs = 16
	for i := 0; i <= legs; i++ {
		t := float64(i) / legs
		h := 4 * t * (1 - t) * rise / long
		points = append(points, picture.Point{X: from.X + t*dx - h*dy, Y: from.Y + t*dy + h*dx})
	}
	d.Line(ink, width, points...)
}

// paths draws the strokes in the colours of their pairs and tells which cells
// they use. A path over a joined border or a single join is several strokes
// in a row, the last of which ends at its pair's other end.
func (d *drawing) paths(answer solve.Solution) []bool {
	used := make([]bool, d.cols*d.rows) // by number
	ends := map[image.Point]int{}
	for i, pair := range d.pairs {
		ends[d.p.Centre(pair[0])], ends[d.p.Centre(pair[1])] = i, i
	}
	pair, open := 0, false
	var last image.Point
	for _, stroke := range answer {
		if len(stroke) == 0 {
			continue
		}
		from, is := d.p.CellAt(stroke[0])
		if !open {
			pair = ends[stroke[0]]
		} else if was, ok := d.p.CellAt(last); ok && is {
			d.bow(was, from, ink(pair), 0.3)
		}
		points := make([]picture.Point, 0, len(stroke))
		for _, at := range stroke {
			if c, ok := d.p.CellAt(at); ok {
				used[c.Y*d.cols+c.X] = true
			}
			points = append(points, picture.Point{X: float64(at.X), Y: float64(at.Y)})
		}
		// Where it runs out over a border, beyond the border.
		if len(stroke) > 1 {
			out := func(i, inner int) {
				if _, ok := d.p.CellAt(stroke[i]); !ok {
					way := stroke[i].Sub(stroke[inner])
					points[i] = picture.Point{X: points[i].X + 0.8*float64(way.X), Y: points[i].Y + 0.8*float64(way.Y)}
				}
			}
			out(0, 1)
			out(len(stroke)-1, len(stroke)-2)
		}
		kind := picture.Line
		if len(points) == 1 {
			kind = picture.Disc
		}
		d.Add(picture.Shape{Kind: kind, Colour: ink(pair), Width: 0.55, Round: true, Line: picture.Answer, Points: points})
		last = stroke[len(stroke)-1]
		other, atEnd := ends[last]
		// A stroke of one point that begins a path leaves its end by a join.
		open = !atEnd || other != pair || !open && len(stroke) == 1
	}
	return used
}
