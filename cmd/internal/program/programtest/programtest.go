// Package programtest runs command lines in tests.
package programtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"onlooker/cmd/internal/games"
	"onlooker/cmd/internal/program"
)

// A Shell makes the root under which command lines are run.
type Shell func(*program.Program) *cobra.Command

// Of is a shell that knows these commands alone.
func Of(commands ...func(*program.Program) *cobra.Command) Shell {
	return func(p *program.Program) *cobra.Command {
		root := program.Root("onlooker", func(*cobra.Command) error { return nil })
		for _, c := range commands {
			root.AddCommand(c(p))
		}
		return root
	}
}

// Run runs a command line and returns what it printed.
func (s Shell) Run(t *testing.T, in string, args ...string) (out, errOut string, status int) {
	t.Helper()
	var o, e bytes.Buffer
	status = program.New(games.All(&e), strings.NewReader(in), &o, &e).Execute(t.Context(), args, s)
	return o.String(), e.String(), status
}

// Want runs a command line and fails where it fails.
func (s Shell) Want(t *testing.T, in string, args ...string) string {
	t.Helper()
	out, errOut, status := s.Run(t, in, args...)
	if status != 0 {
		t.Fatalf("onlooker %s: status %d: %s%s\n%s", strings.Join(args, " "), status, out, errOut, in)
	}
	return out
}

// Lines are the lines of JSON that were printed.
func Lines[Line any](t *testing.T, text string) (all []Line) {
	t.Helper()
	for line := range strings.Lines(text) {
		var one Line
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		all = append(all, one)
	}
	return all
}

// Main runs a package's tests out of the user's store, with the programs that they start.
func Main(m *testing.M) {
	dir, err := os.MkdirTemp("", "onlooker-data-")
	for _, name := range []string{"XDG_DATA_HOME", "LocalAppData"} {
		if err == nil {
			err = os.Setenv(name, dir)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}
