//go:build linux

package main

import (
	"errors"
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"onlooker/capture"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/dev/showcase"
	"onlooker/cmd/internal/games"
	"onlooker/cmd/internal/intake"
	"onlooker/solve/solvetest"
)

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
		t.Errorf("watch: %v: %v", err, errOut.lines())
	}
	solved := strings.Count(strings.Join(out.lines(), "\n"), `"status":"solved"`)
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

// TestMemoryIsFlat looks at frames of 1920×1080, real captures or else drawn
// panels, over and over, and says how much memory the process holds.
// ONLOOKER_MORE is how many hundred:
//
//	ONLOOKER_MORE=100 go test ./cmd/onlooker -run MemoryIsFlat -v -timeout 3h
func TestMemoryIsFlat(t *testing.T) {
	n := 100 * solvetest.More()
	if solvetest.More() == 1 {
		t.Skip("looks at as many hundred frames as ONLOOKER_MORE says")
	}
	var frames []*image.RGBA
	for _, files := range captureClasses(t) {
		for _, file := range files[:min(2, len(files))] {
			frame := solvetest.Must(capture.ReadPictureFile(file))(t)
			frames = append(frames, frame)
		}
	}
	for seed, kind := range []string{"maze-7", "squares", "polyominoes", "symmetry", "triple-2"} {
		frames = append(frames, scene(t, kind, 1920, 1080, uint64(seed)))
	}
	frames = append(frames, image.NewRGBA(image.Rect(0, 0, 1920, 1080))) // nothing to find
	eye := solvetest.Must((&intake.Games{List: games.Of()}).Eye("witness-challenge"))(t)
	var held []int64 // after each tenth
	for i := range n {
		solvetest.Must(eye.Look(frames[i%len(frames)], see.Millis{}))(t)
		if (i+1)%(n/10) == 0 {
			held = append(held, memoryOf(t, os.Getpid(), "VmRSS"))
			fmt.Printf("%6d frames: %d MB\n", i+1, held[len(held)-1]>>20)
		}
	}
	// The first tenth fills the heap; a matrix of 960×540 leaked with each frame
	// would be 5 GB after 10,000.
	if last := held[len(held)-1]; last > held[0]*5/4 {
		t.Errorf("%d bytes held after %d frames, %d after a tenth of them", last, n, held[0])
	}
}
