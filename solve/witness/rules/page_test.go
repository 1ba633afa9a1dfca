package rules

import (
	"image"
	"testing"

	"onlooker/solve/solvetest"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
)

// What the page finds, and what nobody could find.
func TestPageFinds(t *testing.T) {
	piece := func(text string, kind board.Kind) *board.Symbol {
		shape := solvetest.Must(forms.ParseShape(text))(t)
		return &board.Symbol{Kind: kind, Shape: shape}
	}
	cells := func(text string) []image.Point {
		shape := solvetest.Must(forms.ParseShape(text))(t)
		return shape
	}
	for _, c := range []struct {
		why    string
		cells  string
		pieces []*board.Symbol
		want   bool
	}{
		{"they fit as they are", "##/##", []*board.Symbol{piece("##", board.Polyomino), piece("##", board.Polyomino)}, true},
		{"they do not fit", "###/#..", []*board.Symbol{piece("##/##", board.Polyomino)}, false},
		{"as many squares as blue ones", "#", []*board.Symbol{piece("##", board.Polyomino), piece("#/#", board.Negative)}, true},
		{"a square over at the left", "##", []*board.Symbol{piece("###", board.Polyomino), piece("#", board.Negative)}, true},
		{"the blue one is too large", "##", []*board.Symbol{piece("####", board.Polyomino), piece("#/#", board.Negative)}, false},
	} {
		if got := pageFinds(cells(c.cells), c.pieces, pageStates); got != c.want {
			t.Errorf("%s: %t, want %t", c.why, got, c.want)
		}
	}
}
