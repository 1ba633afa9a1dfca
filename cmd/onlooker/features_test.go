package main

import (
	"slices"
	"strings"
	"testing"

	"onlooker/cmd/internal/intake"
	"onlooker/solve"
)

// TestFeatures has a board for each family: what lists of puzzles show of it.
func TestFeatures(t *testing.T) {
	p := quietProgram()
	for _, row := range []struct {
		family, text, want string
		cols, rows         int
	}{
		{"witness", "panel 2x1\n+-+->\n|a|b|\n@-+-+\na = white square\nb = red star\n", "square star", 2, 1},
		{"flow", "A.B\nA.B\n", "", 3, 2},
		{"flow", "1 . 2\n1 . 2\n", "numberlink", 3, 2},
		{"alcazar", "xxxxx\n 0 0 \nx x x\nx0 0x\nxxxxx\n", "", 2, 2},
		{"alcazar", "xxxxxxx\n 0x0 0 \nx x x x\nx0 0 0x\nxxxxxxx\n", "walls", 3, 2},
		{"switches", "grid 3x1\n*o*\n", "", 3, 1},
		{"switches", "a b c\nb\na b\nb c\n", "graph", 3, 1},
		{"fans", "FTT\nT.F\n", "", 3, 2},
	} {
		d := intake.Decoder{Games: p.Games, Flags: intake.Flags{LookFlags: intake.LookFlags{Family: row.family}}}
		d.Text("test", []byte(row.text), true, func(b intake.Board) bool {
			if b.Err != nil {
				t.Error(b.Err)
				return false
			}
			p, ok := b.Puzzle.(solve.Describer)
			if !ok {
				t.Errorf("%s tells no features", row.family)
				return false
			}
			cols, rows := p.Size()
			if got := p.Features(); !slices.Equal(got, strings.Fields(row.want)) || cols != row.cols || rows != row.rows {
				t.Errorf("%s\n%d×%d %q, want %d×%d %q", row.text, cols, rows, got, row.cols, row.rows, row.want)
			}
			return true
		})
	}
}
