package input

import (
	"errors"
	"fmt"
	"image"
	"strings"
)

// ErrNoDevice says that this system offers no way to do what was asked; it is
// wrapped with what to do about it.
var ErrNoDevice = errors.New("not possible here")

// ErrDisplayGone says that the display's server ended.
var ErrDisplayGone = errors.New("the display is gone")

// ErrCovered says that nothing was pressed or moved, since another window than the one that
// presses and motions go to lies under the pointer, or where it was to go.
var ErrCovered = errors.New("another window lies over the board")

// A Window is a window that lies on the desktop itself, by the system's own number; 0: none.
type Window uint64

// A Device is a real mouse and keyboard.
type Device interface {
	Mouse
	// WindowAt is the window that a press at a place of the screen would go to. Where the
	// system does not tell it is ErrNoDevice.
	WindowAt(at image.Point) (Window, error)
	// Only has presses, keys and motions go to one window, 0 to any: they are ErrCovered where
	// another lies over it.
	Only(Window)
	// Dismiss closes a menu that lies over that window under the pointer, as a right click opens
	// one, where the system tells menus from other windows.
	Dismiss() error
	// Pointer is where the pointer is on the screen, in pixels.
	Pointer() (image.Point, error)
	// Touched tells whether a mouse that is not this device moved since the
	// call before: a hand's. It waits for nothing, and belongs to one goroutine.
	// Where the system does not tell mice apart it is ErrNoDevice.
	Touched() (bool, error)
	// Hotkey calls f, on a goroutine of its own, whenever the combination is
	// pressed in any window, until the device is closed. A combination is a
	// Key with any of "ctrl+", "alt+", "shift+" before it. One that is taken
	// by another program is an error.
	Hotkey(combination string, f func()) error
	Close() error
}

// modifiers are those that a hotkey's combination may name, as bits.
type modifiers uint8

const (
	shift modifiers = 1 << iota
	ctrl
	alt
)

// combined takes a hotkey's combination apart.
func combined(combination string) (mods modifiers, k Key, err error) {
	parts := strings.Split(strings.ToLower(combination), "+")
	for _, m := range parts[:len(parts)-1] {
		bit, ok := map[string]modifiers{"shift": shift, "ctrl": ctrl, "alt": alt}[m]
		if !ok {
			return 0, "", fmt.Errorf("input: hotkey %q: %q is not ctrl, alt or shift", combination, m)
		}
		mods |= bit
	}
	return mods, Key(parts[len(parts)-1]), nil
}
