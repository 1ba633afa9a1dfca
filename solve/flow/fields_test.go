package flow

import (
	"strings"
	"testing"
)

// TestJoined: a board may say between which cells paths lead: between all.
func TestJoined(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"STANDARD\nA-.-B\n| | |\n.-.-.\n| | |\nA-.-B\n", "A.B/.../A.B"},
		{"STANDARD\nA-.-B\n| |\nA-.-B\n", ""},
		{"A-.-B\n| | |\nA-.-B\n", ""},
	} {
		var got []string
		for _, row := range joined(strings.Split(strings.TrimSpace(c.text), "\n")) {
			got = append(got, strings.Join(row, ""))
		}
		if strings.Join(got, "/") != c.want {
			t.Errorf("%q: got %v, want %q", c.text, got, c.want)
		}
	}
}

// TestEmptyFields: nothing between two commas or tabs is an empty cell.
func TestEmptyFields(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"1,,2\n,,\n1,,2\n", "1.2/.../1.2"},
		{"1, ,2\n1,,2\n", "1.2/1.2"},
		{"1\t\t2\n1\t.\t2\n", "1.2/1.2"},
		{"1,.,2,\n1,.,2\n", "1.2/1.2"},
		{"[[1,0,2],[1,0,2]]\n", "102/102"},
	} {
		var got []string
		for i, line := range strings.Split(strings.TrimSuffix(c.text, "\n"), "\n") {
			rows := []row{{i, cellsOf(line, true)}}
			if isList(c.text) {
				rows = listRows(i, line)
			}
			for _, r := range rows {
				got = append(got, strings.Join(r.cells, ""))
			}
		}
		if strings.Join(got, "/") != c.want {
			t.Errorf("%q: got %v, want %s", c.text, got, c.want)
		}
	}
}
