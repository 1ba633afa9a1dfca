package calibrate

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"onlooker/calibrations"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/program"
	"onlooker/cmd/internal/whole"
	panels "onlooker/solve/witness"
	witnessboard "onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/calibrate"
)

// A Calibrator learns looks from screenshots.
type Calibrator struct {
	Games *intake.Games
	In    io.Reader // answers to what is asked
	Out   io.Writer
	// Progress tells how far it has come.
	Progress *program.Progress
}

// calibrated is the profile that a calibration begins with: that of the folder, to
// be extended, with the screenshots it was made from; or the game's, without any.
func (a *Calibrator) calibrated(folder string) (base *calibrations.Profile, before []calibrate.Shot, err error) {
	if _, err := os.Stat(filepath.Join(folder, calibrations.File)); err == nil {
		base, err := a.Games.Look(folder + string(filepath.Separator))
		if err != nil {
			return nil, nil, err
		}
		before, err := kept(folder)
		return base, before, err
	}
	base, err = a.Games.Look("witness-challenge")
	if err != nil {
		return nil, nil, err
	}
	// A picture tells neither whose pointer the client shows nor what its keys do: the
	// pointer is found out when an answer is entered, and there are no keys until they
	// are named.
	base.Motion.Pointer, base.Keys = calibrations.Tried, calibrations.Keys{}
	return base, nil, nil
}

// kept are the screenshots of a profile's folder with what must be read from
// each.
func kept(folder string) ([]calibrate.Shot, error) {
	frames, err := filepath.Glob(filepath.Join(folder, "frame-*.png"))
	if err != nil {
		return nil, err
	}
	var shots []calibrate.Shot
	for _, name := range frames {
		m, err := openPNG(name)
		if err != nil {
			return nil, err
		}
		shot := calibrate.Shot{Name: name, Frame: m}
		want := wantName(name)
		text, err := whole.Read(want)
		if err != nil {
			return nil, err
		}
		for p, err := range panels.Family.Formats[0].Decode(bytes.NewReader(text)) {
			if err != nil {
				return nil, fmt.Errorf("%s: %w", want, err)
			}
			panel := witnessboard.Of(p)
			if panel == nil {
				return nil, fmt.Errorf("%s: not a panel", want)
			}
			shot.Truth = append(shot.Truth, calibrate.Truth{Panel: panel})
		}
		shots = append(shots, shot)
	}
	return shots, nil
}

// openPNG reads a PNG file.
func openPNG(name string) (image.Image, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := png.Decode(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}

func wantName(frame string) string {
	base := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(frame), "frame-"), ".png")
	return filepath.Join(filepath.Dir(frame), "want-"+base+".txt")
}

// writeProfile writes a profile's folder: all of it, or in case of an error
// nothing that a reader would take for a profile.
func writeProfile(folder string, c *calibrate.Calibration) error {
	masks := map[string]bool{}
	err := whole.WriteFolder(folder, calibrations.File, func(stage string) error {
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
func stageProfile(folder, stage string, c *calibrate.Calibration) error {
	for _, shot := range c.Shots {
		frame := filepath.Join(stage, filepath.Base(shot.Name))
		if filepath.Dir(shot.Name) != filepath.Clean(folder) {
			var err error
			if frame, err = newFrame(folder, stage); err != nil {
				return err
			}
			if err := whole.WritePicture(frame, shot.Frame); err != nil {
				return err
			}
		}
		// What a screenshot shows is kept, whether it is read back or not: the look is
		// learned from it again when it is extended.
		var want bytes.Buffer
		for k, t := range shot.Truth {
			if k > 0 {
				want.WriteString("\n")
			}
			text, err := forms.MarshalText(t.Panel)
			if err != nil {
				return err
			}
			want.Write(bytes.TrimRight(text, "\n"))
			want.WriteString("\n")
		}
		if err := os.WriteFile(wantName(frame), want.Bytes(), 0o644); err != nil {
			return err
		}
	}
	if err := calibrations.WriteMasks(c.Profile, stage); err != nil {
		return err
	}
	if err := drawing.CheckLook(c.Profile); err != nil {
		return err
	}
	text, err := calibrations.Write(c.Profile, fmt.Sprintf("Measured on %d screenshots: %s.\nNot seen in them: %s.",
		len(c.Shots), strings.Join(c.Measured, ", "), strings.Join(append(c.Missing, "anything else"), ", ")))
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
