package locate

import (
	"image"
	"math"
	"testing"

	"onlooker/calibrations"
	"onlooker/vision"
)

// drawn is a pillar as a camera sees it, with lines of one channel, and the box that it is seen in.
func drawn(c *vision.Cylinder, ground float64, channel int) (*image.RGBA, image.Rectangle) {
	m := image.NewRGBA(image.Rect(0, 0, 440, 620))
	root := math.Sqrt(1 - c.E*c.E)
	var angles []float64 // at every thousandth of the half width
	for a := -math.Acos(c.E); len(angles) < 2001; a += 1e-4 {
		for root*math.Sin(a)/(1-c.E*math.Cos(a)) >= float64(len(angles)-1000)/1000-1e-7 && len(angles) < 2001 {
			angles = append(angles, a)
		}
	}
	off := func(at, every float64) float64 { return math.Abs(at - math.Round(at/every)*every) }
	seen := func(x, y float64) (float64, bool) {
		left, right := c.Left.X(y), c.Right.X(y)
		u := (2*x - left - right) / (right - left)
		if math.Abs(u) > 1 {
			return ground, false
		}
		a := angles[int(1000+1000*u+0.5)]
		v := (y - c.Level) * (1 - c.E*math.Cos(a)) / (c.Half * root)
		rows, half := (v-c.Top)/c.Pitch, c.Line*c.Pitch/2
		switch {
		case rows < -0.4 || rows > float64(c.Rows)+0.4:
			return ground, false
		case rows > -c.Line/2 && rows < float64(c.Rows)+c.Line/2 && (off(v-c.Top, c.Pitch) < half || off(a-c.First, 2*math.Pi/float64(c.Cols)) < half):
			return c.Ink, true
		}
		return c.Paper, true
	}
	var box image.Rectangle
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			sum := 0.0
			for k := range 4 {
				v, on := seen(float64(x)+float64(k%2)/2-0.25, float64(y)+float64(k/2)/2-0.25)
				if sum += v; on {
					box = box.Union(image.Rect(x, y, x+1, y+1))
				}
			}
			v := uint8(sum/4 + 0.5)
			p := m.Pix[m.PixOffset(x, y):]
			low := min(v, uint8(min(c.Ink, c.Paper)))
			p[0], p[1], p[2], p[3] = low, low, low, 255
			p[channel] = v
		}
	}
	return m, box
}

// TestFit: a pillar is fitted as it was drawn, and found by its lines; one that is seen from
// so far that nothing is bowed is refused, and one whose lines no look has.
func TestFit(t *testing.T) {
	for i, row := range []struct {
		why              string
		e, level, lean   float64
		cols, rows       int
		first, top, line float64
		ink, paper       float64
		refused          bool
	}{
		{"light lines", 0.11, 400, 0, 6, 4, 0.2, -3, 0.16, 220, 90, false},
		{"dark lines, leaning", 0.14, 300, 0.02, 8, 5, 0.35, -2.1, 0.16, 40, 160, false},
		{"from below", 0.12, 560, -0.015, 7, 4, 0, -4.3, 0.12, 200, 110, false},
		{"from afar", 0.01, 400, 0, 6, 4, 0.2, -3, 0.16, 220, 90, true},
		{"thick lines", 0.11, 400, 0, 6, 4, 0.2, -3, 0.35, 220, 90, true},
		{"more rows than a board has", 0.11, 400, 0, 6, 9, 0.2, -3, 0.16, 220, 90, true},
	} {
		around := 2 * math.Pi / float64(row.cols)
		want := vision.Cylinder{
			Left: vision.SideLine{At: 160, Slope: row.lean, From: 310}, Right: vision.SideLine{At: 360, Slope: row.lean, From: 310},
			Half: 100, Level: row.level, E: row.e, Cols: row.cols, First: vision.LastHidden(row.first, around),
			Rows: row.rows, Top: row.top, Pitch: 3.4 / float64(row.rows), Line: row.line, Ink: row.ink, Paper: row.paper,
		}
		m, box := drawn(&want, 20, i%3)
		got, err := NewUpright(m, box).Fit(calibrations.Board{Line: calibrations.Range{0.05, 0.3}, MaxCells: 8})
		if row.refused || err != nil {
			if !row.refused || err == nil {
				t.Errorf("%s: %v, want refused: %t", row.why, err, row.refused)
			}
			continue
		}
		if got.Cols != want.Cols || got.Rows != want.Rows || got.Ink != want.Ink || got.Paper != want.Paper ||
			math.Abs(got.E-want.E) > 0.01 || math.Abs(got.Line-want.Line) > 0.01 || math.Abs(got.First-want.First) > 0.015 {
			t.Errorf("%s: %+v, want %+v", row.why, *got, want)
		}
		for _, at := range []struct{ turn, row float64 }{{0, 0}, {0, float64(row.rows)}, {1, 0}, {-1, float64(row.rows)}, {-1.2, 1}, {1.2, 3}} {
			sin, cos := math.Sincos(at.turn)
			p, q := got.Turned(sin, cos, got.Top+at.row*got.Pitch), want.Turned(sin, cos, want.Top+at.row*want.Pitch)
			if p.Dist(q) > 2 {
				t.Errorf("%s: row %v is at %v, %v radians round, want %v", row.why, at.row, p, at.turn, q)
			}
		}
		y := func(rows float64) float64 { return want.Turned(0, 1, want.Top+rows*want.Pitch).Y }
		lines, ok := Striped(m, box)
		if from, to := float64(lines.Min.Y), float64(lines.Max.Y); !ok || lines.Min.X != box.Min.X || lines.Max.X != box.Max.X || math.Abs(from-y(-0.75)) > 4 || math.Abs(to-y(float64(row.rows)+0.75)) > 4 {
			t.Errorf("%s: lines in %v, %t, want from %.0f to %.0f", row.why, lines, ok, y(-0.75), y(float64(row.rows)+0.75))
		}
	}
}
