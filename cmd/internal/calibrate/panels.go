// Package calibrate learns looks of games from screenshots.
package calibrate

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"

	"onlooker/calibrations"
	panels "onlooker/solve/witness"
	witnessboard "onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/vision/witness/calibrate"
)

// Run learns a look of a family, "" for The Witness, into the folder out; truth names
// the file of what the screenshots show, or is empty.
func (a *Calibrator) Run(ctx context.Context, family, out, truth string, names []string) error {
	if family != "" && family != panels.Family.Name {
		return a.calibrateCells(family, out, truth, names)
	}
	return a.calibrate(ctx, out, truth, names)
}

// calibrate writes the profile folder out from screenshots of The Witness, or extends
// the one that is there; truth names the file of what they show, or is empty.
func (a *Calibrator) calibrate(ctx context.Context, out, truth string, names []string) error {
	shots, err := a.shots(truth, names, func() (map[string][]boardTruth, error) { return readTruth(truth) })
	if err != nil {
		return err
	}
	base, before, err := a.calibrated(out)
	if err != nil {
		return err
	}
	progress := a.Progress
	defer progress.Clear()
	q := &questions{Session: a.begin(base), ctx: ctx, in: a.In, out: a.Out, folder: out, far: progress}
	q.Heard(func(stage string, done, of int) { progress.Say(said(stage, done, of)) })
	shots = append(before, shots...)
	for i, shot := range shots {
		progress.Say(said("looking at the pictures", i, len(shots)))
		known := calibrate.Shot{Name: shot.name, Frame: shot.frame}
		for _, b := range shot.boards {
			known.Truth = append(known.Truth, calibrate.Truth{Panel: witnessboard.Of(b.puzzle), Quad: b.quad})
		}
		if err := q.course.Add(known); err != nil {
			return q.unwritten(fmt.Errorf("%w; panels of The Witness are looked for: --family names another game's boards", err))
		}
	}
	if err := q.ask(); err != nil {
		return q.unwritten(err)
	}
	if err := q.Learn(); err != nil {
		return q.unwritten(err)
	}
	progress.Clear()
	c := q.taught
	if err := writeProfile(out, c); err != nil {
		return err
	}
	if err := q.done(); err != nil {
		return err
	}
	boards := 0
	for _, r := range c.Read {
		boards += len(r)
	}
	fmt.Fprintf(a.Out, "%s: %d boards in %d screenshots read back\n", filepath.Join(out, calibrations.File), boards, len(c.Shots))
	for _, said := range q.Said() {
		fmt.Fprintln(a.Out, said)
	}
	return nil
}

// readTruth reads what screenshots show, by the name of the picture.
func readTruth(file string) (map[string][]boardTruth, error) {
	told := map[string][]boardTruth{}
	err := eachTruth(file, func(where, image string, boards []struct {
		Quad   *[4][2]float64
		Puzzle json.RawMessage
	}) error {
		if _, twice := told[image]; twice {
			return fmt.Errorf("%s tells of %s again", where, image)
		}
		if len(boards) == 0 {
			return fmt.Errorf("%s tells of no board in %s", where, image)
		}
		for _, b := range boards {
			p, err := forms.DecodeJSON(b.Puzzle)
			if err != nil {
				return fmt.Errorf("%s: %w", where, err)
			}
			told[image] = append(told[image], boardTruth{panels.Of(p), quadOf(b.Quad)})
		}
		return nil
	})
	return told, err
}
