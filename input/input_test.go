package input

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
)

func relativeMotion(gain float64) calibrations.Motion {
	return calibrations.Motion{Style: calibrations.Relative, StepPixels: 100, StepMillis: 1, NudgePixels: 4, Gain: gain}
}

func TestPlan(t *testing.T) {
	drag := calibrations.Motion{Style: calibrations.Drag, StepPixels: 40, StepMillis: 1}
	for _, row := range []struct {
		why    string
		leg    Leg
		head   Pixel
		motion calibrations.Motion
		want   []Event // without waits
	}{
		{"a short leg is one move", Leg{To: Pixel{60, 20}}, Pixel{10, 20}, relativeMotion(1), []Event{{Op: Move, At: image.Pt(50, 0)}}},
		{"the gain divides it", Leg{To: Pixel{10, 70}}, Pixel{10, 20}, relativeMotion(2), []Event{{Op: Move, At: image.Pt(0, 25)}}},
		{"a long leg is split, and adds up", Leg{To: Pixel{250, 0}}, Pixel{}, relativeMotion(1), []Event{
			{Op: Move, At: image.Pt(83, 0)}, {Op: Move, At: image.Pt(84, 0)}, {Op: Move, At: image.Pt(83, 0)},
		}},
		{"a turn sets out with a nudge of its own", Leg{To: Pixel{0, -54}, Turn: true}, Pixel{}, relativeMotion(1), []Event{
			{Op: Move, At: image.Pt(0, -4)}, {Op: Move, At: image.Pt(0, -50)},
		}},
		{"a turn as short as the nudge needs none", Leg{To: Pixel{3, 0}, Turn: true}, Pixel{}, relativeMotion(1), []Event{{Op: Move, At: image.Pt(3, 0)}}},
		{"a slanting leg keeps its direction", Leg{To: Pixel{30, 10}}, Pixel{}, relativeMotion(1), []Event{{Op: Move, At: image.Pt(30, 10)}}},
		{"less than half a unit is nothing", Leg{To: Pixel{0.4, 0}}, Pixel{}, relativeMotion(1), nil},
		{"dragging goes to places", Leg{To: Pixel{100, 20}}, Pixel{20, 20}, drag, []Event{{Op: Goto, At: image.Pt(60, 20)}, {Op: Goto, At: image.Pt(100, 20)}}},
	} {
		var got []Event
		for i, e := range Plan(row.leg, row.head, row.motion) {
			if (e.Op == Wait) != (i%2 == 1) {
				t.Errorf("%s: event %d is %v: want a wait after every move", row.why, i, e)
			}
			if e.Op != Wait {
				got = append(got, e)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(row.want) {
			t.Errorf("%s: got %v, want %v", row.why, got, row.want)
		}
	}
}

func FuzzPlan(f *testing.F) {
	f.Add(10.0, 20.0, 300.0, -40.0, 1.3, true)
	f.Add(0.0, 0.0, 0.0, 0.0, 0.5, false)
	f.Fuzz(func(t *testing.T, x, y, toX, toY, gain float64, turn bool) {
		for _, v := range []float64{x, y, toX, toY} {
			if !(math.Abs(v) < 1e4) {
				t.Skip("off every screen")
			}
		}
		if !(gain > 0.05 && gain < 50) {
			t.Skip("no such gain")
		}
		var sum image.Point
		for _, e := range Plan(Leg{To: Pixel{toX, toY}, Turn: turn}, Pixel{x, y}, relativeMotion(gain)) {
			if e.Op != Move {
				continue
			}
			sum = sum.Add(e.At)
			if Pixel(struct{ X, Y float64 }{float64(e.At.X), float64(e.At.Y)}).Len() > 102 {
				t.Fatalf("a move of %v is longer than a step", e.At)
			}
		}
		if miss := math.Hypot(float64(sum.X)-(toX-x)/gain, float64(sum.Y)-(toY-y)/gain); miss > 0.71 {
			t.Fatalf("the moves add up to %v, %g units off", sum, miss)
		}
	})
}

// stroke is click, move, click, move and drop: every operation with a button.
func stroke() []Event {
	var ev []Event
	ev = append(ev, Click(Left)...)
	ev = append(ev, Plan(Leg{To: Pixel{300, 0}, Turn: true}, Pixel{}, relativeMotion(1))...)
	ev = append(ev, Click(Left)...)
	ev = append(ev, Event{Op: Press, Button: Left}, Event{Op: Goto, At: image.Pt(5, 5)}, Event{Op: Press, Button: Right},
		Event{Op: Tap, Key: "d"}, Event{Op: Release, Button: Right}, Event{Op: Release, Button: Left})
	for i := range ev {
		ev[i].D = min(ev[i].D, time.Millisecond)
	}
	return ev
}

func TestPlayLeavesTheButtonsUp(t *testing.T) {
	var whole Recorder
	if err := Play(t.Context(), &whole, stroke()); err != nil || whole.Down() {
		t.Fatalf("whole: %v, button down: %t", err, whole.Down())
	}
	calls := len(whole.Events())
	for n := 1; n <= calls; n++ {
		ctx, cancel := context.WithCancel(t.Context())
		r := &Recorder{On: func(done int) {
			if done == n {
				cancel()
			}
		}}
		err := Play(ctx, r, stroke())
		if r.Down() {
			t.Errorf("cancelled after call %d (%v): a button is down", n, r.Events()[n-1])
		}
		if n < calls && !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled after call %d: %v, want the context's error", n, err)
		}
		cancel()

		r = &Recorder{FailAt: n}
		if err := Play(t.Context(), r, stroke()); !errors.Is(err, ErrRecorded) {
			t.Errorf("call %d failed: %v, want %v", n, err, ErrRecorded)
		}
		if r.Down() {
			t.Errorf("call %d failed: a button is down", n)
		}

		r = &Recorder{On: func(done int) {
			if done == n {
				panic("the device broke")
			}
		}}
		func() {
			defer func() { _ = recover() }()
			_ = Play(t.Context(), r, stroke())
		}()
		if r.Down() {
			t.Errorf("panic in call %d: a button is down", n)
		}
	}
}

// coveredMouse lets nothing be pressed.
type coveredMouse struct{ Recorder }

func (*coveredMouse) Press(Button) error { return ErrCovered }

// TestPlayCovered: a button that another window kept from going down is not let go of: that
// would be a click's end on the other.
func TestPlayCovered(t *testing.T) {
	m := &coveredMouse{}
	if err := Play(t.Context(), m, stroke()); !errors.Is(err, ErrCovered) {
		t.Errorf("%v, want %v", err, ErrCovered)
	}
	for _, e := range m.Events() {
		if e.Op == Release {
			t.Errorf("%v after a press that did not happen", e)
		}
	}
}

func TestPlaySaysWhichEvent(t *testing.T) {
	err := Play(t.Context(), &Recorder{FailAt: 2}, []Event{{Op: Tap, Key: "d"}, {Op: Move, At: image.Pt(3, 4)}})
	want := "input: event 2 of 2 (move 3 4): recorder: told to fail"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func FuzzPlayCancelled(f *testing.F) {
	f.Add(uint8(3), []byte{3, 0, 1, 4, 3, 2, 5})
	f.Fuzz(func(t *testing.T, after uint8, ops []byte) {
		var ev []Event
		for i, o := range ops {
			ev = append(ev, Event{Op: Op(o % 6), Button: Button(i%3 + 1), At: image.Pt(i, -i), Key: "d"})
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		r := &Recorder{On: func(n int) {
			if n == int(after) {
				cancel()
			}
		}}
		err := Play(ctx, r, ev)
		if r.Down() {
			t.Fatalf("events %v, cancelled after %d: a button is down (%v)", ev, after, err)
		}
	})
}

// xvfb starts an X server on a free display and returns its name.
func xvfb(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("Xvfb")
	if err != nil {
		t.Skip("no Xvfb on this machine")
	}
	read, write, err := os.Pipe()
	solvetest.OK(t, err)
	defer read.Close()
	cmd := exec.Command(path, "-displayfd", "3", "-screen", "0", "800x600x24", "-nolisten", "tcp")
	cmd.ExtraFiles = []*os.File{write}
	solvetest.OK(t, cmd.Start())
	write.Close()
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	var number int
	solvetest.Must(fmt.Fscan(read, &number))(t, "Xvfb named no display")
	return fmt.Sprintf(":%d", number)
}

func TestXDevice(t *testing.T) {
	display := xvfb(t)
	d := solvetest.Must(Open(display))(t)
	defer d.Close()
	hot := make(chan struct{}, 1)
	solvetest.OK(t, d.Hotkey("ctrl+f9", func() {}))
	solvetest.OK(t, d.Hotkey("f8", func() { hot <- struct{}{} }))
	solvetest.OK(t, Play(t.Context(), d, []Event{{Op: Goto, At: image.Pt(100, 100)}, {Op: Move, At: image.Pt(7, -3)}, {Op: Tap, Key: "f8"}}))
	solvetest.Same(t, solvetest.Must(d.Pointer())(t), image.Pt(107, 97), "the pointer is at")
	select {
	case <-hot:
	case <-time.After(5 * time.Second):
		t.Error("the hotkey was not heard")
	}
	other := solvetest.Must(Open(display))(t)
	defer other.Close()
	if err := other.Hotkey("f8", func() {}); err == nil || err.Error() != `input: hotkey "f8" is taken by another program` {
		t.Errorf("a hotkey that is taken: %v", err)
	}
	for _, bad := range []string{"meta+f8", "f13", ""} {
		if err := other.Hotkey(bad, func() {}); err == nil {
			t.Errorf("hotkey %q was taken", bad)
		}
	}
	if _, err := Open(":987"); err == nil {
		t.Error("a display that is not there opened")
	}
}

func TestHold(t *testing.T) {
	stop := errors.New("stop")
	for _, row := range []struct {
		why    string
		failAt int
		do     func() error
		want   error
	}{
		{"done", 0, func() error { return nil }, nil},
		{"it fails", 0, func() error { return stop }, stop},
		{"the press fails, and may have gone through", 1, func() error { return nil }, ErrRecorded},
	} {
		r := &Recorder{FailAt: row.failAt}
		if err := Hold(r, Left, row.do); !errors.Is(err, row.want) {
			t.Errorf("%s: %v, want %v", row.why, err, row.want)
		}
		if ev := r.Events(); r.Down() || len(ev) != 2 || ev[1].Op != Release {
			t.Errorf("%s: %v, want a press and a release", row.why, ev)
		}
	}
	r := &Recorder{}
	func() {
		defer func() { _ = recover() }()
		_ = Hold(r, Left, func() error { panic("index 9") })
	}()
	if r.Down() {
		t.Error("after a panic the button is down")
	}
}

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

// loose is a Recorder as a Device.
type loose struct {
	Device
	notes Recorder
}

func (l *loose) Press(b Button) error   { return l.notes.Press(b) }
func (l *loose) Release(b Button) error { return l.notes.Release(b) }

// late is a Device of a system that does what it was asked when it comes to it.
type late struct {
	loose
	done chan struct{}
}

func (l *late) mark() (uint32, error) { return 7, nil }

func (l *late) gone(mark uint32) (<-chan struct{}, error) {
	if mark != 7 {
		return nil, errors.New("another's mark")
	}
	return l.done, nil
}

// TestGuard has a device tell of its buttons up to an event, as a process does that is killed
// then, and looks what the guardian does.
func TestGuard(t *testing.T) {
	for _, row := range []struct {
		why  string
		do   func(Device) error
		want []Event
	}{
		{"nothing was pressed", func(Device) error { return nil }, nil},
		{"all came up", func(d Device) error { return errors.Join(d.Press(Left), d.Release(Left)) }, nil},
		{"one is down", func(d Device) error { return d.Press(Left) }, []Event{{Op: Release, Button: Left}}},
		{"one came up, one is down", func(d Device) error { return errors.Join(d.Press(Left), d.Press(Right), d.Release(Left)) },
			[]Event{{Op: Release, Button: Right}}},
	} {
		killed := func(d Device) io.Reader {
			var told bytes.Buffer
			g, err := Guarded(t.Context(), d, &told)
			if err == nil {
				err = row.do(g)
			}
			solvetest.OK(t, err)
			return &told
		}
		ready := 0
		there := func() error { ready++; return nil }
		var mouse loose
		err := Guard(killed(&loose{}), &mouse, there)
		if got := mouse.notes.Events(); err != nil || !slices.Equal(got, row.want) || ready != 1 {
			t.Errorf("%s: the guardian did %v, %v, and was there %d times; want %v, once", row.why, got, err, ready, row.want)
		}
		// Where the killed one's last press is yet to come, it releases when that has come.
		synctest.Test(t, func(t *testing.T) {
			mouse := late{done: make(chan struct{})}
			over := make(chan error, 1)
			go func() { over <- Guard(killed(&late{}), &mouse, there) }()
			synctest.Wait()
			if got := mouse.notes.Events(); !slices.Equal(got, row.want) {
				t.Errorf("%s: before the system is done the guardian did %v, want %v", row.why, got, row.want)
			}
			close(mouse.done)
			err := <-over
			if got, want := mouse.notes.Events(), slices.Repeat(row.want, 2); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: the guardian did %v, %v; want %v", row.why, got, err, want)
			}
		})
	}
}

// TestGuardedEnds holds a button when the context ends, and does not release it.
func TestGuardedEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		var d loose
		g, err := Guarded(ctx, &d, io.Discard)
		if err == nil {
			err = g.Press(Left)
		}
		solvetest.OK(t, err)
		why := errors.New("enough")
		cancel(why)
		solvetest.Fine(t, g.Press(Right), "while a line is taken back")
		synctest.Wait()
		if !d.notes.Down() {
			t.Error("nothing is down already")
		}
		time.Sleep(endedPatience)
		synctest.Wait()
		if err := g.Press(Left); d.notes.Down() || err != why {
			t.Errorf("down: %t; a press gives %v, want %v", d.notes.Down(), err, why)
		}
	})
}

