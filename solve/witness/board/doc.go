// Package board is the data of The Witness: panels, their symbols and the rule sets
// that people use. It knows no room; all of them know it.
package board
