//go:build linux || freebsd || netbsd || openbsd

// Package showtest gives tests a display of their own, and windows on it.
package showtest

import (
	"errors"
	"image"
	"testing"

	"onlooker/cmd/internal/dev/showcase"
)

// Display starts a display of our own, until the test ends, and makes it the one that is
// looked at. Without an X server the test is skipped.
func Display(t testing.TB, width, height int) *showcase.Display {
	t.Helper()
	d, err := showcase.StartDisplay(t.Context(), width, height)
	if errors.Is(err, showcase.ErrNoServer) {
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

// Window opens a window on a display, until the test ends.
func Window(t testing.TB, d *showcase.Display, title string, at image.Rectangle) *showcase.Window {
	t.Helper()
	w, err := showcase.OpenWindow(d.Name, title, at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}
