package main

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"onlooker/calibrations"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/games"
	"onlooker/cmd/internal/intake"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness/forms"
	"onlooker/vision/locate"
	drawing "onlooker/vision/picture/witness"
)

// -update writes what is printed now as what is wanted. Look at every
// difference before committing it: these texts are what people see.
var update = flag.Bool("update", false, "write testdata/*.golden anew")

// code is a panel of 2×2 cells with three black squares and a white one, as a
// Windmill link's code.
const code = "CAUSAigEEgIIBBIAEgQIBxABEgASBAgHEAESAigHEgQIBxABEgASBAgHEAISABICCAMSAigE_0"

// millis hides times, which differ from run to run, and what the program is built for.
var millis = regexp.MustCompile(`"millis":\{[^}]*\}|in [0-9.]+ ms|go[0-9.]+, \w+/\w+`)

// raw is what libraries say of a failure, and no word for people.
var raw = regexp.MustCompile(`bufio|(?:^|: )(?:json|toml|png): |invalid character|cannot unmarshal|unexpected E|illegal seek|\b(open|read|stat|lstat|mkdir|seek) [./]|<nil>|%!|goroutine|runtime error|token too long|strconv|pflag|time:|invalid argument|listen tcp|bind:|struct field|cannot decode|unknown command|arg\(s\)|context `)

// TestGolden compares what people and programs see: testdata/*.golden are transcripts of commands, each
// with what it prints, its complaint, which is one line for people, and its status. They run in a folder
// that has testdata/files. A word in quotes is one of Go's strings; what follows a < comes by standard input.
func TestGolden(t *testing.T) {
	files := solvetest.Must(filepath.Glob("testdata/*.golden"))(t)
	home := solvetest.Must(os.Getwd())(t)
	t.Setenv("DISPLAY", "")
	t.Setenv("XDG_SESSION_TYPE", "x11")
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			dir := t.TempDir()
			t.Setenv("XDG_DATA_HOME", t.TempDir()) // nothing is known yet
			solvetest.OK(t, errors.Join(os.CopyFS(dir, os.DirFS(filepath.Join(home, "testdata", "files"))), os.Mkdir(filepath.Join(dir, "nothing"), 0o755)))
			wanted := solvetest.Must(os.ReadFile(filepath.Join(home, file)))(t)
			t.Chdir(dir)
			var got strings.Builder
			for line := range strings.Lines(string(wanted)) {
				if command, ok := strings.CutPrefix(line, "$ onlooker"); ok {
					got.WriteString(line + transcript(t, command))
				} else if strings.HasPrefix(line, "#: ") { // why
					got.WriteString(line)
				}
			}
			if *update {
				solvetest.OK(t, os.WriteFile(filepath.Join(home, file), []byte(got.String()), 0o644))
			} else if got.String() != string(wanted) {
				t.Errorf("got\n%s\nwant\n%s", &got, wanted)
			}
		})
	}
}

// transcript runs a command as it is typed.
func transcript(t *testing.T, command string) string {
	t.Helper()
	var args []string
	in := ""
	for _, word := range regexp.MustCompile(`<?"(?:[^"\\]|\\.)*"|\S+`).FindAllString(command, -1) {
		text, isIn := strings.CutPrefix(word, "<")
		if plain, err := strconv.Unquote(text); err == nil {
			text = plain
		}
		if isIn {
			in = text
		} else {
			args = append(args, text)
		}
	}
	out, errOut, status := onlooker(t, in, args...)
	got := millis.ReplaceAllString(out, `(time)`)
	if errOut != "" {
		got += "--- standard error\n" + errOut
		said, _, _ := strings.Cut(strings.TrimPrefix(errOut, "seed 5\n"), "onlooker: to put it right by hand: onlooker serve ")
		if status != 0 && (strings.Count(said, "\n") != 1 || !strings.HasPrefix(said, "onlooker: ") && !strings.HasPrefix(said, "-, board ") || len(said) > 700 || raw.MatchString(said)) {
			t.Errorf("%s: not one line for people: %q", command, errOut)
		}
	}
	return got + fmt.Sprintf("--- status %d\n", status)
}

