// Package view measures a rectified board: its colours at any place, the usual colours
// of lines and of the ground beside them, contrast, what lies over it and hides pixels,
// how sure what was read of it is, and the numbers that are tuned by hand.
package view
