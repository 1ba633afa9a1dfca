package calibrate

import (
	"errors"
	"fmt"
	"image"
	"path/filepath"
	"regexp"
	"slices"

	"onlooker/calibrations"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/cli"
	panels "onlooker/solve/witness"
	"onlooker/vision/witness/learn"
)

// lookName is what looks may be called.
var lookName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)

// Keep adds a board that somebody put right to one of the user's own looks, or begins one, and
// says what was learned. A board by which nothing can be learned yet is kept for the next one;
// one that contradicts what somebody said of another is not.
func (a *Calibrator) Keep(r see.Reading, frame *image.RGBA, name string) (said string, err error) {
	folder, err := calibrations.UserFolder()
	switch {
	case err != nil:
		return "", err
	case !lookName.MatchString(name):
		return "", fmt.Errorf("%q is no name for a look, want at most 40 of a to z, 0 to 9 and -", name)
	case slices.Contains(calibrations.Names(), name) && !there(filepath.Join(folder, name)):
		return "", fmt.Errorf("there is a look %s already that is none of yours: choose another name", name)
	}
	folder = filepath.Join(folder, name)
	quad := r.Board.Quad
	one := shot{name: "this picture", frame: frame, boards: []boardTruth{{r.Puzzle, &quad}}}
	n := 0
	if r.Game.Name == panels.Family.Name {
		var c *learn.Calibration
		if c, err = a.learn(folder, []shot{one}, true); err == nil {
			n, err = readBoards(c), writeProfile(folder, c)
		}
	} else {
		var look *calibrations.Profile
		var all []shot
		if look, all, n, _, err = a.learnCells(r.Game, folder, []shot{one}, true); err == nil {
			err = writeCells(folder, look, all, n)
		}
	}
	switch wrong := (*learn.Misreading)(nil); {
	case err == nil:
		return fmt.Sprintf("learned: %s of this look, %s", cli.Counted(n, "board"), name), nil
	case errors.As(err, &wrong) && wrong.Told:
		return "", wrong
	}
	before, unread := kept(r.Game.Family, folder)
	if unread != nil {
		return "", unread
	}
	if keeping := one.begin(folder); keeping != nil {
		return "", keeping
	}
	return fmt.Sprintf("kept with %d more of this look, %s; nothing is learned from them yet: %v", len(before), name, err), nil
}
