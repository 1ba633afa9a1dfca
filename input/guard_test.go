package input

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"
)

// loose is a Recorder as a Device.
type loose struct {
	Device
	notes Recorder
}

func (l *loose) Press(b Button) error   { return l.notes.Press(b) }
func (l *loose) Release(b Button) error { return l.notes.Release(b) }

// TestGuard has a device tell of its buttons up to an event, as a process does that is killed
// then, and looks what the guardian does.
func TestGuard(t *testing.T) {
	for _, row := range []struct {
		why  string
		do   func(Device) error
		want []Event // three times
	}{
		{"nothing was pressed", func(Device) error { return nil }, nil},
		{"all came up", func(d Device) error { return errors.Join(d.Press(Left), d.Release(Left)) }, nil},
		{"one is down", func(d Device) error { return d.Press(Left) }, []Event{{Op: Release, Button: Left}}},
		{"one came up, one is down", func(d Device) error { return errors.Join(d.Press(Left), d.Press(Right), d.Release(Left)) },
			[]Event{{Op: Release, Button: Right}}},
	} {
		var told bytes.Buffer
		if err := row.do(Guarded(&loose{}, &told)); err != nil {
			t.Fatal(err)
		}
		var mouse Recorder
		opened := 0
		err := Guard(&told, func() (Mouse, error) { opened++; return &mouse, nil })
		want := slices.Repeat(row.want, 3)
		if got := mouse.Events(); err != nil || !slices.Equal(got, want) || opened != min(1, len(want)) {
			t.Errorf("%s: the guardian did %v, %v, and opened a mouse %d times; want %v", row.why, got, err, opened, want)
		}
	}
}

// TestGuardianGone presses nothing once nobody would release it.
func TestGuardianGone(t *testing.T) {
	read, write := io.Pipe()
	read.Close()
	var d loose
	if err := Guarded(&d, write).Press(Left); err == nil || d.notes.Down() {
		t.Errorf("a press without a guardian: %v, down: %t", err, d.notes.Down())
	}
}
