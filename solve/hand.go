package solve

import "image"

// A Hand is how an answer to a puzzle is entered by hand, told as data: lines
// that are drawn along a lattice, or choices at places.
type Hand struct {
	Lattice *Lattice // nil: by choices
	Choices []ChoicePlace
}

// A Lattice is what lines are drawn along. Its nodes lie two half-cells apart,
// edges between them.
type Lattice struct {
	Cols, Rows int         // of cells between the nodes
	Origin     image.Point // the puzzle's half-cell at the lattice's (0,0)
	Pillar     bool        // x wraps round
	// Symmetry is how a second line follows: mirror, flip, rotation, parallel
	// or turned, as package witness has them; "" without.
	Symmetry string
	Spots    []Spot // the half-cells of the lattice that are not plain
	// Ends are the pairs of ends, in half-cells of the lattice, that lines lead
	// from one to the other of; without them one line leads from a start to a
	// cap.
	Ends [][2]image.Point
	// Tip says that a stroke ends with the half-cell in its cap.
	Tip bool
}

// A Spot is a half-cell of a lattice.
type Spot struct {
	At    image.Point // of the lattice
	Gap   int         // 0 whole, 1 an edge broken in its middle, 2 missing
	Start bool
	Cap   image.Point // where the end here points; zero: none
	// As is what stands for it in a stroke, in the puzzle's half-cells; nil: it
	// does itself.
	As *image.Point
}

// A ChoicePlace is a place at which one of several things is chosen; the first is
// chosen before anything is.
type ChoicePlace struct {
	At   image.Point
	Ways []Solution // the strokes of each
	Says []string   // each in a word or two
}
