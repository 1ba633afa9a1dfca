package grid

import (
	"image"
	"math"
	"slices"

	"onlooker/calibrations"
	"onlooker/solve"
	"onlooker/vision"
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
}

// A ReadFunc reads the board that a grid shows.
type ReadFunc func(*Grid) (*Claim, error)

// Read reads the scene's grids, the largest first. What lies on a larger grid,
// whether that could be read or not, is part of it, unless it has more cells or
// lies within one of its cells, as a board on a page of cards does. Of those that could not be
// read only the largest is given, and none where something was read.
func (s *Scene) Read(contrast int, read ReadFunc) []Reading {
	return s.ReadGrids(s.Grids(contrast), Whole(read))
}

// Whole refuses grids beside which there are cells that were cut off.
func Whole(read ReadFunc) ReadFunc {
	return func(g *Grid) (*Claim, error) {
		if g.Beyond {
			return nil, &vision.UnsureError{What: "cells beyond the board, which may be a part of one"}
		}
		return read(g)
	}
}

// ReadGrids is Read for some grids, the largest first, those among them beside which
// there are cells that were cut off: for boards that show whether they are whole.
func (s *Scene) ReadGrids(list []*Grid, read ReadFunc) []Reading {
	var out []Reading
	var unread *Reading
	var tried []*Grid
	for _, g := range list {
		if slices.ContainsFunc(tried, func(o *Grid) bool { return o.Cells() >= g.Cells() && g.PartOf(&o.Lattice) }) {
			continue
		}
		tried = append(tried, g)
		b, err := vision.Placed(image.Pt(s.W, s.H), g.Cols, g.Rows, g.Quad())
		if err != nil {
			continue
		}
		claim, err := read(g)
		var a *account
		if err == nil {
			a = newAccount(g)
			err = a.cut()
		}
		if err == nil {
			out = append(out, Reading{Board: b, Puzzle: claim.Puzzle, Look: claim.Look, Evidence: a.of(claim)})
		} else if unread == nil {
			unread = &Reading{Board: b, Err: err}
		}
	}
	if len(out) == 0 && unread != nil {
		out = append(out, *unread)
	}
	return out
}

// Coarser tells whether a grid has no more cells than another, and no smaller ones: of
// half the area at the most, as those of a finer lattice are.
func (g *Lattice) Coarser(o *Lattice) bool {
	return g.Cells() <= o.Cells() && 2*g.Pitch[0]*g.Pitch[1] > o.Pitch[0]*o.Pitch[1]
}

// PartOf tells whether a grid lies on another, and not within one of its cells.
func (g *Lattice) PartOf(o *Lattice) bool {
	q := g.Quad()
	in := g.Pixel(float64(g.Cols)/2, float64(g.Rows)/2)
	if !o.Inside(in) {
		return false
	}
	at := func(p vision.Point) image.Point {
		u := o.from.apply(p.X, p.Y)
		return image.Pt(int(math.Floor(u.X)), int(math.Floor(u.Y)))
	}
	cell := at(in)
	for _, p := range q {
		if at(p) != cell {
			return true
		}
	}
	return false
}
