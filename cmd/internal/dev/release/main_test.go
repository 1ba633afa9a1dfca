package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestPack: the same program packed twice gives the same bytes, with the
// licences of the modules and of what these took over.
func TestPack(t *testing.T) {
	native := t.TempDir()
	program := filepath.Join(native, "program")
	if err := os.WriteFile(program, []byte("a program"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir("../../../..") // README.md and LICENSE are there
	var packed [][]byte
	for range 2 {
		manual := t.TempDir()
		if err := os.WriteFile(filepath.Join(manual, "onlooker-solve.1"), []byte(".TH\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		name, err := pack("linux", program, "1.2.3", native, manual, time.Unix(1e9, 0).UTC(), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		packed = append(packed, data)
	}
	if !bytes.Equal(packed[0], packed[1]) {
		t.Error("packed twice, the archives differ")
	}
	files, err := licences("windows", native)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		if names = append(names, f.name); len(f.data) == 0 {
			t.Errorf("%s is empty", f.name)
		}
		if strings.Contains(f.name, "atotto") && !bytes.Contains(f.data, []byte("Ato Araki")) {
			t.Errorf("%s does not name who wrote it", f.name)
		}
	}
	for _, want := range []string{"Go", "gocv.io-x-gocv", "github.com-go-vgo-robotgo", "github.com-atotto-clipboard"} {
		if !slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, "licences/"+want) }) {
			t.Errorf("no licence of %s among %v", want, names)
		}
	}
}

// TestTaken: each licence that is kept is some package's, and the other way
// round.
func TestTaken(t *testing.T) {
	entries, err := parts.ReadDir("parts")
	if err != nil {
		t.Fatal(err)
	}
	var kept, want []string
	for _, e := range entries {
		kept = append(kept, e.Name())
	}
	for _, name := range taken() {
		want = append(want, name)
	}
	slices.Sort(want)
	if !slices.Equal(kept, want) {
		t.Errorf("kept are %v, want %v", kept, want)
	}
}
