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

	"github.com/lxn/win"
	"golang.org/x/sys/windows"
)

var user32 = windows.NewLazySystemDLL("user32.dll")

// A sendInput is Windows' own queue of input. Motion without the ABSOLUTE flag
// reaches games that read raw input; SetCursorPos would not.
type sendInput struct {
	mu    sync.Mutex
	ear   *ear // nil until it is asked for
	only  win.HWND
	speed flattener
}

// Open opens the mouse; Windows has one display, so the name must be "".
func Open(display string) (Device, error) {
	if display != "" {
		return nil, fmt.Errorf("input: display %q: Windows has no named displays", display)
	}
	d := &sendInput{}
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
func mouseSetting(action uint32, a *acceleration) error {
	if !win.SystemParametersInfo(action, 0, unsafe.Pointer(a), 0) {
		return errors.New("SystemParametersInfo refused it")
	}
	return nil
}

// Values of winuser.h that win has not.
const (
	notch    = 120    // WHEEL_DELTA
	getMouse = 0x0003 // SPI_GETMOUSE
	setMouse = 0x0004 // SPI_SETMOUSE
)

func (d *sendInput) mouse(flags uint32, dx, dy int) error {
	in := win.MOUSE_INPUT{Type: win.INPUT_MOUSE, Mi: win.MOUSEINPUT{Dx: int32(dx), Dy: int32(dy), DwFlags: flags}}
	return sent(unsafe.Pointer(&in), unsafe.Sizeof(in))
}

// wheel turns a wheel.
func (d *sendInput) wheel(flags uint32, by int) error {
	in := win.MOUSE_INPUT{Type: win.INPUT_MOUSE, Mi: win.MOUSEINPUT{MouseData: uint32(int32(by)), DwFlags: flags}}
	return sent(unsafe.Pointer(&in), unsafe.Sizeof(in))
}

func sent(in unsafe.Pointer, size uintptr) error {
	if win.SendInput(1, in, int32(size)) != 1 {
		return errors.New("input: SendInput: refused (a game that runs as administrator refuses input from a program that does not)")
	}
	return nil
}

// WindowAt asks for the window at a place, and goes up to the one that lies on the desktop.
func (d *sendInput) WindowAt(at image.Point) (Window, error) {
	// A POINT is handed over as one number.
	there, _, _ := user32.NewProc("WindowFromPoint").Call(uintptr(uint32(at.X)) | uintptr(uint32(at.Y))<<32)
	if there == 0 {
		return 0, nil
	}
	return Window(win.GetAncestor(win.HWND(there), win.GA_ROOT)), nil
}

func (d *sendInput) Only(w Window) { d.only = win.HWND(w) }

func (d *sendInput) Dismiss() error { return nil } // programs draw menus in windows like others

// clear tells whether no window lies over the one that motions are for at a place: beyond its
// border there is nothing to lie over, unless it is to be pressed.
func (d *sendInput) clear(at image.Point, pressed bool) error {
	if d.only == 0 {
		return nil
	}
	there, err := d.WindowAt(at)
	if err != nil || there == Window(d.only) {
		return err
	}
	var box win.RECT
	ok := win.GetWindowRect(d.only, &box)
	if pressed || !ok || at.In(image.Rect(int(box.Left), int(box.Top), int(box.Right), int(box.Bottom))) {
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
	var of [4]int // left, top, width, height of all screens together
	for i := range of {
		of[i] = int(win.GetSystemMetrics(win.SM_XVIRTUALSCREEN + int32(i)))
	}
	desktop := image.Rect(of[0], of[1], of[0]+of[2], of[1]+of[3])
	if desktop.Empty() {
		return errors.New("input: the screen has no size")
	}
	x, y := absolute(at, desktop)
	return d.mouse(win.MOUSEEVENTF_MOVE|win.MOUSEEVENTF_ABSOLUTE|win.MOUSEEVENTF_VIRTUALDESK, x, y)
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
	return d.mouse(win.MOUSEEVENTF_MOVE, dx, dy)
}

func (d *sendInput) Press(b Button) error {
	if err := d.here(true); err != nil {
		return err
	}
	switch b {
	case WheelUp:
		return d.wheel(win.MOUSEEVENTF_WHEEL, notch)
	case WheelDown:
		return d.wheel(win.MOUSEEVENTF_WHEEL, -notch)
	case WheelLeft:
		return d.wheel(win.MOUSEEVENTF_HWHEEL, -notch)
	case WheelRight:
		return d.wheel(win.MOUSEEVENTF_HWHEEL, notch)
	}
	flags, ok := map[Button]uint32{Left: win.MOUSEEVENTF_LEFTDOWN, Middle: win.MOUSEEVENTF_MIDDLEDOWN, Right: win.MOUSEEVENTF_RIGHTDOWN}[b]
	if !ok {
		return fmt.Errorf("input: no button %d", b)
	}
	return d.mouse(flags, 0, 0)
}

func (d *sendInput) Release(b Button) error {
	if b >= WheelUp && b <= WheelRight {
		return nil // a wheel is not held
	}
	flags, ok := map[Button]uint32{Left: win.MOUSEEVENTF_LEFTUP, Middle: win.MOUSEEVENTF_MIDDLEUP, Right: win.MOUSEEVENTF_RIGHTUP}[b]
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
	for _, flags := range []uint32{0, win.KEYEVENTF_KEYUP} {
		in := win.KEYBD_INPUT{Type: win.INPUT_KEYBOARD, Ki: win.KEYBDINPUT{WVk: code, DwFlags: flags}}
		if err := sent(unsafe.Pointer(&in), unsafe.Sizeof(in)); err != nil {
			return fmt.Errorf("key %s: %w", k, err)
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
	var at win.POINT
	if !win.GetCursorPos(&at) {
		return image.Point{}, errors.New("input: GetCursorPos: no pointer is told")
	}
	return image.Pt(int(at.X), int(at.Y)), nil
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
		err = errors.Join(err, d.ear.post(win.WM_QUIT))
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

// A mouseHook is MSLLHOOKSTRUCT of winuser.h.
type mouseHook struct {
	at        win.POINT
	data      uint32
	flags     uint32
	time      uint32
	extraInfo uintptr
}

// Values of winuser.h that win has not.
const (
	hookMouse    = 14 // WH_MOUSE_LL
	hookAction   = 0  // HC_ACTION
	hookInjected = 0x0001
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
		if code == hookAction && kind == win.WM_MOUSEMOVE && what.flags&hookInjected == 0 {
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
	for {
		var m win.MSG
		// 0 for WM_QUIT, -1 for an error.
		if win.GetMessage(&m, 0, 0, 0) <= 0 {
			break
		}
		switch {
		case m.Message == win.WM_APP:
			select {
			case h := <-e.asked:
				h.done <- e.register(h)
			default: // asked for again before it was answered
			}
		case m.Message == win.WM_HOTKEY && m.WParam < uintptr(len(e.keys)):
			go e.keys[m.WParam]()
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
		if err := e.post(win.WM_APP); err != nil {
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
