package solving_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"onlooker/capture"
	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/program/programtest"
	"onlooker/cmd/internal/solving"
	"onlooker/cmd/internal/store"
	"onlooker/solve/solvetest"
)

// code is a panel of 2×2 cells as a Windmill link's code.
const code = "CAUSAigEEgIIBBIAEgQIBxABEgASBAgHEAESAigHEgQIBxABEgASBAgHEAISABICCAMSAigE_0"

// millis hides times, which differ from run to run.
var millis = regexp.MustCompile(`"millis":\{[^}]*\}|in [0-9.]+ ms`)

// TestBatch runs over files of boards and over lines, and goes on.
func TestBatch(t *testing.T) {
	dir := t.TempDir()
	boards := filepath.Join(dir, "boards.txt")
	out := filepath.Join(dir, "out.jsonl")
	solvetest.OK(t, os.WriteFile(boards, []byte("grid 3x1\n*o*\n\ngrid 3x3\n*o*\nooo\n*o*\n"), 0o600))
	lines := "FTT/T.F\ngrid 3x1 / *o*\n?!\n" + code + "\n"

	// From standard input, in its order, one of them wrong.
	text, _, status := shell.Run(t, lines, "batch", "--no-store")
	got := programtest.Lines[solving.Line](t, text)
	if status != 1 || len(got) != 4 || got[0].Family != "fans" || got[1].Family != "switches" || got[2].Status != answer.Failed || got[3].Status != answer.Solved {
		t.Errorf("status %d\n%s", status, text)
	}
	for i, line := range strings.Split(strings.TrimSpace(lines), "\n") {
		if i < len(got) && got[i].Input != line {
			t.Errorf("line %d is of %q, want %q", i, got[i].Input, line)
		}
	}

	// Into a file, twice: the second run has nothing to do.
	shell.Want(t, "", "batch", "--no-store", "-o", out, boards, boards)
	first := solvetest.Must(os.ReadFile(out))(t)
	if got := programtest.Lines[solving.Line](t, string(first)); len(got) != 4 || *got[1].Board != 1 || *got[3].Board != 1 {
		t.Errorf("%s", first)
	}
	_, said, status := shell.Run(t, "", "batch", "--no-store", "--timeout", "9s", "-o", out, boards, boards)
	if status != 0 || !strings.Contains(said, "4 finished lines") {
		t.Errorf("a finished file with other settings: status %d, %q", status, said)
	}
	if again, err := os.ReadFile(out); err != nil || string(again) != string(first) {
		t.Errorf("done again: %v\n%s\nwant\n%s", err, again, first)
	}

	// What was broken off in the middle of a line goes on with that line.
	solvetest.OK(t, os.WriteFile(out, first[:len(first)-50], 0o600))
	shell.Want(t, "", "batch", "--no-store", "-o", out, boards, boards)
	if again, err := os.ReadFile(out); err != nil || millis.ReplaceAllString(string(again), "") != millis.ReplaceAllString(string(first), "") {
		t.Errorf("gone on with: %v\n%s\nwant\n%s", err, again, first)
	}

	// Other inputs are not mixed in.
	if _, errOut, status := shell.Run(t, "", "batch", "--no-store", "-o", out, boards); status != 1 || !strings.Contains(errOut, "4 lines, of 2 inputs") {
		t.Errorf("fewer inputs: status %d, %s", status, errOut)
	}
	if _, errOut, status := shell.Run(t, lines, "batch", "--no-store", "-o", out); status != 1 || !strings.Contains(errOut, "line 1 is of") {
		t.Errorf("other inputs: status %d, %s", status, errOut)
	}
	if _, _, status := shell.Run(t, "", "batch", "--jobs", "0", boards); status != 2 {
		t.Errorf("--jobs 0: status %d, want 2", status)
	}
}

// TestBatchOrder has boards that take longer before others, on several cores.
func TestBatchOrder(t *testing.T) {
	var lines strings.Builder
	for i := range 60 {
		side := 3
		if i%10 == 0 {
			side = 24
		}
		fmt.Fprintf(&lines, "grid %dx%d / %s\n", side, side, strings.Repeat(strings.Repeat("o", side)+" / ", side-1)+strings.Repeat("o", side))
	}
	text, _, _ := shell.Run(t, lines.String(), "batch", "--no-store", "--jobs", "4")
	got := programtest.Lines[solving.Line](t, text)
	for i, line := range strings.Split(strings.TrimSpace(lines.String()), "\n") {
		if i >= len(got) || got[i].Input != line {
			t.Fatalf("line %d of %d is not that of input %d", i, len(got), i)
		}
	}
}

