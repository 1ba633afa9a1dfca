package session

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/program"
	"onlooker/solve/solvetest"
)

// TestFailuresNotInTheWay keeps failing Turns where none can be kept: it is told once.
func TestFailuresNotInTheWay(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	solvetest.OK(t, os.WriteFile(file, nil, 0o600))
	for _, cache := range []string{file, "/dev/full", ""} {
		for _, name := range []string{"XDG_CACHE_HOME", "HOME"} {
			t.Setenv(name, cache)
		}
		var said bytes.Buffer
		l := &log{Options: &Options{Program: &program.Program{Err: &said}}}
		for range 3 {
			if name := l.keepFailure(&see.Turn{Failed: errors.New("unsure")}, time.Now()); name != "" {
				t.Errorf("cache %q: kept as %s", cache, name)
			}
		}
		if strings.Count(said.String(), "\n") != 1 || !strings.Contains(said.String(), "is not kept: ") {
			t.Errorf("cache %q: it says %q, want one line", cache, said.String())
		}
	}
}

// TestFlagsWithoutEnd: the flags of a record that has no end are an error.
func TestFlagsWithoutEnd(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no /dev/zero")
	}
	dir := t.TempDir()
	solvetest.OK(t, os.Symlink("/dev/zero", filepath.Join(dir, keptName)))
	if err := takeFlags(nil, dir); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("run.json: %v", err)
	}
}
