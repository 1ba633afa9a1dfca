//go:build !unix

package witness

import "time"

var processStart = time.Now()

// processorTime is the time that has passed, where that of the processor is
// not to be had.
func processorTime() time.Duration { return time.Since(processStart) }