// hollowPNG is a PNG file that claims a size; its pixels are zeros, which pack
// a thousand to one.
func hollowPNG(t *testing.T, width, height, rows int) []byte {
	t.Helper()
	var out bytes.Buffer
	out.WriteString("\x89PNG\r\n\x1a\n")
	chunk := func(kind string, data []byte) {
		_ = binary.Write(&out, binary.BigEndian, uint32(len(data))) // a Buffer takes everything
		body := append([]byte(kind), data...)
		out.Write(body)
		_ = binary.Write(&out, binary.BigEndian, crc32.ChecksumIEEE(body))
	}
	head := make([]byte, 13)
	binary.BigEndian.PutUint32(head, uint32(width))
	binary.BigEndian.PutUint32(head[4:], uint32(height))
	head[8], head[9] = 8, 6 // eight bits each of red, green, blue and alpha
	chunk("IHDR", head)
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	for range rows {
		solvetest.Must(z.Write(make([]byte, 1+4*width)))(t)
	}
	solvetest.OK(t, z.Close())
	chunk("IDAT", packed.Bytes())
	chunk("IEND", nil)
	return out.Bytes()
}

func encoded(t *testing.T, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	solvetest.OK(t, png.Encode(&b, m))
	return b.Bytes()
}

// TestPortTaken: a port that another program has is told in words for people.
func TestPortTaken(t *testing.T) {
	taken := solvetest.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer taken.Close()
	_, port, _ := net.SplitHostPort(taken.Addr().String())
	for _, args := range [][]string{{"practice", "--no-open", "--port", port}, {"watch", "--no-store", "--serve", port, "--folder", t.TempDir()}} {
		out, errOut, status := onlooker(t, "", args...)
		if out != "" || status != 1 || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, "another program has that port") || raw.MatchString(errOut) {
			t.Errorf("%v: status %d, %s%s, want 1 and one line", args, status, out, errOut)
		}
	}
}

// TestReadViews: of a panel of which each picture hides a symbol, none is read
// alone, and together they are; pictures of two panels contradict each other,
// and it is said where.
func TestReadViews(t *testing.T) {
	const text = "panel 3x3\n+-+-+-^\n|a| |b|\n+-+-+-+\n| |a|b|\n+-+-+-+\n|a| |b|\n@-+-+-+\na = black square\nb = white square\n"
	look := solvetest.Must(calibrations.Load("witness-challenge"))(t)
	picture := func(name, text string, hidden image.Point) string {
		panel := solvetest.Must(forms.Parse([]byte(text)))(t)
		drawn := drawing.Draw(panel, drawing.Typical(look), 60)
		m := image.NewRGBA(drawn.Rect.Inset(-100))
		draw.Draw(m, m.Rect, image.NewUniform(color.RGBA{70, 66, 60, 255}), image.Point{}, draw.Src)
		draw.Draw(m, drawn.Rect, drawn, drawn.Rect.Min, draw.Over)
		if hidden != (image.Point{}) {
			boards, err := locate.Boards(m, look.Board)
			if err != nil || len(boards) != 1 {
				t.Fatalf("%d boards, %v; want one", len(boards), err)
			}
			at := boards[0].Screen(hidden).Add(m.Rect.Min)
			draw.Draw(m, image.Rect(-18, -8, 18, 22).Add(at), image.NewUniform(color.RGBA{230, 200, 40, 255}), image.Point{}, draw.Src)
		}
		file := filepath.Join(t.TempDir(), name)
		f := solvetest.Must(os.Create(file))(t)
		solvetest.OK(t, errors.Join(png.Encode(f, m), f.Close()))
		return file
	}
	a, b := picture("a.png", text, image.Pt(1, 1)), picture("b.png", text, image.Pt(5, 3))
	other := picture("other.png", strings.Replace(text, "| |a|b|", "| | |b|", 1), image.Point{})
	for _, alone := range []string{a, b} {
		if out, errOut, status := onlooker(t, "", "read", alone); status != 1 || !strings.Contains(errOut, "unsure at") {
			t.Errorf("one picture: status %d: %s%s, want it unsure", status, out, errOut)
		}
	}
	var line intake.Sight
	if err := json.Unmarshal([]byte(want(t, "", "read", "--json", "--views", a, b)), &line); err != nil || len(line.Boards) != 1 {
		t.Fatalf("two pictures: %v, %+v; want a board", err, line)
	}
	if got := strings.Join(strings.Split(line.Boards[0].Text, "\n")[:8], "\n"); got != strings.Join(strings.Split(text, "\n")[:8], "\n") {
		t.Errorf("two pictures:\n%s\nwant\n%s", line.Boards[0].Text, text)
	}
	if one := want(t, "", "read", "--views", other); !strings.HasPrefix(one, other+", board 1") {
		t.Errorf("of one view: %s", one)
	}
	if _, errOut, status := onlooker(t, "", "read", "--views", b, other); status != 1 || !strings.Contains(errOut, "contradict each other at column 2 row 2") {
		t.Errorf("two panels: status %d: %s, want a contradiction at column 2 row 2", status, errOut)
	}
}

