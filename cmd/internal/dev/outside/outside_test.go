package main

import (
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"onlooker/solve/solvetest"
)

// A record keeps what it is given, and compare tells what is worse.
func TestCompare(t *testing.T) {
	file := filepath.Join(t.TempDir(), "record.tsv")
	before := []result{
		given("kept", "a", ""), given("lost", "a", ""), refused("mended", "board at (3,4): a dot in file x/1.png"),
		given("still-wrong", "a", "differs"), refused("turned-wrong", "no board"), given("slow", "a", ""),
	}
	known := make(record)
	known.put("set", before)
	solvetest.OK(t, known.write(file))
	known = solvetest.Must(readRecord(file))(t)
	if all := known.compare("set", before); len(all) > 0 {
		t.Errorf("the same again: %q", all)
	}
	now := []result{
		given("kept", "a", ""), refused("lost", "no board"), given("mended", "a", ""),
		given("still-wrong", "a", "differs"), given("turned-wrong", "b", "differs"), {name: "slow", verdict: late, mark: "late"}, given("fresh", "a", ""),
	}
	all := known.compare("set", now)
	for _, want := range []string{"LOST  set lost: unsure, was exact", "now   set mended: exact, was unsure", "LOST  set turned-wrong: WRONG, was unsure", "LOST  set slow: late, was exact", "new   set: 1 boards"} {
		if !strings.Contains(strings.Join(all, "\n"), want) {
			t.Errorf("no %q in\n%s", want, strings.Join(all, "\n"))
		}
	}
	if len(all) != 5 {
		t.Errorf("%d changes, want 5:\n%s", len(all), strings.Join(all, "\n"))
	}
	solvetest.Same(t, known["set"]["mended"].mark, "board at a dot in file", "a class, of which numbers, places and names of files are left out")
}

// A broken record is an error that names the line.
func TestBrokenRecord(t *testing.T) {
	file := filepath.Join(t.TempDir(), "record.tsv")
	solvetest.OK(t, os.WriteFile(file, []byte("a\tb\texact\t12345678\na\tb\n"), 0o644))
	if _, err := readRecord(file); err == nil || !strings.Contains(err.Error(), "line 2 has 2 fields, want 4") {
		t.Errorf("error %v", err)
	}
}

// What differs in a panel is found, one thing at a time, and nothing in itself.
func TestDiffers(t *testing.T) {
	const text = `{"grid":[[{"line":0,"start":true},{"line":0},{"line":0}],[{"line":0},{"type":"square","color":"red"},{"line":0,"gap":1}],[{"line":0},{"line":0},{"line":0}],[{"line":0},{"type":"square","color":"blue"},{"line":0}],[{"line":0,"end":"top"},{"line":0,"dot":1},{"line":0}]]}`
	want := solvetest.Must(panelOf([]byte(text)))(t)
	for _, line := range solvetest.Rows(t, "testdata/differ.rows") {
		var row struct{ from, to, differs string }
		solvetest.Must(fmt.Sscanf(line, "%q %q %q", &row.from, &row.to, &row.differs))(t, line)
		changed := strings.Replace(text, row.from, row.to, 1)
		if row.from != "" && changed == text {
			t.Fatalf("%q is not in the panel", row.from)
		}
		got := solvetest.Must(panelOf(json.RawMessage(changed)))(t)
		if d := want.trim().differs(got.trim()); row.differs == "" && d != "" || !strings.Contains(d, row.differs) {
			t.Errorf("%s instead of %s: %q, want %q", row.to, row.from, d, row.differs)
		}
	}
}

// A table goes between its comments, and nothing else changes.
func TestFill(t *testing.T) {
	readme := []byte("a\n<!-- figures x -->\nold\n<!-- end -->\nb\n")
	got, err := fill(readme, "x", "new\n")
	if want := "a\n<!-- figures x -->\nnew\n<!-- end -->\nb\n"; err != nil || string(got) != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	for _, broken := range []string{"no comments", "<!-- figures x -->\nopen"} {
		if _, err := fill([]byte(broken), "x", ""); err == nil {
			t.Errorf("%q was filled", broken)
		}
	}
}

