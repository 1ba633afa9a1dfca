package grid

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"math/rand/v2"
	"testing"

	"onlooker/solve/solvetest"
	"onlooker/vision"
)

// TestAligned lays a lattice some pixels off a board of lines, upright and turned,
// and wants it on the lines to a pixel and what is rounded.
func TestAligned(t *testing.T) {
	const cols, rows, pitch = 5, 4, 40
	m := image.NewRGBA(image.Rect(0, 0, 300, 260))
	draw.Draw(m, m.Rect, image.White, image.Point{}, draw.Src)
	for k := range cols + 1 {
		for y := range rows * pitch {
			m.Set(50+k*pitch, 50+y, color.Black)
		}
	}
	for k := range rows + 1 {
		for x := range cols * pitch {
			m.Set(50+x, 50+k*pitch, color.Black)
		}
	}
	want := [4]vision.Point{{X: 50, Y: 50}, {X: 250, Y: 50}, {X: 250, Y: 210}, {X: 50, Y: 210}}
	for name, off := range map[string][4]vision.Point{
		"on the lines": {},
		"upright":      {{X: -4, Y: 3}, {X: 4, Y: 3}, {X: 4, Y: -3}, {X: -4, Y: -3}},
		"turned":       {{X: 3, Y: -4}, {X: 3, Y: 4}, {X: -3, Y: 4}, {X: -3, Y: -4}},
	} {
		quad := want
		for i := range quad {
			quad[i] = vision.Point{X: quad[i].X + off[i].X, Y: quad[i].Y + off[i].Y}
		}
		g := solvetest.Must(NewScene(m).GridAt(quad, cols, rows))(t)
		if fits := g.Fits(); fits != (name == "on the lines") || !g.Aligned().Fits() {
			t.Errorf("%s: fits is %v before it is aligned, and %v then", name, fits, g.Aligned().Fits())
		}
		for i, p := range g.Aligned().Quad() {
			if d := math.Hypot(p.X-want[i].X, p.Y-want[i].Y); d > 1.5 {
				t.Errorf("%s: corner %d is %.1f pixels off the lines, want 1.5 at the most", name, i, d)
			}
		}
	}
}

// TestAlignedSteps lays a lattice a little off a chessboard without lines, turned, and
// wants its outline within a pixel.
func TestAlignedSteps(t *testing.T) {
	const cells, pitch = 3, 64
	m := image.NewRGBA(image.Rect(0, 0, 300, 300))
	sin, cos := math.Sincos(2 * math.Pi / 180)
	at := func(x, y float64) vision.Point {
		return vision.Point{X: 60 + pitch*(x*cos-y*sin), Y: 50 + pitch*(x*sin+y*cos)}
	}
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			sum := 0.0
			for k := range 16 { // smooth edges
				dx, dy := float64(x)+float64(k%4)/4-0.375-60, float64(y)+float64(k/4)/4-0.375-50
				u, v := math.Floor((dx*cos+dy*sin)/pitch), math.Floor((dy*cos-dx*sin)/pitch)
				switch {
				case min(u, v) < 0 || max(u, v) >= cells:
					sum += 230.0 / 16
				case math.Mod(u+v, 2) == 0:
					sum += 153.0 / 16
				default:
					sum += 204.0 / 16
				}
			}
			m.SetRGBA(x, y, color.RGBA{uint8(sum), uint8(sum), uint8(sum), 255})
		}
	}
	var want, quad [4]vision.Point
	for i, c := range [4][2]float64{{0, 0}, {cells, 0}, {cells, cells}, {0, cells}} {
		want[i], quad[i] = at(c[0], c[1]), at(1.02*c[0]-0.03, 1.02*c[1]-0.03)
	}
	g := solvetest.Must(NewScene(m).GridAt(quad, cells, cells))(t)
	for i, p := range g.Aligned().Quad() {
		if d := math.Hypot(p.X-want[i].X, p.Y-want[i].Y); d > 1 {
			t.Errorf("corner %d is %.1f pixels off the board's, want 1 at the most", i, d)
		}
	}
}

// TestChance fills a picture with small rectangles that lie on no lattice, as a map is full of
// houses, and wants none of many places in it.
func TestChance(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	m := image.NewRGBA(image.Rect(0, 0, 1500, 1200))
	draw.Draw(m, m.Rect, image.White, image.Point{}, draw.Src)
	for range 4000 {
		at := image.Pt(rng.IntN(1500), rng.IntN(1200))
		grey := color.Gray{uint8(100 + rng.IntN(156))}
		draw.Draw(m, image.Rectangle{at, at.Add(image.Pt(12+rng.IntN(20), 12+rng.IntN(20)))}, image.NewUniform(grey), image.Point{}, draw.Src)
	}
	for _, contrast := range Contrasts() {
		for _, g := range NewScene(m).Grids(contrast) {
			if len(g.Has) >= manyPlaces {
				t.Errorf("contrast %d: a lattice of %d×%d places with %d cells", contrast, g.Cols, g.Rows, g.Cells())
			}
		}
	}
}

// TestStraighten straightens boards of a frame that grows lighter to the right and
// downwards, upright and turned, enlarged and reduced: each pixel is as the frame is where it
// lies.
func TestStraighten(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 900, 900))
	for y := range 900 {
		for x := range 900 {
			i := m.PixOffset(x, y)
			m.Pix[i], m.Pix[i+1], m.Pix[i+2], m.Pix[i+3] = uint8(x/4), uint8(y/4), uint8(128+(x-y)/10), 255
		}
	}
	for _, to := range []vision.Mat3{
		{180, -20, 280, 20, 180, 250, 0, 0, 1},
		{180, 0, 280, 0, 180, 250, 0, 0, 1},
		{14, 0, 300, 0, 14, 400, 0, 0, 1},
		{48, 0, 100, 0, 96, 100, 0, 0, 1},
	} {
		g := &Grid{Scene: NewScene(m), Lattice: Lattice{Cols: 2, Rows: 2, to: to, Pitch: [2]float64{to[0], to[4]}}}
		g.Straighten()
		for y := range g.Flat.Rect.Dy() {
			for x := range g.Flat.Rect.Dx() {
				p := to.At((float64(x)+0.5)/float64(g.Side)-1, (float64(y)+0.5)/float64(g.Side)-1)
				got, want := g.Flat.RGBAAt(x, y), m.RGBAAt(int(p.X+0.5), int(p.Y+0.5))
				for k, d := range [3]int{int(got.R) - int(want.R), int(got.G) - int(want.G), int(got.B) - int(want.B)} {
					if d > 2 || d < -2 {
						t.Fatalf("%v: channel %d of pixel (%d,%d) is off by %d", to, k, x, y, d)
					}
				}
			}
		}
	}
}
