// Package witness reads panels of The Witness from boards that package vision
// found, and draws them.
package witness

import (
	"errors"
	"fmt"

	"onlooker/calibrations"
	"onlooker/solve"
	"onlooker/solve/witness"
	"onlooker/vision"
)

// A Reader reads one panel from one view of it, from several views, or from
// several frames one after another.
type Reader struct {
	profile *calibrations.Profile
	boards  []*vision.Board
}

// NewReader returns a Reader for panels of the profile's look.
func NewReader(p *calibrations.Profile) *Reader { return &Reader{profile: p} }

// Add adds views of the panel: the same panel in later frames, or the sides of
// a pillar. An error says that a board is no view of the same panel.
func (r *Reader) Add(boards ...*vision.Board) error {
	for _, b := range boards {
		if len(r.boards) > 0 {
			if a := r.boards[0]; a.Cols != b.Cols || a.Rows != b.Rows || a.Pillar != b.Pillar {
				return fmt.Errorf("a view of %dx%d cells, want %dx%d as in the first", b.Cols, b.Rows, a.Cols, a.Rows)
			}
		}
		r.boards = append(r.boards, b)
	}
	return nil
}

// Panel is the panel that the views show; a *vision.UnsureError when something
// that matters cannot be told.
func (r *Reader) Panel() (*witness.Panel, error) {
	if len(r.boards) == 0 {
		return nil, errors.New("no view of the panel")
	}
	return nil, &vision.UnsureError{What: "panels cannot be read yet"}
}

// Puzzle is Panel as the pipeline passes it on.
func (r *Reader) Puzzle() (solve.Puzzle, error) {
	p, err := r.Panel()
	if err != nil {
		return nil, err
	}
	if q, ok := any(p).(solve.Puzzle); ok {
		return q, nil
	}
	return nil, errors.New("panels are no puzzles yet")
}
