package grid

import (
	"fmt"
	"image"
	"iter"
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
	if m, ok := fitProjective(spots); !ok || !g.put(m) {
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

// Bounds are all places of a grid.
func (g *Lattice) Bounds() image.Rectangle { return image.Rect(0, 0, g.Cols, g.Rows) }

// outermost is the row or column of a box at a side, one of Ways, and what is left without it.
func outermost(box image.Rectangle, way image.Point) (strip, rest image.Rectangle) {
	return box.Intersect(box.Add(image.Pt(way.X*(box.Dx()-1), way.Y*(box.Dy()-1)))), box.Intersect(box.Sub(way))
}

// Strips are the rows and columns of places right beside a box, in the order of Ways.
func Strips(box image.Rectangle) (out [4]image.Rectangle) {
	for i, way := range Ways() {
		out[i], _ = outermost(box.Union(box.Add(way)), way)
	}
	return out
}

// grown is a box with the rows and columns beside it that belong to it, one after the other, while
// it has so many a side at the most.
func grown(box image.Rectangle, most int, belongs func(strip image.Rectangle) bool) image.Rectangle {
	for grew := true; grew && max(box.Dx(), box.Dy()) <= most; {
		grew = false
		for _, strip := range Strips(box) {
			if grew = belongs(strip); grew {
				box = box.Union(strip)
				break
			}
		}
	}
	return box
}

// Extended is the grid with another row or column of places on a side, one of Ways, all
// of which are taken for cells.
func (g *Grid) Extended(way image.Point) *Grid {
	old := g.Bounds()
	out := g.Part(old.Union(old.Add(way)))
	strip, _ := outermost(out.Bounds(), way)
	for at := range places(strip) {
		out.Has[at.Y*out.Cols+at.X] = true
	}
	return out
}

// Outermost is the row or column of places at a side, one of Ways.
func (g *Grid) Outermost(way image.Point) *Grid {
	strip, _ := outermost(g.Bounds(), way)
	return g.Part(strip)
}

// places are those of a box, row by row.
func places(box image.Rectangle) iter.Seq[image.Point] {
	return func(yield func(image.Point) bool) {
		for k := range box.Dx() * box.Dy() {
			if !yield(box.Min.Add(image.Pt(k%box.Dx(), k/box.Dx()))) {
				return
			}
		}
	}
}

// Joints are the cells that have another to the right or below, and the way there.
func (g *Lattice) Joints() iter.Seq2[image.Point, image.Point] {
	return func(yield func(at, way image.Point) bool) {
		for at := range places(g.Bounds()) {
			for _, way := range [2]image.Point{{1, 0}, {0, 1}} {
				if g.At(at.X, at.Y) && g.At(at.X+way.X, at.Y+way.Y) && !yield(at, way) {
					return
				}
			}
		}
	}
}

// Length is how many cells a side has, one of Ways.
func (g *Lattice) Length(way image.Point) int { return [2]int{g.Rows, g.Cols}[way.Y*way.Y] }

// Beside is the place so deep beside a side, one of Ways, and so far along it, in cell units.
func (g *Lattice) Beside(way image.Point, depth, along float64) (x, y float64) {
	right, down := float64(way.X), float64(way.Y)
	x = max(0, right)*float64(g.Cols) + right*depth + down*down*along
	return x, max(0, down)*float64(g.Rows) + down*depth + right*right*along
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