// TestSolveDrawsOver solves lamps that were drawn here, and wants rings where
// they are to be clicked, on the same picture, and nothing beside the board.
func TestSolveDrawsOver(t *testing.T) {
	const side, gap, left, top = 50, 10, 120, 80
	rows := []string{"**o*", "*ooo", "**o*", "****"} // (2,1) was flipped
	m := image.NewRGBA(image.Rect(0, 0, 500, 400))
	draw.Draw(m, m.Rect, image.NewUniform(color.RGBA{30, 60, 90, 255}), image.Point{}, draw.Src)
	cell := func(c, r int) image.Rectangle {
		at := image.Pt(left+c*(side+gap), top+r*(side+gap))
		return image.Rectangle{Min: at, Max: at.Add(image.Pt(side, side))}
	}
	for r, row := range rows {
		for c := range row {
			ink := color.RGBA{20, 20, 20, 255}
			if row[c] == '*' {
				ink = color.RGBA{250, 220, 90, 255}
			}
			draw.Draw(m, cell(c, r), image.NewUniform(ink), image.Point{}, draw.Src)
		}
	}
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.png"), filepath.Join(dir, "out.png")
	f := solvetest.Must(os.Create(in))(t)
	solvetest.OK(t, png.Encode(f, m))
	f.Close()
	if text, said, status := shell.Run(t, "", "solve", "--no-store", "--goal", "on", "--picture", out, in); status != 0 {
		t.Fatalf("status %d: %s%s", status, text, said)
	}
	f = solvetest.Must(os.Open(out))(t)
	defer f.Close()
	got := solvetest.Must(capture.ReadPicture(f))(t)
	if got.Rect != m.Rect {
		t.Fatalf("the picture is %v, want %v", got.Rect, m.Rect)
	}
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			if p := image.Pt(x, y); got.RGBAAt(x, y) != m.RGBAAt(x, y) && !p.In(cell(2, 1)) {
				t.Fatalf("(%d,%d) is drawn on, beside the cell that is to be clicked", x, y)
			}
		}
	}
	box := cell(2, 1)
	middle := image.Pt((box.Min.X+box.Max.X)/2, (box.Min.Y+box.Max.Y)/2)
	// A ring of 0.28 of the pitch of 60 pixels.
	for _, by := range []image.Point{{17, 0}, {-17, 0}, {0, 17}, {0, -17}} {
		if p := middle.Add(by); got.RGBAAt(p.X, p.Y) == m.RGBAAt(p.X, p.Y) {
			t.Errorf("no ring at %v", p)
		}
	}
	if _, _, status := shell.Run(t, "grid 2x2\noo\noo\n", "solve", "--no-store", "--family", "switches", "--picture", out, "-"); status != 2 {
		t.Errorf("--picture with text: status %d, want 2", status)
	}
}

// TestTooLarge wants one line for a board that memory does not hold, and the
// boards beside it answered.
func TestTooLarge(t *testing.T) {
	large := "A" + strings.Repeat(".", 358) + "A\n" + strings.Repeat(strings.Repeat(".", 360)+"\n", 359)
	out, errOut, code := shell.Run(t, "A.A\nB.B\n\n"+large+"\nB.B\nA.A\n", "solve", "--family", "flow", "--memory", "160MiB", "-")
	if code != 1 || strings.Count(out, "solved") != 2 {
		t.Errorf("exit status %d, %d boards solved, want 1 and 2", code, strings.Count(out, "solved"))
	}
	if strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, "too large") || !strings.Contains(errOut, "160 MiB") {
		t.Errorf("got %q, want one line that the board is too large for 160 MiB", errOut)
	}
}

// shell knows the commands that these tests are of.
var shell = programtest.Of(solving.NewSolve, solving.NewCheck, solving.NewBatch)

const (
	shrine     = "FTTFT\nTTFTT\nTTTFT\nFTTTF\n"
	noSolution = "panel 1x1\n+->\n|a|\n@-+\na = black star\n"
)

