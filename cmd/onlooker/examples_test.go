//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"image"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/dev/showcase"
	"onlooker/cmd/internal/games"
	"onlooker/cmd/internal/program"
	"onlooker/solve/solvetest"
)

// An example is a command that a text shows, and what it says that it prints.
type example struct {
	from    string // the text
	command string
	prints  string // "" where the text shows no output
}

// TestExamples runs every example of every README and of every help in a shell, in a
// folder that has the files that they name, and wants what stands there.
func TestExamples(t *testing.T) {
	d := showcase.TestDisplay(t, 800, 600)
	solvetest.OK(t, showcase.TestWindow(t, d, "The Witness", image.Rect(0, 0, 800, 600)).Show(scene(t, "maze-3", 800, 600, 1)))
	bin, home := t.TempDir(), t.TempDir()
	program := solvetest.Must(os.Executable())(t)
	for name, script := range map[string]string{
		"onlooker": "exec env " + asProgram + "=1 '" + program + `' "$@"`,
		"xclip":    "cat panel.txt",
		// As parallel does with one part: its own flags go, the command runs.
		"parallel": `while [ "$1" != onlooker ]; do shift; done; exec "$@"`,
		"xdg-open": "exit 0",
	} {
		solvetest.OK(t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
	}
	all := examples(t)
	if len(all) < 45 {
		t.Fatalf("only %d examples are found", len(all))
	}
	environment := func(from string) []string {
		return append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "HOME="+home, "XDG_DATA_HOME="+filepath.Join(home, from),
			"XDG_CACHE_HOME="+home, "XDG_CONFIG_HOME="+home)
	}
	dirs := map[string]string{} // one for each text: what one example writes the next one reads
	for _, e := range all {
		if dirs[e.from] == "" {
			dirs[e.from] = t.TempDir()
			exampleFiles(t, dirs[e.from])
			first := example{e.from, "onlooker solve codes.txt", ""} // there is something in the store
			first.run(t, dirs[e.from], environment(e.from))
		}
		dir := dirs[e.from]
		pillars := strings.Contains(e.command, "pillar-0.png")
		if pillars && !exampleViews(t, dir) {
			t.Logf("%s: not run, no shared captures: %s", e.from, e.command)
			continue
		}
		e.run(t, dir, environment(e.from))
		if pillars {
			for _, name := range viewNames() {
				solvetest.OK(t, os.Remove(filepath.Join(dir, name)))
			}
		}
	}
}

// endless are commands that run until they are told to end, and what they say when they
// have begun.
func endless() map[string]string {
	return map[string]string{"watch": "watching", "serve": "serve: http://", "practice": "practice: http://"}
}

// refusesOthers asks a page by a name that is not this machine's.
func refusesOthers(t *testing.T, page string) {
	t.Helper()
	r := solvetest.Must(http.NewRequestWithContext(t.Context(), http.MethodGet, page, nil))(t)
	r.Host = "evil.example"
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Error(err)
		return
	}
	if answer.Body.Close(); answer.StatusCode != http.StatusForbidden {
		t.Errorf("%s says %s to another name, want 403", page, answer.Status)
	}
}

// run runs an example.
func (e example) run(t *testing.T, dir string, env []string) {
	t.Helper()
	words := strings.Fields(e.command[strings.Index(e.command, "onlooker"):])
	name := words[min(1, len(words)-1)]
	begun := endless()[name]
	if strings.Contains(e.command, "--replay") {
		begun = ""
	}
	if strings.Contains(e.command, "--folder") {
		begun = "waiting for new pictures"
	}
	command := e.command
	switch {
	case name == "calibrate" || strings.Contains(command, "./mylook"):
		command += " --help" // its pictures are the user's own: the flags alone are tried
	case strings.Contains(command, "--drive") && begun != "":
		command, begun = command+" --dry-run --yes", "1 of 1 done" // it tells of one, and stays armed
	case strings.Contains(command, "--json") && begun != "":
		begun = `"turn"`
	}
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	defer stop()
	c := exec.CommandContext(ctx, "sh", "-c", "exec "+command)
	if strings.ContainsAny(command, "|;") {
		c = exec.CommandContext(ctx, "sh", "-c", command)
	}
	c.Dir, c.Env = dir, env
	var out, errOut watched
	c.Stdout, c.Stderr = &out, &errOut
	solvetest.OK(t, c.Start())
	said := func() string { return out.String() + errOut.String() }
	if begun != "" {
		for start := time.Now(); !strings.Contains(said(), begun) && time.Since(start) < time.Minute; {
			time.Sleep(50 * time.Millisecond)
		}
		if _, folder, ok := strings.Cut(command, "--record "); ok { // until there is something to replay
			kept := filepath.Join(dir, strings.Fields(folder)[0], "*.png")
			for start := time.Now(); time.Since(start) < time.Minute; time.Sleep(50 * time.Millisecond) {
				if found, _ := filepath.Glob(kept); len(found) > 0 {
					break
				}
			}
		}
		if _, page, ok := strings.Cut(said(), name+": http://"); ok {
			refusesOthers(t, "http://"+strings.Fields(page)[0])
		}
		_ = c.Process.Signal(os.Interrupt) // one that has ended is told below
	}
	err := c.Wait()
	var exit *exec.ExitError
	switch {
	case begun != "" && !strings.Contains(said(), begun):
		t.Errorf("%s: %s: says %q, want %q", e.from, e.command, said(), begun)
	case name == "doctor" && errors.As(err, &exit) && exit.ExitCode() == 1: // this machine's faults
	case strings.Contains(command, "--replay run2") && strings.Contains(said(), "would trace"): // it ends as it ended
	case err != nil && begun == "":
		t.Errorf("%s: %s: %v: %s", e.from, e.command, err, said())
	}
	if e.prints == "" {
		return
	}
	plain := regexp.MustCompile(`solved (in [0-9.]+ ms|on [0-9: -]+)`)
	if got, want := plain.ReplaceAllString(strings.TrimSpace(said()), "solved"), plain.ReplaceAllString(strings.TrimSpace(e.prints), "solved"); got != want {
		t.Errorf("%s: %s prints\n%s\nwant\n%s", e.from, e.command, got, want)
	}
}

