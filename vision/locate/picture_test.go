package locate

import (
	"image"
	"image/color"
	"math"
	"testing"

	"onlooker/vision"
)

// TestAt: between pixels colours are mixed, outside the nearest pixel's is taken,
// however far away, and the scalar product of it and of a brightness alike.
func TestAt(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 3, 2))
	for y := range 2 {
		for x := range 3 {
			v := uint8(10*x + 40*y)
			m.SetRGBA(x, y, color.RGBA{v, v + 1, v + 2, 255})
		}
	}
	b := brightness(m, m.Rect)
	for _, row := range []struct{ x, y, want float64 }{
		{0, 0, 0}, {0.5, 0, 5}, {1.25, 0.5, 32.5}, {2, 1, 60}, {1.5, 1, 55}, {2, 0.5, 40},
		{-3, 0, 0}, {7, 9, 60}, {math.Inf(1), 0, 20}, {0, math.Inf(1), 40}, {math.Inf(-1), math.Inf(1), 40}, {1e300, -1e300, 20},
	} {
		if got, want := vision.At(m, row.x, row.y), (vision.RGB{row.want, row.want + 1, row.want + 2}); got.Dist(want) > 1e-9 {
			t.Errorf("At(%v, %v) = %v, want %v", row.x, row.y, got, want)
		}
		if got, want := vision.Along(m, row.x, row.y, vision.RGB{1, 2, 3}), 6*row.want+8; math.Abs(got-want) > 1e-9 {
			t.Errorf("Along(%v, %v) = %v, want %v", row.x, row.y, got, want)
		}
		if got, want := b.at(row.x, row.y), row.want+2; math.Abs(got-want) > 1e-5 {
			t.Errorf("brightness at (%v, %v) = %v, want %v", row.x, row.y, got, want)
		}
	}
	if got := vision.At(m, math.NaN(), 0); got != (vision.RGB{}) {
		t.Errorf("At(NaN, 0) = %v, want nothing", got)
	}
}
