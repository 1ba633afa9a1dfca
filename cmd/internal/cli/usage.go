package cli

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// NearLetters is how many letters a mistyped name may differ in for a name to be proposed.
const NearLetters = 2

// HelpColumns is the width of a terminal that every help fits.
const HelpColumns = 80

// Solving puts "solve" before arguments whose first that is no flag is a file and no
// command: onlooker FILE solves it.
func Solving(root *cobra.Command, args []string) []string {
	for _, arg := range args {
		switch {
		case strings.HasPrefix(arg, "-"):
			continue
		case arg == "help" || strings.HasPrefix(arg, cobra.ShellCompRequestCmd):
			return args
		}
		for _, c := range root.Commands() {
			if c.Name() == arg || c.HasAlias(arg) {
				return args
			}
		}
		if info, err := os.Stat(arg); err == nil && info.Mode().IsRegular() {
			return append([]string{"solve"}, args...)
		}
		return args
	}
	return args
}

// KnownCommand refuses what is neither a command nor a file.
func KnownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("no command or file %q%s", args[0], Meant(c.SuggestionsFor(args[0])))
}

// Takes refuses more arguments than a command takes.
func Takes(most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) <= most:
			return nil
		case most == 0:
			return fmt.Errorf("%s takes no %q: it takes flags alone", c.Name(), args[0])
		}
		return fmt.Errorf("%s takes no %q beside %q", c.Name(), args[most], args[0])
	}
}

// Help has help refuse what is no command, and completion what is no shell.
func Help(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, err := root.Find([]string{"help"})
	if err != nil {
		panic(err) // cobra has just made it
	}
	root.InitDefaultCompletionCmd()
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		for _, shell := range completion.Commands() {
			shell.Args = Takes(0)
		}
		completion.Args = func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return fmt.Errorf("no shell %q, want bash, fish, powershell or zsh", args[0])
		}
		completion.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	}
	show := help.Run
	help.Run, help.RunE = nil, func(c *cobra.Command, args []string) error {
		if found, _, err := root.Find(args); len(args) > 0 && (err != nil || found == root) {
			return fmt.Errorf("no command %q%s", args[0], Meant(root.SuggestionsFor(args[0])))
		}
		show(c, args)
		return nil
	}
}

// Meant proposes names.
func Meant(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return ", did you mean " + strings.Join(names, " or ") + "?"
}

// WrongFlag says what is wrong with a flag in a user's words.
func WrongFlag(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown) && len(unknown.GetSpecifiedName()) > 1:
		name := unknown.GetSpecifiedName()
		names := NearFlags(c.Flags(), name)
		return fmt.Errorf("no flag --%s%s", name, Meant(names))
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		want := ""
		switch f.Value.Type() {
		case "int", "int64", "uint64", "uint":
			want = "a whole number"
		case "float64":
			want = "a number"
		case "bool":
			want = "true or false"
		default:
			return fmt.Errorf("--%s %q: %w", f.Name, invalid.GetValue(), invalid.Unwrap())
		}
		return fmt.Errorf("--%s %q, want %s", f.Name, invalid.GetValue(), want)
	}
	return err
}

// NearFlags are flags whose names are near a mistyped one, as cobra tells it of commands.
func NearFlags(flags *pflag.FlagSet, name string) (names []string) {
	all := &cobra.Command{SuggestionsMinimumDistance: NearLetters}
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			all.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
		}
	})
	for _, near := range all.SuggestionsFor(name) {
		names = append(names, "--"+near)
	}
	return names
}

// A Duration is a flag's: a number alone is seconds.
type Duration struct{ to *time.Duration }

func (d Duration) String() string {
	if d.to == nil {
		return "0s"
	}
	return d.to.String()
}

func (Duration) Type() string { return "seconds" }

func (d Duration) Set(text string) error {
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		const most = 1e9 // thirty years
		if !(-most < n && n < most) {
			return fmt.Errorf("want less than %.0f seconds", most)
		}
		*d.to = time.Duration(n * float64(time.Second))
		return nil
	}
	n, err := time.ParseDuration(text)
	if err != nil {
		return errors.New("want seconds, as in 5 or 0.5, or a unit, as in 2m")
	}
	*d.to = n
	return nil
}

// DurationVar adds a flag of a duration.
func DurationVar(flags *pflag.FlagSet, to *time.Duration, name string, value time.Duration, usage string) {
	*to = value
	flags.Var(Duration{to}, name, usage)
}

// A Misuse is a wrong use of the command line: exit status 2.
type Misuse struct{ error }

// Misusef says what was wrong.
func Misusef(format string, args ...any) error {
	return Misuse{fmt.Errorf(format, args...)}
}

func (e Misuse) Unwrap() error { return e.error }
