package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"onlooker/solve"
	"onlooker/solve/solvetest"
)

// TestMain is also the process that the tests below start and kill: it keeps
// puzzles in the store that it is told, numbered from a first one on, and says
// each number after Keep has returned.
func TestMain(m *testing.M) {
	path := os.Getenv("STORE_TEST_WRITER")
	if path == "" {
		os.Exit(m.Run())
	}
	ctx := context.Background()
	s, err := Open(ctx, path, solve.Judge)
	if err == nil {
		var first, n int
		_, err = fmt.Sscanf(os.Getenv("STORE_TEST_NUMBERS"), "%d+%d", &first, &n)
		for i := first; i < first+n && err == nil; i++ {
			if _, err = s.Keep(ctx, numbered(i)); err == nil {
				_, err = fmt.Println(i)
			}
		}
	}
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// numbered is a puzzle with its answer.
func numbered(i int) News {
	p := toy{1 + i%7, 1 + i%5, i, "star"}
	n := p.seen(File, "x")
	n.Answers = []KeptAnswer{p.answered(true)}
	return n
}

// A writer is a process that keeps n puzzles from first on; what it said it
// kept is told to kept, which ends it by returning false.
func writer(path string, first, n int, kept func(i int) bool) error {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "STORE_TEST_WRITER="+path, fmt.Sprintf("STORE_TEST_NUMBERS=%d+%d", first, n))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return err
	}
	killed := false
	scan := bufio.NewScanner(out)
	for scan.Scan() {
		i, err := strconv.Atoi(scan.Text())
		if err != nil {
			break // torn off by the kill
		}
		if !kept(i) && !killed {
			killed = true
			if err := cmd.Process.Kill(); err != nil {
				return err
			}
		}
	}
	if err := cmd.Wait(); err != nil && !killed {
		return err
	}
	return nil
}

// TestKill kills processes in the middle of a thousand writes and asks for all
// that they said they had kept. More is asked for by ONLOOKER_MORE.
func TestKill(t *testing.T) {
	rounds := 6 * solvetest.More()
	const writes = 1000
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "store.sqlite")
	total, early, inFile := 0, 0, 0
	for round := range rounds {
		// From the first write, before which the file is made, to the last.
		after := rand.IntN(writes)
		said := map[int]bool{}
		solvetest.OK(t, writer(path, round*writes, writes, func(i int) bool {
			said[i] = true
			return len(said) <= after
		}))
		if len(said) < writes {
			early++
		}
		s := solvetest.Must(Open(ctx, path, solve.Judge))(t, fmt.Sprintf("round %d: after the kill", round))
		solvetest.OK(t, s.sound(ctx), fmt.Sprintf("round %d", round))
		for i := range said {
			n := numbered(i)
			known, err := s.Recall(ctx, "toy", n.Puzzle, "v1")
			if err != nil || known == nil {
				t.Errorf("round %d: puzzle %d was called kept and is lost (%v)", round, i, err)
			}
		}
		total += len(said)
		inFile += len(said)
		if n, err := s.Count(ctx, Filter{}); err != nil || n < inFile {
			t.Errorf("round %d: %d puzzles in the file, %v, want %d of all rounds", round, n, err, inFile)
		}
		solvetest.Fine(t, s.Close())
		if round%20 == 19 { // a file that stays small keeps the rounds short
			inFile = 0
			for _, end := range []string{"", "-wal", "-shm"} {
				if err := os.Remove(path + end); err != nil && !os.IsNotExist(err) {
					t.Fatal(err)
				}
			}
		}
	}
	if early == 0 {
		t.Errorf("none of %d processes was killed before it was done", rounds)
	}
	t.Logf("%d processes, %d killed before they were done; %d puzzles called kept, all there", rounds, early, total)
}

// TestTwoProcesses lets processes make the store and write to it at once.
func TestTwoProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.sqlite")
	const processes, each = 4, 100
	var wait sync.WaitGroup
	errs := make([]error, processes)
	for i := range processes {
		wait.Go(func() {
			// Half of what each writes another one writes as well.
			errs[i] = writer(path, i*each/2, each, func(int) bool { return true })
		})
	}
	wait.Wait()
	for i, err := range errs {
		solvetest.Fine(t, err, fmt.Sprintf("process %d", i))
	}
	n, err := openAt(t, path).Count(context.Background(), Filter{})
	if want := (processes + 1) * each / 2; n != want || err != nil {
		t.Errorf("%d puzzles, %v, want %d", n, err, want)
	}
	entries := solvetest.Must(os.ReadDir(filepath.Dir(path)))(t)
	for _, e := range entries {
		if info, err := e.Info(); err != nil || info.Mode().Perm()&0o077 != 0 || !strings.HasPrefix(e.Name(), "store.sqlite") {
			t.Errorf("%s: mode %v, %v, want nobody else to read it", e.Name(), info.Mode(), err)
		}
	}
}

// sound reads all of the file, and tells what is broken in it.
func (s *Store) sound(ctx context.Context) error {
	var found string
	err := s.db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&found)
	if err == nil && found != "ok" {
		err = errors.New(found)
	}
	if err != nil {
		return fmt.Errorf("store: %s: %w", s.path, err)
	}
	return nil
}
