// Package flow reads boards of Flow Free and Numberlink from the cells of a
// picture: what ends in the middle of a cell is an end, what goes through is a
// path that somebody drew; where nothing does, ends are what is written or drawn in
// cells, or the cells that are filled. Ends are paired by their colours and by the
// letters on them, or by their forms and their colours; and heavier lines between
// cells are walls.
package flow

import (
	"context"
	"fmt"
	"image"
	"math"
	"slices"
	"strings"

	"onlooker/calibrations"
	"onlooker/solve/flow"
	"onlooker/solve/limits"
	"onlooker/vision"
	"onlooker/vision/grid"
	"onlooker/vision/grid/cell"
	"onlooker/vision/grid/claims"
	"onlooker/vision/grid/form"
	"onlooker/vision/posterior"
)

// What tells ends from what is drawn. Measured on the boards of the shared
// screens: the discs of one board differ by 8 % in radius, and the widest path
// is 0.66 of the discs' diameter; colours of one pair differ by less than 0.1 of
// what the nearest other pair differs by.
const (
	faintest  = 0.25 // of the clearest contrast: fainter things are the game's backdrop
	asLarge   = 0.85 // of the largest: ends
	asNarrow  = 0.78 // of the largest: paths; between the two is unsure
	leastDisc = 0.12 // radius in cell units; 0.19 seen
	mostDisc  = 0.45 // radius in cell units: larger is the cell's own ground
	leastPath = 0.05 // half width in cell units; 0.11 seen
	// What encloses as much ground as ink is a letter or a ring; a disc with a
	// letter on it has 0.7 and more.
	leastSolid = 0.6
	likeDisc   = 0.9 // solid throughout, but for its edge
	// Of a pitch, what parts the cells of a board is 0.21 at the most, and in the smallest
	// cells, where blur counts as well, 0.33; bars of a panel of The Witness have 0.31 to 0.35.
	mostGap, mostGapPixels = 0.25, 12
	leastSide              = 3   // columns or rows: two of anything are a board of one pair else
	leastEnds              = 4   // for the same reason
	pairShare              = 0.5 // of the distance to the nearest other end
	// Lines of one board weigh up to 2.6 times the usual, each at most 1.4 times the
	// next lighter; walls 2.9 times the heaviest line and more.
	leastWall = 2.4 // times the usual line
	wallGap   = 1.8 // times the next lighter
	mostLine  = 3.2 // times the usual line: heavier without a gap is neither
	// The outlines of boards with warps have 5 times the usual line's weight, a dashed
	// opening in one a fifth of the outline's.
	heavyOutline = 2
	openShare    = 0.5
)

// Scan finds and reads the boards of a scene.
func Scan(s *grid.Scene, contrast int, looks []*calibrations.Profile) []claims.Reading {
	look := only(looks)
	try := func(g *grid.Grid) (*claims.Claim, error) { return claim(g, look) }
	out := claims.ReadGrids(s, s.Grids(contrast), try)
	if slices.ContainsFunc(out, func(r claims.Reading) bool { return r.Err == nil }) {
		return out
	}
	if dotted := claims.ReadGrids(s, s.NodeGrids(contrast), try); slices.ContainsFunc(dotted, func(r claims.Reading) bool { return r.Err == nil }) {
		return dotted
	}
	if hex := claims.ReadGrids(s, s.HexGrids(contrast), try); len(hex) > 0 {
		return hex
	}
	return out
}

// claim reads a board from a grid, and tells what each cell was taken for. What
// cannot be told is a *vision.UnsureError.
func claim(g *grid.Grid, look *calibrations.Profile) (c *claims.Claim, err error) {
	if min(g.Cols, g.Rows) < leastSide {
		return nil, vision.CutOff(fmt.Sprintf("only %d×%d cells are seen; a board has %d and more both ways", g.Cols, g.Rows, leastSide))
	}
	if gap := 1 - max(g.Tile[0], g.Tile[1]); !g.Hex && gap > mostGap && min(g.Pitch[0], g.Pitch[1])*gap > mostGapPixels {
		return nil, &vision.UnsureError{What: "bars between its cells, as a panel of lines has them", Whole: true, Do: "if it is a panel of The Witness, say --family witness"}
	}
	g.Straighten()
	r := &reading{g: g, end: leastEnd(look)}
	r.pictured(look)
	r.opened()
	r.inhabited()
	g = r.g
	if !g.Hex && g.AtEdge(1) {
		if err := g.Cut(math.Inf(-1)); err != nil {
			return nil, err
		}
	}
	if err := r.bounded(); err != nil {
		return nil, err
	}
	r.look()
	ends, told, err := r.pictures(look)
	if !told {
		ends, err = r.ends()
	}
	if err != nil {
		return nil, err
	}
	b := bare(g)
	for _, c := range r.bridges {
		b.Bridge(c)
	}
	if r.mayStayEmpty(look) {
		b.Any()
	}
	for _, e := range ends {
		b.Pair(r.g.Cell(e[0]), r.g.Cell(e[1]))
	}
	var walls [][2]image.Point
	if !told { // pictures that fill their cells have rims of their own
		if walls, err = r.walls(); err != nil {
			return nil, err
		}
	}
	for _, w := range walls {
		b.Wall(w[0], w[1])
	}
	if err := r.warps(b); err != nil {
		return nil, err
	}
	p, err := b.Puzzle()
	if err != nil {
		return nil, &vision.UnsureError{What: fmt.Sprintf("a board that is none: %v", err), Whole: true}
	}
	return &claims.Claim{Puzzle: p, Look: look, Kinds: r.kinds(ends), Walled: !told, Own: r.own(ends, p)}, nil
}

