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

// millis hides times, which differ from run to run.
var millis = regexp.MustCompile(`"millis":\{[^}]*\}|in [0-9.]+ ms`)

// TestGolden compares what people and programs see. The exit status is the
// last line of each file.
func TestGolden(t *testing.T) {
	for _, row := range []struct {
		name string
		in   string
		args []string
	}{
		{name: "help", args: []string{"help"}},
		{name: "help-watch", args: []string{"help", "watch"}},
		{name: "help-solve", args: []string{"help", "solve"}},
		{name: "help-read", args: []string{"help", "read"}},
		{name: "solve-text", args: []string{"solve", "testdata/squares.txt"}},
		{name: "solve-code", args: []string{"solve", "--json", code}},
		{name: "solve-link", args: []string{"solve", "--json", "https://windmill.thefifthmatt.com/" + code}},
		{name: "solve-count", args: []string{"solve", "--count", "testdata/squares.txt"}},
		{name: "solve-all", args: []string{"solve", "--json", "--all", "--limit", "2", "testdata/squares.txt"}},
		{name: "solve-unsolvable", args: []string{"solve", "--json", "testdata/nosolution.txt"}},
		{name: "solve-why", args: []string{"solve", "--why", "testdata/nosolution.txt"}},
		// Lines in CR LF: good, bad, empty, good: three lines in this order.
		{name: "solve-lines", in: code + "\r\n?!\r\n\r\n" + code + "\r\n", args: []string{"solve", "--json", "--no-store", "--lines", "-"}},
		{name: "solve-rules", args: []string{"solve", "--json", "--rules", "windmill,overhang=off", "testdata/squares.txt"}},
		{name: "check-right", args: []string{"check", "testdata/squares.txt", "[[[0,4],[2,4],[2,2],[4,2],[4,0],[5,0]]]"}},
		{name: "check-wrong", args: []string{"check", "--json", "testdata/squares.txt", "[[[0,4],[0,2],[0,0],[2,0],[4,0],[5,0]]]"}},
		{name: "check-short", args: []string{"check", "testdata/squares.txt", "[[[0,4],[0,2]]]"}},
		{name: "convert-text", args: []string{"convert", "--to", "text", code}},
		{name: "convert-json", args: []string{"convert", "--to", "witnesspuzzles", "testdata/squares.txt"}},
		{name: "convert-code", args: []string{"convert", "--to", "windmill", "testdata/squares.txt"}},
		{name: "convert-svg", args: []string{"convert", "--to", "svg", "--answer", "testdata/squares.txt"}},
		{name: "convert-lines", in: code + "\n?!\n" + code + "\n", args: []string{"convert", "--json", "--to", "text", "--lines", "-"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Setenv("XDG_DATA_HOME", t.TempDir()) // nothing is known yet
			out, errOut, status := onlooker(t, row.in, row.args...)
			got := millis.ReplaceAllString(out, `(time)`)
			if errOut != "" {
				got += "--- standard error\n" + errOut
			}
			got += "--- status " + string(rune('0'+status)) + "\n"
			file := filepath.Join("testdata", row.name+".golden")
			if *update {
				solvetest.OK(t, os.WriteFile(file, []byte(got), 0o644))
			}
			wanted := solvetest.Must(os.ReadFile(file))(t)
			if got != string(wanted) {
				t.Errorf("onlooker %s:\n%s\nwant:\n%s", strings.Join(row.args, " "), got, wanted)
			}
		})
	}
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

// TestBadInput: one clear line, exit status 1, or 2 where the command line is
// at fault, and never a stack trace.
func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, data []byte) string {
		name = filepath.Join(dir, name)
		solvetest.OK(t, os.WriteFile(name, data, 0o644))
		return name
	}
	blank := encoded(t, image.NewRGBA(image.Rect(0, 0, 640, 480)))
	good := file("blank.png", blank)
	two := file("two.txt", []byte("FF\nTT\n"))
	taken := solvetest.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer taken.Close()
	_, port, _ := net.SplitHostPort(taken.Addr().String())
	look := filepath.Join(dir, "look") + string(filepath.Separator)
	solvetest.OK(t, os.Mkdir(look, 0o755))
	file("look/profile.toml", []byte("[board]\nmin_pitch_pixels = \"wide\"\n"))
	t.Setenv("DISPLAY", "")
	t.Setenv("XDG_SESSION_TYPE", "x11")
	for _, row := range []struct {
		why    string
		args   []string
		status int
		want   string
	}{
		{"a proof over its own input", []string{"solve", "--proof", two, two}, 2, "would be lost"},
		{"a picture over its own input", []string{"solve", "--picture", good, good}, 2, "would be lost"},
		{"a hint that is traced", []string{"solve", "--hint", "--trace", two}, 2, "gives no answer away"},
		{"fans that no command would read", []string{"generate", "fans", "--size", "101x5"}, 2, "at most 100×100"},
		{"a link cut off", []string{"solve", code[:50]}, 1, "cut off"},
		{"a whole link cut off", []string{"solve", "https://windmill.thefifthmatt.com/" + code[:50]}, 1, "cut off"},
		{"JSON cut off", []string{"solve", `{"grid":[[{"type":"line"`}, 1, "witnesspuzzles"},
		{"no puzzle at all", []string{"solve", "what is this"}, 1, "no such file"},
		{"a file that is not there", []string{"read", filepath.Join(dir, "none.png")}, 1, "no such file"},
		{"a folder", []string{"read", dir}, 1, "is a folder"},
		{"a folder to solve", []string{"solve", dir}, 1, "is a folder"},
		{"an empty file", []string{"solve", file("empty", nil)}, 1, "empty"},
		{"an empty picture", []string{"read", file("empty.png", nil)}, 1, "empty"},
		{"a picture cut off", []string{"read", file("cut.png", blank[:len(blank)/2])}, 1, "corrupt"},
		{"a picture cut off, to solve", []string{"solve", file("cut2.png", blank[:len(blank)/2])}, 1, "corrupt"},
		{"a header alone", []string{"read", file("head.png", blank[:8])}, 1, "corrupt"},
		{"a picture of one pixel", []string{"read", file("one.png", encoded(t, image.NewRGBA(image.Rect(0, 0, 1, 1))))}, 1, "1x1"},
		{"a picture that claims to be huge", []string{"read", file("huge.png", hollowPNG(t, 20000, 20000, 0))}, 1, "20000x20000"},
		{"the same, to solve", []string{"solve", file("huge2.png", hollowPNG(t, 20000, 20000, 0))}, 1, "20000x20000"},
		{"the largest claim there is", []string{"read", file("most.png", hollowPNG(t, 1<<31-1, 1<<31-1, 0))}, 1, "dimension overflow"},
		{"a long thin claim", []string{"read", file("thin.png", hollowPNG(t, 1, 1<<31-1, 0))}, 1, "1x2147483647"},
		{"a claim that the data does not hold", []string{"read", file("lie.png", hollowPNG(t, 4000, 4000, 0))}, 1, "corrupt"},
		{"a picture with no panel", []string{"read", good}, 1, "no board found"},
		{"the same, to solve", []string{"solve", good}, 1, "no board found"},
		{"an unknown profile", []string{"read", "--profile", "nowhere", good}, 2, `no profile "nowhere"`},
		{"the same, to solve", []string{"solve", "--profile", "nowhere", two}, 2, `no profile "nowhere"`},
		{"a size of words", []string{"solve", "--size", "abc", good}, 2, "COLSxROWS"},
		{"no size", []string{"solve", "--size", "0x0", good}, 2, "COLSxROWS"},
		{"a region of three", []string{"solve", "--region", "1,2,3", good}, 2, "X,Y,W,H"},
		{"no region", []string{"solve", "--region", "0,0,0,0", good}, 2, "X,Y,W,H"},
		{"a look of another family", []string{"solve", "--family", "fans", "--profile", "witness-challenge", good}, 2, "no look of it"},
		{"noise by the name of a picture", []string{"solve", file("noise.png", []byte("a\x15\x00\xfe\n"))}, 1, "not a PNG, JPEG, GIF, WebP, BMP or TIFF picture"},
		{"no such shell", []string{"completion", "nosuch"}, 2, `no shell "nosuch", want bash, fish, powershell or zsh (see onlooker help completion)`},
		{"more than a shell", []string{"completion", "bash", "x"}, 2, "see onlooker help completion bash"},
		{"an unknown profile folder", []string{"solve", "--profile", "./nowhere", good}, 1, "nowhere"},
		{"no display", []string{"watch"}, 1, "no display"},
		{"an empty folder to replay", []string{"watch", "--replay", t.TempDir()}, 1, "no picture"},
		{"a flag of --drive without it", []string{"watch", "--yes"}, 2, "--drive"},
		{"a record to replay and to keep", []string{"watch", "--replay", dir, "--record", dir}, 2, "one or the other"},
		{"two families", []string{"solve", two}, 1, "--family"},
		{"no such family", []string{"solve", "--family", "chess", two}, 2, "chess"},
		{"no such rules", []string{"solve", "--rules", "chess", two}, 2, "chess"},
		{"no such option", []string{"solve", "--rules", "game,chess=on", two}, 2, `erasers-among-pieces, fixed-new; or flow: got "game", want`},
		{"rules of another family", []string{"solve", "--family", "fans", "--rules", "windmill", two}, 1, "windmill"},
		{"a goal that the text tells", []string{"solve", "--goal", "off", "grid 3x1\n*o*\n"}, 2, "tells itself"},
		{"a goal of another family", []string{"solve", "--goal", "any", "01\n10\n"}, 2, "switches"},
		{"a goal for a panel", []string{"solve", "--goal", "all", tinyPanel}, 2, "witness"},
		{"no input", []string{"solve"}, 2, "no input"},
		{"no picture", []string{"read"}, 2, "no picture"},
		{"input twice", []string{"solve", "--lines", two, two}, 2, "--lines"},
		{"lines that are not there", []string{"solve", "--lines", filepath.Join(dir, "none")}, 1, "no such file"},
		{"a flag that is not there", []string{"solve", "--fast"}, 2, "--fast"},
		{"a word for a time", []string{"solve", "--timeout", "soon", two}, 2, "soon"},
		{"a subcommand that is not there", []string{"sovle"}, 2, "sovle"},
		{"a region of words", []string{"watch", "--region", "all"}, 2, "X,Y,W,H"},
		{"a region of five", []string{"watch", "--region", "1,2,3,4,5"}, 2, "X,Y,W,H"},
		{"no format", []string{"convert", two}, 2, "--to"},
		{"no such format", []string{"convert", "--to", "gif", two}, 2, "gif"},
		{"a PNG to nowhere", []string{"convert", "--to", "png", two}, 2, "-o"},
		{"a solution that is none", []string{"check", code, "up, up, sideways"}, 1, "solution"},
		{"points of three", []string{"check", code, "[[[0,4,1]]]"}, 1, "3 numbers"},
		{"points far away", []string{"check", code, "[[[0,4],[0,99999999]]]"}, 1, "far off"},
		{"an answer that is none", []string{"check", code, `{"status":"timeout"}`}, 1, "timeout"},
		{"one argument", []string{"check", code}, 2, "1 argument"},
		{"a mistyped command", []string{"solv"}, 2, `no command or file "solv", did you mean solve? (see onlooker help)`},
		{"nothing near", []string{"zzzzzz"}, 2, `no command or file "zzzzzz" (see onlooker help)`},
		{"a mistyped flag", []string{"solve", "--timeot", "3", "x"}, 2, "no flag --timeot, did you mean --timeout? (see onlooker help solve)"},
		{"no number", []string{"solve", "--limit", "q", "x"}, 2, `--limit "q", want a whole number (see onlooker help solve)`},
		{"no duration", []string{"watch", "--timeout", "q"}, 2, `--timeout "q": want seconds`},
		{"far too long", []string{"solve", "--timeout", "1e300", "x"}, 2, "want less than 1000000000 seconds"},
		{"an argument too many", []string{"watch", "x"}, 2, `watch takes no "x": it takes flags alone (see onlooker help watch)`},
		{"two families", []string{"generate", "flow", "fans"}, 2, `generate takes no "fans" beside "flow"`},
		{"help of no command", []string{"help", "solv"}, 2, `no command "solv", did you mean solve?`},
		{"help of nothing near", []string{"help", "zzzzzz"}, 2, `no command "zzzzzz" (see onlooker help)`},
		{"manual pages for nowhere", []string{"man"}, 2, "no folder: name one (see onlooker help man)"},
		{"a port that no machine has", []string{"serve", "--no-open", "--no-store", "--port", "99999999"}, 2, "--port 99999999, want a number from 0 to 65535"},
		{"another machine's address", []string{"watch", "--no-store", "--folder", t.TempDir(), "--serve", "192.0.2.1:80"}, 1, "--serve 192.0.2.1:80: this machine has no such address"},
		{"a look with a text for a number", []string{"read", "--no-store", "--profile", look, "x.png"}, 1, "key board.min_pitch_pixels: want a value of another kind than string"},
		{"no such look", []string{"practice", "--no-open", "--look", "foo"}, 2, "want one of cave, teal,"},
		{"a port that is taken", []string{"practice", "--no-open", "--port", port}, 1, "another program has that port"},
		{"and for the live page", []string{"watch", "--no-store", "--serve", port, "--folder", dir}, 1, "another program has that port"},
		{"no time", []string{"solve", "--no-store", "--timeout", "0.000001", "--family", "flow", "A.B\nA.B"}, 1, "no time is left"},
		{"an overlay", []string{"watch", "--overlay", "--overlay-colour=pink"}, 2, `--overlay-colour "pink", want six digits as in #ff2bd6`},
		{"an overlay", []string{"watch", "--overlay", "--overlay-colour=#12345"}, 2, `"#12345", want six digits as in #ff2bd6`},
		{"an overlay", []string{"watch", "--overlay", "--overlay-colour=#1234zz"}, 2, `"#1234zz", want six digits as in #ff2bd6`},
		{"an overlay", []string{"watch", "--overlay", "--overlay-width=-1"}, 2, "--overlay-width -1, want 0 or more"},
		{"an overlay and the mouse", []string{"watch", "--overlay", "--drive", "--overlay-width=-1"}, 2, "--overlay-width -1, want 0 or more"},
	} {
		out, errOut, status := onlooker(t, "", row.args...)
		solvetest.Same(t, status, row.status, "%s: status", row.why)
		errOut, _, _ = strings.Cut(errOut, "onlooker: to put it right by hand: onlooker serve ")
		if strings.Count(errOut, "\n") != 1 || !strings.HasPrefix(errOut, "onlooker: ") || !strings.Contains(errOut, row.want) {
			t.Errorf("%s: standard error is %q, want one line with %q", row.why, errOut, row.want)
		}
		solvetest.Same(t, out, "", "%s: standard output", row.why)
		for _, word := range []string{"goroutine", "strconv", "pflag", "time:", "invalid argument", "listen tcp", "bind:", "struct field", "cannot decode", "unknown command", "arg(s)", "context "} {
			if strings.Contains(errOut, word) || len(errOut) > 700 {
				t.Errorf("%s: not a line for people: %q", row.why, errOut)
			}
		}
	}
}

