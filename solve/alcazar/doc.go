// Package alcazar finds the one line through every cell of a walled board that
// comes in at one opening of the border and leaves at another.
//
// # Text
//
// The canonical text is a picture of the board with its size before it:
//
//	alcazar 3x2
//	xxxxx.x
//	x0.0.0x
//	x.x|x.x
//	.0.0.0x
//	xxxxxxx
//
// A `0` is a cell, `x` a wall or a corner, `.` a place where the line may go:
// between two cells, or on the border, where it is an opening. `-` and `|` are
// places where it must go. A file may hold many boards.
//
// Also read: AlcaSAT's .puzzle files, the same picture with a space for `.` and
// no line before it; spaces at the ends of lines may have been cut off, and a
// space may stand between all characters. Blank lines lie between boards.
//
// And two drawings of walls, which show no ways that must be taken. In the outline
// a gap is an opening, and in box drawing an arm that points out; where two cells
// meet there, it is one of both. Lines that begin with # are comments.
//
//   - +---+---+    ╔╩══╦═╗
//     |       |   |    ║▒ ▒║▒║
//   - +   +   +    ║ ║ ║ ║
//     |   |       |    ║▒║▒ ▒║
//     +---+---+   +    ╚═╩══╦╝
//
// # Answers
//
// One stroke, from the opening that comes first (top row, then down the sides,
// then the bottom row) through the cells' centres to the other opening. A line
// and its reverse are one answer.
//
// # How it is solved
//
// By the engine of package path: every cell has degree two, and there is a
// single line. The openings are sorted by the colours of a chessboard before:
// with an even number of cells the line begins on one colour and ends on the
// other, so that its two ends outside are joined each to the openings of one
// colour; with an odd number both are on the colour with more cells. Boards
// whose openings are on the wrong colours need no search at all.
//
// # How fast
//
// A board of 30×30 with the proof that it has one answer takes 0.6 ms, one of
// 50×50 2 ms; of the collected traps none takes 1 ms. `go test ./solve/alcazar -bench .`
// measures it.
package alcazar