// bare is the board of a grid with nothing in its cells.
func bare(g *grid.Grid) *flow.Builder {
	shape := flow.Square
	if g.Hex {
		shape = flow.Hex
	}
	b := flow.NewBuilder(shape, g.Cols, g.Rows)
	for i, has := range g.Has {
		if !has {
			b.Hole(g.Cell(i))
		}
	}
	return b
}

// look looks at what stands in the cells.
func (r *reading) look() {
	r.blobs = make([]cell.Blob, r.g.Cols*r.g.Rows)
	for i := range r.blobs {
		if r.g.Has[i] {
			r.blobs[i] = r.blob(r.g.Cell(i))
		}
	}
}

// kinds are what cells were taken for: the ends of a pair, empty, or a path's, of which
// nothing is said.
func (r *reading) kinds(ends [][2]int) []string {
	out := make([]string, len(r.blobs))
	for i, b := range r.blobs {
		if r.g.Has[i] && arms(b) == 0 && !b.Aside {
			out[i] = "empty"
		}
	}
	for k, e := range ends {
		for _, i := range e {
			if out[i] = ""; arms(r.blobs[i]) == 0 {
				out[i] = fmt.Sprint("pair ", k)
			}
		}
	}
	return out
}

// The names of evidence that boards of paths have.
const (
	fewPairs = "few pairs for its size"
	written  = "written ends"
	// besideMarks is what stands in cells that are taken for empty beside written ends.
	besideMarks = "written ends beside cells that differ"
	fillsAll    = "written ends with one answer that fills all cells"
	fewWritten  = "few pairs of written ends"
	filledEnds  = "ends that fill their cells"
)

// countSteps bounds the count of a board's answers, in the solver's questions to its
// context.
const countSteps = 500

// own is the family's own evidence.
func (r *reading) own(ends [][2]int, p *flow.Puzzle) posterior.Evidence {
	e := posterior.Evidence{fewPairs: 2 / float64(len(ends))}
	if r.numbers {
		e[written], e[fewWritten] = 1, e[fewPairs]
		e[besideMarks], _ = form.Unlike(r.g, r.kinds(ends), 0)
		all := p.With(flow.Options{})
		if n, err := all.Count(limits.WithSteps(context.Background(), countSteps), 2); err == nil && n == 1 {
			e[fillsAll] = 1
		}
	}
	if r.fills {
		e[filledEnds] = 1
	}
	return e
}

// A reading is a board on its way.
type reading struct {
	g       *grid.Grid
	blobs   []cell.Blob
	bridges []image.Point
	// leaky are cells whose ground runs out of the board, at openings of its outline;
	// odd those where the outline is not seen on either side and the ground does not.
	leaky, odd []image.Point
	end        float64 // the least radius of an end
	numbers    bool    // its ends are numbers or letters
	fills      bool    // its ends fill their cells
	filledEnds []int   // those in which something is written
}

// blob is what stands in a cell's middle; where that is no disc, the one
// that it may be written on.
func (r *reading) blob(c image.Point) cell.Blob {
	b := cell.BlobIn(r.g, c.X, c.Y)
	if (b.Radius < r.end || b.Solid < likeDisc) && b.Contrast >= r.g.Contrast && arms(b) == 0 {
		if p, ok := cell.PlateOf(&r.g.Rectified, c.X, c.Y, b); ok && p.Radius >= r.end && p.Solid >= leastSolid {
			return p
		}
	}
	return b
}

// unsure is unsure of a cell, in words that a person knows better than the doubt's name.
func (r *reading) unsure(i int, what string, says ...string) error {
	at := r.g.Cell(i).Mul(2).Add(image.Pt(1, 1))
	if r.g.Hex {
		at.Y -= at.X / 2 & 1
	}
	return &vision.UnsureError{What: what, At: at, Says: strings.Join(says, "")}
}
