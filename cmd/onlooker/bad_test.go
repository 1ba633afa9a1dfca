//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/games"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/program"
	"onlooker/cmd/internal/program/programtest"
	"onlooker/cmd/internal/solving"
	"onlooker/cmd/internal/store"
	"onlooker/solve/solvetest"
)

// badFiles are files of every kind that a user may name by mistake.
func badFiles(t *testing.T, dir string) []string {
	t.Helper()
	at := func(name string) string { return filepath.Join(dir, name) }
	binary := make([]byte, 3000)
	for i := range binary {
		binary[i] = byte(i * i >> 3)
	}
	picture := at("whole.png")
	want(t, "", "generate", "flow", "--size", "5x5", "--seed", "3", "--no-store", "-o", picture)
	data := solvetest.Must(os.ReadFile(picture))(t)
	long := bytes.Repeat([]byte("a"), cli.MostRead+2)
	for name, data := range map[string][]byte{"long.txt": long, "empty.txt": nil, "binary.txt": binary, "binary.png": binary, "cut.png": data[:len(data)/2], "closed.txt": []byte("A\n"), "wide.txt": []byte("panel 1x1\n+->\n|a|\n@-+\n" + strings.Repeat("a = ", 500) + "\n"), "code.txt": []byte("CAUSAigEEgIIBBI2EggIBxABEgASBAgHEAESAigHEgQIBxABEgASBAgHEAIwABICWAMSAigE_0\n"), "json.txt": []byte(`{"store":"2","image":[],"status":{},"grid":5,`), "wrong.json": []byte(`{"store":"2","image":[],"status":{},"strokes":5,"grid":5}`)} {
		solvetest.OK(t, os.WriteFile(at(name), data, 0o644))
	}
	solvetest.OK(t, errors.Join(os.Symlink("loop.txt", at("loop.txt")), os.Mkdir(at("folder"), 0o755), syscall.Mkfifo(at("pipe.txt"), 0o644)))
	var all []string
	for _, name := range []string{"long.txt", "empty.txt", "binary.txt", "binary.png", "wide.txt", "code.txt", "cut.png", "json.txt", "wrong.json", "loop.txt", "folder", "whole.png/x.txt", "none.txt"} {
		all = append(all, at(name))
	}
	return append(all, "/dev/zero")
}

// badUses are the commands with a file in the place of FILE.
func badUses(good, panel, kept string) map[string][]string {
	return map[string][]string{
		"solve":        {"solve", "--no-store", "FILE"},
		"read":         {"read", "--no-store", "FILE"},
		"convert":      {"convert", "--to", "text", "FILE"},
		"check":        {"check", "FILE", "[[[0,4],[2,4]]]"},
		"an answer":    {"check", code, "FILE"},
		"import":       {"import", "--store", kept, "FILE"},
		"lines":        {"solve", "--json", "--no-store", "--lines", "FILE"},
		"calibrate":    {"calibrate", "-o", "OUT", "FILE"},
		"a truth":      {"calibrate", "-o", "OUT", "--truth", "FILE", panel},
		"cells' truth": {"calibrate", "--family", "flow", "-o", "OUT", "--truth", "FILE", good},
		"a look":       {"read", "--no-store", "--profile", "FILE/", good},
		"a replay":     {"watch", "--replay", "FILE"},
	}
}

// TestBadFiles names every bad file to every command that reads one: one short line in
// plain words, and status 1.
func TestBadFiles(t *testing.T) {
	dir := t.TempDir()
	files := badFiles(t, dir)
	good, panel, kept := filepath.Join(dir, "whole.png"), shotOf(t, dir, "panel.png", squaresText, violet(t), 48), filepath.Join(t.TempDir(), "s.sqlite")
	for what, args := range badUses(good, panel, kept) {
		for i, file := range files {
			used := make([]string, len(args))
			for k, arg := range args {
				used[k] = strings.ReplaceAll(strings.ReplaceAll(arg, "FILE", file), "OUT", filepath.Join(dir, fmt.Sprintf("out%d", i)))
			}
			out, errOut, status := onlooker(t, "", used...)
			if what == "lines" && filepath.Base(file) == "empty.txt" { // no line, nothing to do
				if out+errOut != "" || status != 0 {
					t.Errorf("%s, %s: status %d: %s%s", what, filepath.Base(file), status, out, errOut)
				}
				continue
			}
			if what == "lines" && (strings.HasSuffix(file, "wide.txt") || strings.HasSuffix(file, "code.txt")) {
				continue // boards line by line
			}
			if what == "lines" && (strings.HasSuffix(file, ".json") || strings.HasSuffix(file, "json.txt") || strings.HasSuffix(file, "cut.png")) {
				// Lines that can be read are boards that fail, a line of JSON each.
				errOut = "onlooker: " + strings.Join(strings.Fields(errOut+out), " ") + "\n"
			}
			said := strings.TrimSuffix(errOut, "\n")
			if status != 1 || !strings.HasPrefix(said, "onlooker: ") || strings.Contains(said, "\n") || len(said) > 400 {
				t.Errorf("%s, %s: status %d, want 1 and one line: %.600s", what, filepath.Base(file), status, errOut)
			}
			solvetest.Same(t, raw.FindString(said), "", "%s, %s: is no plain word: %.600s", what, filepath.Base(file), errOut)
		}
	}
}

