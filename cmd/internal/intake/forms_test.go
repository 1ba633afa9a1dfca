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
			solvetest.Same(t, shell.Want(t, c.change(b.text), "convert", "--to", "text", "-"), board, "%s, %s", b.why, c.why)
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

// TestLongRows knows a form by rows that are longer than what is looked at of others.
func TestLongRows(t *testing.T) {
	row := strings.Repeat("01", 4500) + "\n"
	out, errOut, code := shell.Run(t, strings.Repeat(row, 8), "solve", "--no-store", "-")
	if want := "flip where 1 stands, of 9000×8:\n"; code != 0 || errOut != "" || !strings.Contains(out, want) {
		t.Errorf("status %d, %.300q, %q; want rows of 0 and 1", code, out, errOut)
	}
}
