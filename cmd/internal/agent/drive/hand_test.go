package drive

import (
	"context"
	"image"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"onlooker/cmd/internal/agent/agenttest"
	"onlooker/input"
	"onlooker/solve/solvetest"
)

// A desk is a device whose pointer others move as well.
type desk struct {
	mu sync.Mutex
	at image.Point
	// told says that the system tells mice apart, touched that another moved.
	told, touched bool
}

func (d *desk) shove(dx, dy int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.at = d.at.Add(image.Pt(dx, dy))
}

func (d *desk) MoveBy(dx, dy int) error {
	d.shove(dx, dy)
	return nil
}

func (d *desk) Pointer() (image.Point, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.at, nil
}

func (d *desk) WindowAt(image.Point) (input.Window, error) { return 0, input.ErrNoDevice }
func (d *desk) Only(input.Window)                          {}
func (d *desk) Dismiss() error                             { return nil }

func (d *desk) Touched() (bool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	touched := d.touched
	d.touched = false
	if !d.told {
		return false, input.ErrNoDevice
	}
	return touched, nil
}

// tell has the system tell mice apart from now on.
func (d *desk) tell() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.told = true
}

// push moves the pointer as another mouse does, for a while.
func (d *desk) push(dx, dy int, while time.Duration) {
	for began := time.Now(); time.Since(began) < while; time.Sleep(8 * time.Millisecond) {
		d.shove(dx, dy)
		d.mu.Lock()
		d.touched = true
		d.mu.Unlock()
	}
}

func (d *desk) MoveTo(image.Point) error    { return nil }
func (d *desk) Press(input.Button) error    { return nil }
func (d *desk) Release(input.Button) error  { return nil }
func (d *desk) Key(input.Key) error         { return nil }
func (d *desk) Hotkey(string, func()) error { return nil }
func (d *desk) Close() error                { return nil }

func TestHand(t *testing.T) {
	for _, row := range []struct {
		why  string
		play func(*HandWatch, *desk)
		want bool
	}{
		{"nobody moves", func(*HandWatch, *desk) { time.Sleep(3 * time.Second) }, false},
		{"a hand moves while the agent rests", func(_ *HandWatch, d *desk) { time.Sleep(time.Second); d.shove(9, 0) }, true},
		{"a hand moves slowly: five pixels in each look", func(_ *HandWatch, d *desk) {
			time.Sleep(time.Second)
			for range 5 {
				d.shove(5, 0)
				time.Sleep(25 * time.Millisecond)
			}
		}, true},
		{"the table shakes", func(_ *HandWatch, d *desk) {
			time.Sleep(time.Second)
			for i := range 40 {
				d.shove(3-6*(i%2), 2)
				d.shove(0, -2)
				time.Sleep(25 * time.Millisecond)
			}
		}, false},
		{"the agent moves", func(h *HandWatch, _ *desk) {
			for range 40 {
				if err := h.MoveBy(90, -40); err != nil {
					panic(err)
				}
				time.Sleep(20 * time.Millisecond)
			}
			time.Sleep(time.Second)
		}, false},
		{"the client puts the pointer back after a motion", func(h *HandWatch, d *desk) {
			for range 5 {
				if err := h.MoveBy(100, 0); err != nil {
					panic(err)
				}
				time.Sleep(60 * time.Millisecond)
				d.shove(-100, 0)
				time.Sleep(time.Second)
			}
		}, false},
		{"a click locks the pointer, which moves it", func(h *HandWatch, d *desk) {
			time.Sleep(time.Second)
			if err := h.Press(input.Left); err != nil {
				panic(err)
			}
			time.Sleep(30 * time.Millisecond)
			d.shove(-200, 80)
			time.Sleep(time.Second)
		}, false},
		{"mice are told apart, and the client puts the pointer elsewhere", func(_ *HandWatch, d *desk) {
			d.tell()
			time.Sleep(time.Second)
			d.shove(-200, 80)
			time.Sleep(time.Second)
		}, false},
		{"a hand moves while the agent moves", func(h *HandWatch, d *desk) {
			d.tell()
			done := make(chan struct{})
			go func() {
				defer close(done)
				time.Sleep(300 * time.Millisecond)
				d.push(2, 1, 120*time.Millisecond)
			}()
			for range 40 {
				if err := h.MoveBy(90, -40); err != nil {
					panic(err)
				}
				time.Sleep(20 * time.Millisecond)
			}
			<-done
		}, true},
		{"the table is knocked while the agent moves, every second", func(h *HandWatch, d *desk) {
			d.tell()
			for i := range 100 {
				if err := h.MoveBy(90, -40); err != nil {
					panic(err)
				}
				if i%50 == 20 {
					d.push(1, 0, 40*time.Millisecond)
				}
				time.Sleep(20 * time.Millisecond)
			}
		}, false},
		{"a hand moves after the agent has rested", func(h *HandWatch, d *desk) {
			if err := h.MoveBy(100, 0); err != nil {
				panic(err)
			}
			time.Sleep(400 * time.Millisecond)
			d.shove(30, 30)
		}, true},
	} {
		agenttest.OnItsOwnClock(t, row.why, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			d := &desk{at: image.Pt(500, 400)}
			moved := make(chan struct{}, 100)
			h := NewHand(ctx, d, func() { moved <- struct{}{} })
			row.play(h, d)
			time.Sleep(200 * time.Millisecond)
			cancel()
			synctest.Wait()
			solvetest.Same(t, len(moved) > 0, row.want, "when a hand was noticed")
		})
	}
}
