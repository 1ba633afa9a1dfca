package input

import (
	"errors"
	"fmt"
	"image"
	"io"
	"strings"
	"sync"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"

	"onlooker/capture/xserver"
)

// An xDevice speaks to an X server: XTest gives relative motion, as raw as a
// real mouse's, which a page under the pointer lock sees.
type xDevice struct {
	conn *xgb.Conn
	root xproto.Window
	// codes maps keysyms to keycodes; levels beyond the first are left out,
	// since no Key needs a modifier.
	codes map[xproto.Keysym]xproto.Keycode
	mice  *mice // nil until they are asked for

	mu      sync.Mutex
	hotkeys map[xproto.Keycode]func()
	watch   bool

	only xproto.Window // see Only
}

// Open opens the mouse of a display, "" for the one that DISPLAY names.
func Open(display string) (Device, error) {
	conn, err := xserver.Connect(display)
	if err != nil {
		return nil, fmt.Errorf("input: %w (under Wayland, start the game under XWayland)", err)
	}
	d, err := newXDevice(conn)
	if err != nil {
		conn.Close()
		if display == "" && errors.Is(err, xserver.ErrNone) {
			return openRobot() // good enough for a client that takes absolute motion
		}
		return nil, err
	}
	return d, nil
}

func newXDevice(conn *xgb.Conn) (*xDevice, error) {
	if err := xserver.Use(conn, "XTEST"); err != nil {
		return nil, fmt.Errorf("input: %w", err)
	}
	setup := xproto.Setup(conn)
	d := &xDevice{conn: conn, root: setup.DefaultScreen(conn).Root, codes: map[xproto.Keysym]xproto.Keycode{}, hotkeys: map[xproto.Keycode]func(){}}
	count := byte(setup.MaxKeycode - setup.MinKeycode + 1)
	keys, err := xproto.GetKeyboardMapping(conn, setup.MinKeycode, count).Reply()
	if err != nil {
		return nil, fmt.Errorf("input: keyboard mapping: %w", err)
	}
	for i := range int(count) {
		sym := keys.Keysyms[i*int(keys.KeysymsPerKeycode)]
		if _, taken := d.codes[sym]; sym != 0 && !taken {
			d.codes[sym] = setup.MinKeycode + xproto.Keycode(i)
		}
	}
	return d, nil
}

// X11's types of fake events, and how motion is marked as relative.
const (
	fakeKeyPress      = 2
	fakeKeyRelease    = 3
	fakeButtonPress   = 4
	fakeButtonRelease = 5
	fakeMotion        = 6
	relative          = 1
)

func (d *xDevice) fake(kind, detail byte, x, y int) error {
	err := xtest.FakeInputChecked(d.conn, kind, detail, 0, d.root, int16(x), int16(y), 0).Check()
	if errors.Is(err, io.EOF) {
		return ErrDisplayGone // and with it every button that was down
	}
	return err
}

func (d *xDevice) MoveTo(at image.Point) error {
	if err := d.clear(at); err != nil {
		return err
	}
	return d.fake(fakeMotion, 0, at.X, at.Y)
}

func (d *xDevice) MoveBy(dx, dy int) error {
	if d.only != 0 {
		at, err := d.Pointer()
		if err == nil {
			err = d.clear(at)
		}
		if err != nil {
			return err
		}
	}
	return d.fake(fakeMotion, relative, dx, dy)
}

func (d *xDevice) Press(b Button) error {
	return d.onOnly(func() error { return d.fake(fakeButtonPress, byte(b), 0, 0) })
}

// onOnly does something where the pointer is over the window that it is for. The server does
// nothing for others meanwhile: no window comes between.
func (d *xDevice) onOnly(do func() error) error {
	if d.only == 0 {
		return do()
	}
	xproto.GrabServer(d.conn)
	defer xproto.UngrabServer(d.conn)
	p, err := xproto.QueryPointer(d.conn, d.root).Reply()
	if err != nil {
		return fmt.Errorf("input: pointer: %w", err)
	}
	if p.Child != d.only {
		return ErrCovered
	}
	return do()
}

func (d *xDevice) Only(w Window) { d.only = xproto.Window(w) }

func (d *xDevice) WindowAt(at image.Point) (Window, error) {
	there, err := xproto.TranslateCoordinates(d.conn, d.root, d.root, int16(at.X), int16(at.Y)).Reply()
	if err != nil {
		return 0, fmt.Errorf("input: the window at %v: %w", at, err)
	}
	return Window(there.Child), nil
}

// Dismiss tells menus by that no window manager is asked about them.
func (d *xDevice) Dismiss() error {
	p, err := xproto.QueryPointer(d.conn, d.root).Reply()
	if err != nil {
		return fmt.Errorf("input: pointer: %w", err)
	}
	if d.only == 0 || p.Child == 0 || p.Child == d.only {
		return nil
	}
	is, err := xproto.GetWindowAttributes(d.conn, p.Child).Reply()
	if err != nil || !is.OverrideRedirect {
		return nil // it is gone, or no menu
	}
	only := d.only
	d.only = 0
	defer func() { d.only = only }()
	return d.Key("escape")
}

