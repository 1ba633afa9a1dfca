package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"onlooker/cmd/internal/misuse"
)

// TestConventions says what the command line answers to a slip.
func TestConventions(t *testing.T) {
	for _, row := range []struct {
		why    string
		args   []string
		status int
		want   string
	}{
		{"a mistyped command", []string{"solv"}, 2, `no command or file "solv", did you mean solve? (see onlooker help)`},
		{"nothing near", []string{"zzzzzz"}, 2, `no command or file "zzzzzz" (see onlooker help)`},
		{"a mistyped flag", []string{"solve", "--timeot", "3", "x"}, 2, "no flag --timeot, did you mean --timeout? (see onlooker help solve)"},
		{"no number", []string{"solve", "--limit", "q", "x"}, 2, `--limit "q", want a whole number (see onlooker help solve)`},
		{"no duration", []string{"watch", "--timeout", "q"}, 2, `--timeout "q": want seconds`},
		{"far too long", []string{"solve", "--timeout", "1e300", "x"}, 2, "want less than 1000000000 seconds"},
		{"the version", []string{"--version"}, 0, "onlooker " + version},
		{"values of a flag", []string{"__complete", "solve", "--family", ""}, 0, "alcazar"},
	} {
		var out bytes.Buffer
		status := run(t.Context(), row.args, strings.NewReader(""), &out, &out)
		if status != row.status || !strings.Contains(out.String(), row.want) {
			t.Errorf("%s: %v ends with %d and says %q, want %d and %q", row.why, row.args, status, out.String(), row.status, row.want)
		}
		for _, word := range []string{"strconv", "pflag", "time:", "invalid argument"} {
			if strings.Contains(out.String(), word) {
				t.Errorf("%s: %q has Go's word %q", row.why, out.String(), word)
			}
		}
	}
}

// TestFileAlone compares onlooker FILE with onlooker solve FILE.
func TestFileAlone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "link.txt")
	const link = "CAUSAigEEgIIBBIAEgQIBxABEgASBAgHEAESAigHEgQIBxABEgASBAgHEAISABICCAMSAigE_0\n"
	if err := os.WriteFile(file, []byte(link), 0o644); err != nil {
		t.Fatal(err)
	}
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
			if len([]rune(line)) > misuse.Columns {
				t.Errorf("%s: %d columns: %s", strings.Join(args, " "), len([]rune(line)), line)
			}
		}
	}
}
