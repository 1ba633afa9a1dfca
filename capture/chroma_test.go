package capture

import (
	"image"
	"image/color"
	"testing"
)

// TestSmooth: colours of a coarse picture go over into one another, and are the same where it has
// but one, whatever its samples go over; its light stays.
func TestSmooth(t *testing.T) {
	for _, ratio := range []image.YCbCrSubsampleRatio{
		image.YCbCrSubsampleRatio444, image.YCbCrSubsampleRatio422, image.YCbCrSubsampleRatio420,
		image.YCbCrSubsampleRatio440, image.YCbCrSubsampleRatio411, image.YCbCrSubsampleRatio410,
	} {
		m := image.NewYCbCr(image.Rect(0, 0, 23, 13), ratio)
		for i := range m.Y {
			m.Y[i] = uint8(60 + i%100)
		}
		for i := range m.Cb {
			m.Cb[i], m.Cr[i] = 90, 160
		}
		got := smooth(m)
		for y := range 13 {
			for x := range 23 {
				if r, g, b, _ := m.At(x, y).RGBA(); got.RGBAAt(x, y) != (color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 255}) {
					t.Fatalf("%v, pixel %d,%d: %v, want the decoder's", ratio, x, y, got.RGBAAt(x, y))
				}
			}
		}
	}
	m := image.NewYCbCr(image.Rect(0, 0, 8, 2), image.YCbCrSubsampleRatio420)
	for i := range m.Y {
		m.Y[i] = 128
	}
	copy(m.Cb, []uint8{128, 128, 128, 128})
	copy(m.Cr, []uint8{96, 96, 160, 160})
	var reds []uint8
	for x := range 8 {
		reds = append(reds, smooth(m).RGBAAt(x, 0).R)
	}
	for x, want := range []uint8{96, 96, 96, 112, 144, 160, 160, 160} { // of Cr: a quarter of the way from pixel to pixel
		if r, _, _ := color.YCbCrToRGB(128, 128, want); reds[x] != r {
			t.Errorf("pixel %d: red %d, want %d of %v", x, reds[x], r, reds)
		}
	}
}
