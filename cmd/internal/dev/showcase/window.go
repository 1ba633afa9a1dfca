//go:build linux || freebsd || netbsd || openbsd

package showcase

import (
	"fmt"
	"image"
	"image/draw"
	"sync"

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
