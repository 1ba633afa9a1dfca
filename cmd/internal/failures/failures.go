// Package failures keeps what a run could not read or answer, where nobody asked for it to
// be kept, and has the command that tells of it.
package failures

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/misuse"
	"onlooker/cmd/internal/program"
)

// most bounds what all runs together leave on the disk without being asked: 50
// frames of 1920×1080 are some 100 MB.
const most = 50

// Root is the folder of all runs' failures.
func Root() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("failures: no cache folder: %w", err)
	}
	return filepath.Join(dir, "onlooker", "failures"), nil
}

// Keep keeps a failing Turn in a folder in the user's cache that is named by the time of its
// run, and gives its record's name.
func Keep(t *see.Turn, run time.Time) (name string, err error) {
	root, err := Root()
	if err == nil {
		_, err = trim(root, most-1)
	}
	if err != nil {
		return "", err
	}
	return t.Keep(filepath.Join(root, run.Format("20060102-150405")))
}

// records are those of all runs, the oldest first: folders are named by their time,
// records by their number.
func records(root string) ([]string, error) {
	all, err := filepath.Glob(filepath.Join(root, "*", "turn-*.json"))
	slices.Sort(all)
	return all, err
}

// trim takes the oldest of what runs left in a folder until at most so many
// frames are there, and tells how many it took. A frame's record goes with it.
func trim(root string, most int) (taken int, err error) {
	all, err := records(root)
	if err != nil {
		return 0, err
	}
	for _, record := range all[:max(0, len(all)-most)] {
		dir, name := filepath.Split(record)
		frame := filepath.Join(dir, "frame-"+strings.TrimSuffix(strings.TrimPrefix(name, "turn-"), ".json")+".png")
		if err := os.Remove(record); err != nil {
			return taken, fmt.Errorf("failures: %w", err)
		}
		if err := os.Remove(frame); err != nil && !errors.Is(err, os.ErrNotExist) {
			return taken, fmt.Errorf("failures: %w", err)
		}
		taken++
		_ = os.Remove(dir) // where it was the folder's last
	}
	return taken, nil
}

// New is the command that tells of kept failures, and clears them.
func New(p *program.Program) *cobra.Command {
	var clear bool
	c := &cobra.Command{
		Use:   "failures",
		Short: "Tell where watch kept what it could not read, or clear it",
		Long: `Tell where watch kept what it could not read, or clear it. Each is a folder: its
frame-*.png is what was seen, its turn-*.json what was made of it. The frames of
six to ten teach onlooker calibrate a look that is not read.`,
		Args: misuse.Takes(0),
		RunE: program.Runs(func(context.Context, []string) error {
			root, err := Root()
			if err != nil {
				return err
			}
			if clear {
				taken, err := trim(root, 0)
				if err == nil {
					_, err = fmt.Fprintf(p.Out, "%d kept failures cleared from %s\n", taken, root)
				}
				return err
			}
			all, err := records(root)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(p.Out, "%d kept failures in %s (at most %d; --clear clears them)\n", len(all), root, most)
			return err
		}),
	}
	c.Flags().BoolVar(&clear, "clear", false, "take them away")
	return c
}
