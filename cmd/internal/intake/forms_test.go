package intake_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"onlooker/calibrations"
	"onlooker/cmd/internal/convert"
	"onlooker/cmd/internal/games"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/program/programtest"
	"onlooker/cmd/internal/solving"
	"onlooker/solve/solvetest"
)

// shell knows the commands that these tests are of.
var shell = programtest.Of(convert.New, solving.NewSolve)

func TestMain(m *testing.M) { programtest.Main(m) }

// What is wrong with a board is told with its family, its line, what stood
// there and what was wanted, although the mistake keeps the form from being
// known at its first look.
func TestMalformed(t *testing.T) {
	tests := []struct{ why, text, want string }{
		{"nothing", "", "empty"},
		{"blank lines", "\n \n", "in no form that is known"},
		{"fans: a strange cell", "FTT\nT?F\n", `as fans (text): line 2 has '?' in column 2, want one of`},
		{"fans or flow, wrong as both", "FTF\nTQT\nFTF\n", `as flow (letters): line 2, cell 3: "T" for the third time, want every end twice; as fans (text): line 2 has 'Q'`},
		{"fans with a strange letter, which flow might have", "FTTFT\nTTXTT\nTTTFT\n", `as flow (letters): line 1, cell 5: "T" for the third time, want every end twice; as fans (text): line 2 has 'X' in column 3, want one of`},
		{"flow: a strange cell", "A.A\n.?.\n", `as flow (letters): line 2, cell 2: "?", want the name of an end`},
		{"flow: a level's size", "-5,0,1,1;0,1;\n", `as flow (levels): line 1: size "-5", want W or W:H`},
		{"flow: a level beyond reason", "10000:10000,0,1,1;0,1;\n", "as flow (levels): line 1: a board of 10000×10000 cells, want"},
		{"flow: a block beyond reason", "puzzle a\nsize 100000 100000\ntopo square\npairs 0-1\nend\n", "as flow (fz): line 2: a board of 100000×100000 cells, want"},
		{"flow: a strange field in a level", "5,0,1,1,3a;0,1;\n", `as flow (levels): line 1: bridge "3a", want a cell from 0 to 24`},
		{"flow: a ragged row of numbers", "1 . 2\n1 .\n", "as flow (numbers): line 2 has 2 cells, want 3"},
		{"switches: no names", "switches\na b\n", `as switches (text): line 1: got no "names:" line, want one` + "\n"},
		{"switches: a short row of a matrix", "matrix\n110\n11\n", "as switches (matrix): line 3: got 2 columns, want 3 as in line 2\n"},
		{"words", "hello world\nfoo bar\n", "in no form that is known"},
		{"switches: a size", "grid 5 5\n*\n", `as switches (text): line 1: got "grid 5 5", want a size such as "grid 5x5"`},
		{"switches: a size beyond reason", "grid 99999x99999\n*\n", `as switches (text): line 1: got size "99999x99999", want one such as 5x5`},
		{"switches: more rows claimed than there are", "grid 600x600\n*\n", "as switches (text): line 1: got 1 rows, want 600"},
		{"switches: beyond reason", "grid 60000x60000\n*\n", "as switches (text): line 1: got 1 rows, want 60000"},
		{"switches: a name twice", "a b a\na\na b\n", "as switches (connections): line 1: the name \"a\" is there twice"},
		{"alcazar: a strange place", "xxxxx\nx0 0x\nx x x\nx0?0 \nx xxx\n", "as alcazar (puzzle): line 4: character 3 is '?', want x for a wall"},
		{"alcazar: a short line", "xxxxx\nx0 0x\nx x\nx0 0 \nx xxx\n", "as alcazar (puzzle): line 3: 3 characters, want 5"},
		{"alcazar: beyond reason", "alcazar 99999x99999\n", `as alcazar (alcazar): line 1: size "99999x99999", want`},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			out, errOut, code := shell.Run(t, tt.text, "solve", "-")
			if code != 1 || out != "" || !strings.HasPrefix(errOut, "onlooker: -: "+tt.want) {
				t.Errorf("got status %d, %q, %q; want 1 and onlooker: -: %s", code, out, errOut, tt.want)
			}
		})
	}

	// No beginning of it is known: the family that is asked for says why.
	_, errOut, code := shell.Run(t, "A*A\n", "solve", "--family", "fans", "-")
	if want := "onlooker: -: as fans (text): line 1 has 'A' in column 1, want one of"; code != 1 || !strings.HasPrefix(errOut, want) {
		t.Errorf("--family fans: status %d, %q, want 1 and %s", code, errOut, want)
	}
}

