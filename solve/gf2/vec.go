// Package gf2 solves systems of linear equations over GF(2), and over the
// integers modulo any k. It finds an answer, all answers (one answer and the
// generators of the kernel), the lightest answer, and, when there is none, the
// combination of equations that shows it.
//
// Equations are held as windows of a bit-packed row, from the first word that
// holds a coefficient to the last. Columns are put in an order in which
// neighbours stand close together (Cuthill and McKee, 1969), so the windows of
// a grid stay as narrow as the grid's short side: elimination then costs
// columns × side², not columns³.
package gf2

import "math/bits"

// A Vec is a vector over GF(2): bit i is bit i%64 of word i/64.
type Vec []uint64

// NewVec returns a zero vector of n bits.
func NewVec(n int) Vec { return make(Vec, (n+63)/64) }

// Bit tells bit i.
func (v Vec) Bit(i int) bool { return v[i/64]>>(i%64)&1 == 1 }

// Flip changes bit i.
func (v Vec) Flip(i int) { v[i/64] ^= 1 << (i % 64) }

// Xor adds w to v; both have the same length.
func (v Vec) Xor(w Vec) {
	for i, x := range w {
		v[i] ^= x
	}
}

// Weight is the number of ones.
func (v Vec) Weight() int {
	n := 0
	for _, x := range v {
		n += bits.OnesCount64(x)
	}
	return n
}

// Clone returns a copy.
func (v Vec) Clone() Vec { return append(Vec(nil), v...) }

// Ones lists the places of the ones, ascending.
func (v Vec) Ones() []int {
	var at []int
	for i, x := range v {
		for ; x != 0; x &= x - 1 {
			at = append(at, i*64+bits.TrailingZeros64(x))
		}
	}
	return at
}
