//go:build linux

package main

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"onlooker/capture"
	"onlooker/cmd/internal/dev/showcase"
	"onlooker/cmd/internal/program"
	"onlooker/input"
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
		return solvetest.Must(showcase.Held(display))(t)
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
	solvetest.Same(t, children(t, display), "", "%s, %v: a guardian is left", what, signals)
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

// TestWatchForLong runs watch, as a program of its own, before a screen of
// 1920×1080 that shows one panel for a third of the time, then a new one every
// two seconds, then one again, and says what share of a processor it takes and
// how much memory it holds, each half minute. ONLOOKER_MORE is how many minutes:
//
//	ONLOOKER_MORE=60 go test ./cmd/onlooker -run WatchForLong -v -timeout 2h
func TestWatchForLong(t *testing.T) {
	length := time.Duration(solvetest.More()) * time.Minute
	if solvetest.More() == 1 {
		t.Skip("runs for as many minutes as ONLOOKER_MORE says")
	}
	program := filepath.Join(t.TempDir(), "onlooker")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	d := showcase.TestDisplay(t, 1920, 1080)
	w := showcase.TestWindow(t, d, "frames", image.Rect(0, 0, 1920, 1080))
	kinds := []string{"maze-3", "maze-7", "squares", "polyominoes", "stars", "symmetry", "triple-2", "triple-3", "triangles-8"}
	show := func(n int) {
		solvetest.OK(t, w.Show(scene(t, kinds[n%len(kinds)], 1920, 1080, uint64(n))))
	}
	show(0)
	var out, errOut watched
	c := exec.CommandContext(t.Context(), program, "watch", "--json")
	c.Env = append(os.Environ(), "XDG_CACHE_HOME="+t.TempDir())
	c.Stdout, c.Stderr = &out, &errOut
	solvetest.OK(t, c.Start())
	time.Sleep(10 * time.Second) // to begin, and to answer the first
	begun, shown := time.Now(), 1
	var stillMost float64
	var held []int64 // of each half minute
	for time.Since(begun) < length {
		from, used := time.Now(), processorTime(t, c.Process.Pid)
		changing := time.Since(begun) > length/3 && time.Since(begun) < 2*length/3
		for time.Since(from) < 30*time.Second {
			if changing {
				show(shown)
				shown++
			}
			time.Sleep(2 * time.Second)
		}
		share := 100 * (processorTime(t, c.Process.Pid) - used).Seconds() / time.Since(from).Seconds()
		held = append(held, memoryOf(t, c.Process.Pid, "VmRSS"))
		state := "still"
		if changing {
			state = "changing"
		} else {
			stillMost = max(stillMost, share)
		}
		fmt.Printf("%6.1f min, %-8s %5.1f %% of a core, %4d MB\n", time.Since(begun).Minutes(), state, share, held[len(held)-1]>>20)
	}
	if err := errors.Join(c.Process.Signal(os.Interrupt), c.Wait()); err != nil {
		t.Errorf("watch: %v: %v", err, errOut.String())
	}
	solved := strings.Count(out.String(), solvedLine)
	t.Logf("%d panels shown, %d answers; while still at most %.1f %% of a core", shown, solved, stillMost)
	if solved < shown/2 {
		t.Errorf("%d answers to %d panels shown, want one for most", solved, shown)
	}
	if stillMost > 50 {
		t.Errorf("%.1f %% of a core while nothing changes, want under 50", stillMost)
	}
	// It may grow while it meets new panels, and then stays.
	if n := len(held); n >= 9 && held[n-1] > held[2*n/3]*5/4 {
		t.Errorf("%d bytes held at the end, %d when the screen stopped to change", held[n-1], held[2*n/3])
	}
}

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
