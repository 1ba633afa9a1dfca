package main

import (
	"path/filepath"
	"testing"

	"onlooker/cmd/internal/cli"
	"onlooker/solve/solvetest"
)

// TestWatchFolder answers a screenshot that appears.
func TestWatchFolder(t *testing.T) {
	dir := t.TempDir()
	watch := begin(t, "", "watch", "--no-store", "--folder", dir)
	watch.until("waiting for new pictures", 1)
	solvetest.OK(t, cli.WritePicture(filepath.Join(dir, "shot.png"), scene(t, "maze-3", 800, 600, 1)))
	watch.until("shot.png, witness, 3×3: solved", 1)
	watch.stopped()
}
