// Package witness is the panels of The Witness as a family of puzzles. It is a face:
// what it does stands in the rooms.
//
//	board         panels, symbols, rule sets: data
//	forms         text, links and JSON
//	rules         Check
//	search        the solver
//	deal          the generator and the Challenge
//	proof         why there is no answer
//	edit          panels changed by hand
//	symbols       kinds of symbols from files
//	witnesstest   panels for tests
//
// A kind of symbol is data in board; rules, search and deal each have a table with a
// row for it, or read its columns.
package witness
