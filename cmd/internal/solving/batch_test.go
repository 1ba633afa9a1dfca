package solving_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/program/programtest"
	"onlooker/cmd/internal/solving"
	"onlooker/solve/solvetest"
)

// code is a panel of 2×2 cells as a Windmill link's code.
const code = "CAUSAigEEgIIBBIAEgQIBxABEgASBAgHEAESAigHEgQIBxABEgASBAgHEAISABICCAMSAigE_0"

// millis hides times, which differ from run to run.
var millis = regexp.MustCompile(`"millis":\{[^}]*\}|in [0-9.]+ ms`)

// TestBatch runs over files of boards and over lines, and goes on.
func TestBatch(t *testing.T) {
	dir := t.TempDir()
	boards := filepath.Join(dir, "boards.txt")
	out := filepath.Join(dir, "out.jsonl")
	solvetest.OK(t, os.WriteFile(boards, []byte("grid 3x1\n*o*\n\ngrid 3x3\n*o*\nooo\n*o*\n"), 0o600))
	lines := "FTT/T.F\ngrid 3x1 / *o*\n?!\n" + code + "\n"

	// From standard input, in its order, one of them wrong.
	text, _, status := shell.Run(t, lines, "batch", "--no-store")
	got := programtest.Lines[solving.Line](t, text)
	if status != 1 || len(got) != 4 || got[0].Family != "fans" || got[1].Family != "switches" || got[2].Status != answer.Failed || got[3].Status != answer.Solved {
		t.Errorf("status %d\n%s", status, text)
	}
	for i, line := range strings.Split(strings.TrimSpace(lines), "\n") {
		if i < len(got) && got[i].Input != line {
			t.Errorf("line %d is of %q, want %q", i, got[i].Input, line)
		}
	}

	// Into a file, twice: the second run has nothing to do.
	shell.Want(t, "", "batch", "--no-store", "-o", out, boards, boards)
	first := solvetest.Must(os.ReadFile(out))(t)
	if got := programtest.Lines[solving.Line](t, string(first)); len(got) != 4 || *got[1].Board != 1 || *got[3].Board != 1 {
		t.Errorf("%s", first)
	}
	_, said, status := shell.Run(t, "", "batch", "--no-store", "--timeout", "9s", "-o", out, boards, boards)
	if status != 0 || !strings.Contains(said, "4 finished lines") {
		t.Errorf("a finished file with other settings: status %d, %q", status, said)
	}
	if _, err := os.Stat(out + ".ahead"); err == nil {
		t.Error("a second file is left beside a finished one")
	}
	if again, err := os.ReadFile(out); err != nil || string(again) != string(first) {
		t.Errorf("done again: %v\n%s\nwant\n%s", err, again, first)
	}

	// What was broken off in the middle of a line goes on with that line.
	solvetest.OK(t, os.WriteFile(out, first[:len(first)-50], 0o600))
	shell.Want(t, "", "batch", "--no-store", "-o", out, boards, boards)
	if again, err := os.ReadFile(out); err != nil || millis.ReplaceAllString(string(again), "") != millis.ReplaceAllString(string(first), "") {
		t.Errorf("gone on with: %v\n%s\nwant\n%s", err, again, first)
	}

	// Other inputs are not mixed in.
	if _, errOut, status := shell.Run(t, "", "batch", "--no-store", "-o", out, boards); status != 1 || !strings.Contains(errOut, "4 lines, of 2 inputs") {
		t.Errorf("fewer inputs: status %d, %s", status, errOut)
	}
	if _, errOut, status := shell.Run(t, lines, "batch", "--no-store", "-o", out); status != 1 || !strings.Contains(errOut, "line 1 is of") {
		t.Errorf("other inputs: status %d, %s", status, errOut)
	}
	if _, _, status := shell.Run(t, "", "batch", "--jobs", "0", boards); status != 2 {
		t.Errorf("--jobs 0: status %d, want 2", status)
	}
}

// TestBatchOrder has boards that take longer before others, on several cores.
func TestBatchOrder(t *testing.T) {
	var lines strings.Builder
	for i := range 60 {
		side := 3
		if i%10 == 0 {
			side = 24
		}
		fmt.Fprintf(&lines, "grid %dx%d / %s\n", side, side, strings.Repeat(strings.Repeat("o", side)+" / ", side-1)+strings.Repeat("o", side))
	}
	text, _, _ := shell.Run(t, lines.String(), "batch", "--no-store", "--jobs", "4")
	got := programtest.Lines[solving.Line](t, text)
	for i, line := range strings.Split(strings.TrimSpace(lines.String()), "\n") {
		if i >= len(got) || got[i].Input != line {
			t.Fatalf("line %d of %d is not that of input %d", i, len(got), i)
		}
	}
}
