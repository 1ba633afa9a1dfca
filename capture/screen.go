package capture

import (
	"context"
	"errors"
	"fmt"
	"image"
	"strings"
	"time"
)

// A Target says what of the screen to look at. Without a window it is a
// display.
type Target struct {
	// Display is a display's number, from 0, the primary first.
	Display int
	// Window is a part of a window's title, in upper or lower case.
	Window string
	// Region is a part of the display or the window, in its pixels; empty: all.
	Region image.Rectangle
	// Under says that frames show what is under windows titled OverlayTitle.
	Under bool
}

// OverlayTitle is the title of a window that lies over others and is not theirs.
const OverlayTitle = "onlooker overlay"

// A Window is one window on the screen that can be seen.
type Window struct {
	Title  string
	Bounds image.Rectangle // pixels of the desktop, without the frame round it

	handle uint64 // the system's own number
}

// helper tells windows that programs open for themselves, often of a single pixel and with the
// title of the one that is looked at: a side of so few pixels shows no board.
func helper(at image.Rectangle) bool {
	const least = 16
	return at.Dx() < least || at.Dy() < least
}

// ErrNoDisplay says that there is no display to look at.
var ErrNoDisplay = errors.New("no display")

// ErrNoWindow says that no window has the title, or none that can be seen.
var ErrNoWindow = errors.New("no such window")

// grabTimeout is how long a frame may take. The slowest way seen takes 41 ms, but the
// server of a machine with ten times more to do than it can was seen to answer nobody
// for more than two seconds; Wayland's portal has no limit of its own.
const grabTimeout = 10 * time.Second

// Open starts looking at a target. A rectangle that is not wholly on the
// screen is an error; a window that hangs over its edge is seen as far as it
// is on it.
func Open(ctx context.Context, t Target) (Source, error) {
	s, err := open(ctx, t)
	if err != nil {
		return nil, fmt.Errorf("capture: %w", err)
	}
	return s, nil
}

// Displays lists the displays' places on the desktop in pixels, the primary
// first.
func Displays(ctx context.Context) ([]image.Rectangle, error) {
	d, err := displays(ctx)
	if err != nil {
		return nil, fmt.Errorf("capture: %w", err)
	}
	return d, nil
}

// Windows lists the windows that can be seen, topmost last.
func Windows(ctx context.Context) ([]Window, error) {
	w, err := windows(ctx)
	if err != nil {
		return nil, fmt.Errorf("capture: %w", err)
	}
	return w, nil
}

// pick returns the display with a number.
func pick(all []image.Rectangle, n int) (image.Rectangle, error) {
	if len(all) == 0 {
		return image.Rectangle{}, ErrNoDisplay
	}
	if n < 0 || n >= len(all) {
		return image.Rectangle{}, fmt.Errorf("no display %d, there are 0 to %d", n, len(all)-1)
	}
	return all[n], nil
}

// part is the region's place on the desktop, within what it is a part of.
func part(whole, region image.Rectangle) (image.Rectangle, error) {
	if region == (image.Rectangle{}) {
		return whole, nil
	}
	r := region.Add(whole.Min)
	if region.Empty() || !r.In(whole) {
		return r, fmt.Errorf("the region %dx%d at (%d,%d) is not within %dx%d pixels",
			region.Dx(), region.Dy(), region.Min.X, region.Min.Y, whole.Dx(), whole.Dy())
	}
	return r, nil
}

// titled picks the window that a part of a title means: one whose whole title
// it is, else the largest that has it.
func titled(all []Window, title string) (Window, error) {
	var best Window
	found := false
	area := func(w Window) int { return w.Bounds.Dx() * w.Bounds.Dy() }
	for _, w := range all {
		switch {
		case !strings.Contains(strings.ToLower(w.Title), strings.ToLower(title)):
		case !found, w.Title == title && best.Title != title,
			(w.Title == title) == (best.Title == title) && area(w) > area(best):
			best, found = w, true
		}
	}
	if !found {
		names := make([]string, 0, len(all))
		for _, w := range all {
			names = append(names, fmt.Sprintf("%q", w.Title))
		}
		if len(names) == 0 {
			return best, fmt.Errorf("%w: %q; no window is open", ErrNoWindow, title)
		}
		return best, fmt.Errorf("%w: %q; open are %s", ErrNoWindow, title, strings.Join(names, ", "))
	}
	return best, nil
}

// within runs a call that may hang, for at most the time of a grab.
func within[T any](ctx context.Context, call func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		v, err := call()
		done <- result{v, err}
	}()
	timer := time.NewTimer(grabTimeout)
	defer timer.Stop()
	var none T
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		return none, ctx.Err()
	case <-timer.C:
		return none, errTimeout
	}
}

var errTimeout = fmt.Errorf("the screen did not answer within %v", grabTimeout)
