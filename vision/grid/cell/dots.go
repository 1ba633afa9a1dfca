package cell

import (
	"image"
	"math"

	"onlooker/vision"
	"onlooker/vision/grid"
	"onlooker/vision/grid/part"
)

// A Dot is one of the frame's pixels within a cell.
type Dot struct {
	At     image.Point // in the frame
	X, Y   float64     // its middle in cell units from the cell's corner
	Colour part.Colour
}

// DotsIn are the pixels of a cell off its border, as the frame has them: nothing is
// lost of what is as fine as a pixel. It also gives the cell's ground.
func DotsIn(g *grid.Grid, c, r int) (list []Dot, ground part.Colour) {
	g.Straighten()
	least, most := vision.Point{X: math.Inf(1), Y: math.Inf(1)}, vision.Point{X: math.Inf(-1), Y: math.Inf(-1)}
	for k := range 4 {
		p := g.Pixel(float64(c+k%2), float64(r+k/2))
		least = vision.Point{X: min(least.X, p.X), Y: min(least.Y, p.Y)}
		most = vision.Point{X: max(most.X, p.X), Y: max(most.Y, p.Y)}
	}
	for y := max(0, int(least.Y)); y <= min(g.Scene.H-1, int(most.Y)+1); y++ {
		for x := max(0, int(least.X)); x <= min(g.Scene.W-1, int(most.X)+1); x++ {
			u := g.Units(float64(x), float64(y))
			d := Dot{At: image.Pt(x, y), X: u.X - float64(c), Y: u.Y - float64(r)}
			if min(d.X, d.Y) <= grid.Rim || max(d.X, d.Y) >= 1-grid.Rim {
				continue
			}
			i := g.Scene.Frame.PixOffset(x, y)
			d.Colour = part.Colour(g.Scene.Frame.Pix[i : i+3])
			list = append(list, d)
		}
	}
	return list, g.Ground(c, r)
}
