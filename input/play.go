package input

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"time"
)

// A Mouse does what events say. Its methods return once the system has taken
// the event.
type Mouse interface {
	// MoveTo puts the pointer to a place on the screen, in pixels.
	MoveTo(image.Point) error
	// MoveBy moves as a mouse does that is pushed: relative motion, before any
	// acceleration of the system's own is undone.
	MoveBy(dx, dy int) error
	Press(Button) error
	Release(Button) error
	// Key presses and releases a key.
	Key(Key) error
}

// A Pacer is a Mouse that keeps the time itself, as one does whose motions are
// recorded, or played again without a clock.
type Pacer interface {
	// Wait waits; it ends early with the context's cause.
	Wait(ctx context.Context, d time.Duration) error
	// Ended is the context's cause once it has ended, else nil.
	Ended(ctx context.Context) error
}

// paced is the system's own time.
type paced struct{}

func (paced) Ended(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

func (paced) Wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// SystemPace waits by the system's own clock.
func SystemPace() Pacer { return paced{} }

// Play performs events until they are done, one fails, or the context ends.
// However it ends, a panic of the mouse included, every button that it pressed
// is up again when it returns, or was told to go up: a release that failed is
// in the error.
func Play(ctx context.Context, m Mouse, events []Event) (err error) {
	pace, ok := m.(Pacer)
	if !ok {
		pace = SystemPace()
	}
	var down []Button
	defer func() {
		for _, b := range slices.Backward(down) {
			if up := m.Release(b); up != nil {
				err = errors.Join(err, fmt.Errorf("input: release button %d: %w", b, up))
			}
		}
	}()
	for i, e := range events {
		if err := pace.Ended(ctx); err != nil {
			return fmt.Errorf("input: event %d of %d (%s): %w", i+1, len(events), e, err)
		}
		if err := perform(ctx, m, pace, e, &down); err != nil {
			return fmt.Errorf("input: event %d of %d (%s): %w", i+1, len(events), e, err)
		}
	}
	return nil
}

// Hold holds a button down while do is done. However that ends, a panic
// included, the button is up again when Hold returns, or was told to go up.
func Hold(m Mouse, b Button, do func() error) (err error) {
	pressed := true
	defer func() {
		if !pressed {
			return
		}
		if up := m.Release(b); up != nil {
			err = errors.Join(err, fmt.Errorf("input: release button %d: %w", b, up))
		}
	}()
	if err := m.Press(b); err != nil {
		pressed = !errors.Is(err, ErrCovered)
		return fmt.Errorf("input: press button %d: %w", b, err) // it may have gone through all the same
	}
	return do()
}

func perform(ctx context.Context, m Mouse, pace Pacer, e Event, down *[]Button) error {
	switch e.Op {
	case Wait:
		return pace.Wait(ctx, e.D)
	case Move:
		return m.MoveBy(e.At.X, e.At.Y)
	case Goto:
		return m.MoveTo(e.At)
	case Press:
		// Noted before it is done: a press that reports a failure may have
		// gone through all the same.
		*down = append(*down, e.Button)
		err := m.Press(e.Button)
		if errors.Is(err, ErrCovered) {
			*down = (*down)[:len(*down)-1]
		}
		return err
	case Release:
		if err := m.Release(e.Button); err != nil {
			return err
		}
		*down = slices.DeleteFunc(*down, func(b Button) bool { return b == e.Button })
		return nil
	case Tap:
		return m.Key(e.Key)
	}
	return fmt.Errorf("no such operation")
}
