package solving_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/program/programtest"
	"onlooker/cmd/internal/solving"
	"onlooker/cmd/internal/store"
	"onlooker/solve/solvetest"
)

// shell knows the commands that these tests are of.
var shell = programtest.Of(solving.NewSolve, solving.NewCheck, solving.NewBatch)

const (
	shrine     = "FTTFT\nTTFTT\nTTTFT\nFTTTF\n"
	noSolution = "panel 1x1\n+->\n|a|\n@-+\na = black star\n"
)

// TestSolveKeeps shows that what was solved is answered from the store.
func TestSolveKeeps(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "s.sqlite")
	panel := filepath.Join(dir, "panel.txt")
	solvetest.OK(t, os.WriteFile(panel, []byte(noSolution), 0o600))
	first := shell.Want(t, shrine, "solve", "--json", "--store", file, "--why", "-", panel, "grid 3x3 / *o* / ooo / *o*")
	again := shell.Want(t, shrine, "solve", "--json", "--store", file, "--why", "-", panel, "grid 3x3 / *o* / ooo / *o*")
	a, b := programtest.Lines[solving.Line](t, first), programtest.Lines[solving.Line](t, again)
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

	s := solvetest.Must(store.Open(t.Context(), file, answer.Judge))(t)
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
	shell.Want(t, shrine, "solve", "--store", file, "--no-store", "-")
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("--no-store: %v, want no file", err)
	}
}

// TestStoreNotInTheWay shows that a store that cannot be used is told of once,
// and all is solved without it.
func TestStoreNotInTheWay(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.sqlite")
	solvetest.OK(t, os.WriteFile(file, bytes.Repeat([]byte("no database "), 100), 0o600))
	out, errOut, status := shell.Run(t, "", "solve", "--json", "--store", file, "grid 3x1 / *o*", "grid 3x3 / *o* / ooo / *o*")
	if status != 0 || len(programtest.Lines[solving.Line](t, out)) != 2 || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, "going on without it") {
		t.Errorf("%s%s", out, errOut)
	}
}
