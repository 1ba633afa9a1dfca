package vision

import (
	"image"
	"image/color"
	"math/rand/v2"
	"testing"
)

// TestSlide moves a page of rectangles in its window, whose bars stay.
func TestSlide(t *testing.T) {
	page := image.NewRGBA(image.Rect(-400, -400, 1200, 1000))
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		x, y, c := rng.IntN(1600)-400, rng.IntN(1400)-400, color.RGBA{uint8(rng.IntN(256)), uint8(rng.IntN(256)), uint8(rng.IntN(256)), 255}
		for dy := range 40 {
			for dx := range 60 {
				page.SetRGBA(x+dx, y+dy, c)
			}
		}
	}
	shown := func(at image.Point, blank bool) *image.RGBA {
		m := image.NewRGBA(image.Rect(0, 0, 800, 600))
		for y := range 600 {
			for x := range 800 {
				if y >= 60 && x < 780 && !blank {
					m.SetRGBA(x, y, page.RGBAAt(x-at.X, y-at.Y))
				}
			}
		}
		return m
	}
	for _, c := range []struct {
		name  string
		by    image.Point
		blank bool
		want  image.Point
	}{
		{"down", image.Pt(0, -53), false, image.Pt(0, -53)},
		{"to the left", image.Pt(120, 0), false, image.Pt(120, 0)},
		{"not at all", image.Point{}, false, image.Point{}},
		{"nothing is shown", image.Pt(0, -53), true, image.Point{}},
	} {
		got := Slide(shown(image.Point{}, c.blank), shown(c.by, c.blank))
		if off := got.Sub(c.want); max(off.X, -off.X, off.Y, -off.Y) > 1 {
			t.Errorf("%s: moved by %v, got %v, want %v", c.name, c.by, got, c.want)
		}
	}
}
