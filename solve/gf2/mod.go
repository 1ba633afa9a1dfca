package gf2

import (
	"context"
	"slices"
)

// A Term is a coefficient times an unknown.
type Term struct{ Col, Coef int }

// A ModSystem is a set of equations modulo k, at most MaxModulus.
//
// A prime k is solved by elimination. Any other is split into its prime
// powers, which are put together again by the Chinese remainder theorem. For
// a prime power p^e a pivot p^v need not be invertible: the row is then also
// kept times p^(e−v), which forgets the pivot and keeps what it asks of the
// other unknowns (J. A. Howell, Spans in the module (Z_m)^s, 1986).
type ModSystem struct {
	k, cols int
	eqs     [][]Term
	rhs     []int
}

// MaxModulus is the largest modulus: products of two residues fit an int.
const MaxModulus = 1 << 30

// NewModSystem returns a system of no equations in cols unknowns modulo k,
// 2 ≤ k ≤ MaxModulus.
func NewModSystem(k, cols int) *ModSystem {
	if k < 2 || k > MaxModulus {
		panic("gf2: modulus out of range")
	}
	return &ModSystem{k: k, cols: cols}
}

// Grow makes room for n more equations.
func (s *ModSystem) Grow(n int) { s.eqs, s.rhs = slices.Grow(s.eqs, n), slices.Grow(s.rhs, n) }

// Add adds the equation: the sum of the terms is rhs. Terms of one column add
// up. The slice is kept and must not change.
func (s *ModSystem) Add(terms []Term, rhs int) {
	s.eqs = append(s.eqs, terms)
	s.rhs = append(s.rhs, mod(rhs, s.k))
}

// A Generator is a vector of the kernel; its multiples 0 … Order−1 are taken.
type Generator struct {
	V     []int // residues mod k
	Order int
}

func mod(a, k int) int {
	if a %= k; a < 0 {
		a += k
	}
	return a
}

// inverse returns 1/a mod k, for a and k without a common factor.
func inverse(a, k int) int {
	r0, r1, s0, s1 := k, mod(a, k), 0, 1
	for r1 != 0 {
		q := r0 / r1
		r0, r1, s0, s1 = r1, r0-q*r1, s1, s0-q*s1
	}
	return mod(s0, k)
}

// A power is p^e, q in all.
type power struct{ p, e, q int }

func powers(k int) []power {
	var ps []power
	for p := 2; k > 1; p++ {
		if p*p > k {
			p = k
		}
		f := power{p: p, q: 1}
		for ; k%p == 0; k /= p {
			f.e++
			f.q *= p
		}
		if f.e > 0 {
			ps = append(ps, f)
		}
	}
	return ps
}

// part splits off the power of p in a, at most p^e: a = unit·p^v.
func (f power) part(a int) (pv, v int) {
	for pv = 1; v < f.e && a%(pv*f.p) == 0; v++ {
		pv *= f.p
	}
	return pv, v
}

// A modRow is an equation over places; co[0] is the coefficient of place lo.
type modRow struct {
	lo  int
	co  []int
	rhs int
}

// trim drops zeros in front; it is false when nothing is left.
func (r *modRow) trim() bool {
	for len(r.co) > 0 && r.co[0] == 0 {
		r.co = r.co[1:]
		r.lo++
	}
	return len(r.co) > 0
}

type modForm struct {
	power
	pivot []*modRow
	w     *worker
}

// modRows are rows by the place of their first coefficient, while they are
// reduced.
type modRows [][]*modRow

// put takes in a row; it is false when that says 0 = something else.
func (b modRows) put(r *modRow) bool {
	if !r.trim() {
		return r.rhs == 0
	}
	b[r.lo] = append(b[r.lo], r)
	return true
}

// modRows are the system's equations modulo f; it is false when one contradicts
// itself, or the context ended.
func (s *ModSystem) modRows(w *worker, f power, place []int) (modRows, bool) {
	bucket := make(modRows, s.cols)
	rows := make([]modRow, len(s.eqs))
	var slab []int
	for i, eq := range s.eqs {
		lo, hi := s.cols, -1
		for _, t := range eq {
			lo, hi = min(lo, place[t.Col]), max(hi, place[t.Col])
		}
		if w.ended(len(eq) + max(0, hi-lo+1)) {
			return nil, false
		}
		// Cut from slabs; a row that grows gets room of its own.
		n := max(0, hi-lo+1)
		if len(slab) < n {
			slab = make([]int, max(n, min(n*(len(s.eqs)-i), 1<<12)))
		}
		r := &rows[i]
		*r = modRow{lo: lo, rhs: s.rhs[i] % f.q, co: slab[:n:n]}
		slab = slab[n:]
		for _, t := range eq {
			at := place[t.Col] - lo
			r.co[at] = mod(r.co[at]+t.Coef%f.q, f.q)
		}
		if !bucket.put(r) {
			return nil, false
		}
	}
	return bucket, true
}

// reduce brings the system to echelon form modulo f; it is false when the
// equations contradict each other, or the context ended.
func (s *ModSystem) reduce(w *worker, f power, place []int) (*modForm, bool) {
	bucket, ok := s.modRows(w, f, place)
	if !ok {
		return nil, false
	}
	m := &modForm{power: f, pivot: make([]*modRow, s.cols), w: w}
	for c := range s.cols {
		if len(bucket[c]) > 0 && !m.eliminate(bucket, c) {
			return nil, false
		}
	}
	return m, true
}

