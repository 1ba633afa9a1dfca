package solve

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestLines(t *testing.T) {
	for _, row := range []struct {
		why, text string
		want      string // the lines, then the error
	}{
		{"nothing", "", ""},
		{"ends of two systems, and none at last", "a\r\nb\n\nc", "a|b||c|"},
		{"a mark of byte order, and one that is none", "\ufeffa\n\ufeffb\n", "a|\ufeffb|"},
		{"tabs, and letters of more than a byte", "a\tä\n", "a\tä|"},
		{"NUL", "ab\nä\x00\n", "ab|line 2, character 2: a control character (U+0000), want none"},
		{"an escape", "\x1b[2J\n", "line 1, character 1: a control character (U+001B), want none"},
		{"one of the second row", "a\u0085", "line 1, character 2: a control character (U+0085), want none"},
		{"a carriage return alone", "a\rb\n", "line 1, character 2: a control character (U+000D), want none"},
		{"a long line", "abc\n12345678901\nd", "abc|line 2: longer than 10 bytes, want a line of a board"},
	} {
		got := ""
		for line, err := range Lines(strings.NewReader(row.text), 10) {
			if err != nil {
				got += err.Error()
			} else {
				got += line + "|"
			}
		}
		if got != row.want {
			t.Errorf("%s: got %q, want %q", row.why, got, row.want)
		}
	}
	broken := io.MultiReader(strings.NewReader("a\n"), iotest.ErrReader(errors.New("gone")))
	var got []string
	for line, err := range Lines(broken, 10) {
		got = append(got, fmt.Sprint(line, err))
	}
	if strings.Join(got, "|") != "a<nil>|line 2: gone" {
		t.Errorf("a reader that breaks: %q", got)
	}
	for range Lines(strings.NewReader("a\nb\n"), 10) {
		break // and is not called again
	}
}
