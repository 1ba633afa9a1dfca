package cylinder

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

// TestSide: the straight side of a pillar is found, however it leans; of two the outer one, and
// none where nothing is, or where too little of the height is seen.
func TestSide(t *testing.T) {
	picture := func(lean float64, at ...float64) *bright {
		m := image.NewRGBA(image.Rect(0, 0, 160, 200))
		for y := range 200 {
			for x := range 160 {
				v := uint8(30)
				for _, a := range at {
					if float64(x) >= a+lean*(float64(y)-100) {
						v += 80
					}
				}
				m.SetRGBA(x, y, color.RGBA{v, v, v, 255})
			}
		}
		return brightness(m, m.Rect)
	}
	for _, row := range []struct {
		why      string
		b        *bright
		y1       float64
		sign     int
		at, lean float64
		there    bool
	}{
		{"upright", picture(0, 82), 200, 1, 82, 0, true},
		{"leaning", picture(0.06, 78), 200, 1, 78, 0.06, true},
		{"leaning the other way", picture(-0.08, 84), 200, -1, 84, -0.08, true},
		{"two, of a left side", picture(0, 72, 88), 200, 1, 72, 0, true},
		{"two, of a right side", picture(0, 72, 88), 200, -1, 88, 0, true},
		{"nothing", picture(0), 200, 1, 0, 0, false},
		{"too low", picture(0, 82), 10, 1, 0, 0, false},
	} {
		got, there := row.b.side(80, 12, 0, row.y1, row.sign, 0)
		if there != row.there || there && (math.Abs(got.At-row.at) > 1 || math.Abs(got.Slope-row.lean) > 0.006) {
			t.Errorf("%s: %t, at %v leaning %v, want %t, %v and %v", row.why, there, got.At, got.Slope, row.there, row.at, row.lean)
		}
	}
}

// TestSpaced: lines as far apart as they are, however thick.
func TestSpaced(t *testing.T) {
	first, pitch, width := spaced([]run{{9, 11}, {13, 17}, {18, 22}, {23, 27}})
	if math.Abs(first-10) > 1e-9 || math.Abs(pitch-5) > 1e-9 || width != 4 {
		t.Errorf("from %v every %v, %v thick; want 10, 5 and 4", first, pitch, width)
	}
}
