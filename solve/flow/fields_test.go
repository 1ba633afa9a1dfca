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

// TestEmptyFields: nothing between two commas or tabs is an empty cell, at a row's ends too, and
// a line of tabs alone is a row.
func TestEmptyFields(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"1,,2\n,,\n1,,2\n", "A.B/.../A.B"},
		{"1, ,2\n1,,2\n", "A.B/A.B"},
		{"1\t\t2\n1\t.\t2\n", "A.B/A.B"},
		{"1,.,2,\n1,.,2,\n", "A.B/A.B"},
		{"1,1,\n2,,2\n", "AA./B.B"},
		{"A\t\tB\n\t\t\nA\t\tB\n", "A.B/.../A.B"},
		{"\t\t\n\t1\t1\n\t\t\n", ".../.AA/..."},
		{"1\t\t1\n\t\t2\n2\t\t\n", "A.A/..B/B.."},
		{"1\t1\n\n2\t2\n", "AA;AA"},
		{"[[1,0,2],[1,0,2]]\n", "A.B/A.B"},
		{"HEX\n  A\n /|\\\nB-.-C\n|/|\\|\nB-A-C\n", "ABC/A.C/#B#"},
		{"HEX\n  A\n /|\\\nB-.-C\n|/| |\nB-A-C\n", "error"},
	} {
		var got []string
		for p, err := range plainBlocks()(strings.NewReader(c.text)) {
			if err != nil {
				if got = append(got, "error"); c.want != "error" {
					t.Errorf("%q: %v", c.text, err)
				}
				continue
			}
			text, _ := p.MarshalText()
			if hex := strings.Contains(string(text), " hex"); hex != strings.HasPrefix(c.text, "HEX") {
				t.Errorf("%q: hexagons: %v", c.text, hex)
			}
			got = append(got, strings.Join(strings.Split(strings.TrimSpace(string(text)), "\n")[1:], "/"))
		}
		if strings.Join(got, ";") != c.want {
			t.Errorf("%q: got %v, want %s", c.text, got, c.want)
		}
	}
}
