package convert_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/convert"
	"onlooker/cmd/internal/program/programtest"
	"onlooker/cmd/internal/solving"
	"onlooker/solve/solvetest"
)

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
