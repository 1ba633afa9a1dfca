package main

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/games"
	"onlooker/solve/solvetest"
)

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
