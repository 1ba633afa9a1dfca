package witness

import (
	"image"
	"math"
	"slices"
	"strings"

	witness "onlooker/solve/witness/board"
	"onlooker/vision/picture"
)

// A Form is how the symbols of one kind look, in any look's sizes. Pictures are
// drawn by it, readers render their templates from it, and calibrating tells the
// kind by it: a kind with a form is drawn, read and calibrated.
type Form struct {
	Kind witness.Kind
	// Outline is the parts of a symbol, in half-cells from its cell's middle, without
	// a colour: polygons, lines and discs. Of a piece it is one of its squares.
	Outline func(sizes *Sizes) []picture.Shape
	// Step is how far the parts of a symbol that comes in numbers are apart, in
	// half-cells, in a row. Of pieces it is from square to square.
	Step func(sizes *Sizes) float64
	// Rows is how far rows of more than three are apart, in half-cells; nil: there is
	// one row.
	Rows func(sizes *Sizes) float64
	// Thinnest is how wide its thinnest part is, in pitches.
	Thinnest func(sizes *Sizes) float64
	// Turns are the ways up in which clients draw it, in degrees; none: as it is.
	Turns []float64
	// Word stands for one symbol in a terminal; of a piece it is the sign before it.
	Word string
	// figure is the whole shape of a kind that brings its own; nil: it is made of what
	// stands above.
	figure *witness.Figure
}

// Forms are the forms of some kinds.
type Forms []Form

// Known lists the forms of all symbols that stand in cells.
func Known() Forms {
	flat := func(*Sizes) float64 { return 0 }
	return Forms{
		{
			Kind: witness.Square, Word: "■", Step: flat,
			Outline: func(z *Sizes) []picture.Shape {
				return polygon(roundedSquare(z.Square, or(z.SquareCorner, 0.3)))
			},
			Thinnest: func(z *Sizes) float64 { return z.Square },
		},
		{
			Kind: witness.Star, Word: "★", Step: flat,
			Outline:  func(z *Sizes) []picture.Shape { return polygon(star(z.Star, or(z.StarNotch, 0.771))) },
			Thinnest: func(z *Sizes) float64 { return 0.7 * z.Star },
		},
		{
			Kind: witness.Triangle, Word: "▲",
			Outline:  triangle,
			Step:     func(z *Sizes) float64 { return 2 * z.TriangleSpacing },
			Rows:     func(z *Sizes) float64 { return 2 * or(z.TriangleRows, 1.3*z.Triangle[1]) },
			Thinnest: func(z *Sizes) float64 { return 0.5 * min(z.Triangle[0], z.Triangle[1]) },
		},
		{
			Kind:     witness.Polyomino,
			Outline:  func(z *Sizes) []picture.Shape { return polygon(block(z.Block)) },
			Step:     func(z *Sizes) float64 { return 2 * z.Spacing },
			Thinnest: func(z *Sizes) float64 { return z.Block },
		},
		{
			Kind: witness.Negative, Word: "−",
			Outline:  frame,
			Step:     func(z *Sizes) float64 { return 2 * z.Spacing },
			Thinnest: func(z *Sizes) float64 { return blueBlock(z) / 4 },
		},
		{
			// The game's stem points down, other clients' up: shown such a one, a reader
			// that knows none takes it for a triangle.
			Kind: witness.Eraser, Word: "Y", Step: flat, Turns: []float64{0, 180},
			Outline:  eraser,
			Thinnest: func(z *Sizes) float64 { return 0.28 * z.Eraser },
		},
	}
}

// Of is the form of a kind, by the shape that it names, or the figure that it brings;
// false where there is none.
func (f Forms) Of(kind witness.Kind) (Form, bool) {
	i := slices.IndexFunc(f, func(o Form) bool { return o.Kind.ShapeName() == kind.ShapeName() })
	switch figure := kind.About().Figure; {
	case i >= 0:
		return f[i], true
	case figure != nil:
		return figureForm(kind, figure), true
	}
	return Form{}, false
}

// Named is the kind of a name; false where none has a form.
func (f Forms) Named(name string) (witness.Kind, bool) {
	i := slices.IndexFunc(f, func(o Form) bool { return o.Kind.Word() == name })
	if i < 0 {
		return witness.NoSymbol, false
	}
	return f[i].Kind, true
}

// Symbols are one symbol of each appearance that a form has, pieces aside: of a kind
// that comes in numbers one of each number of which so many stand in a cell's width, and
// of one with a direction one of each.
func (f Form) Symbols(sizes *Sizes) (all []witness.Symbol) {
	if f.Kind.IsPiece() {
		return nil
	}
	a, least := f.Kind.About(), 0
	if a.Most > 0 {
		least = a.Least()
	}
	ways := []image.Point{{}}
	if a.Ways > 0 {
		ways = witness.Directions(a.Ways)
	}
	for n := least; n <= a.Most; n++ {
		for _, way := range ways {
			s := witness.Symbol{Kind: f.Kind, Count: n, Way: way}
			if from, to := picture.Extent(f.Parts(sizes, s)); to.X-from.X < 2 {
				all = append(all, s)
			}
		}
	}
	return all
}

