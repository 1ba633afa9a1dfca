package cell

import (
	"cmp"
	"image"
	"math"
	"slices"

	"onlooker/vision"
	"onlooker/vision/grid"
	"onlooker/vision/grid/part"
)

// A Mark is the form that stands in a cell, as a letter or a number does: how
// far each pixel is from the ground, 0 to 1.
type Mark struct {
	W, H int
	Ink  []float64
	// Left and Top are where its box begins, in cell units.
	Left, Top float64
	Colour    part.Colour
	Contrast  int
	side      int // pixels of the cell
	// cut tells at which of Ways what was drawn over the picture may have cut the mark off.
	cut [4]bool
}

// Width and Height are the mark's in cell units.
func (m *Mark) Width() float64 { return float64(m.W) / float64(m.side) }

func (m *Mark) Height() float64 { return float64(m.H) / float64(m.side) }

// Cut tells whether what was drawn over the picture may have cut a mark off.
func (m *Mark) Cut() bool { return m.cut != [4]bool{} }

// MarkIn is what stands in a cell and does not reach its border; false for
// nothing.
func MarkIn(g *grid.Grid, c, r int) (*Mark, bool) {
	s := standIn(g, c, r)
	if s.most < 2*g.Contrast {
		return nil, false
	}
	box := s.forms()
	if box.Empty() {
		return nil, false
	}
	n := float64(s.n)
	m := &Mark{W: box.Dx(), H: box.Dy(), Left: float64(box.Min.X) / n, Top: float64(box.Min.Y) / n, Contrast: s.most, side: s.n}
	m.Ink = make([]float64, m.W*m.H)
	var ink []part.Colour
	for y := range m.H {
		for x := range m.W {
			k := (box.Min.Y+y)*s.n + box.Min.X + x
			// The blur round a form belongs to it, what else is near does not.
			if s.near(k, s.keep) {
				m.Ink[y*m.W+x] = min(1, float64(s.contrast[k])/float64(s.most))
			}
			if s.keep[k] && 10*s.contrast[k] > 7*s.most {
				ink = append(ink, s.pixel(k))
			}
		}
	}
	m.Colour = part.Usual(ink)
	for i, way := range grid.Ways() {
		m.cut[i] = covered(g, c, r, way, m)
	}
	return m, true
}

// covered tells whether a mark comes as near to what was drawn over the picture as that
// hides of it: to two pixels.
func covered(g *grid.Grid, c, r int, way image.Point, m *Mark) bool {
	if g.Bared.Empty() {
		return false
	}
	box := [4]float64{float64(c) + m.Left, float64(r) + m.Top, float64(c) + m.Left + m.Width(), float64(r) + m.Top + m.Height()}
	low, high := g.Pixel(box[0], box[1]), g.Pixel(box[2], box[3])
	const near = 2
	switch way {
	case image.Pt(-1, 0):
		return low.X < float64(g.Bared.Min.X+near)
	case image.Pt(1, 0):
		return high.X > float64(g.Bared.Max.X-near)
	case image.Pt(0, -1):
		return low.Y < float64(g.Bared.Min.Y+near)
	}
	return high.Y > float64(g.Bared.Max.Y-near)
}

// A stand is a cell, n×n pixels, as forms are looked for in it.
type stand struct {
	g        *grid.Grid
	x, y, n  int // its first pixel in the grid's picture, and its side
	edge     int // pixels at its border that are not looked at
	ground   part.Colour
	contrast []int  // of each pixel with the ground; 0 at the border
	most     int    // the greatest of these
	keep     []bool // pixels that are part of a form
}

// standIn measures the contrasts in a cell.
func standIn(g *grid.Grid, c, r int) *stand {
	n := g.Side
	s := &stand{g: g, x: (c + 1) * n, y: (r + 1) * n, n: n, edge: int(math.Round(grid.Rim * float64(n))), ground: g.Ground(c, r), contrast: make([]int, n*n), keep: make([]bool, n*n)}
	// What lies beyond a tile is no part of its cell.
	if gap := int(math.Ceil((1 - min(g.Tile[0], g.Tile[1])) / 2 * float64(n))); gap > s.edge {
		s.edge = gap
	}
	for y := s.edge; y < n-s.edge; y++ {
		for x := s.edge; x < n-s.edge; x++ {
			k := y*n + x
			s.contrast[k] = s.pixel(k).Contrast(s.ground)
			s.most = max(s.most, s.contrast[k])
		}
	}
	return s
}

// pixel is the colour of a pixel, counted row by row.
func (s *stand) pixel(k int) part.Colour { return s.g.FlatPixel(s.x+k%s.n, s.y+k/s.n) }

