package capture

import (
	"context"
	"fmt"
	"image"
	"syscall"
	"unsafe"

	"github.com/lxn/win"
)

func open(ctx context.Context, t Target) (Source, error) {
	if t.Window == "" {
		return openPortable(ctx, t)
	}
	w := &titledSource{target: t}
	return w, w.find(ctx)
}

func displays(ctx context.Context) ([]image.Rectangle, error) {
	return within(ctx, func() ([]image.Rectangle, error) { return portableDisplays(), nil })
}

// windows asks for the topmost window and goes down from there.
func windows(context.Context) ([]Window, error) {
	var all []Window
	for h := win.GetWindow(win.GetDesktopWindow(), win.GW_CHILD); h != 0; h = win.GetWindow(h, win.GW_HWNDNEXT) {
		if !win.IsWindowVisible(h) || win.IsIconic(h) || cloaked(h) {
			continue
		}
		title := make([]uint16, 256)
		n, _, _ := getWindowText.Call(uintptr(h), uintptr(unsafe.Pointer(&title[0])), uintptr(len(title)))
		var client win.RECT
		var origin win.POINT
		if n == 0 || !win.GetClientRect(h, &client) || !win.ClientToScreen(h, &origin) {
			continue
		}
		at := image.Rect(0, 0, int(client.Right), int(client.Bottom)).Add(image.Pt(int(origin.X), int(origin.Y)))
		if helper(at) {
			continue
		}
		all = append([]Window{{Title: syscall.UTF16ToString(title), Bounds: at, handle: uint64(h)}}, all...)
	}
	return all, nil
}

// cloaked tells windows that are open and that the system hides all the same: of sleeping
// programs, and of other desktops.
func cloaked(h win.HWND) bool {
	const attribute = 14 // DWMWA_CLOAKED
	var value uint32
	if getWindowAttribute.Find() != nil {
		return false
	}
	failed, _, _ := getWindowAttribute.Call(uintptr(h), attribute, uintptr(unsafe.Pointer(&value)), unsafe.Sizeof(value))
	return failed == 0 && value != 0
}

var getWindowAttribute = syscall.NewLazyDLL("dwmapi.dll").NewProc("DwmGetWindowAttribute")

var getWindowText = syscall.NewLazyDLL("user32.dll").NewProc("GetWindowTextW")

// titledSource looks at a window wherever it is.
type titledSource struct {
	target Target
	at     portable
	handle uint64
}

// find sets where the window is now, as far as it is on a display.
func (w *titledSource) find(ctx context.Context) error {
	all, err := windows(ctx)
	if err != nil {
		return err
	}
	found, err := titled(all, w.target.Window)
	if err != nil {
		return err
	}
	var desktop image.Rectangle
	for _, d := range portableDisplays() {
		desktop = desktop.Union(d)
	}
	at, err := part(found.Bounds, w.target.Region)
	if err != nil {
		return err
	}
	if at = at.Intersect(desktop); at.Empty() {
		return fmt.Errorf("%w: %q is off the screen", ErrNoWindow, found.Title)
	}
	if w.at.busy == nil {
		w.at.busy = make(chan struct{}, 1)
	}
	w.at.at, w.handle = at, found.handle
	return nil
}

// Window is the window that was found last.
func (w *titledSource) Window() uint64 { return w.handle }

func (w *titledSource) Grab(ctx context.Context) (*image.RGBA, error) {
	if err := w.find(ctx); err != nil {
		return nil, fmt.Errorf("capture: %w", err)
	}
	return w.at.Grab(ctx)
}

func (w *titledSource) Bounds() image.Rectangle { return w.at.at }

func (w *titledSource) Close() error { return nil }
