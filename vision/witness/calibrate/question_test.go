package calibrate

import (
	"image"
	"slices"
	"testing"

	witness "onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	drawing "onlooker/vision/picture/witness"
)

// TestQuestionCheck tells answers from what is none.
func TestQuestionCheck(t *testing.T) {
	sorts := sorts(drawing.Known())
	like := func(kind witness.Kind, turnable bool) (witness.Symbol, bool) {
		return witness.Symbol{Kind: kind, Turnable: turnable, Shape: []image.Point{{}, {X: 1}}}, kind == witness.Polyomino
	}
	for _, row := range []struct {
		sort, answer string
		want         forms.Label // "": none
	}{
		{"node", "plain", forms.PlainNode},
		{"node", "", forms.StartCircle}, // the guess
		{"node", " OWN   dot ", "own dot"},
		{"node", "blue dot", "dot"}, // whatever its colour
		{"node", "broken", ""},
		{"node", "start, dot", ""},
		{"edge", "broken", forms.BrokenEdge},
		{"edge", "end", forms.EndCap},
		{"edge", "plain", ""},
		{"way out", "end", forms.EndCap},
		{"way out", "dot", ""},
		{"cell", "empty", forms.EmptyCell},
		{"cell", "star", "colourless star"},
		{"cell", "white star", "white star"},
		{"cell", "3 triangles", "3 colourless triangles"},
		{"cell", "turned piece ##/#.", "turned colourless piece ##/#."},
		{"cell", "piece", "colourless piece ##"},
		{"cell", "yellow piece", "yellow piece ##"},
		{"cell", "negative piece", ""}, // of no shape that is seen
		{"cell", "blue piece ##", "colourless negative piece ##"},
		{"cell", "turned blue piece ##", "turned colourless negative piece ##"},
		{"cell", "teapot", ""},
		{"cell", "nothing", ""},
	} {
		s := sorts[slices.IndexFunc(sorts, func(s sorted) bool { return s.name == row.sort })]
		q := &Question{Guess: "start", Places: make([]Place, 1), parse: func(answer string) (forms.Label, error) {
			if row.sort == "cell" {
				return parseSymbol(answer, drawing.Known(), like)
			}
			return s.parse(nil, answer)
		}}
		got, err := q.meant(row.answer)
		if (err != nil) != (row.want == "") || got != row.want || (q.Check(row.answer) != nil) != (err != nil) {
			t.Errorf("%s: %q is %q, %v; want %q", row.sort, row.answer, got, err, row.want)
		}
	}
	words := parseLine(false, forms.NoEnd)
	alone, several := &Question{Places: make([]Place, 1), parse: words}, &Question{Places: make([]Place, 2), parse: words}
	if alone.Check(Differ) == nil || several.Check(Differ) != nil || alone.Check(DoNotKnow) != nil || alone.Check("") == nil {
		t.Error("one place does not differ, several may, and without a guess there is none to take")
	}
}
