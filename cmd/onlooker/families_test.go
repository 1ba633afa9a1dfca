package main

import (
	"bytes"
	"encoding/json"
	"image/png"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"onlooker/cmd/internal/games"
	"onlooker/cmd/internal/intake"
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
			solvetest.Same(t, want(t, line, append(append([]string{"check"}, family...), "-")...), "right\n", "check")
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
					solvetest.Same(t, strings.Count(all, "\n"), *counted.Count, "answers of solve --all --limit 3, as --count")
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
			solvetest.Same(t, strings.Count(want(t, "", "solve", "--json", "--family", g.Name, three), `"status":"solved"`), 3, "answers to a file of three boards")
			twice := want(t, "", "convert", "--to", "text", "--family", g.Name, three)
			solvetest.Same(t, strings.Count(want(t, twice, "solve", "--json", "--family", g.Name, "-"), `"status":"solved"`), 3, "boards that come back converted: %s", twice)
			files := strings.Repeat(file+"\n", 2)
			solvetest.Same(t, strings.Count(want(t, files, "solve", "--json", "--family", g.Name, "--lines", "-"), `"status":"solved"`), 2, "answers to two lines of input")

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

// TestFeatures has a board for each family: what lists of puzzles show of it.
func TestFeatures(t *testing.T) {
	p := quietProgram()
	for _, row := range []struct {
		family, text, want string
		cols, rows         int
	}{
		{"witness", "panel 2x1\n+-+->\n|a|b|\n@-+-+\na = white square\nb = red star\n", "square star", 2, 1},
		{"flow", "A.B\nA.B\n", "", 3, 2},
		{"flow", "1 . 2\n1 . 2\n", "numberlink", 3, 2},
		{"alcazar", "xxxxx\n 0 0 \nx x x\nx0 0x\nxxxxx\n", "", 2, 2},
		{"alcazar", "xxxxxxx\n 0x0 0 \nx x x x\nx0 0 0x\nxxxxxxx\n", "walls", 3, 2},
		{"switches", "grid 3x1\n*o*\n", "", 3, 1},
		{"switches", "a b c\nb\na b\nb c\n", "graph", 3, 1},
		{"fans", "FTT\nT.F\n", "", 3, 2},
	} {
		d := solvetest.Must(intake.NewDecoder(t.Context(), p.Games, nil, intake.Flags{LookFlags: intake.LookFlags{Family: row.family}}))(t)
		d.Text("test", []byte(row.text), true, func(b intake.Board) bool {
			if b.Err != nil {
				t.Error(b.Err)
				return false
			}
			p, ok := b.Puzzle.(solve.Describer)
			if !ok {
				t.Errorf("%s tells no features", row.family)
				return false
			}
			cols, rows := p.Size()
			if got := p.Features(); !slices.Equal(got, strings.Fields(row.want)) || cols != row.cols || rows != row.rows {
				t.Errorf("%s\n%d×%d %q, want %d×%d %q", row.text, cols, rows, got, row.cols, row.rows, row.want)
			}
			return true
		})
	}
}

// A command that does not come to its end is ended when its time is over, not before,
// and says so.
func TestInsist(t *testing.T) {
	late, exited := make(chan time.Time), make(chan int, 1)
	var out bytes.Buffer
	go insist(late, &out, func(status int) { exited <- status })
	select {
	case status := <-exited:
		t.Fatalf("ended with %d while there was time", status)
	default:
	}
	late <- time.Time{}
	if status := <-exited; status != interrupted || !strings.Contains(out.String(), "could not be interrupted") {
		t.Errorf("ended with %d, saying %q; want %d and why", status, out.String(), interrupted)
	}
}

func TestSplitLine(t *testing.T) {
	for _, row := range []struct {
		why, line string
		want      []string
	}{
		{"words", "solve  --count panel.txt\r\n", []string{"solve", "--count", "panel.txt"}},
		{"a dragged file", `solve "C:\My Games\shot 1.png"`, []string{"solve", `C:\My Games\shot 1.png`}},
		{"nothing", " \r\n", nil},
		{"an empty word", `watch --look-key ""`, []string{"watch", "--look-key", ""}},
		{"a quote that stays open", `read "a b`, []string{"read", "a b"}},
	} {
		if got := splitLine(row.line); !slices.Equal(got, row.want) {
			t.Errorf("%s: %q: got %q, want %q", row.why, row.line, got, row.want)
		}
	}
}

func TestExpandPatterns(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.png", "a.png", "c.txt", "[1].png"} {
		solvetest.OK(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	t.Chdir(dir)
	for _, row := range []struct {
		why       string
		arg, want []string
	}{
		{"a pattern, in order", []string{"read", "?.png"}, []string{"read", "a.png", "b.png"}},
		{"no match: it may be a board", []string{"solve", "*.gif", "*o*"}, []string{"solve", "*.gif", "*o*"}},
		{"a file that looks like a pattern", []string{"[1].png"}, []string{"[1].png"}},
		{"a flag", []string{"--lines=*.txt"}, []string{"--lines=*.txt"}},
		{"a pattern that is none", []string{"a[", "c.txt"}, []string{"a[", "c.txt"}},
	} {
		if got := expandPatterns(row.arg); !slices.Equal(got, row.want) {
			t.Errorf("%s: %q: got %q, want %q", row.why, row.arg, got, row.want)
		}
	}
}

// A window that a double click opened tells what to type, and takes commands
// until it is told to exit, whatever becomes of them.
func TestInWindow(t *testing.T) {
	board := filepath.Join(t.TempDir(), "fans board.txt")
	solvetest.OK(t, os.WriteFile(board, []byte("FTT\nT.F\n"), 0o644))
	var out, errOut strings.Builder
	typed := "nonsense\n\nonlooker version\nsolve \"" + board + "\"\nexit\nversion\n"
	solvetest.Same(t, inWindow([]string{board}, strings.NewReader(typed), &out, &errOut), 0, "exit status")
	if n := strings.Count(out.String(), board+": solved "); n != 2 {
		t.Errorf("the board was solved %d times, want it dropped and typed:\n%s", n, &out)
	}
	if n := strings.Count(out.String(), "onlooker> onlooker "); n != 1 {
		t.Errorf("version was printed %d times, want once, before exit:\n%s", n, &out)
	}
	if !strings.Contains(out.String(), "drag a screenshot") || !strings.Contains(errOut.String(), "nonsense") {
		t.Errorf("got %q and errors %q, want what to type, and a word on nonsense", &out, &errOut)
	}
}
