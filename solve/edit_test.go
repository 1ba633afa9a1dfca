package solve_test

import (
	"image"
	"strings"
	"testing"

	"onlooker/solve"
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
			if got.Values[name] != v {
				t.Errorf("%+v: %s is %q, want %q", row.edit, name, got.Values[name], v)
			}
		}
		if got.On("f") != (want["f"] == "on") || got.Int("n") < 1 || solve.FlagOf(got.On("f")) != want["f"] {
			t.Errorf("%+v: %d, %t", row.edit, got.Int("n"), got.On("f"))
		}
	}
}
