package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"onlooker/cmd/internal/games"
)

// A dependency is a package of the build: what it imports itself.
type dependency struct {
	ImportPath string
	Imports    []string
}

// module is the prefix of our own packages.
const module = "onlooker/"

// importRules is the design's table of imports. Patterns are path.Match's,
// without the module's name; the first row that matches a package counts.
var importRules = []struct {
	of  string
	may []string // of our own packages; the standard library and other modules besides
	why string
}{
	{"solve", []string{"solve/place"}, "the contract knows nobody"},
	{"solve/place", nil, "names of places"},
	{"solve/limits", nil, "what a search may take, whatever it searches"},
	{"solve/statement", nil, "what engines share"},
	{"solve/path", []string{"solve/statement"}, "engines know no puzzle"},
	{"solve/sat", []string{"solve/statement"}, "engines know no puzzle"},
	{"solve/cover", nil, "engines know no puzzle"},
	{"solve/gf2", nil, "engines know no puzzle"},
	{"calibrations", nil, "a profile is numbers"},
	{"capture/xserver", nil, "what capture, input and an overlay share"},
	{"capture", []string{"capture/xserver"}, "a frame is a picture"},
	{"solve/solvetest", []string{"solve", "solve/limits"}, "every family runs it"},
	{"solve/witness/board", []string{"solve"}, "panels, symbols and rule sets are data, which knows no room"},
	{"solve/witness/forms", []string{"solve", "solve/witness/board"}, "what is read and written"},
	{"solve/witness/rules", []string{"solve", "solve/limits", "solve/cover", "solve/witness/board"}, "Check shares nothing with the search"},
	{"solve/witness/search", []string{"solve", "solve/limits", "solve/path", "solve/cover", "solve/witness/board", "solve/witness/search/tiles", "solve/witness/search/cellset"}, "the search never asks Check"},
	{"solve/witness/search/cellset", nil, "cells are numbers"},
	{"solve/witness/search/tiles", []string{"solve/cover", "solve/witness/board"}, "pieces on a plain board of cells"},
	{"solve/witness/deal", []string{"solve", "solve/witness/board", "solve/witness/rules"}, "who asks for panels brings a solver"},
	{"solve/witness/proof", []string{"solve", "solve/sat", "solve/witness/board", "solve/witness/forms", "solve/witness/rules", "solve/witness/search"}, "why there is no answer"},
	{"solve/witness/edit", []string{"solve", "solve/witness/board", "solve/witness/forms"}, "panels changed by hand"},
	{"solve/witness/witnesstest", []string{"solve", "solve/solvetest", "solve/witness/*"}, "panels for the tests of the rooms"},
	{"solve/witness/symbols", []string{"solve", "solve/witness/board"}, "files become data"},
	{"solve/witness", []string{"solve", "solve/witness/*"}, "the rooms' face"},
	{"solve/*", []string{"solve", "solve/limits", "solve/path", "solve/sat", "solve/cover", "solve/gf2"}, "no family imports another, nor a stage"},
	{"solve/*/*", []string{"solve", "solve/limits", "solve/path", "solve/sat", "solve/cover", "solve/gf2", "solve/*"}, "parts of a family"},
	{"vision", []string{"solve/place"}, "boards, however they were found"},
	{"vision/outline", []string{"vision", "calibrations"}, "outlines before lattices"},
	{"vision/cylinder", []string{"vision", "calibrations"}, "pillars before boards"},
	{"vision/locate", []string{"vision", "vision/cylinder", "vision/outline", "calibrations"}, "boards before puzzles"},
	{"vision/posterior", nil, "how likely a reading is, whatever was read"},
	{"vision/grid/part", []string{"vision"}, "parts of a picture, whatever they are"},
	{"vision/grid/glyph", nil, "characters, wherever they stand"},
	{"vision/grid", []string{"vision", "vision/grid/part"}, "cells before what stands in them"},
	{"vision/grid/cell", []string{"vision", "vision/grid", "vision/grid/part", "vision/grid/glyph"}, "cells before puzzles"},
	{"vision/grid/form", []string{"solve", "vision", "vision/grid", "vision/grid/part", "calibrations"}, "what was learned of cells, whatever it means"},
	{"vision/grid/claims", []string{"solve", "vision", "vision/grid", "vision/grid/cell", "vision/grid/form", "vision/grid/part", "vision/posterior", "calibrations"}, "what a claim explains, whatever it says"},
	{"vision/grid/typed", []string{"vision", "vision/grid/claims", "vision/grid/glyph", "vision/grid/part", "vision/posterior"}, "characters before puzzles"},
	{"vision/picture", nil, "shapes know no puzzle"},
	{"vision/picture/golden", []string{"vision/picture"}, "pictures compared with files"},
	{"vision/picture/witness", []string{"solve", "solve/witness/board", "solve/witness/forms", "vision/picture", "calibrations"}, "drawing needs no solver"},
	{"vision/picture/witness/*", []string{"solve", "solve/witness/board"}, "boards made up for tests"},
	{"vision/picture/*", []string{"solve", "solve/*", "vision/picture", "calibrations"}, "drawing needs no OpenCV"},
	{"vision/picture/*/*", []string{"solve", "solve/*"}, "boards made up for tests"},
	{"vision/witness/shape", []string{"vision", "vision/picture"}, "shapes and masks, whatever they mean"},
	{"vision/witness/decide", []string{"vision"}, "questions, whoever asks them"},
	{"vision/witness/view", []string{"solve/witness/board", "vision", "vision/picture/witness", "calibrations", "vision/witness/decide"}, "what is measured, before it is read"},
	{"vision/witness/pointer", []string{"solve/witness/board", "solve/witness/forms", "vision", "vision/picture", "vision/picture/witness", "calibrations", "vision/witness/shape", "vision/witness/view"}, "what lies over a view"},
	{"vision/witness/colour", []string{"solve/witness/board", "solve/witness/forms", "vision", "vision/picture", "vision/picture/witness", "calibrations", "vision/witness/decide", "vision/witness/view"}, "colours of one board"},
	{"vision/witness/line", []string{"solve/witness/board", "solve/witness/forms", "vision", "vision/picture", "vision/picture/witness", "calibrations", "vision/witness/colour", "vision/witness/decide", "vision/witness/pointer", "vision/witness/view"}, "the lines of the game's look"},
	{"vision/witness/look", []string{"solve/witness/board", "solve/witness/forms", "vision", "vision/picture", "vision/picture/witness", "calibrations", "vision/witness/colour", "vision/witness/decide", "vision/witness/line", "vision/witness/shape", "vision/witness/view"}, "what a look that was learned knows"},
	{"vision/witness/learned", []string{"solve/witness/board", "vision", "calibrations", "vision/witness/colour", "vision/witness/decide", "vision/witness/line", "vision/witness/look", "vision/witness/shape", "vision/witness/view"}, "boards in a look that was learned"},
	{"vision/witness/cell", []string{"solve/witness/board", "solve/witness/forms", "vision", "vision/picture", "vision/picture/witness", "calibrations", "vision/witness/colour", "vision/witness/decide", "vision/witness/line", "vision/witness/pointer", "vision/witness/shape", "vision/witness/view"}, "the cells of the game's look"},
	{"vision/witness/bank", []string{"solve/witness/board", "solve/witness/forms", "vision", "vision/picture", "vision/picture/witness", "calibrations", "vision/witness/cell", "vision/witness/look", "vision/witness/shape", "vision/witness/view"}, "shapes that many looks share"},
	{"vision/witness/check", []string{"solve/witness/board", "solve/witness/forms", "vision", "vision/picture", "vision/picture/witness", "calibrations", "vision/witness/bank", "vision/witness/cell", "vision/witness/colour", "vision/witness/decide", "vision/witness/look", "vision/witness/shape", "vision/witness/view"}, "a reading against its look"},
	{"vision/witness/unknown", []string{"solve/witness/board", "solve/witness/forms", "solve/place", "vision", "vision/picture", "vision/picture/witness", "calibrations", "vision/witness/bank", "vision/witness/cell", "vision/witness/check", "vision/witness/colour", "vision/witness/decide", "vision/witness/learned", "vision/witness/line", "vision/witness/look", "vision/witness/shape", "vision/witness/view"}, "a board is its own lesson, and what it says is checked"},
	{"vision/witness/pillar", []string{"solve/witness/board", "solve/witness/forms", "vision", "vision/picture", "vision/picture/witness", "calibrations", "vision/witness/cell", "vision/witness/colour", "vision/witness/decide", "vision/witness/line", "vision/witness/pointer", "vision/witness/view"}, "views of what goes round"},
	{"vision/witness/learn", []string{"solve/witness/board", "solve/witness/forms", "solve/place", "vision", "vision/picture/witness", "calibrations", "vision/witness/colour", "vision/witness/look", "vision/witness/shape", "vision/witness/view"}, "a look from boards of which it is known what they show"},
	{"vision/witness/calibrate", []string{"solve/witness/board", "solve/witness/forms", "solve/place", "vision", "vision/locate", "vision/picture/witness", "calibrations", "vision/witness/colour", "vision/witness/learn", "vision/witness/learned", "vision/witness/look", "vision/witness/shape", "vision/witness/view"}, "what pictures show is asked, whatever reads them"},
	{"vision/witness/*", []string{"solve/witness/board", "solve/witness/forms", "vision", "vision/*", "vision/picture/*", "calibrations"}, "parts of the reader need no solver"},
	{"vision/witness", []string{"solve/witness/board", "solve/place", "vision", "vision/posterior", "vision/witness/*", "vision/picture", "vision/picture/witness", "calibrations"}, "what its rooms give together"},
	{"vision/trail", []string{"vision"}, "a line that grows, whatever it means"},
	{"vision/*", []string{"solve", "solve/*", "vision", "vision/grid", "vision/grid/*", "vision/posterior", "vision/picture", "vision/picture/*", "calibrations"}, "readers of one family's boards"},
	{"vision/*/*", []string{"solve", "solve/*", "solve/*/*", "vision", "vision/*", "vision/picture/*", "calibrations"}, "parts of a family's reader"},
	{"input", []string{"solve", "calibrations", "capture/xserver"}, "strokes to events"},
	{"input/*", []string{"solve", "calibrations", "input"}, "parts of input"},
	{"cmd/internal/answer", []string{"cmd/internal/store", "solve", "solve/limits", "vision", "vision/picture"}, "it answers puzzles, whatever their family"},
	{"cmd/internal/agent/see", []string{"cmd/internal/answer", "solve", "solve/limits", "vision", "vision/locate", "vision/grid", "vision/grid/*", "vision/posterior", "vision/picture", "calibrations", "capture"}, "a frame becomes boards and answers, and no family is named"},
	{"cmd/internal/agent/enter", []string{"cmd/internal/agent/see", "cmd/internal/answer", "solve", "vision", "vision/trail", "calibrations", "capture", "input"}, "an answer becomes motion, and no family is named"},
	{"cmd/internal/agent/drive", []string{"cmd/internal/agent/see", "cmd/internal/agent/enter", "cmd/internal/answer", "solve", "vision", "calibrations", "input"}, "what is done next, whatever the family"},
	{"cmd/internal/agent/tape", []string{"cmd/internal/agent/see", "cmd/internal/agent/enter", "solve", "capture", "input"}, "a run is kept and played again, whatever it drives"},
	{"cmd/internal/agent/agenttest", []string{"*", "*/*", "*/*/*"}, "clients and pillars for the agent's tests"},
	{"cmd/internal/web", []string{"cmd/internal/agent/see", "cmd/internal/answer", "cmd/internal/lesson", "cmd/internal/local", "cmd/internal/plain", "cmd/internal/store", "solve", "solve/limits", "vision", "vision/picture"}, "the page names no family"},
	{"cmd/internal/lesson", []string{"cmd/internal/agent/see", "solve", "vision"}, "what a page and a teacher know of each other"},
	{"cmd/internal/store", []string{"solve"}, "the store names no family"},
	{"cmd/internal/plain", []string{"solve"}, "words for people"},
	{"cmd/internal/misuse", nil, "what a command line means"},
	{"cmd/internal/whole", nil, "files, whatever is in them"},
	{"cmd/internal/sheet", []string{"cmd/internal/whole", "vision/picture"}, "pages to print, of any family"},
	{"cmd/internal/guardian", []string{"input"}, "the mouse alone"},
	{"cmd/internal/show", []string{"cmd/internal/agent/see", "cmd/internal/plain", "cmd/internal/whole", "solve", "vision", "vision/picture", "vision/posterior"}, "drawing names no family"},
	{"cmd/internal/intake", []string{"cmd/internal/agent/see", "cmd/internal/misuse", "cmd/internal/plain", "cmd/internal/store", "cmd/internal/whole", "calibrations", "capture", "solve", "vision", "vision/posterior"}, "inputs of any family"},
	{"cmd/internal/program", []string{"cmd/internal/agent/see", "cmd/internal/answer", "cmd/internal/guardian", "cmd/internal/intake", "cmd/internal/misuse", "cmd/internal/plain", "cmd/internal/show", "cmd/internal/store", "cmd/internal/whole", "input", "solve", "solve/limits"}, "commands of any family"},
	{"cmd/internal/calibrate", []string{"*", "solve/witness", "solve/witness/*", "vision/*", "vision/*/*", "cmd/internal/*", "cmd/internal/agent/*"}, "looks of panels are learned otherwise than those of cells"},
	{"cmd/internal/practice", []string{"*", "solve/witness", "solve/witness/*", "vision/picture/witness", "cmd/internal/*"}, "the Challenge is of The Witness"},
	{"cmd/internal/games", []string{"*", "*/*", "*/*/*", "cmd/internal/agent/see", "cmd/internal/plain"}, "the list of games names every family"},
	{"cmd/internal/*", []string{"*", "capture/xserver", "solve/limits", "cmd/internal/*", "cmd/internal/agent/*", "vision/picture"}, "a command names no family"},
	{"cmd/internal/program/programtest", []string{"cmd/internal/games", "cmd/internal/program"}, "command lines in tests"},
	{"cmd/internal/dev/showcase/showtest", []string{"cmd/internal/dev/showcase"}, "displays for tests"},
	{"cmd/internal/dev/*", []string{"*", "*/*", "*/*/*", "cmd/internal/*", "cmd/internal/agent/*", "cmd/internal/dev/*"}, "the workshop, of which the product imports nothing"},
	{"cmd/onlooker", []string{"*", "*/*", "*/*/*", "cmd/internal/*", "cmd/internal/agent/*"}, "the program"},
}

