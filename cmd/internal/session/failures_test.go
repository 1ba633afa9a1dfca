package session

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"onlooker/solve/solvetest"
)

// TestTrim keeps the newest over all runs.
func TestTrim(t *testing.T) {
	root := t.TempDir()
	for run := range 3 {
		dir := filepath.Join(root, fmt.Sprintf("2026010%d-000000", run+1))
		solvetest.OK(t, os.Mkdir(dir, 0o755))
		for n := range 2 {
			for _, name := range []string{"turn-%04d.json", "frame-%04d.png"} {
				solvetest.OK(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf(name, n+1)), nil, 0o644))
			}
		}
	}
	if taken, err := trim(root, 3); taken != 3 || err != nil {
		t.Fatalf("%d taken, %v, want 3", taken, err)
	}
	left, err := filepath.Glob(filepath.Join(root, "*", "*"))
	if err != nil || len(left) != 6 {
		t.Errorf("%d files are left, %v, want 6: %v", len(left), err, left)
	}
	if isThere(filepath.Join(root, "20260101-000000")) || !isThere(filepath.Join(root, "20260102-000000", "frame-0002.png")) {
		t.Errorf("not the oldest went: %v", left)
	}
}

func isThere(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
