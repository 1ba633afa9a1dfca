package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"onlooker/cmd/internal/games"
	"onlooker/cmd/internal/program/programtest"
	"onlooker/solve/solvetest"
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
	programtest.Main(m)
}

const noSolution = "panel 1x1\n+->\n|a|\n@-+\na = black star\n"

// TestExportImport takes what was solved to another store.
func TestExportImport(t *testing.T) {
	dir := t.TempDir()
	mine, theirs, file := filepath.Join(dir, "a.sqlite"), filepath.Join(dir, "b.sqlite"), filepath.Join(dir, "x.jsonl")
	panel := filepath.Join(dir, "panel.txt")
	solvetest.OK(t, os.WriteFile(panel, []byte(noSolution), 0o600))
	if out, errOut, status := onlooker(t, "", "export", "--store", mine); status != 1 || !strings.Contains(errOut, "no store") {
		t.Errorf("export of nothing: status %d\n%s%s", status, out, errOut)
	}
	var puzzles []string
	for _, g := range games.Of() {
		// Seed 1 for all; what is asked is that every family's text comes back.
		text := solvetest.Must(g.Generate(rand.New(rand.NewPCG(1, 1)), 5, 4).MarshalText())(t)
		name := filepath.Join(dir, g.Name+".txt")
		solvetest.OK(t, os.WriteFile(name, text, 0o600))
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
