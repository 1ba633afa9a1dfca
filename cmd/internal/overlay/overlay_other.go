//go:build !linux && !freebsd && !netbsd && !openbsd && !windows

package overlay

// An Overlay is not possible on this system.
type Overlay struct{}

// Open is ErrNone.
func Open() (*Overlay, error) { return nil, ErrNone }

// Show is ErrNone.
func (o *Overlay) Show([]Line) error { return ErrNone }

// Close does nothing.
func (o *Overlay) Close() error { return nil }
