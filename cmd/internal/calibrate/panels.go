// Package calibrate learns looks of games from screenshots.
package calibrate

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"onlooker/calibrations"
	"onlooker/cmd/internal/cli"
	"onlooker/solve"
	panels "onlooker/solve/witness"
	witnessboard "onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/vision/witness"
	"onlooker/vision/witness/learn"
)

// Run learns a look of a family, "" for The Witness, into the folder out; truth names
// the file of what the screenshots show, or is empty.
func (a *Calibrator) Run(family, out, truth string, names []string) error {
	if family != "" && family != panels.Family.Name {
		return a.calibrateCells(family, out, truth, names)
	}
	return a.calibrate(out, truth, names)
}

// calibrate writes the profile folder out from screenshots of The Witness, or extends
// the one that is there; truth names the file of what they show, or is empty.
func (a *Calibrator) calibrate(out, truth string, names []string) error {
	shots, err := a.shots(truth, names, "puzzle", func(told json.RawMessage) (solve.Puzzle, error) {
		p, err := forms.DecodeJSON(told)
		if err != nil {
			return nil, err
		}
		return panels.Of(p), nil
	})
	if err != nil {
		return err
	}
	defer a.Progress.Clear()
	c, err := a.learn(out, shots, false)
	if err != nil {
		return fmt.Errorf("nothing written: %w", err)
	}
	a.Progress.Clear()
	if err := writeProfile(out, c); err != nil {
		return err
	}
	fmt.Fprintf(a.Out, "%s: %s in %s read back\n", filepath.Join(out, calibrations.File), cli.Counted(readBoards(c), "board"), cli.Counted(len(c.Shots), "screenshot"))
	for _, said := range said(c) {
		fmt.Fprintln(a.Out, said)
	}
	return nil
}

// learn learns the look of a folder from its screenshots and others. held: the last of these must
// not contradict the rest.
func (a *Calibrator) learn(folder string, more []shot, held bool) (*learn.Calibration, error) {
	base, before, err := a.calibrated(folder)
	if err != nil {
		return nil, err
	}
	course := learn.Course{Base: base, Read: witness.Read, Held: held}
	if a.Progress != nil {
		course.Heard = func(stage string, done, of int) {
			if of > 0 {
				stage = fmt.Sprintf("%s: %d of %d", stage, done+1, of)
			}
			a.Progress.Say(stage)
		}
	}
	var shots []learn.Shot
	for _, s := range append(before, more...) {
		known := learn.Shot{Name: s.name, Frame: s.frame}
		for _, b := range s.boards {
			known.Truth = append(known.Truth, learn.Truth{Panel: witnessboard.Of(b.puzzle), Quad: b.quad})
		}
		shots = append(shots, known)
	}
	return course.Learn(shots)
}

// readBoards counts the boards that a look reads in the pictures it was learned from.
func readBoards(c *learn.Calibration) (n int) {
	for _, r := range c.Read {
		n += len(r)
	}
	return n
}

// said is what was learned, in sentences.
func said(c *learn.Calibration) []string {
	all := []string{"learned: " + strings.Join(c.Measured, ", ")}
	for _, why := range c.Refused {
		all = append(all, "not read back: "+why)
	}
	for _, f := range c.Forgotten {
		all = append(all, "left out of what was learned, as boards were misread by it: "+f)
	}
	words := strings.NewReplacer("cap", "end", "break", "broken edge", "colour", "symbols of two colours")
	for _, what := range c.Missing {
		all = append(all, fmt.Sprintf("your pictures showed no %s: calibrate with one", words.Replace(what)))
	}
	return all
}
