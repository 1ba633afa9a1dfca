// Package gf2 solves systems of linear equations over GF(2). It finds an answer, all
// answers (one answer and a basis of the kernel), the lightest answer, and, when there
// is none, the combination of equations that shows it.
//
// Equations are held as windows of a bit-packed row, from the first word that
// holds a coefficient to the last. Where unknowns that share equations are numbered
// close together windows stay narrow: those of a grid that is numbered along its short
// side are as wide as that, and elimination costs columns × side², not columns³.
package gf2

import (
	"context"
	"math/bits"
	"slices"
)

// A System is a set of equations over GF(2).
type System struct {
	cols int
	eqs  [][]int
	rhs  []bool
}

// NewSystem returns a system of no equations in cols unknowns.
func NewSystem(cols int) *System { return &System{cols: cols} }

// Grow makes room for n more equations.
func (s *System) Grow(n int) { s.eqs, s.rhs = slices.Grow(s.eqs, n), slices.Grow(s.rhs, n) }

// Add adds the equation: the sum of the unknowns cols is rhs. A column named
// twice cancels. The slice is kept and must not change.
func (s *System) Add(cols []int, rhs bool) {
	s.eqs = append(s.eqs, cols)
	s.rhs = append(s.rhs, rhs)
}

// A row is an equation. bits[0] is word lo of the whole row.
type row struct {
	bits []uint64
	lo   int32
	next int32 // of the same first column, -1 at the end
	rhs  bool
}

// A form is an echelon form: pivot[i] is the row whose first column is i, or -1 where
// the unknown is free.
type form struct {
	rows  []row
	pivot []int32
	cols  int
	w     *worker
}

// reduce brings the system to echelon form; it is false when the equations
// contradict each other, or the context ended.
func (s *System) reduce(w *worker) (*form, bool) {
	f := &form{rows: make([]row, len(s.eqs)), pivot: make([]int32, s.cols), cols: s.cols, w: w}
	head := make([]int32, s.cols)
	for i := range head {
		head[i], f.pivot[i] = -1, -1
	}
	// Rows are cut from slabs, with room to grow to twice their width:
	// eliminating makes a row as long as the longer of two.
	var slab []uint64
	for i, eq := range s.eqs {
		lo, hi := s.cols, -1
		for _, c := range eq {
			lo, hi = min(lo, c), max(hi, c)
		}
		if w.ended(len(eq) + max(0, hi-lo)/16) {
			return nil, false
		}
		r := &f.rows[i]
		r.rhs = s.rhs[i]
		if hi < 0 {
			if r.rhs {
				return nil, false
			}
			continue
		}
		n := hi/64 - lo/64 + 1
		room := min(2*n+1, (s.cols+63)/64-lo/64)
		if len(slab) < room {
			slab = make([]uint64, max(room, min(room*(len(s.eqs)-i), 4096)))
		}
		r.lo, r.bits = int32(lo/64), slab[:n:room]
		slab = slab[room:]
		for _, c := range eq {
			p := c - lo/64*64
			r.bits[p/64] ^= 1 << (p % 64)
		}
		if !r.file(head, int32(i)) && r.rhs {
			return nil, false
		}
	}
	for c := range s.cols {
		first := head[c]
		if first < 0 {
			continue
		}
		// The shortest row is the pivot, so that the others grow least.
		p := first
		for i := f.rows[first].next; i >= 0; i = f.rows[i].next {
			if f.rows[i].end() < f.rows[p].end() {
				p = i
			}
		}
		pr := &f.rows[p]
		if w.ended(1) {
			return nil, false
		}
		for i := first; i >= 0; {
			r := &f.rows[i]
			next := r.next
			if i != p {
				if r.add(pr); w.ended(len(pr.bits)) {
					return nil, false
				}
				if !r.file(head, i) && r.rhs {
					return nil, false
				}
			}
			i = next
		}
		f.pivot[c] = p
	}
	return f, true
}

func (r *row) end() int { return int(r.lo) + len(r.bits) }

// add adds p to r; both begin with the same word.
func (r *row) add(p *row) {
	for len(r.bits) < len(p.bits) {
		r.bits = append(r.bits, 0)
	}
	b := r.bits[:len(p.bits)]
	for i, x := range p.bits {
		b[i] ^= x
	}
	r.rhs = r.rhs != p.rhs
}

