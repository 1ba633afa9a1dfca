//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"context"
	"image"
	"strings"
	"testing"
	"time"

	"onlooker/cmd/internal/dev/showcase"
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
	ctx, stop := context.WithCancel(t.Context())
	var out, errOut watched
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"watch", "--no-store", "--window", "the panels"}, strings.NewReader(""), &out, &errOut)
	}()
	until := func(why, want string, times int) {
		t.Helper()
		for begun := time.Now(); time.Since(begun) < 60*time.Second; time.Sleep(20 * time.Millisecond) {
			if strings.Count(out.String()+errOut.String(), want) >= times {
				return
			}
		}
		t.Fatalf("%s: %q is not said %d times: %s%s", why, want, times, out.String(), errOut.String())
	}
	until("late", `waiting for the window "the panels"`, 1)
	at := image.Rect(0, 0, 1280, 720)
	w := showcase.TestWindow(t, d, "The Panels", at)
	show := func(m *image.RGBA) {
		t.Helper()
		if err := w.Show(m); err != nil {
			t.Fatal(err)
		}
	}
	black := image.NewRGBA(at)
	for i := 3; i < len(black.Pix); i += 4 {
		black.Pix[i] = 255
	}
	show(black)
	until("black", "black picture: ", 1)
	show(scene(t, "maze-3", 1280, 720, 1))
	until("a panel", "solved", 1)
	w.Close()
	until("closed", `waiting for the window "the panels"`, 2)
	w = showcase.TestWindow(t, d, "The Panels", at)
	grey := image.NewRGBA(at)
	for i := range grey.Pix {
		grey.Pix[i] = 90
	}
	show(grey)
	show(scene(t, "triangles-6", 1280, 720, 3))
	until("opened again", "solved", 2)
	stop()
	if status := <-ended; status != 0 {
		t.Errorf("status %d after it was stopped: %s", status, errOut.String())
	}
}
