package see

import (
	"image/color"
	"math"

	"onlooker/cmd/internal/answer"
	"onlooker/solve"
	"onlooker/vision/picture"
)

// Marks draws an answer over the picture that its board was found in: shapes in
// pixels of the frame. A stroke is a line with a disc at its start and a head at
// its end; a click is a ring. Each is light within dark, to be seen on any
// ground.
func Marks(r Reading, s solve.Solution) []picture.Shape {
	wide := max(3, r.Board.ScreenPitch/10)
	return append(layer(r, s, wide, max(2, 0.7*wide), color.NRGBA{A: 0xff}),
		layer(r, s, wide, 0, color.NRGBA{R: 0xff, G: 0xf0, B: 0x40, A: 0xff})...)
}

// Plain is Marks in one colour, whose lines are so many pixels wide; 0: as wide as suits the
// board.
func Plain(r Reading, s solve.Solution, wide float64) []picture.Shape {
	if wide <= 0 {
		wide = max(4, r.Board.ScreenPitch/8)
	}
	return layer(r, s, wide, 0, color.NRGBA{A: 0xff})
}

// layer are the marks of an answer whose lines are so much wider than wide.
func layer(r Reading, s solve.Solution, wide, more float64, colour color.NRGBA) (out []picture.Shape) {
	for _, stroke := range answer.Onto(r.Board, r.Puzzle).Strokes(s) {
		points := make([]picture.Point, len(stroke))
		for i, p := range stroke {
			points[i] = picture.Point{X: p.X + 0.5, Y: p.Y + 0.5} // a pixel's middle
		}
		out = append(out, mark(points, wide, more, r.Board.ScreenPitch, colour)...)
	}
	return out
}

// mark is one stroke, its lines so much wider than wide.
func mark(points []picture.Point, wide, more, pitch float64, colour color.NRGBA) []picture.Shape {
	line := func(points ...picture.Point) picture.Shape {
		return picture.Shape{Kind: picture.Line, Points: points, Width: wide + more, Round: true, Colour: colour, Line: picture.Answer}
	}
	first, last := points[0], points[len(points)-1]
	if len(points) == 1 {
		const corners = 32
		ring := make([]picture.Point, corners+1)
		for i := range ring {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
			ring[i] = picture.Point{X: first.X + 0.28*pitch*cos, Y: first.Y + 0.28*pitch*sin}
		}
		return []picture.Shape{line(ring...)}
	}
	before := points[len(points)-2]
	way := math.Atan2(last.Y-before.Y, last.X-before.X)
	tip := func(turn float64) picture.Point {
		sin, cos := math.Sincos(way + turn)
		return picture.Point{X: last.X - 0.22*pitch*cos, Y: last.Y - 0.22*pitch*sin}
	}
	return []picture.Shape{
		line(points...),
		line(tip(0.6), last, tip(-0.6)),
		{Kind: picture.Disc, Points: []picture.Point{first}, Width: 2.2*wide + more, Colour: colour, Line: picture.Answer},
	}
}
