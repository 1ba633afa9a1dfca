package grid_test

import (
	"image"
	"image/color"
	"math"
	"testing"

	"onlooker/vision/grid"
	"onlooker/vision/grid/cell"
)

// drawn is a board of cols × rows cells of 40 pixels between lines, with a
// disc in each cell where has says so, turned by an angle in degrees.
func drawn(cols, rows int, degrees float64, disc func(c, r int) bool) *image.RGBA {
	const pitch = 40
	m := image.NewRGBA(image.Rect(0, 0, 640, 480))
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	for y := range 480 {
		for x := range 640 {
			var sum [3]float64
			for k := range 9 { // smooth edges
				dx, dy := float64(x)+float64(k%3)/3-320, float64(y)+float64(k/3)/3-240
				u, v := (dx*cos+dy*sin)/pitch+float64(cols)/2, (dy*cos-dx*sin)/pitch+float64(rows)/2
				ink := [3]float64{20, 20, 24}
				if u > -0.02 && v > -0.02 && u < float64(cols)+0.02 && v < float64(rows)+0.02 {
					if math.Abs(u-math.Round(u)) < 0.025 || math.Abs(v-math.Round(v)) < 0.025 {
						ink = [3]float64{120, 120, 90}
					} else if c, r := int(u), int(v); math.Hypot(u-float64(c)-0.5, v-float64(r)-0.5) < 0.3 && disc(c, r) {
						ink = [3]float64{30, 90, 230}
					}
				}
				for i := range sum {
					sum[i] += ink[i] / 9
				}
			}
			m.SetRGBA(x, y, color.RGBA{uint8(sum[0]), uint8(sum[1]), uint8(sum[2]), 255})
		}
	}
	return m
}

func TestGrids(t *testing.T) {
	disc := func(c, r int) bool { return (3*c+r)%4 == 0 }
	for _, row := range []struct {
		cols, rows int
		degrees    float64
	}{{7, 4, 0}, {3, 9, 0}, {7, 4, 3}, {5, 6, -2.5}} {
		grids := grid.NewScene(drawn(row.cols, row.rows, row.degrees, disc)).Grids(grid.Contrasts()[0])
		if len(grids) == 0 {
			t.Errorf("%+v: no grid", row)
			continue
		}
		g := grids[0]
		if g.Cols != row.cols || g.Rows != row.rows || g.Cells() != row.cols*row.rows {
			t.Errorf("%+v: got %dx%d with %d cells", row, g.Cols, g.Rows, g.Cells())
			continue
		}
		sin, cos := math.Sincos(row.degrees * math.Pi / 180)
		dx, dy := -20*float64(row.cols), -20*float64(row.rows)
		if p := g.Pixel(0, 0); math.Hypot(p.X-(320+dx*cos-dy*sin), p.Y-(240+dx*sin+dy*cos)) > 1.5 {
			t.Errorf("%+v: the first corner is at %.1f", row, p)
		}
		g.Straighten()
		for r := range g.Rows {
			for c := range g.Cols {
				if b := cell.BlobIn(g, c, r); disc(c, r) != (b.Contrast > 100 && math.Abs(b.Radius-0.3) < 0.04) {
					t.Errorf("%+v: cell %d,%d: %+v", row, c, r, b)
				}
			}
		}
	}
}

func TestNoGrid(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 300, 200))
	for i := range m.Pix {
		m.Pix[i] = uint8(i * i % 251)
	}
	for _, contrast := range grid.Contrasts() {
		if g := grid.NewScene(m).Grids(contrast); len(g) > 0 {
			t.Errorf("contrast %d: got %d grids in a texture, want none", contrast, len(g))
		}
	}
	if g := grid.NewScene(image.NewRGBA(image.Rect(5, 5, 6, 6))).Grids(12); len(g) > 0 {
		t.Errorf("got a grid in one pixel")
	}
}
