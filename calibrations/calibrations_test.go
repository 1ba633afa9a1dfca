package calibrations

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"onlooker/solve/solvetest"
)

func embeddedText(t *testing.T) string {
	t.Helper()
	data := solvetest.Must(Embedded.ReadFile("witness-challenge/" + File))(t)
	return string(data)
}

func TestEmbeddedProfilesLoad(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	names := Names()
	if !slices.Contains(names, "witness-challenge") {
		t.Fatalf("names are %v, want witness-challenge among them", names)
	}
	for _, n := range names {
		if p, err := Load(n); err != nil || p.Name != n {
			t.Errorf("Load(%q) = %v, %v", n, p, err)
		}
	}
}

func TestErrorsNameKeyAndLine(t *testing.T) {
	good := embeddedText(t)
	for _, line := range solvetest.Rows(t, "testdata/refused.rows") {
		var row struct{ why, old, new, want string }
		solvetest.Must(fmt.Sscanf(line, "%q %q %q %q", &row.why, &row.old, &row.new, &row.want))(t, line)
		bad := strings.Replace(good, row.old, row.new, 1)
		if bad == good {
			t.Fatalf("%s: %q is not in the profile", row.why, row.old)
		}
		p, err := Parse("x", "x/profile.toml", []byte(bad))
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: got %v, %v; want an error with %q", row.why, p, err, row.want)
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: the error has several lines: %q", row.why, err)
		}
	}
}

func TestUsersProfileWins(t *testing.T) {
	home := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", home)
	t.Setenv("HOME", home)
	t.Setenv("AppData", home)
	dir := solvetest.Must(UserFolder())(t)
	own := filepath.Join(dir, "witness-challenge")
	solvetest.OK(t, os.MkdirAll(own, 0o755))
	text := strings.Replace(embeddedText(t), "version = \"2016\"", "version = \"mine\"", 1)
	solvetest.OK(t, os.WriteFile(filepath.Join(own, File), []byte(text), 0o644))
	p, err := Load("witness-challenge")
	if err != nil || p.Version != "mine" {
		t.Errorf("by name: got %v, %v; want the user's", p, err)
	}
	if p, err = Load(own); err != nil || p.Name != "witness-challenge" || p.Version != "mine" {
		t.Errorf("by folder: got %v, %v", p, err)
	}
	if n, want := len(Names()), len(list(Embedded)); n != want {
		t.Errorf("%d names, want %d: the user's hides the embedded", n, want)
	}
	if _, err := Load("nowhere"); err == nil || !strings.Contains(err.Error(), "witness-challenge") {
		t.Errorf("unknown name: got %v, want the names that there are", err)
	}
}

// TestRemembersMotion: what was found out wins over an embedded profile, and
// over one in a folder, and a file that is no motion is told.
func TestRemembersMotion(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	folder := filepath.Join(t.TempDir(), "own")
	solvetest.OK(t, os.Mkdir(folder, 0o755))
	solvetest.OK(t, os.WriteFile(filepath.Join(folder, File), []byte(embeddedText(t)), 0o644))
	for _, name := range []string{"witness-challenge", folder} {
		p := solvetest.Must(Load(name))(t)
		m := p.Motion
		m.Pointer, m.Gain = System, 0.7
		file := solvetest.Must(p.Remember(m))(t)
		again, err := Load(name)
		if err != nil || again.Motion != m || !reflect.DeepEqual(again.Board, p.Board) {
			t.Errorf("%s: read again as %+v, %v; want the motion %+v", name, again, err, m)
		}
		solvetest.OK(t, os.WriteFile(file, []byte("[motion]\ngain = -1\n"), 0o644))
		if _, err := Load(name); err == nil || !strings.Contains(err.Error(), MotionFile) || !strings.Contains(err.Error(), "motion.gain is -1") {
			t.Errorf("%s with a broken file: %v", name, err)
		}
	}
	if names := Names(); !slices.Contains(names, "witness-challenge") {
		t.Errorf("names are %v", names)
	}
}
