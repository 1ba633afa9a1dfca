package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestProject holds the files that a public project is met by to what they promise.
func TestProject(t *testing.T) {
	root := filepath.Join("..", "..")
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
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
		{".github/workflows/nightly.yml", "govulncheck"},
		{".github/workflows/nightly.yml", "make race"},
		{".github/workflows/nightly.yml", "windows"},
		{".github/workflows/release.yml", "needs: [test, build]"},
		{".github/dependabot.yml", "gomod"},
		{".github/dependabot.yml", "github-actions"},
		{".github/SECURITY.md", "\n"},
		{".github/ISSUE_TEMPLATE/misread.yml", "onlooker doctor --json"},
		{".github/ISSUE_TEMPLATE/misread.yml", "onlooker failures"},
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
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"turn-0001.json", "frame-0001.png"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("{}"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, row := range []struct{ args, want string }{
		{"failures", "2 kept failures in "}, {"failures --clear", "2"}, {"failures", "0 kept failures in "},
	} {
		if status, out, errOut := says(t, strings.Fields(row.args)...); status != 0 || !strings.Contains(out, row.want) {
			t.Errorf("onlooker %s ends with %d and says %s%s, want %q", row.args, status, out, errOut, row.want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(cache, "onlooker", "failures", "*", "*")); len(left) > 0 {
		t.Errorf("left are %q", left)
	}
}
