package grid

import (
	"image"

	"onlooker/vision/grid/part"
)

// Ways are the directions of arms in columns and rows.
func Ways() [4]image.Point {
	return [4]image.Point{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}
}

// Ground is the usual colour in a cell's corners: its ground, since what stands
// in cells and what passes through leaves them free.
func (g *Grid) Ground(c, r int) part.Colour {
	// The parts that tiles were measured by end a pixel before the edges.
	wide, high := min(1, g.Tile[0]+2/g.Pitch[0]), min(1, g.Tile[1]+2/g.Pitch[1])
	var list []part.Colour
	for _, d := range [4][2]float64{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}} {
		for _, in := range [...][2]float64{{0.36, 0.36}, {0.33, 0.37}, {0.37, 0.33}, {0.34, 0.34}} {
			list = append(list, g.Colour(float64(c)+0.5+d[0]*in[0]*wide, float64(r)+0.5+d[1]*in[1]*high))
		}
	}
	return part.Usual(list)
}

func (g *Rectified) FlatPixel(x, y int) part.Colour {
	i := y*g.Flat.Stride + 4*x
	return part.Colour(g.Flat.Pix[i : i+3])
}

// Rim is how much of a cell at its border is taken up by its lines: what
// reaches into it goes on in the next cell.
const Rim = 0.1
