package part

// Rays is in how many directions it is measured how far something reaches.
const Rays = 48

// What parts have that are cells, at least, and how many columns or rows boards have, at most.
const (
	LeastSide = 7   // pixels of a cell's ground: cells of 12 px less the lines' blur
	LeastFull = 0.2 // of its box that a part fills: a ring of ground round a large disc
	MostSides = 80
)
