package vision

import "math"

// Mat3 is a projective map of the plane, row by row.
type Mat3 [9]float64

func (m Mat3) Apply(p Point) Point {
	w := m[6]*p.X + m[7]*p.Y + m[8]
	return Point{(m[0]*p.X + m[1]*p.Y + m[2]) / w, (m[3]*p.X + m[4]*p.Y + m[5]) / w}
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
func (m Mat3) Inverse() (Mat3, bool) { return m.InverseOver(1e-30) }

// InverseOver is the inverse of a map whose determinant is not as good as nothing: least.
func (m Mat3) InverseOver(least float64) (Mat3, bool) {
	adj := Mat3{
		m[4]*m[8] - m[5]*m[7], m[2]*m[7] - m[1]*m[8], m[1]*m[5] - m[2]*m[4],
		m[5]*m[6] - m[3]*m[8], m[0]*m[8] - m[2]*m[6], m[2]*m[3] - m[0]*m[5],
		m[3]*m[7] - m[4]*m[6], m[1]*m[6] - m[0]*m[7], m[0]*m[4] - m[1]*m[3],
	}
	det := m[0]*adj[0] + m[1]*adj[3] + m[2]*adj[6]
	if math.Abs(det) < least || math.IsNaN(det) {
		return m, false
	}
	for i := range adj {
		adj[i] /= det
	}
	return adj, true
}
