package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"onlooker/solve/solvetest"
)

// What people keep boards in, one row for each form: how it is answered, or how
// many answers it has, and the board that it is. A row without text is a file that
// lies beside the repository alone.
func TestFormsOfPeople(t *testing.T) {
	lights := "flip column 2 row 1\nflip column 1 row 2\nflip column 3 row 2\nflip column 1 row 3\nflip column 3 row 3\nall are wanted off, since the board does not tell (see --goal)\n5 flips, the fewest\n"
	for _, row := range []struct {
		file, text string
		canonical  string // of convert --to text
		answer     string // somewhere in what solve --count says
	}{
		{"lights-01-rows.txt", "0 1 0\n0 1 0\n0 0 0\n", "grid 3x3\no*o\no*o\nooo\nwant: all=0\n", lights},
		{"lights-size-line.txt", "3\n0 1 0\n0 1 0\n0 0 0\n", "grid 3x3\no*o\no*o\nooo\nwant: all=0\n", lights},
		{"lights-two-lit.txt", "1 0 0\n0 0 0\n0 0 1\n", "grid 3x3\n*oo\nooo\noo*\nwant: all=0\n", "6 flips, the fewest\n1 answer\n"},
		{"lights-lists.txt", "[1, 0, 0]\n[0, 1, 0]\n[0, 0, 1]\n", "grid 3x3\n*oo\no*o\noo*\nwant: all=0\n", "3 flips, the fewest\n1 answer\n"},
		{"", "[[1,0],[0,1]]\n", "grid 2x2\n*o\no*\nwant: all=0\n", "2 flips, the fewest\n"},
		{"", "{{true,false},\n {false,true}};\n", "grid 2x2\n*o\no*\nwant: all=0\n", "2 flips, the fewest\n"},
		{"", "[\"010\",\"101\"]\n", "grid 3x2\no*o\n*o*\nwant: all=0\n", "all are wanted off"},
		{"", "2x3\n101\n010\n", "grid 3x2\n*o*\no*o\nwant: all=0\n", "no solution"},
		{"", "3,2\n\n1,0,1\n0,1,0\n", "grid 3x2\n*o*\no*o\nwant: all=0\n", "no solution"},
		{"site-2018-start-end.json", `{"grid":[[false,false,false],[false,false,false],[false,false,false]],"start":{"x":0,"y":2},"end":{"x":2,"y":0},"dots":[],"gaps":[]}`,
			"panel 1x1 rules=witnesspuzzles\n+-^\n| |\n@-+\n", "2 answers\n"},
		{"site-2018-points.json", `{"grid":[[{},{},{}],[{},null,{}],[{},{},{}]],"startPoints":[{"x":0,"y":2}],"endPoints":[{"x":2,"y":0,"dir":"right"}]}`,
			"panel 1x1 rules=witnesspuzzles\n+->\n| |\n@-+\n", "2 answers\n"},
		{"site-2018-dots-gaps.json", `{"grid":[[false,false,false,false,false],[false,{"type":"square","color":"black"},false,{"type":"square","color":"white"},false],[false,false,false,false,false]],
			"start":{"x":0,"y":4},"end":{"x":2,"y":0},"dots":[{"x":2,"y":4}],"gaps":[{"x":1,"y":0}]}`,
			"panel 1x2 rules=witnesspuzzles\n+:^\n|a|\n+-+\n|b|\n@-*\na = black square\nb = white square\n", "no solution"},
		{"site-open-triangles.json", "", "", "no solution"}, // a 4 has no fourth side
		{"site-erasers-pieces.json", "", "", "answer"},
		{"flow-tight.txt", "A.B\n...\nA.B\n", "flow 3x3\nA.B\n...\nA.B\n", "no solution"},
		{"flow-spaced.txt", "A . B\n. . .\nA . B\n", "flow 3x3\nA.B\n...\nA.B\n", "no solution"},
		{"flow-dashes.txt", "a - b\n- - -\na - b\n", "flow 3x3\nA.B\n...\nA.B\n", "no solution"},
		{"", "# stars, and a comment\na*b\na*b\nc*c\n", "flow 3x3\nA.B\nA.B\nC.C\n", "2 answers\n"},
		{"", "[\"A.B\",\n \"A.B\"]\n", "flow 3x2\nA.B\nA.B\n", "2 answers\n"},
		{"", "[['A', ' ', 'B'], ['A', None, 'B']]\n", "flow 3x2\nA.B\nA.B\n", "2 answers\n"},
		{"numberlink-list.txt", "[[1, ., 2],\n [., ., .],\n [1, ., 2]]\n", "flow 3x3 any\nA.B\n...\nA.B\n", "answer"},
		{"pzprv3-numlin.txt", "pzprv3\nnumlin\n3\n3\n1 . 2 \n. . . \n1 . 2 \n", "flow 3x3 any\nA.B\n...\nA.B\n", "answer"},
		{"", "pzprv3/arukone/2/3/1 . 1 /2 . 2 /", "flow 3x2 any\nA.A\nB.B\n", "answer"},
		{"pzpr-link.txt", "puzz.link/p?numlin/3/3/1g2i1g2\n", "flow 3x3 any\nA.B\n...\nA.B\n", "answer"},
		{"", "https://puzz.link/p?arukone/3/2/-10g-10+010g+010", "", "third time"},
		{"", "https://puzz.link/p?arukone/3/2/-10g-10+011g+011", "flow 3x2 any\nA.A\nB.B\n", "answer"},
		{"sgt-flip-id.txt", "2x2:edb7,5\n", "grid 2x2\n*o\n*o\n", "flip column 1 row 1\nflip column 1 row 2\n2 flips"},
		{"alcazar-plus-minus.txt", "+   +---+---+\n|       |   |\n+   +   +   +\n|   |       |\n+---+---+   +\n", "alcazar 3x2\nx.xxxxx\nx0.0x0x\nx.x.x.x\nx0x0.0x\nxxxxx.x\n", "no solution"},
		{"alcazar-box.txt", "╔═╩═╗\n║▒ ▒║\n║   ║\n║▒ ▒║\n╚═╦═╝\n", "alcazar 2x2\nx.x.x\nx0.0x\nx.x.x\nx0.0x\nx.x.x\n", "answer"},
		{"", "╔════╩╗\n║▒ ▒ ▒║\n║ ═══ ║\n║▒ ▒ ▒║\n║     ║\n║▒ ▒ ▒║\n╚╦════╝\n", "", "1 answer\n"}, // of its author's question
	} {
		texts := []string{row.text}
		if row.file != "" {
			data, err := os.ReadFile(solvetest.Shared("outside/text/" + row.file))
			if err != nil {
				t.Logf("no shared material, the row's own text alone: %v", err)
			} else {
				texts = append(texts, string(data))
			}
		}
		for _, text := range texts {
			if text == "" {
				continue
			}
			if row.canonical != "" {
				if got := want(t, text, "convert", "--to", "text", "-"); got != row.canonical {
					t.Errorf("%s\nis\n%s\nwant\n%s", text, got, row.canonical)
				}
			}
			out, errOut, _ := onlooker(t, text, "solve", "--no-store", "--count", "-")
			if !strings.Contains(out+errOut, row.answer) {
				t.Errorf("%s\ngives\n%s%s\nwant %q", text, out, errOut, row.answer)
			}
		}
	}
}

