package convert_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/convert"
	"onlooker/cmd/internal/games"
	"onlooker/cmd/internal/program"
	"onlooker/cmd/internal/program/programtest"
	"onlooker/cmd/internal/solving"
	"onlooker/solve/solvetest"
)

// shell knows the commands that these tests are of.
var shell = programtest.Of(convert.New, convert.NewGenerate, solving.NewSolve)

func TestMain(m *testing.M) { programtest.Main(m) }

// TestInterrupted: a conversion that is ended writes no more boards, and says so.
func TestInterrupted(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	end()
	var out, said strings.Builder
	status := program.New(games.All(&said), strings.NewReader("flow 2x2\nA.\nA.\n"), &out, &said).Execute(ctx, []string{"convert", "--to", "text", "-"}, shell)
	if status == 0 || out.Len() > 0 || !strings.Contains(said.String(), "interrupted") {
		t.Errorf("status %d, written %q, said %q", status, &out, &said)
	}
}

// What people keep boards in, one row for each form: how it is answered, or how
// many answers it has, and the board that it is. A row without text is a file that
// lies beside the repository alone.
func TestFormsOfPeople(t *testing.T) {
	lights := "flip column 2 row 1\nflip column 1 row 2\nflip column 3 row 2\nflip column 1 row 3\nflip column 3 row 3\nall are taken to be wanted off (see --goal)\nall off, 5 flips, the fewest\n"
	for _, row := range []struct {
		file, text string
		canonical  string // of convert --to text
		answer     string // somewhere in what solve --count says
	}{
		{"lights-01-rows.txt", "0 1 0\n0 1 0\n0 0 0\n", "grid 3x3\no*o\no*o\nooo\nwant: all=0\n", lights},
		{"lights-size-line.txt", "3\n0 1 0\n0 1 0\n0 0 0\n", "grid 3x3\no*o\no*o\nooo\nwant: all=0\n", lights},
		{"lights-two-lit.txt", "1 0 0\n0 0 0\n0 0 1\n", "grid 3x3\n*oo\nooo\noo*\nwant: all=0\n", "6 flips, the fewest\n1 answer\n"},
		{"lights-lists.txt", "[1, 0, 0]\n[0, 1, 0]\n[0, 0, 1]\n", "grid 3x3\n*oo\no*o\noo*\nwant: all=0\n", "3 flips, the fewest\n1 answer\n"},
		{"lights-star-dot.txt", ".*.\n*.*\n", "", "all are taken to be wanted off"},
		{"lights-x-minus-two-lit.txt", "-----\n--x--\n-----\n--x--\n-----\n", "", "could be switches (rows) or flow (letters): say which with --family"},
		{"", "x-\nxx\n", "grid 2x2\n*o\n**\nwant: all=0\n", "all off, "},
		{"", "[[1,0],[0,1]]\n", "grid 2x2\n*o\no*\nwant: all=0\n", "2 flips, the fewest\n"},
		{"", "{{true,false},\n {false,true}};\n", "grid 2x2\n*o\no*\nwant: all=0\n", "2 flips, the fewest\n"},
		{"", "[\"010\",\"101\"]\n", "grid 3x2\no*o\n*o*\nwant: all=0\n", "all are taken to be wanted off"},
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
		{"sgt-flip-id.txt", "2x2:edb7,5\n", "grid 2x2\n*o\n*o\n", "flip column 1 row 1\nflip column 1 row 2\nall on, 2 flips"},
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
				if got := shell.Want(t, text, "convert", "--to", "text", "-"); got != row.canonical {
					t.Errorf("%s\nis\n%s\nwant\n%s", text, got, row.canonical)
				}
			}
			out, errOut, _ := shell.Run(t, text, "solve", "--no-store", "--count", "-")
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
		{"walls", "alcazar 3x2\nx.xxxxx\nx0.0x0x\nx.x.x.x\nx0x0.0x\nxxxxx.x\n", "+   +---+---+\n|       |   |\n+   +   +   +\n|   |       |\n+---+---+   +\n"},
		{"box", "alcazar 3x2\nx.xxxxx\nx0.0x0x\nx.x.x.x\nx0x0.0x\nxxxxx.x\n", "╔╩══╦═╗\n║▒ ▒║▒║\n║ ║ ║ ║\n║▒║▒ ▒║\n╚═╩══╦╝\n"},
		{"walls", "alcazar 1x1\nxxx\n.0.\nxxx\n", "+---+\n     \n+---+\n"}, // the row would be an empty line
		{"puzz.link", "flow 3x3 any\nA.B\n...\nA.B\n", "https://puzz.link/p?numlin/3/3/1g2i1g2\n"},
		{"link", "flow 3x3 any\nA.B\n...\nA.B\n", "https://puzz.link/p?numlin/3/3/1g2i1g2\n"},
		{"witnesspuzzles", "panel 1x1 rules=witnesspuzzles\n+-^\n| |\n@-+\n", `{"grid":[[`},
	} {
		got := shell.Want(t, row.board, "convert", "--to", row.form, "-")
		if !strings.HasPrefix(got, row.want) {
			t.Errorf("%s of\n%s\nis\n%q\nwant\n%q", row.form, row.board, got, row.want)
		}
		if back := shell.Want(t, got, "convert", "--to", "text", "-"); back != row.board {
			t.Errorf("%s\ncomes back as\n%s\nwant\n%s", got, back, row.board)
		}
	}
	for _, row := range []struct{ goal, board, want, why string }{
		{"on", "1 0\n", "grid 2x1\n*o\n", ""},
		{"off", "1 0\n", "grid 2x1\n*o\nwant: all=0\n", ""},
		{"any", "1 0\n", "", "nothing that a board of switches may want"},
		{"on", "grid 2x1\n*o\n", "grid 2x1\n*o\n", ""},
		{"off", "grid 2x1\n*o\n", "", "tells itself what is wanted"},
	} {
		out, said, _ := shell.Run(t, row.board, "convert", "--to", "text", "--goal", row.goal, "-")
		if out != row.want || !strings.Contains(said, row.why) {
			t.Errorf("--goal %s: %s%s, want %s%s", row.goal, out, said, row.want, row.why)
		}
	}
	var line struct{ Goal string }
	if err := json.Unmarshal([]byte(shell.Want(t, "1 0\n", "solve", "--no-store", "--json", "--goal", "on", "-")), &line); err != nil || line.Goal != "on" {
		t.Errorf("goal %q, %v, want on", line.Goal, err)
	}
	for _, refused := range []struct{ form, board, why string }{
		{"rows", "grid 2x1\n*o\n", "all wanted dark"},
		{"rows", "grid 2x1\nflips: own\n*o\nwant: all=0\n", "the four beside it"},
		{"walls", "alcazar 3x2\nxxxxx.x\nx0.0.0x\nx.x|x.x\n.0.0.0x\nxxxxxxx\n", "must be taken"},
		{"puzz.link", "flow 2x1\nAA\n", "cells may stay empty"},
	} {
		if _, errOut, code := shell.Run(t, refused.board, "convert", "--to", refused.form, "-"); code != 1 || !strings.Contains(errOut, refused.why) {
			t.Errorf("%s of\n%s: status %d, %q, want %q", refused.form, refused.board, code, errOut, refused.why)
		}
	}
}

