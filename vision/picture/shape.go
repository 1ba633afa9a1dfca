package picture

import (
	"image/color"
	"math"
)

// A ShapeKind is what a Shape is.
type ShapeKind uint8

// The kinds of shapes.
const (
	Line    ShapeKind = iota // through all Points, Width wide
	Disc                     // round Points[0], Width across
	Polygon                  // filled, with Points as its corners
	Text                     // Words centred on Points[0], Width high
	Glyph                    // Words centred on Points[0], in a terminal only
)

// An Emphasis says what a line is for. Colours carry it in pictures; a
// terminal without colours draws each in strokes of its own.
type Emphasis uint8

// The emphases.
const (
	Plain  Emphasis = iota // part of the board
	Answer                 // the line that solves it
	Second                 // the answer's symmetric partner
)

// A Shape is one piece of a picture of a board. Positions and lengths are in
// half-cells, and a later shape covers an earlier one. Terminal, SVG and Image
// draw the same shapes.
type Shape struct {
	Kind   ShapeKind
	Points []Point
	Width  float64
	Round  bool // a Line's ends are rounded; otherwise they are cut straight
	Colour color.NRGBA
	Line   Emphasis
	Words  string
	// Hint follows a Glyph's Words in a terminal, where Means is what it stands
	// for: colours alone tell nothing there. Of two meanings with one Hint the
	// later one gets another letter.
	Hint, Means string
	// Fine shapes are too small for a terminal, which leaves them out; a Glyph
	// stands for them there.
	Fine bool
}

// A Drawing gathers shapes; those that its methods add are fine, but for glyphs.
type Drawing struct{ Shapes []Shape }

// Add adds a shape.
func (d *Drawing) Add(s Shape) { d.Shapes = append(d.Shapes, s) }

// Polygon adds what is filled between corners.
func (d *Drawing) Polygon(ink color.NRGBA, corners ...Point) {
	d.Add(Shape{Kind: Polygon, Colour: ink, Points: corners, Fine: true})
}

// Disc adds a disc of a width.
func (d *Drawing) Disc(ink color.NRGBA, at Point, across float64) {
	d.Add(Shape{Kind: Disc, Colour: ink, Points: []Point{at}, Width: across, Fine: true})
}

// Line adds a line.
func (d *Drawing) Line(ink color.NRGBA, width float64, points ...Point) {
	d.Add(Shape{Kind: Line, Colour: ink, Points: points, Width: width, Fine: true})
}

// Text adds words of a height.
func (d *Drawing) Text(ink color.NRGBA, at Point, high float64, words string) {
	d.Add(Shape{Kind: Text, Colour: ink, Points: []Point{at}, Width: high, Words: words, Fine: true})
}

// Glyph adds what a terminal shows.
func (d *Drawing) Glyph(ink color.NRGBA, at Point, words string) {
	d.Add(Shape{Kind: Glyph, Colour: ink, Points: []Point{at}, Words: words})
}

// Box is the corners of an upright rectangle.
func Box(x0, y0, x1, y1 float64) []Point {
	return []Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
}

// Extent is the least rectangle round everything that the shapes draw in a
// picture, in half-cells. Without shapes it is (0,0), (0,0).
func Extent(shapes []Shape) (least, most Point) {
	least, most = Point{math.Inf(1), math.Inf(1)}, Point{math.Inf(-1), math.Inf(-1)}
	for _, s := range shapes {
		r := Point{s.Width / 2, s.Width / 2}
		switch s.Kind {
		case Polygon:
			r = Point{}
		case Glyph:
			continue
		case Text:
			// 0.6: a letter's width in heights, of the font that Image uses.
			r.X *= 0.6 * float64(len([]rune(s.Words)))
		}
		for _, p := range s.Points {
			least = Point{min(least.X, p.X-r.X), min(least.Y, p.Y-r.Y)}
			most = Point{max(most.X, p.X+r.X), max(most.Y, p.Y+r.Y)}
		}
	}
	if least.X > most.X {
		return Point{}, Point{}
	}
	return least, most
}
