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

	"onlooker/cmd/internal/agent/drive"
	"onlooker/cmd/internal/agent/enter"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/store"
)

// A log writes down what a session has seen and done: in a folder all of it, where that is
// asked for, and else what failed; and in the store.
type log struct {
	deaf
	*Options
	service *answer.Service // keeps the puzzles that are seen
	close   func()          // waits until all is kept
	began   time.Time
	unkept  bool // it was told that failing Turns cannot be kept
}

// newLog keeps no puzzles where a run is only replayed.
func (o *Options) newLog() *log {
	l, flags := &log{Options: o, began: time.Now()}, o.StoreFlags
	flags.None = flags.None || o.replay != ""
	l.service, l.close = o.Service(flags)
	return l
}

// News writes a look down: one that failed only where the screen was looked at, and nothing in
// it is a finding.
func (l *log) News(t *see.Turn) error {
	failed := l.failing(t)
	return l.keep(t, failed, failed && t.Frame != nil && !l.still() && !beside(t), t.At)
}

// End writes down what became of an answer.
func (l *log) End(n int, d *drive.Drive) error {
	failed := d.Outcome != enter.Accepted && !l.dryRun && (l.json || !l.try)
	return l.driven(d.Turn(n), failed)
}

// driven writes down what was driven; of a replay it was before.
func (l *log) driven(t *see.Turn, failed bool) error {
	if l.replay != "" {
		return nil
	}
	return l.keep(t, failed, failed, l.began)
}

// keep writes a Turn down: every one with --record, else those that are to be kept, in a folder
// that is named by a time.
func (l *log) keep(t *see.Turn, failed, kept bool, run time.Time) (err error) {
	name := ""
	switch {
	case l.record != "":
		if name, err = t.Keep(l.record); err != nil {
			return err
		}
	case kept:
		name = l.keepFailure(t, run)
	}
	l.remember(t)
	if failed && name != "" {
		fmt.Fprintf(l.Err, "onlooker: kept as %s\n", name)
	}
	return nil
}

// keepFailure keeps a failing Turn of a run without --record. Where that cannot be it is told
// once, and the name is "".
func (l *log) keepFailure(t *see.Turn, run time.Time) (name string) {
	name, err := keepFailure(t, run)
	if err != nil && !l.unkept {
		l.unkept = true
		fmt.Fprintf(l.Err, "onlooker: what could not be read is not kept: %s\n", cli.Plainly(err))
	}
	return name
}

// remember keeps the puzzles of a Turn that are new.
func (l *log) remember(t *see.Turn) {
	place := l.Window
	if place == "" {
		place = fmt.Sprintf("display %d", l.Display)
	}
	for i := range t.Boards {
		if b := &t.Boards[i]; b.New && b.Puzzle != nil && b.Text != "" {
			took := time.Duration(b.Millis["solve"] * float64(time.Millisecond))
			l.service.Begin(l.service.News(b.Game.Name, b.Puzzle, &answer.Result{Answer: b.Answer, Err: b.Failed, Took: took},
				store.Origin{Source: store.Screen, Place: place, First: t.At, Last: t.At, Times: 1}))
		}
	}
}

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
	return cli.Misusef("--failures %q, want list or clear", how)
}
