package input

import (
	"errors"
	"image"
	"sync"
)

// ErrRecorded is what a Recorder returns for the event that it was told to
// fail at.
var ErrRecorded = errors.New("recorder: told to fail")

// A Recorder is a mouse that only writes down what it is told. It may be used
// by several goroutines.
type Recorder struct {
	// FailAt is the number of the call, from 1, that fails; 0: none does.
	FailAt int
	// On is called after each call with its number, from 1; nil: nothing is.
	On func(n int)

	mu     sync.Mutex
	events []Event
	down   map[Button]bool
}

// Events returns what was done so far, without waits.
func (r *Recorder) Events() []Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Event(nil), r.events...)
}

// Down tells whether any button is down.
func (r *Recorder) Down() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, d := range r.down {
		if d {
			return true
		}
	}
	return false
}

func (r *Recorder) note(e Event) error {
	r.mu.Lock()
	r.events = append(r.events, e)
	n := len(r.events)
	var err error
	if n == r.FailAt {
		err = ErrRecorded
	} else if e.Op == Press || e.Op == Release {
		if r.down == nil {
			r.down = map[Button]bool{}
		}
		r.down[e.Button] = e.Op == Press
	}
	r.mu.Unlock()
	if r.On != nil {
		r.On(n)
	}
	return err
}

// MoveTo notes a Goto.
func (r *Recorder) MoveTo(at image.Point) error { return r.note(Event{Op: Goto, At: at}) }

// MoveBy notes a Move.
func (r *Recorder) MoveBy(dx, dy int) error { return r.note(Event{Op: Move, At: image.Pt(dx, dy)}) }

// Press notes a Press.
func (r *Recorder) Press(b Button) error { return r.note(Event{Op: Press, Button: b}) }

// Release notes a Release.
func (r *Recorder) Release(b Button) error { return r.note(Event{Op: Release, Button: b}) }

// Key notes a Tap.
func (r *Recorder) Key(k Key) error { return r.note(Event{Op: Tap, Key: k}) }
