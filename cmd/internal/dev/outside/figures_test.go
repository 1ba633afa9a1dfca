package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

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
	want := map[string]figure{"a": {"1", "2", "3", "4", "5 s", "abc", "2026-01-01", "2 cores"}}
	if err := writeFigures(file, want); err != nil {
		t.Fatal(err)
	}
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
