// Package witnesstest has panels for the tests of the rooms: any small ones, mixes of
// any size and those that people made, and the answers that brute force finds.
package witnesstest
