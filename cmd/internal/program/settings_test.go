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
		return program.Root("onlooker", program.ReadSettings, program.NewConfig(p), solving.NewSolve(p), session.New(session.Options{Program: p}))
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
		{"for all commands", "limit = 1\n", []string{"config", "solve"}, 0, "solve --limit 1 (config.toml)"},
		{"of one command", "[watch]\nwindow = \"Witness\"\n", []string{"config"}, 0, "watch --window Witness (config.toml)"},
		{"a command's wins over all", "timeout = 7\n[solve]\ntimeout = 3\n", []string{"config", "solve"}, 0, "solve --timeout 3 (config.toml)"},
		{"the others have that of all", "timeout = 7\n[solve]\ntimeout = 3\n", []string{"config", "watch"}, 0, "watch --timeout 7 (config.toml)"},
		{"what is not set", "", []string{"config", "watch"}, 0, "watch --timeout 30s (default)"},
		{"the mouse is no setting", "[watch]\ndrive = true\n", []string{"solve", "A.A"}, 1, "[watch] drive: can be given on the command line only"},
		{"nor is consent", "yes = true\n", []string{"solve", "A.A"}, 1, "yes: can be given on the command line only"},
		{"a mistyped flag", "[solve]\ntimeot = 3\n", []string{"solve", "A.A"}, 1, "[solve] timeot: no such flag, did you mean --timeout?"},
		{"a mistyped command", "[solv]\ntimeout = 3\n", []string{"solve", "A.A"}, 1, "[solv]: no such command, did you mean solve?"},
		{"a wrong value", "[solve]\ntimeout = \"soon\"\n", []string{"solve", "A.A"}, 1, `"soon" is no value for --timeout of solve`},
		{"a list", "window = [\"a\"]\n", []string{"solve", "A.A"}, 1, "window: want a word in quotes, a number, true or false"},
		{"config names what is wrong, and tells the rest", "nosuch = 1\n[solve]\ntimeout = 3\n", []string{"config"}, 0, "nosuch: no such flag"},
		{"the rest", "nosuch = 1\n[solve]\ntimeout = 3\n", []string{"config"}, 0, "solve --timeout 3 (config.toml)"},
		{"no TOML", "a == 1\n", []string{"solve", "A.A"}, 1, "line 1, column 4"},
		{"no command", "", []string{"config", "solv"}, 2, "did you mean solve?"},
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

// TestSettingHolds has a setting do what its flag does, and a flag win over it.
func TestSettingHolds(t *testing.T) {
	settle(t, "json = true\n")
	for _, row := range []struct {
		args []string
		json bool
	}{
		{[]string{"solve", "--no-store", "grid 3x1 / *o*"}, true},
		{[]string{"solve", "--no-store", "--json=false", "grid 3x1 / *o*"}, false},
	} {
		var out, errOut bytes.Buffer
		if status := run(t.Context(), row.args, strings.NewReader(""), &out, &errOut); status != 0 {
			t.Fatalf("%v: %d, %s", row.args, status, errOut.String())
		}
		solvetest.Same(t, strings.HasPrefix(out.String(), "{"), row.json, "%v prints %q", row.args, out.String())
	}
}
