package grid

import (
	"math"
	"slices"
)

// A Mark is the form that stands in a cell, as a letter or a number does: how
// far each pixel is from the ground, 0 to 1.
type Mark struct {
	W, H int
	Ink  []float64
	// Left and Top are where its box begins, in cell units.
	Left, Top float64
	Colour    Colour
	Contrast  int
	side      int // pixels of the cell
}

// Width and Height are the mark's in cell units.
func (m *Mark) Width() float64  { return float64(m.W) / float64(m.side) }
func (m *Mark) Height() float64 { return float64(m.H) / float64(m.side) }

// rim is how much of a cell at its border is taken up by its lines: what
// reaches into it goes on in the next cell.
const rim = 0.1

// Mark is what stands in a cell and does not reach its border; false for
// nothing.
func (g *Grid) Mark(c, r int) (*Mark, bool) {
	n := g.Side
	x0, y0 := (c+1)*n, (r+1)*n
	ground := g.corner(c, r)
	edge := int(math.Round(rim * float64(n)))
	// What lies beyond a tile is no part of its cell.
	if gap := int(math.Ceil((1 - min(g.Tile[0], g.Tile[1])) / 2 * float64(n))); gap > edge {
		edge = gap
	}
	contrast := make([]int, n*n)
	most := 0
	for y := edge; y < n-edge; y++ {
		for x := edge; x < n-edge; x++ {
			contrast[y*n+x] = g.pixel(x0+x, y0+y).Contrast(ground)
			most = max(most, contrast[y*n+x])
		}
	}
	if most < 2*g.Contrast {
		return nil, false
	}
	seen := make([]bool, n*n)
	keep := make([]bool, n*n)
	var queue []int
	found := false
	left, top, right, bottom := n, n, 0, 0
	// The clearest ink first, so that what is mixed of two belongs to it.
	order := make([]int, 0, n*n)
	for k, v := range contrast {
		if 3*v >= most {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return contrast[b] - contrast[a] })
	for _, start := range order {
		if seen[start] {
			continue
		}
		seen[start] = true
		queue = append(queue[:0], start)
		ink := g.pixel(x0+start%n, y0+start/n)
		out := false
		for k := 0; k < len(queue); k++ {
			x, y := queue[k]%n, queue[k]/n
			out = out || x <= edge || y <= edge || x >= n-edge-1 || y >= n-edge-1
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					u, v := x+dx, y+dy
					if u < edge || v < edge || u >= n-edge || v >= n-edge || seen[v*n+u] || 3*contrast[v*n+u] < most {
						continue
					}
					// A path in a colour of its own that touches a number is no part of it: its
					// colour is no mixture of the number's and the ground's.
					if 6*g.pixel(x0+u, y0+v).offMixture(ground, ink) > most {
						continue
					}
					seen[v*n+u] = true
					queue = append(queue, v*n+u)
				}
			}
		}
		// What hardly rises above where it is cut off is the top of a slope, as the
		// light in a lamp's middle is, and no form.
		if out || len(queue) < 3 || contrast[start] < most/3+g.Contrast {
			continue
		}
		found = true
		for _, k := range queue {
			keep[k] = true
			left, top, right, bottom = min(left, k%n), min(top, k/n), max(right, k%n), max(bottom, k/n)
		}
	}
	if !found {
		return nil, false
	}
	m := &Mark{W: right - left + 1, H: bottom - top + 1, Left: float64(left) / float64(n), Top: float64(top) / float64(n), Contrast: most, side: n}
	m.Ink = make([]float64, m.W*m.H)
	var ink []Colour
	for y := range m.H {
		for x := range m.W {
			k := (top+y)*n + left + x
			// The blur round what was kept belongs to it, what else is near does not.
			near := false
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					if j := k + dy*n + dx; j >= 0 && j < len(keep) && keep[j] {
						near = true
					}
				}
			}
			if near {
				m.Ink[y*m.W+x] = min(1, float64(contrast[k])/float64(most))
			}
			if keep[k] && 10*contrast[k] > 7*most {
				ink = append(ink, g.pixel(x0+left+x, y0+top+y))
			}
		}
	}
	m.Colour = middle(ink)
	return m, true
}

