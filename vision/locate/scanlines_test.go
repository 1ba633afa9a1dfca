package locate

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"
)

// screen is a picture of some bars and noise, with every so many rows darkened by a share.
func screen(seed uint64, period int, by float64, scanned image.Rectangle) (plain, dark *image.RGBA) {
	rng := rand.New(rand.NewPCG(seed, 1))
	plain, dark = image.NewRGBA(image.Rect(0, 0, 300, 240)), image.NewRGBA(image.Rect(0, 0, 300, 240))
	for y := range 240 {
		for x := range 300 {
			c := [3]float64{180, 160, 140}
			if x%60 < 12 || y%60 < 12 {
				c = [3]float64{90, 60, 120}
			}
			for k := range c {
				c[k] += 3 * rng.NormFloat64()
			}
			times := 1.0
			if image.Pt(x, y).In(scanned) && y%period == 1 {
				times = 1 - by
			}
			set := func(m *image.RGBA, times float64) {
				v := func(k int) uint8 { return uint8(math.Round(max(0, min(255, times*c[k])))) }
				m.SetRGBA(x, y, color.RGBA{v(0), v(1), v(2), 255})
			}
			set(plain, 1)
			set(dark, times)
		}
	}
	return plain, dark
}

// TestScanLines: scan lines are taken off, whatever their period and strength, and what
// has none is given back untouched.
func TestScanLines(t *testing.T) {
	whole := image.Rect(0, 0, 300, 240)
	for _, row := range []struct {
		period  int
		by      float64
		scanned image.Rectangle
		off     bool
	}{
		{2, 0.3, whole, true}, {3, 0.1, whole, true}, {3, 0.5, whole, true}, {4, 0.2, whole, true}, {8, 0.25, whole, true},
		{3, 0, whole, false}, {12, 0.3, whole, false},
		{3, 0.3, image.Rect(0, 0, 120, 240), false}, // a part of the columns: stripes of something shown
		{3, 0.3, image.Rect(0, 60, 300, 120), false},
	} {
		plain, dark := screen(uint64(row.period), row.period, row.by, row.scanned)
		got := withoutScanLines(dark)
		if !row.off {
			if got != dark {
				t.Errorf("every %d rows by %.2f in %v: taken off, want the picture as it is", row.period, row.by, row.scanned)
			}
			continue
		}
		most := 0
		for i, v := range got.Pix {
			most = max(most, int(math.Abs(float64(v)-float64(plain.Pix[i]))))
		}
		// Half a level of rounding at each of two times, times the gain, and that of the gain.
		if most > 4 {
			t.Errorf("every %d rows by %.2f: off by %d of 255, want at most 4", row.period, row.by, most)
		}
		if got == dark || dark.Pix[4*300] == got.Pix[4*300] {
			t.Errorf("every %d rows by %.2f: the picture itself was changed, or nothing was", row.period, row.by)
		}
	}
}
