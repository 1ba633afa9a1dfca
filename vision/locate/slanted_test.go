package locate

import (
	"image"
	"image/color"
	"math"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
	"onlooker/vision"
)

// slanted is a picture of a board of whole lines on a plate, whose corner nodes lie at the
// corners given, clockwise from the upper left.
func slanted(t *testing.T, cols, rows int, corners [4]vision.Point) *image.RGBA {
	t.Helper()
	b := solvetest.Must(vision.Placed(image.Point{}, cols, rows, corners))(t)
	from, ok := b.ToScreen.Inverse()
	if !ok {
		t.Fatal("the corners have no area")
	}
	const line, plate = 0.19, 1.0 // half-cells: half a line's width, and how far it goes on
	shade := func(x, y float64) vision.RGB {
		within := func(v, most, margin float64) bool { return v > -margin && v < most+margin }
		w, h := float64(2*cols), float64(2*rows)
		off := func(v float64) float64 { return math.Abs(v - 2*math.Round(v/2)) } // off the nearest line
		switch {
		case within(x, w, line) && within(y, h, line) && (off(x) < line || off(y) < line):
			return vision.RGB{134, 88, 44}
		case within(x, w, plate) && within(y, h, plate):
			return vision.RGB{210, 178, 120}
		}
		return vision.RGB{92, 75, 60}
	}
	m := image.NewRGBA(image.Rect(0, 0, 420, 540))
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			var sum vision.RGB
			for k := range 16 {
				p := from.Apply(vision.Point{X: float64(x) + (float64(k%4)-1.5)/4, Y: float64(y) + (float64(k/4)-1.5)/4})
				sum = sum.Add(shade(p.X, p.Y))
			}
			m.SetRGBA(x, y, color.RGBA{uint8(sum[0] / 16), uint8(sum[1] / 16), uint8(sum[2] / 16), 255})
		}
	}
	return m
}

// TestSlantedIsNoPillar: boards of three columns that are seen from aside are flat.
func TestSlantedIsNoPillar(t *testing.T) {
	look := solvetest.Must(calibrations.Load("witness-challenge"))(t)
	for _, row := range []struct {
		rows    int
		corners [4]vision.Point
	}{
		{5, [4]vision.Point{{X: 89, Y: 85}, {X: 296, Y: 77}, {X: 297, Y: 438}, {X: 88, Y: 431}}},
		{5, [4]vision.Point{{X: 107, Y: 64}, {X: 297, Y: 57}, {X: 295, Y: 392}, {X: 109, Y: 380}}},
		{4, [4]vision.Point{{X: 76, Y: 162}, {X: 262, Y: 163}, {X: 257, Y: 401}, {X: 81, Y: 412}}},
	} {
		boards := solvetest.Must(Boards(slanted(t, 3, row.rows, row.corners), look.Board))(t)
		if len(boards) != 1 || boards[0].Pillar || boards[0].Cols != 3 || boards[0].Rows != row.rows {
			for _, b := range boards {
				t.Logf("%dx%d, pillar %t", b.Cols, b.Rows, b.Pillar)
			}
			t.Errorf("%v: %d boards, want one of 3x%d that is no pillar", row.corners, len(boards), row.rows)
		}
	}
}
