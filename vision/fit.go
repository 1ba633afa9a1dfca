package vision

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
