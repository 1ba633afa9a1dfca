package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"onlooker/solve/solvetest"
)

// TestProject holds the files that a public project is met by to what they promise.
func TestProject(t *testing.T) {
	root := filepath.Join("..", "..")
	read := func(name string) string {
		data := solvetest.Must(os.ReadFile(filepath.Join(root, name)))(t)
		return string(data)
	}
	flows, err := filepath.Glob(filepath.Join(root, ".github", "workflows", "*.yml"))
	if err != nil || len(flows) < 3 {
		t.Fatalf("%q are the workflows, %v, want tests, a nightly run and a release", flows, err)
	}
	pinned := regexp.MustCompile(`uses: \S+@[0-9a-f]{40} # v`)
	for _, flow := range flows {
		for line := range strings.Lines(read(filepath.Join(".github", "workflows", filepath.Base(flow)))) {
			if strings.Contains(line, "uses:") && !pinned.MatchString(line) {
				t.Errorf("%s: an action that is not pinned to a commit: %s", filepath.Base(flow), strings.TrimSpace(line))
			}
		}
	}
	for _, row := range []struct{ file, want string }{
		{".github/workflows/test.yml", "pull_request"},
		{".github/workflows/test.yml", "CGO_ENABLED=0 go build ./solve/..."},
		{".github/workflows/nightly.yml", "govulncheck"},
		{".github/workflows/nightly.yml", "make race"},
		{".github/workflows/nightly.yml", "windows"},
		{".github/workflows/release.yml", "needs: [test, build]"},
		{".github/dependabot.yml", "gomod"},
		{".github/dependabot.yml", "github-actions"},
		{".github/SECURITY.md", "\n"},
		{".github/ISSUE_TEMPLATE/misread.yml", "onlooker doctor --json"},
		{".github/ISSUE_TEMPLATE/misread.yml", "onlooker watch --failures list"},
		{".ci/release", "package --packager deb"},
		{".ci/release", `man "$work/man"`},
		{"README.md", "](../../releases/latest)"},
	} {
		if !strings.Contains(read(row.file), row.want) {
			t.Errorf("%s: no %q in it", row.file, row.want)
		}
	}
	for line := range strings.Lines(read("Makefile")) {
		if strings.Contains(line, "-o onlooker ") && !strings.Contains(line, "main.version=$$(.ci/version)") {
			t.Errorf("Makefile leaves a program of no version: %s", strings.TrimSpace(line))
		}
	}
	for line := range strings.Lines(read("README.md")) {
		if strings.Contains(line, "releases/") && strings.Contains(line, "://") {
			t.Errorf("README.md: a link to a release that is not relative: %s", line)
		}
	}
	front := read("README.md")
	if lines, words := strings.Count(front, "\n"), len(strings.Fields(front)); lines > 110 || words > 900 {
		t.Errorf("README.md has %d lines and %d words, want at most 110 and 900", lines, words)
	}
	words := func(text string) int {
		return len(slices.DeleteFunc(strings.Fields(text), func(w string) bool {
			return !strings.ContainsFunc(w, unicode.IsLetter) && !strings.ContainsFunc(w, unicode.IsDigit)
		}))
	}
	for _, name := range []string{"solve/README.md", "vision/README.md", "README.md"} {
		text := read(name)
		if n := words(text); n > 1500 {
			t.Errorf("%s has %d words, want at most 1,500", name, n)
		}
		for line := range strings.Lines(text) {
			for cell := range strings.SplitSeq(line, "|") {
				if n := words(cell); strings.HasPrefix(line, "|") && n > 25 {
					t.Errorf("%s: a cell of %d words, want at most 25: %s", name, n, cell)
				}
			}
		}
	}
}

