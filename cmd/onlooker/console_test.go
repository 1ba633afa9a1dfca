package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"onlooker/solve/solvetest"
)

func TestSplitLine(t *testing.T) {
	for _, row := range []struct {
		why, line string
		want      []string
	}{
		{"words", "solve  --count panel.txt\r\n", []string{"solve", "--count", "panel.txt"}},
		{"a dragged file", `solve "C:\My Games\shot 1.png"`, []string{"solve", `C:\My Games\shot 1.png`}},
		{"nothing", " \r\n", nil},
		{"an empty word", `watch --next-key ""`, []string{"watch", "--next-key", ""}},
		{"a quote that stays open", `read "a b`, []string{"read", "a b"}},
	} {
		if got := splitLine(row.line); !slices.Equal(got, row.want) {
			t.Errorf("%s: %q: got %q, want %q", row.why, row.line, got, row.want)
		}
	}
}

func TestExpandPatterns(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.png", "a.png", "c.txt", "[1].png"} {
		solvetest.OK(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	t.Chdir(dir)
	for _, row := range []struct {
		why       string
		arg, want []string
	}{
		{"a pattern, in order", []string{"read", "?.png"}, []string{"read", "a.png", "b.png"}},
		{"no match: it may be a board", []string{"solve", "*.gif", "*o*"}, []string{"solve", "*.gif", "*o*"}},
		{"a file that looks like a pattern", []string{"[1].png"}, []string{"[1].png"}},
		{"a flag", []string{"--lines=*.txt"}, []string{"--lines=*.txt"}},
		{"a pattern that is none", []string{"a[", "c.txt"}, []string{"a[", "c.txt"}},
	} {
		if got := expandPatterns(row.arg); !slices.Equal(got, row.want) {
			t.Errorf("%s: %q: got %q, want %q", row.why, row.arg, got, row.want)
		}
	}
}

// A window that a double click opened tells what to type, and takes commands
// until it is told to exit, whatever becomes of them.
func TestInWindow(t *testing.T) {
	board := filepath.Join(t.TempDir(), "fans board.txt")
	solvetest.OK(t, os.WriteFile(board, []byte("FTT\nT.F\n"), 0o644))
	var out, errOut strings.Builder
	typed := "nonsense\n\nonlooker version\nsolve \"" + board + "\"\nexit\nversion\n"
	if code := inWindow([]string{board}, strings.NewReader(typed), &out, &errOut); code != 0 {
		t.Errorf("exit status %d, want 0", code)
	}
	if n := strings.Count(out.String(), board+": solved "); n != 2 {
		t.Errorf("the board was solved %d times, want it dropped and typed:\n%s", n, &out)
	}
	if n := strings.Count(out.String(), "onlooker> onlooker "); n != 1 {
		t.Errorf("version was printed %d times, want once, before exit:\n%s", n, &out)
	}
	if !strings.Contains(out.String(), "drag a screenshot") || !strings.Contains(errOut.String(), "nonsense") {
		t.Errorf("got %q and errors %q, want what to type, and a word on nonsense", &out, &errOut)
	}
}
