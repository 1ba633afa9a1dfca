package see

import (
	"cmp"
	"image/color"
	"math"
	"slices"

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
// board. Over them lie the polygons that a picture of the board has on its lines: dots.
func Plain(r Reading, s solve.Solution, wide float64) []picture.Shape {
	out := layer(r, s, width(r, wide), 0, color.NRGBA{A: 0xff})
	if r.Game == nil || r.Game.Picture == nil || r.Board.Places != nil {
		return out
	}
	dots := slices.DeleteFunc(r.Game.Picture(r.Puzzle, nil), func(s picture.Shape) bool {
		least, most := picture.Extent([]picture.Shape{s})
		x, y := math.Remainder((least.X+most.X)/2, 2), math.Remainder((least.Y+most.Y)/2, 2)
		return s.Kind != picture.Polygon || most.X-least.X > 1 || min(math.Abs(x), math.Abs(y)) > 0.01
	})
	return append(out, answer.Onto(r.Board, r.Puzzle).Shapes(dots, 1, nil)...)
}

func width(r Reading, wide float64) float64 { return cmp.Or(wide, max(4, r.Board.ScreenPitch/8)) }

// Cross is two lines across a board, so wide.
func Cross(r Reading, wide float64) []picture.Shape {
	var d picture.Drawing
	const off = 0.2 // away from corners, where lines begin, and wider than any
	q := r.Board.Quad
	for i := range 2 {
		a, b := q[i], q[i+2]
		x, y := off*(b.X-a.X), off*(b.Y-a.Y)
		d.Line(color.NRGBA{A: 0xff}, 2*width(r, wide), picture.Point{X: a.X + x, Y: a.Y + y}, picture.Point{X: b.X - x, Y: b.Y - y})
	}
	return d.Shapes
}

// Turning is an arrow across a pillar, to the left or to the right: the way its front goes.
func Turning(r Reading, to string, wide float64) []picture.Shape {
	area := r.Board.Area()
	off, y := float64(area.Dx())/5, float64(area.Min.Y+area.Max.Y)/2
	way := []picture.Point{{X: float64(area.Min.X) + off, Y: y}, {X: float64(area.Max.X) - off, Y: y}}
	if to == "left" {
		slices.Reverse(way)
	}
	return mark(way, 2*width(r, wide), 0, 2*r.Board.ScreenPitch, color.NRGBA{A: 0xff})[:2] // no disc
}

// Facing is Plain for a pillar, of what faces the viewer as it stands: where the line goes on
// behind, it ends in a head, too.
func Facing(r Reading, s solve.Solution, stands *Spin, wide float64) (out []picture.Shape) {
	const steps = 8 // of a half-cell
	around := 2 * float64(r.Board.Cols)
	for _, stroke := range s {
		var run []picture.Point
		first := true
		end := func() {
			if len(run) > 1 {
				marks := mark(run, width(r, wide), 0, r.Board.ScreenPitch, color.NRGBA{A: 0xff})
				if !first {
					marks = marks[:2] // no disc
				}
				out = append(out, marks...)
			}
			run, first = nil, false
		}
		for i := range steps*(len(stroke)-1) + 1 {
			a, b, f := stroke[i/steps], stroke[min(i/steps+1, len(stroke)-1)], float64(i%steps)/steps
			x, y := float64(a.X)+f*float64(b.X-a.X), float64(a.Y)+f*float64(b.Y-a.Y)
			off := math.Remainder(x-stands.Faced, around)
			if math.Abs(off) > math.Acos(leastFacing)*around/(2*math.Pi) {
				end()
				continue
			}
			p := stands.At(stands.Faced+off, y)
			run = append(run, picture.Point{X: p.X + 0.5, Y: p.Y + 0.5})
		}
		end()
	}
	return out
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
	long := max(0.22*pitch, 2.5*wide) // a head is seen on the line
	tip := func(turn float64) picture.Point {
		sin, cos := math.Sincos(way + turn)
		return picture.Point{X: last.X - long*cos, Y: last.Y - long*sin}
	}
	return []picture.Shape{
		line(points...),
		line(tip(0.6), last, tip(-0.6)),
		{Kind: picture.Disc, Points: []picture.Point{first}, Width: 2.2*wide + more, Colour: colour, Line: picture.Answer},
	}
}
