package vision

import "math"

// A bend is how a board's lines run where its screen is not flat, or the lens
// that saw it bends straight lines: by so much is a place moved, before the
// projective map, as polynomials of third degree.
type bend struct {
	Cols, Rows int
	DX, DY     [terms]float64
}

// terms is how many products of up to three coordinates there are.
const terms = 10

// apply moves a place in half-cells.
func (b *bend) apply(p Point) Point {
	t := b.products(p)
	for i, v := range t {
		p.X += b.DX[i] * v
		p.Y += b.DY[i] * v
	}
	return p
}

// products of a place's coordinates, which are -1 and 1 at the board's borders.
// Beyond 1.3, where caps end, the lines are taken to go on as they are there.
func (b *bend) products(p Point) [terms]float64 {
	u := max(-1.3, min(1.3, p.X/float64(b.Cols)-1))
	v := max(-1.3, min(1.3, p.Y/float64(b.Rows)-1))
	return [terms]float64{1, u, v, u * u, u * v, v * v, u * u * u, u * u * v, u * v * v, v * v * v}
}

// uprights is how far, in half-cells, the middle of a line at the left or right
// border is from the line between its ends.
func (b *bend) uprights() float64 {
	// The square of v, and that times u.
	return max(math.Abs(b.DX[5]-b.DX[8]), math.Abs(b.DX[5]+b.DX[8]))
}

// fitBend finds the bend that takes lines best through the sightings, and says
// how far off the lines are in the middle then, in half-cells.
func fitBend(h mat3, cols, rows int, seen []sighting) (*bend, float64, bool) {
	back, err := h.inverse()
	if err != nil {
		return nil, 0, false
	}
	b := &bend{Cols: cols, Rows: rows}
	type moved struct {
		t   [terms]float64
		off float64
	}
	var along [2][]moved
	for _, s := range seen {
		p := back.apply(s.p)
		if s.vertical {
			along[0] = append(along[0], moved{b.products(Point{s.at, p.Y}), p.X - s.at})
		} else {
			along[1] = append(along[1], moved{b.products(Point{p.X, s.at}), p.Y - s.at})
		}
	}
	var offs []float64
	for k, to := range [2]*[terms]float64{&b.DX, &b.DY} {
		left := func(m moved) float64 { // how far off it is with the bend so far
			r := m.off
			for i, v := range m.t {
				r -= to[i] * v
			}
			return r
		}
		for range 4 {
			var a [terms][terms + 1]float64
			for i := range a {
				// 0.1 half-cells is as far as a screen was seen to bend, a tenth of
				// that is what a sighting errs by.
				a[i][i] = 0.01
			}
			for _, m := range along[k] {
				r := left(m)
				w := 1 / (1 + (r/0.03)*(r/0.03)) // as in fitLattice
				for i, v := range m.t {
					for j := i; j < terms; j++ {
						a[i][j] += w * v * m.t[j]
					}
					a[i][terms] += w * v * m.off
				}
			}
			*to = solveSymmetric(a)
		}
		for _, m := range along[k] {
			offs = append(offs, math.Abs(left(m)))
		}
	}
	// The two sightings of half an edge tell the same, and what is fitted to few is
	// nearer to them than to the lines.
	free := len(seen)/2 - 2*terms
	if free <= 0 {
		return nil, 0, false
	}
	return b, Median(offs) * math.Sqrt(float64(len(seen)/2)/float64(free)), true
}

// solveSymmetric solves normal equations of which the upper half is given, and
// that are positive definite.
func solveSymmetric(a [terms][terms + 1]float64) (x [terms]float64) {
	for c := range terms {
		for r := range c {
			a[c][r] = a[r][c]
		}
	}
	for c := range terms {
		for r := c + 1; r < terms; r++ {
			f := a[r][c] / a[c][c]
			for k := c; k <= terms; k++ {
				a[r][k] -= f * a[c][k]
			}
		}
	}
	for c := terms - 1; c >= 0; c-- {
		x[c] = a[c][terms]
		for k := c + 1; k < terms; k++ {
			x[c] -= a[c][k] * x[k]
		}
		x[c] /= a[c][c]
	}
	return x
}
