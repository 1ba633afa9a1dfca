package gf2

import (
	"context"
	"math/bits"
)

// A Grid is the system of lamps on a whole grid whose switches flip the lamps beside
// them, and their own where Own is set: an unknown and an equation for each cell, row
// by row.
//
// Lights are chased down the rows: the first row of unknowns decides all others, so that
// as many unknowns are left as a row has. What chasing does to them is a polynomial in
// the matrix S that adds neighbours in a row. The first cell of a row generates all rows
// by S, so rows are polynomials modulo the least one that S meets, and one extended
// Euclid in place of an elimination tells the first row and the kernel (K. Sutner, The
// σ-game and cellular automata, 1990). All is done in cells × a few operations on
// words of 64.
type Grid struct {
	Cols, Rows int
	Own        bool
	Need       Vec // by cell: the lamps to be flipped
}

// Solution is what Solve finds: one answer, and how many vectors a basis of the kernel
// has.
type Solution struct {
	X    Vec
	Free int

	c      *chase
	period poly // of the first rows in the kernel
}

// A chase is a grid with its short side across.
type chase struct {
	Grid
	turned     bool
	wide, high int
	w          *worker
}

// Solve returns an answer; ok is false when there is none. The error is the context's.
func (g Grid) Solve(ctx context.Context) (s *Solution, ok bool, err error) {
	c := &chase{Grid: g, turned: g.Cols > g.Rows, wide: min(g.Cols, g.Rows), high: max(g.Cols, g.Rows), w: &worker{ctx: ctx, err: ctx.Err()}}
	one := NewVec(c.wide)
	one.Flip(0)
	before, whole := poly(nil), poly{1} // what S meets, of rows up to that long
	for range c.wide {
		before, whole = whole, whole.shifted().plus(before)
		if c.w.ended(len(whole)) {
			return nil, false, c.w.err
		}
	}
	below := c.poly(c.run(one, false, nil))
	missing := c.poly(c.run(NewVec(c.wide), true, nil))
	gcd, times := c.euclid(below, whole)
	part, rest := c.divide(missing, gcd)
	if c.w.err != nil {
		return nil, false, c.w.err
	}
	if rest.degree() >= 0 {
		return nil, false, nil
	}
	s = &Solution{Free: gcd.degree(), c: c}
	s.period, _ = c.divide(whole, gcd)
	_, first := c.divide(c.times(times, part), s.period)
	s.X = c.board(c.row(first), true)
	return s, c.w.err == nil, c.w.err
}

// Kernel is a vector of the kernel's basis, 0 to Free-1; not a whole one where the context
// of Solve ended.
func (s *Solution) Kernel(i int) Vec {
	p := append(make(poly, i/64), s.period...)
	for range i % 64 {
		p = p.shifted()
	}
	return s.c.board(s.c.row(p), false)
}

// Lightest is Lightest for a grid. So many vectors are looked at as effort says for
// boards of up to 2^15 cells, and fewer of larger ones, so that it takes no longer.
func (s *Solution) Lightest(ctx context.Context, effort int) BestAnswer {
	w := &worker{ctx: ctx, err: ctx.Err()}
	some := min(s.Free, bits.Len(uint(effort/max(1, len(s.X)>>9)))-1)
	basis := make([]Vec, some)
	for i := range basis {
		if basis[i] = s.Kernel(i); w.ended(len(s.X)) {
			return BestAnswer{X: s.X, Weight: s.X.Weight()}
		}
	}
	x, least := gray(w, s.X, basis)
	if some < s.Free {
		least = 0
	}
	return BestAnswer{X: x, Weight: x.Weight(), Bound: least}
}

// Refute is Refute for a grid without an answer: cells whose lamps every switch flips an
// even number of, but of which an odd number are to be flipped.
func (g Grid) Refute(ctx context.Context) (cells Vec, ok bool, err error) {
	// The matrix is symmetric: such cells are the kernel.
	even := g
	even.Need = NewVec(g.Cols * g.Rows)
	s, _, err := even.Solve(ctx)
	if err != nil {
		return nil, false, err
	}
	for i := range s.Free {
		v := s.Kernel(i)
		odd := 0
		for k, x := range v {
			odd ^= bits.OnesCount64(x&g.Need[k]) & 1
		}
		if s.c.w.err != nil {
			return nil, false, s.c.w.err
		}
		if odd == 1 && (cells == nil || v.Weight() < cells.Weight()) {
			cells = v
		}
	}
	return cells, cells != nil, nil
}

// need is a row of the lamps to be flipped.
func (c *chase) need(y int, row Vec) {
	clear(row)
	if c.turned {
		for x := range c.wide {
			if c.Need.Bit(x*c.Cols + y) {
				row[x/64] |= 1 << (x % 64)
			}
		}
		return
	}
	c.Need.copyTo(row, y*c.wide, c.wide)
}

// copyTo copies n bits from bit i on to the front of row.
func (v Vec) copyTo(row Vec, i, n int) {
	for k := range row {
		at := i + 64*k
		row[k] = v[at/64] >> (at % 64)
		if at%64 > 0 && at/64+1 < len(v) {
			row[k] |= v[at/64+1] << (64 - at%64)
		}
	}
	if n%64 > 0 {
		row[len(row)-1] &= 1<<(n%64) - 1
	}
}

