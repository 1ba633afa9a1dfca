// Package cell reads the cells of a view in the game's look: what stands in a cell is
// separated from its ground, templates propose symbols, these are fitted to the frame's
// own pixels, and all cells together decide what is in doubt.
package cell
