package grid

import (
	"image"

	"onlooker/vision"
)

const (
	// Of its places that an outer row or column holds: with half of them and more it
	// is a row of the board, whatever is drawn on it.
	fewCells = 0.5
	// loneOf is the length of a full side beside which one cell alone is what is written
	// or drawn there.
	loneOf = 5
	// Of the borders of a row's cells that are drawn as the board's are: all in a row
	// of the board; what lies beyond it by chance shares those with the board.
	drawnShare = 0.8
)

// Trimmed is the grid without outer rows and columns that hold few cells whose
// borders are not drawn: other things of the picture, as large as a cell and
// beside the board by chance. It is the grid itself where there are none.
func (g *Grid) Trimmed() *Grid {
	if !g.sparse() {
		return g
	}
	g.Straighten()
	usual := g.usualPeak()
	if usual < g.Contrast {
		return g // no lines to go by
	}
	box := g.Bounds()
	for cut := true; cut && box.Dx() > 1 && box.Dy() > 1; {
		cut = false
		for _, way := range Ways() {
			strip, rest := outermost(box, way)
			if cut = g.strange(strip, usual); cut {
				box = rest
				break
			}
		}
	}
	if box == g.Bounds() {
		return g
	}
	out := g.Part(box)
	// What was cut off may have moved the lines.
	out.refine(g.Scene.PartsAt(g.Contrast))
	out.Beyond = true
	return out
}

// sparse tells whether an outer row or column holds few cells.
func (g *Lattice) sparse() bool {
	var cols, rows [2]int
	for i, has := range g.Has {
		if !has {
			continue
		}
		for k, edge := range [2][2]int{{0, 0}, {g.Cols - 1, g.Rows - 1}} {
			if i%g.Cols == edge[0] {
				cols[k]++
			}
			if i/g.Cols == edge[1] {
				rows[k]++
			}
		}
	}
	return float64(min(cols[0], cols[1])) < fewCells*float64(g.Rows) || float64(min(rows[0], rows[1])) < fewCells*float64(g.Cols)
}

// strange tells whether a strip of places holds few cells whose borders are not
// drawn.
func (g *Grid) strange(strip image.Rectangle, usual int) bool {
	held, drawn, all := 0, 0, strip.Dx()*strip.Dy()
	for at := range places(strip) {
		if !g.At(at.X, at.Y) {
			continue
		}
		held++
		for _, way := range Ways() {
			if 2*g.Seam(at.X, at.Y, way).Peak >= usual {
				drawn++
			}
		}
	}
	if held == 1 && all >= loneOf && g.full(strip) {
		return true
	}
	return float64(held) < fewCells*float64(all) && float64(drawn) < drawnShare*float64(4*held)
}

// full tells whether the row or column next to an outer strip has a cell in every place.
func (g *Lattice) full(strip image.Rectangle) bool {
	by := image.Pt(0, 1)
	if strip.Dx() == 1 {
		by = image.Pt(1, 0)
	}
	if !g.At(strip.Min.X+by.X, strip.Min.Y+by.Y) {
		by = image.Point{}.Sub(by)
	}
	for at := range places(strip) {
		if !g.At(at.X+by.X, at.Y+by.Y) {
			return false
		}
	}
	return true
}

// usualPeak is the usual contrast of the lines between neighbouring cells.
func (g *Grid) usualPeak() int {
	var peaks []float64
	for at, way := range g.Joints() {
		peaks = append(peaks, float64(g.Seam(at.X, at.Y, way).Peak))
	}
	return int(vision.Median(peaks))
}

// Part is a part of a grid.
func (g *Grid) Part(box image.Rectangle) *Grid {
	out := *g
	out.Flat, out.Cols, out.Rows = nil, box.Dx(), box.Dy()
	out.put(g.to.Mul(vision.Shift(float64(box.Min.X), float64(box.Min.Y))))
	out.Has = nil
	for at := range places(box) {
		out.Has = append(out.Has, g.At(at.X, at.Y))
	}
	out.measure()
	return &out
}

// With is the grid with a further cell at a place that was taken for none.
func (g *Grid) With(c, r int) *Grid {
	out := *g
	out.Has = append([]bool(nil), g.Has...)
	out.Has[r*g.Cols+c] = true
	return &out
}
