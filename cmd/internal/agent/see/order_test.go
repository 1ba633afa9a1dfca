package see

import (
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestHandedForward: what a frame shows is handed on and never back. No file names a type, a
// function or a number of one that comes before it, from the loop down to a reading.
func TestHandedForward(t *testing.T) {
	order := strings.Fields("loop record marks observe turn pillar draft look detect decide refusal flaw reading game")
	of, uses := map[string]string{}, map[string][]string{}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		name, source := strings.CutSuffix(f.Name(), ".go")
		if !source || strings.HasSuffix(name, "_test") {
			continue
		}
		if !slices.Contains(order, name) {
			t.Errorf("%s.go: it has no place among %v", name, order)
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for n := range parsed.Scope.Objects {
			of[n] = name
		}
		for _, n := range parsed.Unresolved {
			uses[name] = append(uses[name], n.Name)
		}
	}
	for name, list := range uses {
		for _, n := range list {
			if in := of[n]; in != "" && slices.Index(order, in) < slices.Index(order, name) {
				t.Errorf("%s.go uses %s of %s.go, which comes before it", name, n, in)
			}
		}
	}
}
