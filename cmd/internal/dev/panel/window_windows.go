package main

import (
	"errors"
	"fmt"
	"runtime"
	"time"
	"unsafe"

	"github.com/lxn/win"
	"golang.org/x/sys/windows"
)

// title is what the window is called.
const title = "onlooker panel"

// What lxn/win does not have.
var (
	setDIBits  = windows.NewLazySystemDLL("gdi32.dll").NewProc("SetDIBitsToDevice")
	clipCursor = windows.NewLazySystemDLL("user32.dll").NewProc("ClipCursor")
	setAware   = windows.NewLazySystemDLL("user32.dll").NewProc("SetProcessDpiAwarenessContext")
)

// A window shows a game and hands it what the mouse does, once a frame.
type window struct {
	game   *game
	handle win.HWND
	dx, dy int32     // of the mouse, since the last frame
	end    time.Time // when it closes
	told   int       // verdicts that were printed
	pixels []byte    // blue, green, red, unused, from the top
}

// frameMillis is how long a frame takes, as with 60 a second.
const frameMillis = 16

// show plays a game in a window until it is over, or the time is up.
func show(g *game, end time.Time) error {
	runtime.LockOSThread() // a window's messages come to the thread that made it
	if setAware.Find() == nil {
		_, _, _ = setAware.Call(^uintptr(3)) // -4, as onlooker does: a frame is shown pixel by pixel
	}
	w := &window{game: g, end: end, pixels: make([]byte, 4*g.size.X*g.size.Y)}
	if err := w.open(); err != nil {
		return err
	}
	fmt.Printf("%d panels in %q\n", len(g.panels), title)
	var m win.MSG
	for win.GetMessage(&m, 0, 0, 0) > 0 {
		win.TranslateMessage(&m)
		win.DispatchMessage(&m)
	}
	return nil
}

func (w *window) open() error {
	name, err := windows.UTF16PtrFromString(title)
	if err != nil {
		return err
	}
	class := win.WNDCLASSEX{LpfnWndProc: windows.NewCallback(w.message), LpszClassName: name}
	class.CbSize = uint32(unsafe.Sizeof(class))
	if win.RegisterClassEx(&class) == 0 {
		return errors.New("RegisterClassEx failed")
	}
	const style = win.WS_POPUP | win.WS_VISIBLE // without a frame: the client is the window
	size := w.game.size
	w.handle = win.CreateWindowEx(win.WS_EX_TOPMOST, name, name, style, 300, 150, int32(size.X), int32(size.Y), 0, 0, 0, nil)
	if w.handle == 0 {
		return errors.New("CreateWindowEx failed")
	}
	device := win.RAWINPUTDEVICE{UsUsagePage: 1, UsUsage: 2, HwndTarget: w.handle} // a mouse
	if !win.RegisterRawInputDevices(&device, 1, uint32(unsafe.Sizeof(device))) {
		return errors.New("RegisterRawInputDevices failed")
	}
	win.SetForegroundWindow(w.handle)
	if win.SetTimer(w.handle, 1, frameMillis, 0) == 0 {
		return errors.New("SetTimer failed")
	}
	return nil
}

// message is the window's procedure.
func (w *window) message(handle win.HWND, kind uint32, wParam, lParam uintptr) uintptr {
	now := time.Now()
	switch kind {
	case win.WM_INPUT:
		w.raw(win.HRAWINPUT(lParam))
	case win.WM_LBUTTONDOWN:
		w.move()
		w.game.left(now)
	case win.WM_RBUTTONDOWN:
		w.move()
		w.game.right()
	case win.WM_KEYDOWN:
		if wParam == 'D' {
			w.game.next()
		}
	case win.WM_TIMER:
		w.frame(now)
		return 0
	case win.WM_PAINT:
		w.paint()
		return 0
	case win.WM_SETCURSOR: // the game draws its own
		win.SetCursor(0)
		return 1
	case win.WM_DESTROY:
		win.PostQuitMessage(0)
	}
	return win.DefWindowProc(handle, kind, wParam, lParam)
}

// raw takes the mouse's own motion.
func (w *window) raw(input win.HRAWINPUT) {
	var m win.RAWINPUTMOUSE
	size := uint32(unsafe.Sizeof(m))
	const relative = 0 // MOUSE_MOVE_RELATIVE
	if n := win.GetRawInputData(input, win.RID_INPUT, unsafe.Pointer(&m), &size, uint32(unsafe.Sizeof(m.Header))); n != ^uint32(0) && m.Data.UsFlags&1 == relative {
		w.dx, w.dy = w.dx+m.Data.LLastX, w.dy+m.Data.LLastY
	}
}

// move gives the game what the mouse did since the last frame.
func (w *window) move() {
	w.game.push(float64(w.dx), float64(w.dy))
	w.dx, w.dy = 0, 0
}

func (w *window) frame(now time.Time) {
	w.move()
	w.hold()
	w.game.tick(now)
	if n := w.game.accepted + w.game.refused; n > w.told {
		w.told = n
		fmt.Printf("panel %d: %d accepted, %d refused\n", w.game.number+1, w.game.accepted, w.game.refused)
		if w.game.accepted == len(w.game.panels) {
			w.end = now.Add(2 * time.Second) // the line is still looked at
		}
	}
	if now.After(w.end) {
		win.DestroyWindow(w.handle)
		return
	}
	win.InvalidateRect(w.handle, nil, false)
}

// hold keeps the system's pointer within the window while the game has it, as
// games do: a click elsewhere would go to another window.
func (w *window) hold() {
	if !w.game.solving {
		_, _, _ = clipCursor.Call(0)
		return
	}
	var corner win.POINT
	win.ClientToScreen(w.handle, &corner)
	size := w.game.size
	inside := win.RECT{Left: corner.X, Top: corner.Y, Right: corner.X + int32(size.X), Bottom: corner.Y + int32(size.Y)}
	_, _, _ = clipCursor.Call(uintptr(unsafe.Pointer(&inside)))
}

func (w *window) paint() {
	var ps win.PAINTSTRUCT
	dc := win.BeginPaint(w.handle, &ps)
	defer win.EndPaint(w.handle, &ps)
	m := w.game.frame()
	for i := 0; i < len(m.Pix); i += 4 {
		w.pixels[i], w.pixels[i+1], w.pixels[i+2] = m.Pix[i+2], m.Pix[i+1], m.Pix[i]
	}
	size := w.game.size
	info := win.BITMAPINFO{BmiHeader: win.BITMAPINFOHEADER{
		BiWidth: int32(size.X), BiHeight: -int32(size.Y), BiPlanes: 1, BiBitCount: 32, BiCompression: win.BI_RGB,
	}}
	info.BmiHeader.BiSize = uint32(unsafe.Sizeof(info.BmiHeader))
	_, _, _ = setDIBits.Call(uintptr(dc), 0, 0, uintptr(size.X), uintptr(size.Y), 0, 0, 0, uintptr(size.Y),
		uintptr(unsafe.Pointer(&w.pixels[0])), uintptr(unsafe.Pointer(&info)), win.DIB_RGB_COLORS)
}