// soleImporters are modules that one package of ours wraps for the others, and a package of
// ours that few may know.
var soleImporters = []struct {
	module string
	by     []string
	why    string
}{
	{"gocv.io/x/gocv", []string{"vision", "vision/locate"}, "no OpenCV type leaves them"},
	{"github.com/go-vgo/robotgo", []string{"input"}, "the mouse is one package's"},
	{"github.com/go-air/gini", []string{"solve/sat"}, "constraints are written once"},
	{"github.com/mattn/go-sqlite3", []string{"cmd/internal/store"}, "what is kept is one package's"},
	{module + "cmd/internal/games", []string{"cmd/onlooker", "cmd/internal/program/programtest"}, "commands are given the games"},
}

func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	if err != nil {
		panic(err)
	}
	return ok
}

// forbidden tells which import of a package the table does not allow.
func forbidden(pkg string, imports []string) error {
	for _, rule := range importRules {
		if !matches(rule.of, pkg) {
			continue
		}
		// A family is the folder under solve, vision or vision/picture; its own
		// parts may import it.
		family := strings.Split(strings.Replace(pkg, "vision/picture/", "vision/", 1), "/")
		for _, imp := range imports {
			ours, ok := strings.CutPrefix(imp, module)
			if !ok {
				continue
			}
			allowed := false
			for _, may := range rule.may {
				allowed = allowed || matches(may, ours)
			}
			// vision/<family> sees its own family only, and what knows no family.
			if parts := strings.Split(ours, "/"); allowed && family[0] == "vision" && len(parts) == 2 && parts[0] == "solve" {
				allowed = len(family) > 1 && parts[1] == family[1] || parts[1] == "limits" || parts[1] == "place"
			}
			if !allowed {
				return fmt.Errorf("%s imports %s, may import %v: %s", pkg, ours, rule.may, rule.why)
			}
		}
		return nil
	}
	return fmt.Errorf("%s is in no row of the table of imports", pkg)
}