// TestDebian: the Debian package takes files that are here, has what a program for the desktop
// has, asks for what the program is linked with, and its entry in the menu starts a command that
// there is. What comes of it is installed by make test-release.
func TestDebian(t *testing.T) {
	root := filepath.Join("..", "..")
	data := solvetest.Must(os.ReadFile(filepath.Join(root, ".ci", "nfpm.yaml")))(t)
	release := solvetest.Must(os.ReadFile(filepath.Join(root, ".ci", "release")))(t)
	recipe := string(data)
	for _, row := range regexp.MustCompile(`src: (\S+)\n    dst: (\S+)`).FindAllStringSubmatch(recipe, -1) {
		src, made := strings.CutPrefix(row[1], "${WORK}/")
		if _, err := os.Stat(filepath.Join(root, src)); !made && err != nil {
			t.Errorf("%s comes from a file that is not here: %v", row[2], err)
		}
		if !strings.HasPrefix(row[2], "/usr/") {
			t.Errorf("%s goes to %s, want it below /usr", row[1], row[2])
		}
	}
	for _, want := range []string{
		"src: ${WORK}/onlooker\n    dst: /usr/bin/onlooker\n    file_info: {mode: 0755}", "dst: /usr/share/man/man1/",
		"dst: /usr/share/bash-completion/completions/onlooker", "dst: /usr/share/applications/onlooker.desktop",
		"dst: /usr/share/icons/hicolor/scalable/apps/onlooker.svg", "dst: /usr/share/doc/onlooker/copyright",
		"src: ${WORK}/read/licences\n    dst: /usr/share/doc/onlooker/licences",
		"name: onlooker\narch: amd64\n", "- libc6 (>= 2.31)\n", "- libx11-6\n", "- libxtst6\n",
	} {
		if !strings.Contains(recipe, want) {
			t.Errorf(".ci/nfpm.yaml: no %q in it", want)
		}
	}
	for _, hole := range regexp.MustCompile(`\$\{\w+\}`).FindAllString(recipe, -1) {
		if !strings.Contains(string(release), `s,\`+hole+`,`) {
			t.Errorf(".ci/release does not fill in %s", hole)
		}
	}
	entry := solvetest.Must(os.ReadFile(filepath.Join(root, ".ci", "onlooker.desktop")))(t)
	exec := regexp.MustCompile(`(?m)^Exec=onlooker (.+)$`).FindSubmatch(entry)
	if exec == nil || !strings.Contains(string(entry), "\nIcon=onlooker\n") {
		t.Fatalf("the menu's entry: %s", entry)
	}
	if status, out, errOut := says(t, append([]string{"help"}, strings.Fields(string(exec[1]))...)...); status != 0 {
		t.Errorf("the menu starts onlooker %s: %s%s", exec[1], out, errOut)
	}
}

// TestFailuresCommand counts what is kept of all runs, and clears it.
func TestFailuresCommand(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("LocalAppData", os.Getenv("XDG_CACHE_HOME"))
	cache, err := os.UserCacheDir()
	if err != nil || cache != os.Getenv("XDG_CACHE_HOME") {
		t.Skipf("the cache is %s: %v", cache, err)
	}
	for _, run := range []string{"20260101-000000", "20260102-000000"} {
		dir := filepath.Join(cache, "onlooker", "failures", run)
		solvetest.OK(t, os.MkdirAll(dir, 0o755))
		for _, name := range []string{"turn-0001.json", "frame-0001.png"} {
			solvetest.OK(t, os.WriteFile(filepath.Join(dir, name), []byte("{}"), 0o644))
		}
	}
	for _, row := range []struct{ args, want string }{
		{"watch --failures list", "2 kept failures in "}, {"watch --failures clear", "2"}, {"watch --failures list", "0 kept failures in "},
	} {
		if status, out, errOut := says(t, strings.Fields(row.args)...); status != 0 || !strings.Contains(out, row.want) {
			t.Errorf("onlooker %s ends with %d and says %s%s, want %q", row.args, status, out, errOut, row.want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(cache, "onlooker", "failures", "*", "*")); len(left) > 0 {
		t.Errorf("left are %q", left)
	}
}

// TestWalk follows the two walks through the code that a newcomer is shown: each is of a dozen
// files at most, in each of which is what it is said to do, and never comes back to one.
func TestWalk(t *testing.T) {
	data := solvetest.Must(os.ReadFile(filepath.Join("..", "..", ".github", "CONTRIBUTING.md")))(t)
	_, walks, _ := strings.Cut(string(data), "## A walk\n")
	walks, _, _ = strings.Cut(walks, "\n## ")
	both := strings.Split(walks, "| file | what |\n")[1:]
	if len(both) != 2 {
		t.Fatalf("%d walks, want 2", len(both))
	}
	for _, walk := range both {
		seen := map[string]bool{}
		for _, row := range regexp.MustCompile("(?m)^\\| `(\\S+)` `(\\w+)` \\|").FindAllStringSubmatch(walk, -1) {
			code, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(row[1])))
			if err != nil || !regexp.MustCompile(`(?m)^func (\(.*\) )?`+row[2]+`\b`).Match(code) || seen[row[1]] {
				t.Errorf("%s: %v, before %v; want a func %s, and a file that was not passed before", row[1], err, seen[row[1]], row[2])
			}
			seen[row[1]] = true
		}
		if len(seen) < 8 || len(seen) > 12 {
			t.Errorf("a walk of %d files, want 8 to 12", len(seen))
		}
	}
}

// TestPack: the same program packed twice gives the same bytes, with the licences of the modules
// and of what these took over; without those of C and C++ it is not packed.
func TestPack(t *testing.T) {
	native := t.TempDir()
	program := filepath.Join(native, "program")
	solvetest.OK(t, os.WriteFile(program, []byte("a program"), 0o600))
	packed := func(licences, system string) (archive []byte, err error) {
		dist := t.TempDir()
		c := exec.CommandContext(t.Context(), ".ci/pack", system, program, licences, "1.2.3", dist, "")
		c.Dir, c.Env = filepath.Join("..", ".."), append(os.Environ(), "SOURCE_DATE_EPOCH=1000000000")
		if out, err := c.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%w: %s", err, out)
		}
		names, _ := filepath.Glob(filepath.Join(dist, "onlooker-*"))
		return os.ReadFile(names[0])
	}
	first := solvetest.Must(packed(native, "windows"))(t)
	if again, err := packed(native, "windows"); err != nil || !bytes.Equal(first, again) {
		t.Errorf("packed twice, the archives differ: %v", err)
	}
	archive := solvetest.Must(zip.NewReader(bytes.NewReader(first), int64(len(first))))(t)
	for _, name := range []string{"onlooker.exe", "MANUAL.md", "licences/Go.txt", "licences/gocv.io-x-gocv.txt", "licences/github.com-go-vgo-robotgo.txt", "licences/github.com-atotto-clipboard.txt"} {
		if info, err := fs.Stat(archive, "onlooker-1.2.3-windows-amd64/"+name); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v, want it in the archive", name, err)
		}
	}
	if _, err := packed(t.TempDir(), "linux"); err == nil {
		t.Error("packed without the licences of what comes from C")
	}
}
