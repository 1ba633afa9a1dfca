package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"onlooker/cmd/internal/games"
)

// A dependency is a package of the build: what it imports itself, and all it is built from.
type dependency struct {
	ImportPath    string
	Imports, Deps []string
}

// module is the prefix of our own packages.
const module = "onlooker/"

// families are the folders of the games, as a pattern.
var families = func() string {
	var names []string
	for _, f := range games.Of() {
		names = append(names, f.Name)
	}
	return "(" + strings.Join(names, "|") + ")"
}()

// never holds what a package must not be built from, by whatever way; names are without the
// module's.
var never = []struct{ of, from, why string }{
	{`^calibrations`, `^(solve|vision|capture|input|cmd)\b`, "a profile is numbers"},
	{`^capture`, `^(solve|vision|input|cmd|calibrations)\b`, "a frame is a picture"},
	{`^input`, `^(vision|cmd|solve/` + families + `)\b`, "strokes become events, whatever the family"},
	{`^solve\b`, `^(vision|capture|input|cmd|calibrations)\b`, "a puzzle is text"},
	{`^vision\b`, `^(capture|input|cmd)\b`, "a reading is made of a picture"},
	{`^solve(/(path|sat|cover|gf2|limits|solvetest))?$`, `^solve/` + families, "engines and the contract know no puzzle"},
	{`^solve/witness/search`, `^solve/witness/(rules|deal|proof)`, "the search never asks Check"},
	{`^solve/witness/rules`, `^solve/(path|sat|witness/(search|deal|proof))`, "Check shares nothing with the search"},
	{`^vision(/(locate|posterior|grid.*|trail|picture))?$`, `^(solve|vision)/` + families, "boards before puzzles"},
	{`^vision/(picture/)?witness`, `^solve/(path|sat|cover|witness/(rules|search|deal|proof|edit))`, "panels are read and drawn without their solver"},
	{`^vision/cv$`, `^vision\b`, "it knows plain values alone"},
	{`^vision/picture`, `^(vision$|gocv\.io/)`, "drawing needs no OpenCV"},
	{`^cmd/internal/(agent/(see|enter|drive|tape)|answer|web|store)$`, `/` + families + `\b`, "what knows no family"},
	{`^cmd/internal/answer$`, `^cmd/internal/agent/`, "it answers puzzles, wherever they were seen"},
	{`^cmd/internal/agent/(see|enter|drive)$`, `^cmd/internal/agent/tape`, "a tape is of the others"},
	{`^cmd/internal/agent/(see|enter)$`, `^cmd/internal/agent/drive`, "what is done next comes last"},
	{`^cmd/internal/(answer|agent/see)$`, `^(cmd/internal/agent/enter|input)`, "an answer is there before it is entered"},
	{`^(solve|vision|capture|input|calibrations|cmd/onlooker$|cmd/internal/([^d]|d[^e]))`, `^cmd/internal/dev/`, "the product is built from nothing of the workshop"},
}

// soleImporters are modules that one package of ours wraps for the others, and a package of
// ours that few may know.
var soleImporters = []struct {
	module string
	by     []string
	why    string
}{
	{"gocv.io/x/gocv", []string{"vision/cv"}, "no OpenCV type leaves it"},
	{"github.com/go-vgo/robotgo", []string{"input"}, "the mouse is one package's"},
	{"github.com/go-air/gini", []string{"solve/sat"}, "constraints are written once"},
	{"github.com/mattn/go-sqlite3", []string{"cmd/internal/store"}, "what is kept is one package's"},
	{module + "cmd/internal/games", []string{"cmd/onlooker", "cmd/internal/program/programtest"}, "commands are given the games"},
}

// forbidden tells what a package must not be built from, and is.
func forbidden(pkg string, deps []string) error {
	for _, dep := range deps {
		dep = strings.TrimPrefix(dep, module)
		for _, rule := range never {
			if regexp.MustCompile(rule.of).MatchString(pkg) && regexp.MustCompile(rule.from).MatchString(dep) {
				return fmt.Errorf("%s is built from %s: %s", pkg, dep, rule.why)
			}
		}
		// A family is the folder under solve, vision or vision/picture.
		family := regexp.MustCompile(`^(?:solve|vision|vision/picture)/` + families + `\b`)
		if of, other := family.FindStringSubmatch(pkg), family.FindStringSubmatch(dep); of != nil && other != nil && of[1] != other[1] {
			return fmt.Errorf("%s is built from %s: no family knows another", pkg, dep)
		}
	}
	return nil
}

func TestImports(t *testing.T) {
	for _, p := range listPackages(t) {
		pkg := strings.TrimPrefix(p.ImportPath, module)
		if err := forbidden(pkg, p.Deps); err != nil {
			t.Error(err)
		}
		for _, sole := range soleImporters {
			for _, imp := range p.Imports {
				if (imp == sole.module || strings.HasPrefix(imp, sole.module+"/")) && !slices.Contains(sole.by, pkg) {
					t.Errorf("%s imports %s, which only %v may: %s", pkg, imp, sole.by, sole.why)
				}
			}
		}
	}
}

