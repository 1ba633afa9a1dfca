package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/solving"
	"onlooker/cmd/internal/store"
)

// asProgram is set where the tests' own process is to be the program, or its guardian.
const asProgram = "ONLOOKER_TEST_AS_PROGRAM"

// TestMain keeps the tests, and the programs that they start, out of the
// user's store.
func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	dir, err := os.MkdirTemp("", "onlooker-data-")
	if err == nil {
		for _, name := range []string{"XDG_DATA_HOME", "LocalAppData"} {
			if err == nil {
				err = os.Setenv(name, dir)
			}
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// solvedLines are the lines of solve --json.
func solvedLines(t *testing.T, text string) []solving.Line {
	t.Helper()
	var all []solving.Line
	for line := range strings.Lines(text) {
		var s solving.Line
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		all = append(all, s)
	}
	return all
}

const (
	shrine     = "FTTFT\nTTFTT\nTTTFT\nFTTTF\n"
	noSolution = "panel 1x1\n+->\n|a|\n@-+\na = black star\n"
)

// TestSolveKeeps shows that what was solved is answered from the store.
func TestSolveKeeps(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "s.sqlite")
	panel := filepath.Join(dir, "panel.txt")
	if err := os.WriteFile(panel, []byte(noSolution), 0o600); err != nil {
		t.Fatal(err)
	}
	first := want(t, shrine, "solve", "--json", "--store", file, "--why", "-", panel, "grid 3x3 / *o* / ooo / *o*")
	again := want(t, shrine, "solve", "--json", "--store", file, "--why", "-", panel, "grid 3x3 / *o* / ooo / *o*")
	a, b := solvedLines(t, first), solvedLines(t, again)
	if len(a) != 3 || len(b) != 3 {
		t.Fatalf("%s\n%s", first, again)
	}
	for i := range a {
		if a[i].Kept != nil || b[i].Kept == nil {
			t.Errorf("kept %v, then %v, want only the second\n%s%s", a[i].Kept, b[i].Kept, first, again)
		}
		_, solved := b[i].Millis["solve"]
		if solved {
			t.Errorf("solved again: %v", b[i].Millis)
		}
		a[i].Kept, b[i].Kept, a[i].Millis, b[i].Millis = nil, nil, nil, nil
		if x, y := fmt.Sprint(a[i]), fmt.Sprint(b[i]); len(y) == 0 || a[i].Status != b[i].Status || fmt.Sprint(a[i].Strokes) != fmt.Sprint(b[i].Strokes) || a[i].Why != b[i].Why {
			t.Errorf("from the store:\n%s\nwant\n%s", y, x)
		}
	}
	if a[1].Status != answer.Unsolvable || a[1].Why == "" || a[2].Cost == nil || *a[2].Cost != *b[2].Cost {
		t.Errorf("%s", first)
	}

	s, err := store.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	entries, err := s.List(t.Context(), store.Filter{}, store.Orders()[0], 0, 10)
	if err != nil || len(entries) != 3 {
		t.Fatalf("kept: %+v, %v", entries, err)
	}
	for _, e := range entries {
		seen, err := s.Sightings(t.Context(), e.ID)
		source, place := store.Typed, ""
		if e.Family == "witness" {
			source, place = store.File, panel
		}
		if err != nil || len(seen) != 1 || seen[0].Times != 2 || seen[0].Source != source || seen[0].Place != place {
			t.Errorf("%s: seen %+v, %v, want twice as %s in %q", e.Family, seen, err, source, place)
		}
	}
}

func TestNoStore(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.sqlite")
	want(t, shrine, "solve", "--store", file, "--no-store", "-")
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("--no-store: %v, want no file", err)
	}
}

// TestStoreNotInTheWay shows that a store that cannot be used is told of once,
// and all is solved without it.
func TestStoreNotInTheWay(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.sqlite")
	if err := os.WriteFile(file, bytes.Repeat([]byte("no database "), 100), 0o600); err != nil {
		t.Fatal(err)
	}
	out, errOut, status := onlooker(t, "", "solve", "--json", "--store", file, "grid 3x1 / *o*", "grid 3x3 / *o* / ooo / *o*")
	if status != 0 || len(solvedLines(t, out)) != 2 || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, "going on without it") {
		t.Errorf("%s%s", out, errOut)
	}
}

// TestExportImport takes what was solved to another store.
func TestExportImport(t *testing.T) {
	dir := t.TempDir()
	mine, theirs, file := filepath.Join(dir, "a.sqlite"), filepath.Join(dir, "b.sqlite"), filepath.Join(dir, "x.jsonl")
	panel := filepath.Join(dir, "panel.txt")
	if err := os.WriteFile(panel, []byte(noSolution), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, errOut, status := onlooker(t, "", "export", "--store", mine); status != 1 || !strings.Contains(errOut, "no store") {
		t.Errorf("export of nothing: status %d\n%s%s", status, out, errOut)
	}
	var puzzles []string
	for _, g := range games() {
		// Seed 1 for all; what is asked is that every family's text comes back.
		text, err := g.Generate(rand.New(rand.NewPCG(1, 1)), 5, 4).MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(dir, g.Name+".txt")
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		puzzles = append(puzzles, name)
	}
	want(t, "", append([]string{"solve", "--store", mine, panel}, puzzles...)...)
	want(t, "", "export", "--store", mine, "-o", file)
	text := want(t, "", "export", "--store", mine)
	if data, err := os.ReadFile(file); err != nil || string(data) != text {
		t.Errorf("-o writes something else (%v)", err)
	}
	if said := want(t, "", "import", "--own", "--store", theirs, file); !strings.Contains(said, "6 puzzles, 5 answers, 1 proofs") {
		t.Error(said)
	}
	if again := want(t, "", "export", "--store", theirs); again != text {
		t.Errorf("exported again:\n%s\nwant\n%s", again, text)
	}
	said, errOut, status := onlooker(t, text+"{}\n", "import", "--store", theirs, "-")
	if status != 1 || !strings.Contains(said, "1 lines were refused") || !strings.Contains(errOut, "-: line 8: ") {
		t.Errorf("status %d: %s%s", status, said, errOut)
	}
}
