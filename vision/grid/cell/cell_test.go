package cell

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"math"
	"testing"

	"onlooker/solve/solvetest"
	"onlooker/vision/grid"
)

// cell is a grid of one cell of n pixels, on a picture of its ground and that of its
// neighbours, drawn smoothly from the colour at each place in cell units.
func cell(n int, at func(x, y float64) color.RGBA) *grid.Grid {
	const fine = 8 // samples a pixel, each way
	m := image.NewRGBA(image.Rect(0, 0, 3*n, 3*n))
	for y := range 3 * n {
		for x := range 3 * n {
			var sum [3]float64
			for k := range fine * fine {
				c := at((float64(x)+(float64(k%fine)+0.5)/fine)/float64(n)-1, (float64(y)+(float64(k/fine)+0.5)/fine)/float64(n)-1)
				sum[0], sum[1], sum[2] = sum[0]+float64(c.R), sum[1]+float64(c.G), sum[2]+float64(c.B)
			}
			mean := func(v float64) uint8 { return uint8(v/(fine*fine) + 0.5) }
			m.SetRGBA(x, y, color.RGBA{mean(sum[0]), mean(sum[1]), mean(sum[2]), 255})
		}
	}
	return &grid.Grid{Lattice: grid.Lattice{Cols: 1, Rows: 1, Has: []bool{true}, Tile: [2]float64{1, 1}, Pitch: [2]float64{float64(n), float64(n)}}, Rectified: grid.Rectified{Flat: m, Side: n, Contrast: 12}}
}

var (
	white = color.RGBA{255, 255, 255, 255}
	black = color.RGBA{0, 0, 0, 255}
	green = color.RGBA{0, 153, 0, 255}
)

// TestBlobRadius measures discs and paths in small cells, wherever they lie among the
// pixels: to less than a sixth of a pixel, since a path may be two thirds as wide as a
// disc. What lies over a fifth of a disc's rim does not matter.
func TestBlobRadius(t *testing.T) {
	const n = 21
	for _, radius := range []float64{0.22, 0.24, 0.3, 0.34, 0.36} {
		for _, off := range []float64{0, 0.01, 0.02, 0.03} {
			disc := func(x, y float64) color.RGBA {
				if math.Hypot(x-0.5-off, y-0.5+off) < radius {
					return green
				}
				return black
			}
			covered := func(x, y float64) color.RGBA {
				if math.Atan2(math.Abs(y-0.5), x-0.5) < math.Pi/5 && math.Hypot(x-0.5, y-0.5) > 0.7*radius {
					return black
				}
				return disc(x, y)
			}
			path := func(x, y float64) color.RGBA {
				if math.Abs(y-0.5) < radius {
					return green
				}
				return black
			}
			if b := BlobIn(cell(n, disc), 0, 0); math.Abs(b.Radius-radius) > 0.15/n {
				t.Errorf("a disc of %.2f, %.2f off the middle: got %.3f", radius, off, b.Radius)
			}
			if b := BlobIn(cell(n, covered), 0, 0); off == 0 && math.Abs(b.Radius-radius) > 0.5/n {
				t.Errorf("a disc of %.2f, in part covered: got %.3f", radius, b.Radius)
			}
			// A path's rays that are not straight across are a little longer.
			if b := BlobIn(cell(n, path), 0, 0); radius <= 0.3 && (b.Arms[0] != true || b.Radius < radius-0.15/n || b.Radius > 1.08*radius+0.15/n) {
				t.Errorf("a path of %.2f: got %.3f, arms %v", radius, b.Radius, b.Arms)
			}
		}
	}
}

