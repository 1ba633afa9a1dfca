package session

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/misuse"
)

// mostFailures bounds what all runs together leave on the disk without being asked: 50
// frames of 1920×1080 are some 100 MB.
const mostFailures = 50

// failuresRoot is the folder of all runs' failures.
func failuresRoot() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("failures: no cache folder: %w", err)
	}
	return filepath.Join(dir, "onlooker", "failures"), nil
}

// keepFailure keeps a failing Turn in a folder in the user's cache that is named by the time of its
// run, and gives its record's name.
func keepFailure(t *see.Turn, run time.Time) (name string, err error) {
	root, err := failuresRoot()
	if err == nil {
		_, err = trim(root, mostFailures-1)
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

// tellFailures tells how many failures are kept and where, or clears them.
func tellFailures(to io.Writer, how string) error {
	root, err := failuresRoot()
	if err != nil {
		return err
	}
	switch how {
	case "list":
		all, err := records(root)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(to, "%d kept failures in %s (at most %d; --failures clear takes them away)\n", len(all), root, mostFailures)
		return err
	case "clear":
		taken, err := trim(root, 0)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(to, "%d kept failures cleared from %s\n", taken, root)
		return err
	}
	return misuse.Errorf("--failures %q, want list or clear", how)
}
