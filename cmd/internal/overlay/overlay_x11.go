//go:build linux || freebsd || netbsd || openbsd

package overlay

import (
	"fmt"
	"image"
	"image/color"
	"slices"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/shape"
	"github.com/jezek/xgb/xproto"

	"onlooker/capture/xserver"
)

// An Overlay is a window that is nothing but the lines: it needs no compositor.
type Overlay struct {
	conn   *xgb.Conn
	window xproto.Window
	screen image.Rectangle
}

// Open opens an overlay on the display that DISPLAY names, whose lines
// have a colour; it shows nothing yet.
func Open(colour color.RGBA) (*Overlay, error) {
	conn, err := xgb.NewConn()
	if err != nil {
		return nil, fmt.Errorf("overlay: %w", err)
	}
	o := &Overlay{conn: conn}
	if err := o.open(colour); err != nil {
		conn.Close()
		return nil, fmt.Errorf("overlay: %w", err)
	}
	return o, nil
}

func (o *Overlay) open(colour color.RGBA) error {
	if err := xserver.Use(o.conn, "SHAPE"); err != nil {
		return fmt.Errorf("this X server has no windows of another shape than a rectangle's: %w", err)
	}
	root := xproto.Setup(o.conn).DefaultScreen(o.conn)
	o.screen = image.Rect(0, 0, int(root.WidthInPixels), int(root.HeightInPixels))
	var err error
	if o.window, err = xproto.NewWindowId(o.conn); err != nil {
		return err
	}
	pixel := uint32(colour.R)<<16 | uint32(colour.G)<<8 | uint32(colour.B)
	// Override-redirect: no window manager frames it, or gives it the focus.
	if err := xproto.CreateWindowChecked(o.conn, root.RootDepth, o.window, root.Root, 0, 0, root.WidthInPixels, root.HeightInPixels, 0,
		xproto.WindowClassInputOutput, root.RootVisual, xproto.CwBackPixel|xproto.CwOverrideRedirect, []uint32{pixel, 1}).Check(); err != nil {
		return err
	}
	if err := xproto.ChangePropertyChecked(o.conn, xproto.PropModeReplace, o.window, xproto.AtomWmName, xproto.AtomString, 8, uint32(len(title)), []byte(title)).Check(); err != nil {
		return err
	}
	for _, kind := range []shape.Kind{shape.SkBounding, shape.SkInput} { // nothing is seen, and nothing is clicked
		if err := shape.RectanglesChecked(o.conn, shape.SoSet, kind, 0, o.window, 0, 0, nil).Check(); err != nil {
			return err
		}
	}
	return xproto.MapWindowChecked(o.conn, o.window).Check()
}

// Show shows these lines and this label and no others, over all that is there now.
func (o *Overlay) Show(lines []Line, label Label) error {
	const most = 8000 // rectangles in a request, of 64 kB
	op := shape.Op(shape.SoSet)
	parts := slices.Collect(slices.Chunk(spans(lines, label, o.screen), most))
	if len(parts) == 0 {
		parts = append(parts, nil)
	}
	for _, part := range parts {
		rectangles := make([]xproto.Rectangle, len(part))
		for i, r := range part {
			rectangles[i] = xproto.Rectangle{X: int16(r.Min.X), Y: int16(r.Min.Y), Width: uint16(r.Dx()), Height: uint16(r.Dy())}
		}
		if err := shape.RectanglesChecked(o.conn, op, shape.SkBounding, 0, o.window, 0, 0, rectangles).Check(); err != nil {
			return fmt.Errorf("overlay: %w", err)
		}
		op = shape.SoUnion
	}
	if err := xproto.ConfigureWindowChecked(o.conn, o.window, xproto.ConfigWindowStackMode, []uint32{xproto.StackModeAbove}).Check(); err != nil {
		return fmt.Errorf("overlay: %w", err)
	}
	return nil
}

// Close closes the overlay.
func (o *Overlay) Close() error {
	o.conn.Close()
	return nil
}
