package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"onlooker/calibrations"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/store"
	"onlooker/solve/solvetest"
)

// Files without an end are one line each, wherever one may be named.
func TestFilesWithoutEnd(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no /dev/zero")
	}
	if _, err := cli.ReadFile("/dev/zero"); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("a truth file: %v", err)
	}
	dir := t.TempDir()
	solvetest.OK(t, os.Symlink("/dev/zero", filepath.Join(dir, calibrations.File)))
	if _, err := calibrations.Load(dir); err == nil || !strings.Contains(err.Error(), "more than 4 MB") {
		t.Errorf("a profile: %v", err)
	}
}

// TestSpare writes to inputs and to the store, under other names too, and finds
// them as they were.
func TestSpare(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	kept, board, list, other := at("s.sqlite"), at("board.txt"), at("list"), at("other.txt")
	want(t, "", "solve", "--store", kept, "grid 3x1 / *o*")
	picture := at("0001.png")
	want(t, "", "convert", "--to", "png", "-o", picture, code)
	for name, text := range map[string]string{board: "grid 3x1\n*o*", list: board + "\n", other: "grid 3x1\n*o*"} {
		solvetest.OK(t, os.WriteFile(name, []byte(text), 0o600))
	}
	link := at("link")
	solvetest.OK(t, os.Link(board, link))
	t.Setenv("XDG_DATA_HOME", at("data"))
	t.Setenv("LocalAppData", at("data"))
	want(t, "", "solve", "grid 3x1 / *o*")
	own := solvetest.Must(store.DefaultPath())(t)
	for _, row := range []struct{ said, args string }{
		{"the store", "export --store " + kept + " -o " + kept},
		{"the store", "export -o " + own},
		{"an input", "convert --to text -o " + board + " " + board},
		{"an input", "convert --to text -o " + link + " " + other + " " + board},
		{"an input", "convert --to text -o " + list + " --lines " + list},
		{"an input", "convert --to text -o " + board + " --lines " + list},
		{"the store", "convert --to text -o " + own + " " + board},
		{"an input", "convert --to png -o " + dir + " " + picture},
		{"the store", "generate flow -n 1 --store " + kept + " -o " + kept},
		{"the store", "generate flow -n 1 --no-store --to png -o " + own},
		{"an input", "batch --no-store -o " + board + " " + board},
		{"the store", "batch --store " + kept + " -o " + kept + " " + board},
	} {
		before := map[string]string{}
		look := func(see func(name string, data []byte)) {
			for _, name := range []string{kept, board, list, other, picture, own} {
				data := solvetest.Must(os.ReadFile(name))(t)
				see(name, data)
			}
		}
		look(func(name string, data []byte) { before[name] = string(data) })
		_, errOut, status := onlooker(t, "", strings.Fields(row.args)...)
		if status != 2 || !strings.Contains(errOut, "is "+row.said) {
			t.Errorf("%s: status %d, want 2 and %q: %s", row.args, status, row.said, errOut)
		}
		look(func(name string, data []byte) {
			if string(data) != before[name] {
				t.Errorf("%s: changed %s", row.args, name)
			}
		})
	}
	if left, _ := filepath.Glob(at("*.ahead")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
