// Package capture gives frames: of a display, a window or a region of the
// screen, or replayed from a folder of pictures.
package capture

import (
	"context"
	"image"
	"time"
)

// A Source gives frames one after another. It is used by one goroutine.
type Source interface {
	// Grab returns the next frame; its top left pixel is (0, 0). The frame
	// belongs to the caller. A replayed folder ends with io.EOF.
	Grab(ctx context.Context) (*image.RGBA, error)
	// Bounds is where the frame that was grabbed last is on the screen, in
	// pixels.
	Bounds() image.Rectangle
	// Close frees what the source holds.
	Close() error
}

// A NamedSource is a Source whose frames are files.
type NamedSource interface {
	// Name is the file of the frame that was grabbed last.
	Name() string
}

// A ChangeSource is a Source that may be told when what it shows changes.
type ChangeSource interface {
	// Await waits until something may have changed since the frame that was grabbed
	// last, for as long as most.
	Await(ctx context.Context, most time.Duration) error
}

// A WindowSource is a Source that knows which window it shows.
type WindowSource interface {
	// Window is the window on the desktop itself that shows what was grabbed last, by the
	// system's own number; 0: no single one.
	Window() uint64
}

// A PartSource is a Source that gives a part of a frame in less time than all of it.
type PartSource interface {
	// GrabPart returns a rectangle of the next frame, in the frame's pixels: its
	// bounds are the rectangle's, but for what of it is not in the frame; all of
	// the frame where nothing of it is.
	GrabPart(ctx context.Context, part image.Rectangle) (*image.RGBA, error)
}
