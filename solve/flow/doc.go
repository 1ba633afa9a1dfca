// Package flow joins pairs of ends by paths that do not cross: Flow Free,
// where every cell is filled, and Numberlink, where cells may stay empty.
//
// A board is square, hexagonal (odd columns half a cell higher) or loose (no
// neighbours but those joined one by one, so that any graph can be a board);
// it has holes, walls, bridges on which two paths cross straight over, joined
// borders (torus), and single joins between any two cells. A Builder makes
// one.
//
// # Text
//
// The canonical text of a board:
//
//	flow 4x3 torus
//	A.+B
//	#...
//	.BA.
//	walls 0,0|3,0 1,1|2,1
//	joins 0,0~2,2
//
// After the size stand words where they apply: hex or loose, torus, any (cells
// may stay empty), notouch (no path passes two neighbouring cells without
// going from one to the other). Then the rows: a letter for an end, each twice
// on the board, `.` an empty cell, `#` a hole, `+` a bridge. With more than 52
// pairs the ends are numbers, and spaces stand between all cells. Lines of
// walls and joins may follow; cells are column,row from 0. A wall between
// cells on opposite borders closes the way round there. A file may hold many
// boards one after the other.
//
// Also read: plain rows, with or without spaces between the cells, or as a list
// (`[[1, ., 2], …]`, `["A.B", …]`), perhaps after a line of the size and comments
// (`# ` and words that are no cells). With a line of the size any sign may be an end
// where . is an empty cell, boards may follow without an empty line, and "0 0" ends them. `.`, `-`, `*` and `_` are empty cells, and so
// is 0 unless it stands twice beside another sign or letters. Where all ends are
// numbers, as Numberlink is printed, cells may stay empty; otherwise all are
// filled. Rows of 0 and 1 alone are no board of this family.
//
// Further the links and files of puzz.link (numlin and arukone: cells may stay
// empty; `puzz.link/p?numlin/3/3/1g2i1g2`, and what begins with `pzprv3`), the
// level lines of Flow Free's packs, of which the paths' ends alone are used, and
// fz files (blocks `puzzle NAME` … `end`; lines `fill any` and `notouch` are known in addition).
//
// # Answers
//
// An answer is a stroke for each pair, from the end that comes first in reading
// order, cell by cell. Over a joined border a stroke ends on the border and the
// path goes on with the next stroke on the other side; over a single join it
// ends in the one cell and goes on in the other.
//
// Whether a Flow Free board has one answer is meant without paths that touch
// themselves: count With NoTouch. Answers that touch themselves are looked for
// when there is no other.
//
// # How it is solved
//
// A plain board, square and without holes, walls, bridges and joins, is first filled
// cell by cell along its diagonals, for some milliseconds at most: in an answer that
// fills all and in which no path touches itself, turns stand in diagonals that begin at
// ends alone (T. D. Ahle found that), which leaves few to try.
//
// Else by the engine of package path: every cell's degree, the ends' pairs, and the
// clause that no path takes three sides of a unit square (two of a triangle),
// first; without that clause when nothing is found. Where cells may stay empty,
// filling all is tried beside it, since most printed boards have such an
// answer and it is found a hundred times sooner.
//
// # How fast
//
// Of 9,164 collected boards of Flow Free half take less than 0.1 ms and the
// worst 50 ms; printed Numberlink boards 0.1 ms, 40×20 cells 1.5 ms, 50×50 some
// 0.1 s. `go test ./solve/flow -bench .` measures it.
package flow
