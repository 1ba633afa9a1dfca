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
	last atomic.Pointer[time.Time] // when the agent last moved the mouse
	free atomic.Bool               // whoever moves the mouse is to
}

// Free lets a hand move the mouse until back is called.
func (h *HandWatch) Free() (back func()) {
	h.free.Store(true)
	return func() { h.free.Store(false) }
}

// NewHand watches a device until the context ends, and calls moved when a hand
// moves the mouse.
func NewHand(ctx context.Context, device input.Device, moved func()) *HandWatch {
	h := &HandWatch{Device: device}
	h.note()
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
	known := false
	rests := func() bool { return time.Since(*h.last.Load()) >= handRest }
	var touches []time.Time
	for {
		if input.SystemPace().Wait(ctx, handLook) != nil {
			return
		}
		if h.free.Load() {
			_, _ = h.Device.Touched() // what moves now is not looked at later
			known, touches = false, nil
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
		if !rests() {
			known = false
			continue
		}
		at, err := h.Device.Pointer()
		if err != nil {
			continue
		}
		by := at.Sub(was)
		// Not the agent's own motion, unless it began just now.
		if known && max(by.X, -by.X, by.Y, -by.Y) > handPixels && rests() {
			moved()
			return
		}
		was, known = at, true
	}
}

func (h *HandWatch) note() {
	now := time.Now()
	h.last.Store(&now)
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
