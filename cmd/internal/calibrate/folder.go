package calibrate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"onlooker/calibrations"
	"onlooker/capture"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/program"
	"onlooker/solve"
	panels "onlooker/solve/witness"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/learn"
)

// A Calibrator learns looks from screenshots.
type Calibrator struct {
	Games *intake.Games
	In    io.Reader // a picture that is named -
	Out   io.Writer
	// Progress tells how far it has come.
	Progress *program.Progress
}

// calibrated is the profile that a calibration begins with: that of the folder, to
// be extended, with the screenshots it was made from; or the game's, without any.
func (a *Calibrator) calibrated(folder string) (base *calibrations.Profile, before []shot, err error) {
	if _, err := os.Stat(filepath.Join(folder, calibrations.File)); err == nil {
		base, err := a.Games.Look(folder + string(filepath.Separator))
		if err != nil {
			return nil, nil, err
		}
		before, err := kept(&panels.Family, folder)
		return base, before, err
	}
	if before, err = kept(&panels.Family, folder); err != nil {
		return nil, nil, err
	}
	if base, err = a.Games.Look("witness-challenge"); err != nil {
		return nil, nil, err
	}
	// A picture tells neither whose pointer the client shows nor what its keys do: the
	// pointer is found out when an answer is entered, and there are no keys until they
	// are named.
	base.Motion.Pointer, base.Keys = calibrations.Tried, calibrations.Keys{}
	return base, before, nil
}

// A shot is a screenshot with what it shows.
type shot struct {
	name   string // its file
	frame  image.Image
	boards []boardTruth
	kept   bool // in the profile's folder already
}

// A boardTruth is a board of a screenshot; no quad: it is to be found.
type boardTruth struct {
	puzzle solve.Puzzle
	quad   *[4]vision.Point
}

// shots loads screenshots with what a file of truths tells of each, if one is named: see readTruth.
func (a *Calibrator) shots(truth string, names []string, field string, parse func(json.RawMessage) (solve.Puzzle, error)) ([]shot, error) {
	told := map[string][]boardTruth{}
	if truth != "" {
		var err error
		if told, err = readTruth(truth, field, parse); err != nil {
			return nil, err
		}
	}
	var shots []shot
	for _, name := range names {
		m, err := intake.LoadPicture(a.In, name)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(shots, func(o shot) bool { return bytes.Equal(o.frame.(*image.RGBA).Pix, m.Pix) }) {
			continue // the same picture once more tells nothing
		}
		s := shot{name: name, frame: m, boards: told[filepath.Base(name)]}
		if truth != "" && s.boards == nil {
			return nil, fmt.Errorf("%s: it has no line for %s", truth, name)
		}
		shots = append(shots, s)
	}
	return shots, nil
}

// kept are the screenshots of a profile's folder with what must be read from
// each.
func kept(family *solve.Family, folder string) ([]shot, error) {
	frames, err := filepath.Glob(filepath.Join(folder, "frame-*.png"))
	if err != nil {
		return nil, err
	}
	var shots []shot
	for _, name := range frames {
		m, err := capture.ReadPictureFile(name)
		if err != nil {
			return nil, err
		}
		text, err := cli.ReadFile(wantName(name))
		if err != nil {
			return nil, err
		}
		s := shot{name: name, frame: m, kept: true}
		for p, err := range family.Formats[0].Decode(bytes.NewReader(text)) {
			if err != nil {
				return nil, fmt.Errorf("%s: %w", wantName(name), err)
			}
			s.boards = append(s.boards, boardTruth{puzzle: p})
		}
		shots = append(shots, s)
	}
	return shots, nil
}

// stage writes what a screenshot shows into a folder, and the screenshot itself where the
// profile's folder has it not.
func (s *shot) stage(folder, stage string) error {
	frame := filepath.Join(stage, filepath.Base(s.name))
	if !s.kept {
		var err error
		if frame, err = newFrame(folder, stage); err != nil {
			return err
		}
		if err := cli.WritePicture(frame, s.frame); err != nil {
			return err
		}
	}
	var want bytes.Buffer
	for k, t := range s.boards {
		text, err := t.puzzle.MarshalText()
		if err != nil {
			return err
		}
		if k > 0 {
			want.WriteString("\n")
		}
		want.Write(append(bytes.TrimRight(text, "\n"), '\n'))
	}
	return os.WriteFile(wantName(frame), want.Bytes(), 0o644)
}

// begin writes a screenshot with what it shows into a profile's folder, whether there is a
// profile or not.
func (s *shot) begin(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	return s.stage(folder, folder)
}

