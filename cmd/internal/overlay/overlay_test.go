//go:build linux || freebsd || netbsd || openbsd

package overlay

import (
	"context"
	"image"
	"image/color"
	"image/draw"
	"math"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"onlooker/capture"
	"onlooker/cmd/internal/dev/showcase"
	"onlooker/input"
	"onlooker/solve/solvetest"
	"onlooker/vision/picture"
)

// pen is a line on the screen, with round ends.
func pen(width float64, points ...picture.Point) picture.Shape {
	return picture.Shape{Kind: picture.Line, Width: width, Points: points, Round: true, Colour: Ink()}
}

// TestSpans: a pixel is of a line when most of it is covered, and of one span only.
func TestSpans(t *testing.T) {
	screen := image.Rect(0, 0, 60, 50)
	lines := []picture.Shape{
		pen(6, picture.Point{X: 10, Y: 10}, picture.Point{X: 40, Y: 10}, picture.Point{X: 40, Y: 30}, picture.Point{X: 15, Y: 44}),
		pen(5, picture.Point{X: 57, Y: 3}, picture.Point{X: 70, Y: 3}), // beyond the screen
	}
	got := pixels(t, lines, screen, false)
	for y := -5; y < 60; y++ {
		for x := -5; x < 80; x++ {
			at := image.Pt(x, y)
			want := coverage(at, lines)
			if in := got[at] > 0; in && (want < 0.35 || !at.In(screen)) || !in && want > 0.65 && at.In(screen) {
				t.Errorf("%v, covered by %.2f, is in a span: %v", at, want, in)
			}
		}
	}
}

// pixels are how much of each pixel spans cover, each of which is in one alone.
func pixels(t *testing.T, shapes []picture.Shape, screen image.Rectangle, smooth bool) map[image.Point]float64 {
	t.Helper()
	got := map[image.Point]float64{}
	for shade, parts := range spans(shapes, screen, smooth) {
		for _, r := range parts {
			for y := r.Min.Y; y < r.Max.Y; y++ {
				for x := r.Min.X; x < r.Max.X; x++ {
					if _, twice := got[image.Pt(x, y)]; twice || shade == 0 {
						t.Fatalf("(%d,%d) is in two spans, or in one of nothing", x, y)
					}
					got[image.Pt(x, y)] = float64(shade) / opaque
				}
			}
		}
	}
	return got
}

// TestLabel: a label is a box with its words left out, large enough to be read from afar, over
// what else is there.
func TestLabel(t *testing.T) {
	screen := image.Rect(0, 0, 300, 80)
	at := image.Pt(10, 8)
	got := pixels(t, append([]picture.Shape{pen(4, picture.Point{X: 0, Y: 20}, picture.Point{X: 60, Y: 20})}, Label("F9 |", at)...), screen, false)
	box := image.Rectangle{Min: at, Max: image.Pt(0, 64)}
	for p := range got {
		box.Max.X = max(box.Max.X, p.X+1)
		if p.Y < box.Min.Y || p.Y >= box.Max.Y {
			t.Errorf("%v is neither the box nor the line", p)
		}
	}
	holes, columns := image.Rectangle{}, map[int]bool{}
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			if got[image.Pt(x, y)] == 0 {
				holes, columns[x] = holes.Union(image.Rect(x, y, x+1, y+1)), true
			}
		}
	}
	if holes.Dy() < 24 || !holes.In(box.Inset(8)) || len(columns) < 20 || len(columns) > holes.Dx()-5 {
		t.Errorf("words are left out of %v of %v, in %d columns", holes, box, len(columns))
	}
	if Label("", at) != nil {
		t.Error("a label without words is drawn")
	}
}

// coverage is how much of a pixel lines cover, by many points in it.
func coverage(at image.Point, lines []picture.Shape) float64 {
	const n = 20
	in := 0
	for i := range n * n {
		x, y := float64(at.X)+(float64(i%n)+0.5)/n, float64(at.Y)+(float64(i/n)+0.5)/n
		for _, l := range lines {
			near := math.Inf(1)
			for k := range l.Points {
				near = min(near, fromLine(x, y, l.Points[max(0, k-1)], l.Points[k]))
			}
			if near <= l.Width/2 {
				in++
				break
			}
		}
	}
	return float64(in) / (n * n)
}

