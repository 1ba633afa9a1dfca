package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A site is a place in a file, and what may stand there instead.
type site struct {
	in         *pack
	file, kind string
	line       int
	text       []byte // the whole file
	from, to   int    // bytes of it
	instead    string
}

func (s *site) String() string {
	was := strings.Join(strings.Fields(string(s.text[s.from:s.to])), " ")
	return fmt.Sprintf("%s/%s:%d\t%s\t%.60s → %.60s", s.in.ImportPath, filepath.Base(s.file), s.line, s.kind, was, s.instead)
}

// mutated is the file with the change.
func (s *site) mutated() []byte {
	return append(append(append([]byte{}, s.text[:s.from]...), s.instead...), s.text[s.to:]...)
}

// others are the operators that may stand for one another.
var others = map[token.Token]struct{ kind, instead string }{
	token.LSS: {"bound", "<="}, token.LEQ: {"bound", "<"}, token.GTR: {"bound", ">="}, token.GEQ: {"bound", ">"},
	token.EQL: {"condition", "!="}, token.NEQ: {"condition", "=="}, token.LAND: {"condition", "||"}, token.LOR: {"condition", "&&"},
	token.ADD: {"sign", "-"}, token.SUB: {"sign", "+"}, token.MUL: {"sign", "/"}, token.QUO: {"sign", "*"},
}

// sitesOf lists what may be changed in a file.
func sitesOf(file string) ([]site, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	if ast.IsGenerated(tree) {
		return nil, nil
	}
	var all []site
	add := func(kind string, from, to token.Pos, instead string) {
		a, b := set.Position(from), set.Position(to)
		all = append(all, site{file: file, kind: kind, line: a.Line, text: text, from: a.Offset, to: b.Offset, instead: instead})
	}
	source := func(n ast.Node) string {
		return string(text[set.Position(n.Pos()).Offset:set.Position(n.End()).Offset])
	}
	isNil := func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return ok && id.Name == "nil"
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if isNil(n.Y) && (n.Op == token.EQL || n.Op == token.NEQ) {
				// The check is not there.
				kind := "nil check"
				if strings.HasSuffix(strings.ToLower(source(n.X)), "err") {
					kind = "dropped error"
				}
				add(kind, n.Pos(), n.End(), "("+source(n)+" && false)")
			} else if o, ok := others[n.Op]; ok {
				add(o.kind, n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), o.instead)
			}
		case *ast.IfStmt:
			if _, plain := n.Cond.(*ast.BinaryExpr); !plain {
				add("condition", n.Cond.Pos(), n.Cond.End(), "!("+source(n.Cond)+")")
			}
		case *ast.UnaryExpr:
			if n.Op == token.SUB {
				add("sign", n.Pos(), n.Pos()+1, "+")
			}
		case *ast.BasicLit:
			if v, err := strconv.Atoi(n.Value); n.Kind == token.INT && err == nil {
				add("number", n.Pos(), n.End(), strconv.Itoa(1-min(v, 1)))
			}
		case *ast.ExprStmt:
			add("call", n.Pos(), n.End(), "")
		case *ast.GenDecl:
			return n.Tok != token.TYPE
		}
		return true
	})
	return all, nil
}