// TestGenerate makes puzzles of every family, and solves them again.
func TestGenerate(t *testing.T) {
	for _, row := range []struct {
		why  string
		args string
	}{
		{"what there is", "witness -n 2"},
		{"symbols", "witness --size 4x3 --symbols squares=4,stars=2 --unique -n 2"},
		{"pillars", "witness --size 4x4 --symbols pillar=1,symmetry=4,dots=3 --unique"},
		{"one answer", "flow --size 6x5 --unique -n 2"},
		{"holes and walls", "flow --size 6x6 --symbols holes=3,walls=4 --unique"},
		{"walls", "alcazar --size 6x4 --symbols walls=20 --unique"},
		{"fans", "fans --size 6x4 --unique"},
		{"few fans", "fans --size 2x1 --unique -n 2"},
		{"a preset in a size", "witness --preset stars --size 4x3"},
	} {
		args := append([]string{"generate", "--no-store", "--seed", "5"}, strings.Fields(row.args)...)
		text := shell.Want(t, "", args...)
		if again := shell.Want(t, "", args...); again != text {
			t.Errorf("%s: the same seed makes\n%s, then\n%s", row.why, text, again)
		}
		family := strings.Fields(row.args)[0]
		n := 1
		if strings.Contains(row.args, "-n 2") {
			n = 2
		}
		if _, size, is := strings.Cut(row.args, "--size "); is && family == "witness" && !strings.Contains(text, " "+strings.Fields(size)[0]) {
			t.Errorf("%s: got %s", row.why, text)
		}
		if family == "fans" && strings.Count(text, "T") < n {
			t.Errorf("%s: no turbine\n%s", row.why, text)
		}
		lines := programtest.Lines[solving.Line](t, shell.Want(t, text, "solve", "--no-store", "--json", "--count", "--limit", "2", "--family", family, "-"))
		if len(lines) != n {
			t.Errorf("%s: %d puzzles, want %d\n%s", row.why, len(lines), n, text)
		}
		for _, line := range lines {
			answers := line.Count
			if line.Groups != nil {
				answers = line.Groups
			}
			if line.Status != answer.Solved || line.Error != "" || strings.Contains(row.args, "--unique") && *answers != 1 {
				t.Errorf("%s: %+v, %d answers\n%s", row.why, line, *answers, text)
			}
		}
	}
	// A puzzle is the same however many there are.
	one, three := shell.Want(t, "", "generate", "flow", "--no-store", "--seed", "9"), shell.Want(t, "", "generate", "flow", "--no-store", "--seed", "9", "-n", "3")
	if !strings.HasPrefix(three, one) {
		t.Errorf("the first of three is\n%s, alone it is\n%s", three, one)
	}
	var line convert.Made
	if err := json.Unmarshal([]byte(shell.Want(t, "", "generate", "alcazar", "--no-store", "--json", "--seed", "9", "--size", "8x6")), &line); err != nil ||
		line.Seed != 9 || line.Cols != 8 || line.Rows != 6 || !strings.HasPrefix(line.Text, "alcazar 8x6\n") {
		t.Errorf("%+v, %v", line, err)
	}
	link := shell.Want(t, "", "generate", "witness", "--no-store", "--seed", "9", "--to", "link")
	if !strings.HasPrefix(link, "https://windmill.thefifthmatt.com/") || !strings.Contains(shell.Want(t, "", "solve", "--no-store", strings.TrimSpace(link)), "solved") {
		t.Errorf("link %s", link)
	}
}

