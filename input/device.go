package input

import (
	"errors"
	"image"
)

// ErrNoDevice says that this system offers no way to do what was asked; it is
// wrapped with what to do about it.
var ErrNoDevice = errors.New("not possible here")

// ErrDisplayGone says that the display's server ended.
var ErrDisplayGone = errors.New("the display is gone")

// A Device is a real mouse and keyboard.
type Device interface {
	Mouse
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
