package main

import (
	"bytes"
	"encoding/xml"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"onlooker/calibrations"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/games"
	"onlooker/cmd/internal/program/programtest"
	"onlooker/cmd/internal/store"
	"onlooker/solve/solvetest"
)

// asProgram is set where the tests' own process is to be the program, or its guardian.
const asProgram = "ONLOOKER_TEST_AS_PROGRAM"

// TestMain keeps the tests, and the programs that they start, out of the
// user's store.
func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	programtest.Main(m)
}

const noSolution = "panel 1x1\n+->\n|a|\n@-+\na = black star\n"

// TestExportImport takes what was solved to another store.
func TestExportImport(t *testing.T) {
	dir := t.TempDir()
	mine, theirs, file := filepath.Join(dir, "a.sqlite"), filepath.Join(dir, "b.sqlite"), filepath.Join(dir, "x.jsonl")
	panel := filepath.Join(dir, "panel.txt")
	solvetest.OK(t, os.WriteFile(panel, []byte(noSolution), 0o600))
	if out, errOut, status := onlooker(t, "", "export", "--store", mine); status != 1 || !strings.Contains(errOut, "no store") {
		t.Errorf("export of nothing: status %d\n%s%s", status, out, errOut)
	}
	var puzzles []string
	for _, g := range games.Of() {
		// Seed 1 for all; what is asked is that every family's text comes back.
		text := solvetest.Must(g.Generate(rand.New(rand.NewPCG(1, 1)), 5, 4).MarshalText())(t)
		name := filepath.Join(dir, g.Name+".txt")
		solvetest.OK(t, os.WriteFile(name, text, 0o600))
		puzzles = append(puzzles, name)
	}
	want(t, "", append([]string{"solve", "--store", mine, panel}, puzzles...)...)
	want(t, "", "export", "--store", mine, "-o", file)
	text := want(t, "", "export", "--store", mine)
	if data, err := os.ReadFile(file); err != nil || string(data) != text {
		t.Errorf("-o writes something else (%v)", err)
	}
	if said := want(t, "", "import", "--own", "--store", theirs, file); !strings.Contains(said, "6 puzzles, 5 answers, 1 proofs") {
		t.Error(said)
	}
	solvetest.Same(t, want(t, "", "export", "--store", theirs), text, "exported again")
	said, errOut, status := onlooker(t, text+"{}\n", "import", "--store", theirs, "-")
	if status != 1 || !strings.Contains(said, "1 lines were refused") || !strings.Contains(errOut, "-: line 8: ") {
		t.Errorf("status %d: %s%s", status, said, errOut)
	}
}

// Files without an end are one line each, wherever one may be named.
func TestFilesWithoutEnd(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no /dev/zero")
	}
	if _, err := cli.ReadFile("/dev/zero"); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("a truth file: %v", err)
	}
	dir := t.TempDir()
	solvetest.OK(t, os.Symlink("/dev/zero", filepath.Join(dir, calibrations.File)))
	if _, err := calibrations.Load(dir); err == nil || !strings.Contains(err.Error(), "more than 4 MB") {
		t.Errorf("a profile: %v", err)
	}
}

