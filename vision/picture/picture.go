// Package picture holds what boards are drawn with: shapes in half-cells, and
// the terminal, SVG and pixels that they are drawn in. The packages below it
// draw one family's boards each. Nothing here imports OpenCV.
package picture

// A Point is a place on a board, in half-cells.
type Point struct {
	X, Y float64
}
