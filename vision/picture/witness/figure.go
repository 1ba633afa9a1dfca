package witness

import (
	"math"
	"strconv"
	"strings"

	witness "onlooker/solve/witness/board"
	"onlooker/vision/picture"
)

// unit is that of figures, in half-cells: what fills it lies between lines of .16 of
// the pitch, and most of it between thicker ones.
const unit = 2 * 0.42

// figureForm is the form of a kind that brings its own figure.
func figureForm(k witness.Kind, f *witness.Figure) Form {
	flat := func(*Sizes) float64 { return 0 }
	return Form{
		Kind: k, Step: flat, Word: f.Mark, figure: f,
		Outline: func(*Sizes) []picture.Shape { return figureParts(f, witness.Symbol{Kind: k, Count: 1}) },
		// A shaft's width; a digit's strokes are wider.
		Thinnest: func(*Sizes) float64 { return 0.16 * unit / 2 },
	}
}

// figureWords are what a symbol with a figure is in a terminal: an arrow for each
// head, or its mark, its direction and its number.
func figureWords(f *witness.Figure, s witness.Symbol) string {
	a, way := s.Kind.About(), ""
	if a.Ways > 0 {
		way = arrow(s.Way)
	}
	if f.Count == "heads" {
		return strings.Repeat(way, max(1, s.Count))
	}
	words := f.Mark + way
	if a.Most > 0 {
		words += strconv.Itoa(s.Count)
	}
	return words
}

// figureParts are the shapes of a symbol, in half-cells from its cell's middle.
func figureParts(f *witness.Figure, s witness.Symbol) []picture.Shape {
	var all []picture.Shape
	add := func(parts [][]witness.Vec, by witness.Vec) {
		for _, part := range parts {
			points := make([]picture.Point, len(part))
			for i, v := range part {
				points[i] = picture.Point{X: unit * (v.X + by.X), Y: unit * (v.Y + by.Y)}
			}
			all = append(all, polygon(points)...)
		}
	}
	add(f.Once, witness.Vec{})
	n := s.Count
	switch f.Count {
	case "steps":
		for _, at := range witness.Places(n) {
			add(f.Each, at)
		}
	case "row":
		for i := range n {
			add(f.Each, witness.Vec{Y: witness.Step * float64(2*i-n+1)})
		}
	case "heads":
		for i := range n {
			add(f.Each, witness.Vec{X: -f.Back * float64(i)})
		}
	case "digit":
		add(digit(n), witness.Vec{})
	default:
		add(f.Each, witness.Vec{})
	}
	by := picture.Point{}
	if s.Way.X != 0 && s.Way.Y != 0 {
		shift := unit * f.Shift * float64(n-1)
		by = picture.Point{X: shift * float64(s.Way.X), Y: shift * float64(s.Way.Y)}
	}
	turn := 0.0
	if s.Kind.About().Ways > 0 {
		turn = math.Atan2(float64(s.Way.Y), float64(s.Way.X))
	}
	return placed(all, turn, by)
}

// A raster has ten rows of ten blocks, the left one being the highest bit.
type raster [10]uint16

// digits are those of the randomizer; its 9 is its 6 the other way up.
func digits() [10]raster {
	d := [10]raster{
		{0x1FE, 0x3FF, 0x387, 0x387, 0x387, 0x387, 0x387, 0x387, 0x3FF, 0x1FE},
		{0x018, 0x038, 0x078, 0x0F8, 0x038, 0x038, 0x038, 0x038, 0x0FE, 0x0FE},
		{0x1FE, 0x3FF, 0x387, 0x007, 0x01E, 0x07C, 0x1F0, 0x3C0, 0x3FF, 0x3FF},
		{0x3FE, 0x3FF, 0x007, 0x007, 0x07E, 0x07E, 0x007, 0x007, 0x3FF, 0x3FE},
		{0x0EE, 0x0EE, 0x1CE, 0x1CE, 0x3FF, 0x3FF, 0x00E, 0x00E, 0x00E, 0x00E},
		{0x3FF, 0x3FF, 0x380, 0x380, 0x3FE, 0x3FF, 0x007, 0x007, 0x3FF, 0x3FE},
		{0x1FE, 0x3FE, 0x380, 0x380, 0x3FE, 0x3FF, 0x387, 0x387, 0x3FF, 0x1FE},
		{0x3FF, 0x3FF, 0x007, 0x007, 0x00E, 0x00E, 0x01C, 0x01C, 0x038, 0x038},
		{0x1FE, 0x3FF, 0x387, 0x387, 0x1FE, 0x1FE, 0x387, 0x387, 0x3FF, 0x1FE},
	}
	for y := range d[9] {
		for x := range 10 {
			d[9][y] |= d[6][9-y] >> x & 1 << (9 - x)
		}
	}
	return d
}

// digit is a digit as rectangles: runs of blocks, as high as the rows that have them,
// and over each seam between two rows what both have, so that none shows.
func digit(n int) (parts [][]witness.Vec) {
	const side = 0.135
	rows := digits()[n%10]
	add := func(blocks uint16, top, bottom float64) {
		for x := 0; x < 10; x++ {
			from := x
			for x < 10 && blocks>>(9-x)&1 == 1 {
				x++
			}
			if x > from {
				left, right := side*float64(from-5), side*float64(x-5)
				parts = append(parts, []witness.Vec{{X: left, Y: side * (top - 5)}, {X: right, Y: side * (top - 5)}, {X: right, Y: side * (bottom - 5)}, {X: left, Y: side * (bottom - 5)}})
			}
		}
	}
	for y := 0; y < 10; {
		to := y + 1
		for to < 10 && rows[to] == rows[y] {
			to++
		}
		add(rows[y], float64(y), float64(to))
		if to < 10 {
			add(rows[y]&rows[to], float64(to)-0.5, float64(to)+0.5)
		}
		y = to
	}
	return parts
}
