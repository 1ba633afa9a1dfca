package solvetest

import (
	"encoding/json"
	"fmt"
	"image"
	_ "image/jpeg" // some captures are
	_ "image/png"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"onlooker/solve"
)

// Shared is where a file of the material beside the project is: in the folder
// that ONLOOKER_SHARED names, or ../shared as seen from the project's root. It
// may not be there.
func Shared(name ...string) string {
	folder := os.Getenv("ONLOOKER_SHARED")
	if folder == "" {
		// A test runs in its package's folder.
		folder = "."
		for range 8 {
			if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
				break
			}
			folder = filepath.Join(folder, "..")
		}
		folder = filepath.Join(folder, "..", "shared")
	}
	return filepath.Join(folder, filepath.Join(name...))
}

// More is how many times as much a test draws, plays or kills, where ONLOOKER_MORE asks for it; 1:
// as much as a test of every day takes.
func More() int {
	n, _ := strconv.Atoi(os.Getenv("ONLOOKER_MORE"))
	return max(1, n)
}

// Collected is the folder of a family's collected boards; the test is skipped
// where there is none.
func Collected(t testing.TB, name string) string {
	t.Helper()
	dir := Shared("data", name)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no collected boards: %v (set ONLOOKER_SHARED to their folder)", err)
	}
	return dir
}

// A Capture is what a real picture of the game shows, as people wrote it down.
type Capture struct {
	Pixels   [2]int
	Negative bool // nothing in it is a board
	Boards   []CapturedBoard
}

// A CapturedBoard is a panel on it; places are in half-cells.
type CapturedBoard struct {
	Size   [2]int       // columns and rows of cells
	Quad   [][2]float64 // corners in pixels, clockwise; none: not measured
	Side   string       // which of several boards
	Pillar bool
	Set    string // of the views of one pillar
	Starts [][2]int
	Ends   []struct {
		At  [2]int
		Cap string
	}
	Breaks, Missing [][2]int
	Dots            []struct {
		At     [2]int
		Colour string
	}
	Symbols []struct {
		At           [2]int
		Kind, Colour string
		Count        int
		Shape        [][2]int
		Turnable     bool
	}
	Symmetry string
	Solvable *bool
}

// Flat tells whether a board's place in the picture is known, as one quad.
func (b *CapturedBoard) Flat() bool { return b.Quad != nil && !b.Pillar }

// Captures are the real pictures of the game by their names, and their folder;
// the test is skipped where there are none.
func Captures(t testing.TB) (dir string, all map[string]Capture) {
	t.Helper()
	dir = Shared("captures")
	data, err := os.ReadFile(filepath.Join(dir, "truth.json"))
	if err != nil {
		t.Skipf("no captures: %v (set ONLOOKER_SHARED to their folder)", err)
	}
	OK(t, json.Unmarshal(data, &all))
	return dir, all
}

// Rows are the lines of a table of testdata; one without any holds nothing, and fails.
func Rows(t testing.TB, file string) []string {
	t.Helper()
	rows := slices.Collect(strings.Lines(string(Must(os.ReadFile(file))(t))))
	if len(rows) == 0 {
		t.Fatalf("%s has no rows", file)
	}
	return rows
}

// Picture opens a picture.
func Picture(t testing.TB, file string) image.Image {
	t.Helper()
	f := Must(os.Open(file))(t)
	defer f.Close()
	m, _, err := image.Decode(f)
	OK(t, err, file)
	return m
}

// Strokes reads an answer in half-cells: points "x,y", strokes apart by "/".
func Strokes(t testing.TB, text string) solve.Solution {
	t.Helper()
	var s solve.Solution
	for part := range strings.SplitSeq(text, "/") {
		stroke := solve.Stroke{}
		for w := range strings.FieldsSeq(part) {
			var p image.Point
			Must(fmt.Sscanf(w, "%d,%d", &p.X, &p.Y))(t, fmt.Sprintf("%q", w))
			stroke = append(stroke, p)
		}
		s = append(s, stroke)
	}
	return s
}

// OK ends a test at an error, of something.
func OK(t testing.TB, err error, of ...any) {
	t.Helper()
	if err != nil {
		t.Fatal(append(of, err)...)
	}
}

// Fine lets a test go on after an error, which fails it.
func Fine(t testing.TB, err error, of ...any) {
	t.Helper()
	if err != nil {
		t.Error(append(of, err)...)
	}
}

// Must is what a call gives that may fail: Must(f())(t) ends the test where it does.
func Must[T any](v T, err error) func(t testing.TB, of ...any) T {
	return func(t testing.TB, of ...any) T {
		t.Helper()
		OK(t, err, of...)
		return v
	}
}

// Same wants one thing as the other, which is told by a label.
func Same[T comparable](t testing.TB, got, want T, label string, args ...any) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", fmt.Sprintf(label, args...), got, want)
	}
}
