package claims

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"testing"

	"onlooker/vision/grid"
)

// drawnGrid is a grid of 5×3 cells of 24 pixels on white, with squares so far within some.
func drawnGrid(inset int, in func(c, r int) color.Color) *grid.Grid {
	const n = 24
	m := image.NewRGBA(image.Rect(0, 0, 7*n, 5*n))
	draw.Draw(m, m.Rect, image.White, image.Point{}, draw.Src)
	has := make([]bool, 15)
	for i := range has {
		has[i] = true
		if x, y := i%5+1, i/5+1; in(i%5, i/5) != nil {
			draw.Draw(m, image.Rect(x*n, y*n, (x+1)*n, (y+1)*n).Inset(inset), image.NewUniform(in(i%5, i/5)), image.Point{}, draw.Src)
		}
	}
	return &grid.Grid{Scene: grid.NewScene(m), Lattice: grid.Lattice{Cols: 5, Rows: 3, Has: has, Tile: [2]float64{1, 1}, Pitch: [2]float64{n, n}}, Rectified: grid.Rectified{Flat: m, Side: n, Contrast: 12}}
}

// TestSeen: marks in some cells, and cells of two colours, are seen as such.
func TestSeen(t *testing.T) {
	marks := seen(drawnGrid(6, func(c, r int) color.Color {
		if c == r {
			return color.RGBA{220, 0, 0, 255}
		}
		return nil
	}))
	lamps := seen(drawnGrid(1, func(c, r int) color.Color {
		if (c*c+r)%3 == 0 {
			return color.Gray{40}
		}
		return nil
	}))
	for _, row := range []struct {
		why       string
		got, want float64
	}{
		{"marks in the diagonal", marks["cells with a mark"], 3.0 / 15},
		{"half of a cell high", marks["height of marks"], 0.5},
		{"red", marks["chroma of marks"], 220.0 / 255},
		{"of one colour", marks["two colours of marks"], 0},
		{"a third of the cells dark", lamps["rarer of two colours of cells"], 5.0 / 15},
		{"none between", lamps["between two colours of cells"], 0},
	} {
		if math.Abs(row.got-row.want) > 0.02 {
			t.Errorf("%s: got %.3f, want %.3f", row.why, row.got, row.want)
		}
	}
}
