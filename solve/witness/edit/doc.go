// Package edit changes panels by hand, and tells how their lines are drawn by hand.
package edit
