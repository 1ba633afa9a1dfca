// Package input turns legs of a stroke into mouse events, which is pure, and
// performs events on a mouse, which is thin: one device per system.
//
// A game that reads raw motion (The Witness) or holds the pointer lock (a page
// in the browser) sees relative motion only. The devices give that where a
// warped pointer would not be seen: XTest on X11, SendInput on Windows.
package input

import (
	"fmt"
	"image"
	"math"
	"time"

	"onlooker/calibrations"
)

// An Op is what an event does.
type Op uint8

// The operations. At is a motion in the mouse's own units for Move, a place on
// the screen in pixels for Goto; D is how long a Wait lasts.
const (
	Wait Op = iota
	Move
	Goto
	Press
	Release
	Tap // a key, pressed and released
)

func (o Op) String() string {
	return [...]string{"wait", "move", "goto", "press", "release", "tap"}[o]
}

// A Button is a button of the mouse.
type Button uint8

// The buttons, as X11 counts them.
const (
	Left   Button = 1
	Middle Button = 2
	Right  Button = 3
	// A click of these turns the wheel by a notch.
	WheelUp    Button = 4
	WheelDown  Button = 5
	WheelLeft  Button = 6
	WheelRight Button = 7
)

// A Key is a key by its name: a letter or digit, or one of "space", "escape",
// "return", "tab", "left", "right", "up", "down", "f1" to "f12".
type Key string

// An Event is one thing that a mouse (or its neighbour, the keyboard) does.
type Event struct {
	Op     Op
	At     image.Point
	D      time.Duration
	Button Button // of Press and Release
	Key    Key    // of Tap
}

func (e Event) String() string {
	switch e.Op {
	case Wait:
		return fmt.Sprintf("wait %s", e.D)
	case Move, Goto:
		return fmt.Sprintf("%s %d %d", e.Op, e.At.X, e.At.Y)
	case Press, Release:
		return fmt.Sprintf("%s %d", e.Op, e.Button)
	}
	return fmt.Sprintf("%s %s", e.Op, e.Key)
}

// A Pixel is a place on the screen, to a fraction of a pixel.
type Pixel struct{ X, Y float64 }

// Sub is the way from q to p.
func (p Pixel) Sub(q Pixel) Pixel { return Pixel{p.X - q.X, p.Y - q.Y} }

// Len is the length of p as a vector.
func (p Pixel) Len() float64 { return math.Hypot(p.X, p.Y) }

// A Leg is one straight run of a stroke.
type Leg struct {
	To Pixel // where the head should come to rest
	// Turn says that the leg sets out in another direction than the last one
	// ended in: its first motion is a small one in a frame of its own, which
	// takes the head round the corner before the rest of the leg is spent.
	Turn bool
}

// Plan gives the events of one straight leg from where the head is seen.
// Under a relative Motion these are moves of at most StepPixels units, a
// StepMillis apart, which add up to the leg divided by the Gain (pixels per
// unit, which must be positive); under others they go to places on the screen.
// Every move is followed by its wait.
func Plan(leg Leg, head Pixel, m calibrations.Motion) []Event {
	way := leg.To.Sub(head)
	step := max(1, m.StepPixels)
	wait := Event{Op: Wait, D: time.Duration(m.StepMillis) * time.Millisecond}
	var out []Event
	if m.Style != calibrations.Relative {
		n := max(1, int(math.Ceil(way.Len()/float64(step))))
		last := image.Pt(round(head.X), round(head.Y))
		for i := 1; i <= n; i++ {
			f := float64(i) / float64(n)
			at := image.Pt(round(head.X+way.X*f), round(head.Y+way.Y*f))
			if at != last {
				out = append(out, Event{Op: Goto, At: at}, wait)
				last = at
			}
		}
		return out
	}
	units := Pixel{way.X / m.Gain, way.Y / m.Gain}
	total := units.Len()
	var done image.Point
	to := func(f float64) {
		by := image.Pt(round(units.X*f), round(units.Y*f)).Sub(done)
		if by == (image.Point{}) {
			return
		}
		done = done.Add(by)
		out = append(out, Event{Op: Move, At: by}, wait)
	}
	from := 0.0
	if nudge := float64(m.NudgePixels); leg.Turn && nudge > 0 && total > nudge {
		from = nudge / total
		to(from)
	}
	n := max(1, int(math.Ceil(total*(1-from)/float64(step))))
	for i := 1; i <= n; i++ {
		to(from + (1-from)*float64(i)/float64(n))
	}
	return out
}

func round(v float64) int { return int(math.Round(v)) }

// Click presses and releases a button, held for as long as a page or a game
// needs to see it.
func Click(b Button) []Event {
	return []Event{{Op: Press, Button: b}, {Op: Wait, D: 20 * time.Millisecond}, {Op: Release, Button: b}}
}
