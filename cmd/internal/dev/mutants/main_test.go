package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSites: each kind of line is changed, in one place, into something that parses; constants'
// types and what is generated are left alone.
func TestSites(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.go")
	text := `package a

type row [3]int

func f(a, b int, err error) (int, error) {
	if err != nil {
		return -a, err
	}
	if ok(a) && a < b {
		g(b + 2)
	}
	return 0, nil
}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	sites, err := sitesOf(file)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for i := range sites {
		s := &sites[i]
		changed := string(s.mutated())
		if _, err := parser.ParseFile(token.NewFileSet(), file, changed, 0); err != nil || changed == text || strings.Count(changed, "\n") != strings.Count(text, "\n") {
			t.Errorf("%s %d: %v\n%s", s.kind, s.line, err, changed)
		}
		got[s.kind+" "+strings.TrimSpace(strings.Split(changed, "\n")[s.line-1])] = true
	}
	for _, want := range []string{
		"dropped error if (err != nil && false) {", "sign return +a, err", "condition if ok(a) || a < b {", "bound if ok(a) && a <= b {",
		"sign g(b - 2)", "number g(b + 0)", "call ", "number return 1, nil",
	} {
		if !got[want] {
			t.Errorf("no change makes %q: %v", want, got)
		}
	}
	if len(got) != 8 {
		t.Errorf("%d changes, want 8: %v", len(got), got)
	}
}

// TestNearest: a package's own tests come first, then those of its name, then of its folder.
func TestNearest(t *testing.T) {
	p := &pack{ImportPath: "m/solve/flow", TestGoFiles: []string{"a_test.go"}}
	uses := func(path string, tested bool) *pack {
		o := &pack{ImportPath: path, Imports: []string{p.ImportPath}}
		if tested {
			o.XTestGoFiles = []string{"b_test.go"}
		}
		return o
	}
	got := nearest(p, []*pack{p, uses("m/cmd", true), uses("m/vision/flow", true), uses("m/solve/all", true), uses("m/solve/none", false)}, 2)
	if want := "m/solve/flow m/vision/flow m/solve/all"; strings.Join(got, " ") != want {
		t.Errorf("%v, want %s", got, want)
	}
}
