package flow

import (
	"fmt"
	"image"

	"onlooker/vision"
	"onlooker/vision/grid"
)

// walls are the borders between two cells that are drawn heavier than the
// usual line.
func (r *reading) walls() ([][2]image.Point, error) {
	type border struct {
		a, b image.Point
		seam grid.Seam
	}
	var borders []border
	var weights []float64
	for i := range r.g.Has {
		a := r.cell(i)
		for _, way := range []image.Point{{1, 0}, {0, 1}} {
			b := a.Add(way)
			if !r.g.At(a.X, a.Y) || !r.g.At(b.X, b.Y) {
				continue
			}
			s := r.g.Seam(a.X, a.Y, way)
			borders = append(borders, border{a, b, s})
			weights = append(weights, s.Weight)
		}
	}
	usual := max(vision.Median(weights), 0.3/float64(255)) // a line that cannot be seen
	var out [][2]image.Point
	for _, b := range borders {
		switch w := b.seam.Weight / usual; {
		case w >= thickWall:
			out = append(out, [2]image.Point{b.a, b.b})
		case w > thinWall:
			return nil, r.unsure(b.a.Y*r.g.Cols+b.a.X, fmt.Sprintf("a wall or a line beside the cell, %.2f of the usual", w))
		}
	}
	return out, nil
}