// TestSolveKeeps shows that what was solved is answered from the store.
func TestSolveKeeps(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "s.sqlite")
	panel := filepath.Join(dir, "panel.txt")
	solvetest.OK(t, os.WriteFile(panel, []byte(noSolution), 0o600))
	first := shell.Want(t, shrine, "solve", "--json", "--store", file, "--why", "-", panel, "grid 3x3 / *o* / ooo / *o*")
	again := shell.Want(t, shrine, "solve", "--json", "--store", file, "--why", "-", panel, "grid 3x3 / *o* / ooo / *o*")
	a, b := programtest.Lines[solving.Line](t, first), programtest.Lines[solving.Line](t, again)
	if len(a) != 3 || len(b) != 3 {
		t.Fatalf("%s\n%s", first, again)
	}
	for i := range a {
		if a[i].Kept != nil || b[i].Kept == nil {
			t.Errorf("kept %v, then %v, want only the second\n%s%s", a[i].Kept, b[i].Kept, first, again)
		}
		_, solved := b[i].Millis["solve"]
		if solved {
			t.Errorf("solved again: %v", b[i].Millis)
		}
		a[i].Kept, b[i].Kept, a[i].Millis, b[i].Millis = nil, nil, nil, nil
		if x, y := fmt.Sprint(a[i]), fmt.Sprint(b[i]); len(y) == 0 || a[i].Status != b[i].Status || fmt.Sprint(a[i].Strokes) != fmt.Sprint(b[i].Strokes) || a[i].Why != b[i].Why {
			t.Errorf("from the store:\n%s\nwant\n%s", y, x)
		}
	}
	if a[1].Status != answer.Unsolvable || a[1].Why == "" || a[2].Cost == nil || *a[2].Cost != *b[2].Cost {
		t.Errorf("%s", first)
	}

	s := solvetest.Must(store.Open(t.Context(), file, answer.Judge))(t)
	defer s.Close()
	entries, err := s.List(t.Context(), store.Filter{}, 0, 10)
	if err != nil || len(entries) != 3 {
		t.Fatalf("kept: %+v, %v", entries, err)
	}
	for _, e := range entries {
		seen, err := s.Sightings(t.Context(), e.ID)
		source, place := store.Typed, ""
		if e.Family == "witness" {
			source, place = store.File, panel
		}
		if err != nil || len(seen) != 1 || seen[0].Times != 2 || seen[0].Source != source || seen[0].Place != place {
			t.Errorf("%s: seen %+v, %v, want twice as %s in %q", e.Family, seen, err, source, place)
		}
	}
}

func TestNoStore(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.sqlite")
	shell.Want(t, shrine, "solve", "--store", file, "--no-store", "-")
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("--no-store: %v, want no file", err)
	}
}

// TestStoreNotInTheWay shows that a store that cannot be used is told of once,
// and all is solved without it.
func TestStoreNotInTheWay(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.sqlite")
	solvetest.OK(t, os.WriteFile(file, bytes.Repeat([]byte("no database "), 100), 0o600))
	out, errOut, status := shell.Run(t, "", "solve", "--json", "--store", file, "grid 3x1 / *o*", "grid 3x3 / *o* / ooo / *o*")
	if status != 0 || len(programtest.Lines[solving.Line](t, out)) != 2 || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, "going on without it") {
		t.Errorf("%s%s", out, errOut)
	}
}

// lamps is a text of side×side lamps, each lit or not.
func lamps(side int) string {
	rng := rand.New(rand.NewPCG(6, 5))
	text := make([]byte, 0, side*(side+1))
	for range side {
		for range side {
			text = append(text, "01"[rng.IntN(2)])
		}
		text = append(text, '\n')
	}
	return string(text)
}

// TestMemoryOfText wants a word for a text whose board takes more memory than there is, for an
// answer that does as a line of batch, and an answer where there is room for both.
func TestMemoryOfText(t *testing.T) {
	for _, row := range []struct {
		command string
		side    int
		memory  string
		want    string
	}{
		{"solve", 6000, "64MiB", `"status":"too-large"`},
		{"batch", 1000, "80MiB", `"status":"too-large"`},
		{"batch", 1000, "2GiB", `"status":"solved"`},
		{"solve", 1000, "80MiB", `"status":"solved"`},
	} {
		args := []string{row.command, "--memory", row.memory, "--no-store"}
		if row.command == "solve" {
			args = append(args, "--json")
		}
		out, errOut, code := shell.Run(t, lamps(row.side), append(args, "-")...)
		head, _, _ := strings.Cut(out, `,"millis"`)
		if !strings.Contains(out, row.want) || (code == 0) != strings.HasSuffix(row.want, `solved"`) || strings.Count(out, "\n") != 1 {
			t.Errorf("%s of %d×%d lamps with %s: exit status %d, %.200s, %s, want %s", row.command, row.side, row.side, row.memory, code, head, errOut, row.want)
		}
	}
}
