package overlay

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"runtime"
	"syscall"
	"unsafe"

	"github.com/lxn/win"
	"golang.org/x/sys/windows"

	"onlooker/vision/picture"
)

var (
	user32 = windows.NewLazySystemDLL("user32.dll")
	gdi32  = windows.NewLazySystemDLL("gdi32.dll")
)

// An Overlay is a layered window that is nothing but the lines. Their edges are not smooth:
// windows whose pixels let something through cannot be left out of what is captured.
type Overlay struct {
	window win.HWND
	screen image.Rectangle
	done   chan struct{}
}

// Open opens an overlay whose lines have a colour; it shows nothing yet.
func Open(colour color.RGBA) (*Overlay, error) {
	o := &Overlay{done: make(chan struct{})}
	opened := make(chan error)
	go func() {
		defer close(o.done)
		runtime.LockOSThread() // a window belongs to the thread that opened it
		err := o.open(colour)
		opened <- err
		if err != nil {
			return
		}
		var m win.MSG
		for win.GetMessage(&m, 0, 0, 0) > 0 {
			win.DispatchMessage(&m)
		}
	}()
	if err := <-opened; err != nil {
		return nil, fmt.Errorf("overlay: %w", err)
	}
	return o, nil
}

func (o *Overlay) open(colour color.RGBA) error {
	corner := image.Pt(int(win.GetSystemMetrics(win.SM_XVIRTUALSCREEN)), int(win.GetSystemMetrics(win.SM_YVIRTUALSCREEN)))
	size := image.Pt(int(win.GetSystemMetrics(win.SM_CXVIRTUALSCREEN)), int(win.GetSystemMetrics(win.SM_CYVIRTUALSCREEN)))
	o.screen = image.Rectangle{Min: corner, Max: corner.Add(size)}
	name, err := syscall.UTF16PtrFromString(title)
	if err != nil {
		return err
	}
	brush, _, err := gdi32.NewProc("CreateSolidBrush").Call(uintptr(colour.R) | uintptr(colour.G)<<8 | uintptr(colour.B)<<16)
	if brush == 0 {
		return fmt.Errorf("CreateSolidBrush: %w", err)
	}
	class := win.WNDCLASSEX{
		LpfnWndProc: syscall.NewCallback(func(w win.HWND, m uint32, a, b uintptr) uintptr {
			if m == win.WM_DESTROY {
				win.PostQuitMessage(0)
				return 0
			}
			return win.DefWindowProc(w, m, a, b)
		}),
		HInstance: win.GetModuleHandle(nil), HbrBackground: win.HBRUSH(brush), LpszClassName: name,
	}
	class.CbSize = uint32(unsafe.Sizeof(class))
	if win.RegisterClassEx(&class) == 0 {
		return errors.New("the window's class is not taken")
	}
	const noActivate = 0x08000000
	o.window = win.CreateWindowEx(win.WS_EX_LAYERED|win.WS_EX_TRANSPARENT|win.WS_EX_TOPMOST|win.WS_EX_TOOLWINDOW|noActivate, name, name,
		win.WS_POPUP, int32(corner.X), int32(corner.Y), int32(size.X), int32(size.Y), 0, 0, class.HInstance, nil)
	if o.window == 0 {
		return errors.New("the window is not opened")
	}
	if err := o.Show(nil); err != nil {
		return err
	}
	const byAlpha, notCaptured = 2, 0x11 // LWA_ALPHA, WDA_EXCLUDEFROMCAPTURE
	if ok, _, err := user32.NewProc("SetLayeredWindowAttributes").Call(uintptr(o.window), 0, 255, byAlpha); ok == 0 {
		return fmt.Errorf("SetLayeredWindowAttributes: %w", err)
	}
	if ok, _, err := user32.NewProc("SetWindowDisplayAffinity").Call(uintptr(o.window), notCaptured); ok == 0 {
		return fmt.Errorf("frames would show the overlay: Windows 10 of 2020 or newer is needed: SetWindowDisplayAffinity: %w", err)
	}
	win.ShowWindow(o.window, win.SW_SHOWNOACTIVATE)
	return nil
}

// Show shows these shapes and no others.
func (o *Overlay) Show(shapes []picture.Shape) error {
	parts := spans(shapes, o.screen, false)[opaque]
	// RGNDATA: a header of 32 bytes, then the rectangles.
	type region struct {
		size, kind, count, bytes uint32
		bound                    win.RECT
	}
	data := make([]byte, int(unsafe.Sizeof(region{}))+len(parts)*int(unsafe.Sizeof(win.RECT{})))
	*(*region)(unsafe.Pointer(&data[0])) = region{size: 32, kind: 1, count: uint32(len(parts)), bound: win.RECT{Right: int32(o.screen.Dx()), Bottom: int32(o.screen.Dy())}}
	for i, r := range parts {
		r = r.Sub(o.screen.Min)
		*(*win.RECT)(unsafe.Pointer(&data[32+16*i])) = win.RECT{Left: int32(r.Min.X), Top: int32(r.Min.Y), Right: int32(r.Max.X), Bottom: int32(r.Max.Y)}
	}
	made, _, err := gdi32.NewProc("ExtCreateRegion").Call(0, uintptr(len(data)), uintptr(unsafe.Pointer(&data[0])))
	if made == 0 {
		return fmt.Errorf("overlay: ExtCreateRegion: %w", err)
	}
	if ok, _, err := user32.NewProc("SetWindowRgn").Call(uintptr(o.window), made, 1); ok == 0 {
		return fmt.Errorf("overlay: SetWindowRgn: %w", err)
	}
	return nil
}

// Close closes the overlay.
func (o *Overlay) Close() error {
	win.PostMessage(o.window, win.WM_CLOSE, 0, 0)
	<-o.done
	return nil
}
