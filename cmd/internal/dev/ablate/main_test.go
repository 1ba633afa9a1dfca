package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOff: a part returns nothing at once, and two of one file do.
func TestOff(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "package p\nfunc (p *P) one(a int) (x, y []int, err error) {\n\treturn\n}\nfunc two() bool { return false }\n"
	if err := os.MkdirAll("of/p", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("of/p/p.go", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	changed := map[string][]byte{}
	for _, part := range []string{"of/p.P.one", "of/p.two=true"} {
		if err := off(changed, part); err != nil {
			t.Fatal(err)
		}
	}
	path, err := filepath.Abs("of/p/p.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"err error) {if true { return *new([]int), *new([]int), *new(error) };", "bool {if true { return true };"} {
		if !strings.Contains(string(changed[path]), want) {
			t.Errorf("got %s, want %q in it", changed[path], want)
		}
	}
	if off(changed, "of/p.three") == nil || off(changed, "p") == nil {
		t.Error("what is no function was switched off")
	}
}
