package vision

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
