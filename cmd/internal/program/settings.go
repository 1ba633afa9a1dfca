package program

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"onlooker/cmd/internal/cli"
)

// settings are those of the file, and where that is.
type settings struct {
	file   string
	values map[key]string
}

// A key is a flag, and the command that it is set for; "" is every command that has it.
type key struct{ command, flag string }

// SettingsFile is config.toml in onlooker's configuration folder.
func SettingsFile() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("settings: %w", err)
	}
	return filepath.Join(dir, "onlooker", "config.toml"), nil
}

// spokenOnly are flags that no file may set: they move the mouse, or are no settings.
func spokenOnly() []string { return []string{"drive", "yes", "help", "version"} }

// ReadSettings puts the user's settings to a command that is to run.
func ReadSettings(c *cobra.Command) error {
	if c.Name() == "config" { // which tells what is wrong with them
		return nil
	}
	s, err := readSettings(c.Root())
	if err != nil {
		return err
	}
	return s.Apply(c)
}

// readSettings reads the file; one that is not there sets nothing. With an error of what it says comes
// what holds beside that.
func readSettings(root *cobra.Command) (*settings, error) {
	file, err := SettingsFile()
	if err != nil {
		return &settings{}, nil // without a home there is no file either
	}
	s := &settings{file, map[key]string{}}
	data, err := cli.ReadOwn(file)
	if _, lost := err.(*fs.PathError); lost {
		return s, nil // a home that takes and gives nothing costs no answer
	}
	if err != nil {
		return nil, fmt.Errorf("settings: %w", err)
	}
	if err := s.parse(data, root); err != nil {
		return s, fmt.Errorf("%s: %w", file, err)
	}
	return s, nil
}

// parse takes a file apart: values for all commands first, then a table for each command.
func (s *settings) parse(data []byte, root *cobra.Command) error {
	var all map[string]any
	if err := toml.Unmarshal(data, &all); err != nil {
		var at *toml.DecodeError
		if errors.As(err, &at) {
			line, column := at.Position()
			return fmt.Errorf("line %d, column %d: %s", line, column, strings.TrimPrefix(at.Error(), "toml: "))
		}
		return err
	}
	var wrong error
	for _, name := range slices.Sorted(maps.Keys(all)) {
		table, ok := all[name].(map[string]any)
		command, where, those := "", "", root.Commands()
		if !ok {
			table = map[string]any{name: all[name]}
		} else if c := commandOf(root, name); c != nil {
			command, where, those = name, "["+name+"] ", []*cobra.Command{c}
		} else {
			wrong = errors.Join(wrong, fmt.Errorf("[%s]: no such command%s", name, cli.Meant(root.SuggestionsFor(name))))
			continue
		}
		for _, flag := range slices.Sorted(maps.Keys(table)) {
			if err := s.add(key{command, flag}, those, table[flag]); err != nil {
				wrong = errors.Join(wrong, fmt.Errorf("%s%s: %w", where, flag, err))
			}
		}
	}
	return wrong
}

func commandOf(root *cobra.Command, name string) *cobra.Command {
	for _, c := range root.Commands() {
		if c.Name() == name {
			return c
		}
	}
	return nil
}

// add takes one value, for some commands. Whether it is right is told for all of them at once, here.
func (s *settings) add(to key, those []*cobra.Command, value any) error {
	switch value.(type) {
	case string, int64, float64, bool:
	default:
		return errors.New("want a word in quotes, a number, true or false")
	}
	if slices.Contains(spokenOnly(), to.flag) {
		return errors.New("can be given on the command line only")
	}
	text := fmt.Sprint(value)
	var near []string
	for _, one := range those {
		flags := flagsOf(one)
		f := flags.Lookup(to.flag)
		if f == nil {
			near = append(near, cli.NearFlags(flags, to.flag)...)
			continue
		}
		was := f.Value.String()
		if err := f.Value.Set(text); err != nil {
			return fmt.Errorf("%q is no value for --%s of %s", text, to.flag, one.Name())
		}
		if err := f.Value.Set(was); err != nil {
			return err
		}
		s.values[to] = text
	}
	if _, known := s.values[to]; !known {
		slices.Sort(near)
		return fmt.Errorf("no such flag%s", cli.Meant(slices.Compact(near)))
	}
	return nil
}

