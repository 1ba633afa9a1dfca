package locate

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
	"onlooker/vision"
)

// TestParts: parts of random masks, of widths that fill whole words and others, have all that is
// set in them.
func TestParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, size := range []image.Point{{1, 9}, {37, 29}, {64, 40}, {130, 71}, {199, 64}} {
		mask := make([]byte, size.X*size.Y)
		set := 0
		for i := range mask {
			if rng.IntN(3) > 0 {
				mask[i] = 255
				set++
			}
		}
		for _, p := range Parts(mask, size.X, size.Y, 1) {
			set -= p.Area
			for _, s := range p.Spans {
				row := mask[int(s.Y)*size.X:]
				if slices.Contains(row[s.X0:s.X1], 0) || s.X0 > 0 && row[s.X0-1] != 0 || int(s.X1) < size.X && row[s.X1] != 0 {
					t.Fatalf("%v: a span %v", size, s)
				}
			}
		}
		solvetest.Same(t, set, 0, "%v: parts that have too few pixels", size)
	}
}

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
	solvetest.Same(t, vision.At(m, math.NaN(), 0), (vision.RGB{}), "At(NaN, 0)")
}

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
			solvetest.Same(t, got, dark, "every %d rows by %.2f in %v: taken off", row.period, row.by, row.scanned)
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

// TestWindowed: a window over a part of a board, from one of its lines on, or a crop, leaves no smaller board
// of which nothing says that it is cut; the boards themselves are not cut.
func TestWindowed(t *testing.T) {
	dir, truth := solvetest.Captures(t)
	p := solvetest.Must(calibrations.Load("witness-challenge"))(t)
	cut := 0
	dark, light := color.Gray{Y: 36}, color.Gray{Y: 200} // on black panels a dark window is not seen
	for name, window := range map[string]color.Gray{"wall-maze-3x3-03.png": dark, "triangles-01.png": light, "column-polyominoes-05.png": light, "other-21.png": light} {
		m := vision.AsRGBA(solvetest.Picture(t, filepath.Join(dir, name)))
		want := truth[name].Boards[0]
		whole := solvetest.Must(vision.Placed(m.Rect.Size(), want.Size[0], want.Size[1], [4]vision.Point{
			{X: want.Quad[0][0], Y: want.Quad[0][1]}, {X: want.Quad[1][0], Y: want.Quad[1][1]},
			{X: want.Quad[2][0], Y: want.Quad[2][1]}, {X: want.Quad[3][0], Y: want.Quad[3][1]}}))(t)
		found := solvetest.Must(Boards(m, p.Board))(t)
		for _, b := range found {
			solvetest.Same(t, b.Cut, [4]bool{}, "%s: its board of %d×%d is cut at", name, b.Cols, b.Rows)
		}
		for side := range 4 {
			line := 2 // the second line from the left and from the top, and from the right and from below
			if side%2 == 1 {
				line = 2*want.Size[side/2] - 2
			}
			off := 0.2 * float64(side-1) / 2 // from a line's one border to beyond its other
			at := whole.ScreenPoint(float64(want.Size[0]), float64(line)+off)
			if side < 2 {
				at = whole.ScreenPoint(float64(line)+off, float64(want.Size[1]))
			}
			x, y, far := int(at.X), int(at.Y), max(m.Rect.Dx(), m.Rect.Dy())
			over := [4]image.Rectangle{image.Rect(0, 0, x, far), image.Rect(x, 0, far, far), image.Rect(0, 0, far, y), image.Rect(0, y, far, far)}[side]
			windowed := image.NewRGBA(m.Rect)
			draw.Draw(windowed, m.Rect, m, image.Point{}, draw.Src)
			draw.Draw(windowed, over, image.NewUniform(window), image.Point{}, draw.Src)
			left := [4]image.Rectangle{image.Rect(x, 0, far, far), image.Rect(0, 0, x, far), image.Rect(0, y, far, far), image.Rect(0, 0, far, y)}[side]
			for what, m := range map[string]image.Image{"covered": windowed, "cropped": m.SubImage(left)} {
				found := solvetest.Must(Boards(m, p.Board))(t)
				for _, b := range found {
					if b.Cut != [4]bool{} {
						cut++
					} else if b.Sized > 0.5 && 2*b.ScreenPitch > whole.ScreenPitch && b.Cols*b.Rows > 3 && b.Cols*b.Rows < want.Size[0]*want.Size[1] {
						t.Errorf("%s, %s from side %d up to %v: %d×%d cells, %.2f sure, and not cut", name, what, side, at, b.Cols, b.Rows, b.Sized)
					}
				}
			}
		}
	}
	if cut < 24 {
		t.Errorf("%d boards are cut, want one of nearly each of 16 windows and 16 crops", cut)
	}
}
