package solving_test

import (
	"strings"
	"testing"
)

// TestTooLarge wants one line for a board that memory does not hold, and the
// boards beside it answered.
func TestTooLarge(t *testing.T) {
	large := "A" + strings.Repeat(".", 358) + "A\n" + strings.Repeat(strings.Repeat(".", 360)+"\n", 359)
	out, errOut, code := shell.Run(t, "A.A\nB.B\n\n"+large+"\nB.B\nA.A\n", "solve", "--family", "flow", "--memory", "160MiB", "-")
	if code != 1 || strings.Count(out, "solved") != 2 {
		t.Errorf("exit status %d, %d boards solved, want 1 and 2", code, strings.Count(out, "solved"))
	}
	if strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, "too large") || !strings.Contains(errOut, "160 MiB") {
		t.Errorf("got %q, want one line that the board is too large for 160 MiB", errOut)
	}
}
