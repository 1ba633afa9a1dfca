package main

import (
	"bytes"
	"encoding/json"
	"image/png"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"onlooker/cmd/internal/games"
	"onlooker/cmd/internal/program"
	"onlooker/cmd/internal/program/programtest"
	"onlooker/solve"
	"onlooker/solve/solvetest"
)

// onlooker runs the program and returns what it printed.
func onlooker(t *testing.T, in string, args ...string) (out, errOut string, code int) {
	t.Helper()
	return programtest.Shell(newRoot).Run(t, in, args...)
}

// quietProgram is one that nobody types to and nobody hears.
func quietProgram() *program.Program {
	return program.New(games.Of(), strings.NewReader(""), io.Discard, io.Discard)
}

// want runs the program and fails where it fails.
func want(t *testing.T, in string, args ...string) string {
	t.Helper()
	return programtest.Shell(newRoot).Want(t, in, args...)
}

// TestFamilies takes a board of each family on the list of games through the
// subcommands; a new family needs no row.
func TestFamilies(t *testing.T) {
	for _, g := range games.Of() {
		t.Run(g.Name, func(t *testing.T) {
			folder := t.TempDir()
			file := filepath.Join(folder, "board.txt")
			p := g.Generate(rand.New(rand.NewPCG(2, 2)), 4, 3)
			text := solvetest.Must(p.MarshalText())(t)
			solvetest.OK(t, os.WriteFile(file, text, 0o644))
			family := []string{"--family", g.Name, file}

			// Solved, and checked as anyone would.
			line := want(t, "", append([]string{"solve", "--json"}, family...)...)
			var answer struct {
				Family, Status string
				Strokes        [][][2]int
			}
			solvetest.OK(t, json.Unmarshal([]byte(line), &answer))
			if answer.Family != g.Name || answer.Status != "solved" || strings.Count(line, "\n") != 1 {
				t.Fatalf("solve --json: %s", line)
			}
			if got := want(t, line, append(append([]string{"check"}, family...), "-")...); got != "right\n" {
				t.Errorf("check: %q, want right", got)
			}
			if len(answer.Strokes) > 0 {
				if out, _, code := onlooker(t, "", append(append([]string{"check"}, family...), "[]")...); code != 1 || !strings.HasPrefix(out, "wrong: ") {
					t.Errorf("check of no strokes: status %d, %q, want wrong", code, out)
				}
			}
			out := want(t, "", append([]string{"solve"}, family...)...)
			if g.Picture != nil && strings.Contains(out, string(text)) {
				t.Errorf("solve prints the text, want a picture:\n%s", out)
			}

			// Counted and listed.
			if _, ok := p.(solve.Counter); ok {
				out := want(t, "", append([]string{"solve", "--json", "--count", "--limit", "3"}, family...)...)
				var counted struct{ Count *int }
				if err := json.Unmarshal([]byte(out), &counted); err != nil || counted.Count == nil || *counted.Count < 1 || *counted.Count > 3 {
					t.Errorf("solve --count --limit 3: %s, %v", out, err)
				} else if _, ok := p.(solve.Enumerator); ok {
					all := want(t, "", append([]string{"solve", "--json", "--all", "--limit", "3"}, family...)...)
					if n := strings.Count(all, "\n"); n != *counted.Count {
						t.Errorf("solve --all --limit 3 gives %d answers, --count %d", n, *counted.Count)
					}
				}
			}

			// In every form that can be written, and back.
			for _, f := range g.Formats {
				if f.Encode == nil {
					continue
				}
				out, errOut, code := onlooker(t, "", append([]string{"convert", "--to", f.Name}, family...)...)
				if code != 0 {
					// A form need not hold everything, but must say so.
					if !strings.Contains(errOut, g.Name) {
						t.Errorf("convert --to %s: status %d: %q", f.Name, code, errOut)
					}
					continue
				}
				if back := want(t, out, "solve", "--json", "--family", g.Name, "-"); !strings.Contains(back, `"status":"solved"`) {
					t.Errorf("as %s: %s\n%s", f.Name, back, out)
				}
			}
			if got := want(t, "", append([]string{"convert", "--to", "text"}, family...)...); got != string(text) {
				t.Errorf("convert --to text:\n%swant\n%s", got, text)
			}

			// Several boards in a file are several lines.
			three := filepath.Join(folder, "three.txt")
			text = append(bytes.TrimRight(text, "\n"), "\n\n"...)
			solvetest.OK(t, os.WriteFile(three, bytes.Repeat(text, 3), 0o644))
			if n := strings.Count(want(t, "", "solve", "--json", "--family", g.Name, three), `"status":"solved"`); n != 3 {
				t.Errorf("a file of three boards gives %d answers", n)
			}
			twice := want(t, "", "convert", "--to", "text", "--family", g.Name, three)
			if n := strings.Count(want(t, twice, "solve", "--json", "--family", g.Name, "-"), `"status":"solved"`); n != 3 {
				t.Errorf("three boards converted come back as %d:\n%s", n, twice)
			}
			files := strings.Repeat(file+"\n", 2)
			if n := strings.Count(want(t, files, "solve", "--json", "--family", g.Name, "--lines", "-"), `"status":"solved"`); n != 2 {
				t.Errorf("two lines of input give %d answers", n)
			}

			// Drawn.
			if g.Picture == nil {
				return
			}
			svg := want(t, "", append([]string{"convert", "--to", "svg", "--answer"}, family...)...)
			bare := want(t, "", append([]string{"convert", "--to", "svg"}, family...)...)
			if !strings.HasPrefix(svg, "<svg") || svg == bare {
				t.Errorf("convert --to svg --answer: %d bytes, %d without the answer", len(svg), len(bare))
			}
			picture := filepath.Join(folder, "board.png")
			want(t, "", append([]string{"convert", "--to", "png", "--answer", "-o", picture}, family...)...)
			data := solvetest.Must(os.ReadFile(picture))(t)
			if m, err := png.Decode(bytes.NewReader(data)); err != nil || m.Bounds().Dx() < 100 || m.Bounds().Dy() < 100 {
				t.Errorf("the PNG picture: %v, %v", m.Bounds(), err)
			}
		})
	}
}

