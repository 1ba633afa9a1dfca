// Package alcazar reads boards of Alcazar from the cells of a picture: which
// borders of cells are walls, and where the outline is open. A line that is drawn
// already runs through the middles of borders, so that these are looked at beside
// their ends.
package alcazar

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"maps"
	"math"
	"slices"
	"time"

	"onlooker/calibrations"
	"onlooker/solve"
	"onlooker/solve/alcazar"
	"onlooker/vision"
	"onlooker/vision/grid"
)

// How walls are told. On the boards of the shared screens the lightest wall has
// 5 times the weight of the heaviest other line, and 0.03 of a cell's width in
// black on white.
const (
	edge       = 0.3   // of a pitch from the picture's border: a cell that is cut off has no line of its own
	leastSide  = 2     // columns or rows
	faintest   = 0.004 // weight that counts as none: a pixel in 250 of a cell
	leastWall  = 0.015 // weight
	leastRatio = 2.2   // of the lightest wall's weight to the next lighter line's
	frameClear = 40    // contrast of a frame round the board with the cells
	// otherColour is the contrast of marks with walls: 130 seen; walls of one look
	// differ by 20.
	otherColour = 70
	mostOpen    = 0.15 // of the cells that are not seen as such, at the border
	mostMarks   = 0.05 // of the cells that may hold something else than a line
)

// countTime is how long a board's answers are counted at the most.
const countTime = 500 * time.Millisecond

// Scan finds and reads the boards of a scene.
func Scan(s *grid.Scene, contrast int, _ []*calibrations.Profile) []grid.Reading {
	return s.Read(contrast, func(g *grid.Grid) (solve.Puzzle, error) {
		p, err := Read(g)
		if err != nil {
			return nil, err
		}
		return p, nil
	})
}

// A border is the place between two cells, or a cell and the outside.
type border struct {
	at     image.Point // in half-cells
	cell   image.Point // on the inner side
	way    image.Point // from there
	outer  bool
	weight float64
	colour grid.Colour
}

// Read reads a board from a grid. What cannot be told is a
// *vision.UnsureError.
func Read(g *grid.Grid) (*alcazar.Puzzle, error) {
	// A cell that is open to the outside may go on there too far for a cell.
	if n := g.Cols * g.Rows; min(g.Cols, g.Rows) < leastSide || g.Cells() < 6 || float64(n-g.Cells()) > mostOpen*float64(n) || hollow(g) {
		return nil, unsure(image.Point{}, fmt.Sprintf("%d×%d places with %d cells, want all", g.Cols, g.Rows, g.Cells()))
	}
	if g.AtEdge(edge) {
		return nil, unsure(image.Point{}, "a board that goes on beyond the picture")
	}
	g.Straighten()
	for _, way := range grid.Ways() {
		if g.GoesOn(way) {
			return nil, unsure(image.Point{}, "a part of a board: its lines go on")
		}
	}
	if err := blank(g); err != nil {
		return nil, err
	}
	wall, odd, err := walls(g, bordersOf(g, g.HeavySeam))
	if err != nil {
		// A frame round the board is no heavy line.
		if wall, odd, err = walls(g, bordersOf(g, g.Seam)); err != nil {
			return nil, err
		}
	}
	return board(g, wall, odd)
}

// hollow tells whether a cell within the board is missing.
func hollow(g *grid.Grid) bool {
	for r := 1; r+1 < g.Rows; r++ {
		for c := 1; c+1 < g.Cols; c++ {
			if !g.At(c, r) {
				return true
			}
		}
	}
	return false
}

// walls tells which borders are walls, and which of them have another colour
// than most.
func walls(g *grid.Grid, borders []border) (wall, odd map[image.Point]bool, err error) {
	least, ok := lightestWall(borders)
	if !ok {
		return nil, nil, unsure(image.Point{}, "no lines that are clearly heavier than others")
	}
	odd = oddColours(borders, least)
	wall = map[image.Point]bool{}
	outer, outerWalls := 0, 0
	for _, b := range borders {
		wall[b.at] = b.weight >= least
		if b.outer {
			outer++
			if wall[b.at] {
				outerWalls++
			}
		}
	}
	if outerWalls == 0 {
		if err := framed(g, borders, wall); err != nil {
			return nil, nil, err
		}
		outerWalls = 0
		for _, b := range borders {
			if b.outer && wall[b.at] {
				outerWalls++
			}
		}
	}
	if err := sides(borders, wall); err != nil {
		return nil, nil, err
	}
	if open := outer - outerWalls; open < 2 {
		return nil, nil, unsure(image.Point{}, fmt.Sprintf("%d openings in the outline, want two and more", open))
	}
	return wall, odd, nil
}

func unsure(at image.Point, what string) error { return &vision.UnsureError{What: what, At: at} }

// blank refuses boards with something in their cells that no line is.
func blank(g *grid.Grid) error {
	marks := 0
	for i := range g.Has {
		if _, ok := g.Mark(i%g.Cols, i/g.Cols); ok {
			marks++
		}
	}
	if float64(marks) > mostMarks*float64(len(g.Has)) {
		return unsure(image.Point{}, fmt.Sprintf("something in %d of %d cells", marks, len(g.Has)))
	}
	return nil
}

