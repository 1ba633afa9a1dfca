//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"onlooker/cmd/internal/dev/showcase"
)

// TestPanels: what make demo shows at first, on a display of its own, is read and answered, all of it.
func TestPanels(t *testing.T) {
	showcase.TestDisplay(t, 1920, 1080)
	program := filepath.Join(t.TempDir(), "onlooker")
	if out, err := exec.Command("go", "build", "-o", program, "onlooker/cmd/onlooker").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := panels(t.Context(), program, 1, 0); err != nil {
		t.Error(err)
	}
}
