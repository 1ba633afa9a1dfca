// Command onlooker looks at a puzzle on the screen, works out the answer, and
// shows it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"onlooker/calibrations"
	"onlooker/cmd/internal/guardian"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/misuse"
	"onlooker/cmd/internal/plain"
	"onlooker/cmd/internal/practice"
	"onlooker/cmd/internal/whole"
	"onlooker/input"
)

func main() {
	if guardian.Is(os.Args) {
		if err := guardian.Be(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintf(os.Stderr, "onlooker: %s\n", plain.Plainly(err))
			os.Exit(1)
		}
		return
	}
	leaveGarbage() // until the process ends
	args, ownWindow := prepare(os.Args[1:])
	if ownWindow {
		os.Exit(inWindow(args, os.Stdin, os.Stdout, os.Stderr))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() { insist(time.After(patience), os.Stderr, os.Exit) })
	a := newApp(os.Stdin, os.Stdout, os.Stderr)
	a.again = true
	code := a.run(ctx, args)
	stop()
	os.Exit(code)
}

// patience is how long a command may take to come to its end when it is told to: what it
// has begun to write takes a second at the most.
const patience = 5 * time.Second

// interrupted is the exit status of a program that ended by Ctrl+C, 128 and the signal's
// number, as shells have it.
const interrupted = 130

// insist ends the process when late comes: a picture that is being read is not
// interrupted otherwise.
func insist(late <-chan time.Time, out io.Writer, exit func(status int)) {
	<-late
	fmt.Fprintln(out, "onlooker: ended in the middle of what could not be interrupted")
	exit(interrupted)
}

// An app is what every subcommand needs.
type app struct {
	games    *intake.Games
	in       io.Reader
	out, err io.Writer
	unkept   sync.Once // that failing Turns cannot be kept is told
	again    bool      // the process can be started again, as its own guardian: it is no test
}

func newApp(in io.Reader, out, errOut io.Writer) *app {
	return &app{in: in, out: out, err: errOut, games: &intake.Games{List: games(), Unread: func(why error) {
		fmt.Fprintf(errOut, "onlooker: %s; going on without your own looks\n", plain.Plainly(why))
	}}}
}

// errFailed ends a command whose errors were told already, line by line.
var errFailed = errors.New("failed")

// errUnconfirmed ends a drive whose answers were entered as a whole, and of which the client did
// not show that it took all of them: exit status 3.
var errUnconfirmed = errors.New("entered, not confirmed: the client does not show that it took the answer")

// run is the program: 0 when all went well, 1 after a failure, 2 when it was
// used wrongly, 3 when an answer was entered and the client does not show that it took it.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	return newApp(in, out, errOut).run(ctx, args)
}

func (a *app) run(ctx context.Context, args []string) int {
	out := &whole.Sink{Writer: a.out}
	a.out = out
	root := newRoot(a)
	root.SetArgs(misuse.Solving(root, args))
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	c, err := root.ExecuteContextC(ctx)
	if broken := out.Broken(); broken != nil {
		err = runError{broken}
	}
	if err == nil {
		return 0
	}
	var failed runError
	if !errors.As(err, &failed) {
		// cobra's own errors come before a subcommand runs.
		err = misuse.Errorf("%w", err)
	}
	var usage misuse.Error
	if errors.As(err, &usage) {
		help := "onlooker help"
		if c != nil && c != root {
			help += " " + c.Name()
		}
		fmt.Fprintf(a.err, "onlooker: %s (see %s)\n", plain.Plainly(err), help)
		return 2
	}
	if !errors.Is(err, errFailed) {
		fmt.Fprintf(a.err, "onlooker: %s\n", plain.Plainly(err))
	}
	if errors.Is(err, errUnconfirmed) {
		return 3
	}
	return 1
}

// A runError comes from a subcommand itself, not from its command line.
type runError struct{ error }

func (e runError) Unwrap() error { return e.error }

// runs adapts a subcommand's function to cobra.
func runs(f func(ctx context.Context, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		if err := f(c.Context(), args); err != nil {
			return runError{err}
		}
		return nil
	}
}

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "onlooker",
		Short: "Sees a puzzle, works out the answer, and shows it",
		Long: `onlooker sees a puzzle on the screen or in a picture, works out the answer,
and shows it or draws it with the mouse.`,
		Example: `  onlooker screenshot.png
  onlooker read screenshot.png
  onlooker solve screenshot.png
  onlooker solve \
    CAUSAigEEgIIBBIAEgQIBxABEgASBAgHEAESAigHEgQIBxABEgASBAgHEAISABICCAMSAigE_0
  onlooker watch`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       version,
		Args:          misuse.Known,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetVersionTemplate(versionText())
	root.SetFlagErrorFunc(misuse.WrongFlag)
	root.SuggestionsMinimumDistance = misuse.Near
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), "FlagUsages |", fmt.Sprintf("FlagUsagesWrapped %d |", misuse.Columns)))
	root.CompletionOptions.HiddenDefaultCmd = true
	memory := defaultMemory
	root.PersistentFlags().Var(&memory, "memory", "give up on what takes more memory than this `SIZE`, as in 512MiB or 4GiB")
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		if c.Name() != "config" { // which tells what is wrong with them
			s, err := readSettings(root)
			if err == nil {
				err = s.apply(c)
			}
			if err != nil {
				return runError{err}
			}
		}
		c.SetContext(memory.bound(c.Context()))
		return nil
	}
	root.AddCommand(
		newRead(a), newSolve(a), newCheck(a), newConvert(a), newWatch(a), newServe(a), newPractice(a),
		newBatch(a), newGenerate(a), newExport(a), newImport(a), newCalibrate(a), newDoctor(a), newFailures(a), newConfig(a), newGames(a), newVersion(a), newMan(a),
	)
	a.completeValues(root)
	return root
}

// completeValues completes the values of flags that take one of a few, and the family
// that generate wants.
func (a *app) completeValues(root *cobra.Command) {
	few := map[string][]string{
		"family":  a.games.Names(),
		"rules":   {"game", "windmill", "witnesspuzzles", "flowfree", "numberlink"},
		"profile": append([]string{"auto"}, calibrations.Names()...),
		"goal":    a.games.Goals(),
		"to":      a.formatNames(),
		"look":    practice.Looks(),
		"serve":   {"lan", "8080"},
	}
	for _, c := range root.Commands() {
		for name, values := range few {
			if c.Name() == "calibrate" && name == "profile" || c.Flags().Lookup(name) == nil {
				continue
			}
			if c.Name() == "generate" && name == "to" {
				values = append(slices.Clone(values), "pdf", "sheet")
			}
			// Only a flag that is not there, or has one already, is an error.
			_ = c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(slices.Clone(values), cobra.ShellCompDirectiveNoFileComp))
		}
		if c.Name() == "generate" {
			c.ValidArgsFunction = cobra.FixedCompletions(a.games.Names(), cobra.ShellCompDirectiveNoFileComp)
		}
	}
}

// guard is a device with a guardian, where the process can be started as one.
func (a *app) guard(ctx context.Context, device input.Device) (guarded input.Device, closer func(), err error) {
	if !a.again {
		return device, func() {}, nil
	}
	return guardian.Start(ctx, device)
}
