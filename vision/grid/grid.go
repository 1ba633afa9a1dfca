// Package grid finds regular grids of cells in a picture, whatever they look
// like: cells between lines, tiles with gaps between them, squares of a
// chessboard, hexagons. It knows no family of puzzles.
//
// The method. A cell's ground is a connected part of the picture without
// edges in it, and the grounds of neighbouring cells are as large and one
// pitch apart. So: the picture falls into parts that are connected and free of
// edges; parts of one size that stand side by side or one below the other are
// numbered by columns and rows; a map from those numbers to pixels is fitted,
// projective where the picture is seen from aside; and from there every
// further place of the lattice is looked at: it holds a cell where the parts
// in its corners do not reach beyond it. What covers cells, as a path drawn
// over them, does not matter as long as some cells are whole.
//
// Cells that nothing parts but a few walls are no parts of their own; StrokeGrids finds
// the lattice that such walls lie on, and DiscGrids that of discs.
//
// Readers of families look at cells through Grid, which has the board straightened. Rooms
// beside it look on: part, at what a picture falls into; cell, at what stands in cells; form, at
// what was learned; claims, at what a reading explains; typed and glyph, at boards of characters.
//
// Glossary:
//   - contrast: the largest difference of two colours in a channel, 0 to 255;
//   - part: a connected region without edges;
//   - cell units: positions on a board, the corner of cell (c,r) at (c,r);
//   - pitch: the distance of neighbouring cells' centres;
//   - rim: what lies just within a cell's border;
//   - ground: the usual colour of a rim.
package grid

import (
	"cmp"
	"image"
	"math"
	"slices"
	"sync"

	"onlooker/vision"
	"onlooker/vision/grid/part"
)

// A Scene is one frame with the grids that were found in it, for the readers of all
// families together; one at a time, or after Prepare several.
type Scene struct {
	*part.Picture
	// Ended tells whether the time for looking is over: what was found till then is given. nil: it never is.
	Ended func() bool
	// Asked says that a person asked for a board of the family that reads, so that there is one; Size
	// is how many columns and rows it has, zero where that was not said.
	Asked  bool
	Size   image.Point
	tables map[int][]*Grid
}

// NewScene takes a frame in.
func NewScene(frame image.Image) *Scene {
	return &Scene{Picture: part.NewPicture(frame), tables: map[int][]*Grid{}}
}

// Over tells whether the time for looking is over.
func (s *Scene) Over() bool { return s.Ended != nil && s.Ended() }

// Contrasts are the least contrasts of an edge that grids are looked for with,
// the likeliest first: thin lines of dim boards have 12 and more; a chessboard's
// squares 6; and behind a noisy picture only strong lines are lines.
func Contrasts() []int { return []int{12, 6, 28} }

// Sized tells whether a grid is one of just so many columns and rows as were asked for, and so whole.
func (s *Scene) Sized(g *Grid) bool { return s.Size == image.Pt(g.Cols, g.Rows) }

// A Lattice tells where the cells of a board are in a frame.
type Lattice struct {
	Cols, Rows int
	// Hex says that the cells are hexagons; see HexGrids.
	Hex bool
	// Has tells of each cell, row by row, whether there is one.
	Has []bool
	// Tile is how much of a pitch a cell's ground takes, across and down.
	Tile [2]float64
	// Disc is how much of a pitch the widest of the discs takes that DiscGrids found; else 0.
	Disc float64
	// Pitch is the mean distance of neighbouring cells in pixels of the frame,
	// across and down.
	Pitch    [2]float64
	to, from vision.Mat3 // cell units to pixels, and back
}

// A Rectified board is one straightened.
type Rectified struct {
	// Flat is the board straightened with one cell's width round it: the corner
	// of cell (c,r) is at ((c+1)*Side, (r+1)*Side).
	Flat     *image.RGBA
	Side     int
	Contrast int // the least contrast of the edges it was found by
}

// A Grid is a board of cells in a frame, straightened.
type Grid struct {
	Lattice
	Rectified
	Scene *Scene
	// Beyond says that there are cells in line with the board that were taken for
	// other things; see Trimmed.
	Beyond bool
	// bared is the part of the frame within an outline that was drawn over; see NodeGrids.
	Bared image.Rectangle
	// straightening is held while Flat is filled of a grid that several families look at;
	// nil of others.
	straightening *sync.Mutex
}

// At tells whether there is a cell.
func (g *Lattice) At(c, r int) bool {
	return c >= 0 && r >= 0 && c < g.Cols && r < g.Rows && g.Has[r*g.Cols+c]
}

