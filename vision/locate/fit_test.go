package locate

import (
	"image"
	"math"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
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

// missedNow is how many boards of the captures are not found yet.
const missedNow = 1

// TestLocateCaptures holds every transcribed flat board to its corners: within
// 3 % of the pitch and 6 pixels of where they are (the truth itself is within
// 2 pixels, where made by eye within 8).
func TestLocateCaptures(t *testing.T) {
	if testing.Short() {
		t.Skip("reads all captures; the readers' tests do so too")
	}
	dir, truth := solvetest.Captures(t)
	p := solvetest.Must(calibrations.Load("witness-challenge"))(t)
	var names []string
	for n := range truth {
		if only := os.Getenv("ONLY"); only != "" {
			if ok, _ := filepath.Match(only, n); !ok {
				continue
			}
		}
		names = append(names, n)
	}
	sort.Strings(names)
	missed := 0
	for _, n := range names {
		if strings.HasPrefix(n, "pillar") {
			continue
		}
		m := solvetest.Picture(t, filepath.Join(dir, n))
		got := solvetest.Must(Boards(m, p.Board))(t)
		for _, w := range truth[n].Boards {
			if w.Quad == nil {
				continue
			}
			hit := false
			for _, b := range got {
				worst := 0.0
				for i, q := range w.Quad {
					worst = max(worst, math.Hypot(b.Quad[i].X-q[0], b.Quad[i].Y-q[1]))
				}
				if worst < 6+0.03*b.ScreenPitch && b.Cols == w.Size[0] && b.Rows == w.Size[1] {
					hit = true
					solvetest.Same(t, b.Cut, [4]bool{}, "%s %s: cut off at (left, right, top, bottom)", n, w.Side)
					t.Logf("%s %s: corners within %.1f px, lines %.3f, %.2f of the edges seen", n, w.Side, worst, b.Stray, b.Share)
				}
			}
			if !hit {
				missed++
				t.Logf("%s %s: missed %v at %.0f", n, w.Side, w.Size, w.Quad)
			}
		}
		for _, b := range got {
			t.Logf("   %s: %dx%d at %.0f line %.2f", n, b.Cols, b.Rows, b.Quad, b.Line)
		}
	}
	if missed > missedNow {
		t.Errorf("%d boards missed, want at most %d", missed, missedNow)
	}
}

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
