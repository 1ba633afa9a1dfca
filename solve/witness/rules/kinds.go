package rules

import (
	"image"
	"slices"

	"onlooker/solve"
	"onlooker/solve/witness/board"
)

var standard = Table{
	board.Hexagon:   wrongDots,
	board.Polyomino: wrongPieces,
	board.Negative:  wrongPieces,
	board.Triangle:  wrongTriangles,
	board.Square:    wrongSquares,
	board.Star:      wrongStars,
	board.Eraser:    nil, // see judge
}

// Rows are the rows of Kinds.
func Rows() Table { return standard }

// Rules are what Check can find broken: the line's, then the symbols'.
func Rules(kinds []board.Kind) []solve.Rule {
	all := LineRules()
	for _, k := range kinds {
		if r := k.About().Rule; !slices.ContainsFunc(all, func(o solve.Rule) bool { return o.Name == r.Name }) {
			all = append(all, r)
		}
	}
	return all
}

// wrongDots are the dots that no line covers: own are no others.
func wrongDots(_ *View, own []image.Point) []image.Point { return own }

// wrongPieces are all pieces of a kind when there is no way to lay all of a region.
func wrongPieces(v *View, own []image.Point) []image.Point {
	var pieces []*board.Symbol
	for _, at := range v.Left(board.Kind.IsPiece) {
		pieces = append(pieces, &v.Line.Panel.At(at).Symbol)
	}
	if v.Region.lay(pieces) {
		return nil
	}
	return own
}

// wrongSquares are all squares of the region when they have two colours.
func wrongSquares(v *View, own []image.Point) []image.Point {
	for _, at := range own {
		if v.Line.Panel.At(at).Colour != v.Line.Panel.At(own[0]).Colour {
			return own
		}
	}
	return nil
}

// wrongStars are the stars whose region does not hold exactly two things of their
// colour. Dots never count.
func wrongStars(v *View, own []image.Point) []image.Point {
	count := map[board.Colour]int{}
	for c, n := range v.extra {
		count[c] += n
	}
	for _, at := range v.Left(nil) {
		if s := v.Line.Panel.At(at); s.Colour != "" && !s.Kind.About().Starless {
			count[s.Colour]++
		}
	}
	var wrong []image.Point
	for _, at := range own {
		if count[v.Line.Panel.At(at).Colour] != 2 {
			wrong = append(wrong, at)
		}
	}
	return wrong
}

// wrongTriangles are the cells with another number of covered sides than of triangles. A
// side on which the line begins or ends counts.
func wrongTriangles(v *View, own []image.Point) []image.Point {
	var wrong []image.Point
	for _, at := range own {
		if v.Line.Sides(at) != v.Line.Panel.At(at).Count {
			wrong = append(wrong, at)
		}
	}
	return wrong
}
