package input

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"onlooker/solve/solvetest"
)

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
		if err := g.Press(Right); err != nil {
			t.Errorf("while a line is taken back: %v", err)
		}
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
