package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
)

// A user's own symbol is known to every subcommand once its file lies in the folder; a
// file that is wrong costs that symbol alone, and one line.
func TestOwnSymbols(t *testing.T) {
	home := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", home)
	folder := filepath.Join(home, "onlooker", "symbols")
	solvetest.OK(t, os.MkdirAll(folder, 0o755))
	const beacon = `name = "beacon"
doc = "A beacon's four rays meet the line as often as it says."
numbers = [1, 9]
behind = true
colour = "red"
[rule]
scope = "rays"
pick = "line"
test = "= n"
[shape]
mark = "☼"
count = "digit"
once = [[[0, -0.9], [0.1, -0.8], [-0.1, -0.8]]]
`
	for name, text := range map[string]string{"beacon.toml": beacon, "broken.toml": "name = 3\n", "readme.txt": "no symbol"} {
		solvetest.OK(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
	}
	board := filepath.Join(home, "board.txt")
	const text = "panel 2x2 rules=sigma\n+-+->\n|a|b|\n+-+-+\n|c| |\n@-+-+\na = beacon 4\nb = white diamond 1\nc = 1 purple arrow up\n"
	solvetest.OK(t, os.WriteFile(board, []byte(text), 0o644))
	command := func(args ...string) string {
		t.Helper()
		var out, errOut bytes.Buffer
		if status := run(t.Context(), args, nil, &out, &errOut); status != 0 {
			t.Errorf("%v: status %d, %s", args, status, errOut.String())
		}
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