func TestImports(t *testing.T) {
	for _, p := range listPackages(t) {
		pkg, ours := strings.CutPrefix(p.ImportPath, module)
		if !ours {
			continue
		}
		if err := forbidden(pkg, p.Imports); err != nil {
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

// TestDrawingNeedsNoOpenCV asks for all that the packages below vision/picture
// are built from.
func TestDrawingNeedsNoOpenCV(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", module+"vision/picture/...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	all := strings.Fields(string(out))
	if !slices.Contains(all, module+"vision/picture/witness") {
		t.Fatalf("vision/picture/witness is not among %d packages", len(all))
	}
	for _, pkg := range all {
		if strings.HasPrefix(pkg, "gocv.io/") || pkg == module+"vision" {
			t.Errorf("what draws is built from %s", pkg)
		}
	}
}

// TestReadersNeedNoSolver asks for all that the reader and the pictures of The
// Witness are built from: its board, not its solver.
func TestReadersNeedNoSolver(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", module+"vision/witness/...", module+"vision/picture/witness/...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	all := strings.Fields(string(out))
	if !slices.Contains(all, module+"solve/witness/board") {
		t.Fatalf("solve/witness/board is not among %d packages", len(all))
	}
	for _, pkg := range all {
		ours, ok := strings.CutPrefix(pkg, module+"solve/")
		if ok && !slices.Contains([]string{"place", "witness/board", "witness/forms"}, ours) {
			t.Errorf("what reads and draws panels is built from %s", pkg)
		}
	}
}

// TestNoFamilyIsNamed asks for all that the agent, the answers, the page and the store are
// built from: no family, nor its reader.
func TestNoFamilyIsNamed(t *testing.T) {
	rooms := []string{"agent/see", "agent/enter", "agent/drive", "agent/tape", "answer", "web", "store"}
	args := []string{"list", "-deps"}
	for _, room := range rooms {
		args = append(args, module+"cmd/internal/"+room)
	}
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	all := strings.Fields(string(out))
	if !slices.Contains(all, module+"vision") {
		t.Fatalf("vision is not among %d packages", len(all))
	}
	for _, family := range games.Of() {
		for _, pkg := range all {
			if slices.Contains(strings.Split(pkg, "/"), family.Name) {
				t.Errorf("a room that knows no family is built from %s", pkg)
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
		{"the same in the solvers: one passes it on, one ends a statement", "solve", `\brecover\(\)`, []string{"solve/statement/statement.go", "solve/witness/search/portfolio.go"}},
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

// TestForbidden shows that the table refuses what it should.
func TestForbidden(t *testing.T) {
	for _, row := range []struct {
		pkg, imp string
		ok       bool
	}{
		{"solve", "onlooker/solve/sat", false},
		{"solve/flow", "onlooker/solve/sat", true},
		{"solve/witness/search", "onlooker/solve/witness/rules", false},
		{"solve/witness/rules", "onlooker/solve/witness/search", false},
		{"solve/witness/proof", "onlooker/solve/witness/rules", true},
		{"solve/witness", "onlooker/solve/flow", false},
		{"solve/witness", "onlooker/vision", false},
		{"vision", "onlooker/solve", false},
		{"vision/witness", "onlooker/solve/witness/board", true},
		{"vision/witness", "onlooker/solve/witness", false},
		{"vision/picture/witness", "onlooker/solve/witness/search", false},
		{"vision/witness", "onlooker/solve/flow", false},
		{"vision/picture/flow", "onlooker/solve/flow", true},
		{"vision/picture/flow", "onlooker/solve/fans", false},
		{"vision/picture/flow", "onlooker/vision", false},
		{"cmd/internal/agent/see", "onlooker/solve/witness", false},
		{"cmd/internal/agent/see", "onlooker/capture", true},
		{"cmd/internal/agent/see", "onlooker/cmd/internal/answer", true},
		{"cmd/internal/agent/see", "onlooker/cmd/internal/agent/enter", false},
		{"cmd/internal/agent/enter", "onlooker/cmd/internal/agent/drive", false},
		{"cmd/internal/agent/drive", "onlooker/cmd/internal/agent/tape", false},
		{"cmd/internal/answer", "onlooker/cmd/internal/agent/see", false},
		{"cmd/internal/answer", "onlooker/solve/witness", false},
		{"cmd/internal/intake", "onlooker/solve/witness", false},
		{"cmd/internal/whole", "onlooker/solve", false},
		{"cmd/internal/dev/demo", "onlooker/cmd/internal/dev/showcase", true},
		{"cmd/internal/overlay", "onlooker/cmd/internal/dev/showcase", false},
		{"cmd/onlooker", "onlooker/cmd/internal/dev/showcase", false},
		{"capture", "onlooker/vision", false},
		{"somewhere/new", "fmt", false},
	} {
		if err := forbidden(row.pkg, []string{row.imp}); (err == nil) != row.ok {
			t.Errorf("%s importing %s: got %v, want allowed %v", row.pkg, row.imp, err, row.ok)
		}
	}
}

// listPackages lists our packages without their tests.
func listPackages(t *testing.T) []dependency {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", module+"...")
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
