//go:build linux || freebsd || netbsd || openbsd

package showcase

import (
	"errors"
	"image"
	"testing"
)

// TestDisplay starts a display of our own, until the test ends, and makes it the one that is
// looked at. Without an X server the test is skipped.
func TestDisplay(t testing.TB, width, height int) *Display {
	t.Helper()
	d, err := StartDisplay(t.Context(), width, height)
	if errors.Is(err, ErrNoServer) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	t.Setenv("DISPLAY", d.Name)
	t.Setenv("XDG_SESSION_TYPE", "x11")
	return d
}

// TestWindow opens a window on a display, until the test ends.
func TestWindow(t testing.TB, d *Display, title string, at image.Rectangle) *Window {
	t.Helper()
	w, err := OpenWindow(d.Name, title, at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}
