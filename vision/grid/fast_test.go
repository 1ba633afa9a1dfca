package grid

import (
	"image"
	"math/rand/v2"
	"slices"
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

// TestEdges compares the stretches without edges of pictures of several widths with what
// an edge is: two neighbours across or down that differ by the contrast in a channel.
func TestEdges(t *testing.T) {
	for _, w := range []int{1, 2, 3, 4, 5, 64, 65, 130} {
		const h = 40
		m := noise(w, h)
		for i := range m.Pix[:len(m.Pix)/2] {
			m.Pix[i] = 90 // as plain as most of a screen
		}
		s := NewScene(m)
		for _, contrast := range Contrasts() {
			var want []run
			for y := range h {
				for x := range w {
					at := func(x, y int) Colour {
						i := s.Frame.PixOffset(max(0, min(w-1, x)), max(0, min(h-1, y)))
						return Colour(s.Frame.Pix[i : i+3])
					}
					if at(x-1, y).Contrast(at(x+1, y)) >= contrast || at(x, y-1).Contrast(at(x, y+1)) >= contrast {
						continue
					}
					if n := len(want); n > 0 && want[n-1].y == int32(y) && want[n-1].x1 == int32(x) {
						want[n-1].x1++
					} else {
						want = append(want, run{int32(y), int32(x), int32(x) + 1})
					}
				}
			}
			if got := s.runsBetween(0, h, int32(contrast)); !slices.Equal(got, want) {
				t.Fatalf("%dx%d, contrast %d: stretches %v, want %v", w, h, contrast, got, want)
			}
			checkParts(t, s.partsAt(contrast), want)
		}
	}
}

// checkParts wants parts to be made of some stretches: each pixel of a stretch belongs to
// the same part as its neighbours without edges, and all others to none.
func checkParts(t *testing.T, p *parts, want []run) {
	t.Helper()
	clear := make([]bool, p.w*p.h)
	for _, u := range want {
		for x := u.x0; x < u.x1; x++ {
			clear[int(u.y)*p.w+int(x)] = true
		}
	}
	of := make([]int32, p.w*p.h)
	for i := range of {
		of[i] = p.of(i%p.w, i/p.w)
	}
	for i, k := range of {
		switch {
		case (k >= 0) != clear[i]:
			t.Fatalf("pixel (%d,%d) is of part %d, want one: %v", i%p.w, i/p.w, k, clear[i])
		case i%p.w > 0 && clear[i] && clear[i-1] && of[i-1] != k, i >= p.w && clear[i] && clear[i-p.w] && of[i-p.w] != k:
			t.Fatalf("pixel (%d,%d) is of part %d, and a neighbour of another", i%p.w, i/p.w, k)
		}
	}
	for k, q := range p.list {
		area := 0
		for _, u := range p.runs(int32(k)) {
			area += int(u.x1 - u.x0)
			if of[int(u.y)*p.w+int(u.x0)] != int32(k) || !image.Rect(int(u.x0), int(u.y), int(u.x1), int(u.y)+1).In(q.box) {
				t.Fatalf("part %d in %v has the stretch %v", k, q.box, u)
			}
		}
		if area != q.area {
			t.Fatalf("part %d has stretches of %d pixels, want %d", k, area, q.area)
		}
	}
}
