// Package program is what every command of onlooker has: the games, the streams, the
// user's store, and the ways in which a command ends.
package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/store"
	"onlooker/input"
)

// Stream is the name of standard output, as of standard input.
const Stream = "-"

// A Program is what every command has.
type Program struct {
	Games    *intake.Games
	In       io.Reader
	Out, Err io.Writer
	Again    bool // the process can be started again, as its own guardian: it is no test
	// Quiet is how long something is worked on before a terminal is told of it; 0: a second.
	Quiet time.Duration
}

// New is a program that plays games.
func New(games []see.Game, in io.Reader, out, errOut io.Writer) *Program {
	return &Program{In: in, Out: out, Err: errOut, Games: &intake.Games{List: games, Unread: func(why error) {
		fmt.Fprintf(errOut, "onlooker: %s; going on without your own looks\n", cli.Plainly(why))
	}}}
}

// ErrFailed ends a command whose errors were told already, line by line.
var ErrFailed = errors.New("failed")

// ErrUnconfirmed ends a drive whose answers were entered as a whole, and of which the client did
// not show that it took all of them: exit status 3.
var ErrUnconfirmed = errors.New("entered, not confirmed: the client does not show that it took the answer")

// A runError comes from a command itself, not from its command line.
type runError struct{ error }

func (e runError) Unwrap() error { return e.error }

// Runs adapts a command's function to cobra.
func Runs(f func(ctx context.Context, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		if err := f(c.Context(), args); err != nil {
			return runError{err}
		}
		return nil
	}
}

// Execute runs a command line with the commands of a root: 0 when all went well, 1 after a
// failure, 2 when it was used wrongly, 3 when an answer was entered and the client does not
// show that it took it.
func (p *Program) Execute(ctx context.Context, args []string, root func(*Program) *cobra.Command) int {
	out := &cli.Sink{Writer: p.Out}
	p.Out = out
	r := root(p)
	r.SetArgs(cli.Solving(r, args))
	r.SetIn(p.In)
	r.SetOut(p.Out)
	r.SetErr(p.Err)
	c, err := r.ExecuteContextC(ctx)
	if broken := out.Broken(); broken != nil {
		err = runError{broken}
	}
	if err == nil {
		return 0
	}
	if !errors.As(err, new(runError)) {
		// cobra's own errors come before a command runs.
		err = cli.Misusef("%w", err)
	}
	switch {
	case errors.As(err, new(cli.Misuse)):
		help := "onlooker help"
		if c != nil && c != r && c.Name() != "help" {
			help += strings.TrimPrefix(c.CommandPath(), r.Name())
		}
		fmt.Fprintf(p.Err, "onlooker: %s (see %s)\n", cli.Plainly(err), help)
		return 2
	case !errors.Is(err, ErrFailed):
		fmt.Fprintf(p.Err, "onlooker: %s\n", cli.Plainly(err))
	}
	if errors.Is(err, ErrUnconfirmed) {
		return 3
	}
	return 1
}

// Root is a root with the flags that every command has. ready readies a command that is to
// run.
func Root(use string, ready func(*cobra.Command) error, commands ...*cobra.Command) *cobra.Command {
	root := &cobra.Command{Use: use, SilenceErrors: true, SilenceUsage: true}
	root.SetFlagErrorFunc(cli.WrongFlag)
	root.SuggestionsMinimumDistance = cli.NearLetters
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), "FlagUsages |", fmt.Sprintf("FlagUsagesWrapped %d |", cli.HelpColumns)))
	root.CompletionOptions.HiddenDefaultCmd = true
	memory := defaultMemory
	root.PersistentFlags().Var(&memory, "memory", "give up on what takes more memory than this `SIZE`, as in 512MiB or 4GiB")
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		if err := ready(c); err != nil {
			return runError{err}
		}
		c.SetContext(memory.Bound(c.Context()))
		return nil
	}
	root.AddCommand(commands...)
	return root
}

// Guard is a device with a guardian, where the process can be started as one.
func (p *Program) Guard(ctx context.Context, device input.Device) (guarded input.Device, closer func(), err error) {
	if !p.Again {
		return device, func() {}, nil
	}
	return startGuardian(ctx, device)
}

