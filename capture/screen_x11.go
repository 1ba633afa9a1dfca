//go:build linux || freebsd || netbsd || openbsd

package capture

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/gen2brain/shm"
	"github.com/jezek/xgb"
	"github.com/jezek/xgb/damage"
	mitshm "github.com/jezek/xgb/shm"
	"github.com/jezek/xgb/xinerama"
	"github.com/jezek/xgb/xproto"

	"onlooker/capture/xserver"
)

// wayland tells whether the session is Wayland's, where X shows only what its
// own clients draw.
func wayland() bool { return os.Getenv("XDG_SESSION_TYPE") == "wayland" }

func open(ctx context.Context, t Target) (Source, error) {
	if wayland() && t.Window == "" {
		return openPortable(ctx, t)
	}
	s, err := connect(ctx, t)
	if err != nil {
		if wayland() {
			err = fmt.Errorf("under Wayland only windows of X programs are found by their title, by way of XWayland: %w", err)
		}
		return nil, err
	}
	// Whether there is such a display, window or region shows at once.
	at, err := within(ctx, s.place)
	if err != nil {
		s.abandon()
		return nil, err
	}
	return &x11{target: t, now: s, at: at}, nil
}

func displays(ctx context.Context) ([]image.Rectangle, error) {
	s, err := connect(ctx, Target{})
	if err != nil {
		return nil, err
	}
	defer s.abandon()
	return within(ctx, s.displays)
}

func windows(ctx context.Context) ([]Window, error) {
	s, err := connect(ctx, Target{})
	if err != nil {
		return nil, err
	}
	defer s.abandon()
	return within(ctx, s.windows)
}

// x11 looks at an X display. When the connection is lost, or does not answer
// in time, the next frame is asked for through a new one.
type x11 struct {
	target Target
	now    *session // nil: the connection was lost
	at     image.Rectangle
}

func (x *x11) Grab(ctx context.Context) (*image.RGBA, error) {
	return x.GrabPart(ctx, image.Rectangle{})
}

// GrabPart grabs a part of the frame; all of it where that is empty.
func (x *x11) GrabPart(ctx context.Context, part image.Rectangle) (*image.RGBA, error) {
	if x.now == nil {
		s, err := connect(ctx, x.target)
		if err != nil {
			return nil, fmt.Errorf("capture: %w", err)
		}
		x.now = s
	}
	now := x.now
	f, err := within(ctx, func() (frame, error) { return now.grab(part) })
	var answered xgb.Error // the server said no: it is still there
	switch {
	case err == nil:
		x.at = f.at
		return f.picture, nil
	case errors.As(err, &answered), errors.Is(err, ErrNoWindow), errors.Is(err, errOff):
	case errors.Is(err, errTimeout), ctx.Err() != nil:
		// The call that hangs still uses the session's memory, which is lost.
		x.now.abandon()
		x.now = nil
	default:
		x.now.close()
		x.now = nil
	}
	return nil, fmt.Errorf("capture: %w", err)
}

// Window is the one that lies on the desktop itself with the window that is looked at in it.
func (x *x11) Window() uint64 {
	if x.now == nil || x.now.seen == 0 {
		return 0
	}
	now := x.now
	top, err := within(context.Background(), func() (xproto.Window, error) { return now.top(now.seen) })
	if err != nil {
		return 0
	}
	return uint64(top)
}

func (x *x11) Bounds() image.Rectangle { return x.at }

func (x *x11) Close() error {
	if x.now != nil {
		x.now.close()
		x.now = nil
	}
	return nil
}

// A session is one connection to the display that stays open, and shared
// memory where the server is on the same machine.
type session struct {
	target Target
	conn   *xgb.Conn
	root   xproto.Window
	screen image.Rectangle // the whole desktop
	seen   xproto.Window   // the window looked at, 0 before it is found
	fixed  image.Rectangle // where a display's target is; empty before it is known

	// rootless says that the root window shows nothing, as within a Wayland
	// session: frames come from windows' own pictures.
	rootless   bool
	composed   bool // see composes
	redirected map[xproto.Window]bool

	memory  []byte // shared with the server; nil: frames come through the wire
	segment mitshm.Seg
	shared  bool // the server has the extension

	drawn   <-chan struct{} // see listen; nil: the server does not tell
	damage  damage.Damage
	damaged xproto.Window // of which it is, 0: of none
}