// TestHelpWidth holds every help to 80 columns.
func TestHelpWidth(t *testing.T) {
	p := quietProgram()
	pages := [][]string{{"help"}}
	for _, c := range newRoot(p).Commands() {
		pages = append(pages, []string{"help", c.Name()})
	}
	if len(pages) < 10 {
		t.Fatalf("only %d pages of help", len(pages))
	}
	for _, args := range pages {
		var out bytes.Buffer
		run(t.Context(), args, strings.NewReader(""), &out, &out)
		for line := range strings.Lines(out.String()) {
			line = strings.TrimRight(line, "\n")
			if len([]rune(line)) > cli.HelpColumns {
				t.Errorf("%s: %d columns: %s", strings.Join(args, " "), len([]rune(line)), line)
			}
		}
	}
}

// says runs a command and gives what it prints.
func says(t *testing.T, args ...string) (status int, out, errOut string) {
	t.Helper()
	var o, e bytes.Buffer
	status = run(t.Context(), args, strings.NewReader(""), &o, &e)
	return status, o.String(), e.String()
}

// TestStreams has - be standard output for every kind of it.
func TestStreams(t *testing.T) {
	t.Chdir(t.TempDir())
	store := filepath.Join(t.TempDir(), "store.sqlite")
	solvetest.OK(t, cli.WritePicture("shot.png", scene(t, "maze-3", 800, 600, 1)))
	for _, row := range []struct {
		want string // what the stream begins with
		args []string
	}{
		{"grid 3x1", []string{"convert", "--to", "text", "-o", "-", "grid 3x1 / *o*"}},
		{"\x89PNG", []string{"convert", "--to", "png", "-o", "-", "grid 3x1 / *o*"}},
		{"<svg", []string{"convert", "--to", "svg", "-o", "-", "grid 3x1 / *o*"}},
		{"\x89PNG", []string{"generate", "flow", "--store", store, "--to", "png", "-o", "-"}},
		{"flow", []string{"generate", "flow", "--store", store, "-o", "-"}},
		{"{", []string{"export", "--store", store, "-o", "-"}},
		{"{", []string{"batch", "--no-store", "-o", "-", "panel.txt"}},
		{"\x89PNG", []string{"solve", "--no-store", "--picture", "-", "shot.png"}},
	} {
		solvetest.OK(t, os.WriteFile("panel.txt", []byte("grid 3x1\n*o*\n"), 0o644))
		status, out, errOut := says(t, row.args...)
		if status != 0 || !strings.HasPrefix(out, row.want) {
			t.Errorf("%v ends with %d and streams %.20q, %s", row.args, status, out, errOut)
		}
		if exists("-") {
			t.Errorf("%v leaves a file -", row.args)
		}
	}
}