// eliminate makes one of the rows that begin at a place its pivot, and takes it
// away from the others.
func (m *modForm) eliminate(bucket modRows, c int) bool {
	f := m.power
	var pr *modRow
	var pv, v int
	for _, r := range bucket[c] {
		rv, w := f.part(r.co[0])
		if pr == nil || w < v || w == v && len(r.co) < len(pr.co) {
			pr, pv, v = r, rv, w
		}
	}
	unit := inverse(pr.co[0]/pv, f.q)
	for i := range pr.co {
		pr.co[i] = pr.co[i] * unit % f.q
	}
	pr.rhs = pr.rhs * unit % f.q
	for _, r := range bucket[c] {
		if r == pr {
			continue
		}
		if m.w.ended(len(pr.co)) {
			return false
		}
		times := f.q - r.co[0]/pv%f.q
		for len(r.co) < len(pr.co) {
			r.co = append(r.co, 0)
		}
		for i, x := range pr.co {
			r.co[i] = (r.co[i] + times*x) % f.q
		}
		r.rhs = (r.rhs + times*pr.rhs) % f.q
		if !bucket.put(r) {
			return false
		}
	}
	if v > 0 {
		times := f.q / pv
		r := &modRow{lo: c, co: make([]int, len(pr.co)), rhs: pr.rhs * times % f.q}
		for i, x := range pr.co {
			r.co[i] = x * times % f.q
		}
		if !bucket.put(r) {
			return false
		}
	}
	bucket[c] = nil
	m.pivot[c] = pr
	return true
}

// back fills in the unknowns before place end, as far as the context lets it; x
// is over places, mod q.
func (m *modForm) back(x []int, end int, homogeneous bool) {
	for c := end - 1; c >= 0; c-- {
		r := m.pivot[c]
		if r == nil {
			continue
		}
		if m.w.ended(len(r.co)) {
			return
		}
		sum := r.rhs
		if homogeneous {
			sum = 0
		}
		for i, co := range r.co[1:] {
			sum = (sum + (m.q-co)*x[c+1+i]) % m.q
		}
		// The row times q/pv was kept, so that pv divides the sum.
		x[c] = sum / r.co[0]
	}
}

// Solve returns one answer and generators of the kernel: all answers, each
// once, are x plus a multiple 0 … Order−1 of each generator. ok is false when
// there is none. The error is the context's.
func (s *ModSystem) Solve(ctx context.Context) (x []int, kernel []Generator, ok bool, err error) {
	w := &worker{ctx: ctx, err: ctx.Err()}
	x, kernel, ok = s.solve(w)
	return x, kernel, ok && w.err == nil, w.err
}

func (s *ModSystem) solve(w *worker) (x []int, kernel []Generator, ok bool) {
	by, place := order(w, s.cols, s.columns(w))
	x = make([]int, s.cols)
	for _, f := range powers(s.k) {
		if w.err != nil {
			return nil, nil, false
		}
		m, ok := s.reduce(w, f, place)
		if !ok {
			return nil, nil, false
		}
		rest := s.k / f.q
		lift := rest * inverse(rest, f.q) % s.k // 1 mod q, 0 mod the rest
		y := make([]int, s.cols)
		m.back(y, s.cols, false)
		for i, a := range y {
			x[by[i]] = (x[by[i]] + a*lift) % s.k
		}
		for c := range s.cols {
			step, times := 1, f.q
			if r := m.pivot[c]; r != nil {
				step, times = f.q/r.co[0], r.co[0]
			}
			if times == 1 {
				continue
			}
			if w.ended(2 * s.cols) {
				return nil, nil, false
			}
			y := make([]int, s.cols)
			y[c] = step
			m.back(y, c, true)
			g := Generator{V: make([]int, s.cols), Order: times}
			for i, a := range y {
				g.V[by[i]] = a * lift % s.k
			}
			kernel = append(kernel, g)
		}
	}
	return x, kernel, true
}

func (s *ModSystem) columns(w *worker) [][]int {
	total := 0
	for _, eq := range s.eqs {
		total += len(eq)
	}
	slab := make([]int, 0, total)
	cols := make([][]int, len(s.eqs))
	for i, eq := range s.eqs {
		if w.ended(missed * len(eq)) {
			break
		}
		from := len(slab)
		for _, t := range eq {
			slab = append(slab, t.Col)
		}
		cols[i] = slab[from:]
	}
	return cols
}

// Refute returns a multiplier for each equation such that the left sides add
// up to 0 mod k and the right sides do not; ok is false when the system has an
// answer. Such multipliers exist for every system without an answer, also for
// a composite k. The error is the context's.
func (s *ModSystem) Refute(ctx context.Context) (multipliers []int, ok bool, err error) {
	t := NewModSystem(s.k, len(s.eqs))
	w := &worker{ctx: ctx, err: ctx.Err()}
	t.eqs = transposed(w, s.cols, s.eqs, func(t Term) int { return t.Col }, func(e int, term Term) Term { return Term{e, mod(term.Coef, s.k)} })
	if w.err != nil {
		return nil, false, w.err
	}
	t.rhs = make([]int, len(t.eqs))
	_, kernel, _, err := t.Solve(ctx)
	if err != nil {
		return nil, false, err
	}
	least := 0
	for _, g := range kernel {
		sum, weight := 0, 0
		for e, y := range g.V {
			sum = (sum + y*s.rhs[e]) % s.k
			if y != 0 {
				weight++
			}
		}
		if sum != 0 && (multipliers == nil || weight < least) {
			multipliers, least = g.V, weight
		}
	}
	return multipliers, multipliers != nil, nil
}
