package main

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"onlooker/cmd/internal/cli"
)

// TestWatchFolder answers a screenshot that appears.
func TestWatchFolder(t *testing.T) {
	dir := t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	var out, errOut watched
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"watch", "--no-store", "--folder", dir}, strings.NewReader(""), &out, &errOut)
	}()
	wait := func(what string, lines func() []string) {
		t.Helper()
		for begun := time.Now(); ; time.Sleep(20 * time.Millisecond) {
			if slices.ContainsFunc(lines(), func(l string) bool { return strings.Contains(l, what) }) {
				return
			}
			if time.Since(begun) > time.Minute {
				t.Fatalf("%q is not said: %v, %v", what, out.lines(), errOut.lines())
			}
		}
	}
	wait("waiting for new pictures", errOut.lines)
	if err := cli.WritePicture(filepath.Join(dir, "shot.png"), scene(t, "maze-3", 800, 600, 1)); err != nil {
		t.Fatal(err)
	}
	wait("shot.png, witness, 3×3: solved", out.lines)
	stop()
	if status := <-ended; status != 0 {
		t.Errorf("it ends with %d", status)
	}
}