// offMixture is the contrast of a colour with the nearest mixture of two others.
func (c Colour) offMixture(a, b Colour) int {
	dot, all := 0, 0
	for k := range c {
		d := int(b[k]) - int(a[k])
		dot, all = dot+d*(int(c[k])-int(a[k])), all+d*d
	}
	mix := a
	if all > 0 {
		for k := range mix {
			mix[k] = uint8(int(a[k]) + (int(b[k])-int(a[k]))*max(0, min(dot, all))/all)
		}
	}
	return c.Contrast(mix)
}

func (m *Mark) at(x, y int) float64 {
	if x < 0 || y < 0 || x >= m.W || y >= m.H {
		return 0
	}
	return m.Ink[y*m.W+x]
}

// Amount is how many cells' areas of a colour, to some contrast, lie in a cell off
// its border.
func (g *Grid) Amount(c, r int, of Colour, contrast int) float64 {
	n, found := g.Side, 0
	edge := int(math.Round(2 * rim * float64(n)))
	for y := edge; y < n-edge; y++ {
		for x := edge; x < n-edge; x++ {
			if g.pixel((c+1)*n+x, (r+1)*n+y).Contrast(of) <= contrast {
				found++
			}
		}
	}
	return float64(found) / float64(n*n)
}

// Differ is how much of the ink of two marks of one board lies where the other
// has none: 0 for the same form in the same size, 1 for forms that share
// nothing. Shifts of a pixel do not count.
func (m *Mark) Differ(o *Mark) float64 {
	least := 1.0
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			least = min(least, m.differ(o, dx, dy))
		}
	}
	return least
}

func (m *Mark) differ(o *Mark, dx, dy int) float64 {
	apart, all := 0.0, 0.0
	for y := min(0, dy); y < max(m.H, o.H+dy); y++ {
		for x := min(0, dx); x < max(m.W, o.W+dx); x++ {
			a, b := m.at(x, y), o.at(x-dx, y-dy)
			apart += math.Abs(a - b)
			all += a + b
		}
	}
	if all == 0 {
		return 1
	}
	return apart / all
}

// A Piece is a connected part of a mark.
type Piece struct {
	Form Form
	// X and Y are the middle of its box in units of the cell, and W and H its size.
	X, Y, W, H float64
}

// Pieces are a mark's connected parts, less specks, from the left.
func (m *Mark) Pieces() []Piece {
	p := &parts{w: m.W, h: m.H, of: make([]int32, m.W*m.H)}
	for k, v := range m.Ink {
		if v < 0.4 {
			p.of[k] = -1
		}
	}
	p.label()
	most := 0
	for _, q := range p.list {
		most = max(most, q.area)
	}
	var out []Piece
	unit := 1 / float64(m.side)
	for k, q := range p.list {
		if 10*q.area < most {
			continue
		}
		ink := make([]float64, 0, q.box.Dx()*q.box.Dy())
		for y := q.box.Min.Y; y < q.box.Max.Y; y++ {
			for x := q.box.Min.X; x < q.box.Max.X; x++ {
				v := m.Ink[y*m.W+x]
				if of := p.of[y*m.W+x]; of >= 0 && of != int32(k) {
					v = 0
				}
				ink = append(ink, v)
			}
		}
		w, h := q.box.Dx(), q.box.Dy()
		out = append(out, Piece{
			Form: NewForm(ink, w, h), W: float64(w) * unit, H: float64(h) * unit,
			X: m.Left + (float64(q.box.Min.X)+float64(w)/2)*unit, Y: m.Top + (float64(q.box.Min.Y)+float64(h)/2)*unit,
		})
	}
	slices.SortFunc(out, func(a, b Piece) int { return int(math.Copysign(1, a.X-b.X)) })
	return out
}