// flagsOf are all flags of a command.
func flagsOf(c *cobra.Command) *pflag.FlagSet {
	_ = c.InheritedFlags() // joins those of the program to the command's own
	return c.Flags()
}

// of is what the file says of a command's flag.
func (s *settings) of(command, flag string) (value string, there bool) {
	if value, there = s.values[key{command, flag}]; !there {
		value, there = s.values[key{"", flag}]
	}
	return value, there
}

// Apply puts the file's values in the place of a command's defaults: what the command
// line says wins over them, and what a record says, too.
func (s *settings) Apply(c *cobra.Command) error {
	var broken error
	flagsOf(c).VisitAll(func(f *pflag.Flag) {
		value, there := s.of(c.Name(), f.Name)
		if !there || f.Changed || broken != nil {
			return
		}
		if err := f.Value.Set(value); err != nil {
			broken = fmt.Errorf("%s: %s: %w", s.file, f.Name, err)
			return
		}
		f.DefValue = value
	})
	return broken
}

// A flagValue is a flag's value and where it comes from, as config prints it.
type flagValue struct {
	Command string `json:"command"`
	Flag    string `json:"flag"`
	Value   string `json:"value"`
	From    string `json:"from"` // "default" or the file
}

// A configCommand is what config is asked for.
type configCommand struct {
	*Program
	json bool
}

// NewConfig is the command that shows which settings hold.
func NewConfig(p *Program) *cobra.Command {
	o := configCommand{Program: p}
	c := &cobra.Command{
		Use:   "config [COMMAND]",
		Short: "Show which settings hold, and where they come from",
		Long: `Show which settings hold, and where they come from: of one command all, without
one those that the settings file sets. The file is config.toml in onlooker's
configuration folder; a flag on the command line wins over it. It may set every
flag but --drive and --yes, for all commands first, then for one:

  profile = "auto"
  memory = "1GiB"
  [watch]
  window = "Witness"
  overlay = true
  [solve]
  timeout = 5`,
		Example: `  onlooker config
  onlooker config watch`,
		Args: cli.Takes(1),
	}
	c.RunE = Runs(func(_ context.Context, args []string) error { return o.run(c.Root(), args) })
	c.Flags().BoolVar(&o.json, "json", false, "print a JSON object for each flag")
	return c
}

func (o *configCommand) run(root *cobra.Command, args []string) error {
	s, err := readSettings(root)
	if err != nil && s == nil {
		return err
	}
	if err != nil { // what is wrong is named, and skipped
		fmt.Fprintf(o.Err, "onlooker: %s\n", cli.OneLine(err.Error()))
	}
	those := root.Commands()
	if len(args) == 1 {
		one := commandOf(root, args[0])
		if one == nil {
			return cli.Misusef("no command %q%s", args[0], cli.Meant(root.SuggestionsFor(args[0])))
		}
		those = []*cobra.Command{one}
	}
	if !o.json {
		state := ""
		if _, err := os.Stat(s.file); err != nil {
			state = " (not there: everything is at its default)"
		}
		fmt.Fprintf(o.Out, "settings file: %s%s\n", s.file, state)
	}
	for _, c := range those {
		if err := o.print(s, c, len(args) == 1); err != nil {
			return err
		}
	}
	return nil
}

// print prints the flags of a command: all of them, or those that the file sets.
func (o *configCommand) print(s *settings, c *cobra.Command, all bool) (broken error) {
	if c.Hidden || c.Name() == "help" || c.Name() == "completion" {
		return nil
	}
	flagsOf(c).VisitAll(func(f *pflag.Flag) {
		is := flagValue{c.Name(), f.Name, f.DefValue, "default"}
		if value, there := s.of(c.Name(), f.Name); there {
			is.Value, is.From = value, s.file
		}
		switch {
		case f.Hidden || slices.Contains(spokenOnly(), f.Name) || is.From == "default" && !all:
		case o.json:
			broken = cmp.Or(broken, cli.WriteJSON(o.Out, is))
		default:
			fmt.Fprintf(o.Out, "%s --%s %s (%s)\n", is.Command, is.Flag, cmp.Or(is.Value, `""`), filepath.Base(is.From))
		}
	})
	return broken
}