// Spare refuses to write to a file that is one of the inputs, or the store: the
// user's or the one that is named, "" where none is.
func (p *Program) Spare(output, kept string, inputs ...string) error {
	to, err := os.Stat(output)
	if err != nil || !to.Mode().IsRegular() {
		return nil // there is nothing to lose
	}
	same := func(name string) bool {
		info, err := os.Stat(name)
		if in, ok := p.In.(*os.File); ok && name == "-" {
			info, err = in.Stat()
		}
		return err == nil && os.SameFile(to, info)
	}
	for _, name := range inputs {
		if same(name) {
			return cli.Misusef("%s: is an input itself, and would be lost; name another file", output)
		}
	}
	stores := []string{kept}
	if own, err := store.DefaultPath(); err == nil {
		stores = append(stores, own)
	}
	for _, name := range stores {
		if same(name) || same(name+"-wal") || same(name+"-shm") {
			return cli.Misusef("%s: is the store, and would be lost; name another file", output)
		}
	}
	return nil
}

// SpareAll is Spare for inputs as they come, and gives them again. Where there is
// something to lose all are looked at before the first is worked on.
func (p *Program) SpareAll(output string, inputs iter.Seq2[string, error]) (iter.Seq2[string, error], error) {
	if _, err := os.Stat(output); err != nil {
		return inputs, nil
	}
	var names []string
	var broken error
	for name, err := range inputs {
		if broken = err; err != nil {
			break
		}
		names = append(names, name)
	}
	if err := p.Spare(output, "", names...); err != nil {
		return nil, err
	}
	return func(yield func(string, error) bool) {
		for _, name := range names {
			if !yield(name, nil) {
				return
			}
		}
		if broken != nil {
			yield("", broken)
		}
	}, nil
}

// StoreFlags say whether puzzles are kept, and where.
type StoreFlags struct {
	None bool
	File string
}

// Register adds both flags.
func (f *StoreFlags) Register(c *cobra.Command) {
	c.Flags().BoolVar(&f.None, "no-store", false, "neither look puzzles up in the store nor keep them there")
	f.RegisterFile(c)
}

// RegisterFile adds the one that says where.
func (f *StoreFlags) RegisterFile(c *cobra.Command) {
	c.Flags().StringVar(&f.File, "store", "", "the store's `FILE` (default: store.sqlite in onlooker's folder of the user's data)")
}

// Path is the store's file.
func (f *StoreFlags) Path() (string, error) {
	if f.File != "" {
		return f.File, nil
	}
	return store.DefaultPath()
}

// Service answers with the user's store, unless that is not wanted; the caller
// closes the store.
func (p *Program) Service(f StoreFlags) (service *answer.Service, closer func()) {
	service = &answer.Service{Version: SolverVersion()}
	if f.None {
		return service, func() {}
	}
	keeper := p.Keeper(f)
	service.Memory = keeper
	return service, keeper.Close
}

// mostKept is the largest board that is kept, in half-cells: that of a larger
// one takes megabytes, and longer to look up than to solve.
const mostKept = cli.MostDrawn

// Keeper is the store, which is opened when it is first used.
func (p *Program) Keeper(f StoreFlags) *answer.Keeper {
	return &answer.Keeper{Path: f.Path, Most: mostKept, Tell: func(err error, without bool) {
		end := ""
		if without {
			end = "; going on without it"
		}
		fmt.Fprintf(p.Err, "onlooker: %s%s\n", cli.Plainly(err), end)
	}}
}

// SolverVersion is what answers are marked with. A program that was built
// without a version is told from others by when it was built.
func SolverVersion() string {
	version := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				version += " " + s.Value
			}
			if s.Key == "vcs.modified" && s.Value == "true" {
				version += "+"
			}
		}
	}
	if version != "" && version != "(devel)" && version[len(version)-1] != '+' {
		return version
	}
	name, err := os.Executable()
	if err == nil {
		var at os.FileInfo
		if at, err = os.Stat(name); err == nil {
			return version + " of " + at.ModTime().UTC().Format(time.RFC3339Nano)
		}
	}
	return version
}