// forms finds the connected forms that do not reach the border, notes which pixels are
// theirs, and gives the box round them all.
func (s *stand) forms() (box image.Rectangle) {
	seen := make([]bool, s.n*s.n)
	// The clearest ink first, so that what is mixed of two belongs to it.
	order := make([]int, 0, s.n*s.n)
	for k, v := range s.contrast {
		if 3*v >= s.most {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return s.contrast[b] - s.contrast[a] })
	leaving := make([]bool, s.n*s.n) // pixels of forms that reach the border
	var stay [][]int
	var form []int
	for _, first := range order {
		if seen[first] {
			continue
		}
		var out bool
		form, out = s.grow(form[:0], first, seen)
		// What hardly rises above where it is cut off is the top of a slope, as the
		// light in a lamp's middle is, and no form.
		switch {
		case out:
			for _, k := range form {
				leaving[k] = true
			}
		case len(form) >= 3 && s.contrast[first] >= s.most/3+s.g.Contrast:
			stay = append(stay, slices.Clone(form))
		}
	}
	for _, form := range stay {
		// A rim of what reaches the border is no form: a JPEG has its colours in half
		// the size, so that a path's edge is no mixture of its colour and the ground's.
		beside := 0
		for _, k := range form {
			if s.near(k, leaving) {
				beside++
			}
		}
		if 2*beside > len(form) {
			continue
		}
		for _, k := range form {
			s.keep[k] = true
			box = box.Union(image.Rect(k%s.n, k/s.n, k%s.n+1, k/s.n+1))
		}
	}
	return box
}

// grow appends to form, which is empty, the pixels that hang together with the first
// one, and tells whether they reach the border. They are noted as seen.
func (s *stand) grow(form []int, first int, seen []bool) (grown []int, out bool) {
	n, edge := s.n, s.edge
	seen[first] = true
	form = append(form, first)
	ink := s.pixel(first)
	for k := 0; k < len(form); k++ {
		x, y := form[k]%n, form[k]/n
		out = out || s.leaves(x, y)
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				u, v := x+dx, y+dy
				if u < edge || v < edge || u >= n-edge || v >= n-edge || seen[v*n+u] || 3*s.contrast[v*n+u] < s.most {
					continue
				}
				// A path in a colour of its own that touches a number is no part of it: its
				// colour is no mixture of the number's and the ground's.
				if 6*s.pixel(v*n+u).OffMixture(s.ground, ink) > s.most {
					continue
				}
				seen[v*n+u] = true
				form = append(form, v*n+u)
			}
		}
	}
	return form, out
}

// leaves tells whether ink goes on beyond a pixel of the outermost that are looked at:
// what ends there, as the blurred rim of a number in a small cell does, stays inside.
func (s *stand) leaves(x, y int) bool {
	for _, way := range grid.Ways() {
		u, v := x+way.X, y+way.Y
		if inside := u >= s.edge && v >= s.edge && u < s.n-s.edge && v < s.n-s.edge; !inside && 3*s.pixel(v*s.n+u).Contrast(s.ground) >= s.most {
			return true
		}
	}
	return false
}

// near tells whether a pixel is one of some or beside one.
func (s *stand) near(k int, some []bool) bool {
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			if j := k + dy*s.n + dx; j >= 0 && j < len(some) && some[j] {
				return true
			}
		}
	}
	return false
}

// Differ is how much of the ink of two marks of one board lies where the other
// has none: 0 for the same form in the same size, 1 for forms that share
// nothing. Shifts of a pixel do not count. It is the same both ways. Where one is cut off,
// as much of the other is compared.
func (m *Mark) Differ(o *Mark) float64 {
	m, o = m.seenLike(o), o.seenLike(m)
	all := m.ink() + o.ink()
	if all == 0 {
		return 1
	}
	least := 1.0
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			least = min(least, m.apart(o, dx, dy, least*all)/all)
		}
	}
	return least
}

