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
func (g *Grid) Straighten() { g.StraightenTo(mostCell) }

// StraightenTo fills Flat with cells of up to most pixels, as many as in the
// frame where that is fewer, for what is drawn finely in large cells.
func (g *Grid) StraightenTo(most int) {
	pitch := max(g.Pitch[0], g.Pitch[1])
	side := int(max(leastCell, min(float64(most), math.Round(pitch))))
	fine := most > mostCell
	if g.Flat != nil && g.Side == side && g.fine == fine {
		return
	}
	g.Side, g.fine = side, fine
	// Several samples a pixel where the board is reduced, so that thin lines
	// are not lost.
	n := max(1, int(math.Ceil(pitch/float64(g.Side)-0.05)))
	// A board in as many pixels as in the frame is taken over pixel by pixel: a
	// line of one pixel between two would be half a line in both.
	crisp := fine && !g.Hex && g.upright() && max(math.Abs(g.Pitch[0]-float64(side)), math.Abs(g.Pitch[1]-float64(side))) < 0.02
	w, h := (g.Cols+2)*g.Side, (g.Rows+2)*g.Side
	// The same whole step for all of them, by the middle: each rounded by itself may
	// go to either side, which shifts what stands in one cell against another.
	middle := g.to.apply(float64(g.Cols)/2, float64(g.Rows)/2)
	off := vision.Point{X: math.Round(middle.X - float64(w-1)/2), Y: math.Round(middle.Y - float64(h-1)/2)}
	flat := image.NewRGBA(image.Rect(0, 0, w, h))
	vision.SideBySide(h, func(y int) {
		for x := range w {
			var sum vision.RGB
			for k := range n * n {
				u := (float64(x)+(float64(k%n)+0.5)/float64(n))/float64(g.Side) - 1
				v := (float64(y)+(float64(k/n)+0.5)/float64(n))/float64(g.Side) - 1
				p := g.to.apply(g.place(u, v))
				if crisp {
					p = vision.Point{X: float64(x) + off.X, Y: float64(y) + off.Y}
				}
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
	var out Colour
	var counts [256]int
	for k := range out {
		counts = [256]int{}
		for _, c := range list {
			counts[c[k]]++
		}
		sum := 0
		for v, n := range counts {
			if sum += n; 2*sum > len(list) {
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
