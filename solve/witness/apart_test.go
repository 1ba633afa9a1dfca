package witness

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// nothing stands for every package that is imported: what a function here calls
// of them does not matter, what it calls of this package is still resolved.
type nothing struct{}

func (nothing) Import(path string) (*types.Package, error) {
	p := types.NewPackage(path, filepath.Base(path))
	p.MarkComplete()
	return p, nil
}

// A callGraph is this package's functions, by full name, and those that each
// one names; what is called of a kind is all kinds' method of that name.
type callGraph struct {
	calls map[string][]string
	file  map[string]string
}

func readCallGraph(t *testing.T) *callGraph {
	t.Helper()
	fset := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	config := types.Config{Importer: nothing{}, Error: func(error) {}}
	pkg, _ := config.Check("witness", fset, files, info) // errors are all about what is imported
	definition := pkg.Scope().Lookup("definition").Type().Underlying().(*types.Interface)
	g := &callGraph{calls: map[string][]string{}, file: map[string]string{}}
	methods := map[string][]string{} // of kinds, by name
	for _, f := range files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			object := info.Defs[fn.Name].(*types.Func)
			name := object.FullName()
			g.file[name] = fset.Position(fn.Pos()).Filename
			for i := range definition.NumMethods() {
				if m := definition.Method(i).Name(); m == object.Name() && fn.Recv != nil && ofKind(pkg, object) {
					methods[m] = append(methods[m], name)
				}
			}
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					if called, ok := info.Uses[id].(*types.Func); ok && called.Pkg() == pkg {
						g.calls[name] = append(g.calls[name], called.FullName())
					}
				}
				return true
			})
		}
	}
	for i := range definition.NumMethods() {
		m := definition.Method(i)
		g.calls[m.FullName()] = methods[m.Name()]
	}
	return g
}

// ofKind tells whether a method is one that kinds have: its receiver says what
// the kind is about, or is a part of some that do.
func ofKind(pkg *types.Package, method *types.Func) bool {
	of := method.Type().(*types.Signature).Recv().Type()
	for _, name := range pkg.Scope().Names() {
		object, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || types.IsInterface(object.Type()) {
			continue
		}
		all := types.NewMethodSet(object.Type())
		if m := all.Lookup(pkg, method.Name()); m != nil && m.Obj() == method && all.Lookup(pkg, "about") != nil {
			return true
		}
	}
	return types.Identical(of, pkg.Scope().Lookup("plainKind").Type())
}

// reached are all functions that those with these names come to call.
func (g *callGraph) reached(from ...string) map[string]bool {
	seen := map[string]bool{}
	for queue := from; len(queue) > 0; queue = queue[1:] {
		if f := queue[0]; !seen[f] {
			seen[f] = true
			queue = append(queue, g.calls[f]...)
		}
	}
	return seen
}

// Check and the search have only the panel in common: its squares, its rule set
// and the names of its symbols.
func TestCheckSharesNothingWithTheSearch(t *testing.T) {
	g := readCallGraph(t)
	check := g.reached("(*witness.Panel).Check")
	roots := []string{"(*witness.Panel).newSearch", "witness.newWalk"}
	for f := range g.file {
		for _, of := range []string{"search", "regions", "walk", "portfolio"} {
			if strings.HasPrefix(f, "(*witness."+of+").") {
				roots = append(roots, f)
			}
		}
	}
	search := g.reached(roots...)
	if search["(*witness.Panel).Check"] {
		t.Error("the search calls Check")
	}
	panel := []string{"panel.go", "valid.go", "ruleset.go", "kind.go"}
	for f := range check {
		if search[f] && g.file[f] != "" && !slices.Contains(panel, g.file[f]) && !strings.HasSuffix(f, ").about") {
			t.Errorf("%s in %s is called by both", f, g.file[f])
		}
	}
	for _, f := range []string{"(*witness.region).judge", "(witness.star).wrong", "(*witness.laying).search"} {
		if !check[f] {
			t.Errorf("Check does not come to %s: the test is blind", f)
		}
	}
	for _, f := range []string{"(*witness.hearing).erasable", "(witness.star).bad", "(*witness.subtraction).search", "(*witness.walk).right", "(*witness.Panel).Image"} {
		if !search[f] {
			t.Errorf("the search does not come to %s: the test is blind", f)
		}
	}
}
