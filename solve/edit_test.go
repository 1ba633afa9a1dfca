package solve_test

import (
	"image"
	"strings"
	"testing"

	"onlooker/solve"
	"onlooker/solve/alcazar"
	"onlooker/solve/fans"
	"onlooker/solve/flow"
	"onlooker/solve/solvetest"
	"onlooker/solve/switches"
)

// TestEditorDo: an edit is held against the tool, the places and the fields before anything is
// done, each at its limits; what is left out is as at first.
func TestEditorDo(t *testing.T) {
	var got *solve.Edit
	e := &solve.Editor{
		Tools: func(solve.Puzzle) []solve.Tool {
			return []solve.Tool{{Name: "set", Label: "Set", On: []string{"cell"}, Takes: 1, Fields: []solve.Field{
				solve.NumberField("n", "count", 3, 1, 4),
				{Name: "c", Label: "kind", Kind: solve.Choice, Choices: []string{"a", "b"}, Value: "a"},
				{Name: "f", Label: "fixed", Kind: solve.Flag},
			}}}
		},
		Places: func(solve.Puzzle) []solve.Place {
			return []solve.Place{{At: image.Pt(1, 1), Kind: "cell"}, {At: image.Pt(0, 0), Kind: "node"}}
		},
		Apply: func(p solve.Puzzle, edit solve.Edit) (solve.Puzzle, error) { got = &edit; return p, nil },
	}
	cell := []image.Point{{X: 1, Y: 1}}
	for _, row := range []struct {
		edit solve.Edit
		says string // "": it is done
	}{
		{solve.Edit{Tool: "set", At: cell}, ""},
		{solve.Edit{Tool: "set", At: cell, Values: map[string]string{"n": "1", "c": "b", "f": "on"}}, ""},
		{solve.Edit{Tool: "set", At: cell, Values: map[string]string{"n": "4"}}, ""},
		{solve.Edit{Tool: "set", At: cell, Values: map[string]string{"n": "5"}}, "from 1 to 4"},
		{solve.Edit{Tool: "set", At: cell, Values: map[string]string{"n": "0"}}, "from 1 to 4"},
		{solve.Edit{Tool: "set", At: cell, Values: map[string]string{"n": "x"}}, "from 1 to 4"},
		{solve.Edit{Tool: "set", At: cell, Values: map[string]string{"c": "d"}}, "want one of [a b]"},
		{solve.Edit{Tool: "set", At: cell, Values: map[string]string{"f": "yes"}}, "want on or nothing"},
		{solve.Edit{Tool: "set"}, "at 0 places, want 1"},
		{solve.Edit{Tool: "set", At: []image.Point{{}}}, "want one of [cell] there"},
		{solve.Edit{Tool: "set", At: []image.Point{{X: 9, Y: 9}}}, "want one of [cell] there"},
		{solve.Edit{Tool: "cut", At: cell}, `no tool "cut"`},
	} {
		got = nil
		_, err := e.Do(nil, row.edit)
		if row.says != "" {
			if err == nil || !strings.Contains(err.Error(), row.says) || got != nil {
				t.Errorf("%+v: %v, done %v; want %q and nothing done", row.edit, err, got != nil, row.says)
			}
			continue
		}
		if err != nil {
			t.Errorf("%+v: %v", row.edit, err)
			continue
		}
		want := map[string]string{"n": "3", "c": "a", "f": ""}
		for name, v := range row.edit.Values {
			want[name] = v
		}
		for name, v := range want {
			solvetest.Same(t, got.Values[name], v, "%+v: %s", row.edit, name)
		}
		if got.On("f") != (want["f"] == "on") || got.Int("n") < 1 || solve.FlagOf(got.On("f")) != want["f"] {
			t.Errorf("%+v: %d, %t", row.edit, got.Int("n"), got.On("f"))
		}
	}
}

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
