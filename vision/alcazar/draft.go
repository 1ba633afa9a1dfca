package alcazar

import (
	"image"
	"math"

	"onlooker/solve/alcazar"
	"onlooker/vision/grid/form"
)

// byColour weighs borders by how unlike the cells beside them they are, and gives what walls have.
func byColour(s *form.Sheet, borders []border) (least float64) {
	for i := range borders {
		b := &borders[i]
		own := s.Places[s.Number(b.at)].Colour
		b.weight = math.Inf(1)
		for _, at := range [2]image.Point{b.cell, b.cell.Add(b.way)} {
			if at.In(image.Rect(0, 0, s.Cols, s.Rows)) {
				b.weight = min(b.weight, own.Distance(s.Colour(float64(at.X)+0.5, float64(at.Y)+0.5)))
			}
		}
		least = max(least, b.weight/2)
	}
	return least
}

// Draft guesses which borders of a board are walls: those heavier than the widest gap between
// the weights of its lines. Doubts are how near to that they are.
func Draft(s *form.Sheet) (*form.Draft, error) {
	borders := bordersOf(s.Grid, s.HeavySeam)
	least, ok := lightestWall(borders)
	if !ok { // walls as wide as cells
		least = byColour(s, borders)
	}
	open, doubts := map[image.Point]bool{}, map[image.Point]float64{}
	for _, b := range borders {
		open[b.at] = b.weight < least
		doubts[b.at] = math.Exp(-math.Abs(math.Log(max(faintest, b.weight) / max(faintest, least))))
	}
	p, err := alcazar.New(s.Cols, s.Rows, func(at image.Point) bool { return open[at] }, func(image.Point) bool { return false })
	if err != nil {
		return nil, err
	}
	return &form.Draft{Puzzle: p, Doubts: doubts}, nil
}
