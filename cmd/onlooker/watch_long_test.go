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

	"onlooker/cmd/internal/dev/showcase"
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
