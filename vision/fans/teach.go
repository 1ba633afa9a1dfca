package fans

import (
	"image"

	"onlooker/calibrations"
	"onlooker/solve"
	"onlooker/solve/fans"
	"onlooker/vision/grid"
	"onlooker/vision/grid/form"
)

// Teach learns what cells look like from pictures of which it is known what they
// show.
func Teach(look *calibrations.Profile, lessons []form.Lesson) error {
	size := func(p solve.Puzzle) (cols, rows int) {
		if b, ok := p.(*fans.Puzzle); ok {
			return b.Size()
		}
		return 0, 0
	}
	label := func(p solve.Puzzle, at image.Point) string {
		if at.X&at.Y&1 == 0 {
			return ""
		}
		return string(rune(p.(*fans.Puzzle).Cell(at.X/2, at.Y/2)))
	}
	return form.Learn(look, "cell", lessons, size, label)
}

// learned reads a board by the forms that a look has learned; nil where none has any
// or the board is of no such look.
func learned(g *grid.Grid, looks []*calibrations.Profile) (*fans.Puzzle, *calibrations.Profile) {
	for _, l := range looks {
		for i := range l.Learned.Places {
			labels, err := form.Forms(g, &l.Learned.Places[i])
			if err != nil {
				continue
			}
			n := naming{cols: g.Cols, cells: make([]byte, len(labels))}
			for k, name := range labels {
				n.cells[k] = name[0]
			}
			if p, err := n.board('.'); err == nil {
				return p, l
			}
		}
	}
	return nil, nil
}
