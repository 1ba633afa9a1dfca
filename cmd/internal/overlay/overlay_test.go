//go:build linux || freebsd || netbsd || openbsd

package overlay

import (
	"context"
	"image"
	"image/color"
	"image/draw"
	"maps"
	"math"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"onlooker/capture"
	"onlooker/cmd/internal/dev/showcase/showtest"
	"onlooker/input"
	"onlooker/vision"
)

// TestSpans: a pixel is of a line when its centre is clearly within half a width of it,
// and of one span only.
func TestSpans(t *testing.T) {
	screen := image.Rect(0, 0, 60, 50)
	lines := []Line{
		{Width: 6, Points: []vision.Point{{X: 10, Y: 10}, {X: 40, Y: 10}, {X: 40, Y: 30}, {X: 15, Y: 44}}},
		{Width: 5, Points: []vision.Point{{X: 57, Y: 3}, {X: 70, Y: 3}}}, // beyond the screen
		{Width: 4, Points: []vision.Point{{X: 30, Y: 25}}},
	}
	got := map[image.Point]int{}
	for _, r := range spans(lines, Label{}, screen, 1)[1] {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				got[image.Pt(x, y)]++
			}
		}
	}
	for y := -5; y < 60; y++ {
		for x := -5; x < 80; x++ {
			at := image.Pt(x, y)
			want, edge := 0, false
			for _, l := range lines {
				for i := range l.Points {
					far := apart(at, l.Points[max(0, i-1)], l.Points[i]) - l.Width/2
					edge = edge || math.Abs(far) < 0.1
					if at.In(screen) && far <= 0 {
						want = 1
					}
				}
			}
			if got[at] != want && !(edge && got[at] < 2) {
				t.Errorf("%v is in %d spans, want %d", at, got[at], want)
			}
		}
	}
}

// TestLabel: a label is a box with its words left out, twice as large as the font, within the
// screen, and each pixel in one span only.
func TestLabel(t *testing.T) {
	screen := image.Rect(0, 0, 200, 60)
	at := image.Pt(10, 8)
	got := map[image.Point]int{}
	for _, r := range spans([]Line{{Width: 4, Points: []vision.Point{{X: 0, Y: 20}, {X: 60, Y: 20}}}}, Label{Words: "F9 |", At: at}, screen, 1)[1] {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				got[image.Pt(x, y)]++
			}
		}
	}
	box := image.Rectangle{Min: at, Max: at.Add(image.Pt(2*(4+2)*7, 2*(13+6)))}
	holes, letters := 0, map[int]bool{}
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			if n := got[image.Pt(x, y)]; n > 1 {
				t.Fatalf("(%d,%d) is in %d spans", x, y, n)
			} else if n == 0 {
				holes++
				letters[(x-at.X)/14] = true
			}
		}
	}
	if holes < 100 || holes > box.Dx()*box.Dy()/3 {
		t.Errorf("%d of %d pixels are left out for the words", holes, box.Dx()*box.Dy())
	}
	if want := map[int]bool{1: true, 2: true, 4: true}; !maps.Equal(letters, want) {
		t.Errorf("letters at %v, want %v: none at the box's ends, none at the space", letters, want)
	}
	for p := range got {
		if !p.In(box) && !p.In(image.Rect(0, 18, 62, 23)) {
			t.Errorf("%v is neither the box nor the line", p)
		}
	}
	if n := len(spans(nil, Label{At: at}, screen, 1)[1]); n != 0 {
		t.Errorf("a label without words has %d spans", n)
	}
}

// apart is how far a pixel is from a straight line.
func apart(at image.Point, a, b vision.Point) float64 {
	return fromLine(float64(at.X), float64(at.Y), a, b)
}

