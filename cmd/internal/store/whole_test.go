//go:build !windows

package store

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"onlooker/solve"
	"onlooker/solve/solvetest"
)

// TestWholeAfterClose copies a store's file alone after a Close, the last or one
// before the last, and finds everything in it.
func TestWholeAfterClose(t *testing.T) {
	for _, others := range []int{0, 1} {
		path := filepath.Join(t.TempDir(), "s.sqlite")
		for range others {
			openAt(t, path) // closed when the test ends
		}
		s := solvetest.Must(Open(t.Context(), path, solve.Judge))(t)
		const n = 50
		for i := range n {
			keep(t, s, numbered(i))
		}
		var all, copied bytes.Buffer
		solvetest.OK(t, errors.Join(s.Export(t.Context(), &all), s.Close()))
		data, err := os.ReadFile(path)
		alone := filepath.Join(t.TempDir(), "copy.sqlite")
		if err == nil {
			err = os.WriteFile(alone, data, 0o600)
		}
		solvetest.OK(t, err)
		if err := openAt(t, alone).Export(t.Context(), &copied); err != nil || copied.String() != all.String() || bytes.Count(all.Bytes(), []byte("\n")) != n+1 {
			t.Errorf("beside %d others: %v, the copy holds\n%s\nwant\n%s", others, err, &copied, &all)
		}
		if others == 0 {
			for _, end := range []string{"-wal", "-shm"} {
				if _, err := os.Stat(path + end); !os.IsNotExist(err) {
					t.Errorf("%s is left: %v", end, err)
				}
			}
		}
	}
}

// nobody is a user's number that owns no file of the test.
const nobody = 65534

// TestReadOnly reads stores that cannot be written, in a process of a user whom
// modes bind.
func TestReadOnly(t *testing.T) {
	if path := os.Getenv("STORE_TEST_READER"); path != "" {
		readOnly(t, path)
		return
	}
	for _, row := range []struct {
		why          string
		file, folder os.FileMode
	}{
		{"the file", 0o444, 0o777},
		{"the folder", 0o666, 0o555},
		{"both", 0o444, 0o555},
	} {
		folder := t.TempDir()
		path := filepath.Join(folder, "s.sqlite")
		s := solvetest.Must(Open(t.Context(), path, solve.Judge))(t)
		keep(t, s, numbered(1))
		solvetest.OK(t, errors.Join(s.Close(), os.Chmod(path, row.file), os.Chmod(folder, row.folder), os.Chmod(filepath.Dir(folder), 0o755)))
		cmd := exec.Command(os.Args[0], "-test.run=^TestReadOnly$", "-test.v")
		cmd.Env = append(os.Environ(), "STORE_TEST_READER="+path)
		out, err := cmd.CombinedOutput()
		if err != nil || !bytes.Contains(out, []byte("--- PASS: TestReadOnly")) {
			t.Errorf("%s cannot be written: %v\n%s", row.why, err, out)
		}
		if err := os.Chmod(folder, 0o700); err != nil { // to be removed
			t.Error(err)
		}
	}
}

func readOnly(t *testing.T, path string) {
	if os.Geteuid() == 0 { // no mode binds root
		solvetest.OK(t, syscall.Setuid(nobody))
	}
	s := solvetest.Must(Open(t.Context(), path, solve.Judge))(t)
	var all bytes.Buffer
	if err := s.Export(t.Context(), &all); err != nil || bytes.Count(all.Bytes(), []byte("\n")) != 2 {
		t.Errorf("exported: %v\n%s", err, &all)
	}
	if known, err := s.Recall(t.Context(), "toy", numbered(1).Puzzle, "v1"); err != nil || known == nil {
		t.Errorf("recalled %+v, %v", known, err)
	}
	if _, err := s.Keep(context.Background(), numbered(2)); !errors.Is(err, ErrReadOnly) {
		t.Errorf("kept: %v, want %v", err, ErrReadOnly)
	}
	solvetest.Fine(t, s.Close())
}
