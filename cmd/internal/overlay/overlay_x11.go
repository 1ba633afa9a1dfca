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

	"onlooker/capture"
	"onlooker/capture/xserver"
	"onlooker/vision/picture"
)

// An Overlay is a window that is nothing but the lines: it needs no compositor. Where there
// is one, their edges are smooth.
type Overlay struct {
	conn   *xgb.Conn
	window xproto.Window
	screen image.Rectangle
	colour color.RGBA
	smooth bool
	pen    xproto.Gcontext // where it is smooth
}

// Open opens an overlay on the display that DISPLAY names, whose lines
// have a colour; it shows nothing yet.
func Open(colour color.RGBA) (*Overlay, error) {
	conn, err := xserver.Connect("")
	if err != nil {
		return nil, fmt.Errorf("overlay: %w: %w", capture.ErrNoDisplay, err)
	}
	o := &Overlay{conn: conn, colour: colour}
	if err := o.open(); err != nil {
		conn.Close()
		return nil, fmt.Errorf("overlay: %w", err)
	}
	return o, nil
}

func (o *Overlay) open() error {
	if err := xserver.Use(o.conn, "SHAPE"); err != nil {
		return fmt.Errorf("this X server has no windows of another shape than a rectangle's: %w", err)
	}
	root := xproto.Setup(o.conn).DefaultScreen(o.conn)
	o.screen = image.Rect(0, 0, int(root.WidthInPixels), int(root.HeightInPixels))
	var err error
	if o.window, err = xproto.NewWindowId(o.conn); err != nil {
		return err
	}
	if err := o.create(root); err != nil {
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

// create makes the window: with pixels that let something through where somebody makes use of
// it. Override-redirect: no window manager frames it, or gives it the focus.
func (o *Overlay) create(root *xproto.ScreenInfo) error {
	depth, visual := root.RootDepth, root.RootVisual
	mask, values := uint32(xproto.CwBackPixel|xproto.CwOverrideRedirect), []uint32{o.pixel(opaque), 1}
	if glass, ok := transparent(root); ok && o.composed() {
		colours, err := xproto.NewColormapId(o.conn)
		if err == nil {
			err = xproto.CreateColormapChecked(o.conn, xproto.ColormapAllocNone, colours, root.Root, glass).Check()
		}
		if err != nil {
			return err
		}
		o.smooth, depth, visual = true, 32, glass
		mask, values = mask|xproto.CwBorderPixel|xproto.CwColormap, []uint32{0, 0, 1, uint32(colours)}
	}
	err := xproto.CreateWindowChecked(o.conn, depth, o.window, root.Root, 0, 0, root.WidthInPixels, root.HeightInPixels, 0,
		xproto.WindowClassInputOutput, visual, mask, values).Check()
	if err != nil || !o.smooth {
		return err
	}
	if o.pen, err = xproto.NewGcontextId(o.conn); err != nil {
		return err
	}
	return xproto.CreateGCChecked(o.conn, o.pen, xproto.Drawable(o.window), 0, nil).Check()
}

// composed tells whether somebody composes the screen from windows: he owns a selection.
func (o *Overlay) composed() bool {
	name := fmt.Sprintf("_NET_WM_CM_S%d", o.conn.DefaultScreen)
	atom, err := xproto.InternAtom(o.conn, false, uint16(len(name)), name).Reply()
	if err != nil {
		return false
	}
	owner, err := xproto.GetSelectionOwner(o.conn, atom.Atom).Reply()
	return err == nil && owner.Owner != 0
}

// transparent is how windows have pixels of four bytes, how much they cover among them.
func transparent(root *xproto.ScreenInfo) (xproto.Visualid, bool) {
	for _, d := range root.AllowedDepths {
		for _, v := range d.Visuals {
			if d.Depth == 32 && v.Class == xproto.VisualClassTrueColor && v.RedMask == 0xff0000 {
				return v.VisualId, true
			}
		}
	}
	return 0, false
}

// pixel is the lines' colour, in a shade of what is under it.
func (o *Overlay) pixel(shade int) uint32 {
	part := func(v uint8) uint32 { return uint32(int(v) * shade / opaque) }
	return part(255)<<24 | part(o.colour.R)<<16 | part(o.colour.G)<<8 | part(o.colour.B)
}

// most is how many rectangles a request may have, of 64 kB.
const most = 8000

// Show shows these shapes and no others, over all that is there now.
func (o *Overlay) Show(shapes []picture.Shape) error {
	if err := o.draw(spans(shapes, o.screen, o.smooth)); err != nil {
		return fmt.Errorf("overlay: %w", err)
	}
	return nil
}

func (o *Overlay) draw(parts [opaque + 1][]image.Rectangle) error {
	all := slices.Collect(slices.Chunk(rectangles(slices.Concat(parts[:]...)), most))
	if len(all) == 0 {
		all = append(all, nil)
	}
	op := shape.Op(shape.SoSet)
	for _, some := range all {
		if err := shape.RectanglesChecked(o.conn, op, shape.SkBounding, 0, o.window, 0, 0, some).Check(); err != nil {
			return err
		}
		op = shape.SoUnion
	}
	for shade, part := range parts {
		if !o.smooth || len(part) == 0 {
			continue
		}
		if err := xproto.ChangeGCChecked(o.conn, o.pen, xproto.GcForeground, []uint32{o.pixel(shade)}).Check(); err != nil {
			return err
		}
		for some := range slices.Chunk(rectangles(part), most) {
			if err := xproto.PolyFillRectangleChecked(o.conn, xproto.Drawable(o.window), o.pen, some).Check(); err != nil {
				return err
			}
		}
	}
	return xproto.ConfigureWindowChecked(o.conn, o.window, xproto.ConfigWindowStackMode, []uint32{xproto.StackModeAbove}).Check()
}

func rectangles(parts []image.Rectangle) []xproto.Rectangle {
	out := make([]xproto.Rectangle, len(parts))
	for i, r := range parts {
		out[i] = xproto.Rectangle{X: int16(r.Min.X), Y: int16(r.Min.Y), Width: uint16(r.Dx()), Height: uint16(r.Dy())}
	}
	return out
}

// Close closes the overlay.
func (o *Overlay) Close() error {
	o.conn.Close()
	return nil
}