// A board comes back from each form that convert writes; --goal, and no more than
// it, changes what rows are taken to want.
func TestConvertedForms(t *testing.T) {
	for _, row := range []struct{ form, board, want string }{
		{"rows", "grid 3x2\n*o*\no*o\nwant: all=0\n", "1 0 1\n0 1 0\n"},
		{"flip", "grid 2x2\n*o\n*o\n", "2x2:edb7,5\n"},
		{"walls", "alcazar 3x2\nx.xxxxx\nx0.0x0x\nx.x.x.x\nx0x0.0x\nxxxxx.x\n", "+   +---+---+\n|       |   |\n+   +   +   +\n|   |       |\n+---+---+   +\n"},
		{"box", "alcazar 3x2\nx.xxxxx\nx0.0x0x\nx.x.x.x\nx0x0.0x\nxxxxx.x\n", "╔╩══╦═╗\n║▒ ▒║▒║\n║ ║ ║ ║\n║▒║▒ ▒║\n╚═╩══╦╝\n"},
		{"walls", "alcazar 1x1\nxxx\n.0.\nxxx\n", "+---+\n     \n+---+\n"}, // the row would be an empty line
		{"puzz.link", "flow 3x3 any\nA.B\n...\nA.B\n", "https://puzz.link/p?numlin/3/3/1g2i1g2\n"},
		{"link", "flow 3x3 any\nA.B\n...\nA.B\n", "https://puzz.link/p?numlin/3/3/1g2i1g2\n"},
		{"witnesspuzzles", "panel 1x1 rules=witnesspuzzles\n+-^\n| |\n@-+\n", `{"grid":[[`},
	} {
		got := want(t, row.board, "convert", "--to", row.form, "-")
		if !strings.HasPrefix(got, row.want) {
			t.Errorf("%s of\n%s\nis\n%q\nwant\n%q", row.form, row.board, got, row.want)
		}
		if back := want(t, got, "convert", "--to", "text", "-"); back != row.board {
			t.Errorf("%s\ncomes back as\n%s\nwant\n%s", got, back, row.board)
		}
	}
	for _, row := range []struct{ goal, want string }{{"on", "grid 2x1\n*o\n"}, {"off", "grid 2x1\n*o\nwant: all=0\n"}, {"any", "grid 2x1\n*o\nwant: all=0\n"}} {
		if got := want(t, "1 0\n", "convert", "--to", "text", "--goal", row.goal, "-"); got != row.want {
			t.Errorf("--goal %s: %s, want %s", row.goal, got, row.want)
		}
		if got := want(t, "grid 2x1\n*o\n", "convert", "--to", "text", "--goal", row.goal, "-"); got != "grid 2x1\n*o\n" {
			t.Errorf("--goal %s changes a board that tells what it wants: %s", row.goal, got)
		}
	}
	var line struct{ Goal string }
	if err := json.Unmarshal([]byte(want(t, "1 0\n", "solve", "--no-store", "--json", "--goal", "on", "-")), &line); err != nil || line.Goal != "on" {
		t.Errorf("goal %q, %v, want on", line.Goal, err)
	}
	for _, refused := range []struct{ form, board, why string }{
		{"rows", "grid 2x1\n*o\n", "all wanted dark"},
		{"rows", "grid 2x1\nflips: own\n*o\nwant: all=0\n", "the four beside it"},
		{"flip", "grid 2x1\n*o\nwant: all=0\n", "all wanted lit"},
		{"walls", "alcazar 3x2\nxxxxx.x\nx0.0.0x\nx.x|x.x\n.0.0.0x\nxxxxxxx\n", "must be taken"},
		{"puzz.link", "flow 2x1\nAA\n", "cells may stay empty"},
	} {
		if _, errOut, code := onlooker(t, refused.board, "convert", "--to", refused.form, "-"); code != 1 || !strings.Contains(errOut, refused.why) {
			t.Errorf("%s of\n%s: status %d, %q, want %q", refused.form, refused.board, code, errOut, refused.why)
		}
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
		out, errOut, code := onlooker(t, row.text, "solve", "--no-store", "-")
		if code != 1 || out != "" || !strings.Contains(errOut, row.want) {
			t.Errorf("%s: status %d, %q, %q, want %q", row.why, code, out, errOut, row.want)
		}
	}
}