// TestGuardianGone presses nothing once nobody would release it.
func TestGuardianGone(t *testing.T) {
	read, write := io.Pipe()
	go func() { _, _ = io.CopyN(io.Discard, read, 4); read.Close() }()
	var d loose
	g := solvetest.Must(Guarded(t.Context(), &d, write))(t)
	if err := g.Press(Left); err == nil || d.notes.Down() {
		t.Errorf("a press without a guardian: %v, down: %t", err, d.notes.Down())
	}
}

// Every pixel of a desktop is hit, wherever its screens are.
func TestAbsolute(t *testing.T) {
	for _, row := range []struct {
		why     string
		desktop image.Rectangle
	}{
		{"one screen", image.Rect(0, 0, 1920, 1080)},
		{"a second one to the right", image.Rect(0, 0, 4480, 1440)},
		{"a second one to the left and higher", image.Rect(-2560, -360, 1920, 1080)},
		{"three large ones", image.Rect(-3840, 0, 7680, 2160)},
		{"a width that divides nothing", image.Rect(0, 0, 1366, 768)},
		{"the largest desktop", image.Rect(-32768, -32768, 32767, 32767)},
	} {
		for x := row.desktop.Min.X; x < row.desktop.Max.X; x++ {
			at := image.Pt(x, row.desktop.Min.Y+(x-row.desktop.Min.X)%row.desktop.Dy())
			sentX, sentY := absolute(at, row.desktop)
			// What the system makes of it, as Wine's SendInput does.
			got := image.Pt(sentX*row.desktop.Dx()>>16, sentY*row.desktop.Dy()>>16).Add(row.desktop.Min)
			if got != at {
				t.Errorf("%s: told to go to %v it goes to %v", row.why, at, got)
				break
			}
		}
	}
}