// TestPictureEnding has a picture be what its name says.
func TestPictureEnding(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x.jpg")
	solvetest.OK(t, cli.WritePicture(name, evenFrame(color.White)))
	f := solvetest.Must(os.Open(name))(t)
	defer f.Close()
	if _, err := jpeg.Decode(f); err != nil {
		t.Errorf("x.jpg holds no JPEG: %v", err)
	}
	if err := cli.WritePicture(filepath.Join(dir, "x.gif"), evenFrame(color.White)); err == nil {
		t.Error("x.gif is written")
	}
	// Without a board there is nothing to draw over.
	if status, _, errOut := says(t, "solve", "--no-store", "--picture", filepath.Join(dir, "y.png"), name); status != 1 || !strings.Contains(errOut, "no board is found in the picture") || exists(filepath.Join(dir, "y.png")) {
		t.Errorf("of an even frame it ends with %d: %s", status, errOut)
	}
}

// TestGenerateKeepsWhole has a command that fails leave the store as it was.
func TestGenerateKeepsWhole(t *testing.T) {
	store := filepath.Join(t.TempDir(), "store.sqlite")
	if status, _, errOut := says(t, "generate", "switches", "--store", store, "--size", "5x5", "--unique", "-n", "2"); status != 1 {
		t.Fatalf("it ends with %d: %s", status, errOut)
	}
	if status, out, errOut := says(t, "export", "--store", store); strings.Contains(out, "puzzle") {
		t.Errorf("the store holds %s (%d, %s)", out, status, errOut)
	}
}

// TestGamesTell has games say of every family that a look is known of that it is read.
func TestGamesTell(t *testing.T) {
	status, out, errOut := says(t, "games", "--json")
	if n := strings.Count(out, `"seen":true`); status != 0 || n != len(games.Of()) {
		t.Errorf("%d of %d families are seen: %s", n, len(games.Of()), errOut)
	}
}

// TestManual writes a page for every command, alike each time.
func TestManual(t *testing.T) {
	dir := t.TempDir()
	if status, _, errOut := says(t, "man", dir); status != 0 {
		t.Fatal(errOut)
	}
	for _, c := range newRoot(quietProgram()).Commands() {
		name := filepath.Join(dir, "onlooker-"+c.Name()+".1")
		if data, err := os.ReadFile(name); !c.Hidden && c.Name() != "help" && c.Name() != "completion" && (err != nil || !bytes.Contains(data, []byte(".SH"))) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestThird names the third of three where two are read that have no solution, and
// solves a pillar from its views, together as the refusal of one says.
func TestThird(t *testing.T) {
	at := func(name string) string { return solvetest.Shared("captures", name) }
	if !exists(at("triple-two-colours-01.png")) {
		t.Skip("no shared captures: set ONLOOKER_SHARED to their folder")
	}
	views := []string{at("pillar-dots-01-view0.png"), at("pillar-dots-01-view1.png"), at("pillar-dots-01-view2.png")}
	replayed := t.TempDir()
	data, err := os.ReadFile(at("triple-two-colours-01.png"))
	if err == nil {
		err = os.WriteFile(filepath.Join(replayed, "triple.png"), data, 0o644)
	}
	solvetest.OK(t, err)
	for _, row := range []struct {
		args   []string
		status int
		want   []string
		not    string
	}{
		{[]string{"solve", "--no-store", at("triple-two-colours-01.png")}, 0, []string{"left of the two: no solution", "two have no answer: solve the third"}, "--views"},
		{[]string{"solve", "--no-store", at("triple-two-colours-05.png")}, 0, []string{"left: no solution", "the one to solve: right"}, ""},
		{[]string{"read", "--no-store", at("triple-two-colours-05.png")}, 0, []string{"board 1, centre", "board 2, right", "board 3, left"}, ""},
		{[]string{"watch", "--no-store", "--replay", replayed}, 1, []string{"right of the two: no solution", "two have no answer: solve the third"}, "unsure"},
		{[]string{"solve", "--no-store", views[0]}, 1, []string{"41% of the pillar is seen", "more views are needed", "read them together with --views"}, ""},
		{append([]string{"solve", "--no-store", "--views"}, views...), 0, []string{"and the other views: solved"}, ""},
	} {
		status, out, errOut := says(t, row.args...)
		all := out + errOut
		for _, want := range row.want {
			if !strings.Contains(all, want) {
				t.Errorf("%v says %s, want %q", row.args, all, want)
			}
		}
		if status != row.status || row.not != "" && strings.Contains(all, row.not) {
			t.Errorf("%v ends with %d, want %d, and says %s", row.args, status, row.status, all)
		}
	}
}

func evenFrame(c color.Color) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, 64, 48))
	draw.Draw(m, m.Rect, image.NewUniform(c), image.Point{}, draw.Src)
	return m
}