// seenLike is what a mark would show if it were cut off where it or another one is; the
// last pixel before the cut is left out, since blur takes from it.
func (m *Mark) seenLike(o *Mark) *Mark {
	box := image.Rect(0, 0, m.W, m.H)
	for i, way := range grid.Ways() {
		if !m.cut[i] && !o.cut[i] {
			continue
		}
		wide, high := min(m.W, o.W)-1, min(m.H, o.H)-1
		switch way {
		case image.Pt(-1, 0):
			box.Min.X = max(box.Min.X, m.W-wide)
		case image.Pt(1, 0):
			box.Max.X = min(box.Max.X, wide)
		case image.Pt(0, -1):
			box.Min.Y = max(box.Min.Y, m.H-high)
		default:
			box.Max.Y = min(box.Max.Y, high)
		}
	}
	if box == image.Rect(0, 0, m.W, m.H) {
		return m
	}
	ink := image.Rectangle{}
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			if m.Ink[y*m.W+x] > 1.0/3 {
				ink = ink.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	part := &Mark{W: ink.Dx(), H: ink.Dy(), side: m.side}
	for y := ink.Min.Y; y < ink.Max.Y; y++ {
		part.Ink = append(part.Ink, m.Ink[y*m.W+ink.Min.X:y*m.W+ink.Max.X]...)
	}
	return part
}

// apart is how much of the ink of two marks lies where the other has none, at a shift;
// more than most where it is that, but not how much.
func (m *Mark) apart(o *Mark, dx, dy int, most float64) (sum float64) {
	most *= 1.001 // but for rounding
	left, right := min(0, dx), max(m.W, o.W+dx)
	for y := min(0, dy); y < max(m.H, o.H+dy); y++ {
		a, b := m.row(y), o.row(y-dy)
		for x := left; x < right; x++ {
			v := 0.0
			if x >= 0 && x < len(a) {
				v = a[x]
			}
			if k := x - dx; k >= 0 && k < len(b) {
				v -= b[k]
			}
			sum += math.Abs(v)
		}
		if sum > most {
			return math.Inf(1)
		}
	}
	return sum
}

// row is a row of a mark's ink, empty beyond it.
func (m *Mark) row(y int) []float64 {
	if y < 0 || y >= m.H {
		return nil
	}
	return m.Ink[y*m.W : (y+1)*m.W]
}

// ink is the sum of a mark's ink.
func (m *Mark) ink() (sum float64) {
	for _, v := range m.Ink {
		sum += v
	}
	return sum
}

// A Piece is a connected part of a mark.
type Piece struct {
	Form Form
	// X and Y are the middle of its box in units of the cell, and W and H its size.
	X, Y, W, H float64
}

// Pieces are a mark's connected parts, less specks, from the left.
func (m *Mark) Pieces() []Piece {
	p := &part.Parts{W: m.W, H: m.H}
	var inked []vision.Span
	for k, v := range m.Ink {
		x, y := int32(k%m.W), int32(k/m.W)
		switch n := len(inked); {
		case v < 0.4:
		case n > 0 && inked[n-1].Y == y && inked[n-1].X1 == x:
			inked[n-1].X1++
		default:
			inked = append(inked, vision.Span{Y: y, X0: x, X1: x + 1})
		}
	}
	p.Label(inked)
	most := 0
	for _, q := range p.List {
		most = max(most, q.Area)
	}
	var out []Piece
	unit := 1 / float64(m.side)
	for k, q := range p.List {
		if 10*q.Area < most {
			continue
		}
		ink := make([]float64, 0, q.Box.Dx()*q.Box.Dy())
		for y := q.Box.Min.Y; y < q.Box.Max.Y; y++ {
			for x := q.Box.Min.X; x < q.Box.Max.X; x++ {
				v := m.Ink[y*m.W+x]
				if of := p.Of(x, y); of >= 0 && of != int32(k) {
					v = 0
				}
				ink = append(ink, v)
			}
		}
		w, h := q.Box.Dx(), q.Box.Dy()
		out = append(out, Piece{
			Form: NewForm(ink, w, h), W: float64(w) * unit, H: float64(h) * unit,
			X: m.Left + (float64(q.Box.Min.X)+float64(w)/2)*unit, Y: m.Top + (float64(q.Box.Min.Y)+float64(h)/2)*unit,
		})
	}
	slices.SortFunc(out, func(a, b Piece) int { return cmp.Compare(a.X, b.X) })
	return out
}

// onDisc is how much of a blob's radius is looked at for what is written on it:
// farther out its edge is blurred.
const onDisc = 0.85

// LabelOn is what is written on a blob: what stands out from its colour, in the
// smallest box that holds it; false for nothing.
func LabelOn(g *grid.Rectified, c, r int, b Blob) (*Mark, bool) {
	n := g.Side
	mid, reach := float64(n)/2, onDisc*b.Radius*float64(n)
	contrast := make([]int, n*n)
	most := 0
	for k := range contrast {
		if math.Hypot(float64(k%n)+0.5-mid, float64(k/n)+0.5-mid) > reach {
			continue
		}
		contrast[k] = g.FlatPixel((c+1)*n+k%n, (r+1)*n+k/n).Contrast(b.Colour)
		most = max(most, contrast[k])
	}
	if most < 2*g.Contrast {
		return nil, false
	}
	var box image.Rectangle
	for k, v := range contrast {
		if 3*v >= most {
			box = box.Union(image.Rect(k%n, k/n, k%n+1, k/n+1))
		}
	}
	m := &Mark{W: box.Dx(), H: box.Dy(), Left: float64(box.Min.X) / float64(n), Top: float64(box.Min.Y) / float64(n), Contrast: most, side: n}
	var ink []part.Colour
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			v := contrast[y*n+x]
			m.Ink = append(m.Ink, float64(v)/float64(most))
			if 10*v > 7*most {
				ink = append(ink, g.FlatPixel((c+1)*n+x, (r+1)*n+y))
			}
		}
	}
	m.Colour = part.Usual(ink)
	return m, true
}