// The pointer's acceleration is off while steps are sent, and back afterwards,
// also when the process dies before it could put it back.
func TestAcceleration(t *testing.T) {
	now := acceleration{6, 10, 1}
	dead := true
	note := filepath.Join(t.TempDir(), "onlooker", "acceleration")
	open := func() *flattener {
		return &flattener{
			get:   func() (acceleration, error) { return now, nil },
			set:   func(a acceleration) error { now = a; return nil },
			alive: func(pid int) bool { return pid == os.Getpid() && !dead },
			note:  note,
		}
	}
	check := func(when string, err error, want acceleration, noted bool) {
		t.Helper()
		_, missing := os.Stat(note)
		if err != nil || now != want || (missing == nil) != noted {
			t.Errorf("%s: %v, %v, note: %v; want %v and a note: %v", when, now, err, missing, want, noted)
		}
	}
	f := open()
	check("opened", f.mend(), acceleration{6, 10, 1}, false)
	check("closed before any step", f.restore(), acceleration{6, 10, 1}, false)
	check("at the first step", f.flatten(), acceleration{}, true)
	check("at the second", f.flatten(), acceleration{}, true)
	check("closed", f.restore(), acceleration{6, 10, 1}, false)

	check("at a step of one that will die", open().flatten(), acceleration{}, true)
	dead = false
	check("opened beside it", open().mend(), acceleration{}, true)
	dead = true
	check("opened after it died", open().mend(), acceleration{6, 10, 1}, false)

	solvetest.OK(t, os.WriteFile(note, []byte("12 6"), 0o644))
	check("opened with a note cut short", open().mend(), acceleration{6, 10, 1}, false)

	now = acceleration{6, 10, 0}
	f = open()
	check("where it is off", f.flatten(), acceleration{6, 10, 0}, false)
	check("where it was off", f.restore(), acceleration{6, 10, 0}, false)

	now = acceleration{6, 10, 1}
	broken := errors.New("refused")
	f = open()
	f.set = func(acceleration) error { return broken }
	if err := f.flatten(); !errors.Is(err, broken) {
		t.Errorf("a system that refuses: got %v, want %v", err, broken)
	}
}
