package input

import (
	"errors"
	"fmt"
	"image"
	"runtime"
	"strings"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/windows"
)

var user32 = windows.NewLazySystemDLL("user32.dll")

// A sendInput is Windows' own queue of input. Motion without the ABSOLUTE flag
// reaches games that read raw input; SetCursorPos would not.
type sendInput struct {
	send, cursor *windows.LazyProc
	ear          *ear // nil until Touched asks for it
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
	return d, nil
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
	mouseLeftDown  = 0x0002
	mouseLeftUp    = 0x0004
	mouseRightDown = 0x0008
	mouseRightUp   = 0x0010
	mouseMidDown   = 0x0020
	mouseMidUp     = 0x0040
	keyUp          = 0x0002
	screenWidth    = 0 // SM_CXSCREEN
	screenHeight   = 1 // SM_CYSCREEN
)

func (d *sendInput) mouse(flags uint32, dx, dy int) error {
	in := mouseInput{kind: inputMouse, dx: int32(dx), dy: int32(dy), flags: flags}
	n, _, err := d.send.Call(1, uintptr(unsafe.Pointer(&in)), unsafe.Sizeof(in))
	if n != 1 {
		return fmt.Errorf("input: SendInput: %w (a game that runs as administrator refuses input from a program that does not)", err)
	}
	return nil
}

func (d *sendInput) MoveTo(at image.Point) error {
	metrics := user32.NewProc("GetSystemMetrics")
	w, _, _ := metrics.Call(screenWidth)
	h, _, _ := metrics.Call(screenHeight)
	if w < 2 || h < 2 {
		return errors.New("input: the screen has no size")
	}
	// Absolute places run from 0 to 65535 over the main screen.
	return d.mouse(mouseMove|mouseAbsolute, at.X*65535/int(w-1), at.Y*65535/int(h-1))
}

func (d *sendInput) MoveBy(dx, dy int) error { return d.mouse(mouseMove, dx, dy) }

func (d *sendInput) Press(b Button) error {
	flags, ok := map[Button]uint32{Left: mouseLeftDown, Middle: mouseMidDown, Right: mouseRightDown}[b]
	if !ok {
		return fmt.Errorf("input: no button %d", b)
	}
	return d.mouse(flags, 0, 0)
}

func (d *sendInput) Release(b Button) error {
	flags, ok := map[Button]uint32{Left: mouseLeftUp, Middle: mouseMidUp, Right: mouseRightUp}[b]
	if !ok {
		return fmt.Errorf("input: no button %d", b)
	}
	return d.mouse(flags, 0, 0)
}

func (d *sendInput) Key(k Key) error {
	named := map[Key]uint16{"space": 0x20, "escape": 0x1b, "return": 0x0d, "tab": 0x09, "backspace": 0x08}
	code, ok := named[k]
	var n uint16
	switch {
	case ok:
	case len(k) == 1:
		code = uint16(strings.ToUpper(string(k))[0])
	default:
		if got, err := fmt.Sscanf(string(k), "f%d", &n); err != nil || got != 1 || n < 1 || n > 12 {
			return fmt.Errorf("input: no key is called %q", k)
		}
		code = 0x6f + n // VK_F1 is 0x70
	}
	for _, flags := range []uint32{0, keyUp} {
		in := keyInput{kind: inputKeyboard, virtual: code, flags: flags}
		if sent, _, err := d.send.Call(1, uintptr(unsafe.Pointer(&in)), unsafe.Sizeof(in)); sent != 1 {
			return fmt.Errorf("input: SendInput: key %s: %w", k, err)
		}
	}
	return nil
}

func (d *sendInput) Pointer() (image.Point, error) {
	var at struct{ x, y int32 }
	if ok, _, err := d.cursor.Call(uintptr(unsafe.Pointer(&at))); ok == 0 {
		return image.Point{}, fmt.Errorf("input: GetCursorPos: %w", err)
	}
	return image.Pt(int(at.x), int(at.y)), nil
}

func (d *sendInput) Touched() (bool, error) {
	if d.ear == nil {
		var err error
		if d.ear, err = listen(); err != nil {
			d.ear = nil
			return false, err
		}
	}
	return d.ear.moved.Swap(false), nil
}

func (d *sendInput) Hotkey(combination string, _ func()) error {
	return fmt.Errorf("input: hotkey %q: %w: stop by moving the mouse or with Ctrl+C", combination, ErrNoDevice)
}

func (d *sendInput) Close() error {
	if d.ear == nil {
		return nil
	}
	return d.ear.close()
}

// An ear hears every motion of the mouse before programs do. Windows marks what
// SendInput sends as injected, so the rest is a hand's.
type ear struct {
	moved  atomic.Bool
	thread uint32
}

// A mouseHook is MSLLHOOKSTRUCT of winuser.h.
type mouseHook struct {
	x, y      int32
	data      uint32
	flags     uint32
	time      uint32
	extraInfo uintptr
}

// Values of winuser.h.
const (
	hookMouse    = 14 // WH_MOUSE_LL
	hookAction   = 0  // HC_ACTION
	hookInjected = 0x0001
	messageMove  = 0x0200 // WM_MOUSEMOVE
	messageQuit  = 0x0012
)

// listen starts an ear, on a thread of its own: Windows calls it through that
// thread's messages.
func listen() (*ear, error) {
	e := &ear{}
	began := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		e.thread = windows.GetCurrentThreadId()
		next := user32.NewProc("CallNextHookEx")
		heard := func(code int32, message uintptr, what *mouseHook) uintptr {
			if code == hookAction && message == messageMove && what.flags&hookInjected == 0 {
				e.moved.Store(true)
			}
			on, _, _ := next.Call(0, uintptr(code), message, uintptr(unsafe.Pointer(what)))
			return on
		}
		hook, _, err := user32.NewProc("SetWindowsHookExW").Call(hookMouse, windows.NewCallback(heard), 0, 0)
		if hook == 0 {
			began <- fmt.Errorf("input: SetWindowsHookEx: %w", err)
			return
		}
		began <- nil
		// It returns 0 for WM_QUIT and -1 for an error; other messages are none
		// of ours.
		var message [48]byte // MSG
		get := user32.NewProc("GetMessageW")
		for {
			if got, _, _ := get.Call(uintptr(unsafe.Pointer(&message)), 0, 0, 0); int32(got) <= 0 {
				break
			}
		}
		_, _, _ = user32.NewProc("UnhookWindowsHookEx").Call(hook) // the thread's end takes it off as well
	}()
	return e, <-began
}

func (e *ear) close() error {
	if ok, _, err := user32.NewProc("PostThreadMessageW").Call(uintptr(e.thread), messageQuit, 0, 0); ok == 0 {
		return fmt.Errorf("input: PostThreadMessage: %w", err)
	}
	return nil
}