// fromLine is how far a place is from a straight line.
func fromLine(x, y float64, a, b picture.Point) float64 {
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
	d := showcase.TestDisplay(t, 400, 300)
	w := showcase.TestWindow(t, d, "below", image.Rect(0, 0, 400, 300))
	white := image.NewRGBA(image.Rect(0, 0, 400, 300))
	draw.Draw(white, white.Rect, image.White, image.Point{}, draw.Src)
	solvetest.OK(t, w.Show(white))
	clicks := clicked(t)
	o := solvetest.Must(Open(Colour()))(t)
	defer o.Close()
	lines := []picture.Shape{pen(10, picture.Point{X: 50, Y: 60}, picture.Point{X: 300, Y: 60}, picture.Point{X: 300, Y: 250})}
	solvetest.OK(t, o.Show(lines))
	line := Colour()
	area := 0
	for _, r := range spans(lines, white.Rect, false)[opaque] {
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
	mouse := solvetest.Must(input.Open(d.Name))(t)
	defer mouse.Close()
	solvetest.OK(t, mouse.MoveTo(image.Pt(200, 60)))
	solvetest.OK(t, input.Play(t.Context(), mouse, input.Click(input.Left)))
	select {
	case at := <-clicks:
		solvetest.Same(t, at, image.Pt(200, 60), "where a click reached the window")
	case <-time.After(10 * time.Second):
		t.Error("a click on the line did not reach the window below")
	}
}

func frame(t *testing.T, target capture.Target) *image.RGBA {
	t.Helper()
	s := solvetest.Must(capture.Open(t.Context(), target))(t)
	defer s.Close()
	return solvetest.Must(s.Grab(context.Background()))(t)
}

// clicked tells of clicks that reach the window titled "below".
func clicked(t *testing.T) <-chan image.Point {
	t.Helper()
	conn := solvetest.Must(xgb.NewConn())(t)
	t.Cleanup(conn.Close)
	root := xproto.Setup(conn).DefaultScreen(conn).Root
	tree, err := xproto.QueryTree(conn, root).Reply()
	if err != nil || len(tree.Children) != 1 {
		t.Fatalf("%d windows, %v; want one", len(tree.Children), err)
	}
	solvetest.OK(t, xproto.ChangeWindowAttributesChecked(conn, tree.Children[0], xproto.CwEventMask, []uint32{xproto.EventMaskButtonPress}).Check())
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

// slants are lines that no row or column of pixels follows.
func slants(corner image.Point) []picture.Shape {
	x, y := float64(corner.X), float64(corner.Y)
	return []picture.Shape{
		pen(9, picture.Point{X: x + 20.3, Y: y + 15.8}, picture.Point{X: x + 70, Y: y + 33}, picture.Point{X: x + 61, Y: y + 80.5}),
		pen(6, picture.Point{X: x + 95, Y: y + 50}, picture.Point{X: x + 130, Y: y + 60}), // beyond the screen
	}
}

// TestShades: a pixel's shade is how much of it the lines cover, on a screen whose corner is
// anywhere, and each pixel has one.
func TestShades(t *testing.T) {
	for _, corner := range []image.Point{{}, {-40, -7}} {
		screen := image.Rect(0, 0, 100, 90).Add(corner)
		lines := slants(corner)
		got, between := pixels(t, lines, screen, true), 0
		for _, shade := range got {
			if shade < 1 {
				between++
			}
		}
		for y := screen.Min.Y - 3; y < screen.Max.Y+3; y++ {
			for x := screen.Min.X - 3; x < screen.Max.X+20; x++ {
				at := image.Pt(x, y)
				switch want := coverage(at, lines); {
				case !at.In(screen):
					if got[at] > 0 {
						t.Errorf("%v is beyond the screen, and covered", at)
					}
				case math.Abs(got[at]-want) > 0.13:
					t.Errorf("%v is covered by %.2f, want %.2f", at, got[at], want)
				}
			}
		}
		if between < 150 {
			t.Errorf("%d pixels are covered in part, want the edges of all lines", between)
		}
	}
}

// TestSmooth: where somebody composes the screen the window has the lines' colour, mixed with
// what is below by how much of a pixel they cover; where nobody does it is the lines whole.
func TestSmooth(t *testing.T) {
	showcase.TestDisplay(t, 100, 90)
	lines, colour := slants(image.Point{}), Colour()
	plain := solvetest.Must(Open(colour))(t)
	if g, err := xproto.GetGeometry(plain.conn, xproto.Drawable(plain.window)).Reply(); err != nil || g.Depth != 24 || plain.smooth {
		t.Errorf("without a compositor the window is %v, %v, want one of 24 bits", g, err)
	}
	plain.Close()
	compositor(t)
	o := solvetest.Must(Open(colour))(t)
	defer o.Close()
	if err := o.Show([]picture.Shape{pen(40, picture.Point{X: 50, Y: 40}, picture.Point{X: 51, Y: 40})}); err != nil { // to be taken away
		t.Fatal(err)
	}
	solvetest.OK(t, o.Show(lines))
	m := solvetest.Must(xproto.GetImage(o.conn, xproto.ImageFormatZPixmap, xproto.Drawable(o.window), 0, 0, 100, 90, ^uint32(0)).Reply())(t)
	if m.Depth != 32 {
		t.Fatalf("the window's pixels have %d bits, want 32", m.Depth)
	}
	for at := range pixels(t, lines, o.screen, true) {
		p := m.Data[4*(at.Y*100+at.X):][:4] // blue, green, red, cover
		want := coverage(at, lines)
		if got := float64(p[3]) / 255; math.Abs(got-want) > 0.13 {
			t.Errorf("%v is covered by %.2f, want %.2f", at, got, want)
		}
		for i, whole := range []uint8{colour.B, colour.G, colour.R} {
			if mixed := float64(whole) * float64(p[3]) / 255; math.Abs(mixed-float64(p[i])) > 1.5 {
				t.Errorf("%v is %v, want %v in its part", at, p, colour)
			}
		}
	}
}

// compositor says that it composes the screen, until the test ends.
func compositor(t *testing.T) {
	t.Helper()
	conn := solvetest.Must(xgb.NewConn())(t)
	t.Cleanup(conn.Close)
	const name = "_NET_WM_CM_S0"
	id, err := xproto.NewWindowId(conn)
	if err == nil {
		err = xproto.CreateWindowChecked(conn, 0, id, xproto.Setup(conn).DefaultScreen(conn).Root, 0, 0, 1, 1, 0, xproto.WindowClassInputOnly, 0, 0, nil).Check()
	}
	var atom *xproto.InternAtomReply
	if err == nil {
		atom, err = xproto.InternAtom(conn, false, uint16(len(name)), name).Reply()
	}
	if err == nil {
		err = xproto.SetSelectionOwnerChecked(conn, id, atom.Atom, xproto.TimeCurrentTime).Check()
	}
	solvetest.OK(t, err)
}