// asJPEG is a grid's picture as a JPEG has it, which begins so many pixels before.
func asJPEG(t *testing.T, g *grid.Grid, before image.Point) *grid.Grid {
	t.Helper()
	size := g.Flat.Rect.Size()
	m := image.NewRGBA(image.Rectangle{Max: size.Add(before)})
	draw.Draw(m, m.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(m, image.Rectangle{before, m.Rect.Max}, g.Flat, image.Point{}, draw.Src)
	var b bytes.Buffer
	solvetest.OK(t, jpeg.Encode(&b, m, &jpeg.Options{Quality: 60}))
	j := solvetest.Must(jpeg.Decode(&b))(t)
	out := *g
	out.Flat = image.NewRGBA(g.Flat.Rect)
	draw.Draw(out.Flat, out.Flat.Rect, j, before, draw.Src)
	return &out
}

// TestMarkOfPath wants no form in a cell that a path goes through, also in a JPEG, whose
// colours are in half the size; and beside a path what stands alone.
func TestMarkOfPath(t *testing.T) {
	const n = 48
	bent := func(x, y float64) bool {
		return math.Abs(y-0.5) < 0.055 && x < 0.555 || math.Abs(x-0.5) < 0.055 && y > 0.445
	}
	alone := cell(n, func(x, y float64) color.RGBA {
		if bent(x, y) {
			return green
		}
		return white
	})
	beside := cell(n, func(x, y float64) color.RGBA {
		switch {
		case math.Abs(x-0.5) < 0.05 && math.Abs(y-0.46) < 0.25:
			return black
		case math.Abs(x-0.5) < 0.055 && y > 0.75:
			return green
		}
		return white
	})
	for k := range 64 {
		before := image.Pt(k%8, k/8)
		if m, ok := MarkIn(asJPEG(t, alone, before), 0, 0); ok {
			t.Errorf("%v: a form of %d×%d pixels in a path", before, m.W, m.H)
		}
		if m, ok := MarkIn(asJPEG(t, beside, before), 0, 0); !ok || math.Abs(m.Height()-0.5) > 0.1 {
			t.Errorf("%v: no number that a path leads to: %v", before, ok)
		}
	}
}

// TestMarkAtRim wants a form whose blur alone comes as near to the border as a small
// cell's lines do, and none that goes on there.
func TestMarkAtRim(t *testing.T) {
	for _, row := range []struct {
		top  float64 // of a stroke, in cell units
		want bool
	}{{0.2, true}, {0.13, true}, {0.05, false}, {-1, false}} {
		g := cell(20, func(x, y float64) color.RGBA {
			if math.Abs(x-0.5) < 0.1 && y > row.top && y < 0.8 {
				return black
			}
			return white
		})
		if _, ok := MarkIn(g, 0, 0); ok != row.want {
			t.Errorf("a stroke from %.2f on: a form %v, want %v", row.top, ok, row.want)
		}
	}
}

// TestSeamStep wants no line where two grounds meet, however blurred, and one where a
// line parts them.
func TestSeamStep(t *testing.T) {
	orange, dark := color.RGBA{115, 85, 58, 255}, color.RGBA{0, 0, 37, 255}
	for _, blur := range []float64{0, 0.02, 0.05} {
		for _, line := range []float64{0, 0.02} {
			g := cell(48, func(x, _ float64) color.RGBA {
				share := 0.5 // of the dark
				if blur > 0 {
					share += (x - 1) / (2 * blur)
				} else if x < 1 {
					share = 0
				}
				share = max(0, min(1, share))
				if math.Abs(x-1) < line {
					return white
				}
				mix := func(a, b uint8) uint8 { return uint8((1-share)*float64(a) + share*float64(b) + 0.5) }
				return color.RGBA{mix(orange.R, dark.R), mix(orange.G, dark.G), mix(orange.B, dark.B), 255}
			})
			g.Cols, g.Has = 2, []bool{true, true}
			if s := g.Seam(0, 0, image.Pt(1, 0)); (s.Peak >= g.Contrast) != (line > 0) {
				t.Errorf("blurred by %.2f, a line of %.2f: peak %d", blur, line, s.Peak)
			}
		}
	}
}
