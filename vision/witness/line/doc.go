// Package line reads the lines of a view in the game's look: layouts of what an edge, a
// node and a way out may show are drawn once for a width and blur, fitted to samples by
// least squares, and give the evidence for starts, dots, breaks, missing edges and ends.
package line