func connect(ctx context.Context, t Target) (*session, error) {
	conn, err := within(ctx, func() (conn *xgb.Conn, err error) {
		// A server whose last client left begins anew, and drops who comes in
		// that moment: Xvfb needs some 10 ms for it.
		for range 5 {
			conn, err = xserver.Connect("")
			if !errors.Is(err, io.EOF) && !errors.Is(err, syscall.ECONNRESET) && !errors.Is(err, syscall.EPIPE) {
				break
			}
			time.Sleep(30 * time.Millisecond)
		}
		return conn, err
	})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoDisplay, err)
	}
	screen := xproto.Setup(conn).DefaultScreen(conn)
	s := &session{target: t, conn: conn, root: screen.Root,
		screen: image.Rect(0, 0, int(screen.WidthInPixels), int(screen.HeightInPixels))}
	if err = s.usable(); err == nil {
		s.shared, err = within(ctx, func() (bool, error) {
			s.rootless = s.xwayland()
			s.listen()
			return xserver.Use(conn, "MIT-SHM") == nil, nil
		})
	}
	if err != nil {
		s.abandon()
		return nil, err
	}
	return s, nil
}

// abandon gives the connection up and leaves the memory.
func (s *session) abandon() { go s.conn.Close() } // Close waits for a server that may hang

func (s *session) close() {
	if s.memory != nil {
		// The server lets go when the connection closes; failing to unmap here
		// would lose address space only.
		_ = shm.Dt(s.memory)
		s.memory = nil
	}
	s.abandon()
}

// usable tells whether pixels are four bytes of blue, green, red and nothing,
// as on every screen of 24 bits since long.
func (s *session) usable() error {
	setup := xproto.Setup(s.conn)
	screen := setup.DefaultScreen(s.conn)
	bits := 0
	for _, f := range setup.PixmapFormats {
		if f.Depth == screen.RootDepth {
			bits = int(f.BitsPerPixel)
		}
	}
	red := uint32(0)
	for _, d := range screen.AllowedDepths {
		for _, v := range d.Visuals {
			if v.VisualId == screen.RootVisual {
				red = v.RedMask
			}
		}
	}
	if bits != 32 || red != 0xff0000 || setup.ImageByteOrder != xproto.ImageOrderLSBFirst {
		return fmt.Errorf("the display has %d bits a pixel with red in %#x, want 32 bits with red in 0xff0000", bits, red)
	}
	return nil
}

var errOff = errors.New("off the screen")

// place is where the target is now.
func (s *session) place() (image.Rectangle, error) {
	var whole image.Rectangle
	if s.target.Window != "" {
		w, err := s.find()
		if err != nil {
			return image.Rectangle{}, err
		}
		whole = w.Bounds
	} else {
		all, err := s.displays()
		if err != nil {
			return image.Rectangle{}, err
		}
		if whole, err = pick(all, s.target.Display); err != nil {
			return image.Rectangle{}, err
		}
	}
	at, err := part(whole, s.target.Region)
	if err != nil {
		return at, fmt.Errorf("%w: %w", errOff, err)
	}
	if s.target.Window != "" {
		at = at.Intersect(s.screen)
	}
	if at.Empty() || !at.In(s.screen) {
		return at, fmt.Errorf("%w: %v is not within the screen's %dx%d pixels", errOff, at, s.screen.Dx(), s.screen.Dy())
	}
	return at, nil
}

// A frame is a picture, and where it was on the desktop.
type frame struct {
	picture *image.RGBA
	at      image.Rectangle
}

