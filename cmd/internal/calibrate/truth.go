package calibrate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"

	"onlooker/cmd/internal/whole"
	"onlooker/solve"
	"onlooker/vision"
)

// eachTruth reads a file of what screenshots show, a JSON object a line, and hands over the
// base name of each picture with its boards, and where it says so: errors begin with it.
func eachTruth[B any](file string, take func(where, image string, boards []B) error) error {
	data, err := whole.Read(file)
	if err != nil {
		return err
	}
	for i, line := range bytes.Split(data, []byte("\n")) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var l struct {
			Image  string
			Boards []B
		}
		where := fmt.Sprintf("%s: line %d", file, i+1)
		if err := json.Unmarshal(line, &l); err != nil {
			return fmt.Errorf("%s: %w", where, solve.JSONError(err))
		}
		if l.Image == "" {
			return fmt.Errorf("%s names no image", where)
		}
		if err := take(where, filepath.Base(l.Image), l.Boards); err != nil {
			return err
		}
	}
	return nil
}

// quadOf is where a board's corners are, nil where that is not told.
func quadOf(told *[4][2]float64) *[4]vision.Point {
	if told == nil {
		return nil
	}
	var q [4]vision.Point
	for k, c := range told {
		q[k] = vision.Point{X: c[0], Y: c[1]}
	}
	return &q
}
