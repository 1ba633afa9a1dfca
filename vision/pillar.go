package vision

import (
	"image"
	"math"
)

// A cylinder is how an upright pillar stands before the camera. A place on it
// is an angle θ, 0 in the middle of what is seen and growing to the right, and
// a height v, in radii and growing downwards. With e the radius by the axis's
// distance from the camera, the place (θ, v) is seen at
//
//	x = middle + half·√(1−e²)·sin θ / (1 − e·cos θ)
//	y = level  + half·√(1−e²)·v     / (1 − e·cos θ)
//
// where level is the horizon's row. The sides are seen at cos θ = e. The
// middle and the half width grow or shrink a little from top to bottom, since
// cameras do not stand quite upright: both are lines fitted to the sides.
type Cylinder struct {
	Left, Right SideLine
	Half        float64 // half of the width at the middle of the height, in pixels
	Level, E    float64
	// Columns of lines are at first + k·2π/cols.
	Cols  int
	First float64 // radians
	// Rows of lines are at top + k·pitch, 0 ≤ k ≤ rows.
	Rows       int
	Top, Pitch float64 // radii
	Line       float64 // width of the level lines, in pitches of the rows
	Ink, Paper float64 // usual brightness of the lines and between them
}

// A sideLine is x = at + slope·(y − from).
type SideLine struct{ At, Slope, From float64 }

func (s SideLine) X(y float64) float64 { return s.At + s.Slope*(y-s.From) }

// place is where (θ, v) is in the frame.
func (c *Cylinder) place(theta, v float64) Point {
	sin, cos := math.Sincos(theta)
	return c.Turned(sin, cos, v)
}

// Turned is place for an angle whose sine and cosine are known.
func (c *Cylinder) Turned(sin, cos, v float64) Point {
	root := math.Sqrt(1 - c.E*c.E)
	depth := 1 - c.E*cos
	y := c.Level + c.Half*root*v/depth
	left, right := c.Left.X(y), c.Right.X(y)
	return Point{(right+left)/2 + (right-left)/2*root*sin/depth, y}
}

// theta is the angle of a column of half-cells of the view.
func (c *Cylinder) theta(x float64) float64 { return c.First + x*math.Pi/float64(c.Cols) }

// point is where a position of the view, in half-cells, is in the frame; what
// is out of sight is at the nearer side.
func (c *Cylinder) point(x, y float64) Point {
	edge := math.Acos(c.E)
	return c.place(max(-edge, min(c.theta(x), edge)), c.Top+y/2*c.Pitch)
}

// NewPillar unwraps one side of a pillar. Flat holds every column that is seen
// in part, from the last line out of sight on the left to the first on the
// right; what is out of sight repeats the side.
func NewPillar(full *image.RGBA, c *Cylinder) *Board {
	b := &Board{
		Cols: c.Cols, Rows: c.Rows, Pillar: true, Pitch: FlatPitch, Margin: FlatPitch,
		FrameSize: full.Rect.Size(), Cylinder: c, Share: 1,
	}
	// The wider of the two: in pitches of the columns the lines are narrower, and
	// what looks into a cell is to see none of them.

	around := 2 * math.Pi / float64(c.Cols)
	b.Line = max(c.Line, c.Line*c.Pitch/around)
	b.Aspect = around / c.Pitch
	// The quad is that of the visible side.
	y1 := c.Top + float64(c.Rows)*c.Pitch
	edge := math.Acos(c.E)
	b.Quad = [4]Point{c.place(-edge, c.Top), c.place(edge, c.Top), c.place(edge, y1), c.place(-edge, y1)}
	p, q := c.place(-around/2, 0), c.place(around/2, 0)
	p2, q2 := c.place(0, c.Top), c.place(0, c.Top+c.Pitch)
	b.ScreenPitch = min(math.Hypot(p.X-q.X, p.Y-q.Y), math.Hypot(p2.X-q2.X, p2.Y-q2.Y))
	seen := b.Side()
	w, h := seen*b.Pitch+2*b.Margin+1, c.Rows*b.Pitch+2*b.Margin+1
	s := 2 / float64(b.Pitch)
	// A line along the pillar is a straight one in the frame.
	from, down := make([]Point, w), make([]Point, w)
	for x := range w {
		sin, cos := math.Sincos(max(-edge, min(c.theta(float64(x-b.Margin)*s), edge)))
		p := c.Turned(sin, cos, c.Top-float64(b.Margin)*s/2*c.Pitch)
		q := c.Turned(sin, cos, y1)
		n := float64(h - 1 - b.Margin)
		from[x], down[x] = p, Point{(q.X - p.X) / n, (q.Y - p.Y) / n}
	}
	b.Flat = Resampled(full, w, h, func(x, y int) Point {
		return Point{from[x].X + float64(y)*down[x].X, from[x].Y + float64(y)*down[x].Y}
	})
	var ink, paper []RGB
	for y := 1; y < 2*c.Rows; y += 2 {
		for x := -1; x <= 2*seen; x++ {
			if b.Facing(float64(x)) < 0.5 {
				continue
			}
			if x&1 == 0 {
				ink = append(ink, b.FlatAt(float64(x), float64(y)-0.4), b.FlatAt(float64(x), float64(y)+0.4))
				continue
			}
			for _, d := range [][2]float64{{-0.5, -0.5}, {0.5, -0.5}, {-0.5, 0.5}, {0.5, 0.5}} {
				paper = append(paper, b.FlatAt(float64(x)+d[0], float64(y)+d[1]))
			}
		}
	}
	b.Ink, b.Paper = MedianRGB(ink), MedianRGB(paper)
	return b
}