// Parts are the shapes of a symbol, in half-cells from its cell's middle.
func (f Form) Parts(sizes *Sizes, symbol witness.Symbol) (all []picture.Shape) {
	if f.figure != nil {
		return figureParts(f.figure, symbol, unit(sizes))
	}
	one, step := f.Outline(sizes), f.Step(sizes)
	if !f.Kind.IsPiece() {
		for _, at := range f.row(sizes, max(1, symbol.Count)) {
			all = append(all, placed(one, 0, at)...)
		}
		return all
	}
	var most image.Point
	for _, b := range symbol.Shape {
		most = image.Pt(max(most.X, b.X), max(most.Y, b.Y))
	}
	turn := 0.0
	if symbol.Turnable {
		turn = -Tilt(sizes)
	}
	for _, b := range symbol.Shape {
		at := picture.Point{X: step * (float64(b.X) - float64(most.X)/2), Y: step * (float64(b.Y) - float64(most.Y)/2)}
		all = append(all, placed(placed(one, 0, at), turn, picture.Point{})...)
	}
	return all
}

// row is where n parts stand: in a row, or where a kind has rows in as few as hold
// three each, the shorter above.
func (f Form) row(sizes *Sizes, n int) (all []picture.Point) {
	rows, apart := 1, 0.0
	if f.Rows != nil {
		rows, apart = (n+2)/3, f.Rows(sizes)
	}
	for r := range rows {
		wide := (n - len(all)) / (rows - r)
		for i := range wide {
			all = append(all, picture.Point{X: f.Step(sizes) * (float64(i) - float64(wide-1)/2), Y: apart * (float64(r) - float64(rows-1)/2)})
		}
	}
	return all
}

// Own tells whether the kind brings its own shape.
func (f Form) Own() bool { return f.figure != nil }

// Words are what a symbol is in a terminal.
func (f Form) Words(symbol witness.Symbol) string {
	if f.figure != nil {
		return figureWords(f.figure, symbol)
	}
	if f.Kind.IsPiece() {
		return pieceWords(symbol, f.Word)
	}
	return strings.Repeat(f.Word, max(1, symbol.Count))
}

// placed are shapes turned about the origin, in radians, and then moved.
func placed(shapes []picture.Shape, turn float64, by picture.Point) []picture.Shape {
	sin, cos := math.Sincos(turn)
	out := slices.Clone(shapes)
	for i := range out {
		points := make([]picture.Point, len(out[i].Points))
		for k, p := range out[i].Points {
			points[k] = picture.Point{X: by.X + p.X*cos - p.Y*sin, Y: by.Y + p.X*sin + p.Y*cos}
		}
		out[i].Points = points
	}
	return out
}

func polygon(points []picture.Point) []picture.Shape {
	return []picture.Shape{{Kind: picture.Polygon, Points: points, Fine: true}}
}

// or is a value, or what stands for 0.
func or(v, usual float64) float64 {
	if v == 0 {
		return usual
	}
	return v
}

// Tilt is how far a turnable piece is turned from upright to the left, in radians.
func Tilt(sizes *Sizes) float64 { return or(sizes.Tilt, 15) * math.Pi / 180 }

// roundedSquare is a square of a side in pitches, with corners of a radius in sides.
func roundedSquare(side, corner float64) []picture.Point {
	r := corner * side * 2
	h := side - r
	var points []picture.Point
	for corner := range 4 {
		sx, sy := []float64{1, -1, -1, 1}[corner], []float64{1, 1, -1, -1}[corner]
		for i := range 7 {
			sin, cos := math.Sincos(float64(corner)*math.Pi/2 + float64(i)*math.Pi/12)
			points = append(points, picture.Point{X: sx*h + r*cos, Y: sy*h + r*sin})
		}
	}
	return points
}

// star has eight points, and notches at a share of the tips' radius. The game's fills
// .59 of its box: with the tips at radius R and the notches at r its area is
// 8·R·r·sin 22.5°, so r is .771 R.
func star(across, notch float64) []picture.Point {
	points := make([]picture.Point, 16)
	for i := range points {
		r := across
		if i%2 == 1 {
			r *= notch
		}
		sin, cos := math.Sincos(float64(i) * math.Pi / 8)
		points[i] = picture.Point{X: r * cos, Y: r * sin}
	}
	return points
}

func triangle(z *Sizes) []picture.Shape {
	y, w, h := -2*z.TriangleRise, z.Triangle[0], z.Triangle[1]
	return polygon([]picture.Point{{X: 0, Y: y - h}, {X: w, Y: y + h}, {X: -w, Y: y + h}})
}

// block is a piece's square.
func block(side float64) []picture.Point { return picture.Box(-side, -side, side, side) }

// blueBlock is the side of a blue piece's square, in pitches.
func blueBlock(z *Sizes) float64 { return or(z.BlueBlock, z.Block) }

// frame is a blue piece's square: a frame of a quarter of its side, as four bars.
func frame(z *Sizes) (bars []picture.Shape) {
	corners := block(blueBlock(z))
	for i, a := range corners {
		b := corners[(i+1)%4]
		bars = append(bars, polygon([]picture.Point{a, b, {X: b.X / 2, Y: b.Y / 2}, {X: a.X / 2, Y: a.Y / 2}})...)
	}
	return bars
}

// eraser is three arms at 120°, one down or up: the whole is as wide as two arms reach
// sideways, each cos 30° of its length and half of its width.
func eraser(z *Sizes) (arms []picture.Shape) {
	width := 0.28 * z.Eraser
	long := (z.Eraser/2 - width/4) / math.Cos(math.Pi/6)
	for _, turn := range []float64{90, 210, 330} {
		if z.EraserUp {
			turn = -turn
		}
		sin, cos := math.Sincos(turn * math.Pi / 180)
		arms = append(arms, picture.Shape{Kind: picture.Line, Width: 2 * width, Fine: true,
			Points: []picture.Point{{}, {X: 2 * long * cos, Y: 2 * long * sin}}})
	}
	return arms
}
