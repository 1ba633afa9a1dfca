//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"onlooker/cmd/internal/cli"
	"onlooker/solve/solvetest"
)

// raw is what libraries say of a failure, and no word for people.
var raw = regexp.MustCompile(`bufio|(?:^| )(?:json|toml|png): |invalid character|cannot unmarshal|unexpected E|illegal seek|\b(open|read|stat|lstat|mkdir|seek) [./]|<nil>|%!|goroutine|runtime error|token too long`)

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
			if word := raw.FindString(said); word != "" {
				t.Errorf("%s, %s: %q is no plain word: %.600s", what, filepath.Base(file), word, errOut)
			}
		}
	}
}

// TestNoName names nothing, as a script does whose variable is empty.
func TestNoName(t *testing.T) {
	for _, args := range []string{"read", "solve --no-store", "convert --to text", "import", "calibrate -o " + filepath.Join(t.TempDir(), "look"), "check []", "solve --no-store --lines", "solve --no-store --picture"} {
		_, errOut, status := onlooker(t, "", append(strings.Fields(args), "")...)
		if (status != 1 && status != 2) || strings.Count(errOut, "\n") != 1 || strings.Contains(errOut, ": : ") || raw.MatchString(errOut) {
			t.Errorf("%s \"\": status %d, want 1 or 2 and one line: %.300s", args, status, errOut)
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
			if err := os.WriteFile(pipe, data, 0o644); err != nil {
				t.Error(err)
			}
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
