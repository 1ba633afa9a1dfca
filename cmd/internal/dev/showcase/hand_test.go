//go:build linux || freebsd || netbsd || openbsd

package showcase_test

import (
	"image"
	"testing"

	"onlooker/cmd/internal/dev/showcase"
	"onlooker/input"
	"onlooker/solve/solvetest"
)

// TestTouched moves the pointer in every way that programs have, and then by
// the display's own mouse.
func TestTouched(t *testing.T) {
	showcase.TestDisplay(t, 800, 600)
	device := solvetest.Must(input.Open(""))(t)
	defer device.Close()
	for _, row := range []struct {
		why  string
		move func() error
		want bool
	}{
		{"nothing yet", func() error { return nil }, false},
		{"relative motion of ours", func() error { return device.MoveBy(30, 10) }, false},
		{"absolute motion of ours", func() error { return device.MoveTo(image.Pt(100, 90)) }, false},
		{"a hand", func() error { return showcase.Push("", 3, 0) }, true},
		{"nobody", func() error { return nil }, false},
		{"ours after a hand's", func() error { return device.MoveBy(-5, 40) }, false},
		{"a hand's after ours", func() error { return showcase.Push("", 0, -1) }, true},
	} {
		before := solvetest.Must(device.Pointer())(t)
		if err := row.move(); err != nil {
			t.Fatalf("%s: %v", row.why, err)
		}
		got, err := device.Touched()
		if err != nil || got != row.want {
			t.Errorf("%s: touched %t (%v), want %t", row.why, got, err, row.want)
		}
		if after, err := device.Pointer(); row.want && after == before {
			t.Errorf("%s: the pointer stays at %v (%v)", row.why, after, err)
		}
	}
}