// run chases the lights down from a first row, of the lamps to be flipped or of none, and
// returns what would stand below the last row. visit sees each row.
func (c *chase) run(first Vec, need bool, visit func(y int, row Vec)) Vec {
	above, here, next := NewVec(c.wide), first.Clone(), NewVec(c.wide)
	for y := range c.high {
		if c.w.ended(4 * len(here)) {
			return here
		}
		if visit != nil {
			visit(y, here)
		}
		if need {
			c.need(y, next)
		} else {
			clear(next)
		}
		carry := uint64(0)
		for k, x := range here {
			v := next[k] ^ above[k] ^ x<<1 ^ carry ^ x>>1
			if k+1 < len(here) {
				v ^= here[k+1] << 63
			}
			if c.Own {
				v ^= x
			}
			carry = x >> 63
			next[k] = v
		}
		c.trim(next)
		above, here, next = here, next, above
	}
	return here
}

// trim clears what lies beyond a row's end.
func (c *chase) trim(row Vec) {
	if c.wide%64 > 0 {
		row[len(row)-1] &= 1<<(c.wide%64) - 1
	}
}

// board is all cells of which the first row is known.
func (c *chase) board(first Vec, need bool) Vec {
	all := NewVec(c.Cols * c.Rows)
	c.run(first, need, func(y int, row Vec) {
		for k, x := range row {
			if c.turned {
				for ; x != 0; x &= x - 1 {
					all.Flip((64*k+bits.TrailingZeros64(x))*c.Cols + y)
				}
				continue
			}
			at := y*c.wide + 64*k
			all[at/64] |= x << (at % 64)
			if at%64 > 0 && at/64+1 < len(all) {
				all[at/64+1] |= x >> (64 - at%64)
			}
		}
	})
	return all
}

// poly is the polynomial that makes a row of the row whose first cell alone is 1. The i-th
// cell alone is made by one that follows from those of the two before it, as cells
// do: so it is summed from the last cell on.
func (c *chase) poly(row Vec) poly {
	var here, after poly
	for x := c.wide - 1; x >= 0 && !c.w.ended(len(here)); x-- {
		here, after = here.shifted().plus(after), here
		if row.Bit(x) {
			here = here.plus(poly{1})
		}
	}
	return here
}

// row is the row that a polynomial makes.
func (c *chase) row(p poly) Vec {
	row, next := NewVec(c.wide), NewVec(c.wide)
	for i := p.degree(); i >= 0 && !c.w.ended(2*len(row)); i-- {
		carry := uint64(0)
		for k, x := range row {
			next[k] = x<<1 ^ carry ^ x>>1
			if k+1 < len(row) {
				next[k] ^= row[k+1] << 63
			}
			carry = x >> 63
		}
		c.trim(next)
		if Vec(p).Bit(i) {
			next[0] ^= 1
		}
		row, next = next, row
	}
	return row
}

// A poly is a polynomial over GF(2): bit i is the coefficient of the i-th power.
type poly []uint64

// degree is the highest power, -1 of nothing.
func (p poly) degree() int {
	for k := len(p) - 1; k >= 0; k-- {
		if p[k] != 0 {
			return 64*k + 63 - bits.LeadingZeros64(p[k])
		}
	}
	return -1
}

// shifted is the polynomial times its variable.
func (p poly) shifted() poly {
	q := make(poly, len(p), len(p)+1)
	carry := uint64(0)
	for k, x := range p {
		q[k] = x<<1 | carry
		carry = x >> 63
	}
	if carry != 0 {
		q = append(q, carry)
	}
	return q
}

func (p poly) plus(q poly) poly {
	if len(p) < len(q) {
		p, q = q, p
	}
	sum := append(poly(nil), p...)
	for k, x := range q {
		sum[k] ^= x
	}
	return sum
}

// add adds q times the n-th power of the variable in place; p is long enough.
func (p poly) add(q poly, n int) {
	to, by := p[n/64:], n%64
	for k, x := range q {
		if x == 0 {
			continue
		}
		to[k] ^= x << by
		if high := x >> (64 - by); by > 0 && high != 0 {
			to[k+1] ^= high
		}
	}
}

func (c *chase) times(p, q poly) poly {
	product := make(poly, len(p)+len(q)+1)
	for i := range 64 * len(p) {
		if Vec(p).Bit(i) && !c.w.ended(len(q)) {
			product.add(q, i)
		}
	}
	return product
}

// divide returns the quotient and what is left; q is not nothing unless the context has
// ended.
func (c *chase) divide(p, q poly) (quotient, left poly) {
	quotient, left = make(poly, len(p)+1), append(poly(nil), p...)
	low := q.degree()
	q = q[:low/64+1]
	for d := left.degree(); d >= low && low >= 0 && !c.w.ended(len(q)); d = left.degree() {
		left.add(q, d-low)
		Vec(quotient).Flip(d - low)
		left = left[:d/64+1]
	}
	return quotient, left
}

// euclid returns the greatest common divisor of p and q, and a polynomial that makes it
// of p, modulo q.
func (c *chase) euclid(p, q poly) (gcd, times poly) {
	n := max(len(p), len(q)) + 1
	a, b := append(make(poly, 0, n), p...), append(make(poly, 0, n), q...)
	s, t := make(poly, 2*n), make(poly, 2*n) // of p in a and in b
	s[0] = 1
	da, db := a.degree(), b.degree()
	for da >= 0 && !c.w.ended(4*n) {
		if da > db {
			a, b, s, t, da, db = b, a, t, s, db, da
			continue
		}
		// b loses its highest power.
		b.add(a[:da/64+1], db-da)
		t.add(s[:s.degree()/64+1], db-da)
		if b = b[:db/64+1]; b.degree() < 0 {
			return a, s
		}
		db = b.degree()
	}
	return b, t
}
