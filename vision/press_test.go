package vision

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"math/rand/v2"
	"testing"
)

// TestPressOf tells how pictures of patches were compressed, and that others were not.
func TestPressOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	plain := image.NewRGBA(image.Rect(0, 0, 120, 90))
	for y := range 90 {
		for x := range 120 {
			c := color.RGBA{uint8(60 + 80*(x/17%2)), uint8(70 + 60*(y/13%2)), uint8(90 + 40*((x+y)/21%2)), 255}
			c.R, c.G = c.R+uint8(rng.IntN(5)), c.G+uint8(rng.IntN(5))
			plain.SetRGBA(x, y, c)
		}
	}
	compressed := func(quality int) *image.YCbCr {
		var b bytes.Buffer
		if err := jpeg.Encode(&b, plain, &jpeg.Options{Quality: quality}); err != nil {
			t.Fatal(err)
		}
		m, err := jpeg.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		return m.(*image.YCbCr)
	}
	for _, quality := range []int{40, 70, 75, 83, 90, 95} {
		m := compressed(quality)
		if p := PressOf(m, m.Rect); p == nil || p.Quality != quality {
			t.Errorf("quality %d: got %v", quality, p)
		}
	}
	never := image.NewYCbCr(plain.Rect, image.YCbCrSubsampleRatio420)
	for y := range 90 {
		for x := range 120 {
			c := plain.RGBAAt(x, y)
			never.Y[never.YOffset(x, y)], never.Cb[never.COffset(x, y)], never.Cr[never.COffset(x, y)] = color.RGBToYCbCr(c.R, c.G, c.B)
		}
	}
	if p := PressOf(never, never.Rect); p != nil {
		t.Errorf("never compressed: got a quality of %d, want none", p.Quality)
	}
	m := compressed(75)
	m.Rect, m.Y, m.Cb, m.Cr = image.Rect(0, 0, 100, 80), m.Y[3:], m.Cb[3:], m.Cr[3:]
	if p := PressOf(m, m.Rect); p != nil {
		t.Errorf("cut out three pixels aside: got a quality of %d, want none", p.Quality)
	}
}
