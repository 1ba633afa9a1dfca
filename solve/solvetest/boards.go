package solvetest

import (
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"onlooker/solve"
)

// Collected is the folder of a family's collected boards, data/NAME of the one
// that ONLOOKER_SHARED names or that lies as ../shared beside the project; the
// test is skipped where there is none.
func Collected(t testing.TB, name string) string {
	t.Helper()
	dir := os.Getenv("ONLOOKER_SHARED")
	if dir == "" {
		// A test runs in its package's folder, solve/FAMILY.
		dir = filepath.Join("..", "..", "..", "shared")
	}
	dir = filepath.Join(dir, "data", name)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no collected boards: %v (set ONLOOKER_SHARED to their folder)", err)
	}
	return dir
}

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
