//go:build linux || freebsd || netbsd || openbsd

package showcase

import (
	"errors"
	"fmt"
	"image"
	"image/draw"
	"sync"
	"testing"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	_ "onlooker/capture/xserver" // keeps the library from writing to standard error
)

// A Window shows one picture. The server keeps it, so that nothing needs to be
// drawn again.
type Window struct {
	conn  *xgb.Conn
	id    xproto.Window
	gc    xproto.Gcontext
	depth byte
	size  image.Point
	max   int // bytes of a request
	ended sync.Once
}

// OpenWindow opens a window on a display; name "" is the one of DISPLAY. A
// window manager may put it elsewhere than at the place asked for.
func OpenWindow(name, title string, at image.Rectangle) (*Window, error) {
	conn, err := xgb.NewConnDisplay(name)
	if err != nil {
		return nil, fmt.Errorf("showcase: display %q: %w", name, err)
	}
	setup := xproto.Setup(conn)
	screen := setup.DefaultScreen(conn)
	w := &Window{conn: conn, depth: screen.RootDepth, size: at.Size(), max: 4 * int(setup.MaximumRequestLength)}
	if w.id, err = xproto.NewWindowId(conn); err == nil {
		err = xproto.CreateWindowChecked(conn, screen.RootDepth, w.id, screen.Root,
			int16(at.Min.X), int16(at.Min.Y), uint16(at.Dx()), uint16(at.Dy()), 0,
			xproto.WindowClassInputOutput, screen.RootVisual, xproto.CwBackPixel, []uint32{0}).Check()
	}
	if err == nil {
		err = xproto.ChangePropertyChecked(conn, xproto.PropModeReplace, w.id, xproto.AtomWmName, xproto.AtomString, 8,
			uint32(len(title)), []byte(title)).Check()
	}
	if err == nil {
		if w.gc, err = xproto.NewGcontextId(conn); err == nil {
			err = xproto.CreateGCChecked(conn, w.gc, xproto.Drawable(w.id), 0, nil).Check()
		}
	}
	if err == nil {
		err = xproto.MapWindowChecked(conn, w.id).Check()
	}
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("showcase: %w", err)
	}
	return w, nil
}

// Show puts a picture into the window, its top left pixel in the window's.
// What the picture does not cover is black.
func (w *Window) Show(m image.Image) error {
	canvas := image.NewRGBA(image.Rectangle{Max: w.size})
	draw.Draw(canvas, canvas.Rect, image.Black, image.Point{}, draw.Src)
	draw.Draw(canvas, canvas.Rect, m, m.Bounds().Min, draw.Over)
	// The wire wants blue first.
	for i := 0; i < len(canvas.Pix); i += 4 {
		canvas.Pix[i], canvas.Pix[i+2] = canvas.Pix[i+2], canvas.Pix[i]
	}
	pixmap, err := xproto.NewPixmapId(w.conn)
	if err == nil {
		err = xproto.CreatePixmapChecked(w.conn, w.depth, pixmap, xproto.Drawable(w.id), uint16(w.size.X), uint16(w.size.Y)).Check()
	}
	if err != nil {
		return fmt.Errorf("showcase: %w", err)
	}
	defer xproto.FreePixmap(w.conn, pixmap)
	const header = 32 // bytes of a PutImage request before its pixels, rounded up
	rows := max(1, (w.max-header)/canvas.Stride)
	for y := 0; y < w.size.Y; y += rows {
		n := min(rows, w.size.Y-y)
		err := xproto.PutImageChecked(w.conn, xproto.ImageFormatZPixmap, xproto.Drawable(pixmap), w.gc,
			uint16(w.size.X), uint16(n), 0, int16(y), 0, w.depth, canvas.Pix[y*canvas.Stride:(y+n)*canvas.Stride]).Check()
		if err != nil {
			return fmt.Errorf("showcase: %w", err)
		}
	}
	err = xproto.ChangeWindowAttributesChecked(w.conn, w.id, xproto.CwBackPixmap, []uint32{uint32(pixmap)}).Check()
	if err == nil {
		err = xproto.ClearAreaChecked(w.conn, false, w.id, 0, 0, 0, 0).Check()
	}
	if err != nil {
		return fmt.Errorf("showcase: %w", err)
	}
	return nil
}

// Move puts the window's top left corner elsewhere.
func (w *Window) Move(to image.Point) error {
	err := xproto.ConfigureWindowChecked(w.conn, w.id, xproto.ConfigWindowX|xproto.ConfigWindowY,
		[]uint32{uint32(int32(to.X)), uint32(int32(to.Y))}).Check()
	if err != nil {
		return fmt.Errorf("showcase: %w", err)
	}
	return nil
}