// TestOnePlace holds what stands once: solve.Judge alone asks a puzzle's Check, and is itself
// asked once for what was found here and once for what others say; faults of the program are
// recovered from in vision, and answer alone lays a board over its frame.
func TestOnePlace(t *testing.T) {
	for _, row := range []struct {
		what, folder, pattern string
		want                  []string // files, and what is another thing under the same name
	}{
		{"a puzzle is asked whether an answer is right", "cmd", `\.Check\((ctx|context\.|t\.|r\.)`, nil},
		{"what was found here is judged, and what others say", "cmd", `solve\.Judge\(`, []string{"cmd/internal/answer/judge.go", "cmd/internal/answer/judge.go"}},
		{"the same in solve", "solve", `\bp\.Check\(ctx, s\)`, []string{"solve/solve.go", "solve/solvetest/large.go"}},
		{"a fault is recovered from", "cmd", `\brecover\(\)`, nil},
		{"the same in vision", "vision", `\brecover\(\)`, []string{"vision/fault.go"}},
		{"the same in the solvers: one passes it on, one ends a statement", "solve", `\brecover\(\)`, []string{"solve/limits/statement.go", "solve/witness/search/portfolio.go"}},
		{"a board that is found is laid onto its frame", "cmd", `\.Places\b.*(ScreenPoint|At:)|At:.*ScreenPoint`, []string{"cmd/internal/answer/onto.go"}},
	} {
		var got []string
		err := filepath.WalkDir(filepath.Join("..", "..", row.folder), func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			text, err := os.ReadFile(name)
			for range regexp.MustCompile(row.pattern).FindAll(text, -1) {
				got = append(got, filepath.ToSlash(strings.TrimPrefix(name, filepath.Join("..", "..")+string(filepath.Separator))))
			}
			return err
		})
		if err != nil || !slices.Equal(got, row.want) {
			t.Errorf("%s in %v, %v, want %v", row.what, got, err, row.want)
		}
	}
}

// TestForbidden shows that the rows forbid what they should.
func TestForbidden(t *testing.T) {
	for _, row := range []struct {
		pkg, imp string
		ok       bool
	}{
		{"solve/flow", "onlooker/solve/sat", true},
		{"solve/witness/search", "onlooker/solve/witness/rules", false},
		{"solve/witness/rules", "onlooker/solve/witness/search", false},
		{"solve/witness/proof", "onlooker/solve/witness/rules", true},
		{"solve/witness", "onlooker/solve/flow", false},
		{"solve/witness", "onlooker/vision", false},
		{"vision/witness", "onlooker/solve/witness/board", true},
		{"vision/picture/flow", "onlooker/vision", false},
		{"vision/locate", "onlooker/solve/flow", false},
		{"solve/path", "onlooker/solve/flow", false},
		{"vision/picture/witness", "onlooker/solve/witness/search", false},
		{"vision/witness", "onlooker/solve/flow", false},
		{"vision/picture/flow", "onlooker/solve/flow", true},
		{"vision/picture/flow", "onlooker/solve/fans", false},
		{"cmd/internal/agent/see", "onlooker/solve/witness", false},
		{"cmd/internal/agent/see", "onlooker/capture", true},
		{"cmd/internal/agent/see", "onlooker/cmd/internal/answer", true},
		{"cmd/internal/agent/see", "onlooker/cmd/internal/agent/enter", false},
		{"cmd/internal/agent/enter", "onlooker/cmd/internal/agent/drive", false},
		{"cmd/internal/agent/drive", "onlooker/cmd/internal/agent/tape", false},
		{"cmd/internal/answer", "onlooker/cmd/internal/agent/see", false},
		{"cmd/internal/dev/demo", "onlooker/cmd/internal/dev/showcase", true},
		{"cmd/internal/overlay", "onlooker/cmd/internal/dev/showcase", false},
		{"cmd/onlooker", "onlooker/cmd/internal/dev/showcase", false},
		{"capture", "onlooker/vision", false},
	} {
		if err := forbidden(row.pkg, []string{row.imp}); (err == nil) != row.ok {
			t.Errorf("%s built from %s: got %v, want allowed %v", row.pkg, row.imp, err, row.ok)
		}
	}
}

// listPackages lists our packages without their tests.
func listPackages(t *testing.T) []dependency {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,Deps", module+"...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []dependency
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var d dependency
		if err := dec.Decode(&d); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, d)
	}
	if len(all) < 5 {
		t.Fatalf("go list gave %d packages, want all of them", len(all))
	}
	return all
}