// fromLine is how far a place is from a straight line.
func fromLine(x, y float64, a, b vision.Point) float64 {
	px, py, dx, dy := x-a.X, y-a.Y, b.X-a.X, b.Y-a.Y
	f := 0.0
	if n := dx*dx + dy*dy; n > 0 {
		f = min(max((px*dx+py*dy)/n, 0), 1)
	}
	return math.Hypot(px-f*dx, py-f*dy)
}

// TestOver: the lines are on the screen, none of them in frames from under the
// overlay, and a click on one reaches the window below.
func TestOver(t *testing.T) {
	d := showtest.Display(t, 400, 300)
	w := showtest.Window(t, d, "below", image.Rect(0, 0, 400, 300))
	white := image.NewRGBA(image.Rect(0, 0, 400, 300))
	draw.Draw(white, white.Rect, image.White, image.Point{}, draw.Src)
	if err := w.Show(white); err != nil {
		t.Fatal(err)
	}
	clicks := clicked(t)
	o, err := Open(Colour())
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	lines := []Line{{Width: 10, Points: []vision.Point{{X: 50, Y: 60}, {X: 300, Y: 60}, {X: 300, Y: 250}}}}
	if err := o.Show(lines, Label{}); err != nil {
		t.Fatal(err)
	}
	line := Colour()
	area := 0
	for _, r := range spans(lines, Label{}, white.Rect, 1)[1] {
		area += r.Dx() * r.Dy()
	}
	for _, row := range []struct {
		why    string
		target capture.Target
		want   int // pixels of the line
	}{
		{"the screen", capture.Target{}, area},
		{"under the overlay", capture.Target{Under: true}, 0},
		{"the window's own picture", capture.Target{Under: true, Window: "below"}, 0},
	} {
		f := frame(t, row.target)
		n, whites := 0, 0
		for y := range f.Rect.Dy() {
			for x := range f.Rect.Dx() {
				switch f.RGBAAt(x, y) {
				case line:
					n++
				case color.RGBA{255, 255, 255, 255}:
					whites++
				}
			}
		}
		if n != row.want || n+whites != 400*300 {
			t.Errorf("%s: %d pixels of the line and %d of the window, want %d and the rest", row.why, n, whites, row.want)
		}
	}
	mouse, err := input.Open(d.Name)
	if err != nil {
		t.Fatal(err)
	}
	defer mouse.Close()
	if err := mouse.MoveTo(image.Pt(200, 60)); err != nil {
		t.Fatal(err)
	}
	if err := input.Play(t.Context(), mouse, input.Click(input.Left)); err != nil {
		t.Fatal(err)
	}
	select {
	case at := <-clicks:
		if at != image.Pt(200, 60) {
			t.Errorf("a click reached the window at %v, want (200,60)", at)
		}
	case <-time.After(10 * time.Second):
		t.Error("a click on the line did not reach the window below")
	}
}

func frame(t *testing.T, target capture.Target) *image.RGBA {
	t.Helper()
	s, err := capture.Open(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	f, err := s.Grab(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// clicked tells of clicks that reach the window titled "below".
func clicked(t *testing.T) <-chan image.Point {
	t.Helper()
	conn, err := xgb.NewConn()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	root := xproto.Setup(conn).DefaultScreen(conn).Root
	tree, err := xproto.QueryTree(conn, root).Reply()
	if err != nil || len(tree.Children) != 1 {
		t.Fatalf("%d windows, %v; want one", len(tree.Children), err)
	}
	if err := xproto.ChangeWindowAttributesChecked(conn, tree.Children[0], xproto.CwEventMask, []uint32{xproto.EventMaskButtonPress}).Check(); err != nil {
		t.Fatal(err)
	}
	out := make(chan image.Point, 1)
	go func() {
		for {
			ev, err := conn.WaitForEvent()
			if ev == nil && err == nil {
				return
			}
			if press, ok := ev.(xproto.ButtonPressEvent); ok {
				out <- image.Pt(int(press.EventX), int(press.EventY))
			}
		}
	}()
	return out
}
