// Command onlooker looks at a puzzle on the screen, works out the answer, and
// shows it.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"onlooker/calibrations"
	"onlooker/capture"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/convert"
	"onlooker/cmd/internal/doctor"
	"onlooker/cmd/internal/games"
	"onlooker/cmd/internal/practice"
	"onlooker/cmd/internal/program"
	"onlooker/cmd/internal/session"
	"onlooker/cmd/internal/solving"
	"onlooker/cmd/internal/web"
)

func main() {
	if program.IsGuardian(os.Args) {
		if err := program.BeGuardian(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintf(os.Stderr, "onlooker: %s\n", cli.Plainly(err))
			os.Exit(1)
		}
		return
	}
	program.LeaveGarbage() // until the process ends
	args, ownWindow := prepare(os.Args[1:])
	if ownWindow {
		os.Exit(inWindow(args, os.Stdin, os.Stdout, os.Stderr))
	}
	ctx, stop := signal.NotifyContext(context.Background(), program.Endings()...)
	context.AfterFunc(ctx, func() { insist(time.After(patience), os.Stderr, os.Exit) })
	p := program.New(games.All(os.Stderr), os.Stdin, os.Stdout, os.Stderr)
	p.Again = true
	code := p.Execute(ctx, args, newRoot)
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

// run is the program, and gives its exit status.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	return program.New(games.All(errOut), in, out, errOut).Execute(ctx, args, newRoot)
}

func newRoot(p *program.Program) *cobra.Command {
	root := program.Root("onlooker", program.ReadSettings,
		newRead(p), solving.NewSolve(p), solving.NewCheck(p), convert.New(p), session.New(session.Options{Program: p, Serve: func(address string) (*web.LiveView, func() error, error) { return serve(p, address) }}), newServe(p), newPractice(p),
		solving.NewBatch(p), convert.NewGenerate(p), newExport(p), newImport(p), newCalibrate(p), newDoctor(p), newGames(p), newVersion(p), newMan(),
	)
	root.Short = "Sees a puzzle, works out the answer, and shows it"
	root.Long = `onlooker sees a puzzle on the screen or in a picture, works out the answer,
and shows it or draws it with the mouse. "onlooker completion bash" prints what
completes it in a shell, "onlooker man FOLDER" writes its manual pages.`
	root.Example = `  onlooker screenshot.png
  onlooker read screenshot.png
  onlooker solve screenshot.png
  onlooker solve \
    CAUSAigEEgIIBBIAEgQIBxABEgASBAgHEAESAigHEgQIBxABEgASBAgHEAISABICCAMSAigE_0
  onlooker watch`
	root.Version = version
	root.Args = cli.KnownCommand
	root.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	root.SetVersionTemplate(versionText())
	completeValues(p, root)
	cli.Help(root)
	return root
}

// newDoctor is the command that says what works. Its try is a drive that submits nothing.
func newDoctor(p *program.Program) *cobra.Command {
	return doctor.New(doctor.Options{Program: p, Keys: []string{session.ArmKey, session.StopKey}, Try: func(ctx context.Context, o *doctor.Options) error {
		return session.Try(ctx, o.Program, o.Screen, o.Profile)
	}})
}

// completeValues completes the values of flags that take one of a few, and the family
// that generate wants.
func completeValues(p *program.Program, root *cobra.Command) {
	few := map[string][]string{
		"family":  p.Games.Names(),
		"rules":   {"game", "windmill", "witnesspuzzles", "sigma", "flowfree", "numberlink"},
		"profile": append([]string{"auto"}, calibrations.Names()...),
		"goal":    p.Games.Goals(),
		"to":      convert.FormatNames(p.Games.List),
		"look":    practice.Looks(),
		"serve":   {"lan", "8080"},
	}
	var parts []string
	for _, part := range practice.Parts() {
		parts = append(parts, part.Name)
	}
	few["part"] = parts
	for _, g := range p.Games.List {
		for _, wish := range g.Wishes {
			few["symbols"] = append(few["symbols"], wish.Name+"=")
		}
	}
	for _, c := range root.Commands() {
		if c.Flags().Lookup("window") != nil {
			_ = c.RegisterFlagCompletionFunc("window", func(c *cobra.Command, _ []string, _ string) (titles []string, _ cobra.ShellCompDirective) {
				open, _ := capture.Windows(c.Context()) // none where there are none
				for _, w := range open {
					titles = append(titles, w.Title)
				}
				return titles, cobra.ShellCompDirectiveNoFileComp
			})
		}
		for name, values := range few {
			if c.Name() == "calibrate" && name == "profile" || c.Flags().Lookup(name) == nil {
				continue
			}
			// Only a flag that is not there, or has one already, is an error.
			_ = c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(slices.Clone(values), cobra.ShellCompDirectiveNoFileComp))
		}
		if c.Name() == "generate" || c.Name() == "games" {
			c.ValidArgsFunction = cobra.FixedCompletions(p.Games.Names(), cobra.ShellCompDirectiveNoFileComp)
		}
	}
}
