package main

import (
	"strings"
	"testing"
)

// TestMemorySize reads sizes as they are typed.
func TestMemorySize(t *testing.T) {
	for _, row := range []struct {
		text string
		want memorySize // 0: refused
		back string
	}{
		{"2GiB", 2 << 30, "2GiB"},
		{"1.5G", 3 << 29, "1536MiB"},
		{"512 mib", 512 << 20, "512MiB"},
		{"100MB", 100e6, "100000000B"},
		{"1073741824", 1 << 30, "1GiB"},
		{"1MiB", 0, ""},
		{"-3G", 0, ""},
		{"NaN G", 0, ""},
		{"1e30G", 0, ""},
		{"much", 0, ""},
		{"", 0, ""},
	} {
		var m memorySize
		err := m.Set(row.text)
		if m != row.want || (err == nil) != (row.want > 0) {
			t.Errorf("%q: %d, %v, want %d", row.text, m, err, row.want)
		}
		if row.want > 0 && m.String() != row.back {
			t.Errorf("%q is written as %s, want %s", row.text, &m, row.back)
		}
	}
}

// TestTooLarge wants one line for a board that memory does not hold, and the
// boards beside it answered.
func TestTooLarge(t *testing.T) {
	large := strings.Repeat(strings.Repeat("F", 1500)+"\n", 1500)
	out, errOut, code := onlooker(t, "FT\n\n"+large+"\nTF\n", "solve", "--family", "fans", "--memory", "160MiB", "-")
	if code != 1 || strings.Count(out, "solved") != 2 {
		t.Errorf("exit status %d, %d boards solved, want 1 and 2", code, strings.Count(out, "solved"))
	}
	if strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, "too large") || !strings.Contains(errOut, "160 MiB") {
		t.Errorf("got %q, want one line that the board is too large for 160 MiB", errOut)
	}
}