// examples are those of all READMEs and of all helps.
func examples(t *testing.T) (all []example) {
	t.Helper()
	a := program.New(games.Of(), strings.NewReader(""), os.Stdout, os.Stderr)
	root := newRoot(a)
	for _, c := range append(root.Commands(), root) {
		text := strings.ReplaceAll(c.Example, "\\\n", " ")
		for line := range strings.Lines(text) {
			if strings.Contains(line, "onlooker") {
				all = append(all, example{"help-" + c.Name(), strings.Join(strings.Fields(line), " "), ""})
			}
		}
	}
	readmes := solvetest.Must(filepath.Glob("../../*/README.md"))(t)
	for _, file := range append(readmes, "../../README.md", "../onlooker/README.md", "../../.github/CONTRIBUTING.md") {
		data := solvetest.Must(os.ReadFile(file))(t)
		all = append(all, inText(strings.ReplaceAll(strings.TrimPrefix(file, "../../"), "/", "-"), string(data))...)
	}
	return all
}

// inText are the examples of a text: indented commands, with a $ those with their output,
// and those in backquotes that name no placeholder. What only a cluster runs is left out.
func inText(from, text string) (all []example) {
	const indent = "    "
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line, ok := strings.CutPrefix(lines[i], indent)
		if !ok {
			continue
		}
		command, shown := strings.CutPrefix(line, "$ ")
		if !strings.Contains(" "+command, " onlooker ") || strings.Contains(command, "$SLURM") {
			continue
		}
		command, _, _ = strings.Cut(command, "  #")
		e := example{from, strings.TrimSpace(command), ""}
		for shown && i+1 < len(lines) && strings.HasPrefix(lines[i+1], indent) && !strings.HasPrefix(lines[i+1], indent+"$ ") {
			i++
			e.prints += lines[i][len(indent):] + "\n"
		}
		all = append(all, e)
	}
	if !strings.HasSuffix(from, "onlooker-README.md") && from != "README.md" {
		return all // elsewhere commands are named in sentences, not to be typed
	}
	for _, m := range regexp.MustCompile("`(?:\\./)?(onlooker [^`]+)`").FindAllStringSubmatch(text, -1) {
		if !regexp.MustCompile(`\b[A-Z]{2,}\b|…`).MatchString(m[1]) {
			all = append(all, example{from, m[1], ""})
		}
	}
	return all
}

func viewNames() []string { return []string{"pillar-0.png", "pillar-1.png", "pillar-2.png"} }

// exampleViews puts three views of a pillar into the folder, where there are any.
func exampleViews(t *testing.T, dir string) bool {
	t.Helper()
	for i, name := range viewNames() {
		data, err := os.ReadFile(solvetest.Shared("captures", "pillar-dots-01-view"+string(rune('0'+i))+".png"))
		if errors.Is(err, os.ErrNotExist) {
			return false
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), data, 0o644)
		}
		solvetest.OK(t, err)
	}
	return true
}

// exampleFiles puts the files that examples name into a folder; those that a README shows
// are as it shows them.
func exampleFiles(t *testing.T, dir string) {
	t.Helper()
	const code = "CAUSAigEEgIIBBIAEgQIBxABEgASBAgHEAESAigHEgQIBxABEgASBAgHEAISABICCAMSAigE_0\n"
	readme := solvetest.Must(os.ReadFile("README.md"))(t)
	var zipped bytes.Buffer
	const export = "{\"store\":2}\n" // of a store that holds nothing
	z := gzip.NewWriter(&zipped)
	_, _ = z.Write([]byte(export)) // into memory
	_ = z.Close()
	files := map[string]string{
		"links.txt": "https://windmill.thefifthmatt.com/" + code, "codes.txt": code, "boards/1.txt": "A.B\nA.B\n", "boards/2.txt": "grid 3x1\n*o*\n",
		"boards.fz": "4 3\nA..B\n....\nA..B\n", "mine.jsonl.gz": zipped.String(), "puzzles.jsonl": export,
	}
	for _, m := range regexp.MustCompile(`(?m)^    \$ cat (\S+)\n((?:    [^$].*\n)+)`).FindAllStringSubmatch(string(readme), -1) {
		files[m[1]] = strings.ReplaceAll("\n"+m[2], "\n    ", "\n")[1:]
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err == nil {
			err = os.WriteFile(path, []byte(text), 0o644)
		}
		solvetest.OK(t, err)
	}
	solvetest.OK(t, cli.WritePicture(filepath.Join(dir, "screenshot.png"), scene(t, "maze-3", 800, 600, 1)))
}
