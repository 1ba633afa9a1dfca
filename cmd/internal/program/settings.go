package program

import (
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

// ReadSettings puts the user's settings to a command that is to run; a file that is not there
// sets nothing.
func ReadSettings(c *cobra.Command) error {
	file, err := SettingsFile()
	if err != nil {
		return nil // without a home there is no file either
	}
	s := &settings{file, map[key]string{}}
	data, err := cli.ReadOwn(file)
	if _, lost := err.(*fs.PathError); lost {
		return nil // a home that takes and gives nothing costs no answer
	}
	if err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	if err := s.parse(data, c.Root()); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return s.apply(c)
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

// apply puts the file's values in the place of a command's defaults: what the command
// line says wins over them, and what a record says, too.
func (s *settings) apply(c *cobra.Command) error {
	var broken error
	flagsOf(c).VisitAll(func(f *pflag.Flag) {
		value, there := s.values[key{c.Name(), f.Name}]
		if !there {
			value, there = s.values[key{"", f.Name}]
		}
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