// TestSpare writes to inputs and to the store, under other names too, and finds
// them as they were.
func TestSpare(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	kept, board, list, other := at("s.sqlite"), at("board.txt"), at("list"), at("other.txt")
	want(t, "", "solve", "--store", kept, "grid 3x1 / *o*")
	picture := at("0001.png")
	want(t, "", "convert", "--to", "png", "-o", picture, code)
	for name, text := range map[string]string{board: "grid 3x1\n*o*", list: board + "\n", other: "grid 3x1\n*o*"} {
		solvetest.OK(t, os.WriteFile(name, []byte(text), 0o600))
	}
	link := at("link")
	solvetest.OK(t, os.Link(board, link))
	t.Setenv("XDG_DATA_HOME", at("data"))
	t.Setenv("LocalAppData", at("data"))
	want(t, "", "solve", "grid 3x1 / *o*")
	own := solvetest.Must(store.DefaultPath())(t)
	for _, row := range []struct{ said, args string }{
		{"the store", "export --store " + kept + " -o " + kept},
		{"the store", "export -o " + own},
		{"an input", "convert --to text -o " + board + " " + board},
		{"an input", "convert --to text -o " + link + " " + other + " " + board},
		{"an input", "convert --to text -o " + list + " --lines " + list},
		{"an input", "convert --to text -o " + board + " --lines " + list},
		{"the store", "convert --to text -o " + own + " " + board},
		{"an input", "convert --to png -o " + dir + " " + picture},
		{"the store", "generate flow -n 1 --store " + kept + " -o " + kept},
		{"the store", "generate flow -n 1 --no-store --to png -o " + own},
		{"an input", "batch --no-store -o " + board + " " + board},
		{"the store", "batch --store " + kept + " -o " + kept + " " + board},
	} {
		before := map[string]string{}
		look := func(see func(name string, data []byte)) {
			for _, name := range []string{kept, board, list, other, picture, own} {
				data := solvetest.Must(os.ReadFile(name))(t)
				see(name, data)
			}
		}
		look(func(name string, data []byte) { before[name] = string(data) })
		_, errOut, status := onlooker(t, "", strings.Fields(row.args)...)
		if status != 2 || !strings.Contains(errOut, "is "+row.said) {
			t.Errorf("%s: status %d, want 2 and %q: %s", row.args, status, row.said, errOut)
		}
		look(func(name string, data []byte) {
			solvetest.Same(t, string(data), before[name], "%s: changed %s", row.args, name)
		})
	}
}

// TestTickets answers panels that people called unsolvable, or writes a page that proves it.
func TestTickets(t *testing.T) {
	all := solvetest.Must(os.ReadFile("testdata/tickets.txt"))(t)
	var solved, proved int
	boards := strings.Split("\n"+string(all), "\npanel ")[1:]
	for i, b := range boards {
		page := filepath.Join(t.TempDir(), "page.html")
		out, said, status := onlooker(t, "panel "+b, "solve", "-", "--no-store", "--timeout", "60s", "--proof", page)
		text, missing := os.ReadFile(page)
		switch {
		case status == 0 && missing == nil:
			proved++
			wellFormed(t, string(text))
			for _, want := range []string{"cannot be met", "<svg", "checked before this page was written", "panel "} {
				if !strings.Contains(string(text), want) && !(want == "cannot be met" && strings.Contains(string(text), "o line leads from a start to an end")) {
					t.Errorf("panel %d: no %q in its page:\n%s", i+1, want, text)
				}
			}
			t.Logf("panel %d: %s", i+1, out)
		case missing != nil && strings.Contains(out, "solved in") && strings.Contains(said, "is not written"):
			solved++
		default:
			t.Errorf("panel %d: status %d\n%s%s", i+1, status, out, said)
		}
	}
	t.Logf("%d answered, %d proved to have no answer", solved, proved)
	if solved+proved < 20 || solved < 5 || proved < 5 {
		t.Errorf("of %d panels %d are answered and %d proved", len(boards), solved, proved)
	}
}

// wellFormed reads a page as what it says it is.
func wellFormed(t *testing.T, page string) {
	t.Helper()
	dec := xml.NewDecoder(strings.NewReader(page))
	dec.Strict, dec.AutoClose, dec.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		if _, err := dec.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("the page: %v", err)
		}
	}
}

