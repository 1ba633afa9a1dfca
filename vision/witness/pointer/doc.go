// Package pointer finds the game's pointer over a board, and the disc that shrinks onto
// it, fits them as layers that are mixed with what lies below, and takes them off.
package pointer
