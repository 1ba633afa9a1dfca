package program

import (
	"context"
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync/atomic"

	"onlooker/solve/limits"
)

// A MemorySize is a number of bytes on the command line.
type MemorySize int64

const (
	defaultMemory MemorySize = 2 << 30
	// leastMemory is what the program takes before it has a puzzle, and some
	// more.
	leastMemory MemorySize = 64 << 20
)

// sizeUnits are the units of a size, larger ones first.
var sizeUnits = [...]struct {
	name  string
	bytes MemorySize
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3}, {"G", 1 << 30}, {"M", 1 << 20}, {"K", 1 << 10}, {"B", 1}, {"", 1}}

// String, Set and Type make it a flag.
func (m *MemorySize) String() string {
	for _, u := range sizeUnits[:3] {
		if *m%u.bytes == 0 {
			return fmt.Sprintf("%d%s", *m/u.bytes, u.name)
		}
	}
	return fmt.Sprintf("%dB", int64(*m))
}

func (m *MemorySize) Set(text string) error {
	for _, u := range sizeUnits {
		if len(text) < len(u.name) || !strings.EqualFold(text[len(text)-len(u.name):], u.name) {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(text[:len(text)-len(u.name)]), 64)
		if n *= float64(u.bytes); err != nil || !(n < math.MaxInt64) {
			break
		}
		if n < float64(leastMemory) {
			least := leastMemory
			return fmt.Errorf("want at least %s", &least)
		}
		*m = MemorySize(n)
		return nil
	}
	return fmt.Errorf("want a size, as in 512MiB or 4GiB")
}

func (m *MemorySize) Type() string { return "size" }

// Bound makes a context say how much memory there is, and the runtime collect
// its garbage before limits.Watch takes that for use.
func (m *MemorySize) Bound(ctx context.Context) context.Context {
	debug.SetMemoryLimit(int64(*m) / 4 * 3)
	return limits.WithMemory(ctx, int64(*m))
}

// leastGarbage is how much garbage is left lying at least before it is collected. A
// small puzzle leaves a megabyte or two alive, and the runtime collects when as much
// again is garbage: some hundred times a second while many are solved. The corpora of
// The Witness take 8 % less processor time with this, most puzzles 15 % less, and
// captures are read with 9 % less, in 330 MB of memory instead of 170.
const leastGarbage = 64 << 20

// LeaveGarbage makes the runtime collect no sooner than that, and as always what is
// larger: GOGC, if it is set, stays as it is. stop undoes it.
func LeaveGarbage() (stop func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	const always = 100 // percent of what is alive, as the runtime has it
	var stopped atomic.Bool
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	var percent int
	tune := func() {
		metrics.Read(live)
		want := int(max(always, 100*leastGarbage/max(1<<20, live[0].Value.Uint64())))
		if want != percent {
			percent = want
			debug.SetGCPercent(want)
		}
	}
	// What a collection finds dead tells of it.
	type told struct{ _ *told }
	var arm func(struct{})
	arm = func(struct{}) {
		if !stopped.Load() {
			tune()
			runtime.AddCleanup(new(told), arm, struct{}{})
		}
	}
	arm(struct{}{})
	return func() {
		stopped.Store(true)
		debug.SetGCPercent(always)
	}
}
