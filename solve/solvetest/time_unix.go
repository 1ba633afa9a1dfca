//go:build unix

package solvetest

import (
	"syscall"
	"time"
)

// ProcessorTime is what this process has used of it, all threads together:
// unlike the time that passes it is about the same on a busy machine.
func ProcessorTime() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
