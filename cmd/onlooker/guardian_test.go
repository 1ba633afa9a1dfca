//go:build linux

package main

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"onlooker/capture"
	"onlooker/cmd/internal/dev/showcase"
	"onlooker/cmd/internal/program"
	"onlooker/solve/solvetest"
)

// TestNoButtonStaysDown ends the program by every signal while it holds the button: in
// mid-drag on a board of Flow, and in the click that begins a line on a panel.
func TestNoButtonStaysDown(t *testing.T) {
	times := solvetest.More()
	d := showcase.TestDisplay(t, 900, 700)
	w := showcase.TestWindow(t, d, "Board", image.Rect(0, 0, 900, 700))
	file := filepath.Join(t.TempDir(), "flow.png")
	if _, errText, status := onlooker(t, "", "generate", "flow", "--size", "5x5", "--seed", "3", "--no-store", "-o", file); status != 0 {
		t.Fatal(errText)
	}
	board := solvetest.Must(capture.ReadPictureFile(file))(t)
	flow := image.NewRGBA(image.Rect(0, 0, 900, 700))
	draw.Draw(flow, flow.Rect, image.NewUniform(color.RGBA{40, 40, 44, 255}), image.Point{}, draw.Src)
	draw.Draw(flow, board.Rect.Add(image.Pt(250, 150)), board, image.Point{}, draw.Src)
	for _, on := range []struct {
		what  string
		frame *image.RGBA
	}{{"drag", flow}, {"trace", scene(t, "maze-3", 900, 700, 1)}} {
		solvetest.OK(t, w.Show(on.frame))
		for _, signals := range [][]syscall.Signal{{syscall.SIGINT}, {syscall.SIGTERM}, {syscall.SIGHUP}, {syscall.SIGQUIT}, {syscall.SIGABRT},
			{syscall.SIGKILL}, {syscall.SIGSTOP, syscall.SIGKILL}} {
			t.Run(fmt.Sprint(on.what, signals), func(t *testing.T) {
				if slices.Contains(signals, syscall.SIGHUP) && signal.Ignored(syscall.SIGHUP) {
					t.Skip("the tests were started so that a hangup is ignored")
				}
				var slowest time.Duration
				for range times {
					slowest = max(slowest, released(t, on.what, d.Name, signals))
				}
				t.Logf("%d of %d times up, after %v at the most", times, times, slowest.Round(time.Millisecond))
			})
		}
	}
}

// released starts the program, sends it signals while it holds the button, and tells how
// long the button stays down after the last.
func released(t *testing.T, what, display string, signals []syscall.Signal) time.Duration {
	t.Helper()
	held := func() bool {
		is := solvetest.Must(showcase.Held(display))(t)
		return is
	}
	if held() {
		t.Fatal("a button is down before a program was started")
	}
	var said watched
	c := exec.CommandContext(t.Context(), os.Args[0], "watch", "--drive", "--yes", "--no-store", "--verbose")
	c.Env = append(os.Environ(), asProgram+"=1")
	c.Stderr = &said
	solvetest.OK(t, c.Start())
	for began := time.Now(); !held(); time.Sleep(time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatalf("%s: no button goes down; it says %s", what, said.String())
		}
	}
	for i, s := range signals {
		if i > 0 {
			time.Sleep(50 * time.Millisecond)
		}
		solvetest.OK(t, c.Process.Signal(s))
	}
	most, sent := 500*time.Millisecond, time.Now()
	if slices.Contains(signals, syscall.SIGKILL) {
		most = time.Second
	}
	for held() && time.Since(sent) < 5*time.Second {
		time.Sleep(time.Millisecond)
	}
	took := time.Since(sent)
	if took > most {
		t.Errorf("%s, %v: a button stays down for %v, want at most %v", what, signals, took, most)
	}
	_ = c.Wait() // by the signal or not
	// The guardian goes with it, after its last release.
	for began := time.Now(); children(t, display) != "" && time.Since(began) < 5*time.Second; time.Sleep(10 * time.Millisecond) {
	}
	if held() {
		// What it holds would be held in every run after this one.
		t.Fatalf("%s, %v: a button is down; it said %s", what, signals, said.String())
	}
	if left := children(t, display); left != "" {
		t.Errorf("%s, %v: a guardian is left: %s", what, signals, left)
	}
	return took
}

// children lists the guardians on a display.
func children(t *testing.T, display string) string {
	t.Helper()
	var all []string
	files := solvetest.Must(filepath.Glob("/proc/[0-9]*/cmdline"))(t)
	for _, name := range files {
		line, _ := os.ReadFile(name) // a process may have gone meanwhile
		environ, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "environ"))
		if strings.HasPrefix(string(line), program.GuardianName) && slices.Contains(strings.Split(string(environ), "\x00"), "DISPLAY="+display) {
			all = append(all, name)
		}
	}
	return strings.Join(all, " ")
}
