//go:build linux

package main

import (
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"onlooker/capture"
	"onlooker/cmd/internal/dev/showcase"
	"onlooker/input"
	"onlooker/solve/solvetest"
)

// TestXWayland: in a Wayland session the window of an X program is read from its
// own picture, the root window having none, and the pointer is moved there.
func TestXWayland(t *testing.T) {
	display := startWeston(t)
	w := solvetest.Must(showcase.OpenWindow(display, "Panel", image.Rect(0, 0, 800, 600)))(t)
	defer w.Close()
	solvetest.OK(t, w.Show(scene(t, "maze-3", 800, 600, 1)))
	watch := begin(t, "", "watch", "--json", "--window", "Panel")
	watch.until(solvedLine, 1)
	watch.stopped()

	mouse := solvetest.Must(input.Open(display))(t)
	defer mouse.Close()
	solvetest.OK(t, mouse.MoveTo(image.Pt(300, 200)))
	solvetest.OK(t, mouse.MoveBy(40, -30))
	if at, err := mouse.Pointer(); err != nil || at != image.Pt(340, 170) {
		t.Errorf("the pointer is at %v, %v; want (340,170)", at, err)
	}
}

// TestXWaylandEnters: in a Wayland session a board in the window of an X program
// is read, and its answer entered there.
func TestXWaylandEnters(t *testing.T) {
	game := newFlip(t)
	startWeston(t)
	game.start(t, "4x4c#1", "GDK_BACKEND=x11")
	defer game.stop()
	waitFor(t, "no window is there", func() bool {
		source, err := capture.Open(t.Context(), capture.Target{Window: "Flip"})
		if err == nil {
			game.source = source
		}
		return err == nil
	})
	defer game.source.Close()
	waitFor(t, "no board is shown", func() bool { return game.count(t, game.dark) > 500 })
	out, said, status := onlooker(t, "", "watch", "--window", "Flip", "--drive", "--yes", "--no-store", "--solves", "1", "--goal", "on", "--profile", "switches-cells")
	if status != 0 || !game.won(t) {
		t.Errorf("status %d, %d dark pixels are left, %d lit: %s%s", status, game.count(t, game.dark), game.count(t, game.lit), out, said)
	}
}

// startWeston starts a Wayland compositor that nobody sees, with X windows in
// it, makes that the session, and returns its DISPLAY.
func startWeston(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"weston", "Xwayland"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed", name)
		}
	}
	folder := t.TempDir()
	t.Setenv("XDG_RUNTIME_DIR", folder)
	solvetest.OK(t, os.Chmod(folder, 0o700))
	log := filepath.Join(folder, "log")
	weston := exec.CommandContext(t.Context(), "weston", "--backend=headless-backend.so", "--xwayland", "--idle-time=0", "--socket=onlooker-test", "--log="+log)
	weston.Cancel = func() error { return weston.Process.Signal(os.Interrupt) }
	weston.WaitDelay = 5 * time.Second
	solvetest.OK(t, weston.Start())
	t.Cleanup(func() {
		_ = weston.Process.Signal(os.Interrupt)
		_ = weston.Wait() // by the signal
	})
	listening := regexp.MustCompile(`xserver listening on display (:\d+)`)
	for began := time.Now(); time.Since(began) < 20*time.Second; time.Sleep(50 * time.Millisecond) {
		told, err := os.ReadFile(log)
		if found := listening.FindSubmatch(told); err == nil && found != nil {
			t.Setenv("DISPLAY", string(found[1]))
			t.Setenv("XDG_SESSION_TYPE", "wayland")
			return string(found[1])
		}
	}
	told, _ := os.ReadFile(log)
	t.Fatalf("weston names no display: %s", told)
	return ""
}
