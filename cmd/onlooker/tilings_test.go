package main

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fogleman/gg"

	"onlooker/vision"
)

// A tiling draws cells of other shapes than squares, some of which hold ends of pairs.
type tiling struct {
	*gg.Context
	side    float64
	line    color.Color
	centres []vision.Point
}

func newTiling(w, h, side float64, dark bool) *tiling {
	t := &tiling{Context: gg.NewContext(int(w), int(h)), side: side, line: color.Gray{130}}
	t.SetColor(color.Gray{250})
	if dark {
		t.SetColor(color.Gray{8})
		t.line = color.Gray{90}
	}
	t.Clear()
	t.SetLineWidth(2)
	return t
}

// cell draws a cell by its corners.
func (t *tiling) cell(corners ...vision.Point) {
	var c vision.Point
	for i, p := range corners {
		c.X, c.Y = c.X+p.X/float64(len(corners)), c.Y+p.Y/float64(len(corners))
		if i == 0 {
			t.MoveTo(p.X, p.Y)
		} else {
			t.LineTo(p.X, p.Y)
		}
	}
	t.ClosePath()
	t.SetColor(t.line)
	t.Stroke()
	for _, o := range t.centres {
		if c.Dist(o) < 3 {
			return
		}
	}
	t.centres = append(t.centres, c)
}

// regular are the corners of a regular polygon, the first at an angle.
func regular(n int, x, y, radius, first float64) []vision.Point {
	out := make([]vision.Point, n)
	for k := range out {
		sin, cos := math.Sincos(first + 2*math.Pi*float64(k)/float64(n))
		out[k] = vision.Point{X: x + radius*cos, Y: y + radius*sin}
	}
	return out
}

// ends draws pairs of discs into cells.
func (t *tiling) ends(rng *rand.Rand, pairs int) *image.RGBA {
	for i, k := range rng.Perm(len(t.centres))[:2*pairs] {
		t.DrawCircle(t.centres[k].X, t.centres[k].Y, 0.27*t.side)
		t.SetColor(hueOf(i / 2))
		t.Fill()
	}
	return t.Image().(*image.RGBA)
}

// cubes is a board of rhombs, three of which look like a cube.
func cubes(rng *rand.Rand, side float64, cols, rows int, dark bool) *image.RGBA {
	wide := side * math.Sqrt(3)
	t := newTiling(wide*(float64(cols)+1.5)+60, side*1.5*(float64(rows)+1)+60, side, dark)
	for r := range rows {
		for c := range cols {
			x, y := 30+wide*(float64(c)+0.6+float64(r%2)/2), 30+side*(1.5*float64(r)+1)
			p := regular(6, x, y, side, math.Pi/6)
			for _, k := range []int{1, 3, 5} {
				t.cell(vision.Point{X: x, Y: y}, p[k-1], p[k], p[(k+1)%6])
			}
		}
	}
	return t.ends(rng, 6)
}

// hexesAndSquares is a board of hexagons with squares and triangles between them.
func hexesAndSquares(rng *rand.Rand, side float64, cols, rows int, dark bool) *image.RGBA {
	wide := side * (1 + math.Sqrt(3))
	t := newTiling(wide*(float64(cols)+1), wide*math.Sqrt(3)/2*(float64(rows)+0.8), side, dark)
	for r := range rows {
		for c := range cols {
			x, y := wide*(float64(c)+0.6+float64(r%2)/2), wide*math.Sqrt(3)/2*(float64(r)+0.8)
			p := regular(6, x, y, side, math.Pi/6)
			t.cell(p...)
			for k := range p {
				a, b := p[k], p[(k+1)%6]
				sin, cos := math.Sincos(math.Pi / 3 * float64(k+1))
				off := vision.Point{X: side * cos, Y: side * sin}
				t.cell(a, b, vision.Point{X: b.X + off.X, Y: b.Y + off.Y}, vision.Point{X: a.X + off.X, Y: a.Y + off.Y})
			}
		}
	}
	return t.ends(rng, 6)
}

// octagonsAndSquares is a board of octagons with squares between them.
func octagonsAndSquares(rng *rand.Rand, side float64, cols, rows int, dark bool) *image.RGBA {
	wide := side * (1 + math.Sqrt2)
	t := newTiling(wide*(float64(cols)+1), wide*(float64(rows)+1), side, dark)
	for r := range rows {
		for c := range cols {
			x, y := wide*(float64(c)+1), wide*(float64(r)+1)
			t.cell(regular(8, x, y, side/2/math.Sin(math.Pi/8), math.Pi/8)...)
			if c < cols-1 && r < rows-1 {
				t.centres = append(t.centres, vision.Point{X: x + wide/2, Y: y + wide/2})
			}
		}
	}
	return t.ends(rng, 6)
}

// tiled draws a board of cells of several shapes.
type tiled func(rng *rand.Rand, side float64, cols, rows int, dark bool) *image.RGBA

// tilings are those that are drawn, by name.
func tilings() map[string]tiled {
	return map[string]tiled{"cubes": cubes, "hexagons and squares": hexesAndSquares, "octagons and squares": octagonsAndSquares}
}

// drawn draws one by a seed.
func (d tiled) drawn(k int, name string) *image.RGBA {
	rng := rand.New(rand.NewPCG(uint64(k), hashed(name)))
	return d(rng, 34+50*rng.Float64(), 3+rng.IntN(3), 3+rng.IntN(4), k%2 == 0)
}

// TestOtherTilings: boards of cells of several shapes, and of slanted cubes, are not read.
func TestOtherTilings(t *testing.T) {
	eye := cellEye(t)
	for kind, tiled := range tilings() {
		for k := range 12 {
			m := tiled.drawn(k, kind)
			name := fmt.Sprintf("%s %d", kind, k)
			read, _ := looked(t, eye, m)
			for _, r := range read {
				t.Errorf("%s: got %s, %.3f sure, want nothing:\n%s", name, r.Game.Name, r.Confidence, textOf(r.Puzzle))
			}
		}
	}
}
