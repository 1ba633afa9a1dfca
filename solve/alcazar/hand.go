package alcazar

import (
	"image"

	"onlooker/solve"
)

// Hand tells how the line is drawn by hand: along the cells' middles, from
// outside one opening to outside another.
func Hand(puzzle solve.Puzzle) *solve.Hand {
	p, ok := puzzle.(*Puzzle)
	if !ok {
		return nil
	}
	// The lattice has a ring of nodes round the cells: (0,0) lies outside the
	// corner.
	origin := image.Pt(-1, -1)
	l := &solve.Lattice{Cols: p.cols + 1, Rows: p.rows + 1, Origin: origin}
	w, h := 2*p.cols, 2*p.rows
	for y := -1; y <= h+1; y++ {
		for x := -1; x <= w+1; x++ {
			at := image.Pt(x, y)
			s := solve.Spot{At: at.Sub(origin), Gap: 2}
			switch x&1 + y&1 {
			case 2: // a cell's middle, or a place outside
				in := inwards(at, w, h)
				if in == (image.Point{}) {
					continue
				}
				if opening := at.Add(in); in.X*in.Y == 0 && p.Open(opening) {
					s.Gap, s.Start, s.Cap, s.As = 0, true, image.Pt(-in.X, -in.Y), &opening
				}
			case 1:
				if x >= 0 && y >= 0 && x <= w && y <= h && p.Open(at) {
					continue
				}
			default:
				continue
			}
			l.Spots = append(l.Spots, s)
		}
	}
	return &solve.Hand{Lattice: l}
}

// inwards is the way onto the board from a place around it; zero within.
func inwards(at image.Point, w, h int) (in image.Point) {
	switch {
	case at.X < 0:
		in.X = 1
	case at.X > w:
		in.X = -1
	}
	switch {
	case at.Y < 0:
		in.Y = 1
	case at.Y > h:
		in.Y = -1
	}
	return in
}
