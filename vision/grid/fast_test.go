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
			g := &Grid{Scene: s, Cols: 2, Rows: 3, Side: 48, to: to}
			want, got := image.NewRGBA(image.Rect(0, 0, 4*48, 5*48)), image.NewRGBA(image.Rect(0, 0, 4*48, 5*48))
			g.warp(want, n)
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

// TestEdges compares the edges of pictures of several widths with what an edge is: two
// neighbours across or down that differ by the contrast in a channel.
func TestEdges(t *testing.T) {
	for _, w := range []int{1, 2, 3, 4, 5, 64} {
		const h = 40
		s := NewScene(noise(w, h))
		for _, contrast := range Contrasts() {
			got := make([]int32, w*h)
			s.edges(got, contrast)
			for y := range h {
				for x := range w {
					at := func(x, y int) Colour {
						i := s.Frame.PixOffset(max(0, min(w-1, x)), max(0, min(h-1, y)))
						return Colour(s.Frame.Pix[i : i+3])
					}
					want := int32(0)
					if at(x-1, y).Contrast(at(x+1, y)) >= contrast || at(x, y-1).Contrast(at(x, y+1)) >= contrast {
						want = -1
					}
					if got[y*w+x] != want {
						t.Fatalf("%dx%d at (%d,%d), contrast %d: %d, want %d", w, h, x, y, contrast, got[y*w+x], want)
					}
				}
			}
		}
	}
}