// A mistake in the first board of a file does not hide the others.
func TestFirstBoardWrong(t *testing.T) {
	for _, tt := range []struct{ why, text string }{
		{"fans", "FTT\nFT\n\nFT\n\nFTT\n"},
		{"switches", "grid 2x1\n*x\ngrid 2x1\n**\ngrid 1x1\no\n"},
		{"flow: blocks", "puzzle a\nsize 2 1\ntopo square\npairs 0-9\nend\npuzzle b\nsize 2 1\ntopo square\npairs 0-1\nend\npuzzle c\nsize 3 1\ntopo square\npairs 0-2\nend\n"},
		{"flow: levels", "2,0,1,1;0,9;\n2:1,0,2,1;0,1;\n2:1,0,3,1;0,1;\n"},
		{"alcazar", "alcazar 1x1\nxxx\n.0?\nxxx\nalcazar 1x1\nxxx\n.0.\nxxx\nalcazar 1x1\nx.x\nx0.\nxxx\n"},
	} {
		out, _, code := shell.Run(t, tt.text, "solve", "--json", "-")
		if n := strings.Count(out, `"status":"solved"`); n != 2 || strings.Count(out, "\n") != 3 || code != 1 {
			t.Errorf("%s: status %d, %d answers, want 1 and 2 of 3:\n%s", tt.why, code, n, out)
		}
	}
}

// A board is the same whatever editor wrote it.
func TestLineEnds(t *testing.T) {
	boards := []struct{ why, text string }{
		{"fans", "FTTFT\nTTFTT\nTTTFT\nFTTTF\n"},
		{"switches: a grid", "grid 3x2\n*o*\nooo\n"},
		{"switches: connections", "a b c\na\na b\nb c\n"},
		{"flow: canonical", "flow 3x2\nA.B\nA.B\n"},
		{"flow: a block", "puzzle a\nsize 3 1\ntopo square\npairs 0-2\nend\n"},
		{"flow: a level", "3:1,0,1,1;0,1,2;\n"},
		{"flow: letters", "A.A\n...\n"},
		{"flow: numbers", "1 0 1\n0 0 0\n"},
		{"alcazar", "x xxx\nx0 0x\nx x x\nx0 0 \nxxxxx\n"},
	}
	changes := []struct {
		why    string
		change func(string) string
	}{
		{"carriage returns too", func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }},
		{"carriage returns alone", func(s string) string { return strings.ReplaceAll(s, "\n", "\r") }},
		{"a mark of byte order", func(s string) string { return "\ufeff" + s }},
		{"UTF-16, as PowerShell writes it", func(s string) string {
			return utf16Text(binary.LittleEndian, strings.ReplaceAll(s, "\n", "\r\n"))
		}},
		{"UTF-16, the high byte first", func(s string) string { return utf16Text(binary.BigEndian, s) }},
		{"no end of the last line", func(s string) string { return strings.TrimSuffix(s, "\n") }},
		{"spaces at the ends of lines", func(s string) string { return strings.ReplaceAll(s, "\n", "  \n") }},
		{"blank lines after it", func(s string) string { return s + "\n\n" }},
	}
	for _, b := range boards {
		board := shell.Want(t, b.text, "convert", "--to", "text", "-")
		for _, c := range changes {
			if got := shell.Want(t, c.change(b.text), "convert", "--to", "text", "-"); got != board {
				t.Errorf("%s, %s: got\n%s\nwant\n%s", b.why, c.why, got, board)
			}
		}
	}
}

// A link is the same whatever stands about it in the text that it was copied from.
func TestLinksInText(t *testing.T) {
	const link = "https://puzz.link/p?numlin/3/3/1g2i1g2"
	board := shell.Want(t, link, "convert", "--to", "text", "-")
	for _, text := range []string{"(" + link + ")", "<" + link + ">", "“" + link + "”,", "- [" + link + "]\r", link + "#", link + "🙂", "  \"" + link + "\"\n"} {
		if got := shell.Want(t, text, "convert", "--to", "text", "-"); got != board {
			t.Errorf("%q: got\n%s\nwant\n%s", text, got, board)
		}
	}
}

func utf16Text(order binary.AppendByteOrder, s string) string {
	var b []byte
	for _, unit := range utf16.Encode([]rune("\ufeff" + s)) {
		b = order.AppendUint16(b, unit)
	}
	return string(b)
}

// A list of inputs may be in UTF-16 too, and what is cut short there is not
// taken for something else.
func TestLinesInUTF16(t *testing.T) {
	list := utf16Text(binary.LittleEndian, "FTT/T.F\r\n\r\nFF/FF\r\n")
	solvetest.Same(t, strings.Count(shell.Want(t, list, "solve", "--json", "--lines", "-"), `"family":"fans"`), 2, "boards")
	out, errOut, code := shell.Run(t, utf16Text(binary.LittleEndian, "FTT\nT.F\n")+"F", "solve", "-")
	if code != 1 || out != "" {
		t.Errorf("cut within a letter: status %d, %q, %q, want an error", code, out, errOut)
	}
}

// TestLooksAreChecked wants a look that says something of its symbols which its family
// does not know to be refused by its key.
func TestLooksAreChecked(t *testing.T) {
	text := solvetest.Must(calibrations.Embedded.ReadFile("witness-challenge/" + calibrations.File))(t)
	bad := bytes.Replace(text, []byte("\nsquare = "), []byte("\nsqare = "), 1)
	if bytes.Equal(bad, text) {
		t.Fatal("the look says nothing of squares")
	}
	folder := t.TempDir() + string(filepath.Separator)
	solvetest.OK(t, os.WriteFile(folder+calibrations.File, bad, 0o644))
	if _, err := (&intake.Games{List: games.Of()}).Eye(folder); err == nil || !strings.Contains(err.Error(), "symbols.sqare") {
		t.Fatalf("got %v, want an error that names symbols.sqare", err)
	}
}

