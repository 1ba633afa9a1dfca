package vision

import (
	"errors"
	"image"
	"math"
)

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
