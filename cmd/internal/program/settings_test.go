package program_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"onlooker/cmd/internal/games"
	"onlooker/cmd/internal/program"
	"onlooker/cmd/internal/session"
	"onlooker/cmd/internal/solving"
	"onlooker/solve/solvetest"
)

// run runs a command line under the user's settings.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	return program.New(games.Of(), in, out, errOut).Execute(ctx, args, func(p *program.Program) *cobra.Command {
		return program.Root("onlooker", program.ReadSettings, solving.NewSolve(p), session.New(session.Options{Program: p}))
	})
}

// settle writes a settings file into a home of the test's own.
func settle(t *testing.T, text string) (file string) {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "config"))
	t.Setenv("AppData", filepath.Join(home, "config"))
	file = solvetest.Must(program.SettingsFile())(t)
	solvetest.OK(t, os.MkdirAll(filepath.Dir(file), 0o755))
	solvetest.OK(t, os.WriteFile(file, []byte(text), 0o644))
	return file
}

func TestSettingsFile(t *testing.T) {
	for _, row := range []struct {
		why, file string
		args      []string
		status    int
		want      string
	}{
		{"the mouse is no setting", "[watch]\ndrive = true\n", []string{"solve", "A.A"}, 1, "[watch] drive: can be given on the command line only"},
		{"nor is consent", "yes = true\n", []string{"solve", "A.A"}, 1, "yes: can be given on the command line only"},
		{"a mistyped flag", "[solve]\ntimeot = 3\n", []string{"solve", "A.A"}, 1, "[solve] timeot: no such flag, did you mean --timeout?"},
		{"a mistyped command", "[solv]\ntimeout = 3\n", []string{"solve", "A.A"}, 1, "[solv]: no such command, did you mean solve?"},
		{"a wrong value", "[solve]\ntimeout = \"soon\"\n", []string{"solve", "A.A"}, 1, `"soon" is no value for --timeout of solve`},
		{"a list", "window = [\"a\"]\n", []string{"solve", "A.A"}, 1, "window: want a word in quotes, a number, true or false"},
		{"no TOML", "a == 1\n", []string{"solve", "A.A"}, 1, "line 1, column 4"},
	} {
		file := settle(t, row.file)
		var out bytes.Buffer
		status := run(t.Context(), row.args, strings.NewReader(""), &out, &out)
		if status != row.status || !strings.Contains(out.String(), row.want) {
			t.Errorf("%s: %v ends with %d and says %q, want %d and %q", row.why, row.args, status, out.String(), row.status, row.want)
		}
		if row.status == 1 && !strings.Contains(out.String(), file) {
			t.Errorf("%s: %q does not name %s", row.why, out.String(), file)
		}
	}
}

// TestSettingHolds has a setting do what its flag does; one of the command wins over one of all,
// and a flag over both.
func TestSettingHolds(t *testing.T) {
	for _, row := range []struct {
		file string
		args []string
		json bool
	}{
		{"json = true\n", nil, true},
		{"json = true\n", []string{"--json=false"}, false},
		{"[solve]\njson = true\n", nil, true},
		{"[watch]\njson = true\n", nil, false},
		{"json = true\n[solve]\njson = false\n", nil, false},
	} {
		settle(t, row.file)
		var out, errOut bytes.Buffer
		args := append([]string{"solve", "--no-store", "grid 3x1 / *o*"}, row.args...)
		if status := run(t.Context(), args, strings.NewReader(""), &out, &errOut); status != 0 {
			t.Fatalf("%v: %d, %s", row.args, status, errOut.String())
		}
		solvetest.Same(t, strings.HasPrefix(out.String(), "{"), row.json, "%q, %v prints %q", row.file, row.args, out.String())
	}
}
