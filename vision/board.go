package vision

import (
	"errors"
	"image"
	"math"
)

// A Point is a place in a picture, in pixels; the centre of the top left pixel
// is (0, 0).
type Point struct {
	X, Y float64
}

// Dist is how far a point is from another.
func (p Point) Dist(q Point) float64 { return math.Hypot(q.X-p.X, q.Y-p.Y) }

// A Board is one board found in a frame: a lattice of lines, straightened.
// Positions on it are half-cells.
type Board struct {
	Cols, Rows int // cells
	// Quad is where the corner nodes are in the frame: top left, top right,
	// bottom right, bottom left.
	Quad [4]Point
	// Solved says that a line is drawn on the board already.
	Solved bool
	// Sized is how sure it is that a flat board has as many cells, and neither one
	// line more nor half as many: 0.5 would be a toss, 1 is clear.
	Sized float64
	// Whole says that the look knows its lines' colour and width, and that none goes on from
	// it or lies beside it on the same ground.
	Whole bool
	// Cut says at which sides (left, right, top, bottom) the board's lines go on beyond
	// the last that is seen: it is cut off there.
	Cut [4]bool
	// Clear is how clear the least clear of its reading's parts is: 0.5 would be a toss,
	// 1 is clear. It is what a look's confidence is asked of. 0 before it is read.
	Clear float64
	// Confidence is how likely the reading is right, which is measured: 0 to 1, 0 before
	// it is read.
	Confidence float64
	// Pillar says that the board goes round a cylinder, of which the frame
	// shows one side.
	Pillar bool
	// Flat is the board straightened: the node (2c, 2r) is at the pixel
	// (Margin+c*Pitch, Margin+r*Pitch).
	Flat          *image.RGBA
	Pitch, Margin int
	// Aspect is how wide a cell is by its height, in life: 1 on flat boards, which
	// do not tell.
	Aspect float64
	// ScreenPitch is the least distance in pixels between neighbouring nodes
	// in the frame.
	ScreenPitch float64
	// Line is the width of a line in pitches; Ink and Paper are the usual
	// colours of the lines and between them.
	Line       float64
	Ink, Paper RGB
	// FrameSize is the size of the frame that the board was found in.
	FrameSize image.Point

	// Stray is how far, in half-cells, the lines are from their places in the
	// middle: 0.0085 and less on flat boards, and where it was found how a screen
	// bends them; 0.015 on a bulging screen else. 0 on pillars.
	Stray float64

	// Places are half-cells that are elsewhere in the frame than where the lattice
	// would have them, as the bulbs of a graph are; nil for most boards.
	Places map[image.Point]Point

	// Unlike are the places of a lattice of cells that look unlike its cells, in half-cells.
	Unlike []image.Point

	Share    float64   // see lattice
	ToScreen Mat3      // half-cells to pixels of the frame
	Bend     *Bend     // that comes before it, where lines are not straight
	Cylinder *Cylinder // of a pillar, instead of toScreen
}

// Round tells whether the board is, or is one side of, what goes round a cylinder.
func (b *Board) Round() bool { return b.Cylinder != nil }

// ScreenPoint is where a position in half-cells, fractions allowed, is in the
// frame.
func (b *Board) ScreenPoint(x, y float64) Point {
	if b.Cylinder != nil {
		return b.Cylinder.point(x, y)
	}
	p := Point{x, y}
	if b.Bend != nil {
		p = b.Bend.Apply(p)
	}
	return b.ToScreen.Apply(p)
}

// Centre is the middle of the board's corners in the frame.
func (b *Board) Centre() (c Point) {
	for _, p := range b.Quad {
		c.X += p.X / 4
		c.Y += p.Y / 4
	}
	return c
}

// AtBorder is the share of a flat board's sides beside which the picture ends within less
// than half a cell: it may go on there. 0 of what goes round a cylinder.
func (b *Board) AtBorder() (share float64) {
	for side := range 4 {
		if b.nearBorder(side) {
			share += 0.25
		}
	}
	return share
}

// nearBorder tells whether the picture ends within half a cell beside a side: left, right, top, bottom.
func (b *Board) nearBorder(side int) bool {
	at := b.beside(side, float64([]int{b.Rows, b.Rows, b.Cols, b.Cols}[side]), 1)
	return !b.Round() && !b.inFrame(b.ScreenPoint(at.X, at.Y))
}

// beside is the position so far along a side, and so far out from it, in half-cells.
func (b *Board) beside(side int, along, out float64) Point {
	w, h := float64(2*b.Cols), float64(2*b.Rows)
	return [4]Point{{-out, along}, {w + out, along}, {along, -out}, {along, h + out}}[side]
}

