package agent

import (
	"testing"

	"onlooker/solve"
	"onlooker/vision"
)

// A turner is a Reader for which each view may stand at the columns listed.
type turner struct {
	Reader
	may map[*vision.Board][]int
}

func (t turner) Columns(_ solve.Puzzle, b *vision.Board) ([]int, error) { return t.may[b], nil }

func TestSteady(t *testing.T) {
	for _, row := range []struct {
		why         string
		may         [][]int
		column, way int
		sure        bool
	}{
		{"every view is told, upwards", [][]int{{1}, {2}, {3}}, 3, 1, true},
		{"downwards, past column 0", [][]int{{1}, {0}, {5}}, 5, -1, true},
		{"one view shows no mark", [][]int{{1}, {0, 1, 2, 3, 4, 5}, {3}}, 3, 1, true},
		{"the same seen twice: which way is not told", [][]int{{0, 3}, {1, 2, 4, 5}, {2, 5, 1, 4}}, 0, 0, false},
		{"a view that fits nowhere: the panel was put together wrongly", [][]int{{1}, {2}, {}}, 0, 0, false},
		{"two columns in one step", [][]int{{1}, {3}}, 0, 0, false},
		{"a single view", [][]int{{1}}, 0, 0, false},
	} {
		r := turner{may: map[*vision.Board][]int{}}
		var views []*vision.Board
		for _, m := range row.may {
			b := &vision.Board{Cols: 6, Rows: 6, Pillar: true}
			r.may[b] = m
			views = append(views, b)
		}
		column, way, sure := steady(r, nil, views)
		if sure != row.sure || sure && (column != row.column || way != row.way) {
			t.Errorf("%s: column %d, way %d, sure %t; want %d, %d, %t", row.why, column, way, sure, row.column, row.way, row.sure)
		}
	}
}