// grab grabs a part of the target; all of it where that is empty.
func (s *session) grab(part image.Rectangle) (frame, error) {
	at := s.fixed
	// A display stays where it is; a window may have moved.
	if s.target.Window != "" || at.Empty() {
		var err error
		if at, err = s.place(); err != nil {
			return frame{}, err
		}
		s.fixed = at
	}
	if s.seen != 0 {
		s.expect(s.seen)
	} else {
		s.expect(s.root)
	}
	seen := at
	if !part.Empty() {
		if seen = part.Add(at.Min).Intersect(at); seen.Empty() {
			seen = at // it has become smaller meanwhile
		}
	}
	if s.rootless || s.target.Under {
		m, err := s.grabOwn(seen)
		if err == nil {
			m.Rect = seen.Sub(at.Min)
		}
		return frame{m, at}, err
	}
	pixels, err := s.pixels(xproto.Drawable(s.root), seen)
	if err != nil {
		return frame{}, err
	}
	m := image.NewRGBA(seen.Sub(at.Min))
	return frame{m, at}, fill(m, m.Rect, pixels)
}

// fill sets a rectangle of a picture from pixels as the server gives them.
func fill(m *image.RGBA, at image.Rectangle, pixels []byte) error {
	w := 4 * at.Dx()
	if len(pixels) < w*at.Dy() {
		return fmt.Errorf("the screen gave %d bytes, want %d", len(pixels), w*at.Dy())
	}
	for y := range at.Dy() {
		line := m.Pix[m.PixOffset(at.Min.X, at.Min.Y+y):]
		from := pixels[y*w : (y+1)*w]
		i := 0
		for ; i+8 <= w; i += 8 { // two pixels at a time: half the time
			v := binary.LittleEndian.Uint64(from[i:])
			const low, green, opaque = 0xff_000000ff, 0xff00_0000ff00, 0xff000000_ff000000
			binary.LittleEndian.PutUint64(line[i:], v>>16&low|v&green|v&low<<16|opaque)
		}
		for ; i < w; i += 4 {
			v := binary.LittleEndian.Uint32(from[i:])
			binary.LittleEndian.PutUint32(line[i:], v>>16&0xff|v&0xff00|v&0xff<<16|0xff000000)
		}
	}
	return nil
}

// pixels gives a rectangle of a window or a picture, four bytes a pixel.
func (s *session) pixels(of xproto.Drawable, at image.Rectangle) ([]byte, error) {
	if s.shared {
		if err := s.share(4 * at.Dx() * at.Dy()); err != nil {
			s.shared = false // a remote display: through the wire from now on
		}
	}
	if s.shared {
		_, err := mitshm.GetImage(s.conn, of, int16(at.Min.X), int16(at.Min.Y),
			uint16(at.Dx()), uint16(at.Dy()), ^uint32(0), xproto.ImageFormatZPixmap, s.segment, 0).Reply()
		return s.memory, err
	}
	reply, err := xproto.GetImage(s.conn, xproto.ImageFormatZPixmap, of,
		int16(at.Min.X), int16(at.Min.Y), uint16(at.Dx()), uint16(at.Dy()), ^uint32(0)).Reply()
	if err != nil {
		return nil, err
	}
	return reply.Data, nil
}

// share makes memory of at least so many bytes that the server writes into.
func (s *session) share(size int) error {
	if len(s.memory) >= size {
		return nil
	}
	if s.memory != nil {
		mitshm.Detach(s.conn, s.segment)
		if err := shm.Dt(s.memory); err != nil {
			return err
		}
		s.memory = nil
	}
	id, err := shm.Get(shm.IPC_PRIVATE, size, shm.IPC_CREAT|0o600)
	if err != nil {
		return err
	}
	// Marked now, it goes away with the last of us that lets go of it.
	defer func() { _ = shm.Rm(id) }()
	memory, err := shm.At(id, 0, 0)
	if err != nil {
		return err
	}
	segment, err := mitshm.NewSegId(s.conn)
	if err == nil {
		err = mitshm.AttachChecked(s.conn, segment, uint32(id), false).Check()
	}
	if err != nil {
		_ = shm.Dt(memory)
		return err
	}
	s.memory, s.segment = memory, segment
	return nil
}

func (s *session) displays() ([]image.Rectangle, error) {
	if err := xserver.Use(s.conn, "XINERAMA"); err != nil {
		return []image.Rectangle{s.screen}, nil // no such extension: one display
	}
	reply, err := xinerama.QueryScreens(s.conn).Reply()
	if err != nil || len(reply.ScreenInfo) == 0 {
		return []image.Rectangle{s.screen}, nil
	}
	all := make([]image.Rectangle, 0, len(reply.ScreenInfo))
	for _, d := range reply.ScreenInfo {
		at := image.Pt(int(d.XOrg), int(d.YOrg))
		all = append(all, image.Rectangle{Min: at, Max: at.Add(image.Pt(int(d.Width), int(d.Height)))})
	}
	return all, nil
}

