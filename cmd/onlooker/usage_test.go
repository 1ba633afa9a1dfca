package main

import (
	"bytes"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"onlooker/cmd/internal/cli"
	"onlooker/solve/solvetest"
)

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
