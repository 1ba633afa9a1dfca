package grid

import (
	"fmt"
	"image"
	"image/color"
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
	vision.SideBySide(h, func(y int) {
		for x := range w {
			var sum vision.RGB
			for k := range n * n {
				u := (float64(x)+(float64(k%n)+0.5)/float64(n))/float64(g.Side) - 1
				v := (float64(y)+(float64(k/n)+0.5)/float64(n))/float64(g.Side) - 1
				p := g.to.apply(g.place(u, v))
				sum = sum.Add(vision.At(g.Scene.Frame, p.X, p.Y))
			}
			for c := range sum {
				sum[c] /= float64(n * n)
			}
			flat.SetRGBA(x, y, color.RGBA{uint8(sum[0] + 0.5), uint8(sum[1] + 0.5), uint8(sum[2] + 0.5), 255})
		}
	})
	g.Flat = flat
	if g.Hex {
		g.cutHexagons()
	}
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
	var counts [3][256]int
	for _, c := range list {
		counts[0][c[0]]++
		counts[1][c[1]]++
		counts[2][c[2]]++
	}
	return median(&counts)
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
