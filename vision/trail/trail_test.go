package trail

import (
	"image"
	"image/color"
	"math"
	"testing"

	"onlooker/solve/solvetest"
	"onlooker/vision"
)

// disc lays a disc with a smooth edge over m.
func layDisc(m *image.RGBA, at vision.Point, r float64, ink color.RGBA) {
	for y := max(0, int(at.Y-r)-1); y <= min(m.Rect.Dy()-1, int(at.Y+r)+2); y++ {
		for x := max(0, int(at.X-r)-1); x <= min(m.Rect.Dx()-1, int(at.X+r)+2); x++ {
			a := min(max(r+0.5-math.Hypot(float64(x)-at.X, float64(y)-at.Y), 0), 1) * float64(ink.A) / 255
			i := m.PixOffset(x, y)
			for k, v := range []uint8{ink.R, ink.G, ink.B} {
				m.Pix[i+k] = uint8(float64(m.Pix[i+k])*(1-a) + float64(v)*a + 0.5)
			}
		}
	}
}

func plainFrame(c color.RGBA) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, 240, 160))
	for i := range m.Pix {
		m.Pix[i] = []uint8{c.R, c.G, c.B, 255}[i%4]
	}
	return m
}

func TestBrightened(t *testing.T) {
	white := color.RGBA{255, 255, 255, 102}
	for _, row := range []struct {
		why     string
		ground  color.RGBA
		change  func(before, now *image.RGBA)
		want    vision.Point
		visible bool
	}{
		{"on dark", color.RGBA{10, 12, 8, 255}, func(_, now *image.RGBA) { layDisc(now, vision.Point{X: 100.5, Y: 60.25}, 10, white) }, vision.Point{X: 100.5, Y: 60.25}, true},
		{"on a light board", color.RGBA{160, 200, 210, 255}, func(_, now *image.RGBA) { layDisc(now, vision.Point{X: 100, Y: 60}, 10, white) }, vision.Point{X: 100, Y: 60}, true},
		{"moved from elsewhere", color.RGBA{60, 40, 20, 255}, func(before, now *image.RGBA) {
			layDisc(before, vision.Point{X: 40, Y: 60}, 10, white)
			layDisc(now, vision.Point{X: 100, Y: 60}, 10, white)
		}, vision.Point{X: 100, Y: 60}, true},
		{"partly outside the picture", color.RGBA{10, 12, 8, 255}, func(_, now *image.RGBA) { layDisc(now, vision.Point{X: 9, Y: 60}, 10, white) }, vision.Point{X: 9, Y: 60}, true},
		{"a bar, no disc", color.RGBA{10, 12, 8, 255}, func(_, now *image.RGBA) {
			for x := 60.0; x < 140; x++ {
				layDisc(now, vision.Point{X: x, Y: 60}, 3.5, white)
			}
		}, vision.Point{}, false},
		{"a little of noise", color.RGBA{10, 12, 8, 255}, func(_, now *image.RGBA) {
			layDisc(now, vision.Point{X: 100, Y: 60}, 10, color.RGBA{255, 255, 255, 6})
		}, vision.Point{}, false},
		{"nothing changed", color.RGBA{60, 40, 20, 255}, func(_, _ *image.RGBA) {}, vision.Point{}, false},
		{"gone, with its dark ring: what gets lighter is no disc", color.RGBA{60, 40, 20, 255}, func(before, _ *image.RGBA) {
			layDisc(before, vision.Point{X: 100, Y: 60}, 12, color.RGBA{0, 0, 0, 100})
			layDisc(before, vision.Point{X: 100, Y: 60}, 10, color.RGBA{255, 255, 255, 150})
		}, vision.Point{}, false},
	} {
		before, now := plainFrame(row.ground), plainFrame(row.ground)
		row.change(before, now)
		got, ok := Brightened(before, now, 10)
		if ok != row.visible || ok && math.Hypot(got.X-row.want.X, got.Y-row.want.Y) > 0.6 {
			t.Errorf("%s: got %v %t, want %v %t", row.why, got, ok, row.want, row.visible)
		}
	}
}

