package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"onlooker/calibrations"
	"onlooker/cmd/internal/program/programtest"
	"onlooker/cmd/internal/solving"
	"onlooker/solve/solvetest"
)

// toFull runs the program with a standard output that takes nothing.
func toFull(t *testing.T, args ...string) (errOut string, status int) {
	t.Helper()
	full := solvetest.Must(os.OpenFile("/dev/full", os.O_WRONLY, 0))(t)
	defer full.Close()
	var e bytes.Buffer
	status = run(context.Background(), args, strings.NewReader("grid 3x1 / *o*\n"), full, &e)
	return e.String(), status
}

// complaints are the lines that say what went wrong.
func complaints(errOut string) (lines []string) {
	for line := range strings.Lines(errOut) {
		if strings.HasPrefix(line, "onlooker: ") {
			lines = append(lines, line)
		}
	}
	return lines
}

// TestFullOutput: what cannot be printed is an error of one line, whichever command
// prints it.
func TestFullOutput(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	picture, kept, export := at("0001.png"), at("s.sqlite"), at("x.jsonl")
	want(t, "", "generate", "flow", "--size", "5x5", "--seed", "3", "--no-store", "-o", picture)
	want(t, "", "solve", "--store", kept, "grid 3x1 / *o*")
	want(t, "", "export", "--store", kept, "-o", export)
	for _, args := range [][]string{
		{"help"}, {"help", "solve"}, {"version"}, {"version", "--json"}, {"games"}, {"games", "--json"}, {"--version"}, {"doctor"}, {"watch", "--failures", "list"},
		{"solve", code}, {"solve", "--json", code}, {"solve", "--all", "--json", code}, {"solve", "--why", "testdata/files/nosolution.txt"}, {"solve", picture},
		{"check", code, "[[[0,4],[2,4],[2,2],[4,2],[4,0],[5,0]]]"}, {"check", "--json", code, "[[[0,4],[2,4]]]"},
		{"convert", "--to", "text", code}, {"convert", "--to", "png", "-o", at("y.png"), code},
		{"read", "--no-store", picture}, {"read", "--no-store", "--json", picture},
		{"batch", "--no-store"}, {"batch", "--no-store", picture},
		{"generate", "flow", "-n", "2", "--no-store"}, {"generate", "flow", "--json", "--no-store"}, {"generate", "flow", "--to", "svg", "-o", at("z.svg"), "--no-store"},
		{"export", "--store", kept}, {"import", "--store", at("other.sqlite"), export},
		{"watch", "--replay", dir}, {"watch", "--json", "--replay", dir},
	} {
		errOut, status := toFull(t, args...)
		if said := complaints(errOut); status != 1 || len(said) != 1 || said[0] != "onlooker: standard output: no space left on device\n" {
			t.Errorf("onlooker %s > /dev/full: status %d, want 1 and one line: %s", strings.Join(args, " "), status, errOut)
		}
	}
}

// A smallDisk is a file system that can be filled.
type smallDisk struct {
	*testing.T
	dir string
}

func newSmallDisk(t *testing.T) smallDisk {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("no small file system can be made: %v", err)
	}
	t.Cleanup(func() {
		solvetest.Fine(t, syscall.Unmount(dir, syscall.MNT_DETACH))
	})
	return smallDisk{t, dir}
}

func (d smallDisk) at(name string) string { return filepath.Join(d.dir, name) }

// fill leaves so many kB free; below 0 all.
func (d smallDisk) fill(free int) {
	d.Helper()
	if err := os.Remove(d.at("filler")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.Fatal(err)
	}
	if free < 0 {
		return
	}
	var s syscall.Statfs_t
	solvetest.OK(d, syscall.Statfs(d.dir, &s))
	solvetest.OK(d, os.WriteFile(d.at("filler"), make([]byte, max(0, int(s.Bavail)*int(s.Bsize)-free<<10)), 0o600))
}