// FlatAt is the colour of the straightened board at a position in half-cells.
func (b *Board) FlatAt(x, y float64) RGB {
	s := float64(b.Pitch) / 2
	return At(b.Flat, float64(b.Margin)+x*s, float64(b.Margin)+y*s)
}

// Facing is how squarely a position of the board faces the camera: 1 in the
// middle of a pillar's view, the cosine of its angle from there, and 0 or less
// where it is out of sight. On a flat board it is 1.
func (b *Board) Facing(x float64) float64 {
	c := b.Cylinder
	if c == nil {
		return 1
	}
	theta := c.theta(x)
	if cos := math.Cos(theta); cos > c.E && math.Abs(theta) < math.Pi/2 {
		return cos
	}
	return 0
}

// Narrowed is how wide what is at a position of the board is in the frame, by how wide it is
// in the straightened picture and in the middle of a pillar's view: 1 there and on flat boards,
// 0 where a pillar ends for the camera. It is the derivative of turned.
func (b *Board) Narrowed(x float64) float64 {
	c := b.Cylinder
	if c == nil {
		return 1
	}
	cos := math.Cos(c.theta(x))
	if b.Facing(x) == 0 {
		return 0
	}
	return (cos - c.E) * (1 - c.E) / (1 - c.E*cos) / (1 - c.E*cos)
}

// Side is how many columns of cells the straightened picture holds: all of a
// flat board, and of a pillar those that one view shows at least in part. The
// first is column 0 of that view.
func (b *Board) Side() int {
	if b.Cylinder == nil {
		return b.Cols
	}
	around := 2 * math.Pi / float64(b.Cols)
	return int(math.Ceil((math.Pi/2 - b.Cylinder.First) / around))
}

// Theta is the angle in radians of a column of half-cells of a pillar from
// where the camera faces it, growing to the right; on a flat board 0.
func (b *Board) Theta(x float64) float64 {
	if b.Cylinder == nil {
		return 0
	}
	return b.Cylinder.theta(x)
}

// Phase tells how a pillar stands in a frame in which it has turned since the
// board was found: how far, in half-cells, the upright line nearest to the
// middle of the view is off it, from -1 to 1, to the right being positive.
func (b *Board) Phase(frame *image.RGBA) float64 {
	if b.Cylinder == nil {
		return 0
	}
	axis := b.Ink.Sub(b.Paper)
	q := max(axis.Dot(axis), 1)
	// On the pillar's cells one half-cell is π/cols.
	perRadian := float64(b.Cols) / math.Pi
	middle := -b.Cylinder.theta(0) * perRadian
	// Half-cells from the middle that are looked at: 60° to each side, where a
	// line is half as wide as in the middle.
	reach := math.Pi / 3 * perRadian
	const step = 0.02
	n := int(reach / step)
	ink := make([]float64, 2*n+1)
	for i := range ink {
		x := middle + float64(i-n)*step
		for y := 1; y < 2*b.Rows; y += 2 {
			for _, off := range []float64{-0.3, 0, 0.3} { // between the level lines
				p := b.ScreenPoint(x, float64(y)+off)
				ink[i] += min(max(At(frame, p.X, p.Y).Sub(b.Paper).Dot(axis)/q, 0), 1)
			}
		}
	}
	half := b.Line // a line's half width in half-cells
	fit := func(phase float64) float64 {
		sum := 0.0
		for i, v := range ink {
			d := math.Abs(math.Remainder(float64(i-n)*step-phase, 2))
			switch {
			case d < half:
				sum += v
			case d < 2*half:
				sum -= v
			}
		}
		return sum
	}
	best, at := math.Inf(-1), 0.0
	for phase := -1.0; phase < 1; phase += step {
		if s := fit(phase); s > best {
			best, at = s, phase
		}
	}
	// Between the steps: the middle of the fits beside the best.
	before, after := fit(at-step), fit(at+step)
	if d := 2*best - before - after; d > 0 {
		at += step * max(-0.5, min(0.5, 0.5*(after-before)/d))
	}
	return at
}

// Turned is the pillar as a later frame shows it, in which it stands at a phase
// (see Phase) and is seen from the same place.
func (b *Board) Turned(frame *image.RGBA, phase float64) *Board {
	c := *b.Cylinder
	around := 2 * math.Pi / float64(c.Cols)
	c.First = LastHidden(phase*math.Pi/float64(c.Cols), around)
	return NewPillar(frame, &c)
}

// LastHidden is the last column of lines that is out of sight on the left, by
// the angles of any column and between two columns.
func LastHidden(column, around float64) float64 {
	first := math.Mod(column+math.Pi/2, around) - math.Pi/2
	for first >= -math.Pi/2 {
		first -= around
	}
	return first
}
