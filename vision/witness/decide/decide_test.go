package decide

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"image"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"onlooker/solve/solvetest"
	"onlooker/vision"
)

// TestDoubts: what answers a question leaves no doubt, and what does not refuses with what
// was asked, measured and wanted.
func TestDoubts(t *testing.T) {
	at := image.Pt(3, 5)
	for _, row := range []struct {
		doubt error
		want  string // "": none
	}{
		{DotOrNone.Over(at, 0.3, 0.3), ""},
		{DotOrNone.Over(at, 0.4, 0.3), "a dot or none: 0.40 of the contrast, want 0.30 at most"},
		{DotOrNone.Under(at, 0.3, 0.3), ""},
		{DotOrNone.Under(at, 0.2, 0.3), "a dot or none: 0.20 of the contrast, want 0.30"},
		{Symbols.Likely(at, 0.9, 0.9, "a star", "a square"), ""},
		{Symbols.Likely(at, 0.5, 0.9, "a star", "a square"), "a star, or a square: 0.00 log-odds, want 2.20"},
		{Symbols.Likely(at, 0, 0.9, "a star", "a square"), "a star, or a square: -20.72 log-odds, want 2.20"},
		{BoardSize.At(at, 4, 3), "how many cells it has: 4x3, or more or fewer"},
	} {
		var u *vision.UnsureError
		switch is := errors.As(row.doubt, &u); {
		case is != (row.want != ""):
			t.Errorf("%v, want %q", row.doubt, row.want)
		case is && (u.What != row.want || u.At != at || row.doubt.Error() != u.Error()):
			t.Errorf("%q at %v, want %q at %v", u.What, u.At, row.want, at)
		}
	}
}

// TestRefusals: the reader refuses in this package alone, in one place.
func TestRefusals(t *testing.T) {
	set := token.NewFileSet()
	var places []string
	solvetest.OK(t, filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if n, ok := n.(*ast.CompositeLit); ok {
				if of, ok := n.Type.(*ast.SelectorExpr); ok && of.Sel.Name == "UnsureError" {
					places = append(places, set.Position(n.Pos()).String())
				}
			}
			return true
		})
		return nil
	}))
	if len(places) != 1 || !strings.HasPrefix(places[0], filepath.Join("..", "decide")) {
		t.Errorf("refused at %v, want one place of decide", places)
	}
}
