package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"onlooker/cmd/internal/cli"
	"onlooker/solve/solvetest"
)

// TestConventions says what the command line answers to a slip.
func TestConventions(t *testing.T) {
	look := filepath.Join(t.TempDir(), "look") + string(filepath.Separator)
	solvetest.OK(t, os.Mkdir(look, 0o755))
	solvetest.OK(t, os.WriteFile(look+"profile.toml", []byte("[board]\nmin_pitch_pixels = \"wide\"\n"), 0o644))
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
		{"an argument too many", []string{"watch", "x"}, 2, `watch takes no "x": it takes flags alone (see onlooker help watch)`},
		{"two families", []string{"generate", "flow", "fans"}, 2, `generate takes no "fans" beside "flow"`},
		{"help of no command", []string{"help", "solv"}, 2, `no command "solv", did you mean solve?`},
		{"help of nothing near", []string{"help", "zzzzzz"}, 2, `no command "zzzzzz" (see onlooker help)`},
		{"manual pages for nowhere", []string{"man"}, 2, "no folder: name one (see onlooker help man)"},
		{"help", []string{"help", "solve"}, 0, "Usage:"},
		{"a port that no machine has", []string{"serve", "--no-open", "--no-store", "--port", "99999999"}, 2, "--port 99999999, want a number from 0 to 65535"},
		{"another machine's address", []string{"watch", "--no-store", "--folder", t.TempDir(), "--serve", "192.0.2.1:80"}, 1, "--serve 192.0.2.1:80: this machine has no such address"},
		{"a look with a text for a number", []string{"read", "--no-store", "--profile", look, "x.png"}, 1, "key board.min_pitch_pixels: want a value of another kind than string"},
		{"the version", []string{"--version"}, 0, "onlooker " + version},
		{"values of a flag", []string{"__complete", "solve", "--family", ""}, 0, "alcazar"},
		{"rule sets", []string{"__complete", "solve", "--rules", ""}, 0, "sigma"},
	} {
		var out bytes.Buffer
		status := run(t.Context(), row.args, strings.NewReader(""), &out, &out)
		if status != row.status || !strings.Contains(out.String(), row.want) {
			t.Errorf("%s: %v ends with %d and says %q, want %d and %q", row.why, row.args, status, out.String(), row.status, row.want)
		}
		for _, word := range []string{"strconv", "pflag", "time:", "invalid argument", "listen tcp", "bind:", "struct field", "cannot decode", "unknown command", "arg(s)"} {
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
