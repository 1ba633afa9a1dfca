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
func fitBend(h vision.Mat3, cols, rows int, seen []sighting) (*vision.Bend, float64, bool) {
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
		p := back.Apply(s.p)
		if s.vertical {
			along[0] = append(along[0], moved{b.Products(vision.Point{X: s.at, Y: p.Y}), p.X - s.at})
		} else {
			along[1] = append(along[1], moved{b.Products(vision.Point{X: p.X, Y: s.at}), p.Y - s.at})
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
			a := equations(vision.Terms)
			for i := range a {
				// 0.1 half-cells is as far as a screen was seen to bend, a tenth of
				// that is what a sighting errs by.
				a[i][i] = 0.01
			}
			for _, m := range along[k] {
				r := left(m)
				w := 1 / (1 + (r/0.03)*(r/0.03)) // as in fitLattice
				for i, v := range m.t {
					for j, u := range m.t {
						a[i][j] += w * v * u
					}
					a[i][vision.Terms] += w * v * m.off
				}
			}
			if x, ok := vision.Solve(a, leastPivot); ok {
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

// A sighting is a point of the frame that lies on a line of the lattice:
// x = at (half-cells) where vertical, else y = at.
type sighting struct {
	p        vision.Point
	vertical bool
	at       float64
}

// fitLattice finds the projective map from half-cells to the frame that takes
// the lattice's lines through the sightings, beginning from a good guess; it
// weighs down what lies off by more than a pixel or two. It also says how far
// off the sightings are in the middle, in half-cells.
func fitLattice(guess vision.Mat3, seen []sighting) (vision.Mat3, float64, bool) {
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
	for range 6 {
		if math.Abs(back[8]) < 1e-9 {
			return guess, 0, false
		}
		for i := range back {
			back[i] /= back[8]
		}
		next, ok := nearer(back, norm, seen)
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
	offs := make([]float64, len(seen))
	for i, s := range seen {
		got := back.Apply(norm.Apply(s.p))
		offs[i] = math.Abs(got.X - s.at)
		if !s.vertical {
			offs[i] = math.Abs(got.Y - s.at)
		}
	}
	return out, vision.Median(offs), true
}

// normal is the map that takes the sightings' points to ones round the origin at a
// mean distance of 1; false where they are all one point.
func normal(seen []sighting) (vision.Mat3, bool) {
	var centre vision.Point
	for _, s := range seen {
		centre.X += s.p.X / float64(len(seen))
		centre.Y += s.p.Y / float64(len(seen))
	}
	scale := 0.0
	for _, s := range seen {
		scale += math.Hypot(s.p.X-centre.X, s.p.Y-centre.Y) / float64(len(seen))
	}
	return vision.Mat3{1 / scale, 0, -centre.X / scale, 0, 1 / scale, -centre.Y / scale, 0, 0, 1}, scale != 0
}

// nearer is one step of the fit: the map from normalised pixels to half-cells, its
// last element 1 as in back, that leaves the least sum of squares, where each sighting
// is weighed by how near back takes it to its line.
func nearer(back, norm vision.Mat3, seen []sighting) (vision.Mat3, bool) {
	// Of an upright line's equation the second three terms are zero, of a
	// level one's the first three: what is summed for either is a 6×6 square.
	var sums [2][6][6]float64
	for _, s := range seen {
		p := norm.Apply(s.p)
		den := back[6]*p.X + back[7]*p.Y + 1
		got := (back[3]*p.X + back[4]*p.Y + back[5]) / den
		sum := &sums[1]
		if s.vertical {
			got = (back[0]*p.X + back[1]*p.Y + back[2]) / den
			sum = &sums[0]
		}
		off := got - s.at
		// 0.03 half-cells: one pixel at 66 pixels a cell.
		w := 1 / (1 + (off/0.03)*(off/0.03)) / (den * den)
		row := [6]float64{p.X, p.Y, 1, -s.at * p.X, -s.at * p.Y, s.at}
		for i := range row {
			v := w * row[i]
			for j := i; j < len(row); j++ {
				sum[i][j] += v * row[j]
			}
		}
	}
	a := equations(8)
	for k, sum := range sums {
		at := [6]int{3 * k, 3*k + 1, 3*k + 2, 6, 7, 8}
		for i := range 5 {
			for j := range at {
				a[at[i]][at[j]] += sum[min(i, j)][max(i, j)]
			}
		}
	}
	x, ok := vision.Solve(a, leastPivot)
	if !ok {
		return back, false
	}
	return vision.Mat3(append(x, 1)), true
}

// leastPivot is what still determines an unknown.
const leastPivot = 1e-14

// equations are those of n unknowns, all zeros.
func equations(n int) [][]float64 {
	a, all := make([][]float64, n), make([]float64, n*(n+1))
	for i := range a {
		a[i] = all[i*(n+1):][:n+1]
	}
	return a
}
