package witness

import (
	"errors"

	"onlooker/vision"
)

// AddTurned adds a view of a pillar of which it is known how far the pillar was
// turned: which column is the view's column 0, counted from column 0 of the
// first view. Where every view was added so, they are not joined by their marks,
// of which a pillar may have too few.
func (r *Reader) AddTurned(view *vision.Board, column int) error {
	if !view.Pillar {
		return errors.New("a view of a flat board, want a pillar's")
	}
	if err := r.Add(view); err != nil {
		return err
	}
	r.columns = append(r.columns, column)
	return nil
}

// Column is the column of the panel that is column 0 of the first view of a
// pillar, once Panel or Puzzle has given one.
func (r *Reader) Column() int { return r.first }
