// Command ablate builds the program without parts of it:
//
//	go run ./cmd/internal/dev/ablate -o onlooker-less vision/flow.hidden vision/locate.lattice.bend=true
//
// A part is a function or a method, which then returns at once: zero values, or the one that is
// given for the last. The change is an overlay of the build: no file is touched.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	to := flag.String("o", "onlooker", "the `FILE` to build")
	flag.Parse()
	if err := without(*to, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "ablate:", err)
		os.Exit(1)
	}
}

// without builds the program with parts of it switched off.
func without(to string, parts []string) error {
	changed := map[string][]byte{}
	for _, part := range parts {
		if err := off(changed, part); err != nil {
			return err
		}
	}
	folder, err := os.MkdirTemp("", "ablate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	replace := map[string]string{}
	for name, text := range changed {
		replace[name] = filepath.Join(folder, fmt.Sprint(len(replace), ".go"))
		err = errors.Join(err, os.WriteFile(replace[name], text, 0o600))
	}
	text, failed := json.Marshal(map[string]any{"Replace": replace})
	list := filepath.Join(folder, "overlay.json")
	if err := errors.Join(err, failed, os.WriteFile(list, text, 0o600)); err != nil {
		return err
	}
	cmd := exec.Command("go", "build", "-overlay", list, "-o", to, "./cmd/onlooker")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}

// off switches a part off, in what its file is by now.
func off(changed map[string][]byte, part string) error {
	part, last, _ := strings.Cut(part, "=")
	slash := strings.LastIndex(part, "/") + 1
	pkg, name, ok := strings.Cut(part[slash:], ".")
	if !ok {
		return fmt.Errorf("%q: want package.function or package.type.method", part)
	}
	names, err := filepath.Glob(filepath.Join(filepath.FromSlash(part[:slash]+pkg), "*.go"))
	if err != nil {
		return err
	}
	for _, file := range names {
		path, err := filepath.Abs(file)
		if err != nil {
			return err
		}
		text, again := changed[path]
		if !again {
			if text, err = os.ReadFile(path); err != nil {
				return err
			}
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, path, text, 0)
		if err != nil {
			return err
		}
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && called(f) == name && f.Body != nil {
				at := set.Position(f.Body.Lbrace).Offset + 1
				hook := "if true { " + nothing(string(text), set, f, last) + " };"
				changed[path] = []byte(string(text[:at]) + hook + string(text[at:]))
				return nil
			}
		}
	}
	return errors.New(part + ": no such function")
}

// called is a function's name, after its receiver's type.
func called(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	of := f.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	if id, ok := of.(*ast.Ident); ok {
		return id.Name + "." + f.Name.Name
	}
	return f.Name.Name
}

// nothing is the statement that returns at once.
func nothing(text string, set *token.FileSet, f *ast.FuncDecl, last string) string {
	var values []string
	if f.Type.Results != nil {
		for _, r := range f.Type.Results.List {
			kind := text[set.Position(r.Type.Pos()).Offset:set.Position(r.Type.End()).Offset]
			for range max(1, len(r.Names)) {
				values = append(values, "*new("+kind+")")
			}
		}
	}
	if len(values) > 0 && last != "" {
		values[len(values)-1] = last
	}
	return "return " + strings.Join(values, ", ")
}
