package vision

import "math"

// Mat3 is a projective map of the plane, row by row.
type Mat3 [9]float64

// Same is the map that takes each place to itself.
func Same() Mat3 { return Mat3{1, 0, 0, 0, 1, 0, 0, 0, 1} }

func (m Mat3) Apply(p Point) Point { return m.At(p.X, p.Y) }

// At is where a map takes a place.
func (m Mat3) At(x, y float64) Point {
	w := m[6]*x + m[7]*y + m[8]
	return Point{(m[0]*x + m[1]*y + m[2]) / w, (m[3]*x + m[4]*y + m[5]) / w}
}

func (m Mat3) Mul(n Mat3) (out Mat3) {
	for r := range 3 {
		for c := range 3 {
			for k := range 3 {
				out[3*r+c] += m[3*r+k] * n[3*k+c]
			}
		}
	}
	return out
}

// Inverse is the inverse of a map, if it has one.
func (m Mat3) Inverse() (Mat3, bool) {
	adj := Mat3{
		m[4]*m[8] - m[5]*m[7], m[2]*m[7] - m[1]*m[8], m[1]*m[5] - m[2]*m[4],
		m[5]*m[6] - m[3]*m[8], m[0]*m[8] - m[2]*m[6], m[2]*m[3] - m[0]*m[5],
		m[3]*m[7] - m[4]*m[6], m[1]*m[6] - m[0]*m[7], m[0]*m[4] - m[1]*m[3],
	}
	det := m[0]*adj[0] + m[1]*adj[3] + m[2]*adj[6]
	if math.Abs(det) < 1e-30 || math.IsNaN(det) {
		return m, false
	}
	for i := range adj {
		adj[i] /= det
	}
	return adj, true
}

// Solve solves linear equations, a row each with what it comes to as its last number, by
// elimination with pivots, of which the least has a size; false where they do not determine
// the unknowns. It changes the rows.
func Solve(a [][]float64, least float64) ([]float64, bool) {
	n := len(a)
	for c := range n {
		best := c
		for r := c + 1; r < n; r++ {
			if math.Abs(a[r][c]) > math.Abs(a[best][c]) {
				best = r
			}
		}
		if a[c], a[best] = a[best], a[c]; !(math.Abs(a[c][c]) >= least) {
			return nil, false
		}
		for r := c + 1; r < n; r++ {
			f := a[r][c] / a[c][c]
			for k := c; k <= n; k++ {
				a[r][k] -= f * a[c][k]
			}
		}
	}
	x := make([]float64, n)
	for c := n - 1; c >= 0; c-- {
		x[c] = a[c][n]
		for k := c + 1; k < n; k++ {
			x[c] -= a[c][k] * x[k]
		}
		x[c] /= a[c][c]
	}
	return x, true
}
