package witness

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"onlooker/vision/witness/view"
)

// mostTuned is how many numbers tuned by hand the picture model has at most, its levels
// among them. mostWhere is how many others stand in comparisons at most: they say where
// something is looked for, such as so far from a cell's middle, and how shapes are drawn.
const mostTuned, mostWhere = 60, 23

// TestNumbersStandInTuning: in every package of vision/witness numbers that are chosen by hand stand in tuning or are a level,
// not in the functions that compare by them.
func TestNumbersStandInTuning(t *testing.T) {
	var names []string
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if d.IsDir() && d.Name() == "looktest" {
			return fs.SkipDir // draws pictures for tests
		}
		if strings.HasSuffix(name, ".go") {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	levels := 0
	var where []string
	set := token.NewFileSet()
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				if filepath.Base(name) == "tuning.go" && d.Tok == token.CONST {
					levels += len(d.Specs)
				}
			case *ast.FuncDecl:
				for _, at := range numbersCompared(d) {
					where = append(where, set.Position(at).String())
				}
			}
		}
	}
	if n := levels + reflect.TypeFor[view.Tuning]().NumField(); levels == 0 || n > mostTuned {
		t.Errorf("%d levels and %d numbers in tuning, want %d at most in all", levels, n-levels, mostTuned)
	}
	if len(where) > mostWhere {
		t.Errorf("%d numbers stand in comparisons, want %d at most; the others in tuning:\n%s", len(where), mostWhere, strings.Join(where, "\n"))
	}
}

// numbersCompared is where fractions other than a half stand in a function's comparisons.
// Those in the heads of loops say what is tried, and do not count.
func numbersCompared(f *ast.FuncDecl) (at []token.Pos) {
	seen := map[token.Pos]bool{}
	var loops []ast.Expr
	ast.Inspect(f, func(n ast.Node) bool {
		if l, ok := n.(*ast.ForStmt); ok {
			loops = append(loops, l.Cond)
		}
		b, ok := n.(*ast.BinaryExpr)
		if !ok || b.Op != token.LSS && b.Op != token.GTR && b.Op != token.LEQ && b.Op != token.GEQ {
			return true
		}
		for _, l := range loops {
			if l != nil && l.Pos() <= b.Pos() && b.End() <= l.End() {
				return true
			}
		}
		ast.Inspect(b, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.FLOAT && l.Value != "0.5" && !strings.Contains(l.Value, "e-") && !seen[l.Pos()] {
				seen[l.Pos()], at = true, append(at, l.Pos())
			}
			return true
		})
		return true
	})
	return at
}
