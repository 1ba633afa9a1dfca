package witness

import (
	"errors"
	"image"

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

// known is the one joining that the columns allow, or why the views contradict
// each other in it.
func (r *Reader) known(sides []*side) (joining, error) {
	j := joining{}
	for i, c := range r.columns {
		cols := sides[i].cols
		turn := ((c-r.columns[0])%cols + cols) % cols
		if i > 0 {
			agree, ok := fits(sides, j.turn, turn)
			if !ok {
				return j, unsure(image.Point{}, "view %d does not go together with those before it, turned by %d columns", i+1, turn)
			}
			j.agree += agree
		}
		j.turn = append(j.turn, turn)
	}
	return j, nil
}
