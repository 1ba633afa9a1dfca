// Package cellset has sets of a board's cells, and what is come to from them through the
// joins of cells: rows of bits, of which whole words are moved at once.
package cellset

import "math/bits"

// A Set has a bit for each cell (a bitboard).
type Set []uint64

// New is an empty set of so many cells.
func New(cells int) Set { return make(Set, (cells+63)/64) }

// Has tells whether a cell is in the set.
func (s Set) Has(x int32) bool { return s[x>>6]>>(x&63)&1 == 1 }

// Add adds a cell.
func (s Set) Add(x int32) { s[x>>6] |= 1 << (x & 63) }

// Drop takes a cell out.
func (s Set) Drop(x int32) { s[x>>6] &^= 1 << (x & 63) }

// Each calls visit for every cell of the set, in their order, until it returns false,
// as each does then.
func (s Set) Each(visit func(x int32) bool) bool {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			if !visit(int32(i*64 + bits.TrailingZeros64(w))) {
				return false
			}
		}
	}
	return true
}
