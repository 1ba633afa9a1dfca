package witness

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision/picture"
)

// unit is that of figures, in half-cells: what fills .42 of the pitch lies between
// lines of .16 of it, and most of it between thicker ones.
func unit(z *Sizes) float64 { return 2 * or(z.Unit, 0.42) }

// figureForm is the form of a kind that brings its own figure.
func figureForm(k witness.Kind, f *witness.Figure) Form {
	flat := func(*Sizes) float64 { return 0 }
	return Form{
		Kind: k, Step: flat, Word: f.Mark, figure: f,
		Outline: func(z *Sizes) []picture.Shape {
			return figureParts(f, witness.Symbol{Kind: k, Count: 1}, unit(z))
		},
		// A shaft's width; a digit's strokes are wider.
		Thinnest: func(z *Sizes) float64 { return 0.16 * unit(z) / 2 },
	}
}

// FormsOf are the forms of the symbols that a look shows: the game's own, and those of
// its further kinds that bring a figure, drawn as the look says. Kinds that the program
// has not of itself are given.
func FormsOf(p *calibrations.Profile, more ...witness.Kind) Forms {
	all := Known()
	for _, k := range append(witness.Kinds(), more...) {
		f := k.About().Figure
		if f == nil || !slices.Contains(p.Kinds, k.String()) && !slices.Contains(p.Kinds, calibrations.AnyKind) {
			continue
		}
		if s, ok := p.Shapes[k.String()]; ok {
			own := *f
			own.Once, own.Each, own.Back, own.Shift, own.Places = polygons(s.Once), polygons(s.Each), s.Back, s.Shift, polygons(s.Places)
			f = &own
		}
		all = append(all, figureForm(k, f))
	}
	return all
}

func polygons(list [][][2]float64) (all [][]witness.Vec) {
	for _, points := range list {
		var polygon []witness.Vec
		for _, p := range points {
			polygon = append(polygon, witness.Vec{X: p[0], Y: p[1]})
		}
		all = append(all, polygon)
	}
	return all
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
func figureParts(f *witness.Figure, s witness.Symbol, unit float64) []picture.Shape {
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
	for _, at := range placesOf(f, s.Count) {
		add(f.Each, at)
	}
	if f.Count == "digit" {
		add(digit(s.Count), witness.Vec{})
	}
	by := picture.Point{}
	if s.Way.X != 0 && s.Way.Y != 0 {
		shift := unit * f.Shift * float64(s.Count-1)
		by = picture.Point{X: shift * float64(s.Way.X), Y: shift * float64(s.Way.Y)}
	}
	turn := 0.0
	if s.Kind.About().Ways > 0 {
		turn = math.Atan2(float64(s.Way.Y), float64(s.Way.X))
	}
	return placed(all, turn, by)
}

// placesOf are where n of a symbol's parts stand.
func placesOf(f *witness.Figure, n int) (all []witness.Vec) {
	switch {
	case n > 0 && n <= len(f.Places):
		return f.Places[n-1]
	case f.Count == "":
		return []witness.Vec{{}}
	case f.Count == "steps":
		return witness.Places(n)
	}
	for i := range n {
		switch f.Count {
		case "row":
			all = append(all, witness.Vec{Y: witness.Step * float64(2*i-n+1)})
		case "heads":
			all = append(all, witness.Vec{X: -f.Back * float64(i)})
		}
	}
	return all
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
