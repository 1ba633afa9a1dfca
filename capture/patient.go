package capture

import (
	"context"
	"errors"
	"image"
	"time"
)

// A PatientSource is a window that is looked at while it is there, and waited for while it is
// not.
type PatientSource struct {
	Open  func(context.Context) (Source, error)
	Waits func(reason error) // told when the waiting begins

	source Source                                           // nil while it is waited for
	pause  func(ctx context.Context, d time.Duration) error // nil: sleep
	told   bool
	bounds image.Rectangle
}

// lookAgain is how often a window that is not there is looked for.
const lookAgain = 500 * time.Millisecond

// Grab waits for the window, for as long as the context lets it.
func (p *PatientSource) Grab(ctx context.Context) (*image.RGBA, error) {
	for {
		var err error
		if p.source == nil {
			p.source, err = p.Open(ctx)
		}
		if err == nil {
			var frame *image.RGBA
			if frame, err = p.source.Grab(ctx); err == nil {
				p.told, p.bounds = false, p.source.Bounds()
				return frame, nil
			}
		}
		if !errors.Is(err, ErrNoWindow) {
			return nil, err
		}
		if p.source != nil {
			_ = p.source.Close() // of a window that is gone
			p.source = nil
		}
		if !p.told {
			p.told = true
			p.Waits(err)
		}
		pause := p.pause
		if pause == nil {
			pause = sleep
		}
		if err := pause(ctx, lookAgain); err != nil {
			return nil, err
		}
	}
}

// Await waits as the window's source does.
func (p *PatientSource) Await(ctx context.Context, most time.Duration) error {
	if source, ok := p.source.(ChangeSource); ok {
		return source.Await(ctx, most)
	}
	return sleep(ctx, most)
}

// Bounds is where the window was last.
func (p *PatientSource) Bounds() image.Rectangle { return p.bounds }

// Close frees the window.
func (p *PatientSource) Close() error {
	if p.source == nil {
		return nil
	}
	return p.source.Close()
}

// sleep waits, unless the context ends before.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
