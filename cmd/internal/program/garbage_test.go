package program

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// Little that is alive leaves room for much garbage, much that is alive is collected
// as always, and what GOGC says stays.
func TestLeaveGarbage(t *testing.T) {
	percent := func() int {
		now := debug.SetGCPercent(100)
		debug.SetGCPercent(now)
		return now
	}
	t.Setenv("GOGC", "")
	before := percent()
	stop := LeaveGarbage()
	if got := percent(); got < 200 {
		t.Errorf("with little alive: %d %%, want 200 or more", got)
	}
	held := make([]byte, 2*leastGarbage)
	for i := 0; percent() != 100; i++ {
		if i == 1000 {
			t.Errorf("with %d MiB alive: %d %%, want 100", len(held)>>20, percent())
			break
		}
		runtime.GC() // it is told of by another goroutine
	}
	runtime.KeepAlive(held)
	stop()
	if got := percent(); got != before {
		t.Errorf("afterwards %d %%, want %d", got, before)
	}
	t.Setenv("GOGC", "70")
	defer LeaveGarbage()()
	if got := percent(); got != before {
		t.Errorf("with GOGC set: %d %%, want %d as it was", got, before)
	}
}
