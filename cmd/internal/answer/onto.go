package answer

import (
	"image"
	"math"

	"onlooker/solve"
	"onlooker/vision"
	"onlooker/vision/picture"
)

// A Projection is where the half-cells of a board are on its frame.
type Projection struct {
	// At maps half-cells, fractions allowed, to pixels of the frame.
	At func(x, y float64) vision.Point
	// Around is how many half-cells a board has round that goes round and is drawn flat;
	// 0 on others.
	Around int
	// Places are half-cells that are elsewhere than At says; nil for most boards.
	Places map[image.Point]vision.Point
}

// Onto is where a puzzle is on the frame that its board was found in.
func Onto(b *vision.Board, p solve.Puzzle) Projection {
	out := Projection{At: b.ScreenPoint, Places: b.Places}
	if round, ok := p.(solve.Wraparound); ok && round.Around() > 0 {
		out.Around = round.Around()
		out.At = seam(b, out.Around)
	}
	return out
}

// seam maps half-cells of a board that goes round, so many columns of
// half-cells, and is drawn flat: half a line before its first column it begins.
func seam(b *vision.Board, around int) func(x, y float64) vision.Point {
	return func(x, y float64) vision.Point {
		x = math.Mod(x+b.Line, float64(around))
		if x < 0 {
			x += float64(around)
		}
		return b.ScreenPoint(x-b.Line, y)
	}
}

// Half is where a half-cell is.
func (p Projection) Half(q image.Point) vision.Point {
	if at, ok := p.Places[q]; ok {
		return at
	}
	return p.At(float64(q.X), float64(q.Y))
}

// Strokes are where the points of a solution are.
func (p Projection) Strokes(s solve.Solution) [][]vision.Point {
	out := make([][]vision.Point, len(s))
	for i, stroke := range s {
		out[i] = make([]vision.Point, len(stroke))
		for k, q := range stroke {
			out[i][k] = p.Half(q)
		}
	}
	return out
}

// Shapes puts a board's picture where the board is; scale is pixels a half-cell, and
// drawn is where the picture has a half-cell. Of a board whose half-cells have places
// of their own, what is drawn at one of them comes with it, what leads from one to
// another is straight, and the rest is left out.
func (p Projection) Shapes(shapes []picture.Shape, scale float64, drawn func(image.Point) picture.Point) []picture.Shape {
	var out []picture.Shape
	for _, s := range shapes {
		points := make([]picture.Point, len(s.Points))
		for k, q := range s.Points {
			at := p.At(q.X, q.Y)
			points[k] = picture.Point{X: at.X, Y: at.Y}
		}
		if p.Places != nil {
			if points = p.placed(s, scale, drawn); points == nil {
				continue
			}
		}
		s.Width, s.Points = s.Width*scale, points
		out = append(out, s)
	}
	return out
}

// placed are a shape's points on a board whose half-cells have places of their own;
// nil where it belongs to none of them.
func (p Projection) placed(s picture.Shape, scale float64, drawn func(image.Point) picture.Point) []picture.Point {
	if len(s.Points) == 0 {
		return nil
	}
	// 1.5: a bulb's name is drawn 1.4 below it, the next bulb 2 beside it.
	const near = 1.5
	owner := func(q picture.Point) (at image.Point, off picture.Point, ok bool) {
		best := near
		for half := range p.Places {
			c := drawn(half)
			if d := math.Max(math.Abs(q.X-c.X), math.Abs(q.Y-c.Y)); d < best {
				best, at, off, ok = d, half, picture.Point{X: q.X - c.X, Y: q.Y - c.Y}, true
			}
		}
		return at, off, ok
	}
	put := func(at image.Point, off picture.Point) picture.Point {
		c := p.Places[at]
		return picture.Point{X: c.X + off.X*scale, Y: c.Y + off.Y*scale}
	}
	first, firstOff, ok := owner(s.Points[0])
	last, lastOff, ok2 := owner(s.Points[len(s.Points)-1])
	switch {
	case !ok || !ok2:
		return nil
	case first != last && s.Kind == picture.Line:
		return []picture.Point{put(first, firstOff), put(last, lastOff)}
	case first != last:
		return nil
	}
	out := make([]picture.Point, len(s.Points))
	for k, q := range s.Points {
		at, off, ok := owner(q)
		if !ok || at != first {
			return nil
		}
		out[k] = put(at, off)
	}
	return out
}
