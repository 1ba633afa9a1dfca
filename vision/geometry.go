package vision

import (
	"errors"
	"math"
)

// mat3 is a projective map of the plane, row by row.
type mat3 [9]float64

func (m mat3) apply(p Point) Point {
	w := m[6]*p.X + m[7]*p.Y + m[8]
	return Point{(m[0]*p.X + m[1]*p.Y + m[2]) / w, (m[3]*p.X + m[4]*p.Y + m[5]) / w}
}

func (m mat3) mul(n mat3) (out mat3) {
	for r := range 3 {
		for c := range 3 {
			for k := range 3 {
				out[3*r+c] += m[3*r+k] * n[3*k+c]
			}
		}
	}
	return out
}

var errSingular = errors.New("vision: a map without inverse")

func (m mat3) inverse() (mat3, error) {
	adj := mat3{
		m[4]*m[8] - m[5]*m[7], m[2]*m[7] - m[1]*m[8], m[1]*m[5] - m[2]*m[4],
		m[5]*m[6] - m[3]*m[8], m[0]*m[8] - m[2]*m[6], m[2]*m[3] - m[0]*m[5],
		m[3]*m[7] - m[4]*m[6], m[1]*m[6] - m[0]*m[7], m[0]*m[4] - m[1]*m[3],
	}
	det := m[0]*adj[0] + m[1]*adj[3] + m[2]*adj[6]
	if math.Abs(det) < 1e-30 || math.IsNaN(det) {
		return m, errSingular
	}
	for i := range adj {
		adj[i] /= det
	}
	return adj, nil
}

type vec3 [3]float64

func (a vec3) cross(b vec3) vec3 {
	return vec3{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

func (a vec3) dot(b vec3) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

// leastEigenvector of a symmetric 3×3 matrix, of length 1, by Jacobi rotations.
func leastEigenvector(a [3][3]float64) vec3 {
	v := [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	for range 30 {
		p, q := 0, 1
		for _, pq := range [][2]int{{0, 2}, {1, 2}} {
			if math.Abs(a[pq[0]][pq[1]]) > math.Abs(a[p][q]) {
				p, q = pq[0], pq[1]
			}
		}
		if math.Abs(a[p][q]) < 1e-15*(math.Abs(a[0][0])+math.Abs(a[1][1])+math.Abs(a[2][2])) {
			break
		}
		theta := (a[q][q] - a[p][p]) / (2 * a[p][q])
		t := 1 / (math.Abs(theta) + math.Sqrt(theta*theta+1))
		if theta < 0 {
			t = -t
		}
		c := 1 / math.Sqrt(t*t+1)
		s := t * c
		for k := range 3 {
			a[k][p], a[k][q] = c*a[k][p]-s*a[k][q], s*a[k][p]+c*a[k][q]
		}
		for k := range 3 {
			a[p][k], a[q][k] = c*a[p][k]-s*a[q][k], s*a[p][k]+c*a[q][k]
		}
		for k := range 3 {
			v[k][p], v[k][q] = c*v[k][p]-s*v[k][q], s*v[k][p]+c*v[k][q]
		}
	}
	i := 0
	for k := 1; k < 3; k++ {
		if a[k][k] < a[i][i] {
			i = k
		}
	}
	return vec3{v[0][i], v[1][i], v[2][i]}
}

// solve8 solves the normal equations of eight unknowns by elimination with
// pivots; false when they do not determine the unknowns.
func solve8(a [8][9]float64) ([8]float64, bool) {
	var x [8]float64
	for c := range 8 {
		best := c
		for r := c + 1; r < 8; r++ {
			if math.Abs(a[r][c]) > math.Abs(a[best][c]) {
				best = r
			}
		}
		if math.Abs(a[best][c]) < 1e-14 || math.IsNaN(a[best][c]) {
			return x, false
		}
		a[c], a[best] = a[best], a[c]
		for r := c + 1; r < 8; r++ {
			f := a[r][c] / a[c][c]
			for k := c; k < 9; k++ {
				a[r][k] -= f * a[c][k]
			}
		}
	}
	for c := 7; c >= 0; c-- {
		x[c] = a[c][8]
		for k := c + 1; k < 8; k++ {
			x[c] -= a[c][k] * x[k]
		}
		x[c] /= a[c][c]
	}
	return x, true
}

// A sighting is a point of the frame that lies on a line of the lattice:
// x = at (half-cells) where vertical, else y = at.
type sighting struct {
	p        Point
	vertical bool
	at       float64
}

// fitLattice finds the projective map from half-cells to the frame that takes
// the lattice's lines through the sightings, beginning from a good guess; it
// weighs down what lies off by more than a pixel or two. It also says how far
// off the sightings are in the middle, in half-cells.
func fitLattice(guess mat3, seen []sighting) (mat3, float64, bool) {
	if len(seen) < 12 {
		return guess, 0, false
	}
	norm, ok := normal(seen)
	if !ok {
		return guess, 0, false
	}
	back, err := norm.mul(guess).inverse() // normalised pixels to half-cells
	if err != nil {
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
	out, err := back.mul(norm).inverse()
	if err != nil {
		return guess, 0, false
	}
	for i := range out {
		out[i] /= out[8]
	}
	offs := make([]float64, len(seen))
	for i, s := range seen {
		got := back.apply(norm.apply(s.p))
		offs[i] = math.Abs(got.X - s.at)
		if !s.vertical {
			offs[i] = math.Abs(got.Y - s.at)
		}
	}
	return out, Median(offs), true
}

// normal is the map that takes the sightings' points to ones round the origin at a
// mean distance of 1; false where they are all one point.
func normal(seen []sighting) (mat3, bool) {
	var centre Point
	for _, s := range seen {
		centre.X += s.p.X / float64(len(seen))
		centre.Y += s.p.Y / float64(len(seen))
	}
	scale := 0.0
	for _, s := range seen {
		scale += math.Hypot(s.p.X-centre.X, s.p.Y-centre.Y) / float64(len(seen))
	}
	return mat3{1 / scale, 0, -centre.X / scale, 0, 1 / scale, -centre.Y / scale, 0, 0, 1}, scale != 0
}

// nearer is one step of the fit: the map from normalised pixels to half-cells, its
// last element 1 as in back, that leaves the least sum of squares, where each sighting
// is weighed by how near back takes it to its line.
func nearer(back, norm mat3, seen []sighting) (mat3, bool) {
	// Of an upright line's equation the second three terms are zero, of a
	// level one's the first three: what is summed for either is a 6×6 square.
	var sums [2][6][6]float64
	for _, s := range seen {
		p := norm.apply(s.p)
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
	var a [8][9]float64
	for k, sum := range sums {
		at := [6]int{3 * k, 3*k + 1, 3*k + 2, 6, 7, 8}
		for i := range 5 {
			for j := range at {
				a[at[i]][at[j]] += sum[min(i, j)][max(i, j)]
			}
		}
	}
	x, ok := solve8(a)
	return mat3{x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], 1}, ok
}