// What is refused, and by what words.
func TestRefusedForms(t *testing.T) {
	for _, row := range []struct{ why, text, want string }{
		{"NUL on a node", "panel 2x1\n+-\x00-+\n| | |\n@-+-+\n", "-: line 2, character 3: a control character (U+0000), want none"},
		{"an escape in a name", "a\x1b[2J b c\na\na b\nb c\n", "-: line 1, character 2: a control character (U+001B), want none"},
		{"NUL in the site's JSON", "{\"grid\":[[\x00null]]}", "-: line 1, character 11: a control character (U+0000), want none"},
		{"NUL in a link", "puzz.link/p?numlin/3/3/1g2i\x001g2\n", "-: line 1, character 28: a control character (U+0000), want none"},
		{"a size that is another's", "4\n0 1 0\n0 1 0\n0 0 0\n", "got the size 4, but there are 3 rows of 3"},
		{"a ragged row", "0 1 0\n0 1\n", "line 2: got 2 cells, want 3"},
		{"a Flip id that is cut off", "2x2:edb,5\n", "got 3 hexadecimal digits, want 4"},
		{"a Flip id with a bit too many", "1x1:8,9\n", "more than 1 bits"},
		{"another puzzle of puzz.link", "https://puzz.link/p?slither/3/3/1g2i1g2\n", `kind "slither", want numlin or arukone`},
		{"a link that is cut off", "puzz.link/p?numlin/3/3/1g2i1\n", "7 cells, want 3×3"},
		{"a number without its digits", "puzz.link/p?numlin/3/3/1g2i1g-1\n", "want a number of 2"},
		{"a wall that ends halfway", "+-- +---+\n|   |   |\n+---+---+\n", "line 1: character 2: \"-- \""},
		{"an Alcazar with a line drawn", "+   +---+\n| 1   2 |\n+---+   +\n", "want an empty cell"},
		{"an Alcazar with a door at a corner", "╔═══╩\n║▒ ▒║\n╚═══╝\n", "at a corner, want an opening beside a cell"},
		{"two families", "1 2\n1 2\n", "could be switches (connections) or flow (numbers): say which with --family"},
	} {
		out, errOut, code := shell.Run(t, row.text, "solve", "--no-store", "-")
		if code != 1 || out != "" || !strings.Contains(errOut, row.want) {
			t.Errorf("%s: status %d, %q, %q, want %q", row.why, code, out, errOut, row.want)
		}
	}
}

// What can only be a file's name is said to be not there, and nothing else.
func TestNotThere(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"lights.txt", "puzzle", "a.json", "./abba", "../x", "/no/such/place", filepath.Join(folder, "abba"), "Screenshot 1.PNG"} {
		out, errOut, code := shell.Run(t, "", "solve", "--no-store", name)
		if code != 1 || out != "" || !strings.HasPrefix(errOut, "onlooker: ") || !strings.HasSuffix(errOut, ": no such file\n") || strings.Count(errOut, ":") != 2 {
			t.Errorf("%s: status %d, %q, %q, want no such file", name, code, out, errOut)
		}
	}
	for _, typed := range []string{"FTTFT/TTFTT/TTTFT/FTTTF", "A.A", "1 0/0 1", "2x2:edb7,5", "puzz.link/p?numlin/3/3/1g2i1g2", `{"grid":[[{},{},{"type":"line","start":true}],[{},null,{}],[{"type":"line","end":"top"},{},{}]]}`} {
		if got := shell.Want(t, "", "solve", "--no-store", "--json", typed); !strings.Contains(got, `"status":"solved"`) {
			t.Errorf("%s: %s", typed, got)
		}
	}
	_, errOut, _ := shell.Run(t, "", "solve", "--no-store", "https://windmill.thefifthmatt.com/abc12de")
	if !strings.Contains(errOut, "is a short link") || strings.Contains(errOut, "no such file") {
		t.Errorf("a short link: %q", errOut)
	}
}

// TestLongRows knows a form by rows that are longer than what is looked at of others, and
// tells all boards of a file once, those behind a wrong one too.
func TestLongRows(t *testing.T) {
	row := strings.Repeat("01", 4500) + "\n"
	out, errOut, code := shell.Run(t, strings.Repeat(row, 8), "solve", "--no-store", "-")
	if want := "flip where 1 stands, of 9000×8:\n"; code != 0 || errOut != "" || !strings.Contains(out, want) {
		t.Errorf("status %d, %.300q, %q; want rows of 0 and 1", code, out, errOut)
	}
	out, errOut, code = shell.Run(t, "011\n010\n01\n\n00\n01\n", "solve", "--no-store", "-")
	if code != 1 || !strings.Contains(errOut, "line 3: got 2 cells") || strings.Count(out, ", board 2: solved") != 1 {
		t.Errorf("status %d, %q, %q; want the first board wrong, and the second solved", code, out, errOut)
	}
}