func TestGenerateRefuses(t *testing.T) {
	for _, row := range []struct {
		args   string
		status int
		want   string
	}{
		{"", 2, "no family"},
		{"chess", 2, "no such family"},
		{"witness --size 5", 2, "want COLSxROWS"},
		{"witness --size 0x3", 2, "0×3 cells"},
		{"flow --size 9999x9999", 2, "at most"},
		{"witness --symbols stars", 2, "want NAME=NUMBER"},
		{"witness --symbols moons=2", 2, "no wish \"moons\"; there are: squares"},
		{"witness --symbols squares=-1", 2, "want 0 to"},
		{"witness --size 2x2 --symbols squares=40", 1, "no room"},
		{"switches --size 5x5 --unique", 1, "none of 1000 puzzles is as wanted; 1000 had more than one answer"},
		{"flow --to pdf", 2, "no such format"},
		{"flow --to png", 2, "with -o"},
		{"flow -o board.jpg", 2, "pictures are written as .png or .svg"},
		{"flow --to poem", 2, "no such format"},
		{"flow --to numbers", 2, "a form that is read only"},
		{"alcazar --to link", 1, "no format \"link\""},
		{"flow --to link", 1, "whose cells may stay empty"},
		{"flow -n 0", 2, "more than 0"},
	} {
		out, errOut, status := shell.Run(t, "", append([]string{"generate", "--no-store"}, strings.Fields(row.args)...)...)
		if status != row.status || !strings.Contains(errOut, row.want) {
			t.Errorf("generate %s: status %d, want %d with %q\n%s%s", row.args, status, row.status, row.want, out, errOut)
		}
	}
}

// TestName: the name alone tells what is wanted, unless --to does.
func TestName(t *testing.T) {
	dir := t.TempDir()
	for _, row := range []struct{ name, to, want string }{
		{"board.SVG", "", "<svg"}, {"board.png", "", "\x89PNG"}, {"text.svg", "--to=text", "flow 5x5"}, {"board.txt", "", "flow 5x5"},
	} {
		name := filepath.Join(dir, row.name)
		args := []string{"generate", "flow", "--no-store", "--seed", "1", "-o", name}
		if row.to != "" {
			args = append(args, row.to)
		}
		shell.Want(t, "", args...)
		if data, err := os.ReadFile(name); err != nil || !strings.HasPrefix(string(data), row.want) {
			t.Errorf("-o %s %s: %.20q, %v; want %q", row.name, row.to, data, err, row.want)
		}
	}
}

// TestGenerateLeavesNothing fails at a later puzzle of one file.
func TestGenerateLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	_, errOut, status := shell.Run(t, "", "generate", "witness", "--no-store", "--symbols", "pieces=4", "--to", "witnesspuzzles", "--number", "30", "--seed", "3", "-o", filepath.Join(dir, "all.txt"))
	left := solvetest.Must(os.ReadDir(dir))(t)
	if status != 1 || len(left) != 0 {
		t.Errorf("status %d, want 1; %v is left: %s", status, left, errOut)
	}
}