// file puts row i into the list of its first column; it is false when the row
// holds no column any more.
func (r *row) file(head []int32, i int32) bool {
	for len(r.bits) > 0 && r.bits[0] == 0 {
		r.bits = r.bits[1:]
		r.lo++
	}
	if len(r.bits) == 0 {
		return false
	}
	c := int(r.lo)*64 + bits.TrailingZeros64(r.bits[0])
	r.next = head[c]
	head[c] = i
	return true
}

// back fills in the pivots' unknowns, last to first, as far as the context lets it.
func (f *form) back(x Vec, homogeneous bool) {
	for c := f.cols - 1; c >= 0; c-- {
		p := f.pivot[c]
		if p < 0 {
			continue
		}
		r := &f.rows[p]
		if f.w.ended(len(r.bits)) {
			return
		}
		var sum uint64
		for i, b := range r.bits {
			sum ^= b & x[int(r.lo)+i]
		}
		odd := bits.OnesCount64(sum)&1 == 1
		if odd != (r.rhs && !homogeneous) {
			x.Flip(c)
		}
	}
}

func (f *form) kernel() []Vec {
	var k []Vec
	for c := range f.cols {
		if f.pivot[c] < 0 {
			if f.w.ended(2 * f.cols / 64) {
				return nil
			}
			x := NewVec(f.cols)
			x.Flip(c)
			f.back(x, true)
			k = append(k, x)
		}
	}
	return k
}

// Solve returns one answer and a basis of the kernel, so that all answers are
// x plus the sums of basis vectors; ok is false when there is none. The
// basis is systematic: each vector has an unknown that no other holds. The error
// is the context's.
func (s *System) Solve(ctx context.Context) (x Vec, kernel []Vec, ok bool, err error) {
	w := &worker{ctx: ctx, err: ctx.Err()}
	f, ok := s.reduce(w)
	if !ok {
		return nil, nil, false, w.err
	}
	x = NewVec(s.cols)
	f.back(x, false)
	kernel = f.kernel()
	if w.err != nil {
		return nil, nil, false, w.err
	}
	return x, kernel, true, nil
}

// Refute returns a set of equations, a bit for each in the order they were
// added, whose left sides add up to nothing and whose right sides do not; ok
// is false when the system has an answer. Of the basis that it finds it
// returns the smallest. The error is the context's.
func (s *System) Refute(ctx context.Context) (equations Vec, ok bool, err error) {
	w := &worker{ctx: ctx, err: ctx.Err()}
	// The sets whose left sides cancel are the kernel of the transpose.
	t := NewSystem(len(s.eqs))
	t.eqs = transposed(w, s.cols, s.eqs)
	if w.err != nil {
		return nil, false, w.err
	}
	t.rhs = make([]bool, len(t.eqs))
	f, ok := t.reduce(w) // nothing but the context ends it
	if !ok {
		return nil, false, w.err
	}
	var best Vec
	for _, y := range f.kernel() {
		odd := false
		for _, e := range y.Ones() {
			odd = odd != s.rhs[e]
		}
		if odd && (best == nil || y.Weight() < best.Weight()) {
			best = y
		}
	}
	return best, best != nil && w.err == nil, w.err
}

// transposed lists by column the equations that hold it; nil where the worker has ended.
func transposed(w *worker, cols int, eqs [][]int) [][]int {
	list := make([][]int, cols)
	for e, eq := range eqs {
		if w.ended(missed * len(eq)) {
			return nil
		}
		for _, c := range eq {
			list[c] = append(list[c], e)
		}
	}
	return list
}

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

// askEvery is how many words or coefficients are worked on between two looks at
// the context: about a millisecond's worth.
const askEvery = 1 << 20

// missed is how much work a step counts as whose memory is in no cache.
const missed = 32

// A worker asks the context whether to go on.
type worker struct {
	ctx  context.Context
	done int   // since it was asked last
	err  error // the context's, once it ended
}

// ended counts work, and tells whether the context has ended.
func (w *worker) ended(work int) bool {
	if w.done += work; w.done >= askEvery {
		w.done = 0
		if w.err == nil {
			w.err = w.ctx.Err()
		}
	}
	return w.err != nil
}
