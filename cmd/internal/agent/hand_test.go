package agent

import (
	"context"
	"image"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"onlooker/input"
)

// A desk is a device whose pointer others move as well.
type desk struct {
	input.Recorder
	mu sync.Mutex
	at image.Point
}

func (d *desk) shove(dx, dy int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.at = d.at.Add(image.Pt(dx, dy))
}

func (d *desk) MoveBy(dx, dy int) error {
	d.shove(dx, dy)
	return d.Recorder.MoveBy(dx, dy)
}

func (d *desk) Pointer() (image.Point, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.at, nil
}

func (d *desk) Hotkey(string, func()) error { return nil }
func (d *desk) Close() error                { return nil }

func TestHand(t *testing.T) {
	for _, row := range []struct {
		why  string
		play func(*Hand, *desk)
		want bool
	}{
		{"nobody moves", func(*Hand, *desk) { time.Sleep(3 * time.Second) }, false},
		{"a hand moves while the agent rests", func(_ *Hand, d *desk) { time.Sleep(time.Second); d.shove(9, 0) }, true},
		{"a hand moves slowly: five pixels in each look", func(_ *Hand, d *desk) {
			time.Sleep(time.Second)
			for range 5 {
				d.shove(5, 0)
				time.Sleep(25 * time.Millisecond)
			}
		}, true},
		{"the table shakes", func(_ *Hand, d *desk) {
			time.Sleep(time.Second)
			for i := range 40 {
				d.shove(3-6*(i%2), 2)
				d.shove(0, -2)
				time.Sleep(25 * time.Millisecond)
			}
		}, false},
		{"the agent moves", func(h *Hand, _ *desk) {
			for range 40 {
				if err := h.MoveBy(90, -40); err != nil {
					panic(err)
				}
				time.Sleep(20 * time.Millisecond)
			}
			time.Sleep(time.Second)
		}, false},
		{"the client puts the pointer back after a motion", func(h *Hand, d *desk) {
			for range 5 {
				if err := h.MoveBy(100, 0); err != nil {
					panic(err)
				}
				time.Sleep(60 * time.Millisecond)
				d.shove(-100, 0)
				time.Sleep(time.Second)
			}
		}, false},
		{"a click locks the pointer, which moves it", func(h *Hand, d *desk) {
			time.Sleep(time.Second)
			if err := h.Press(input.Left); err != nil {
				panic(err)
			}
			time.Sleep(30 * time.Millisecond)
			d.shove(-200, 80)
			time.Sleep(time.Second)
		}, false},
		{"a hand moves after the agent has rested", func(h *Hand, d *desk) {
			if err := h.MoveBy(100, 0); err != nil {
				panic(err)
			}
			time.Sleep(400 * time.Millisecond)
			d.shove(30, 30)
		}, true},
	} {
		onItsOwnClock(t, row.why, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			d := &desk{at: image.Pt(500, 400)}
			moved := make(chan struct{}, 100)
			h := NewHand(ctx, d, func() { moved <- struct{}{} })
			row.play(h, d)
			time.Sleep(200 * time.Millisecond)
			cancel()
			synctest.Wait()
			if got := len(moved) > 0; got != row.want {
				t.Errorf("a hand was noticed: %t, want %t", got, row.want)
			}
		})
	}
}
