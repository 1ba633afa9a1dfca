package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/spf13/pflag"

	"onlooker/cmd/internal/whole"
	"onlooker/solve"
)

// keptName is the file of a run's flags in the folder that --record names.
const keptName = "run.json"

// keptFlags are those that a run depends on besides what it sees.
func keptFlags() []string {
	return []string{"drive", "dry-run", "profile", "goal", "timeout", "solves", "patience", "next-key", "back-key", "turn-key", "turn-back-key"}
}

// keepFlags writes the flags of a run beside its record.
func keepFlags(flags *pflag.FlagSet, folder string) error {
	values := map[string]string{}
	for _, name := range keptFlags() {
		values[name] = flags.Lookup(name).Value.String()
	}
	data, err := json.MarshalIndent(values, "", "  ")
	if err == nil {
		err = os.MkdirAll(folder, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, keptName), append(data, '\n'), 0o644)
	}
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	return nil
}

// takeFlags sets the flags that a record was kept with, where the command line
// says nothing else. A folder of pictures alone has none.
func takeFlags(flags *pflag.FlagSet, folder string) error {
	data, err := whole.Own(filepath.Join(folder, keptName))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) { // what is no folder is told later
		return nil
	}
	values := map[string]string{}
	if err == nil {
		err = solve.JSONError(json.Unmarshal(data, &values))
	}
	for _, name := range keptFlags() {
		if value, kept := values[name]; err == nil && kept && !flags.Changed(name) {
			err = flags.Set(name, value)
		}
	}
	if err != nil {
		return fmt.Errorf("replay: %s: %w", keptName, err)
	}
	return nil
}