// contents are all files of the disk but the filler.
func (d smallDisk) contents() map[string]string {
	d.Helper()
	all := map[string]string{}
	solvetest.OK(d, filepath.WalkDir(d.dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == "filler" {
			return err
		}
		data, err := os.ReadFile(name)
		all[name] = string(data)
		return err
	}))
	return all
}

// TestFullDisk: a file that does not fit is an error of one line, and what was there
// stays as it was.
func TestFullDisk(t *testing.T) {
	d := newSmallDisk(t)
	dir := t.TempDir()
	kept, picture, panel := filepath.Join(dir, "s.sqlite"), filepath.Join(dir, "board.png"), shotOf(t, dir, "panel.png", squaresText, violet(t), 48)
	other := shotOf(t, dir, "stars.png", starsText, violet(t), 61)
	want(t, "", "generate", "flow", "--size", "5x5", "--seed", "3", "--no-store", "-o", picture)
	many := filepath.Join(dir, "many.txt")
	solvetest.OK(t, os.WriteFile(many, []byte(want(t, "", "generate", "flow", "--size", "9x9", "--seed", "1", "--no-store", "-n", "300")), 0o600))
	for i := range 40 {
		want(t, "", "solve", "--store", kept, "grid 9x1 / "+strings.Repeat("*", i%9+1)+strings.Repeat("o", 8-i%9))
	}
	solvetest.OK(t, os.Mkdir(d.at("pictures"), 0o755))
	for name, args := range map[string][]string{
		"--picture":       {"solve", "--no-store", "--picture", d.at("marked.png"), picture},
		"export":          {"export", "--store", kept, "-o", d.at("x.jsonl")},
		"convert":         {"convert", "--to", "text", "-o", d.at("many.txt"), many},
		"convert to png":  {"convert", "--to", "png", "-o", d.at("board.png"), code},
		"convert to many": {"convert", "--to", "svg", "-o", d.at("pictures"), code},
		"a list":          {"generate", "flow", "--size", "9x9", "-n", "100", "--no-store", "-o", d.at("list.txt")},
		"a picture":       {"generate", "flow", "--to", "png", "--no-store", "-o", d.at("flow.png")},
		"calibrate":       {"calibrate", "-o", d.at("look"), panel},
	} {
		d.fill(-1)
		want(t, "", args...)
		before := d.contents()
		if name == "calibrate" { // the same screenshot again would change nothing
			args[len(args)-1] = other
		}
		d.fill(0)
		out, errOut, status := onlooker(t, "", args...)
		if said := complaints(errOut); status != 1 || len(said) != 1 || !strings.Contains(said[0], "no space left on device") || len(said[0]) > 200 {
			t.Errorf("%s: status %d, want 1 and one line: %s%s", name, status, out, errOut)
		}
		after := d.contents()
		for file := range after {
			if _, known := before[file]; !known {
				t.Errorf("%s: left %s", name, file)
			}
		}
		for file, text := range before {
			solvetest.Same(t, after[file], text, "%s: %s had %d bytes and has %d others", name, file, len(text), len(after[file]))
		}
	}
}