func (b *Board) inFrame(p Point) bool {
	return p.X >= 0 && p.Y >= 0 && p.X < float64(b.FrameSize.X) && p.Y < float64(b.FrameSize.Y)
}

// GoesOn is the share of a flat board's sides at which most of its lines go on to the picture's
// border, as far as can be seen. Where nothing is seen beyond the outermost line they may: a picture
// that is cut with care shows the ground there.
func (b *Board) GoesOn() (share float64) {
	for side := range 4 {
		if !b.nearBorder(side) {
			continue
		}
		on, lines := 0, [4]int{b.Rows, b.Rows, b.Cols, b.Cols}[side]+1
		for i := range lines {
			if b.reaches(side, float64(2*i)) {
				on++
			}
		}
		if 2*on > lines {
			share += 0.25
		}
	}
	return share
}

// reaches tells whether a line's colour is seen from a side to the picture's border, and another
// between the lines.
func (b *Board) reaches(side int, along float64) bool {
	inked := func(along, out float64) bool {
		at, half := b.beside(side, along, out), float64(b.Pitch)/2
		c := At(b.Flat, float64(b.Margin)+half*at.X, float64(b.Margin)+half*at.Y)
		return c.Dist(b.Ink) < c.Dist(b.Paper)
	}
	between := along + 1
	if along > 0 {
		between = along - 1
	}
	seen, on := 0, 0
	for out := 1.5*b.Line + 0.05; out < 1 && b.Flat != nil; out += 0.05 {
		at := b.beside(side, along, out)
		if !b.inFrame(b.ScreenPoint(at.X, at.Y)) {
			break
		}
		if seen++; inked(along, out) && !inked(between, out) {
			on++
		}
	}
	return seen == 0 || 4*on > 3*seen
}

// Area is the least rectangle of whole pixels with the board's corners in it.
func (b *Board) Area() (box image.Rectangle) {
	for _, q := range b.Quad {
		at := image.Pt(int(q.X), int(q.Y))
		box = box.Union(image.Rectangle{Min: at, Max: at.Add(image.Pt(1, 1))})
	}
	return box
}

// Place is where a half-cell is in the frame.
func (b *Board) Place(at image.Point) Point {
	if p, ok := b.Places[at]; ok {
		return p
	}
	return b.ScreenPoint(float64(at.X), float64(at.Y))
}

// Screen is the pixel of the frame nearest to a half-cell.
func (b *Board) Screen(at image.Point) image.Point {
	p := b.Place(at)
	return image.Pt(int(math.Round(p.X)), int(math.Round(p.Y)))
}

// Placed is a board that was found by other means than its lines: cols × rows
// cells with their outline in a frame of a size. It has no straightened
// picture.
func Placed(frame image.Point, cols, rows int, quad [4]Point) (*Board, error) {
	w, h := float64(2*cols), float64(2*rows)
	m, err := quadMap(w, h, quad)
	if err != nil {
		return nil, err
	}
	b := &Board{Cols: cols, Rows: rows, Quad: quad, Aspect: 1, FrameSize: frame, ToScreen: m}
	side := func(i, j int, n int) float64 {
		return math.Hypot(quad[i].X-quad[j].X, quad[i].Y-quad[j].Y) / float64(n)
	}
	b.ScreenPitch = min(side(0, 1, cols), side(3, 2, cols), side(0, 3, rows), side(1, 2, rows))
	return b, nil
}

// quadMap maps the rectangle from (0,0) to (w,h) to a quad.
func quadMap(w, h float64, q [4]Point) (Mat3, error) {
	// Heckbert's map of the unit square, with its sides scaled.
	dx1, dx2, dx3 := q[1].X-q[2].X, q[3].X-q[2].X, q[0].X-q[1].X+q[2].X-q[3].X
	dy1, dy2, dy3 := q[1].Y-q[2].Y, q[3].Y-q[2].Y, q[0].Y-q[1].Y+q[2].Y-q[3].Y
	det := dx1*dy2 - dx2*dy1
	if w < 1 || h < 1 || math.Abs(det) < 1e-9 {
		return Mat3{}, errors.New("vision: an outline without area")
	}
	g, k := (dx3*dy2-dx2*dy3)/det, (dx1*dy3-dx3*dy1)/det
	return Mat3{
		(q[1].X - q[0].X + g*q[1].X) / w, (q[3].X - q[0].X + k*q[3].X) / h, q[0].X,
		(q[1].Y - q[0].Y + g*q[1].Y) / w, (q[3].Y - q[0].Y + k*q[3].Y) / h, q[0].Y,
		g / w, k / h, 1,
	}, nil
}
