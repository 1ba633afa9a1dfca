package grid

import (
	"image"
	"math"

	"onlooker/vision"
	"onlooker/vision/cv"
	"onlooker/vision/grid/part"
)

// The straightened board has cells of leastCell to mostCell pixels: as many as
// in the frame where that is between them.
const leastCell, mostCell = 20, 48

// Straighten fills Flat, once.
func (g *Grid) Straighten() {
	if g.straightening != nil {
		g.straightening.Lock()
		defer g.straightening.Unlock()
	}
	pitch := max(g.Pitch[0], g.Pitch[1])
	side := int(max(leastCell, min(mostCell, math.Round(pitch))))
	if g.Flat != nil && g.Side == side {
		return
	}
	g.Side = side
	// Several samples a pixel where the board is reduced, so that thin lines
	// are not lost.
	n := max(1, int(math.Ceil(pitch/float64(g.Side)-0.05)))
	w, h, k := (g.Cols+2)*g.Side*n, (g.Rows+2)*g.Side*n, 1/float64(g.Side*n)
	if g.Flat = g.fine(w, h, k); n > 1 {
		g.Flat = cv.Resized(g.Flat, w/n, h/n)
	}
	if g.Hex {
		g.cutHexagons()
	}
}

// fine draws the straightened board with w×h pixels that are so many cells wide and high.
func (g *Grid) fine(w, h int, pixel float64) *image.RGBA {
	first := pixel/2 - 1
	if g.Hex {
		return vision.Resampled(g.Scene.Frame, w, h, func(x, y int) vision.Point {
			return g.to.At(g.place(first+pixel*float64(x), first+pixel*float64(y)))
		})
	}
	return cv.Warped(g.Scene.Frame, g.to.Mul(vision.Mat3{pixel, 0, first, 0, pixel, first, 0, 0, 1}), w, h)
}

// Colour is the straightened picture's colour at a position in cell units.
func (g *Rectified) Colour(x, y float64) part.Colour {
	px := max(0, min(g.Flat.Rect.Dx()-1, int((x+1)*float64(g.Side))))
	py := max(0, min(g.Flat.Rect.Dy()-1, int((y+1)*float64(g.Side))))
	i := g.Flat.PixOffset(px, py)
	return part.Colour(g.Flat.Pix[i : i+3])
}

// Shown is the usual colour of what the picture shows of a place, on the board or right beside
// it; false where it shows nothing of it.
func (g *Grid) Shown(c, r int) (part.Colour, bool) {
	var list []part.Colour
	for k := range g.Side * g.Side {
		x, y := float64(c)+(float64(k%g.Side)+0.5)/float64(g.Side), float64(r)+(float64(k/g.Side)+0.5)/float64(g.Side)
		if g.Scene.Shows(g.to.At(x, y)) {
			list = append(list, g.Colour(x, y))
		}
	}
	return part.Usual(list), len(list) > 0
}

// Tint is the usual colour of a cell's tile.
func (g *Grid) Tint(c, r int) part.Colour {
	var list []part.Colour
	n := g.Side
	for y := range n {
		for x := range n {
			if math.Abs((float64(x)+0.5)/float64(n)-0.5) < 0.4*g.Tile[0] && math.Abs((float64(y)+0.5)/float64(n)-0.5) < 0.4*g.Tile[1] {
				list = append(list, g.FlatPixel((c+1)*n+x, (r+1)*n+y))
			}
		}
	}
	return part.Usual(list)
}