// A name with an escape in it does not reach the terminal as it is.
func TestCleanNames(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a\x1b[31m\u009bb.txt")
	if err := os.WriteFile(file, []byte("panel 1x1\n+->\n| |\n@-+\n"), 0o644); err != nil {
		t.Skipf("this system has no such names: %v", err)
	}
	bad := file + "-not-there.txt"
	for _, args := range [][]string{
		{"solve", "--no-store", file}, {"solve", "--no-store", bad}, {"check", file, "[]"}, {"check", bad, "[]"}, {"read", file}, {"read", bad},
		{"convert", "--to", "link", file}, {"convert", "--to", "text", bad}, {"solve", "--no-store", "--lines", bad}, {"import", "--store", filepath.Join(t.TempDir(), "s"), bad},
	} {
		out, errOut, _ := onlooker(t, "", args...)
		if at := strings.IndexFunc(out+errOut, func(r rune) bool { return slices.Contains([]rune{0x1b, 0x9b}, r) }); at >= 0 {
			t.Errorf("%q prints %q", args, out+errOut)
		}
	}
}

// TestWatchHint: watch prints the first step alone.
func TestWatchHint(t *testing.T) {
	folder := t.TempDir()
	panel := filepath.Join(folder, "panel.txt")
	solvetest.OK(t, os.WriteFile(panel, []byte("panel 2x2\n+-+->\n|a|a|\n+-+-+\n|a|b|\n@-+-+\na = black square\nb = white square\n"), 0o644))
	want(t, "", "convert", "--to", "png", "-o", filepath.Join(folder, "panel.png"), panel)
	out := want(t, "", "watch", "--no-store", "--hint", "--replay", folder)
	if !strings.Contains(out, "hint: ") || strings.Contains(out, "●") || strings.Count(out, "\n") > 3 {
		t.Errorf("got %s, want a hint alone", out)
	}
}

// TestCheckPrinted: check takes all that solve prints of lines and of lamps, the board drawn with it, and
// of boards that are too large to be drawn, and finds what was changed in it.
func TestCheckPrinted(t *testing.T) {
	lamps := strings.Repeat(strings.Repeat("*.", 150)+"\n", 300)
	flow := want(t, "", "generate", "flow", "--size", "40x20", "--seed", "3")
	for _, row := range []struct{ puzzle, is, was string }{
		{flow, "down 1\n", "up 1\n"},
		{"A.B\nA.B\n", "down 1\n", "right 1\n"},
		{"panel 1x1\n+->\n| |\n@-+\n", "right 1", "down 1"},
		{lamps, ":\n0", ":\n1"},
		{"grid 3x1\n*o*\n", "flip column 1 row 1\n", "flip column 1 row 1\nflip column 1 row 1\n"},
	} {
		printed := want(t, "", "solve", "--no-store", row.puzzle)
		solvetest.Same(t, want(t, printed, "check", row.puzzle, "-"), "right\n", "%.40q: what solve prints", row.puzzle)
		changed := strings.Replace(printed, row.is, row.was, 1)
		if out, _, code := onlooker(t, changed, "check", row.puzzle, "-"); code == 0 || changed == printed {
			t.Errorf("%.40q: with %q for %q in it it is %s, want it wrong", row.puzzle, row.was, row.is, out)
		}
	}
}
