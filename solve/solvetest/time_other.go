//go:build !unix

package solvetest

import "time"

var processStart = time.Now()

// ProcessorTime is the time that has passed, where that of the processor is
// not to be had.
func ProcessorTime() time.Duration { return time.Since(processStart) }
