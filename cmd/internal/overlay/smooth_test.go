//go:build linux || freebsd || netbsd || openbsd

package overlay

import (
	"image"
	"math"
	"testing"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"onlooker/cmd/internal/dev/showcase/showtest"
	"onlooker/vision"
)

// slants are lines that no row or column of pixels follows.
func slants() []Line {
	return []Line{
		{Width: 9, Points: []vision.Point{{X: 20.3, Y: 15.8}, {X: 70, Y: 33}, {X: 61, Y: 80.5}}},
		{Width: 5, Points: []vision.Point{{X: 10, Y: 70}, {X: 10, Y: 70}}},
		{Width: 6, Points: []vision.Point{{X: 95, Y: 50}, {X: 130, Y: 60}}}, // beyond the screen
	}
}

// coverage is how much of a pixel lines cover, by many points in it.
func coverage(at image.Point, lines []Line) float64 {
	const n = 20
	in := 0
	for i := range n * n {
		x, y := float64(at.X)+(float64(i%n)+0.5)/n-0.5, float64(at.Y)+(float64(i/n)+0.5)/n-0.5
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

// TestShades: a pixel's shade is how much of it the lines cover, on a screen whose corner is
// anywhere, and each pixel has one.
func TestShades(t *testing.T) {
	for _, corner := range []image.Point{{}, {-40, -7}} {
		screen := image.Rect(0, 0, 100, 90).Add(corner)
		lines := slants()
		for _, l := range lines {
			for i := range l.Points {
				l.Points[i].X += float64(corner.X)
				l.Points[i].Y += float64(corner.Y)
			}
		}
		label := Label{Words: "on", At: corner.Add(image.Pt(40, 2))}
		box := image.Rectangle{Min: label.At, Max: label.At.Add(image.Pt(2*(2+2)*7, 2*(13+6)))}
		got, between := map[image.Point]float64{}, 0
		for shade, parts := range spans(lines, label, screen, opaque) {
			for _, r := range parts {
				for y := r.Min.Y; y < r.Max.Y; y++ {
					for x := r.Min.X; x < r.Max.X; x++ {
						if _, twice := got[image.Pt(x, y)]; twice || shade == 0 {
							t.Fatalf("(%d,%d) is in two spans, or in one of nothing", x, y)
						}
						got[image.Pt(x, y)] = float64(shade) / opaque
						if shade < opaque {
							between++
						}
					}
				}
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
				case at.In(box):
					if want == 0 && got[at] > 0.13 && got[at] != 1 {
						t.Errorf("%v of the label is covered by %.2f, want all or nothing", at, got[at])
					}
				case math.Abs(got[at]-want) > 0.2:
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
	showtest.Display(t, 100, 90)
	lines, colour := slants(), Colour()
	plain, err := Open(colour)
	if err != nil {
		t.Fatal(err)
	}
	if g, err := xproto.GetGeometry(plain.conn, xproto.Drawable(plain.window)).Reply(); err != nil || g.Depth != 24 || plain.smooth {
		t.Errorf("without a compositor the window is %v, %v, want one of 24 bits", g, err)
	}
	plain.Close()
	compositor(t)
	o, err := Open(colour)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if err := o.Show([]Line{{Width: 40, Points: []vision.Point{{X: 50, Y: 40}}}}, Label{}); err != nil { // to be taken away
		t.Fatal(err)
	}
	if err := o.Show(lines, Label{}); err != nil {
		t.Fatal(err)
	}
	m, err := xproto.GetImage(o.conn, xproto.ImageFormatZPixmap, xproto.Drawable(o.window), 0, 0, 100, 90, ^uint32(0)).Reply()
	if err != nil {
		t.Fatal(err)
	}
	if m.Depth != 32 {
		t.Fatalf("the window's pixels have %d bits, want 32", m.Depth)
	}
	inside := map[image.Point]bool{}
	for _, parts := range spans(lines, Label{}, o.screen, opaque) {
		for _, r := range parts {
			for x := r.Min.X; x < r.Max.X; x++ {
				inside[image.Pt(x, r.Min.Y)] = true
			}
		}
	}
	for at := range inside {
		p := m.Data[4*(at.Y*100+at.X):][:4] // blue, green, red, cover
		want := coverage(at, lines)
		if got := float64(p[3]) / 255; math.Abs(got-want) > 0.2 {
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
	conn, err := xgb.NewConn()
	if err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
}
