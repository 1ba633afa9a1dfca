//go:build cgo

package input

import (
	"fmt"
	"image"

	"github.com/go-vgo/robotgo"
)

// A robot is robotgo's mouse. Its relative motion warps the pointer on some
// systems: a game that reads raw motion may not see it.
type robot struct{}

// openRobot opens robotgo's mouse.
func openRobot() (Device, error) { return robot{}, nil }

func (robot) MoveTo(at image.Point) error {
	robotgo.Move(at.X, at.Y)
	return nil
}

func (robot) MoveBy(dx, dy int) error {
	robotgo.MoveRelative(dx, dy)
	return nil
}

func (robot) name(b Button) string {
	return map[Button]string{Left: "left", Middle: "center", Right: "right"}[b]
}

func (r robot) Press(b Button) error {
	if name, ok := r.wheel(b); ok {
		robotgo.ScrollDir(1, name)
		return nil
	}
	return robotgo.Toggle(r.name(b), "down")
}

func (r robot) Release(b Button) error {
	if _, ok := r.wheel(b); ok {
		return nil // a wheel is not held
	}
	return robotgo.Toggle(r.name(b), "up")
}

func (robot) wheel(b Button) (name string, ok bool) {
	name, ok = map[Button]string{WheelUp: "up", WheelDown: "down", WheelLeft: "left", WheelRight: "right"}[b]
	return name, ok
}

func (robot) Key(k Key) error { return robotgo.KeyTap(string(k)) }

func (robot) Pointer() (image.Point, error) {
	x, y := robotgo.Location()
	return image.Pt(x, y), nil
}

func (robot) WindowAt(image.Point) (Window, error) {
	return 0, fmt.Errorf("input: which window is at a place: %w", ErrNoDevice)
}

func (robot) Only(Window) {}

func (robot) Dismiss() error { return nil }

func (robot) Touched() (bool, error) {
	return false, fmt.Errorf("input: %w: one mouse is not told from another", ErrNoDevice)
}

func (robot) Hotkey(combination string, _ func()) error {
	return fmt.Errorf("input: hotkey %q: %w: stop by moving the mouse or with Ctrl+C", combination, ErrNoDevice)
}

func (robot) Close() error { return nil }
