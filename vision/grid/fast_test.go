package grid

import (
	"image"
	"math/rand/v2"
	"testing"
)

// noise is a picture of random steps, so that edges of every contrast are there.
func noise(w, h int) *image.RGBA {
	rng := rand.New(rand.NewPCG(1, 2))
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range m.Pix {
		m.Pix[i] = uint8(128 + rng.IntN(41) - 20)
		if rng.IntN(9) == 0 {
			m.Pix[i] = uint8(rng.IntN(256))
		}
	}
	return m
}

// TestReduceIsWarp straightens upright lattices both ways, some of them beyond the
// picture.
func TestReduceIsWarp(t *testing.T) {
	s := NewScene(noise(301, 203))
	for _, to := range []plane{
		{70.3, 0, 20.1, 0, 69.2, 11.7, 0, 0, 1},
		{150.5, 0, -40.2, 0, 131, -3, 0, 0, 1},
		{21.5, 0, 260, 0, 23, 170.5, 0, 0, 1},
		{48, 0, 0, 0, 96, 0, 0, 0, 1},
	} {
		for n := 1; n <= 5; n++ {
			g := &Grid{Scene: s, Lattice: Lattice{Cols: 2, Rows: 3, to: to}, Rectified: Rectified{Side: 48}}
			want, got := image.NewRGBA(image.Rect(0, 0, 4*48, 5*48)), image.NewRGBA(image.Rect(0, 0, 4*48, 5*48))
			g.warp(want, 1, n)
			g.reduce(got, n)
			for i, v := range want.Pix {
				// The order of adding decides where a mean is half way between two.
				if d := int(v) - int(got.Pix[i]); d > 1 || d < -1 {
					t.Fatalf("%v with %d samples: byte %d is %d, want %d", to, n, i, got.Pix[i], v)
				}
			}
		}
	}
}

// TestWarpReduced draws a board of large cells, turned, from the frame reduced: but for
// what is finer than its own pixels it is the same picture.
func TestWarpReduced(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 900, 900))
	for y := range 900 {
		for x := range 900 {
			i := m.PixOffset(x, y)
			m.Pix[i], m.Pix[i+1], m.Pix[i+2], m.Pix[i+3] = uint8(x/4), uint8(y/4), uint8(128+(x-y)/10), 255
		}
	}
	g := &Grid{Scene: NewScene(m), Lattice: Lattice{Cols: 2, Rows: 2, to: plane{200, -20, 230, 20, 200, 210, 0, 0, 1}}, Rectified: Rectified{Side: 48}}
	want, got := image.NewRGBA(image.Rect(0, 0, 4*48, 4*48)), image.NewRGBA(image.Rect(0, 0, 4*48, 4*48))
	g.warp(want, 1, 5)
	g.warp(got, 2, 3)
	for i, v := range want.Pix {
		if d := int(v) - int(got.Pix[i]); d > 2 || d < -2 {
			t.Fatalf("byte %d is %d, want %d", i, got.Pix[i], v)
		}
	}
}
