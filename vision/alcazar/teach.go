package alcazar

import (
	"cmp"
	"image"

	"onlooker/calibrations"
	"onlooker/solve"
	"onlooker/solve/alcazar"
	"onlooker/vision"
	"onlooker/vision/grid"
	"onlooker/vision/grid/claims"
	"onlooker/vision/grid/form"
)

// What borders are in a look that was learned.
const (
	wallForm = "wall"
	openForm = "open"
)

// Teach learns from pictures of which it is known what they show what walls and open
// borders look like, within a board and in its outline.
func Teach(look *calibrations.Profile, lessons []form.Lesson) error {
	size := func(p solve.Puzzle) (cols, rows int) { return p.(*alcazar.Puzzle).Size() }
	label := func(p solve.Puzzle, at image.Point) string {
		switch {
		case at.X%2 == at.Y%2:
			return ""
		case p.(*alcazar.Puzzle).Open(at):
			return openForm
		}
		return wallForm
	}
	return form.Learn(look, "border", lessons, size, label)
}

// readLearned reads a board by the walls that one of some looks has learned. Where none has,
// or not all of the borders are of one, it says what the first of them does not know.
func readLearned(g *grid.Grid, looks []*calibrations.Profile) (*claims.Claim, error) {
	var why error
	for _, l := range looks {
		for i := range l.Learned.Places {
			g.Straighten()
			forms, err := form.LearnedBorders(g, &l.Learned.Places[i])
			if err != nil {
				why = cmp.Or(why, err)
				continue
			}
			p, err := alcazar.New(g.Cols, g.Rows, func(at image.Point) bool { return forms[at] == openForm }, func(image.Point) bool { return false })
			if err != nil {
				continue
			}
			return claimed(g, p, l), nil
		}
	}
	if why == nil {
		why = &vision.UnsureError{What: "a board in no look that was learned"}
	}
	return nil, why
}