func TestTrail(t *testing.T) {
	ground, ink, white := color.RGBA{20, 160, 90, 255}, color.RGBA{60, 80, 60, 255}, color.RGBA{240, 246, 230, 255}
	draw := func(m *image.RGBA, to float64, r float64, c color.RGBA) {
		for x := 30.0; x <= to; x += 0.25 {
			layDisc(m, vision.Point{X: x, Y: 80}, r, c)
		}
		layDisc(m, vision.Point{X: to, Y: 80}, r, c)
	}
	before := plainFrame(ground)
	draw(before, 200, 8, ink)
	dotted := plainFrame(ground)
	draw(dotted, 200, 8, ink)
	layDisc(dotted, vision.Point{X: 80, Y: 80}, 7, color.RGBA{0, 0, 0, 255})
	way := func(along, across float64) vision.Point { return vision.Point{X: 30 + along, Y: 80 + across} }
	for _, row := range []struct {
		why    string
		before *image.RGBA
		now    func(m *image.RGBA)
		want   float64
	}{
		{"at the start", before, func(m *image.RGBA) { draw(m, 30, 8, white) }, 0},
		{"on its way", before, func(m *image.RGBA) { draw(m, 90.5, 8, white) }, 60.5},
		{"at the end of the picture of the way", before, func(m *image.RGBA) { draw(m, 150, 8, white) }, 120},
		{"past a dot that it covers and darkens", dotted, func(m *image.RGBA) {
			draw(m, 120, 8, white)
			layDisc(m, vision.Point{X: 80, Y: 80}, 6, color.RGBA{130, 135, 125, 255})
		}, 90},
	} {
		now := image.NewRGBA(row.before.Rect)
		copy(now.Pix, row.before.Pix)
		row.now(now)
		trail, ok := New(row.before, now, vision.Point{X: 30, Y: 80})
		if !ok {
			t.Errorf("%s: no trail", row.why)
			continue
		}
		if got := trail.Head(now, way, 16, 0.5, 160); math.Abs(got-row.want) > 0.4 {
			t.Errorf("%s: head at %.2f, want %.2f", row.why, got, row.want)
		}
		if w, ok := trail.Width(now, way, row.want+16, 20); ok {
			t.Errorf("%s: %v wide where it has not come to", row.why, w)
		}
		if w, ok := trail.Width(now, way, 5, 4); ok {
			t.Errorf("%s: %v wide, want wider than 8", row.why, w)
		}
		if row.want > 30 {
			if w, ok := trail.Width(now, way, 20, 20); !ok || math.Abs(w-17) > 0.6 { // the discs' smooth edges add up to a pixel more
				t.Errorf("%s: width %.2f %t, want 17", row.why, w, ok)
			}
		}
		if row.want > 30 && (!trail.Stands(now, way(10, 0)) || trail.Stands(row.before, way(10, 0))) {
			t.Errorf("%s: the line does not stand where it is, or stands where it is not", row.why)
		}
		if trail.Covers(now, way(row.want+20, 0)) {
			t.Errorf("%s: covers what lies ahead of it", row.why)
		}
	}
	// At the rim the line covers half; what is accepted fades to a duller grey.
	night := color.RGBA{40, 40, 40, 255}
	shown, lit, gone := plainFrame(night), plainFrame(night), plainFrame(night)
	draw(shown, 90, 8, color.RGBA{136, 255, 255, 255})
	draw(lit, 90, 8, color.RGBA{187, 187, 187, 255})
	if trail, _ := New(gone, shown, vision.Point{X: 30, Y: 80}); !trail.StandsAs(shown, lit, way(30, 8.5)) || trail.Stands(lit, way(30, 8.5)) || trail.StandsAs(shown, gone, way(30, 8.5)) {
		t.Error("half of a line that lights up does not stand, or does where it went")
	}
	if _, ok := New(before, before, vision.Point{X: 30, Y: 80}); ok {
		t.Error("a trail where nothing changed")
	}
}

// TestTold: what a trail, begun on a board of one colour, tells of a place's colours.
func TestTold(t *testing.T) {
	ground, ink, head := color.RGBA{40, 60, 80, 255}, color.RGBA{200, 210, 60, 255}, color.RGBA{250, 100, 100, 255}
	start, place := vision.Point{X: 30, Y: 80}, vision.Point{X: 150, Y: 40}
	with := func(c ...color.RGBA) *image.RGBA { // at the start, and at the place
		m := plainFrame(ground)
		for i, c := range c {
			layDisc(m, []vision.Point{start, place}[i], 8, c)
		}
		return m
	}
	barred := func(c color.RGBA, columns ...int) *image.RGBA { // some of the three about the place
		m := plainFrame(ground)
		for _, x := range columns {
			for y := -3; y <= 3; y++ {
				m.SetRGBA(int(place.X)+x, int(place.Y)+y, c)
			}
		}
		return m
	}
	before := with()
	begun, ok := New(before, with(head), start)
	if !ok {
		t.Fatal("no trail")
	}
	left := begun.Left(with(ink), start)
	dark := plainFrame(color.RGBA{20, 30, 40, 255})
	for _, row := range []struct {
		why       string
		got, want bool
	}{
		{"its own colour is known once the head went", left.Stands(with(ink, ink), place) && !left.Stands(with(ink), place), true},
		{"nothing hides a bare place", begun.Hides(before, place), false},
		{"nor does the line", begun.Hides(with(head, head), place), false},
		{"something else does", begun.Hides(with(head, color.RGBA{0, 0, 255, 255}), place), true},
		{"nor is what stands beside it covered", left.Covers(barred(ink, 1), place) || left.Covers(barred(ink, -1), place), false},
		{"but what most of it lies on", left.Covers(barred(ink, 0, 1), place) && left.Covers(barred(ink, -1, 0), place), true},
		{"what flickers a little is not covered", left.Covers(barred(color.RGBA{40, 60, 95, 255}, -1, 0, 1), place), false},
		{"a dimmed board is told as such", begun.Again(before, 0.5).Hides(dark, place), false},
		{"and not as the same", begun.Hides(dark, place), true},
	} {
		solvetest.Same(t, row.got, row.want, "%s", row.why)
	}
	var places []vision.Point
	for i := range 5 {
		places = append(places, vision.Point{X: float64(20 + 30*i), Y: 50})
	}
	if got, few := Light(before, dark, places), Light(before, dark, places[:4]); math.Abs(got-0.5) > 0.01 || few != 1 {
		t.Errorf("%v times as light, and by few places %v, want a half and nothing said", got, few)
	}
}
