//go:build unix

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/games"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/program"
	"onlooker/cmd/internal/program/programtest"
	"onlooker/cmd/internal/solving"
	"onlooker/cmd/internal/store"
	"onlooker/solve/solvetest"
)

// TestKillProgram kills the program while it keeps what it solves, from lines and on its
// page: the store opens whole, and every answer that was told is in it.
func TestKillProgram(t *testing.T) {
	kills := 3 * solvetest.More()
	file := filepath.Join(t.TempDir(), "s.sqlite")
	total, early := 0, 0
	for round := range kills {
		boards := numberedBoards(round*200, 200)
		// After the first answers the store is there, and what is kept waits in line.
		after := 1 + rand.IntN(len(boards)/2)
		told := killedSolve
		if round%3 == 2 {
			told = killedServe
		}
		answered := told(t, file, boards, after)
		if len(answered) < len(boards) {
			early++
		}
		total += len(answered)
		holds(t, file, answered)
	}
	t.Logf("%d kills, %d in the middle; %d answers were told, all are kept", kills, early, total)
	if early == 0 {
		t.Error("no program was killed before it was done")
	}
	// The whole of it goes through import, which checks every answer.
	export := filepath.Join(t.TempDir(), "x.jsonl")
	want(t, "", "export", "--store", file, "-o", export)
	want(t, "", "import", "--own", "--store", filepath.Join(t.TempDir(), "other.sqlite"), export)
}

// TestEndedInTheMiddle ends the program while it keeps what it solves, by every signal that leaves
// it the time: the store is one file, and nothing is said but that it was interrupted.
func TestEndedInTheMiddle(t *testing.T) {
	for _, sent := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGABRT} {
		if sent == syscall.SIGHUP && signal.Ignored(sent) {
			t.Log("no hangup: the tests were started so that it is ignored")
			continue
		}
		dir := t.TempDir()
		c := child(t, nil, "solve", "--json", "--store", filepath.Join(dir, "s.sqlite"), "--lines", "-")
		c.Stdin = strings.NewReader(strings.Join(numberedBoards(0, 20000), "\n"))
		var said bytes.Buffer
		c.Stderr = &said
		out, err := c.StdoutPipe()
		if err == nil {
			err = c.Start()
		}
		solvetest.OK(t, err)
		lines := bufio.NewReader(out)
		_, _ = lines.ReadBytes('\n')
		solvetest.OK(t, c.Process.Signal(sent))
		_, _ = io.Copy(io.Discard, lines)
		_ = c.Wait() // its status follows
		left := solvetest.Must(os.ReadDir(dir))(t)
		if status := c.ProcessState.ExitCode(); status != 1 || strings.Count(said.String(), "\n") > 1 || len(left) != 1 {
			t.Errorf("%v: status %d, want 1; %d files, want the store; it says %.300s", sent, status, len(left), said.String())
		}
	}
}

// numberedBoards are boards of lamps that differ.
func numberedBoards(from, n int) (boards []string) {
	for i := from; i < from+n; i++ {
		bits := fmt.Sprintf("%020b", i+1)
		bits = strings.NewReplacer("0", "o", "1", "*").Replace(bits)
		boards = append(boards, fmt.Sprintf("grid 5x4 / %s / %s / %s / %s", bits[:5], bits[5:10], bits[10:15], bits[15:]))
	}
	return boards
}

// killedSolve kills solve after it has printed some lines, and gives the boards of all
// that it printed.
func killedSolve(t *testing.T, file string, boards []string, after int) (answered []string) {
	t.Helper()
	c := child(t, nil, "solve", "--json", "--store", file, "--lines", "-")
	c.Stdin = strings.NewReader(strings.Join(boards, "\n"))
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	solvetest.OK(t, err)
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break // a torn line was not told
		}
		for _, l := range programtest.Lines[solving.Line](t, string(line)) {
			if l.Status != answer.Solved && l.Status != answer.Unsolvable {
				t.Errorf("%s: %s", l.Input, l.Error)
			}
			answered = append(answered, l.Input)
		}
		if len(answered) == after {
			solvetest.OK(t, c.Process.Kill())
		}
	}
	_ = c.Wait() // by the signal
	return answered
}

// killedServe kills serve after its page has told some answers.
func killedServe(t *testing.T, file string, boards []string, after int) (answered []string) {
	t.Helper()
	c := child(t, nil, "serve", "--no-open", "--port", "0", "--store", file)
	var said bytes.Buffer
	c.Stderr = &said
	url := served(t, c)
	for _, b := range boards[:min(after, 30)] {
		text := strings.ReplaceAll(b, " / ", "\n")
		answer := posted(t, url+"/api/solve", `{"family":"switches","source":"page","text":`+quoted(text)+`}`)
		if strings.Contains(answer, `"kind":"answer"`) || strings.Contains(answer, `"kind":"none"`) {
			answered = append(answered, b)
		} else {
			t.Errorf("%s: the page says %s", b, answer)
		}
	}
	solvetest.OK(t, c.Process.Kill())
	_ = c.Wait() // by the signal
	return answered
}

// holds looks for boards in a store that nobody closed.
func holds(t *testing.T, file string, boards []string) {
	t.Helper()
	s, err := store.Open(t.Context(), file, answer.Judge)
	if err != nil {
		t.Fatalf("after a kill: %v", err)
	}
	defer s.Close()
	if err := s.Sound(t.Context()); err != nil {
		t.Error(err)
	}
	d := solvetest.Must(intake.NewDecoder(&intake.Games{List: games.Of()}, nil, intake.Flags{}))(t)
	for _, text := range boards {
		for b := range d.Boards(text) {
			known, err := s.Recall(t.Context(), "switches", b.Puzzle, program.SolverVersion())
			if err != nil || known == nil {
				t.Errorf("%s was answered, and is not kept (%v)", text, err)
			} else if known.Proof == nil && b.Puzzle.Check(t.Context(), known.Answer.Solution) != nil {
				t.Errorf("%s is kept with a wrong answer", text)
			}
		}
	}
}
