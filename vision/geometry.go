package vision

import "math"

// Mat3 is a projective map of the plane, row by row.
type Mat3 [9]float64

// Same is the map that takes each place to itself.
func Same() Mat3 { return Mat3{1, 0, 0, 0, 1, 0, 0, 0, 1} }

// Shift is the map that moves each place by as much.
func Shift(x, y float64) Mat3 { return Mat3{1, 0, x, 0, 1, y, 0, 0, 1} }

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

// A bend is how a board's lines run where its screen is not flat, or the lens
// that saw it bends straight lines: by so much is a place moved, before the
// projective map, as polynomials of third degree.
type Bend struct {
	Cols, Rows int
	DX, DY     [Terms]float64
}

// Terms is how many products of up to three coordinates there are.
const Terms = 10

// Apply moves a place in half-cells.
func (b *Bend) Apply(p Point) Point {
	t := b.Products(p)
	for i, v := range t {
		p.X += b.DX[i] * v
		p.Y += b.DY[i] * v
	}
	return p
}

// Products of a place's coordinates, which are -1 and 1 at the board's borders.
// Beyond 1.3, where caps end, the lines are taken to go on as they are there.
func (b *Bend) Products(p Point) [Terms]float64 {
	u := max(-1.3, min(1.3, p.X/float64(b.Cols)-1))
	v := max(-1.3, min(1.3, p.Y/float64(b.Rows)-1))
	return [Terms]float64{1, u, v, u * u, u * v, v * v, u * u * u, u * u * v, u * v * v, v * v * v}
}

// leastPivot is what still determines an unknown.
const leastPivot = 1e-14

// Squares are equations, row·v = want, of which the v of least squares is wanted, by their
// normal equations.
type Squares struct {
	N   int // equations
	sum [][]float64
}

// Add has an equation count so much.
func (s *Squares) Add(weight, want float64, row ...float64) {
	if s.sum == nil {
		s.sum = make([][]float64, len(row))
		for i := range s.sum {
			s.sum[i] = make([]float64, len(row)+1)
		}
	}
	s.N++
	for i, v := range row {
		v *= weight
		for j, w := range row {
			s.sum[i][j] += v * w
		}
		s.sum[i][len(row)] += v * want
	}
}

// Solve is the v; false where the equations do not determine it. It is called once.
func (s *Squares) Solve() ([]float64, bool) {
	x, ok := Solve(s.sum, leastPivot)
	return x, ok && s.N > 0
}

// A Trend is the straight line of least squares through places, y = at + slope·x.
type Trend struct{ n, x, y, xx, xy float64 }

// Add has a place count so much.
func (t *Trend) Add(weight, x, y float64) {
	t.n += weight
	t.x, t.y = t.x+weight*x, t.y+weight*y
	t.xx, t.xy = t.xx+weight*x*x, t.xy+weight*x*y
}

// Line is where the line begins and how it rises; false where all places are at one x.
func (t *Trend) Line() (at, slope float64, ok bool) {
	det := t.n*t.xx - t.x*t.x
	slope = (t.n*t.xy - t.x*t.y) / det
	return (t.y - slope*t.x) / t.n, slope, det > 1e-9
}

// A Sighting is a place that a projective map is to take to a line: to x = At where that is
// upright, else to y = At.
type Sighting struct {
	P       Point
	Upright bool
	At      float64
}

// Off is how far from its line a map takes a sighting's place.
func (s Sighting) Off(m Mat3) float64 {
	p := m.Apply(s.P)
	if s.Upright {
		return p.X - s.At
	}
	return p.Y - s.At
}

// Stray is how far from their lines a map usually takes sightings.
func (m Mat3) Stray(seen []Sighting) float64 {
	offs := make([]float64, len(seen))
	for i, s := range seen {
		offs[i] = math.Abs(s.Off(m))
	}
	return Median(offs)
}

// Nearer is one step of the fit of a projective map to sightings, by least squares: a map whose
// last number is 1, as it was. A sighting that the map so far takes half off counts half.
func (m Mat3) Nearer(seen []Sighting, half float64) (Mat3, bool) {
	// Of an upright line's equation the second three terms are zero, of a
	// level one's the first three: what is summed for either is a 6×6 square.
	var sums [2][6][6]float64
	for _, s := range seen {
		off, den, sum := s.Off(m)/half, m[6]*s.P.X+m[7]*s.P.Y+1, &sums[1]
		if s.Upright {
			sum = &sums[0]
		}
		w := 1 / (1 + off*off) / (den * den)
		row := [6]float64{s.P.X, s.P.Y, 1, -s.At * s.P.X, -s.At * s.P.Y, s.At}
		for i := range row {
			v := w * row[i]
			for j := i; j < len(row); j++ {
				sum[i][j] += v * row[j]
			}
		}
	}
	a := make([][]float64, 8)
	for i := range a {
		a[i] = make([]float64, 9)
	}
	for k, sum := range sums {
		at := [6]int{3 * k, 3*k + 1, 3*k + 2, 6, 7, 8}
		for i := range 5 {
			for j := range at {
				a[at[i]][at[j]] += sum[min(i, j)][max(i, j)]
			}
		}
	}
	x, ok := Solve(a, leastPivot)
	if !ok {
		return m, false
	}
	return Mat3(append(x, 1)), true
}
