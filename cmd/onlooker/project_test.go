package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"onlooker/cmd/internal/games"
	"onlooker/solve/solvetest"
)

// TestProject holds the files that a public project is met by to what they promise.
func TestProject(t *testing.T) {
	root := filepath.Join("..", "..")
	read := func(name string) string {
		data := solvetest.Must(os.ReadFile(filepath.Join(root, name)))(t)
		return string(data)
	}
	flows, err := filepath.Glob(filepath.Join(root, ".github", "workflows", "*.yml"))
	if err != nil || len(flows) < 3 {
		t.Fatalf("%q are the workflows, %v, want tests, a nightly run and a release", flows, err)
	}
	pinned := regexp.MustCompile(`uses: \S+@[0-9a-f]{40} # v`)
	for _, flow := range flows {
		for line := range strings.Lines(read(filepath.Join(".github", "workflows", filepath.Base(flow)))) {
			if strings.Contains(line, "uses:") && !pinned.MatchString(line) {
				t.Errorf("%s: an action that is not pinned to a commit: %s", filepath.Base(flow), strings.TrimSpace(line))
			}
		}
	}
	for line := range strings.Lines(read("Makefile")) {
		if strings.Contains(line, "-o onlooker ") && !strings.Contains(line, "main.version=$$(.ci/version)") {
			t.Errorf("Makefile leaves a program of no version: %s", strings.TrimSpace(line))
		}
	}
	for line := range strings.Lines(read("README.md")) {
		if strings.Contains(line, "releases/") && strings.Contains(line, "://") {
			t.Errorf("README.md: a link to a release that is not relative: %s", line)
		}
	}
	front := read("README.md")
	if lines, words := strings.Count(front, "\n"), len(strings.Fields(front)); lines > 110 || words > 900 {
		t.Errorf("README.md has %d lines and %d words, want at most 110 and 900", lines, words)
	}
	words := func(text string) int {
		return len(slices.DeleteFunc(strings.Fields(text), func(w string) bool {
			return !strings.ContainsFunc(w, unicode.IsLetter) && !strings.ContainsFunc(w, unicode.IsDigit)
		}))
	}
	for _, name := range []string{"solve/README.md", "vision/README.md", "README.md"} {
		text := read(name)
		if n := words(text); n > 1500 {
			t.Errorf("%s has %d words, want at most 1,500", name, n)
		}
		for line := range strings.Lines(text) {
			for cell := range strings.SplitSeq(line, "|") {
				if n := words(cell); strings.HasPrefix(line, "|") && n > 25 {
					t.Errorf("%s: a cell of %d words, want at most 25: %s", name, n, cell)
				}
			}
		}
	}
}

