package locate

import (
	"math"

	"onlooker/vision"
)

// uprights is how far, in half-cells, the middle of a line at the left or right
// border is from the line between its ends.
func uprights(b *vision.Bend) float64 {
	// The square of v, and that times u.
	return max(math.Abs(b.DX[5]-b.DX[8]), math.Abs(b.DX[5]+b.DX[8]))
}

// fitBend finds the bend that takes lines best through the sightings, and says
// how far off the lines are in the middle then, in half-cells.
func fitBend(h vision.Mat3, cols, rows int, seen []vision.Sighting) (*vision.Bend, float64, bool) {
	back, ok := h.Inverse()
	if !ok {
		return nil, 0, false
	}
	b := &vision.Bend{Cols: cols, Rows: rows}
	type moved struct {
		t   [vision.Terms]float64
		off float64
	}
	var along [2][]moved
	for _, s := range seen {
		p := back.Apply(s.P)
		if s.Upright {
			along[0] = append(along[0], moved{b.Products(vision.Point{X: s.At, Y: p.Y}), p.X - s.At})
		} else {
			along[1] = append(along[1], moved{b.Products(vision.Point{X: p.X, Y: s.At}), p.Y - s.At})
		}
	}
	var offs []float64
	for k, to := range [2]*[vision.Terms]float64{&b.DX, &b.DY} {
		left := func(m moved) float64 { // how far off it is with the bend so far
			r := m.off
			for i, v := range m.t {
				r -= to[i] * v
			}
			return r
		}
		for range 4 {
			var all vision.Squares
			for i := range vision.Terms {
				// 0.1 half-cells is as far as a screen was seen to bend, a tenth of
				// that is what a sighting errs by.
				var alone [vision.Terms]float64
				alone[i] = 1
				all.Add(0.01, 0, alone[:]...)
			}
			for _, m := range along[k] {
				r := left(m)
				w := 1 / (1 + (r/0.03)*(r/0.03)) // as in fitLattice
				all.Add(w, m.off, m.t[:]...)
			}
			if x, ok := all.Solve(); ok {
				*to = [vision.Terms]float64(x)
			}
		}
		for _, m := range along[k] {
			offs = append(offs, math.Abs(left(m)))
		}
	}
	// The two sightings of half an edge tell the same, and what is fitted to few is
	// nearer to them than to the lines.
	free := len(seen)/2 - 2*vision.Terms
	if free <= 0 {
		return nil, 0, false
	}
	return b, vision.Median(offs) * math.Sqrt(float64(len(seen)/2)/float64(free)), true
}

// fitLattice finds the projective map from half-cells to the frame that takes
// the lattice's lines through the sightings, beginning from a good guess; it
// weighs down what lies off by more than a pixel or two. It also says how far
// off the sightings are in the middle, in half-cells.
func fitLattice(guess vision.Mat3, seen []vision.Sighting) (vision.Mat3, float64, bool) {
	if len(seen) < 12 {
		return guess, 0, false
	}
	norm, ok := normal(seen)
	if !ok {
		return guess, 0, false
	}
	back, ok := norm.Mul(guess).Inverse() // normalised pixels to half-cells
	if !ok {
		return guess, 0, false
	}
	flat := make([]vision.Sighting, len(seen))
	for i, s := range seen {
		flat[i] = vision.Sighting{P: norm.Apply(s.P), Upright: s.Upright, At: s.At}
	}
	for range 6 {
		if math.Abs(back[8]) < 1e-9 {
			return guess, 0, false
		}
		for i := range back {
			back[i] /= back[8]
		}
		next, ok := back.Nearer(flat, 0.03) // one pixel at 66 pixels a cell
		if !ok {
			return guess, 0, false
		}
		moved := 0.0
		for i := range next {
			moved = max(moved, math.Abs(next[i]-back[i]))
		}
		back = next
		// A hundred-thousandth of a half-cell: what is left is noise.
		if moved < 1e-5 {
			break
		}
	}
	out, ok := back.Mul(norm).Inverse()
	if !ok {
		return guess, 0, false
	}
	for i := range out {
		out[i] /= out[8]
	}
	return out, back.Stray(flat), true
}

// normal is the map that takes the sightings' points to ones round the origin at a
// mean distance of 1; false where they are all one point.
func normal(seen []vision.Sighting) (vision.Mat3, bool) {
	var centre vision.Point
	for _, s := range seen {
		centre.X += s.P.X / float64(len(seen))
		centre.Y += s.P.Y / float64(len(seen))
	}
	scale := 0.0
	for _, s := range seen {
		scale += math.Hypot(s.P.X-centre.X, s.P.Y-centre.Y) / float64(len(seen))
	}
	return vision.Mat3{1 / scale, 0, -centre.X / scale, 0, 1 / scale, -centre.Y / scale, 0, 0, 1}, scale != 0
}
