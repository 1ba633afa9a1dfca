package grid

import (
	"fmt"
	"image"
	"math"

	"onlooker/vision"
)

// The straightened board has cells of leastCell to mostCell pixels: as many as
// in the frame where that is between them.
const leastCell, mostCell = 20, 48

// Straighten fills Flat, once.
func (g *Grid) Straighten() {
	pitch := max(g.Pitch[0], g.Pitch[1])
	side := int(max(leastCell, min(mostCell, math.Round(pitch))))
	if g.Flat != nil && g.Side == side {
		return
	}
	g.Side = side
	// Several samples a pixel where the board is reduced, so that thin lines
	// are not lost.
	n := max(1, int(math.Ceil(pitch/float64(g.Side)-0.05)))
	w, h := (g.Cols+2)*g.Side, (g.Rows+2)*g.Side
	flat := image.NewRGBA(image.Rect(0, 0, w, h))
	if g.upright() && !g.Hex && g.to[0]*g.to[8] > 0 && g.to[4]*g.to[8] > 0 {
		g.reduce(flat, n)
	} else {
		g.warp(flat, n)
	}
	g.Flat = flat
	if g.Hex {
		g.cutHexagons()
	}
}

// warp draws a straightened picture from n×n samples a pixel.
func (g *Grid) warp(flat *image.RGBA, n int) {
	vision.SideBySide(flat.Rect.Dy(), func(y int) {
		for x := range flat.Rect.Dx() {
			var sum vision.RGB
			for k := range n * n {
				u := (float64(x)+(float64(k%n)+0.5)/float64(n))/float64(g.Side) - 1
				v := (float64(y)+(float64(k/n)+0.5)/float64(n))/float64(g.Side) - 1
				p := g.to.apply(g.place(u, v))
				sum = sum.Add(vision.At(g.Scene.Frame, p.X, p.Y))
			}
			setMean(flat.Pix[flat.PixOffset(x, y):], &sum, n)
		}
	})
}

// setMean sets a pixel to the mean of n×n samples.
func setMean(pix []uint8, sum *vision.RGB, n int) {
	switch all := float64(n * n); {
	case n&(n-1) == 0: // as exact as dividing, and faster
		part := 1 / all
		for c, v := range sum {
			pix[c] = uint8(v*part + 0.5)
		}
	default:
		for c, v := range sum {
			pix[c] = uint8(v/all + 0.5)
		}
	}
	pix[3] = 255
}

// A mixture is of which pixels in a row, or rows, another one is the sum, and how much
// of each, from the first on.
type mixture struct {
	first int
	parts []float64
}

// mixtures are the mixtures of size pixels that take n samples each, of size of pixels
// of the frame; at is where a place in cell units lies there. Samples lie between a
// pixel and the next, those outside on the border.
func (g *Grid) mixtures(size, n, of int, at func(u float64) float64) []mixture {
	out := make([]mixture, size)
	for i := range out {
		m := &out[i]
		for k := range n {
			u := (float64(i)+(float64(k)+0.5)/float64(n))/float64(g.Side) - 1
			p := max(0, min(at(u), float64(of-1)))
			j := min(int(p), max(of-2, 0))
			if k == 0 {
				m.first = j
			}
			for len(m.parts) < min(j+2, of)-m.first {
				m.parts = append(m.parts, 0)
			}
			share := p - float64(j)
			m.parts[j-m.first] += 1 - share
			if share > 0 {
				m.parts[j-m.first+1] += share
			}
		}
	}
	return out
}

// reduce is warp for an upright lattice: samples of a row, and of a column, lie in
// line in the frame too. The same picture comes out, in a tenth of the time.
func (g *Grid) reduce(flat *image.RGBA, n int) {
	frame, w, h := g.Scene.Frame, flat.Rect.Dx(), flat.Rect.Dy()
	across := g.mixtures(w, n, g.Scene.W, func(u float64) float64 { return g.to.apply(u, 0).X })
	down := g.mixtures(h, n, g.Scene.H, func(v float64) float64 { return g.to.apply(0, v).Y })
	// mixed is a row of the frame by the columns' mixtures.
	mixed := func(out []vision.RGB, y int) {
		row := frame.Pix[y*frame.Stride:]
		for x, m := range across {
			if len(m.parts) == 2 { // as of one sample
				a, z := m.parts[0], m.parts[1]
				p := row[4*m.first : 4*m.first+7 : 4*m.first+7]
				out[x] = vision.RGB{a*float64(p[0]) + z*float64(p[4]), a*float64(p[1]) + z*float64(p[5]), a*float64(p[2]) + z*float64(p[6])}
				continue
			}
			var sum vision.RGB
			from := row[4*m.first : 4*(m.first+len(m.parts))]
			for k, part := range m.parts {
				p := from[4*k : 4*k+3 : 4*k+3]
				sum[0], sum[1], sum[2] = sum[0]+part*float64(p[0]), sum[1]+part*float64(p[1]), sum[2]+part*float64(p[2])
			}
			out[x] = sum
		}
	}
	const band = 16 // rows that share what they have mixed
	vision.SideBySide((h+band-1)/band, func(i int) {
		// Each row of the frame is mixed once, and the last few are kept.
		kept, of := [][]vision.RGB{}, []int{}
		row := func(y int) []vision.RGB {
			k := y % len(kept)
			if of[k] != y {
				mixed(kept[k], y)
				of[k] = y
			}
			return kept[k]
		}
		sums := make([]vision.RGB, w)
		for y := i * band; y < min(h, (i+1)*band); y++ {
			m := down[y]
			for len(kept) < len(m.parts)+1 {
				kept, of = append(kept, make([]vision.RGB, w)), append(of, -1)
				for k := range of {
					of[k] = -1 // elsewhere now
				}
			}
			clear(sums)
			for k, part := range m.parts {
				for x, c := range row(m.first + k) {
					s := &sums[x]
					s[0], s[1], s[2] = s[0]+part*c[0], s[1]+part*c[1], s[2]+part*c[2]
				}
			}
			for x := range sums {
				setMean(flat.Pix[flat.PixOffset(x, y):], &sums[x], n)
			}
		}
	})
}

