package input

import (
	"errors"
	"image"
	"os"
	"path/filepath"
	"testing"
)

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

	if err := os.WriteFile(note, []byte("12 6"), 0o644); err != nil {
		t.Fatal(err)
	}
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
