// Package look is the model of a look that was learned: its library of templates and
// exemplars, what is measured of a board's places, and how these are matched and read.
package look
