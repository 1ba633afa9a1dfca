package locate

import (
	"math"
	"testing"

	"onlooker/calibrations"
	"onlooker/vision"
)

// TestPlane: the lines of a board that is seen aslant are found where they were drawn, as
// many as there are and as wide.
func TestPlane(t *testing.T) {
	const w, h = 420, 330
	look := calibrations.Board{Line: calibrations.Range{0.1, 0.4}, MaxCells: 9}
	for _, row := range []struct {
		why        string
		cols, rows int
		wide       float64     // of a line
		to         vision.Mat3 // from nodes to the picture
		scale      float64     // of the frame, by the picture that is looked at
	}{
		{"head on", 5, 4, 0.25, vision.Mat3{70, 0, 30, 0, 70, 25, 0, 0, 1}, 1},
		{"turned, reduced", 6, 5, 0.2, vision.Mat3{52, -8, 70, 9, 50, 20, 0, 0, 1}, 2},
		{"from the left", 5, 5, 0.2, vision.Mat3{85, -4, 40, 12, 58, 18, 0.05, 0, 1}, 1},
		{"from below", 7, 4, 0.22, vision.Mat3{44, 6, 50, 3, 86, 20, 0, 0.06, 1}, 1.5},
	} {
		from, ok := row.to.Inverse()
		if !ok {
			t.Fatal(row.why)
		}
		mask := make([]byte, w*h)
		for i := range mask {
			p := from.Apply(vision.Point{X: float64(i % w), Y: float64(i / w)})
			on := func(v, most float64) bool { return math.Abs(v-math.Round(v)) < row.wide/2 && v > -0.5 && v < most+0.5 }
			in := func(v, most float64) bool { return v > -row.wide/2 && v < most+row.wide/2 }
			x, y := float64(row.cols), float64(row.rows)
			if on(p.X, x) && in(p.Y, y) || on(p.Y, y) && in(p.X, x) {
				mask[i] = 255
			}
		}
		part := Parts(mask, w, h, 1)[0]
		plane := part.Plane(row.scale, row.scale)
		if plane == nil {
			t.Errorf("%s: no plane", row.why)
			continue
		}
		across, down := plane.Across().Spacings(look), plane.Down().Spacings(look)
		if len(across) == 0 || len(down) == 0 || across[0].N != row.cols || down[0].N != row.rows {
			t.Errorf("%s: lines %+v and %+v, want %d and %d cells", row.why, across, down, row.cols, row.rows)
			continue
		}
		a, d := across[0], down[0]
		for _, s := range []Spacing{a, d} {
			if math.Abs(s.Width/s.Pitch-row.wide) > 0.03 {
				t.Errorf("%s: lines of %.3f, want %.3f", row.why, s.Width/s.Pitch, row.wide)
			}
		}
		for _, n := range []vision.Point{{}, {X: float64(a.N)}, {Y: float64(d.N)}, {X: float64(a.N), Y: float64(d.N)}, {X: 2, Y: 3}} {
			got := plane.Back.Apply(vision.Point{X: a.First + n.X*a.Pitch, Y: d.First + n.Y*d.Pitch})
			want := row.to.Apply(n)
			want.X, want.Y = (want.X+0.5)*row.scale-0.5, (want.Y+0.5)*row.scale-0.5
			if got.Dist(want) > 2*row.scale {
				t.Errorf("%s: node %v is at %v, want %v", row.why, n, got, want)
			}
		}
	}
}