// TestFullDiskBatch runs a batch into a disk that fills, and goes on when there is room.
func TestFullDiskBatch(t *testing.T) {
	d := newSmallDisk(t)
	boards := filepath.Join(t.TempDir(), "boards.txt")
	solvetest.OK(t, os.WriteFile(boards, []byte(want(t, "", "generate", "flow", "--size", "9x9", "--seed", "1", "--no-store", "-n", "200")), 0o600))
	whole := strings.Count(want(t, "", "batch", "--no-store", boards), "\n")
	args := []string{"batch", "--no-store", "--jobs", "4", "-o", d.at("out"), boards}
	had := ""
	for _, free := range []int{0, 8, 40, 70} {
		d.fill(free)
		_, errOut, status := onlooker(t, "", args...)
		if said := complaints(errOut); status != 1 || len(said) == 0 || len(said) > 2 || !strings.Contains(said[len(said)-1], "no space left on device") {
			t.Errorf("%d kB free: status %d, want 1 and a line beside that of finished lines: %s", free, status, errOut)
		}
		data := solvetest.Must(os.ReadFile(d.at("out")))(t)
		if lines := string(data[:bytes.LastIndexByte(data, '\n')+1]); !strings.HasPrefix(lines, had) {
			t.Errorf("%d kB free: lines that were there are others now", free)
		} else {
			had = lines
		}
	}
	d.fill(-1)
	if _, errOut, status := onlooker(t, "", args...); status != 0 || !strings.Contains(errOut, "finished lines") || len(complaints(errOut)) != 1 {
		t.Errorf("with room: status %d: %s", status, errOut)
	}
	data := solvetest.Must(os.ReadFile(d.at("out")))(t)
	if !strings.HasPrefix(string(data), had) || strings.Count(string(data), "\n") != whole || len(programtest.Lines[solving.Line](t, string(data))) != whole {
		t.Errorf("with room: %d lines, want %d that begin with those before", bytes.Count(data, []byte("\n")), whole)
	}
}

// TestFullDiskStore fills the disk of the store: answers come without it, what is there
// stays, and what cannot be taken in is an error.
func TestFullDiskStore(t *testing.T) {
	d := newSmallDisk(t)
	file := d.at("s.sqlite")
	export := filepath.Join(t.TempDir(), "x.jsonl")
	other := filepath.Join(filepath.Dir(export), "other.sqlite")
	for i := range 30 {
		want(t, "", "solve", "--store", other, "grid 5x4 / "+strings.Repeat("o", i%5)+"*"+strings.Repeat("o", 4-i%5)+" / ooooo / oo*oo / "+strings.Repeat("*", 1+i/6)+strings.Repeat("o", 4-i/6))
	}
	want(t, "", "export", "--store", other, "-o", export)
	for _, there := range []bool{false, true} {
		d.fill(-1)
		kept := ""
		if there {
			want(t, "", "solve", "--store", file, "grid 3x1 / *o*")
			kept = want(t, "", "export", "--store", file)
		}
		d.fill(0)
		out, errOut, status := onlooker(t, "", "solve", "--json", "--store", file, "grid 3x3 / *o* / ooo / *o*", "grid 3x1 / *o*")
		if status != 0 || len(programtest.Lines[solving.Line](t, out)) != 2 || len(complaints(errOut)) != 1 {
			t.Errorf("there %t: status %d, want 0, two answers and a line: %s%s", there, status, out, errOut)
		}
		_, errOut, status = onlooker(t, "", "import", "--own", "--store", file, export)
		if said := complaints(errOut); status != 1 || len(said) != 1 || !strings.Contains(said[0], "full") && !strings.Contains(said[0], "no space left") {
			t.Errorf("there %t: import: status %d, want 1 and a line: %s", there, status, errOut)
		}
		d.fill(-1)
		if now := want(t, "", "export", "--store", file); there && now != kept {
			t.Errorf("with room again it holds\n%s\nwant\n%s", now, kept)
		}
		solvetest.OK(t, os.Remove(file))
	}
}

// TestFullDiskSettings: what was found out of a client stays where what is new has no room.
func TestFullDiskSettings(t *testing.T) {
	d := newSmallDisk(t)
	t.Setenv("XDG_CONFIG_HOME", d.dir)
	look := solvetest.Must(calibrations.Load("lightsoff"))(t)
	m := look.Motion
	solvetest.Must(look.Remember(m))(t)
	before := d.contents()
	d.fill(0)
	m.SettleMillis++
	if _, err := look.Remember(m); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("kept on a full disk: %v", err)
	}
	if after := d.contents(); !maps.Equal(after, before) {
		t.Errorf("%q, want %q as it was", after, before)
	}
	if _, err := calibrations.Load("lightsoff"); err != nil {
		t.Error(err)
	}
}