// TestBadInputOfOthers: a file that may not be read, and one that comes through a pipe.
func TestBadInputOfOthers(t *testing.T) {
	dir := openFolder(t)
	closed, pipe, picture := filepath.Join(dir, "closed.txt"), filepath.Join(dir, "pipe.png"), filepath.Join(dir, "good.png")
	want(t, "", "generate", "flow", "--size", "5x5", "--seed", "3", "--no-store", "-o", picture)
	solvetest.OK(t, errors.Join(os.WriteFile(closed, []byte("A\n"), 0), syscall.Mkfifo(pipe, 0o644)))
	for what, args := range badUses(picture, picture, filepath.Join(dir, "s.sqlite")) {
		if what == "a look" || what == "a replay" {
			continue // they are folders
		}
		used := make([]string, len(args))
		for k, arg := range args {
			used[k] = strings.ReplaceAll(strings.ReplaceAll(arg, "FILE", closed), "OUT", filepath.Join(dir, "out"))
		}
		_, errOut, status := ended(t, child(t, []string{asNobody + "=1", "HOME=" + dir}, used...))
		if status != 1 || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, closed+": permission denied") || raw.MatchString(errOut) {
			t.Errorf("%s: status %d, want 1 and one line: %s", what, status, errOut)
		}
	}
	data := solvetest.Must(os.ReadFile(picture))(t)
	for _, command := range []string{"read", "solve"} {
		go func() {
			solvetest.Fine(t, os.WriteFile(pipe, data, 0o644))
		}()
		if got := want(t, "", command, "--no-store", pipe); !strings.Contains(got, "board 1: flow") && !strings.Contains(got, "solved in") {
			t.Errorf("%s from a pipe: %s", command, got)
		}
	}
}

// TestPipesWithoutEnd puts pipes that nobody writes in the places of files that the program
// keeps itself.
func TestPipesWithoutEnd(t *testing.T) {
	dir := t.TempDir()
	settings := filepath.Join(dir, "onlooker", "config.toml")
	run, tape := filepath.Join(dir, "run.json"), filepath.Join(dir, "tape.jsonl")
	err := os.Mkdir(filepath.Dir(settings), 0o755)
	for _, name := range []string{settings, run, tape} {
		err = errors.Join(err, syscall.Mkfifo(name, 0o644))
	}
	solvetest.OK(t, err)
	for _, row := range []struct {
		home string
		args []string
	}{
		{dir, []string{"solve", "--no-store", "grid 3x1 / *o*"}},
		{t.TempDir(), []string{"watch", "--replay", dir}},
		{t.TempDir(), []string{"watch", "--drive", "--replay", dir}},
		{t.TempDir(), []string{"export", "--store", run}},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		c := exec.CommandContext(ctx, os.Args[0], row.args...)
		c.Env = append(os.Environ(), asProgram+"=1", "XDG_CONFIG_HOME="+row.home)
		_, errOut, status := ended(t, c)
		if status != 1 || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, "want a file") {
			t.Errorf("%q: status %d, want 1: %s", row.args, status, errOut)
		}
		cancel()
	}
}

// asNobody is set where the program that a test starts is to run as a user whom modes
// bind: they do not bind root.
const asNobody = "ONLOOKER_TEST_AS_NOBODY"

func init() {
	if os.Getenv(asNobody) == "" || os.Geteuid() != 0 {
		return
	}
	const nobody = 65534
	if err := errors.Join(syscall.Setgid(nobody), syscall.Setuid(nobody)); err != nil {
		panic(err) // of the test's own process
	}
}

// A child is the program in a process of its own.
func child(t *testing.T, env []string, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0], args...)
	c.Env = append(append(os.Environ(), asProgram+"=1"), env...)
	return c
}

// ended runs a child to its end.
func ended(t *testing.T, c *exec.Cmd) (out, errOut string, status int) {
	t.Helper()
	var o, e bytes.Buffer
	if c.Stdout == nil {
		c.Stdout = &o
	}
	c.Stderr = &e
	var exit *exec.ExitError
	if err := c.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return o.String(), e.String(), c.ProcessState.ExitCode()
}