func wantName(frame string) string {
	base := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(frame), "frame-"), ".png")
	return filepath.Join(filepath.Dir(frame), "want-"+base+".txt")
}

// writeProfile writes a profile's folder: all of it, or in case of an error
// nothing that a reader would take for a profile.
func writeProfile(folder string, c *learn.Calibration) error {
	masks := map[string]bool{}
	err := cli.WriteFolder(folder, calibrations.File, func(stage string) error {
		if err := stageProfile(folder, stage, c); err != nil {
			return err
		}
		names, err := filepath.Glob(filepath.Join(stage, "mask-*.png"))
		for _, name := range names {
			masks[filepath.Base(name)] = true
		}
		return err
	})
	if err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(folder, "mask-*.png"))
	for _, name := range old {
		if err == nil && !masks[filepath.Base(name)] {
			err = os.Remove(name)
		}
	}
	return err
}

// stageProfile writes what is new of a profile's folder into another.
func stageProfile(folder, stage string, c *learn.Calibration) error {
	for _, taught := range c.Shots {
		// What a screenshot shows is kept, whether it is read back or not: the look is
		// learned from it again when it is extended.
		s := shot{name: taught.Name, frame: taught.Frame, kept: filepath.Dir(taught.Name) == filepath.Clean(folder)}
		for _, t := range taught.Truth {
			s.boards = append(s.boards, boardTruth{panels.Of(t.Panel), t.Quad})
		}
		if err := s.stage(folder, stage); err != nil {
			return err
		}
	}
	if err := drawing.CheckLook(c.Profile); err != nil {
		return err
	}
	return stageLook(stage, c.Profile, fmt.Sprintf("Measured on %d screenshots: %s.\nNot seen in them: %s.",
		len(c.Shots), strings.Join(c.Measured, ", "), strings.Join(append(c.Missing, "anything else"), ", ")))
}

// stageLook writes a look into a folder, with how it came about.
func stageLook(stage string, look *calibrations.Profile, how string) error {
	if err := calibrations.WriteMasks(look, stage); err != nil {
		return err
	}
	text, err := calibrations.Write(look, how)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(stage, calibrations.File), text, 0o644)
}

// newFrame is a frame in the second folder under the first name that neither has.
func newFrame(folder, stage string) (string, error) {
	for i := 1; ; i++ {
		name := fmt.Sprintf("frame-%03d.png", i)
		_, err := os.Stat(filepath.Join(folder, name))
		_, staged := os.Stat(filepath.Join(stage, name))
		switch {
		case errors.Is(err, fs.ErrNotExist) && errors.Is(staged, fs.ErrNotExist):
			return filepath.Join(stage, name), nil
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return "", err
		}
	}
}

// readTruth reads a file of what screenshots show, a JSON object a line, by the name of the
// picture. What a board shows stands in a field, from which parse reads it.
func readTruth(file, field string, parse func(json.RawMessage) (solve.Puzzle, error)) (map[string][]boardTruth, error) {
	data, err := cli.ReadFile(file)
	if err != nil {
		return nil, err
	}
	told := map[string][]boardTruth{}
	for i, line := range bytes.Split(data, []byte("\n")) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var l struct {
			Image  string
			Boards []map[string]json.RawMessage
		}
		where := fmt.Sprintf("%s: line %d", file, i+1)
		if err := json.Unmarshal(line, &l); err != nil {
			return nil, fmt.Errorf("%s: %w", where, solve.JSONError(err))
		}
		image := filepath.Base(l.Image)
		switch _, twice := told[image]; {
		case l.Image == "":
			return nil, fmt.Errorf("%s names no image", where)
		case twice:
			return nil, fmt.Errorf("%s tells of %s again", where, image)
		case len(l.Boards) == 0:
			return nil, fmt.Errorf("%s tells of no board in %s", where, image)
		}
		for _, b := range l.Boards {
			if b[field] == nil {
				return nil, fmt.Errorf("%s: a board of %s without %q", where, image, field)
			}
			t := boardTruth{}
			var quad *[4][2]float64
			if t.puzzle, err = parse(b[field]); err == nil && b["quad"] != nil {
				err = solve.JSONError(json.Unmarshal(b["quad"], &quad))
			}
			if quad != nil {
				t.quad = &[4]vision.Point{}
				for k, c := range quad {
					t.quad[k] = vision.Point{X: c[0], Y: c[1]}
				}
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", where, err)
			}
			told[image] = append(told[image], t)
		}
	}
	return told, nil
}