// TestJSONErrors: with --json a failure is an object on a line of its own.
func TestJSONErrors(t *testing.T) {
	dir := t.TempDir()
	blank := filepath.Join(dir, "blank.png")
	solvetest.OK(t, os.WriteFile(blank, encoded(t, image.NewRGBA(image.Rect(0, 0, 64, 48))), 0o644))
	for _, row := range []struct {
		why  string
		args []string
		keys []string
	}{
		{"read", []string{"read", "--json", blank, "none.png"}, []string{"image", "boards", "error", "millis"}},
		{"solve", []string{"solve", "--json", blank, "none"}, []string{"input", "family", "status", "millis", "error"}},
		{"convert", []string{"convert", "--json", "--to", "text", blank, "none"}, []string{"input", "family", "format", "error"}},
		{"watch", []string{"watch", "--json", "--replay", dir}, []string{"turn", "frame", "status", "error"}},
	} {
		out, errOut, status := onlooker(t, "", row.args...)
		if status != 1 || errOut != "" {
			t.Errorf("%s: status %d, standard error %q; want 1 and nothing", row.why, status, errOut)
		}
		for line := range strings.Lines(out) {
			var got map[string]any
			solvetest.Fine(t, json.Unmarshal([]byte(line), &got), fmt.Sprintf("%s: %q", row.why, line))
			for _, key := range row.keys {
				if _, ok := got[key]; !ok {
					t.Errorf("%s: no %q in %s", row.why, key, line)
				}
			}
		}
		if out == "" {
			t.Errorf("%s: nothing was printed", row.why)
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
	if _, errOut, status := onlooker(t, "", "read", "--views", b, other); status != 1 || !strings.Contains(errOut, "contradict each other at column 2 row 2") {
		t.Errorf("two panels: status %d: %s, want a contradiction at column 2 row 2", status, errOut)
	}
}

// TestCheckMoves: lines told by their moves are right, begun or wrong, from the start that is
// named or from the only one; a hint is the first of them.
func TestCheckMoves(t *testing.T) {
	const panel = "panel 2x2\n+-+->\n|a|a|\n+-+-+\n|a|b|\n@-+-+\na = black square\nb = white square\n"
	told := strings.Split(want(t, "", "solve", "--no-store", panel), "\n")
	line := told[slices.IndexFunc(told, func(l string) bool { return strings.HasPrefix(l, "from ") })]
	for _, row := range []struct {
		moves, want string
		code        int
	}{
		{line, "right", 0},
		{"right 1, up 1, right 1, up 1", "right", 0},
		{"right 1, up 1, right 1, up 1, out right", "right", 0},
		{"RURU", "right", 0},
		{"ruru", "right", 0},
		{"right, up", "right so far; 4 squares still to part", 0},
		{"RU", "right so far; 4 squares still to part", 0},
		{"UURR", "wrong: ", 1},
		{"UUU", "off the panel", 1},
		{"RURUR", "right", 0},
		{"right 1, up 1, right 1, up 1, right 1", "right", 0},
		{"From corner column 1 row 3: Right 1, Up 1", "right so far; 4 squares still to part", 0},
		{"U", "no answer begins so", 1},
		{"UURRR", "rule square broken", 1},
		{"right 4611686018427387905", "off the panel", 1},
		{"right 9223372036854775807", "off the panel", 1},
		{"right 99999999999999999999", "off the panel", 1},
		{"hello", "right 1, up 2", 1},
		{"right -1", "right 1, up 2", 1},
		{"R,U,R,U", "right 1, up 2", 1},
		{"from corner column 3 row 3: up 2", "no start", 1},
		{"up, sideways", "right 1, up 2", 1},
	} {
		out, errOut, code := onlooker(t, "", "check", panel, row.moves)
		if said := strings.TrimSpace(out + errOut); code != row.code || !strings.Contains(said, row.want) || row.code == 0 && said != row.want {
			t.Errorf("%q: status %d, %q; want %q", row.moves, code, said, row.want)
		}
	}
	file := filepath.Join(t.TempDir(), "moves.txt")
	solvetest.OK(t, os.WriteFile(file, []byte("RURU\n"), 0o644))
	for _, from := range []string{file, "-"} {
		if out := want(t, "RURU\n", "check", panel, from); out != "right\n" {
			t.Errorf("moves in %s: %s, want right", from, out)
		}
	}
	const starts = "panel 2x1\n+-+->\n|a| |\n@-@-+\na = 1 orange triangle\n"
	const pillar = "pillar 3x1\n+-+-^-\n| | | \n@-+-+-\n"
	const openings = "xxxxx\n 0 0 \nx x x\nx0 0x\nxxxxx\n"
	for _, row := range []struct{ puzzle, moves, want string }{
		{starts, "RRUR", "right"},
		{starts, "LU", "no answer begins so"},
		{starts, "RURRR", "off the panel"}, // from the first start, the furthest
		{pillar, "LU", "right"},
		{pillar, "L", "right so far"},
		{pillar, "right 2, up 1, out up", "right"},
		{pillar, "right 9", "comes by twice"},
		{openings, "from edge left of column 1 row 1: right ½, down 1, right 1, up 1, out right", "right"},
		{openings, "RDRUR", "right"},
		{openings, "RD", "right so far"},
		{"A.B\nA.B\n", "A from column 1 row 1: down 1\nB from column 3 row 1: left 1, down 1, right 1", "right"},
		{"A.B\nA.B\n", "A from column 1 row 1: down 1", "right so far"},
		{"A.B\nA.B\n", strings.Repeat("R\n", 20), "too many starts"},
	} {
		out, errOut, _ := onlooker(t, "", "check", row.puzzle, row.moves)
		if said := strings.TrimSpace(out + errOut); !strings.HasSuffix(said, row.want) && !strings.Contains(said, row.want+":") {
			t.Errorf("%q on\n%s: %q, want %q", row.moves, row.puzzle, said, row.want)
		}
	}
	for puzzle, hint := range map[string]string{panel: "hint: from corner column 1 row 3: right 1\n", "grid 3x1\n*o*\n": "hint: flip column ", "A.B\nA.B\n": "hint: A from column 1 row 1: down 1\n", openings: "left of column 1 row 1: right ½, down 1\n"} {
		if out := want(t, "", "solve", "--no-store", "--hint", puzzle); !strings.Contains(out, hint) || strings.Count(strings.TrimSpace(out), "\n") != 1 {
			t.Errorf("the hint is %q, want %q", out, hint)
		}
	}
	if out, errOut, code := onlooker(t, "", "check", "FTT\nT.F\n", "RU"); code != 1 || !strings.Contains(errOut, "as JSON") {
		t.Errorf("moves of fans: status %d, %s%s", code, out, errOut)
	}
}

// TestConventions says what the command line answers beside an answer, and where none is asked for.
func TestConventions(t *testing.T) {
	dir := t.TempDir()
	empty, out := filepath.Join(dir, "empty.png"), filepath.Join(dir, "out.png")
	solvetest.OK(t, cli.WritePicture(empty, evenFrame(color.White)))
	for _, row := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"help", "solve"}, 0, "Usage:"},
		{[]string{"--version"}, 0, "onlooker " + version},
		{[]string{"__complete", "solve", "--family", ""}, 0, "alcazar"},
		{[]string{"__complete", "solve", "--rules", ""}, 0, "sigma"},
		{[]string{"solve", "--no-store", "--picture", out, empty}, 1, "no board is found in the picture"},
		{[]string{"solve", "--no-store", "--picture", out, "grid 3x1\n*o*\n"}, 2, "the input is no picture"},
	} {
		if out, errOut, status := onlooker(t, "", row.args...); status != row.status || !strings.Contains(out+errOut, row.want) {
			t.Errorf("%v ends with %d and says %q, want %d and %q", row.args, status, out+errOut, row.status, row.want)
		}
	}
}

