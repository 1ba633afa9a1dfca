package vision

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// mostNumbers is how many numbers that were chosen by hand stand in the functions of a package
// at most: fractions other than a half, and whole numbers of three and more that are one in a
// comparison, as in 10*a < 7*b. A package that is not named has none. Where a number goes the
// ceiling goes down with it; none goes up.
var mostNumbers = map[string]int{
	".":                 13,
	"alcazar":           25,
	"cylinder":          36,
	"fans":              7,
	"flow":              5,
	"grid":              100,
	"grid/cell":         23,
	"grid/claims":       2,
	"grid/form":         3,
	"grid/glyph":        1,
	"grid/part":         12,
	"grid/typed":        16,
	"locate":            138,
	"outline":           26,
	"switches":          19,
	"trail":             17,
	"witness":           4,
	"witness/bank":      69,
	"witness/calibrate": 7,
	"witness/cell":      120,
	"witness/check":     3,
	"witness/colour":    2,
	"witness/learn":     16,
	"witness/learned":   8,
	"witness/line":      39,
	"witness/look":      57,
	"witness/pillar":    17,
	"witness/pointer":   27,
	"witness/shape":     2,
	"witness/unknown":   25,
	"witness/view":      30,
}

// TestNumbersByPackage counts these numbers in every package of vision.
func TestNumbersByPackage(t *testing.T) {
	count, where := map[string]int{}, map[string][]string{}
	set := token.NewFileSet()
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && (d.Name() == "picture" || d.Name() == "looktest") {
			return fs.SkipDir // they draw
		}
		if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			return err
		}
		of := filepath.ToSlash(filepath.Dir(name))
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				for _, at := range numbersIn(f) {
					count[of]++
					where[of] = append(where[of], set.Position(at).String())
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for of, n := range count {
		if n > mostNumbers[of] {
			t.Errorf("vision/%s: %d numbers in its functions, want %d at most; the others belong into its table of numbers:\n%s", of, n, mostNumbers[of], strings.Join(where[of], "\n"))
		}
	}
	// What went must not come back.
	for of, most := range mostNumbers {
		if count[of] < most {
			t.Errorf("vision/%s: %d numbers in its functions, and %d are allowed: lower that", of, count[of], most)
		}
	}
}

// TestNumbersIn tells numbers that were chosen from others.
func TestNumbersIn(t *testing.T) {
	for body, want := range map[string]int{
		"a < 0.7*b":                  1,
		"10*a < 7*b":                 2,
		"2*a < b":                    0,
		"a < 0.5*b":                  0,
		"a < b/3":                    1,
		"len(a) > 3":                 0,
		"f(0.25, 1.0) == 1e-9":       1,
		"a*4 >= len(b) && c == 10*d": 1,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc g() bool { return "+body+" }", 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := numbersIn(file.Decls[0].(*ast.FuncDecl)); len(got) != want {
			t.Errorf("%s: %d numbers, want %d", body, len(got), want)
		}
	}
}

// numbersIn is where numbers that were chosen by hand stand in a function.
func numbersIn(f *ast.FuncDecl) (at []token.Pos) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			v, err := strconv.ParseFloat(n.Value, 64)
			if n.Kind == token.FLOAT && err == nil && v != 0.5 && v != float64(int(v)) && v > 1e-6 {
				at = append(at, n.Pos())
			}
		case *ast.BinaryExpr:
			if n.Op == token.LSS || n.Op == token.GTR || n.Op == token.LEQ || n.Op == token.GEQ {
				at = append(at, append(shareIn(n.X), shareIn(n.Y)...)...)
			}
		}
		return true
	})
	return at
}

// shareIn is where one side of a comparison is multiplied with, or divided by, a whole number
// of three and more.
func shareIn(e ast.Expr) (at []token.Pos) {
	b, ok := e.(*ast.BinaryExpr)
	if !ok || b.Op != token.MUL && b.Op != token.QUO {
		return nil
	}
	for _, side := range []ast.Expr{b.X, b.Y} {
		if l, ok := side.(*ast.BasicLit); ok && l.Kind == token.INT {
			if v, err := strconv.Atoi(l.Value); err == nil && v > 2 {
				at = append(at, l.Pos())
			}
		}
		at = append(at, shareIn(side)...)
	}
	return at
}
