//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"image"
	"image/color"
	"image/draw"
	"strings"
	"testing"

	"onlooker/cmd/internal/dev/showcase"
	"onlooker/solve/solvetest"
)

// TestWatchNowhere: where there is no display the message says so, and what helps, in words that
// are not a library's.
func TestWatchNowhere(t *testing.T) {
	t.Setenv("XDG_SESSION_TYPE", "x11")
	for _, row := range []struct{ display, want string }{
		{"", "no display: DISPLAY is not set; onlooker doctor says what to do"},
		{":12345", "no display: no X server answers at :12345, which DISPLAY names; onlooker doctor says what to do"},
	} {
		t.Setenv("DISPLAY", row.display)
		for _, args := range [][]string{{"watch"}, {"watch", "--overlay"}, {"watch", "--drive", "--yes"}, {"doctor"}} {
			status, out, errOut := says(t, args...)
			said := out + errOut
			if status != 1 || args[0] == "watch" && !strings.Contains(said, row.want) {
				t.Errorf("DISPLAY=%s %v: status %d, %s, want %q", row.display, args, status, said, row.want)
			}
			for _, word := range []string{"dial unix", "connect:", "empty display", "display string", `X display "`} {
				if strings.Contains(said, word) {
					t.Errorf("DISPLAY=%s %v says %q", row.display, args, word)
				}
			}
		}
	}
}

// TestWatchWaits watches a window that comes late, shows nothing, then black, then a
// panel, is closed and opened again: what is seen is said as it changes, and each panel is
// answered once.
func TestWatchWaits(t *testing.T) {
	d := showcase.TestDisplay(t, 1280, 720)
	watch := begin(t, "", "watch", "--no-store", "--window", "the panels")
	watch.until(`waiting for the window "the panels"`, 1)
	at := image.Rect(0, 0, 1280, 720)
	w := showcase.TestWindow(t, d, "The Panels", at)
	show := func(m *image.RGBA) { solvetest.OK(t, w.Show(m)) }
	black, grey := image.NewRGBA(at), image.NewRGBA(at)
	draw.Draw(black, at, image.Black, image.Point{}, draw.Src)
	draw.Draw(grey, at, image.NewUniform(color.Gray{90}), image.Point{}, draw.Src)
	show(black)
	watch.until("black picture: ", 1)
	show(scene(t, "maze-3", 1280, 720, 1))
	watch.until("solved", 1)
	w.Close()
	watch.until(`waiting for the window "the panels"`, 2)
	w = showcase.TestWindow(t, d, "The Panels", at)
	show(grey)
	show(scene(t, "triangles-6", 1280, 720, 3))
	watch.until("solved", 2)
	watch.stopped()
}