// TestFileAlone compares onlooker FILE with onlooker solve FILE.
func TestFileAlone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "link.txt")
	const link = "CAUSAigEEgIIBBIAEgQIBxABEgASBAgHEAESAigHEgQIBxABEgASBAgHEAISABICCAMSAigE_0\n"
	solvetest.OK(t, os.WriteFile(file, []byte(link), 0o644))
	var outs []string
	for _, args := range [][]string{{"--no-store", "--json", file}, {"solve", "--no-store", "--json", file}} {
		var out, errOut bytes.Buffer
		if status := run(t.Context(), args, strings.NewReader(""), &out, &errOut); status != 0 {
			t.Fatalf("%v: %d, %s", args, status, errOut.String())
		}
		if !strings.Contains(out.String(), `"status":"solved"`) {
			t.Errorf("%v prints %q", args, out.String())
		}
		before, _, _ := strings.Cut(out.String(), `"millis"`)
		outs = append(outs, before)
	}
	if outs[0] != outs[1] {
		t.Errorf("the file alone prints %q, solve %q", outs[0], outs[1])
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
// solves a pillar from its views, which are proposed.
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
		{[]string{"solve", "--no-store", views[0], views[1]}, 1, []string{"onlooker solve --views " + views[0]}, ""},
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

// TestWatchHint: watch prints the first step alone, and goes with nothing that shows an answer.
func TestWatchHint(t *testing.T) {
	folder := t.TempDir()
	panel := filepath.Join(folder, "panel.txt")
	solvetest.OK(t, os.WriteFile(panel, []byte("panel 2x2\n+-+->\n|a|a|\n+-+-+\n|a|b|\n@-+-+\na = black square\nb = white square\n"), 0o644))
	want(t, "", "convert", "--to", "png", "-o", filepath.Join(folder, "panel.png"), panel)
	out := want(t, "", "watch", "--no-store", "--hint", "--replay", folder)
	if !strings.Contains(out, "hint: ") || strings.Contains(out, "●") || strings.Count(out, "\n") > 3 {
		t.Errorf("got %s, want a hint alone", out)
	}
	for _, with := range [][]string{{"--drive"}, {"--overlay"}, {"--json"}, {"--serve", "lan"}} {
		if _, said, code := onlooker(t, "", append([]string{"watch", "--hint"}, with...)...); code != 2 || !strings.Contains(said, "--hint goes without") {
			t.Errorf("%v: status %d, %s", with, code, said)
		}
	}
}

// TestNoSolutionAimsAtNothing: what has no answer is not followed by what is wanted of it.
func TestNoSolutionAimsAtNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lamps.txt")
	solvetest.OK(t, os.WriteFile(file, []byte("grid 5x5\n*oooo\nooooo\nooooo\nooooo\nooooo\nwant: all=0\n"), 0o644))
	if out, _, _ := onlooker(t, "", "solve", "--no-store", file); !strings.Contains(out, "no solution") || strings.Contains(out, "all off") {
		t.Errorf("got %s", out)
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
		if out := want(t, printed, "check", row.puzzle, "-"); out != "right\n" {
			t.Errorf("%.40q: what solve prints is %s, want right", row.puzzle, out)
		}
		changed := strings.Replace(printed, row.is, row.was, 1)
		if out, _, code := onlooker(t, changed, "check", row.puzzle, "-"); code == 0 || changed == printed {
			t.Errorf("%.40q: with %q for %q in it it is %s, want it wrong", row.puzzle, row.was, row.is, out)
		}
	}
}
