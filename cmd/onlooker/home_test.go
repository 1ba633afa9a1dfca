//go:build unix

package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"onlooker/solve/solvetest"
)

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
