package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestProcessorTime tells a program that works from one that waits, and fails for one that
// is not there.
func TestProcessorTime(t *testing.T) {
	busy, err := processorTime("dd if=/dev/zero of=/dev/null bs=1M count=2000")
	if err != nil {
		t.Fatal(err)
	}
	idle, err := processorTime("sleep 0.2")
	if err != nil || idle >= busy || idle > 100*time.Millisecond {
		t.Errorf("who sleeps took %v, %v, who copies %v", idle, err, busy)
	}
	if _, err := processorTime("./nothing-here"); err == nil {
		t.Error("no error of a program that is not there")
	}
}

func TestRows(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rows")
	for text, want := range map[string]string{"a\tversion\n": "2 fields", "a\tb\t./nothing-here\n": "./nothing-here"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := run("true", 1, []string{file}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want an error about %s", text, err, want)
		}
	}
}
