package witness

import "image"

// wrongSquares are all squares of the region when they have two colours.
func wrongSquares(v *view) []image.Point {
	var squares []image.Point
	colours := map[Colour]bool{}
	for at, s := range v.left(Square) {
		squares = append(squares, at)
		colours[s.Colour] = true
	}
	if len(colours) < 2 {
		return nil
	}
	return squares
}
