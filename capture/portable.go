package capture

import (
	"context"
	"errors"
	"fmt"
	"image"

	"github.com/kbinani/screenshot"
)

// portable looks at a rectangle of the desktop in the way that works
// everywhere, with a new connection for every frame.
type portable struct {
	at   image.Rectangle // relative to the primary display, as the library counts
	busy chan struct{}   // holds a token while a shot runs
}

func portableDisplays() []image.Rectangle {
	all := make([]image.Rectangle, 0, 4)
	for i := range screenshot.NumActiveDisplays() {
		all = append(all, screenshot.GetDisplayBounds(i))
	}
	return all
}

// openPortable opens a display or a part of it.
func openPortable(ctx context.Context, t Target) (Source, error) {
	all, err := within(ctx, func() ([]image.Rectangle, error) { return portableDisplays(), nil })
	if err != nil {
		return nil, err
	}
	whole, err := pick(all, t.Display)
	if err != nil {
		return nil, err
	}
	at, err := part(whole, t.Region)
	if err != nil {
		return nil, err
	}
	return &portable{at: at, busy: make(chan struct{}, 1)}, nil
}

func (p *portable) Grab(ctx context.Context) (*image.RGBA, error) {
	// A shot that hung may still hang: no second one beside it.
	select {
	case p.busy <- struct{}{}:
	default:
		return nil, errors.New("capture: the shot before has not ended yet")
	}
	m, err := within(ctx, func() (*image.RGBA, error) {
		defer func() { <-p.busy }()
		return screenshot.CaptureRect(p.at)
	})
	if err != nil {
		return nil, fmt.Errorf("capture: %w", err)
	}
	return toRGBA(m), nil
}

func (p *portable) Bounds() image.Rectangle { return p.at }

func (p *portable) Close() error { return nil }
