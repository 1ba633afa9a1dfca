package witness

import "image"

// wrongStars are the stars whose region does not hold exactly two things of
// their colour. Dots never count.
func wrongStars(v *view) []image.Point {
	count := map[Colour]int{}
	for c, n := range v.extra {
		count[c] += n
	}
	for _, s := range v.left(Square, Star, Triangle, Polyomino, Negative) {
		if s.Colour != "" {
			count[s.Colour]++
		}
	}
	var wrong []image.Point
	for at, s := range v.left(Star) {
		if count[s.Colour] != 2 {
			wrong = append(wrong, at)
		}
	}
	return wrong
}
