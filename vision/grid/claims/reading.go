// Package claims reads the grids of a scene by what a family claims that each shows, and
// accounts for what the claim explains of the picture and what it leaves.
package claims

import (
	"image"
	"slices"

	"onlooker/calibrations"
	"onlooker/solve"
	"onlooker/vision"
	"onlooker/vision/grid"
	"onlooker/vision/posterior"
)

// A Reading is one board that a family found in a scene: its puzzle, or why it
// cannot be told.
type Reading struct {
	Board  *vision.Board
	Puzzle solve.Puzzle
	// Look is whose colours or forms told what the board shows; nil: none's, its
	// structure alone did.
	Look *calibrations.Profile
	Err  error
	// Evidence is what the reading explains of the picture and what it leaves; nil with an
	// error.
	Evidence posterior.Evidence
	// Seen is what the grid shows, whoever reads it.
	Seen func() posterior.Evidence
}

// A ReadFunc reads the board that a grid shows.
type Func func(*grid.Grid) (*Claim, error)

// Read reads the scene's grids, the largest first. What lies on a larger grid,
// whether that could be read or not, is part of it, unless it has more cells or
// lies within one of its cells, as a board on a page of cards does. Of those that could not be
// read only the largest is given, and none where something was read.
func Read(s *grid.Scene, contrast int, read Func) []Reading {
	return ReadGrids(s, s.Grids(contrast), Whole(read))
}

// Whole refuses grids beside which there are cells that were cut off.
func Whole(read Func) Func {
	return func(g *grid.Grid) (*Claim, error) {
		if g.Beyond {
			return nil, vision.CutOff("cells beyond the board, which may be a part of one")
		}
		return read(g)
	}
}

// asked are the grids that have as many columns and rows as a person said, and of larger ones the
// parts that have: beside a board a title may lie on its lattice.
func asked(s *grid.Scene, list []*grid.Grid) (out []*grid.Grid) {
	if s.Size == (image.Point{}) {
		return list
	}
	const most = 3 // columns and rows beside it
	for _, g := range list {
		for y := range max(0, min(most, g.Rows-s.Size.Y)+1) {
			for x := range max(0, min(most, g.Cols-s.Size.X)+1) {
				part := g.Part(image.Rectangle{Min: image.Pt(x, y), Max: image.Pt(x, y).Add(s.Size)})
				part.Beyond = false // there are none that belong to it
				out = append(out, part)
			}
		}
	}
	return out
}

// ReadGrids is Read for some grids, the largest first, those among them beside which
// there are cells that were cut off: for boards that show whether they are whole.
func ReadGrids(s *grid.Scene, list []*grid.Grid, read Func) []Reading {
	var out []Reading
	var unread *Reading
	var tried []*grid.Grid
	for _, g := range asked(s, list) {
		if s.Over() {
			break
		}
		if s.Size == (image.Point{}) && slices.ContainsFunc(tried, func(o *grid.Grid) bool { return o.Cells() >= g.Cells() && g.PartOf(&o.Lattice) }) {
			continue
		}
		tried = append(tried, g)
		b, err := vision.Placed(image.Pt(s.W, s.H), g.Cols, g.Rows, g.Quad())
		if err != nil {
			continue
		}
		for i, has := range g.Has {
			if !has && !g.Hex {
				b.Unlike = append(b.Unlike, image.Pt(2*(i%g.Cols)+1, 2*(i/g.Cols)+1))
			}
		}
		shows := func() posterior.Evidence { return seen(g) }
		claim, err := read(g)
		var a *account
		if err == nil {
			if a = newAccount(g); !claim.Fills && !s.Sized(g) {
				err = a.cut()
			}
		}
		if err == nil {
			out = append(out, Reading{Board: b, Puzzle: claim.Puzzle, Look: claim.Look, Evidence: a.of(claim), Seen: shows})
		} else if unread == nil {
			unread = &Reading{Board: b, Err: err, Seen: shows}
		}
	}
	if len(out) == 0 && unread != nil {
		out = append(out, *unread)
	}
	return out
}
