package solve_test

import (
	"strings"
	"testing"

	"onlooker/solve"
	"onlooker/solve/alcazar"
	"onlooker/solve/fans"
	"onlooker/solve/flow"
	"onlooker/solve/switches"
)

// TestBoardsWithoutEnd: a board that has more lines than any may have is refused when it
// has them, not at its end.
func TestBoardsWithoutEnd(t *testing.T) {
	for _, row := range []struct {
		family solve.Family
		line   string
	}{
		{fans.Family, "FT\n"},
		{switches.Family, "0101\n"},
		{flow.Family, "A.B\n"},
		{alcazar.Family, "+---+\n|   |\n"},
	} {
		endless, tried := &lines{line: row.line}, 0
		for _, f := range row.family.Formats {
			if f.Decode == nil || f.Sniff != nil && !f.Sniff([]byte(strings.Repeat(row.line, 9))) {
				continue
			}
			endless.read = 0
			tried++
			for _, err := range f.Decode(endless) {
				if err == nil || !strings.Contains(err.Error(), "of more than") {
					t.Errorf("%s, %s: %v, want that the board is too large", row.family.Name, f.Name, err)
				}
				break
			}
			if endless.read > 4*solve.MostText {
				t.Errorf("%s, %s: %d MB were read", row.family.Name, f.Name, endless.read>>20)
			}
		}
		if tried == 0 {
			t.Errorf("%s: no format takes %q", row.family.Name, row.line)
		}
	}
}

// lines is a text of one line again and again.
type lines struct {
	line string
	read int
}

func (l *lines) Read(p []byte) (int, error) {
	n := len(p) - len(p)%len(l.line)
	for i := 0; i < n; i += len(l.line) {
		copy(p[i:], l.line)
	}
	l.read += n
	return n, nil
}
