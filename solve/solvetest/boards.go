package solvetest

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"onlooker/solve"
)

// Strokes reads an answer in half-cells: points "x,y", strokes apart by "/".
func Strokes(t testing.TB, text string) solve.Solution {
	t.Helper()
	var s solve.Solution
	for part := range strings.SplitSeq(text, "/") {
		stroke := solve.Stroke{}
		for w := range strings.FieldsSeq(part) {
			var p image.Point
			if _, err := fmt.Sscanf(w, "%d,%d", &p.X, &p.Y); err != nil {
				t.Fatalf("%q: %v", w, err)
			}
			stroke = append(stroke, p)
		}
		s = append(s, stroke)
	}
	return s
}