// The middle of a unit's medians is taken, and other units are not.
func TestMedianOf(t *testing.T) {
	const out = "goos: linux\nBenchmarkA-2 1 500000 ns/op\nBenchmarkA-2 1 2e6 ns/op\nBenchmarkA-2 1 1000000 ns/op\nBenchmarkB-2 1 3000000 ns/op\t33 both-median-ms\nBenchmarkC-2 1 7000000 ns/op\nPASS\n"
	if v, n, err := medianOf([]byte(out), "ns/op"); err != nil || v != 3 || n != 3 {
		t.Errorf("%v of %d, %v, want 3 of 3", v, n, err)
	}
	if v, _, err := medianOf([]byte(out), "both-median-ms"); err != nil || v != 33 {
		t.Errorf("%v, %v, want 33", v, err)
	}
	if _, _, err := medianOf([]byte(out), "B/op"); err == nil {
		t.Error("a unit that is not there has a median")
	}
}

// What was measured is read back, and each key once is a row's.
func TestFigures(t *testing.T) {
	file := filepath.Join(t.TempDir(), "figures.tsv")
	want := map[string]figure{"a": {"1", "2", "3", "4", "5 s", "abc", "2026-01-01"}}
	solvetest.OK(t, writeFigures(file, want))
	if got, err := readFigures(file); err != nil || len(got) != 1 || got["a"] != want["a"] {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	var keys []string
	for _, r := range rows() {
		if slices.Contains(keys, r.key) || len(r.code) == 0 || r.what == "" {
			t.Errorf("row %+v: want a key of its own, words and paths", r.key)
		}
		keys = append(keys, r.key)
	}
	known, err := readFigures("figures.tsv")
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for key := range known {
		if !slices.Contains(keys, key) {
			t.Errorf("figures.tsv has %q, which no row claims", key)
		}
	}
}

// marked is a dark frame of a board of 4×4 cells whose corners are bright.
func marked(t *testing.T, seed uint64) *frame {
	t.Helper()
	quad := [4][2]float64{{700, 300}, {1200, 320}, {1180, 800}, {720, 780}}
	f := &frame{RGBA: image.NewRGBA(image.Rect(0, 0, 1920, 1080)), rng: rand.New(rand.NewPCG(seed, 0))}
	draw.Draw(f.RGBA, f.Rect, image.NewUniform(color.RGBA{30, 30, 30, 255}), image.Point{}, draw.Src)
	for _, q := range quad {
		x, y := int(q[0]), int(q[1])
		draw.Draw(f.RGBA, image.Rect(x-4, y-4, x+5, y+5), image.White, image.Point{}, draw.Src)
	}
	f.boards = []capture{{Size: spot{4, 4}, Quad: &quad, Starts: []spot{{0, 8}}, Breaks: []spot{{0, 7}}}}
	return f
}

// TestFrames: boards move as their pixels do.
func TestFrames(t *testing.T) {
	for name, alter := range map[string]func(*frame) bool{"grained": grained, "squeezed": squeezed, "washed": washed, "night": night, "photographed": photographed, "streamed": streamed} {
		f := marked(t, 1)
		if !alter(f) {
			t.Fatalf("%s left out", name)
		}
		for k, q := range f.boards[0].Quad {
			x, y := int(q[0]+0.5), int(q[1]+0.5)
			on, off := f.RGBAAt(x, y).R, f.RGBAAt(x+14, y).R
			if int(on)-int(off) < 60 {
				t.Errorf("%s, corner %d at (%d,%d): %d there and %d beside it", name, k, x, y, on, off)
			}
		}
	}
}

// TestBegun: a line goes along edges that are there, from the start on, and its picture lies on the
// board.
func TestBegun(t *testing.T) {
	for seed := range uint64(20) {
		f := marked(t, seed)
		path := f.boards[0].walk(f.rng, 6)
		if len(path) < 2 || path[0] != [2]float64{0, 8} || path[1][1] != 8 {
			t.Fatalf("seed %d: %v goes through the break, or not from the start", seed, path)
		}
		if !begun(f) || f.RGBAAt(720, 780) != (color.RGBA{248, 250, 240, 255}) {
			t.Errorf("seed %d: no line at the start", seed)
		}
	}
	f := marked(t, 1)
	f.boards[0].Starts = append(f.boards[0].Starts, spot{8, 0})
	if begun(f) {
		t.Error("a board of two lines has one")
	}
}