// find is the window looked at, where it is now; the one that was found before
// as long as it can be seen.
func (s *session) find() (Window, error) {
	if s.seen != 0 {
		if at, ok := s.visible(s.seen); ok {
			return Window{Bounds: at, handle: uint64(s.seen)}, nil
		}
		s.seen = 0
	}
	all, err := s.windows()
	if err != nil {
		return Window{}, err
	}
	found, err := titled(all, s.target.Window)
	s.seen = xproto.Window(found.handle)
	return found, err
}

// windows lists the titled windows that can be seen: the window manager's
// where there is one, else all in the tree to the depth at which a window
// manager would put them.
func (s *session) windows() ([]Window, error) {
	var ids []xproto.Window
	if listed, err := s.property(s.root, "_NET_CLIENT_LIST_STACKING"); err == nil {
		for ; len(listed) >= 4; listed = listed[4:] {
			ids = append(ids, xproto.Window(binary.LittleEndian.Uint32(listed)))
		}
	}
	if len(ids) == 0 {
		const depth = 3 // a window, its frame, and a frame within that
		var walk func(w xproto.Window, left int) error
		walk = func(w xproto.Window, left int) error {
			tree, err := xproto.QueryTree(s.conn, w).Reply()
			if err != nil {
				return err
			}
			for _, child := range tree.Children {
				ids = append(ids, child)
				if left > 1 {
					// A window that closed meanwhile has no children.
					_ = walk(child, left-1)
				}
			}
			return nil
		}
		if err := walk(s.root, depth); err != nil {
			return nil, err
		}
	}
	var all []Window
	for _, id := range ids {
		title, err := s.property(id, "_NET_WM_NAME")
		if err != nil || len(title) == 0 {
			title, err = s.property(id, "WM_NAME")
		}
		if err != nil || len(title) == 0 {
			continue
		}
		if at, ok := s.visible(id); ok {
			all = append(all, Window{Title: string(title), Bounds: at, handle: uint64(id)})
		}
	}
	return all, nil
}

// property gives a window's property, nil where it has none.
func (s *session) property(w xproto.Window, name string) ([]byte, error) {
	atom, err := xproto.InternAtom(s.conn, true, uint16(len(name)), name).Reply()
	if err != nil || atom.Atom == 0 {
		return nil, err
	}
	// 1<<16 words are 65,536 windows or a very long title.
	p, err := xproto.GetProperty(s.conn, false, w, atom.Atom, xproto.GetPropertyTypeAny, 0, 1<<16).Reply()
	if err != nil {
		return nil, err
	}
	return p.Value, nil
}

// visible tells where a window is, and whether a person would say that it is one: menus and
// tips, which no window manager is asked about, are none, nor are helpers.
func (s *session) visible(w xproto.Window) (image.Rectangle, bool) {
	state, err := xproto.GetWindowAttributes(s.conn, w).Reply()
	if err != nil || state.OverrideRedirect {
		return image.Rectangle{}, false
	}
	at, ok := s.shown(w)
	return at, ok && !helper(at)
}

// shown tells where a window is, and whether it has pixels on the screen.
func (s *session) shown(w xproto.Window) (image.Rectangle, bool) {
	state, err := xproto.GetWindowAttributes(s.conn, w).Reply()
	if err != nil || state.MapState != xproto.MapStateViewable || state.Class != xproto.WindowClassInputOutput {
		return image.Rectangle{}, false
	}
	size, err := xproto.GetGeometry(s.conn, xproto.Drawable(w)).Reply()
	if err != nil {
		return image.Rectangle{}, false
	}
	at, err := xproto.TranslateCoordinates(s.conn, w, s.root, 0, 0).Reply()
	if err != nil {
		return image.Rectangle{}, false
	}
	corner := image.Pt(int(at.DstX), int(at.DstY))
	r := image.Rectangle{Min: corner, Max: corner.Add(image.Pt(int(size.Width), int(size.Height)))}
	return r, !r.Empty()
}
