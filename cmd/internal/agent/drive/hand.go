package drive

import (
	"context"
	"image"
	"sync/atomic"
	"time"

	"onlooker/input"
)

// A HandWatch watches for a hand on the mouse: another mouse that moves or, where the
// system does not tell mice apart, a pointer that moves while the agent itself
// rests. It is the agent's Mouse, and passes on what it is told.
type HandWatch struct {
	input.Device
	last chan time.Time // one value: when the agent last moved the mouse
	free atomic.Bool    // whoever moves the mouse is to
}

// Free lets a hand move the mouse until back is called.
func (h *HandWatch) Free() (back func()) {
	h.free.Store(true)
	return func() { h.free.Store(false) }
}

// NewHand watches a device until the context ends, and calls moved when a hand
// moves the mouse.
func NewHand(ctx context.Context, device input.Device, moved func()) *HandWatch {
	h := &HandWatch{Device: device, last: make(chan time.Time, 1)}
	h.last <- time.Now()
	go h.watch(ctx, moved)
	return h
}

const (
	// handRest: a client may put the pointer back to its middle up to 25 ms
	// after a motion under the pointer lock; a busy machine takes longer.
	handRest   = 250 * time.Millisecond
	handPixels = 4 // a table that shakes moves a mouse by less
	// handLooks of the looks within handTime show another mouse moving: a knock
	// on the table is over in 50 ms, within three looks.
	handLook  = 25 * time.Millisecond
	handLooks = 4
	handTime  = 250 * time.Millisecond
)

func (h *HandWatch) watch(ctx context.Context, moved func()) {
	var was image.Point
	var known time.Time
	var touches []time.Time
	for {
		if input.SystemPace().Wait(ctx, handLook) != nil {
			return
		}
		if h.free.Load() {
			_, _ = h.Device.Touched() // what moves now is not looked at later
			known, touches = time.Time{}, nil
			continue
		}
		if touched, err := h.Device.Touched(); err == nil {
			if touched {
				touches = append(touches, time.Now())
			}
			if n := len(touches) - handLooks; n >= 0 && time.Since(touches[n]) < handTime {
				moved()
				return
			}
			continue // a client that loses the pointer lock moves the pointer, too
		}
		own := <-h.last
		h.last <- own
		if time.Since(own) < handRest {
			known = time.Time{}
			continue
		}
		at, err := h.Device.Pointer()
		if err != nil {
			continue
		}
		if !known.IsZero() {
			by := at.Sub(was)
			if max(by.X, -by.X, by.Y, -by.Y) > handPixels {
				// Not the agent's own motion, unless it began just now.
				own := <-h.last
				h.last <- own
				if time.Since(own) >= handRest {
					moved()
					return
				}
			}
		}
		was, known = at, time.Now()
	}
}

func (h *HandWatch) note() {
	<-h.last
	h.last <- time.Now()
}

// MoveTo moves as the device does.
func (h *HandWatch) MoveTo(at image.Point) error {
	h.note()
	defer h.note()
	return h.Device.MoveTo(at)
}

// MoveBy moves as the device does.
func (h *HandWatch) MoveBy(dx, dy int) error {
	h.note()
	defer h.note()
	return h.Device.MoveBy(dx, dy)
}

// Press presses as the device does.
func (h *HandWatch) Press(b input.Button) error {
	h.note() // a click may lock the pointer, which moves it
	return h.Device.Press(b)
}

// Key presses as the device does.
func (h *HandWatch) Key(k input.Key) error {
	h.note()
	return h.Device.Key(k)
}
