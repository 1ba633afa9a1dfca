package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"onlooker/calibrations"
)

// Files without an end are one line each, wherever one may be named.
func TestFilesWithoutEnd(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no /dev/zero")
	}
	if _, err := readFile("/dev/zero"); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("a truth file: %v", err)
	}
	dir := t.TempDir()
	for _, name := range []string{calibrations.File, keptName} {
		if err := os.Symlink("/dev/zero", filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := calibrations.Load(dir); err == nil || !strings.Contains(err.Error(), "more than 4 MB") {
		t.Errorf("a profile: %v", err)
	}
	if err := takeFlags(nil, dir); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("run.json: %v", err)
	}
}