// Cell is the place of a number, counted row by row.
func (g *Lattice) Cell(i int) image.Point { return image.Pt(i%g.Cols, i/g.Cols) }

// Cells counts the cells.
func (g *Lattice) Cells() int {
	n := 0
	for _, h := range g.Has {
		if h {
			n++
		}
	}
	return n
}

// Pixel is where a position in cell units is in the frame.
func (g *Lattice) Pixel(x, y float64) vision.Point { return g.to.At(x, y) }

// Quad is the outline of the cells in the frame.
func (g *Lattice) Quad() [4]vision.Point {
	w, h := float64(g.Cols), float64(g.Rows)
	return [4]vision.Point{g.to.At(0, 0), g.to.At(w, 0), g.to.At(w, h), g.to.At(0, h)}
}

// Units is where a pixel is in cell units.
func (g *Lattice) Units(x, y float64) vision.Point { return g.from.At(x, y) }

// Inside tells whether a pixel lies within the outline.
func (g *Lattice) Inside(p vision.Point) bool {
	q := g.from.At(p.X, p.Y)
	return q.X >= 0 && q.Y >= 0 && q.X <= float64(g.Cols) && q.Y <= float64(g.Rows)
}

// mostGrids is how many grids of a frame are looked at, the largest first: pages of small
// print have hundreds, and a board is larger than most of them.
const mostGrids = 40

// Grids are the grids of a frame whose edges have some contrast, those that
// take the largest area first.
func (s *Scene) Grids(contrast int) []*Grid {
	if found, ok := s.tables[contrast]; ok {
		return found
	}
	p := s.PartsAt(contrast)
	all := groups(p)
	grids := make([]*Grid, len(all))
	vision.SideBySide(len(all), func(i int) {
		if s.Over() {
			return
		}
		if g := s.newGrid(p, all[i], contrast); g != nil {
			grids[i] = g.Trimmed()
		}
	})
	var found []*Grid
	for _, g := range grids {
		if g == nil || slices.ContainsFunc(found, func(o *Grid) bool { return o.Same(&g.Lattice) }) {
			continue
		}
		g.straightening = &sync.Mutex{}
		found = append(found, g)
	}
	slices.SortStableFunc(found, func(a, b *Grid) int { return cmp.Compare(b.Area(), a.Area()) })
	if len(found) > mostGrids {
		found = found[:mostGrids]
	}
	s.tables[contrast] = found
	return found
}

// Prepare finds the grids whose edges have some contrast. After it several families may
// look at the scene with that contrast at a time, each grid being straightened by the
// first that looks at it: of a backdrop with a pattern there are hundreds, most of which
// lie on another and are not looked at.
func (s *Scene) Prepare(contrast int) { s.Grids(contrast) }

// Gap is how much of a pitch lies between what stands in neighbouring cells, across (0) or down (1).
func (g *Lattice) Gap(k int) float64 {
	if g.Disc > 0 {
		return max(0, 1-g.Disc)
	}
	return 1 - g.Tile[k]
}

func (g *Lattice) Area() float64 { return float64(g.Cells()) * g.Pitch[0] * g.Pitch[1] }

// Same tells whether two grids are one: the same cells.
func (g *Lattice) Same(o *Lattice) bool {
	if g.Cols != o.Cols || g.Rows != o.Rows {
		return false
	}
	a, b := g.Quad(), o.Quad()
	for i := range a {
		if math.Hypot(a[i].X-b[i].X, a[i].Y-b[i].Y) > 0.3*min(g.Pitch[0], g.Pitch[1]) {
			return false
		}
	}
	return true
}

// Coarser tells whether a grid has no more cells than another, and no smaller ones: of
// half the area at the most, as those of a finer lattice are.
func (g *Lattice) Coarser(o *Lattice) bool {
	return g.Cells() <= o.Cells() && 2*g.Pitch[0]*g.Pitch[1] > o.Pitch[0]*o.Pitch[1]
}

// PartOf tells whether a grid lies on another, and not within one of its cells.
func (g *Lattice) PartOf(o *Lattice) bool {
	q := g.Quad()
	in := g.Pixel(float64(g.Cols)/2, float64(g.Rows)/2)
	if !o.Inside(in) {
		return false
	}
	at := func(p vision.Point) image.Point {
		u := o.Units(p.X, p.Y)
		return image.Pt(int(math.Floor(u.X)), int(math.Floor(u.Y)))
	}
	cell := at(in)
	for _, p := range q {
		if at(p) != cell {
			return true
		}
	}
	return false
}
