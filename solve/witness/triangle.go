package witness

import "image"

// wrongTriangles are the cells with another number of covered sides than of
// triangles. A side on which the line begins or ends counts.
func wrongTriangles(v *view) []image.Point {
	var wrong []image.Point
	for at, s := range v.left(Triangle) {
		if v.line.sides(at) != s.Count {
			wrong = append(wrong, at)
		}
	}
	return wrong
}

// sides is how many sides of a cell the lines cover.
func (l *play) sides(cell image.Point) int {
	n := 0
	for _, d := range beside {
		if l.covered(cell.Add(d)) {
			n++
		}
	}
	return n
}
