// Package look has what is known of a look, its library of templates and its exemplars of
// places, and measures what is compared with them: a board's lines, places and cells.
package look
