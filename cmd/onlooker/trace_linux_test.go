package main

import (
	"io"
	"strings"
	"testing"
)

// TestTrace: the search for a panel is drawn step by step in a terminal, each picture in place
// of the one before, and then its answer is printed; elsewhere it is not.
func TestTrace(t *testing.T) {
	t.Setenv("TERM", "xterm")
	tty, out, written := terminal(t)
	status := run(t.Context(), []string{"solve", "--no-store", "--trace", tinyPanel}, strings.NewReader(""), tty, io.Discard)
	written()
	text := out.String()
	if n := strings.Count(text, "\x1b[9A"); status != 0 || n < 5 || strings.Count(text, "step ") != n+1 || !strings.Contains(text[strings.LastIndex(text, "step "):], "solved in") {
		t.Errorf("status %d, %d pictures in place of others: %q", status, n, text)
	}
	tty, out, written = terminal(t)
	const row, edges = "|a|b|a|b|a|b|a|b|\n", "+-+-+-+-+-+-+-+-+\n"
	long := "panel 8x8\n+-+-+-+-+-+-+-+->\n" + row + edges + strings.Repeat(strings.ReplaceAll(strings.ReplaceAll(row, "a", " "), "b", " ")+edges, 6) +
		"|b|a|b|a|b|a|b|a|\n@-+-+-+-+-+-+-+-+\na = black square\nb = white square\n" // 49 steps, three seconds
	status = run(t.Context(), []string{"solve", "--no-store", "--trace", "--timeout", "500ms", long}, strings.NewReader(""), tty, io.Discard)
	written()
	if n := strings.Count(out.String(), "step "); status != 0 || n < 1 || n > 20 || !strings.Contains(out.String(), "solved in") {
		t.Errorf("a search that is cut short: status %d, %d steps: %q", status, n, out)
	}
	if _, said, status := onlooker(t, "", "solve", "--no-store", "--trace", tinyPanel); status != 2 || !strings.Contains(said, "--trace draws in a terminal") {
		t.Errorf("where there is no terminal: status %d, %s", status, said)
	}
}
