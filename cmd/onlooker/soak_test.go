//go:build linux

package main

import (
	"fmt"
	"image"
	"os"
	"runtime"
	"runtime/pprof"
	"strconv"
	"testing"
	"time"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/games"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/program"
)

// A footprint is what a process holds on to.
type footprint struct {
	heap, resident float64 // megabytes
	mats           int     // OpenCV's matrices, with the tag matprofile
}

func (f footprint) String() string {
	return fmt.Sprintf("%.1f MB of heap, %.0f MB resident, %d matrices", f.heap, f.resident, f.mats)
}

func footprintNow(t *testing.T) (f footprint) {
	t.Helper()
	runtime.GC()
	runtime.GC() // what finalizers let go in the first
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	f.heap = float64(m.HeapAlloc) / (1 << 20)
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	var size, resident int
	if _, err := fmt.Sscan(string(data), &size, &resident); err != nil {
		t.Fatal(err)
	}
	f.resident = float64(resident*os.Getpagesize()) / (1 << 20)
	if p := pprof.Lookup("gocv.io/x/gocv.Mat"); p != nil {
		f.mats = p.Count()
	}
	return f
}

// TestSoak looks at as many frames as ONLOOKER_SOAK says, none of which is like the one before,
// some with all looks, and wants no more memory at the end than after a tenth of them.
func TestSoak(t *testing.T) {
	frames, _ := strconv.Atoi(os.Getenv("ONLOOKER_SOAK"))
	if frames < 100 {
		t.Skip("set ONLOOKER_SOAK to how many frames, 100 at least: 10000 take some minutes")
	}
	defer program.LeaveGarbage()()
	eye, err := (&intake.Games{List: games.Of()}).Eye("auto")
	if err != nil {
		t.Fatal(err)
	}
	o := &see.Observer{Eye: eye}
	for _, p := range eye.Profiles {
		if p.Name == "witness-challenge" {
			o.TryFirst(p)
		}
	}
	kinds := []string{"maze-3", "squares", "polyominoes", "stars", "symmetry", "column-maze", "maze-7", "triple-2", "triangles-6"}
	var scenes []*image.RGBA
	for i := range 10 * len(kinds) {
		scenes = append(scenes, scene(t, kinds[i%len(kinds)], 640, 360, uint64(i)))
	}
	read := 0
	var first footprint
	for i := range frames {
		turn := o.Observe(t.Context(), see.View{Frame: scenes[i%len(scenes)], At: time.Now(), Whole: i%50 == 49})
		for _, b := range turn.Boards {
			if b.Puzzle != nil {
				read++
			}
		}
		if (i+1)%(frames/10) != 0 {
			continue
		}
		now := footprintNow(t)
		t.Logf("after %d frames, %d boards read: %v", i+1, read, now)
		switch {
		case i+1 == frames/10:
			first = now
		case now.heap > first.heap+10 || now.resident > 1.2*first.resident || now.mats > first.mats:
			t.Errorf("%v, want no more than after the first tenth: %v", now, first)
		}
	}
	if read < frames/2 {
		t.Errorf("%d boards read of %d frames", read, frames)
	}
}
