package witnesstest

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"onlooker/solve/solvetest"
)

// Clock is the time by which panels are measured and ended: the process's processor
// time, since others may use the machine too, and with ONLOOKER_IDLE=1, which says
// that nobody does, time itself. Solve lets two turns run side by side, so that it
// may take half as much of that.
func Clock() time.Duration {
	if os.Getenv("ONLOOKER_IDLE") != "" {
		return time.Since(started)
	}
	return solvetest.ProcessorTime()
}

var started = time.Now()

// Within is a context that ends when the clock has gone on for so long.
func Within(most time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	until := Clock() + most
	go func() {
		for ctx.Err() == nil && Clock() < until {
			time.Sleep(20 * time.Millisecond)
		}
		cancel()
	}()
	return ctx, cancel
}

// Shared is a file of the folder of material beside the repository, which not
// every machine has.
func Shared(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(solvetest.Shared(name))
	if err != nil {
		t.Skipf("no shared material: %v", err)
	}
	return data
}

// Corpus is the links of both collections, named as verdicts.jsonl names them.
func Corpus(t testing.TB) (names, links []string) {
	for _, c := range []string{"witness", "windmill"} {
		for i, line := range strings.Split(string(Shared(t, "witness/"+c+"_puzzles.txt")), "\n") {
			if line = strings.TrimRight(line, "\r"); line != "" {
				names = append(names, fmt.Sprintf("%s:%d", c, i+1))
				links = append(links, line)
			}
		}
	}
	return names, links
}
