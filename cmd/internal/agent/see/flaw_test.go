package see

import (
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	"onlooker/solve/solvetest"
	"onlooker/vision"
)

// lattice draws lines 30 pixels apart, of a width, turned by some degrees and as soft as some pixels.
func lattice(degrees, soft float64) *image.Gray {
	m := image.NewGray(image.Rect(0, 0, 300, 300))
	s, c := math.Sincos(degrees * math.Pi / 180)
	for y := range 300 {
		for x := range 300 {
			u, v := c*float64(x)+s*float64(y), c*float64(y)-s*float64(x)
			off := min(math.Abs(math.Mod(u+900, 30)-15), math.Abs(math.Mod(v+900, 30)-15))
			m.SetGray(x, y, color.Gray{uint8(255 * max(0, min(1, 0.5+(off-5)/soft)))})
		}
	}
	return m
}

// TestFlaw: what is wrong with a picture as a whole is told where it is measured.
func TestFlaw(t *testing.T) {
	for _, row := range []struct {
		why           string
		degrees, soft float64
		want          string
	}{{"sharp", 0, 0.1, ""}, {"as drawn", 0, 1, ""}, {"hardly turned", 1, 1, ""}, {"soft", 0, 9, "blurred"},
		{"turned", 14, 1, "turned"}, {"turned the other way", -20, 1, "turned"}} {
		if got := flaw(lattice(row.degrees, row.soft)); !strings.Contains(got, row.want) || (got == "") != (row.want == "") {
			t.Errorf("%s: %q, want %q", row.why, got, row.want)
		}
	}
}

// TestInked: what lies beside a board comes up to the border where its colour changes along there.
func TestInked(t *testing.T) {
	on := lattice(0, 1)
	off := image.NewGray(on.Rect)
	copy(off.Pix, on.Pix)
	for i := range 300 {
		for _, at := range []image.Point{{i, 0}, {i, 299}, {0, i}, {299, i}} {
			off.Set(at.X, at.Y, color.White)
		}
	}
	placed := func(from, to float64) *vision.Board {
		b := solvetest.Must(vision.Placed(on.Rect.Size(), 4, 4, [4]vision.Point{{X: from, Y: from}, {X: to, Y: from}, {X: to, Y: to}, {X: from, Y: to}}))(t)
		return b
	}
	for _, row := range []struct {
		why  string
		m    *image.Gray
		b    *vision.Board
		want bool
	}{{"lines to the border", on, placed(5, 265), true}, {"a margin", off, placed(5, 295), false}, {"beyond it", off, placed(-6, 306), false}, {"far from it", on, placed(120, 180), false}} {
		if got := inked(row.m, row.b); got != row.want {
			t.Errorf("%s: %v, want %v", row.why, got, row.want)
		}
	}
}
