package alcazar

import (
	"image"
	"strings"
	"testing"

	"onlooker/solve"
)

// TestDrawnWalls: boards of walls as they are drawn, from the narrowest and the lowest on, and
// what is cut off or askew.
func TestDrawnWalls(t *testing.T) {
	for _, row := range []struct {
		why, text  string
		cols, rows int // 0: it is refused
	}{
		{"one cell, as narrow as can be", "+-+\n| |\n+ +\n", 1, 1},
		{"a row", "+-+-+\n    |\n+-+-+\n", 2, 1},
		{"two rows, wide", "+---+---+\n|   |   |\n+   +   +\n|        \n+---+---+\n", 2, 2},
		{"indented", "  +--+--+\n  |     |\n  +--+  +\n", 2, 1},
		{"corners at other distances", "+---+--+\n|   |  |\n+---+  +\n", 0, 0},
		{"the last line is missing", "+---+\n|   |\n+   +\n|   |\n", 0, 0},
		{"nothing below", "+---+\n", 0, 0},
	} {
		b := solve.Block{Family: "alcazar", Text: strings.Split(strings.TrimSuffix(row.text, "\n"), "\n")}
		for i := range b.Text {
			b.No = append(b.No, i+1)
		}
		p, err := drawnWalls(b)
		if (err == nil) != (row.cols > 0) {
			t.Errorf("%s: %v, want an error: %t", row.why, err, row.cols == 0)
			continue
		}
		if err == nil && p.Bounds().Size() != image.Pt(2*row.cols+1, 2*row.rows+1) {
			t.Errorf("%s: %v half-cells, want %d×%d cells", row.why, p.Bounds().Size(), row.cols, row.rows)
		}
	}
}
