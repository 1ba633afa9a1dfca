package program

import (
	"testing"
)

// TestMemorySize reads sizes as they are typed.
func TestMemorySize(t *testing.T) {
	for _, row := range []struct {
		text string
		want MemorySize // 0: refused
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
		var m MemorySize
		err := m.Set(row.text)
		if m != row.want || (err == nil) != (row.want > 0) {
			t.Errorf("%q: %d, %v, want %d", row.text, m, err, row.want)
		}
		if row.want > 0 && m.String() != row.back {
			t.Errorf("%q is written as %s, want %s", row.text, &m, row.back)
		}
	}
}
