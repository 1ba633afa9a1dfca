//go:build linux || freebsd || netbsd || openbsd

package overlay

import (
	"image"
	"math"
	"testing"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"onlooker/cmd/internal/dev/showcase"
	"onlooker/solve/solvetest"
	"onlooker/vision/picture"
)

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