func bordersOf(g *grid.Grid, seam func(c, r int, way image.Point) grid.Seam) []border {
	var out []border
	for r := range g.Rows {
		for c := range g.Cols {
			for _, way := range grid.Ways() {
				outer := !image.Pt(c, r).Add(way).In(image.Rect(0, 0, g.Cols, g.Rows))
				if !outer && way.X+way.Y < 0 {
					continue // seen from the other cell
				}
				s := seam(c, r, way)
				out = append(out, border{
					at: image.Pt(2*c+1, 2*r+1).Add(way), cell: image.Pt(c, r), way: way, outer: outer,
					weight: s.Weight, colour: s.Colour,
				})
			}
		}
	}
	return out
}

// sides refuses a board between lines of which a whole side has no wall: that may
// be where only a part of the board was found.
func sides(borders []border, wall map[image.Point]bool) error {
	var thin []float64
	walled := map[image.Point]bool{}
	for _, b := range borders {
		switch {
		case b.outer:
			walled[b.way] = walled[b.way] || wall[b.at]
		case !wall[b.at]:
			thin = append(thin, b.weight)
		}
	}
	if vision.Median(thin) < 2*faintest {
		return nil // no lines between the cells: an open side is open
	}
	for _, way := range grid.Ways() {
		if !walled[way] {
			return unsure(image.Point{}, "a side without any wall")
		}
	}
	return nil
}

// oddColours are the heavy lines of another colour than most: walls too, or marks
// that somebody put there.
func oddColours(borders []border, least float64) map[image.Point]bool {
	var all []grid.Colour
	for _, b := range borders {
		if b.weight >= least {
			all = append(all, b.colour)
		}
	}
	usual := grid.Usual(all)
	odd := map[image.Point]bool{}
	for _, b := range borders {
		if b.weight >= least && b.colour.Contrast(usual) > otherColour {
			odd[b.at] = true
		}
	}
	return odd
}

// board makes the board of the walls. Where some have another colour, the game's
// promise of one answer tells whether they are walls or marks: with marks taken
// for walls too few answers are left, without some walls too many. Marks of a
// player who is right leave the one answer, so that the board without them counts
// first.
func board(g *grid.Grid, wall, odd map[image.Point]bool) (*alcazar.Puzzle, error) {
	build := func(is func(at image.Point) bool) (*alcazar.Puzzle, error) {
		p, err := alcazar.New(g.Cols, g.Rows, func(at image.Point) bool { return !is(at) }, func(image.Point) bool { return false })
		if err != nil {
			return nil, unsure(image.Point{}, fmt.Sprintf("a board that is none: %v", err))
		}
		return p, nil
	}
	if len(odd) == 0 {
		return build(func(at image.Point) bool { return wall[at] })
	}
	for _, is := range []func(image.Point) bool{
		func(at image.Point) bool { return wall[at] && !odd[at] },
		func(at image.Point) bool { return wall[at] },
	} {
		p, err := build(is)
		if err != nil {
			continue
		}
		ctx, cancel := context.WithTimeout(context.Background(), countTime)
		n, err := p.Count(ctx, 2)
		cancel()
		if err == nil && n == 1 {
			return p, nil
		}
	}
	at := slices.MinFunc(slices.Collect(maps.Keys(odd)), func(a, b image.Point) int { return cmp.Or(a.Y-b.Y, a.X-b.X) })
	return nil, unsure(at, "a wall, or a mark in another colour")
}

// lightestWall is the weight at which walls begin: above the widest gap between
// the weights of the board's lines.
func lightestWall(borders []border) (float64, bool) {
	var weights []float64
	for _, b := range borders {
		weights = append(weights, max(faintest, b.weight))
	}
	slices.Sort(weights)
	best, least := 1.0, 0.0
	for i := 1; i < len(weights); i++ {
		if ratio := weights[i] / weights[i-1]; weights[i] >= leastWall && ratio > best {
			best, least = ratio, math.Sqrt(weights[i]*weights[i-1])
		}
	}
	return least, best >= leastRatio
}

// framed finds the openings of a board with a frame round it that is no line:
// where the frame is cut out, the cell goes on into it.
func framed(g *grid.Grid, borders []border, wall map[image.Point]bool) error {
	type look struct {
		b      border
		colour grid.Colour
		ground grid.Colour
	}
	var looks []look
	var all []grid.Colour
	for _, b := range borders {
		if !b.outer {
			continue
		}
		var list []grid.Colour
		x, y := float64(b.cell.X)+0.5, float64(b.cell.Y)+0.5
		for _, along := range []float64{-0.2, -0.17, 0.17, 0.2} {
			for _, out := range []float64{0.56, 0.58, 0.6} {
				list = append(list, g.Colour(x+out*float64(b.way.X)+along*math.Abs(float64(b.way.Y)), y+out*float64(b.way.Y)+along*math.Abs(float64(b.way.X))))
			}
		}
		l := look{b, grid.Usual(list), g.Ground(b.cell.X, b.cell.Y)}
		looks = append(looks, l)
		all = append(all, l.colour)
	}
	frame := grid.Usual(all)
	for _, l := range looks {
		clear := l.ground.Contrast(frame)
		if clear < frameClear {
			return unsure(l.b.at, "neither a line round the board nor a frame")
		}
		switch d := l.colour.Contrast(frame); {
		case 4*d < clear:
			wall[l.b.at] = true
		case 2*d < clear:
			return unsure(l.b.at, "the frame, or an opening in it")
		}
	}
	return nil
}
