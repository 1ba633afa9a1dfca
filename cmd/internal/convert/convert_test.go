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

// TestFormsOfPeople reads what sites and people saved, where that is there; what is like it in our own
// words is among the program's transcripts.
func TestFormsOfPeople(t *testing.T) {
	for _, row := range []struct{ file, canonical, answer string }{
		{"lights-star-dot.txt", "", "all are taken to be wanted off"},
		{"site-2018-start-end.json", "panel 1x1 rules=witnesspuzzles\n+-^\n| |\n@-+\n", "2 answers\n"},
		{"site-2018-points.json", "panel 1x1 rules=witnesspuzzles\n+->\n| |\n@-+\n", "2 answers\n"},
		{"site-2018-dots-gaps.json", "panel 1x2 rules=witnesspuzzles\n+:^\n|a|\n+-+\n|b|\n@-*\na = black square\nb = white square\n", "no solution"},
		{"site-open-triangles.json", "", "no solution"}, // a 4 has no fourth side
		{"site-erasers-pieces.json", "", "answer"},
	} {
		text, err := os.ReadFile(solvetest.Shared("outside/text/" + row.file))
		if err != nil {
			t.Skipf("no shared material: %v", err)
		}
		if got := shell.Want(t, string(text), "convert", "--to", "text", "-"); row.canonical != "" && got != row.canonical {
			t.Errorf("%s is\n%s\nwant\n%s", row.file, got, row.canonical)
		}
		if out, errOut, _ := shell.Run(t, string(text), "solve", "--no-store", "--count", "-"); !strings.Contains(out+errOut, row.answer) {
			t.Errorf("%s gives\n%s%s\nwant %q", row.file, out, errOut, row.answer)
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
		solvetest.Same(t, shell.Want(t, "", args...), text, "%s: the same seed makes", row.why)
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
		solvetest.Same(t, len(lines), n, "%s: puzzles %s", row.why, text)
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
