//go:build linux

package main

import (
	"context"
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"onlooker/cmd/internal/showcase"
	"onlooker/input"
)

// TestXWayland: in a Wayland session the window of an X program is read from its
// own picture, the root window having none, and the pointer is moved there.
func TestXWayland(t *testing.T) {
	for _, name := range []string{"weston", "Xwayland"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed", name)
		}
	}
	display := startWeston(t)
	t.Setenv("DISPLAY", display)
	t.Setenv("XDG_SESSION_TYPE", "wayland")
	w, err := showcase.OpenWindow(display, "Panel", image.Rect(0, 0, 800, 600))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := w.Show(scene(t, "maze-3", 800, 600, 1)); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var out, errOut watched
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"watch", "--json", "--window", "Panel"}, strings.NewReader(""), &out, &errOut)
	}()
	solved := func() bool { return strings.Contains(strings.Join(out.lines(), "\n"), `"status":"solved"`) }
	for began := time.Now(); !solved() && time.Since(began) < 30*time.Second; time.Sleep(20 * time.Millisecond) {
	}
	stop()
	<-ended
	if !solved() {
		t.Errorf("watch printed %q, %v; want the panel solved", out.lines(), errOut.lines())
	}

	mouse, err := input.Open(display)
	if err != nil {
		t.Fatal(err)
	}
	defer mouse.Close()
	if err := mouse.MoveTo(image.Pt(300, 200)); err != nil {
		t.Fatal(err)
	}
	if err := mouse.MoveBy(40, -30); err != nil {
		t.Fatal(err)
	}
	if at, err := mouse.Pointer(); err != nil || at != image.Pt(340, 170) {
		t.Errorf("the pointer is at %v, %v; want (340,170)", at, err)
	}
}

// startWeston starts a Wayland compositor that nobody sees, with X windows in
// it, and returns its DISPLAY.
func startWeston(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	t.Setenv("XDG_RUNTIME_DIR", folder)
	if err := os.Chmod(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(folder, "log")
	weston := exec.CommandContext(t.Context(), "weston", "--backend=headless-backend.so", "--xwayland", "--idle-time=0", "--socket=onlooker-test", "--log="+log)
	weston.Cancel = func() error { return weston.Process.Signal(os.Interrupt) }
	weston.WaitDelay = 5 * time.Second
	if err := weston.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = weston.Process.Signal(os.Interrupt)
		_ = weston.Wait() // by the signal
	})
	listening := regexp.MustCompile(`xserver listening on display (:\d+)`)
	for began := time.Now(); time.Since(began) < 20*time.Second; time.Sleep(50 * time.Millisecond) {
		told, err := os.ReadFile(log)
		if found := listening.FindSubmatch(told); err == nil && found != nil {
			return fmt.Sprint(string(found[1]))
		}
	}
	told, _ := os.ReadFile(log)
	t.Fatalf("weston names no display: %s", told)
	return ""
}
