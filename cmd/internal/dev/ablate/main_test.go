package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"onlooker/solve/solvetest"
)

// TestOff: a part returns nothing at once, and two of one file do.
func TestOff(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "package p\nfunc (p *P) one(a int) (x, y []int, err error) {\n\treturn\n}\nfunc two() bool { return false }\n"
	solvetest.OK(t, os.MkdirAll("of/p", 0o700))
	solvetest.OK(t, os.WriteFile("of/p/p.go", []byte(text), 0o600))
	changed := map[string][]byte{}
	for _, part := range []string{"of/p.P.one", "of/p.two=true"} {
		solvetest.OK(t, off(changed, part))
	}
	path := solvetest.Must(filepath.Abs("of/p/p.go"))(t)
	for _, want := range []string{"err error) {if true { return *new([]int), *new([]int), *new(error) };", "bool {if true { return true };"} {
		if !strings.Contains(string(changed[path]), want) {
			t.Errorf("got %s, want %q in it", changed[path], want)
		}
	}
	if off(changed, "of/p.three") == nil || off(changed, "p") == nil {
		t.Error("what is no function was switched off")
	}
}
