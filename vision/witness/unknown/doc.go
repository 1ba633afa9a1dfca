// Package unknown reads boards in a look of which nothing is known, by the common shapes
// of package bank and by the board's own clear places.
package unknown