// Colour is the straightened picture's colour at a position in cell units.
func (g *Grid) Colour(x, y float64) Colour {
	px := max(0, min(g.Flat.Rect.Dx()-1, int((x+1)*float64(g.Side))))
	py := max(0, min(g.Flat.Rect.Dy()-1, int((y+1)*float64(g.Side))))
	i := g.Flat.PixOffset(px, py)
	return Colour(g.Flat.Pix[i : i+3])
}

// A Colour is red, green and blue.
type Colour [3]uint8

// Contrast is the largest difference of two colours in a channel.
func (c Colour) Contrast(d Colour) int {
	most := 0
	for k := range c {
		e := int(c[k]) - int(d[k])
		most = max(most, e, -e)
	}
	return most
}

// apart is the squared distance of two colours.
func (c Colour) apart(d Colour) int {
	sum := 0
	for k := range c {
		e := int(c[k]) - int(d[k])
		sum += e * e
	}
	return sum
}

// Distance is how far two colours are apart.
func (c Colour) Distance(d Colour) float64 { return math.Sqrt(float64(c.apart(d))) }

// middle is the median of each channel.
func middle(list []Colour) Colour {
	if n := len(list); n > 0 && n <= len(few{}) {
		var out Colour
		var v few
		for k := range out {
			for i, c := range list {
				v[i] = c[k]
			}
			out[k] = v.middle(n)
		}
		return out
	}
	var counts [3][256]int
	for _, c := range list {
		counts[0][c[0]]++
		counts[1][c[1]]++
		counts[2][c[2]]++
	}
	return median(&counts)
}

// few are so many values that sorting them is faster than counting.
type few [32]uint8

// middle is the median of the first n values; it sorts them.
func (v *few) middle(n int) uint8 {
	for i := 1; i < n; i++ {
		x, k := v[i], i
		for ; k > 0 && v[k-1] > x; k-- {
			v[k] = v[k-1]
		}
		v[k] = x
	}
	return v[n/2]
}

// median is the median of each channel, from how often each of its values is there;
// black where none is.
func median(counts *[3][256]int) Colour {
	var out Colour
	for k := range out {
		all, sum := 0, 0
		for _, n := range counts[k] {
			all += n
		}
		for v, n := range counts[k] {
			if sum += n; 2*sum > all {
				out[k] = uint8(v)
				break
			}
		}
	}
	return out
}

// Luminance is how bright a colour looks, 0 to 255.
func (c Colour) Luminance() float64 {
	return 0.299*float64(c[0]) + 0.587*float64(c[1]) + 0.114*float64(c[2])
}

// Tint is the usual colour of a cell's tile.
func (g *Grid) Tint(c, r int) Colour {
	var list []Colour
	n := g.Side
	for y := range n {
		for x := range n {
			if math.Abs((float64(x)+0.5)/float64(n)-0.5) < 0.4*g.Tile[0] && math.Abs((float64(y)+0.5)/float64(n)-0.5) < 0.4*g.Tile[1] {
				list = append(list, g.pixel((c+1)*n+x, (r+1)*n+y))
			}
		}
	}
	return middle(list)
}

// Usual is the median of each channel.
func Usual(list []Colour) Colour { return middle(list) }

// Nearest is how nearly a colour has the hue of one of some, written #rrggbb:
// the largest cosine of the angle between them, 1 being the same hue in any
// brightness. What is not written so is passed over.
func (c Colour) Nearest(named []string) float64 {
	best := -1.0
	for _, n := range named {
		var d Colour
		if k, err := fmt.Sscanf(n, "#%02x%02x%02x", &d[0], &d[1], &d[2]); err != nil || k != 3 {
			continue
		}
		dot, cc, dd := 0.0, 0.0, 0.0
		for k := range c {
			x, y := float64(c[k]), float64(d[k])
			dot, cc, dd = dot+x*y, cc+x*x, dd+y*y
		}
		if cc > 0 && dd > 0 {
			best = max(best, dot/math.Sqrt(cc*dd))
		}
	}
	return best
}

// Turned is the cosine of the angle between two colours as seen from a third: 1 where
// they are mixed of that and of one more.
func (c Colour) Turned(d, from Colour) float64 {
	dot, cc, dd := 0.0, 0.0, 0.0
	for k := range c {
		x, y := float64(c[k])-float64(from[k]), float64(d[k])-float64(from[k])
		dot, cc, dd = dot+x*y, cc+x*x, dd+y*y
	}
	if cc == 0 || dd == 0 {
		return 0
	}
	return dot / math.Sqrt(cc*dd)
}
