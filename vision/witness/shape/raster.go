package shape

import (
	"image"
	"math"

	"onlooker/vision"
	"onlooker/vision/cv"
)

// Depths are how many steps each place of a mask is within its outline: what is
// covered by half, and, unless it is solid, what such places enclose.
func Depths(m vision.Map, solid bool) []int {
	outer := make([]bool, len(m.V))
	seen := make([]bool, len(m.V))
	var border []int
	for k := range m.V {
		x, y := k%m.W, k/m.W
		if (solid || x == 0 || y == 0 || x == m.W-1 || y == m.H-1) && !seen[k] && m.V[k] < 0.5 {
			for _, o := range Connected(k, m.W, seen, func(k int) bool { return m.V[k] < 0.5 }) {
				outer[o] = true
				border = append(border, o)
			}
		}
	}
	deep := make([]int, len(m.V))
	for step := 1; len(border) > 0; step++ {
		var next []int
		for _, k := range border {
			for _, d := range [...]image.Point{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
				x, y := k%m.W+d.X, k/m.W+d.Y
				if x < 0 || y < 0 || x >= m.W || y >= m.H || outer[y*m.W+x] {
					continue
				}
				outer[y*m.W+x] = true
				deep[y*m.W+x] = step
				next = append(next, y*m.W+x)
			}
		}
		border = next
	}
	return deep
}

// Round3 rounds to thousandths, as profiles are written.
func Round3(v float64) float64 { return math.Round(v*1000) / 1000 }

// Connected is a part of a picture n pixels wide: what hangs together with its first
// pixel by sides and is part of it. It is noted as seen.
func Connected(first, n int, seen []bool, is func(k int) bool) []int {
	seen[first] = true
	part := []int{first}
	for at := 0; at < len(part); at++ {
		i, j := part[at]%n, part[at]/n
		for _, d := range [...]image.Point{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
			x, y := i+d.X, j+d.Y
			if x >= 0 && y >= 0 && x < n && y*n < len(seen) && !seen[y*n+x] && is(y*n+x) {
				seen[y*n+x] = true
				part = append(part, y*n+x)
			}
		}
	}
	return part
}

// HalfSize is a map of half as many samples each way as an n×n cover has, the means of four,
// and some more that are 0 all round.
func HalfSize(cover []float64, n, more int) vision.Map {
	m := vision.NewMap(n/2+2*more, n/2+2*more)
	for j := range n / 2 {
		for i := range n / 2 {
			k := 2*j*n + 2*i
			m.V[(j+more)*m.W+i+more] = float32((cover[k] + cover[k+1] + cover[k+n] + cover[k+n+1]) / 4)
		}
	}
	return m
}

// Moved is the shape elsewhere.
func (f Area) Moved(x, y float64) Area {
	if f == nil || x == 0 && y == 0 {
		return f
	}
	return func(u, v float64) bool { return f(u-x, v-y) }
}

// Sharp draws a shape of n×n pixels: so many places each way of each pixel that its border
// runs through, and one of each other.
func Sharp(n, sub int, f Area) []float64 {
	out, middle := make([]float64, n*n), make([]uint8, n*n)
	for k := range middle {
		if f(float64(k%n)+0.5, float64(k/n)+0.5) {
			middle[k] = 1
		}
	}
	for j := range n {
		// Rows and columns beside a pixel; at the rim those at the rim.
		up, at, down := middle[max(j-1, 0)*n:], middle[j*n:], middle[min(j+1, n-1)*n:]
		for i := range n {
			l, r := max(i-1, 0), min(i+1, n-1)
			sum := up[l] + up[i] + up[r] + at[l] + at[i] + at[r] + down[l] + down[i] + down[r]
			if sum == 0 || sum == 9 {
				out[j*n+i] = float64(at[i])
				continue
			}
			for d := range sub * sub {
				if f(float64(i)+(float64(d%sub)+0.5)/float64(sub), float64(j)+(float64(d/sub)+0.5)/float64(sub)) {
					out[j*n+i] += 1 / float64(sub*sub)
				}
			}
		}
	}
	return out
}

// BlurMap is a map blurred by a Gaussian of some sigma, in its places.
func BlurMap(m vision.Map, sigma float64) vision.Map {
	if sigma > 0 {
		m.V = cv.Blurred(m.V, m.W, sigma)
	}
	return m
}

// MapOf is a mask as numbers from 0 to 1.
func MapOf(m *image.Gray) vision.Map {
	out := vision.NewMap(m.Rect.Dx(), m.Rect.Dy())
	for y := range out.H {
		for x := range out.W {
			out.V[y*out.W+x] = float32(m.GrayAt(m.Rect.Min.X+x, m.Rect.Min.Y+y).Y) / 255
		}
	}
	return out
}

// GreyOf is a map as a mask, with values clipped to 0 and 1.
func GreyOf(m vision.Map) *image.Gray {
	out := image.NewGray(image.Rect(0, 0, m.W, m.H))
	for i, v := range m.V {
		out.Pix[i] = uint8(255*max(0, min(v, 1)) + 0.5)
	}
	return out
}

// Around calls do with the sines and cosines of n directions.
func Around(n int, do func(sin, cos float64)) {
	for k := range n {
		do(math.Sincos(2 * math.Pi * float64(k) / float64(n)))
	}
}
