package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// rounds is how often everything is run: the least of its times counts.
const rounds = 5

// A race is puzzles that the program and another one solve.
type race struct {
	what, folder string
	commands     [2]string // the program's, the other's
	least        [2]time.Duration
}

// peers runs the program and others, of which clones are given, in turns on the same inputs,
// and prints what each takes of processor time, in whole processes. Each line of a file has the
// name of a clone's folder, how it is built there, what is solved, the program's arguments and
// the other's command, for which SHARED and BESIDE are the folders of the truth and of that
// file. It is built in a copy; a clone that is not given is passed over.
func (m *measurer) peers(to io.Writer, file string, clones []string) (err error) {
	program, err := filepath.Abs(m.program.path)
	dir, failed := os.MkdirTemp("", "peers")
	for name, folder := range map[string]string{"SHARED": m.shared, "BESIDE": filepath.Dir(file)} {
		whole, wrong := filepath.Abs(folder)
		err = errors.Join(err, wrong, os.Setenv(name, whole))
	}
	if err := errors.Join(err, failed); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	races := []*race{{what: "start-up", folder: dir, commands: [2]string{program + " version", "true"}}}
	copies := map[string]error{}
	if err := readTSV(file, 5, func(l []string) {
		folder := filepath.Join(dir, l[0])
		if _, known := copies[folder]; !known {
			copies[folder] = errors.New("no clone of it is given")
			for _, clone := range clones {
				if filepath.Base(clone) == l[0] {
					copies[folder] = os.CopyFS(folder, os.DirFS(clone))
					if copies[folder] == nil {
						_, copies[folder] = processorTime(folder, "{ "+l[1]+"; }")
					}
				}
			}
			if copies[folder] != nil {
				fmt.Fprintf(os.Stderr, "%s: left out: %v\n", l[0], copies[folder])
			}
		}
		if copies[folder] == nil {
			races = append(races, &race{what: l[2], folder: folder, commands: [2]string{program + " solve --no-store " + l[3], l[4]}})
		}
	}); err != nil {
		return err
	}
	for range rounds {
		for _, r := range races {
			for i, command := range r.commands {
				took, err := processorTime(r.folder, command)
				if err != nil {
					return fmt.Errorf("%s: %s: %w", r.what, command, err)
				}
				r.least[i] = min(took, cmp.Or(r.least[i], took))
			}
		}
	}
	fmt.Fprint(to, "| what | onlooker | the other | ratio | less onlooker's start-up |\n|---|---|---|---|---|\n")
	for _, r := range races {
		own, other := r.least[0].Seconds(), r.least[1].Seconds()
		fmt.Fprintf(to, "| %s | %.3f s | %.3f s | %.3g | %.3g |\n", r.what, own, other, own/other, (own-races[0].least[0].Seconds())/other)
	}
	return nil
}

// processorTime runs a command whose output nobody reads.
func processorTime(folder, command string) (time.Duration, error) {
	c := exec.Command("sh", "-ec", command+" >/dev/null")
	var complaints strings.Builder
	c.Dir, c.Stderr = folder, &complaints
	if err := c.Run(); err != nil {
		return 0, fmt.Errorf("%w: %s", err, complaints.String())
	}
	return max(time.Microsecond, c.ProcessState.UserTime()+c.ProcessState.SystemTime()), nil
}
