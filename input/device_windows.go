package input

import (
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

var user32 = windows.NewLazySystemDLL("user32.dll")

// A sendInput is Windows' own queue of input. Motion without the ABSOLUTE flag
// reaches games that read raw input; SetCursorPos would not.
type sendInput struct {
	send, cursor *windows.LazyProc
	mu           sync.Mutex
	ear          *ear // nil until it is asked for
	only         Window
	speed        flattener
}

// Open opens the mouse; Windows has one display, so the name must be "".
func Open(display string) (Device, error) {
	if display != "" {
		return nil, fmt.Errorf("input: display %q: Windows has no named displays", display)
	}
	d := &sendInput{send: user32.NewProc("SendInput"), cursor: user32.NewProc("GetCursorPos")}
	if err := d.send.Find(); err != nil {
		return nil, fmt.Errorf("input: %w", err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	d.speed = flattener{
		get: func() (a acceleration, err error) { return a, mouseSetting(getMouse, &a) },
		set: func(a acceleration) error { return mouseSetting(setMouse, &a) },
		alive: func(pid int) bool {
			p, err := os.FindProcess(pid)
			return err == nil && p.Release() == nil
		},
		note: filepath.Join(cache, "onlooker", "pointer-acceleration"),
	}
	return d, d.speed.mend()
}

// mouseSetting reads or sets the acceleration for this session; what the
// registry holds stays.
func mouseSetting(action uintptr, a *acceleration) error {
	if ok, _, err := user32.NewProc("SystemParametersInfoW").Call(action, 0, uintptr(unsafe.Pointer(a)), 0); ok == 0 {
		return fmt.Errorf("SystemParametersInfo: %w", err)
	}
	return nil
}

// The INPUT structure of winuser.h: a type, then the largest of its union.
type mouseInput struct {
	kind      uint32
	_         uint32 // the union is aligned to 8 bytes on 64-bit systems
	dx, dy    int32
	data      uint32
	flags     uint32
	time      uint32
	extraInfo uintptr
}

type keyInput struct {
	kind      uint32
	_         uint32
	virtual   uint16
	scan      uint16
	flags     uint32
	time      uint32
	extraInfo uintptr
	_         [8]byte // as large as mouseInput
}

// Values of winuser.h.
const (
	inputMouse     = 0
	inputKeyboard  = 1
	mouseMove      = 0x0001
	mouseAbsolute  = 0x8000
	mouseDesktop   = 0x4000 // MOUSEEVENTF_VIRTUALDESK
	mouseLeftDown  = 0x0002
	mouseLeftUp    = 0x0004
	mouseRightDown = 0x0008
	mouseRightUp   = 0x0010
	mouseMidDown   = 0x0020
	mouseMidUp     = 0x0040
	mouseWheel     = 0x0800 // data: how far up, 120 a notch
	mouseAcross    = 0x1000 // MOUSEEVENTF_HWHEEL; data: how far right
	notch          = 120    // WHEEL_DELTA
	keyUp          = 0x0002
	desktopLeft    = 76     // SM_XVIRTUALSCREEN; then its top, width and height
	getMouse       = 0x0003 // SPI_GETMOUSE
	setMouse       = 0x0004 // SPI_SETMOUSE
)

func (d *sendInput) mouse(flags uint32, dx, dy int) error {
	return d.event(mouseInput{kind: inputMouse, dx: int32(dx), dy: int32(dy), flags: flags})
}

// wheel turns a wheel.
func (d *sendInput) wheel(flags uint32, by int) error {
	return d.event(mouseInput{kind: inputMouse, data: uint32(int32(by)), flags: flags})
}

func (d *sendInput) event(in mouseInput) error {
	n, _, err := d.send.Call(1, uintptr(unsafe.Pointer(&in)), unsafe.Sizeof(in))
	if n != 1 {
		return fmt.Errorf("input: SendInput: %w (a game that runs as administrator refuses input from a program that does not)", err)
	}
	return nil
}

// WindowAt asks for the window at a place, and goes up to the one that lies on the desktop.
func (d *sendInput) WindowAt(at image.Point) (Window, error) {
	const root = 2 // GA_ROOT
	// A POINT is handed over as one number.
	there, _, _ := user32.NewProc("WindowFromPoint").Call(uintptr(uint32(at.X)) | uintptr(uint32(at.Y))<<32)
	if there == 0 {
		return 0, nil
	}
	top, _, _ := user32.NewProc("GetAncestor").Call(there, root)
	return Window(top), nil
}

func (d *sendInput) Only(w Window) { d.only = w }

func (d *sendInput) Dismiss() error { return nil } // programs draw menus in windows like others

// clear tells whether no window lies over the one that motions are for at a place: beyond its
// border there is nothing to lie over, unless it is to be pressed.
func (d *sendInput) clear(at image.Point, pressed bool) error {
	if d.only == 0 {
		return nil
	}
	there, err := d.WindowAt(at)
	if err != nil || there == d.only {
		return err
	}
	var box struct{ left, top, right, bottom int32 }
	ok, _, _ := user32.NewProc("GetWindowRect").Call(uintptr(d.only), uintptr(unsafe.Pointer(&box)))
	if pressed || ok == 0 || at.In(image.Rect(int(box.left), int(box.top), int(box.right), int(box.bottom))) {
		return ErrCovered
	}
	return nil
}

// here is clear where the pointer is.
func (d *sendInput) here(pressed bool) error {
	if d.only == 0 {
		return nil
	}
	at, err := d.Pointer()
	if err != nil {
		return err
	}
	return d.clear(at, pressed)
}

func (d *sendInput) MoveTo(at image.Point) error {
	if err := d.clear(at, false); err != nil {
		return err
	}
	metrics := user32.NewProc("GetSystemMetrics")
	var of [4]int // left, top, width, height of all screens together
	for i := range of {
		v, _, _ := metrics.Call(uintptr(desktopLeft + i))
		of[i] = int(int32(v))
	}
	desktop := image.Rect(of[0], of[1], of[0]+of[2], of[1]+of[3])
	if desktop.Empty() {
		return errors.New("input: the screen has no size")
	}
	x, y := absolute(at, desktop)
	return d.mouse(mouseMove|mouseAbsolute|mouseDesktop, x, y)
}

func (d *sendInput) MoveBy(dx, dy int) error {
	if err := d.here(false); err != nil {
		return err
	}
	d.mu.Lock()
	err := d.speed.flatten()
	d.mu.Unlock()
	if err != nil {
		return err
	}
	return d.mouse(mouseMove, dx, dy)
}

func (d *sendInput) Press(b Button) error {
	if err := d.here(true); err != nil {
		return err
	}
	switch b {
	case WheelUp:
		return d.wheel(mouseWheel, notch)
	case WheelDown:
		return d.wheel(mouseWheel, -notch)
	case WheelLeft:
		return d.wheel(mouseAcross, -notch)
	case WheelRight:
		return d.wheel(mouseAcross, notch)
	}
	flags, ok := map[Button]uint32{Left: mouseLeftDown, Middle: mouseMidDown, Right: mouseRightDown}[b]
	if !ok {
		return fmt.Errorf("input: no button %d", b)
	}
	return d.mouse(flags, 0, 0)
}

func (d *sendInput) Release(b Button) error {
	if b >= WheelUp && b <= WheelRight {
		return nil // a wheel is not held
	}
	flags, ok := map[Button]uint32{Left: mouseLeftUp, Middle: mouseMidUp, Right: mouseRightUp}[b]
	if !ok {
		return fmt.Errorf("input: no button %d", b)
	}
	return d.mouse(flags, 0, 0)
}

func (d *sendInput) Key(k Key) error {
	code, err := virtualKey(k)
	if err == nil {
		err = d.here(true)
	}
	if err != nil {
		return err
	}
	for _, flags := range []uint32{0, keyUp} {
		in := keyInput{kind: inputKeyboard, virtual: code, flags: flags}
		if sent, _, err := d.send.Call(1, uintptr(unsafe.Pointer(&in)), unsafe.Sizeof(in)); sent != 1 {
			return fmt.Errorf("input: SendInput: key %s: %w", k, err)
		}
	}
	return nil
}

// virtualKey is Windows' code of a key.
func virtualKey(k Key) (uint16, error) {
	named := map[Key]uint16{"space": 0x20, "escape": 0x1b, "return": 0x0d, "tab": 0x09, "backspace": 0x08,
		"left": 0x25, "up": 0x26, "right": 0x27, "down": 0x28}
	code, ok := named[k]
	var n uint16
	switch {
	case ok:
	case len(k) == 1:
		code = uint16(strings.ToUpper(string(k))[0])
	default:
		if got, err := fmt.Sscanf(string(k), "f%d", &n); err != nil || got != 1 || n < 1 || n > 12 {
			return 0, fmt.Errorf("input: no key is called %q", k)
		}
		code = 0x6f + n // VK_F1 is 0x70
	}
	return code, nil
}

func (d *sendInput) Pointer() (image.Point, error) {
	var at struct{ x, y int32 }
	if ok, _, err := d.cursor.Call(uintptr(unsafe.Pointer(&at))); ok == 0 {
		return image.Point{}, fmt.Errorf("input: GetCursorPos: %w", err)
	}
	return image.Pt(int(at.x), int(at.y)), nil
}

func (d *sendInput) Touched() (bool, error) {
	e, err := d.listening()
	if err != nil {
		return false, err
	}
	return e.moved.Swap(false), nil
}

func (d *sendInput) Hotkey(combination string, f func()) error {
	mods, key, err := combined(combination)
	if err != nil {
		return err
	}
	code, err := virtualKey(key)
	if err != nil {
		return fmt.Errorf("input: hotkey %q: %w", combination, err)
	}
	e, err := d.listening()
	if err != nil {
		return err
	}
	if err := e.hotkey(mods, code, f); err != nil {
		return fmt.Errorf("input: hotkey %q: %w", combination, err)
	}
	return nil
}

// listening is the device's ear, made when it is first asked for.
func (d *sendInput) listening() (_ *ear, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ear == nil {
		d.ear, err = listen()
	}
	return d.ear, err
}

func (d *sendInput) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	err := d.speed.restore()
	if d.ear != nil {
		err = errors.Join(err, d.ear.post(messageQuit))
	}
	return err
}

// An ear hears hotkeys, and every motion of the mouse before programs do.
// Windows marks what SendInput sends as injected, so the rest is a hand's.
type ear struct {
	moved  atomic.Bool
	thread uint32
	asked  chan hotkey // to be registered by the ear's own thread
	keys   []func()    // by number; the thread's own
}

type hotkey struct {
	mods modifiers
	code uint16
	f    func()
	done chan error
}

// A mouseHook is MSLLHOOKSTRUCT of winuser.h, a message MSG.
type mouseHook struct {
	x, y      int32
	data      uint32
	flags     uint32
	time      uint32
	extraInfo uintptr
}

type message struct {
	window  uintptr
	kind    uint32
	w, l    uintptr
	time    uint32
	x, y    int32
	private uint32
}

// Values of winuser.h.
const (
	hookMouse    = 14 // WH_MOUSE_LL
	hookAction   = 0  // HC_ACTION
	hookInjected = 0x0001
	messageMove  = 0x0200 // WM_MOUSEMOVE
	messageQuit  = 0x0012
	messageKey   = 0x0312 // WM_HOTKEY
	messageAsked = 0x8000 // WM_APP
	modAlt       = 0x0001
	modControl   = 0x0002
	modShift     = 0x0004
	modNoRepeat  = 0x4000
)

// listen starts an ear, on a thread of its own: Windows calls it through that
// thread's messages.
func listen() (*ear, error) {
	e := &ear{asked: make(chan hotkey, 16)}
	began := make(chan error)
	go e.run(began)
	if err := <-began; err != nil {
		return nil, err
	}
	return e, nil
}

func (e *ear) run(began chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	e.thread = windows.GetCurrentThreadId()
	next := user32.NewProc("CallNextHookEx")
	heard := func(code int32, kind uintptr, what *mouseHook) uintptr {
		if code == hookAction && kind == messageMove && what.flags&hookInjected == 0 {
			e.moved.Store(true)
		}
		on, _, _ := next.Call(0, uintptr(code), kind, uintptr(unsafe.Pointer(what)))
		return on
	}
	hook, _, err := user32.NewProc("SetWindowsHookExW").Call(hookMouse, windows.NewCallback(heard), 0, 0)
	if hook == 0 {
		began <- fmt.Errorf("input: SetWindowsHookEx: %w", err)
		return
	}
	began <- nil
	get := user32.NewProc("GetMessageW")
	for {
		var m message
		// 0 for WM_QUIT, -1 for an error.
		if got, _, _ := get.Call(uintptr(unsafe.Pointer(&m)), 0, 0, 0); int32(got) <= 0 {
			break
		}
		switch {
		case m.kind == messageAsked:
			select {
			case h := <-e.asked:
				h.done <- e.register(h)
			default: // asked for again before it was answered
			}
		case m.kind == messageKey && m.w < uintptr(len(e.keys)):
			go e.keys[m.w]()
		}
	}
	_, _, _ = user32.NewProc("UnhookWindowsHookEx").Call(hook) // the thread's end takes it off as well, and its hotkeys
}

func (e *ear) register(h hotkey) error {
	mods := uintptr(modNoRepeat)
	for m, bit := range map[modifiers]uintptr{shift: modShift, ctrl: modControl, alt: modAlt} {
		if h.mods&m != 0 {
			mods |= bit
		}
	}
	ok, _, err := user32.NewProc("RegisterHotKey").Call(0, uintptr(len(e.keys)), mods, uintptr(h.code))
	if ok == 0 {
		return err
	}
	e.keys = append(e.keys, h.f)
	return nil
}

// askAgain is when the ear's thread is woken once more. It can sit in
// GetMessage although a message came: seen in 2 of 64 runs under Wine.
const askAgain = 200 * time.Millisecond

// hotkey has the ear's thread register a hotkey: only that one hears of it.
func (e *ear) hotkey(mods modifiers, code uint16, f func()) error {
	h := hotkey{mods, code, f, make(chan error, 1)}
	e.asked <- h
	again := time.NewTicker(askAgain)
	defer again.Stop()
	for {
		if err := e.post(messageAsked); err != nil {
			return err
		}
		select {
		case err := <-h.done:
			return err
		case <-again.C:
		}
	}
}

func (e *ear) post(kind uintptr) error {
	if ok, _, err := user32.NewProc("PostThreadMessageW").Call(uintptr(e.thread), kind, 0, 0); ok == 0 {
		return fmt.Errorf("input: PostThreadMessage: %w", err)
	}
	return nil
}
