package grid

import (
	"fmt"
	"image"
	"sync"

	"onlooker/vision"
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

// GridAt is the lattice of cols×rows cells in an outline.
func (s *Scene) GridAt(quad [4]vision.Point, cols, rows int) (*Grid, error) {
	var spots []spot
	w, h := float64(cols), float64(rows)
	for i, at := range [4][2]float64{{0, 0}, {w, 0}, {w, h}, {0, h}} {
		spots = append(spots, spot{at[0], at[1], quad[i].X, quad[i].Y})
	}
	g := &Grid{Scene: s, Rectified: Rectified{Contrast: Contrasts()[0]}, Lattice: Lattice{Cols: cols, Rows: rows, Tile: [2]float64{1, 1}, Has: make([]bool, cols*rows)}}
	for i := range g.Has {
		g.Has[i] = true
	}
	var ok bool
	if g.to, ok = fitProjective(spots); !ok {
		return nil, fmt.Errorf("grid: no board in the outline %v", quad)
	}
	if g.from, ok = g.to.Inverse(); !ok {
		return nil, fmt.Errorf("grid: no board in the outline %v", quad)
	}
	g.measure()
	return g, nil
}

// Borders are the middles of the borders of a grid's cells, its outline among them, in
// half-cells.
func (g *Lattice) Borders() (out []image.Point) {
	for y := range 2*g.Rows + 1 {
		for x := range 2*g.Cols + 1 {
			if x%2 != y%2 {
				out = append(out, image.Pt(x, y))
			}
		}
	}
	return out
}

// Outer tells whether a border is in the outline.
func (g *Lattice) Outer(at image.Point) bool {
	return at.X == 0 || at.Y == 0 || at.X == 2*g.Cols || at.Y == 2*g.Rows
}

// Sides are the rows and columns of places beside a grid.
func (g *Lattice) Sides() [4]image.Rectangle {
	return [4]image.Rectangle{
		image.Rect(-1, 0, 0, g.Rows), image.Rect(g.Cols, 0, g.Cols+1, g.Rows),
		image.Rect(0, -1, g.Cols, 0), image.Rect(0, g.Rows, g.Cols, g.Rows+1),
	}
}

// Only leaves a scene one grid, of so many cells in an outline: somebody said that there is one. Where
// hexagons are found there it is of hexagons, straightened as if they were none.
func (s *Scene) Only(quad [4]vision.Point, cols, rows int) (*Grid, error) {
	g, err := s.GridAt(quad, cols, rows)
	if err != nil {
		return nil, err
	}
	g.straightening = &sync.Mutex{}
	s.Asked, s.Size = true, image.Pt(cols, rows)
	for _, contrast := range Contrasts() {
		s.tables[contrast] = []*Grid{g}
		for _, h := range s.HexGrids(contrast) {
			same, at := h.Same(&g.Lattice), h.to.At(float64(h.Cols)/2, float64(h.Rows)/2)
			if g.Hex || !same && (h.Area() < g.Area()/2 || !g.Inside(at)) {
				continue
			}
			g.Straighten()
			if g.Hex = true; same {
				g.Has = h.Has
			}
		}
	}
	if g.Hex {
		s.tables = map[int][]*Grid{}
	}
	return g, nil
}