// What can only be a file's name is said to be not there, and nothing else.
func TestNotThere(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"lights.txt", "puzzle", "a.json", "./abba", "../x", "/no/such/place", filepath.Join(folder, "abba"), "Screenshot 1.PNG"} {
		out, errOut, code := onlooker(t, "", "solve", "--no-store", name)
		if code != 1 || out != "" || !strings.HasPrefix(errOut, "onlooker: ") || !strings.HasSuffix(errOut, ": no such file\n") || strings.Count(errOut, ":") != 2 {
			t.Errorf("%s: status %d, %q, %q, want no such file", name, code, out, errOut)
		}
	}
	for _, typed := range []string{"FTTFT/TTFTT/TTTFT/FTTTF", "A.A", "1 0/0 1", "2x2:edb7,5", "puzz.link/p?numlin/3/3/1g2i1g2", `{"grid":[[{},{},{"type":"line","start":true}],[{},null,{}],[{"type":"line","end":"top"},{},{}]]}`} {
		if got := want(t, "", "solve", "--no-store", "--json", typed); !strings.Contains(got, `"status":"solved"`) {
			t.Errorf("%s: %s", typed, got)
		}
	}
	_, errOut, _ := onlooker(t, "", "solve", "--no-store", "https://windmill.thefifthmatt.com/abc12de")
	if !strings.Contains(errOut, "is a short link") || strings.Contains(errOut, "no such file") {
		t.Errorf("a short link: %q", errOut)
	}
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