// Close takes the window away. It is gone for every client when Close returns:
// a closed connection alone takes its windows away some time later.
func (w *Window) Close() {
	w.ended.Do(func() {
		// An error says that the server is gone, and the window with it.
		_ = xproto.DestroyWindowChecked(w.conn, w.id).Check()
		w.conn.Close()
	})
}

// A Touch is what a mouse did in a window.
type Touch struct {
	At      image.Point // of the window
	Pressed bool
	Released,
	Left bool // of the buttons, the left one
}

// Listen tells what a mouse does in the window until it is closed, one after another.
func (w *Window) Listen(tell func(Touch)) error {
	mask := []uint32{xproto.EventMaskButtonPress | xproto.EventMaskButtonRelease | xproto.EventMaskPointerMotion}
	if err := xproto.ChangeWindowAttributesChecked(w.conn, w.id, xproto.CwEventMask, mask).Check(); err != nil {
		return fmt.Errorf("showcase: %w", err)
	}
	go func() {
		for {
			switch ev, err := w.conn.WaitForEvent(); e := ev.(type) {
			case xproto.ButtonPressEvent:
				tell(Touch{At: image.Pt(int(e.EventX), int(e.EventY)), Pressed: true, Left: e.Detail == 1})
			case xproto.ButtonReleaseEvent:
				tell(Touch{At: image.Pt(int(e.EventX), int(e.EventY)), Released: true, Left: e.Detail == 1})
			case xproto.MotionNotifyEvent:
				tell(Touch{At: image.Pt(int(e.EventX), int(e.EventY))})
			case nil:
				if err == nil {
					return
				}
			}
		}
	}()
	return nil
}

// Push moves the mouse of a display as a hand does: not XTest's own pointer,
// which programs move, but the mouse of the Xvfb that StartDisplay started.
// display is its name, "" for the one that DISPLAY names; dx and dy are pixels.
func Push(display string, dx, dy int) error {
	conn, err := xgb.NewConnDisplay(display)
	if err != nil {
		return fmt.Errorf("showcase: %w", err)
	}
	defer conn.Close()
	var ops [2]*xproto.QueryExtensionReply
	for i, name := range []string{"XTEST", "XInputExtension"} {
		ops[i], err = xproto.QueryExtension(conn, uint16(len(name)), name).Reply()
		if err != nil {
			return fmt.Errorf("showcase: %w", err)
		}
		if !ops[i].Present {
			return fmt.Errorf("showcase: this display has no %s", name)
		}
	}
	// xtestproto.h, XIproto.h: a request with a DeviceMotionNotify in it, and a
	// DeviceValuator behind it that tells the motion.
	const fakeInput, motionNotify, valuator = 2, 5, 0
	const mouse = 6 // Xvfb's, after two masters, XTest's two and its keyboard
	buf := make([]byte, 4+32+32)
	buf[0], buf[1] = ops[0].MajorOpcode, fakeInput
	xgb.Put16(buf[2:], uint16(len(buf)/4))
	motion, values := buf[4:36], buf[36:]
	motion[0], motion[1], motion[31] = ops[1].FirstEvent+motionNotify, 1, mouse // 1: relative
	values[0], values[1], values[6] = ops[1].FirstEvent+valuator, mouse, 2      // axes
	xgb.Put32(values[8:], uint32(int32(dx)))
	xgb.Put32(values[12:], uint32(int32(dy)))
	cookie := conn.NewCookie(true, false)
	conn.NewRequest(buf, cookie)
	if err := cookie.Check(); err != nil {
		return fmt.Errorf("showcase: push: %w", err)
	}
	return nil
}

// Held tells whether any of the mouse's buttons is down on a display.
func Held(display string) (bool, error) {
	conn, err := xgb.NewConnDisplay(display)
	if err != nil {
		return false, err
	}
	defer conn.Close()
	p, err := xproto.QueryPointer(conn, xproto.Setup(conn).DefaultScreen(conn).Root).Reply()
	if err != nil {
		return false, err
	}
	const buttons = xproto.KeyButMaskButton1 | xproto.KeyButMaskButton2 | xproto.KeyButMaskButton3
	return p.Mask&buttons != 0, nil
}

// TestDisplay starts a display of our own, until the test ends, and makes it the one that is
// looked at. Without an X server the test is skipped.
func TestDisplay(t testing.TB, width, height int) *Display {
	t.Helper()
	d, err := StartDisplay(t.Context(), width, height)
	if errors.Is(err, ErrNoServer) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	t.Setenv("DISPLAY", d.Name)
	t.Setenv("XDG_SESSION_TYPE", "x11")
	return d
}

// TestWindow opens a window on a display, until the test ends.
func TestWindow(t testing.TB, d *Display, title string, at image.Rectangle) *Window {
	t.Helper()
	w, err := OpenWindow(d.Name, title, at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}
