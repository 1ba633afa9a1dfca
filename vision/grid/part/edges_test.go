package part

import (
	"image"
	"math/rand/v2"
	"slices"
	"testing"

	"onlooker/vision"
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

// TestEdges compares the stretches without edges of pictures of several widths with what
// an edge is: two neighbours across or down that differ by the contrast in a channel.
func TestEdges(t *testing.T) {
	for _, w := range []int{1, 2, 3, 4, 5, 64, 65, 130} {
		const h = 40
		m := noise(w, h)
		for i := range m.Pix[:len(m.Pix)/2] {
			m.Pix[i] = 90 // as plain as most of a screen
		}
		s := NewPicture(m)
		for _, contrast := range []int{12, 6, 28} {
			var want []vision.Span
			for y := range h {
				for x := range w {
					at := func(x, y int) Colour {
						i := s.Frame.PixOffset(max(0, min(w-1, x)), max(0, min(h-1, y)))
						return Colour(s.Frame.Pix[i : i+3])
					}
					if at(x-1, y).Contrast(at(x+1, y)) >= contrast || at(x, y-1).Contrast(at(x, y+1)) >= contrast {
						continue
					}
					if n := len(want); n > 0 && want[n-1].Y == int32(y) && want[n-1].X1 == int32(x) {
						want[n-1].X1++
					} else {
						want = append(want, vision.Span{Y: int32(y), X0: int32(x), X1: int32(x) + 1})
					}
				}
			}
			if got := s.runsBetween(0, h, int32(contrast)); !slices.Equal(got, want) {
				t.Fatalf("%dx%d, contrast %d: stretches %v, want %v", w, h, contrast, got, want)
			}
			checkParts(t, s.PartsAt(contrast), want)
		}
	}
}

// checkParts wants parts to be made of some stretches: each pixel of a stretch belongs to
// the same part as its neighbours without edges, and all others to none.
func checkParts(t *testing.T, p *Parts, want []vision.Span) {
	t.Helper()
	clear := make([]bool, p.W*p.H)
	for _, u := range want {
		for x := u.X0; x < u.X1; x++ {
			clear[int(u.Y)*p.W+int(x)] = true
		}
	}
	of := make([]int32, p.W*p.H)
	for i := range of {
		of[i] = p.Of(i%p.W, i/p.W)
	}
	for i, k := range of {
		switch {
		case (k >= 0) != clear[i]:
			t.Fatalf("pixel (%d,%d) is of part %d, want one: %v", i%p.W, i/p.W, k, clear[i])
		case i%p.W > 0 && clear[i] && clear[i-1] && of[i-1] != k, i >= p.W && clear[i] && clear[i-p.W] && of[i-p.W] != k:
			t.Fatalf("pixel (%d,%d) is of part %d, and a neighbour of another", i%p.W, i/p.W, k)
		}
	}
	for k, q := range p.List {
		area := 0
		for _, u := range p.Runs(int32(k)) {
			area += int(u.X1 - u.X0)
			if of[int(u.Y)*p.W+int(u.X0)] != int32(k) || !image.Rect(int(u.X0), int(u.Y), int(u.X1), int(u.Y)+1).In(q.Box) {
				t.Fatalf("part %d in %v has the stretch %v", k, q.Box, u)
			}
		}
		if area != q.Area {
			t.Fatalf("part %d has stretches of %d pixels, want %d", k, area, q.Area)
		}
	}
}
