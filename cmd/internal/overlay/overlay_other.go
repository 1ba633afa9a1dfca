//go:build !linux && !freebsd && !netbsd && !openbsd && !windows

package overlay

import (
	"image/color"

	"onlooker/vision/picture"
)

// An Overlay is not possible on this system.
type Overlay struct{}

// Open is ErrNone.
func Open(color.RGBA) (*Overlay, error) { return nil, ErrNone }

// Show is ErrNone.
func (o *Overlay) Show([]picture.Shape) error { return ErrNone }

// Close does nothing.
func (o *Overlay) Close() error { return nil }