// TestProofWords: what a page says of few lines, of many, and of input that is no use for one.
func TestProofWords(t *testing.T) {
	large := "panel 6x6\n" + strings.Repeat("+-+-+-+-+-+-+\n|a| | | | |b|\n", 6) + "@-+-+-+-+-+->\na = red star\nb = blue square\n"
	large = strings.Replace(large, "|a| | | | |b|", "| | | | | |b|", 1) // five stars
	for _, row := range []struct{ why, board, want string }{
		{"few lines", "panel 1x1\n+->\n|a|\n@-+\na = 4 orange triangles\n", "2 lines lead from a start to an end"},
		{"too many to draw, but counted", large, "their number is odd"},
		{"too many to draw", "panel 5x5\n*:+-+-+-+-+\n" + strings.Repeat("| | | | | |\n+-+-+-+-+-+\n", 4) + "| | | | | |\n@-+-+-+-+->\n", "There is no short argument"},
	} {
		page := filepath.Join(t.TempDir(), "page.html")
		out, said, status := onlooker(t, row.board, "solve", "-", "--no-store", "--timeout", "60s", "--proof", page)
		text, err := os.ReadFile(page)
		if status != 0 || err != nil || !strings.Contains(string(text), row.want) {
			t.Errorf("%s: status %d, no %q in\n%s\n%s%s", row.why, status, row.want, text, out, said)
		}
	}
}

// A user's own symbol is known to every subcommand once its file lies in the folder; a
// file that is wrong costs that symbol alone, and one line.
func TestOwnSymbols(t *testing.T) {
	home := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", home)
	solvetest.OK(t, os.CopyFS(filepath.Join(home, "onlooker", "symbols"), os.DirFS("testdata/symbols")))
	board := filepath.Join(home, "board.txt")
	const text = "panel 2x2 rules=sigma\n+-+->\n|a|b|\n+-+-+\n|c| |\n@-+-+\na = beacon 4\nb = white diamond 1\nc = 1 purple arrow up\n"
	solvetest.OK(t, os.WriteFile(board, []byte(text), 0o644))
	command := func(args ...string) string {
		t.Helper()
		var out, errOut bytes.Buffer
		solvetest.Same(t, run(t.Context(), args, nil, &out, &errOut), 0, "%v: status %s", args, errOut.String())
		told := strings.Split(strings.TrimSpace(errOut.String()), "\n")
		if !strings.Contains(told[0], "broken.toml: line 1, column") || !strings.HasSuffix(told[0], "going on without it") {
			t.Errorf("%v: told %q of a file that is wrong", args, told[0])
		}
		return out.String()
	}
	if out := command("games"); !strings.Contains(out, "rule beacon: A beacon's four rays") || !strings.Contains(out, "--symbols beacons") || !strings.Contains(out, "rule bell") {
		t.Errorf("games does not list them:\n%s", out)
	}
	if out := command("solve", "--no-store", "--count", board); !strings.Contains(out, "☼4") || !strings.Contains(out, "◆1") || !strings.Contains(out, "answer") {
		t.Errorf("solved as\n%s", out)
	}
	svg := filepath.Join(home, "board.svg")
	command("convert", "--to", "svg", "-o", svg, board)
	if data, err := os.ReadFile(svg); err != nil || !bytes.Contains(data, []byte("<svg")) {
		t.Errorf("drawn: %v", err)
	}
	// It is read off a picture in a look that shows it.
	look := solvetest.Must(calibrations.Embedded.ReadFile("witness-sigma-dev/" + calibrations.File))(t)
	own := filepath.Join(home, "look")
	solvetest.OK(t, os.Mkdir(own, 0o755))
	look = regexp.MustCompile(`(?m)^kinds = .*`).ReplaceAll(look, []byte(`kinds = ["arrow", "beacon", "diamond"]`))
	solvetest.OK(t, os.WriteFile(filepath.Join(own, calibrations.File), look, 0o644))
	png := filepath.Join(home, "board.png")
	command("convert", "--to", "png", "-o", png, board)
	if out := command("read", "--no-store", "--profile", own, png); !strings.Contains(out, "☼4") || !strings.Contains(out, "◆1") {
		t.Errorf("read as\n%s", out)
	}
	if out := command("convert", "--to", "text", board); !strings.Contains(out, "red beacon 4") {
		t.Errorf("comes back as\n%s", out)
	}
	if out := command("generate", "witness", "--size", "4x4", "--symbols", "beacons=2", "--seed", "1", "--no-store"); strings.Count(out, "red beacon") == 0 {
		t.Errorf("dealt\n%s", out)
	}
}