// served starts a program whose command is serve and tells its page's address; it is
// killed when the test ends.
func served(t *testing.T, c *exec.Cmd) (url string) {
	t.Helper()
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	solvetest.OK(t, err)
	t.Cleanup(func() {
		_ = c.Process.Kill() // it may have ended
		_ = c.Wait()         // with the signal's status
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	_, at, ok := strings.Cut(strings.TrimSpace(line), "serve: ")
	if !ok || err != nil {
		t.Fatalf("serve says %q, %v", line, err)
	}
	return strings.TrimSuffix(at, "/")
}

// posted asks a page and gives what it says.
func posted(t *testing.T, url, body string) string {
	t.Helper()
	r := solvetest.Must(http.Post(url, "application/json", strings.NewReader(body)))(t)
	defer r.Body.Close()
	said := solvetest.Must(io.ReadAll(r.Body))(t)
	return string(said)
}

// openFolder is a folder that every user may write to.
func openFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	solvetest.OK(t, errors.Join(os.Chmod(dir, 0o777), os.Chmod(filepath.Dir(dir), 0o755)))
	return dir
}

// TestHome: a home that cannot be used costs what would be kept there, and not the
// answer; that it does is one line.
func TestHome(t *testing.T) {
	dir := openFolder(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	file, bare, closed := at("file"), at("bare"), at("closed")
	picture, panel := at("board.png"), shotOf(t, dir, "panel.png", squaresText, violet(t), 48)
	want(t, "", "generate", "flow", "--size", "5x5", "--seed", "3", "--no-store", "-o", picture)
	err := errors.Join(os.WriteFile(file, nil, 0o644), os.Mkdir(bare, 0o555), os.MkdirAll(filepath.Join(closed, ".config"), 0o755), os.Chmod(filepath.Join(closed, ".config"), 0))
	solvetest.OK(t, err)
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(closed, ".config"), 0o700) }) // to be removed
	board := "grid 3x1 / *o*"
	all := [][]string{
		{"solve", board}, {"batch", at("board.txt")}, {"generate", "flow", "-n", "1", "--seed", "1"}, {"read", picture}, {"solve", picture},
		{"convert", "--to", "text", board}, {"watch", "--replay", at("shots")}, {"calibrate", "-o", at("look"), panel}, {"games"},
	}
	err = errors.Join(os.WriteFile(at("board.txt"), []byte("grid 3x1\n*o*\n"), 0o644), os.Mkdir(at("shots"), 0o755))
	if err == nil {
		err = os.Link(picture, filepath.Join(at("shots"), "0001.png"))
	}
	solvetest.OK(t, err)
	few := [][]string{all[0], all[3], all[6]}
	for _, row := range []struct {
		why, home string
		commands  [][]string
	}{
		{"not there", "/nonexistent", all},
		{"a file", file, few},
		{"none", "", few},
		{"not to be written", bare, few},
		{"not to be read", closed, all},
	} {
		for _, args := range row.commands {
			if args[0] == "calibrate" {
				args[2] = at("look " + row.why)
			}
			c := child(t, []string{asNobody + "=1", "HOME=" + row.home, "XDG_DATA_HOME=", "XDG_CONFIG_HOME=", "XDG_CACHE_HOME="}, args...)
			out, errOut, status := ended(t, c)
			var warned []string
			for line := range strings.Lines(errOut) {
				if strings.HasPrefix(line, "onlooker: ") {
					warned = append(warned, line)
				}
			}
			keeps := args[0] == "solve" || args[0] == "batch" || args[0] == "generate" || args[0] == "read"
			looks := row.home == closed && args[len(args)-1] != board && args[0] != "batch" && args[0] != "generate"
			most := 0
			for _, warns := range []bool{keeps, looks} {
				if warns {
					most++
				}
			}
			if status != 0 || out == "" || len(warned) != most {
				t.Errorf("home %s, %s: status %d, want 0, an answer and %d lines: %s%s", row.why, strings.Join(args, " "), status, most, out, errOut)
			}
			for _, line := range warned {
				if !strings.Contains(line, "; going on without") || len(line) > 200 {
					t.Errorf("home %s, %s: %q, want what it goes on without", row.why, strings.Join(args, " "), line)
				}
			}
		}
	}
}

// TestHomeServes asks the page of a program without a home.
func TestHomeServes(t *testing.T) {
	c := child(t, []string{asNobody + "=1", "HOME=/nonexistent", "XDG_DATA_HOME=", "XDG_CONFIG_HOME=", "XDG_CACHE_HOME="}, "serve", "--no-open", "--port", "0")
	var said bytes.Buffer
	c.Stderr = &said
	url := served(t, c)
	if answer := posted(t, url+"/api/solve", `{"family":"witness","text":`+quoted(tinyPanel)+`}`); !strings.Contains(answer, `"kind":"answer"`) {
		t.Errorf("the page answers %s", answer)
	}
	solvetest.OK(t, c.Process.Signal(syscall.SIGTERM))
	if err := c.Wait(); err != nil || strings.Count(said.String(), "\n") != 1 || !strings.Contains(said.String(), "going on without it") {
		t.Errorf("%v, it says %q, want one line", err, said.String())
	}
}

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
	s := solvetest.Must(store.Open(t.Context(), file, answer.Judge))(t, "after a kill")
	defer s.Close()
	d := solvetest.Must(intake.NewDecoder(t.Context(), &intake.Games{List: games.Of()}, nil, intake.Flags{}))(t)
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
