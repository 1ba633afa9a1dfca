package alcazar

import (
	"testing"

	"onlooker/solve"
	"onlooker/solve/solvetest"
)

func TestEditor(t *testing.T) { solvetest.Edit(t, Family, Editor) }

// TestResized: a board is made wider and lower with its walls, its given ways and its openings;
// a new one has two openings and no walls.
func TestResized(t *testing.T) {
	blank := solvetest.Must(Editor.Blank(3, 2))(t)
	for _, row := range []struct {
		board      solve.Puzzle
		cols, rows string
		want       string
	}{
		{blank, "3", "2", "alcazar 3x2\nxxxxxxx\n.0.0.0x\nx.x.x.x\nx0.0.0.\nxxxxxxx\n"},
		{read(t, "alcazar 2x3\nxxx.x\n.0-0x\nxxx|x\n.0x0.\nx.x.x\nx0.0x\nx.xxx\n"), "3", "2", "alcazar 3x2\nxxx.xxx\n.0-0.0x\nxxx|x.x\n.0x0.0.\nx.xxxxx\n"},
	} {
		p := solvetest.Must(Editor.Do(row.board, solve.Edit{Tool: "board", Values: map[string]string{"cols": row.cols, "rows": row.rows}}))(t)
		if text, _ := p.MarshalText(); string(text) != row.want {
			t.Errorf("got\n%s, want\n%s", text, row.want)
		}
	}
}
