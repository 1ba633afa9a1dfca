// Package colour tells which colours of one board are one: what mixing with the ground
// and fainter light do to a colour, which steps between colours tell, and names.
package colour