// TestDebian: the Debian package takes files that are here, and its entry in the menu starts a
// command that there is. What comes of it is installed by make test-release.
func TestDebian(t *testing.T) {
	root := filepath.Join("..", "..")
	data := solvetest.Must(os.ReadFile(filepath.Join(root, ".ci", "nfpm.yaml")))(t)
	release := solvetest.Must(os.ReadFile(filepath.Join(root, ".ci", "release")))(t)
	recipe := string(data)
	for _, row := range regexp.MustCompile(`src: (\S+)\n    dst: (\S+)`).FindAllStringSubmatch(recipe, -1) {
		src, made := strings.CutPrefix(row[1], "${WORK}/")
		if _, err := os.Stat(filepath.Join(root, src)); !made && err != nil {
			t.Errorf("%s comes from a file that is not here: %v", row[2], err)
		}
		if !strings.HasPrefix(row[2], "/usr/") {
			t.Errorf("%s goes to %s, want it below /usr", row[1], row[2])
		}
	}
	for _, hole := range regexp.MustCompile(`\$\{\w+\}`).FindAllString(recipe, -1) {
		if !strings.Contains(string(release), `s,\`+hole+`,`) {
			t.Errorf(".ci/release does not fill in %s", hole)
		}
	}
	entry := solvetest.Must(os.ReadFile(filepath.Join(root, ".ci", "onlooker.desktop")))(t)
	exec := regexp.MustCompile(`(?m)^Exec=onlooker (.+)$`).FindSubmatch(entry)
	if exec == nil || !strings.Contains(string(entry), "\nIcon=onlooker\n") {
		t.Fatalf("the menu's entry: %s", entry)
	}
	if status, out, errOut := says(t, append([]string{"help"}, strings.Fields(string(exec[1]))...)...); status != 0 {
		t.Errorf("the menu starts onlooker %s: %s%s", exec[1], out, errOut)
	}
}

// TestFailuresCommand counts what is kept of all runs, and clears it.
func TestFailuresCommand(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("LocalAppData", os.Getenv("XDG_CACHE_HOME"))
	cache, err := os.UserCacheDir()
	if err != nil || cache != os.Getenv("XDG_CACHE_HOME") {
		t.Skipf("the cache is %s: %v", cache, err)
	}
	for _, run := range []string{"20260101-000000", "20260102-000000"} {
		dir := filepath.Join(cache, "onlooker", "failures", run)
		solvetest.OK(t, os.MkdirAll(dir, 0o755))
		for _, name := range []string{"turn-0001.json", "frame-0001.png"} {
			solvetest.OK(t, os.WriteFile(filepath.Join(dir, name), []byte("{}"), 0o644))
		}
	}
	for _, row := range []struct{ args, want string }{
		{"watch --failures list", "2 kept failures in "}, {"watch --failures clear", "2"}, {"watch --failures list", "0 kept failures in "},
	} {
		if status, out, errOut := says(t, strings.Fields(row.args)...); status != 0 || !strings.Contains(out, row.want) {
			t.Errorf("onlooker %s ends with %d and says %s%s, want %q", row.args, status, out, errOut, row.want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(cache, "onlooker", "failures", "*", "*")); len(left) > 0 {
		t.Errorf("left are %q", left)
	}
}

// TestWalk follows the two walks through the code that a newcomer is shown: each is of a dozen
// files at most, in each of which is what it is said to do, and never comes back to one.
func TestWalk(t *testing.T) {
	data := solvetest.Must(os.ReadFile(filepath.Join("..", "..", ".github", "CONTRIBUTING.md")))(t)
	_, walks, _ := strings.Cut(string(data), "## A walk\n")
	walks, _, _ = strings.Cut(walks, "\n## ")
	both := strings.Split(walks, "| file | what |\n")[1:]
	if len(both) != 2 {
		t.Fatalf("%d walks, want 2", len(both))
	}
	for _, walk := range both {
		seen := map[string]bool{}
		for _, row := range regexp.MustCompile("(?m)^\\| `(\\S+)` `(\\w+)` \\|").FindAllStringSubmatch(walk, -1) {
			code, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(row[1])))
			if err != nil || !regexp.MustCompile(`(?m)^func (\(.*\) )?`+row[2]+`\b`).Match(code) || seen[row[1]] {
				t.Errorf("%s: %v, before %v; want a func %s, and a file that was not passed before", row[1], err, seen[row[1]], row[2])
			}
			seen[row[1]] = true
		}
		if len(seen) < 8 || len(seen) > 12 {
			t.Errorf("a walk of %d files, want 8 to 12", len(seen))
		}
	}
}

// TestPack: the same program packed twice gives the same bytes, with the licences of the modules
// and of what these took over; without those of C and C++ it is not packed.
func TestPack(t *testing.T) {
	native := t.TempDir()
	program := filepath.Join(native, "program")
	solvetest.OK(t, os.WriteFile(program, []byte("a program"), 0o600))
	packed := func(licences, system string) (archive []byte, err error) {
		dist := t.TempDir()
		c := exec.CommandContext(t.Context(), ".ci/pack", system, program, licences, "1.2.3", dist, "")
		c.Dir, c.Env = filepath.Join("..", ".."), append(os.Environ(), "SOURCE_DATE_EPOCH=1000000000")
		if out, err := c.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%w: %s", err, out)
		}
		names, _ := filepath.Glob(filepath.Join(dist, "onlooker-*"))
		return os.ReadFile(names[0])
	}
	first := solvetest.Must(packed(native, "windows"))(t)
	if again, err := packed(native, "windows"); err != nil || !bytes.Equal(first, again) {
		t.Errorf("packed twice, the archives differ: %v", err)
	}
	archive := solvetest.Must(zip.NewReader(bytes.NewReader(first), int64(len(first))))(t)
	for _, name := range []string{"onlooker.exe", "MANUAL.md", "licences/Go.txt", "licences/gocv.io-x-gocv.txt", "licences/github.com-go-vgo-robotgo.txt", "licences/github.com-atotto-clipboard.txt"} {
		if info, err := fs.Stat(archive, "onlooker-1.2.3-windows-amd64/"+name); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v, want it in the archive", name, err)
		}
	}
	if _, err := packed(t.TempDir(), "linux"); err == nil {
		t.Error("packed without the licences of what comes from C")
	}
}

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
		solvetest.Fine(t, forbidden(pkg, p.Deps))
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
		{"the same in the solvers: one passes it on, one ends a statement", "solve", `\brecover\(\)`, []string{"solve/limits/steps.go", "solve/witness/search/portfolio.go"}},
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

// TestForbidden shows that the rows forbid what they should: of testdata/imports.rows what says false.
func TestForbidden(t *testing.T) {
	for _, line := range solvetest.Rows(t, "testdata/imports.rows") {
		var row struct {
			pkg, imp string
			ok       bool
		}
		solvetest.Must(fmt.Sscan(line, &row.pkg, &row.imp, &row.ok))(t, line)
		if err := forbidden(row.pkg, []string{row.imp}); (err == nil) != row.ok {
			t.Errorf("%s built from %s: got %v, want allowed %v", row.pkg, row.imp, err, row.ok)
		}
	}
}

// listPackages lists our packages without their tests.
func listPackages(t *testing.T) []dependency {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,Deps", module+"...")
	out := solvetest.Must(cmd.Output())(t, "go list")
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
	out := solvetest.Must(list.Output())(t, fmt.Sprintf("go list for %s", system))
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
			f := solvetest.Must(parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution))(t, p.ImportPath)
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