// clear tells whether no window lies over the one that motions are for at a place: beyond its
// border there is nothing to lie over.
func (d *xDevice) clear(at image.Point) error {
	if d.only == 0 {
		return nil
	}
	there, err := d.WindowAt(at)
	if err != nil || there == Window(d.only) {
		return err
	}
	size, err := xproto.GetGeometry(d.conn, xproto.Drawable(d.only)).Reply()
	if err != nil {
		return fmt.Errorf("%w: its own is gone", ErrCovered)
	}
	border := 2 * int(size.BorderWidth)
	box := image.Rect(0, 0, int(size.Width)+border, int(size.Height)+border).Add(image.Pt(int(size.X), int(size.Y)))
	if at.In(box) {
		return ErrCovered
	}
	return nil
}

func (d *xDevice) Release(b Button) error { return d.fake(fakeButtonRelease, byte(b), 0, 0) }

func (d *xDevice) Key(k Key) error {
	code, err := d.code(k)
	if err != nil {
		return err
	}
	return d.onOnly(func() error {
		if err := d.fake(fakeKeyPress, byte(code), 0, 0); err != nil {
			return err
		}
		return d.fake(fakeKeyRelease, byte(code), 0, 0)
	})
}

func (d *xDevice) code(k Key) (xproto.Keycode, error) {
	named := map[Key]xproto.Keysym{"space": ' ', "escape": 0xff1b, "return": 0xff0d, "tab": 0xff09, "backspace": 0xff08,
		"left": 0xff51, "up": 0xff52, "right": 0xff53, "down": 0xff54}
	sym, ok := named[k]
	var n int
	switch {
	case ok:
	case len(k) == 1:
		sym = xproto.Keysym(strings.ToLower(string(k))[0])
	case scanF(k, &n):
		sym = xproto.Keysym(0xffbd + n) // XK_F1 is 0xffbe
	default:
		return 0, fmt.Errorf("input: no key is called %q", k)
	}
	code, ok := d.codes[sym]
	if !ok {
		return 0, fmt.Errorf("input: key %q is not on this keyboard", k)
	}
	return code, nil
}

func scanF(k Key, n *int) bool {
	got, err := fmt.Sscanf(string(k), "f%d", n)
	return err == nil && got == 1 && *n >= 1 && *n <= 12
}

func (d *xDevice) Pointer() (image.Point, error) {
	p, err := xproto.QueryPointer(d.conn, d.root).Reply()
	if err != nil {
		return image.Point{}, fmt.Errorf("input: pointer: %w", err)
	}
	return image.Pt(int(p.RootX), int(p.RootY)), nil
}

func (d *xDevice) Touched() (moved bool, err error) {
	if d.mice == nil {
		d.mice, err = newMice(d.conn)
		return false, err
	}
	return d.mice.moved()
}

func (d *xDevice) Hotkey(combination string, f func()) error {
	mods, key, err := combined(combination)
	if err != nil {
		return err
	}
	var mask uint16
	for m, bit := range map[modifiers]uint16{shift: xproto.ModMaskShift, ctrl: xproto.ModMaskControl, alt: xproto.ModMask1} {
		if mods&m != 0 {
			mask |= bit
		}
	}
	code, err := d.code(key)
	if err != nil {
		return fmt.Errorf("input: hotkey %q: %w", combination, err)
	}
	// Caps lock and num lock count as modifiers: the key is grabbed with each.
	for _, lock := range []uint16{0, xproto.ModMaskLock, xproto.ModMask2, xproto.ModMaskLock | xproto.ModMask2} {
		err := xproto.GrabKeyChecked(d.conn, false, d.root, mask|lock, code, xproto.GrabModeAsync, xproto.GrabModeAsync).Check()
		if err != nil {
			var taken xproto.AccessError
			if errors.As(err, &taken) {
				return fmt.Errorf("input: hotkey %q is taken by another program", combination)
			}
			return fmt.Errorf("input: hotkey %q: %w", combination, err)
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hotkeys[code] = f
	if !d.watch {
		d.watch = true
		go d.listen()
	}
	return nil
}

// listen ends when the connection is closed.
func (d *xDevice) listen() {
	for {
		ev, err := d.conn.WaitForEvent()
		if ev == nil && err == nil {
			return
		}
		if press, ok := ev.(xproto.KeyPressEvent); ok {
			d.mu.Lock()
			f := d.hotkeys[press.Detail]
			d.mu.Unlock()
			if f != nil {
				go f()
			}
		}
	}
}

// mark is a window that nobody sees. The server destroys it with this connection.
func (d *xDevice) mark() (uint32, error) {
	id, err := xproto.NewWindowId(d.conn)
	if err == nil {
		err = xproto.CreateWindowChecked(d.conn, 0, id, d.root, 0, 0, 1, 1, 0, xproto.WindowClassInputOnly, 0, 0, nil).Check()
	}
	if err != nil {
		return 0, fmt.Errorf("input: a window to know this program by: %w", err)
	}
	return uint32(id), nil
}

// gone takes what the server tells this device; one that has a hotkey listens itself.
func (d *xDevice) gone(mark uint32) (<-chan struct{}, error) {
	err := xproto.ChangeWindowAttributesChecked(d.conn, xproto.Window(mark), xproto.CwEventMask, []uint32{xproto.EventMaskStructureNotify}).Check()
	if err != nil {
		return nil, fmt.Errorf("input: the window of the program to guard: %w", err)
	}
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		for {
			ev, err := d.conn.WaitForEvent()
			if destroyed, ok := ev.(xproto.DestroyNotifyEvent); ok && destroyed.Window == xproto.Window(mark) || ev == nil && err == nil {
				return
			}
		}
	}()
	return gone, nil
}

func (d *xDevice) Close() error {
	d.conn.Close()
	return nil
}
