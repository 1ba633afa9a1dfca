package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A sourcePackage is what go list tells of a package on another system.
type sourcePackage struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	CgoFiles   []string
	ImportMap  map[string]string
	Error      *struct{ Err string }
}

// TestOtherSystems type-checks the whole program, and everything that it
// imports, as Windows and macOS would build it. No compiler of C for those is
// needed: go/types takes what C gives as unknown. So names, types and build
// constraints of our files are checked, calls into C and linking are not.
// Of packages that are not ours the functions' bodies are left out.
func TestOtherSystems(t *testing.T) {
	if testing.Short() {
		t.Skip("type-checks the standard library twice, some 15 s")
	}
	for _, system := range []string{"windows/amd64", "darwin/arm64"} {
		t.Run(system, func(t *testing.T) {
			t.Parallel()
			for _, err := range typeCheck(t, system, "./...") {
				t.Error(err)
			}
		})
	}
}

func typeCheck(t *testing.T, system, pattern string) []error {
	t.Helper()
	goos, goarch, _ := strings.Cut(system, "/")
	list := exec.Command("go", "list", "-deps", "-e", "-json=ImportPath,Dir,GoFiles,CgoFiles,ImportMap,Error", pattern)
	list.Dir = filepath.Join("..", "..")
	// The tags that the Makefile passes for OpenCV hold there too.
	list.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=1")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list for %s: %v", system, err)
	}
	fset := token.NewFileSet()
	done := map[string]*types.Package{"unsafe": types.Unsafe}
	var failed []error
	ours := 0
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; { // dependencies come first
		var p sourcePackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if p.ImportPath == "unsafe" {
			continue
		}
		mine := strings.HasPrefix(p.ImportPath, module)
		if mine && p.Error != nil && len(p.GoFiles)+len(p.CgoFiles) == 0 {
			// A package whose every file is for another system, such as the
			// demo's window, is left out there by go build too.
			if !strings.Contains(p.Error.Err, "build constraints exclude all Go files") {
				failed = append(failed, fmt.Errorf("%s: %s", p.ImportPath, p.Error.Err))
			}
			continue
		}
		var files []*ast.File
		for _, name := range append(p.GoFiles, p.CgoFiles...) {
			f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatalf("%s: %v", p.ImportPath, err)
			}
			files = append(files, f)
		}
		config := types.Config{
			Importer: importer(func(path string) (*types.Package, error) {
				if mapped, ok := p.ImportMap[path]; ok {
					path = mapped
				}
				if q, ok := done[path]; ok {
					return q, nil
				}
				return nil, fmt.Errorf("%s is not there for %s", path, system)
			}),
			FakeImportC:      true,
			IgnoreFuncBodies: !mine,
			Sizes:            types.SizesFor("gc", goarch),
			Error: func(err error) {
				if mine {
					failed = append(failed, err)
				}
			},
		}
		// An error is in failed already where it matters.
		done[p.ImportPath], _ = config.Check(p.ImportPath, fset, files, nil)
		if mine {
			ours++
		}
	}
	// Fewer would mean that the listing, not the code, is at fault.
	if ours < 10 {
		failed = append(failed, fmt.Errorf("%s: %d packages of ours were checked, want all", system, ours))
	}
	return failed
}

type importer func(path string) (*types.Package, error)

func (i importer) Import(path string) (*types.Package, error) { return i(path) }