// TestInputs tells which errors and which families inputs give.
func TestInputs(t *testing.T) {
	for _, row := range []struct {
		why, in string
		args    []string
		out     string // somewhere in the output or the errors
		code    int
	}{
		{"a board on the command line", "", []string{"solve", "FTTFT/TTFTT/TTTFT/FTTTF"}, "fan in column 5 row 4: north", 0},
		{"letters that two families read", "FT\nFT\n", []string{"solve", "-"}, "could be fans (text) or flow (letters): say which with --family", 1},
		{"the family decides", "FT\nFT\n", []string{"solve", "--family", "fans", "-"}, "solved", 0},
		{"numbers that two families read", "1 2\n1 2\n", []string{"solve", "-"}, "could be switches (connections) or flow (numbers)", 1},
		{"a broken row of fans", "FTTF\nFTT\n", []string{"solve", "-"}, "line 2 has 3 cells, want 4", 1},
		{"a broken row of bulbs", "grid 2x2\n**\n*x\n", []string{"solve", "-"}, "line 3: got 'x' in column 2, want '*' or 'o'", 1},
		{"a broken connection", "a b c\na\na b c\n", []string{"solve", "-"}, `line 3: got "a b c", want "a b" or "a > b"`, 1},
		{"a file that is not there", "", []string{"solve", "no-such-file.txt"}, "no such file", 1},
		{"no answer, and why", "grid 2x1\nflips: square\n*o\n", []string{"solve", "--why", "-"}, "an odd number of them needs flipping", 0},
		{"no answer, and no reason that could be checked", "flow 2x2 notouch\nA.\nA.\n", []string{"solve", "--why", "-"}, "no solution\nwhy cannot be told: ", 0},
		{"the fewest flips", "grid 3x3\n*o*\nooo\n*o*\n", []string{"solve", "-"}, "1 flip, the fewest", 0},
		{"both counts", "FTF\n", []string{"solve", "--count", "-"}, "7 answers\n3 that differ where wind reaches a turbine", 0},
		{"uniqueness without touching", "A..\nA..\n", []string{"solve", "--rules", "numberlink", "--count", "-"}, "1 without a path that touches itself", 0},
		{"demands that nobody knows", "A..\nA..\n", []string{"solve", "--rules", "chess", "-"}, `got "chess"`, 2},
	} {
		out, errOut, code := onlooker(t, row.in, row.args...)
		if code != row.code || !strings.Contains(out+errOut, row.out) {
			t.Errorf("%s: status %d, want %d and %q:\n%s%s", row.why, code, row.code, row.out, out, errOut)
		}
	}
}
