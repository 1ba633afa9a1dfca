package gf2

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// A BestAnswer is the lightest answer found.
type BestAnswer struct {
	X []int // the unknowns, 0 … k−1
	// Weight is the sum of the unknowns, and Bound what no answer goes below.
	// They are equal when X is proved to be lightest.
	Weight, Bound int
}

// Lightest looks for the answer with the fewest ones among x plus the sums of
// the kernel's vectors, a basis of which is given. effort
// is how many vectors of a part may be looked at; when it does not suffice, or ctx
// ends, Bound stays below Weight.
//
// Basis vectors that share no unknown are searched apart. Each such part is
// listed whole in Gray code's order where effort allows it; otherwise by the
// weight on disjoint information sets (Brouwer and Zimmermann): an answer of
// weight w has at most w/m ones on one of m sets, and a set determines the
// answer.
func Lightest(ctx context.Context, x Vec, kernel []Vec, effort int) BestAnswer {
	w := &worker{ctx: ctx, err: ctx.Err()}
	best := x.Clone()
	bound := x.Weight()
	groups := parts(len(kernel), func(i int) []int {
		if w.ended(len(x)) {
			return nil
		}
		return kernel[i].Ones()
	})
	if w.err != nil {
		groups, bound = nil, 0
	}
	for _, part := range groups {
		// The unknowns that the part touches, renumbered.
		support := NewVec(64 * len(x))
		for _, i := range part {
			w.ended(len(x) * 2)
			for j, b := range kernel[i] {
				support[j] |= b
			}
		}
		at := support.Ones()
		squeeze := func(v Vec) Vec {
			s := NewVec(len(at))
			for i, c := range at {
				if v.Bit(c) {
					s.Flip(i)
				}
			}
			return s
		}
		basis := make([]Vec, len(part))
		was := squeeze(x)
		for i, k := range part {
			if w.ended(len(at)) {
				break
			}
			basis[i] = squeeze(kernel[k])
		}
		if w.err != nil {
			bound -= was.Weight()
			continue
		}
		var found Vec
		var least int
		if d := len(basis); d < 62 && 1<<d <= effort {
			found, least = gray(w, was, basis)
		} else {
			found, least = byWeight(w, len(at), was, basis, effort)
		}
		bound += least - was.Weight()
		for i, c := range at {
			if best.Bit(c) != found.Bit(i) {
				best.Flip(c)
			}
		}
	}
	b := BestAnswer{X: make([]int, 64*len(x)), Weight: best.Weight(), Bound: bound}
	for _, c := range best.Ones() {
		b.X[c] = 1
	}
	return b
}

// parts groups the numbers 0 … n−1 so that those whose supports meet are
// together.
func parts(n int, support func(int) []int) [][]int {
	first := map[int]int{} // the first that holds a column
	head := make([]int, n)
	find := func(i int) int {
		for head[i] != i {
			head[i] = head[head[i]]
			i = head[i]
		}
		return i
	}
	for i := range n {
		head[i] = i
		for _, c := range support(i) {
			if j, ok := first[c]; ok {
				head[find(j)] = find(i)
			} else {
				first[c] = i
			}
		}
	}
	of := map[int]int{}
	var groups [][]int
	for i := range n {
		h := find(i)
		g, ok := of[h]
		if !ok {
			g = len(groups)
			of[h] = g
			groups = append(groups, nil)
		}
		groups[g] = append(groups[g], i)
	}
	return groups
}

// grayStep is how many vectors are looked at between two counts of the work:
// counted for each, the walk takes a tenth longer.
const grayStep = 1 << 8

// gray looks at every vector; least is the found weight, or 0 when the context
// ended.
func gray(w *worker, x Vec, basis []Vec) (found Vec, least int) {
	cur, best := x.Clone(), 0
	least = x.Weight()
	// Remembering the step instead of the vector keeps the loop free of
	// copies.
	for i := uint64(1); i < 1<<len(basis); i++ {
		b := basis[bits.TrailingZeros64(i)]
		weight := 0
		for j, y := range b {
			cur[j] ^= y
			weight += bits.OnesCount64(cur[j])
		}
		if weight < least {
			least, best = weight, int(i)
		}
		if i%grayStep == 0 && w.ended(grayStep*(len(cur)+1)) {
			return pick(x, basis, best), 0
		}
	}
	return pick(x, basis, best), least
}

// pick returns step i of Gray code's walk from x.
func pick(x Vec, basis []Vec, i int) Vec {
	v := x.Clone()
	for code := i ^ i>>1; code != 0; code &= code - 1 {
		v.Xor(basis[bits.TrailingZeros(uint(code))])
	}
	return v
}

// A view is the answers as sums of basis vectors, of which each has an unknown
// of an information set to itself; base is zero on that set.
type view struct {
	base  Vec
	basis []Vec
}

// systematic makes a view on unknowns that are not used yet, and marks them
// used; nil when they do not reach, or the context ended.
func systematic(w *worker, n int, x Vec, rows []Vec, used []bool) *view {
	d := len(rows)
	next := make([]Vec, d)
	for i := range next {
		if w.ended(len(x)) {
			return nil
		}
		next[i] = rows[i].Clone()
	}
	base := x.Clone()
	rank := 0
	var set []int
	for c := 0; c < n && rank < d; c++ {
		if used[c] {
			continue
		}
		if w.ended(d) {
			return nil
		}
		i := slices.IndexFunc(next[rank:], func(v Vec) bool { return v.Bit(c) })
		if i < 0 {
			continue
		}
		next[rank], next[rank+i] = next[rank+i], next[rank]
		for j := range next {
			if j != rank && next[j].Bit(c) {
				next[j].Xor(next[rank])
				w.ended(len(x))
			}
		}
		if base.Bit(c) {
			base.Xor(next[rank])
		}
		set = append(set, c)
		rank++
	}
	if rank < d || w.err != nil {
		return nil // half a set bounds too little to be worth it
	}
	for _, c := range set {
		used[c] = true
	}
	return &view{base, next}
}

// byWeight searches by the weight on disjoint information sets.
func byWeight(w *worker, n int, x Vec, basis []Vec, effort int) (found Vec, bound int) {
	d := len(basis)
	var views []*view
	used := make([]bool, n)
	for rows := basis; ; {
		v := systematic(w, n, x, rows, used)
		if v == nil {
			break
		}
		views = append(views, v)
		rows = v.basis
	}
	found, least := x.Clone(), x.Weight()
	stop := w.err != nil
	var choose func(v Vec, from, left int, basis []Vec)
	spare := make([]Vec, d+1)
	choose = func(v Vec, from, left int, basis []Vec) {
		if left == 0 {
			effort--
			stop = stop || effort <= 0 || w.ended(len(v)+1)
			if weight := v.Weight(); weight < least {
				least = weight
				found = v.Clone()
			}
			return
		}
		if spare[left] == nil {
			spare[left] = NewVec(n)
		}
		u := spare[left]
		for i := from; i+left <= d && !stop; i++ {
			copy(u, v)
			u.Xor(basis[i])
			choose(u, i+1, left-1, basis)
		}
	}
	for weight := 0; weight <= d && len(views) > 0; weight++ {
		for _, v := range views {
			if bound >= least {
				return found, least
			}
			choose(v.base, 0, weight, v.basis)
			if stop {
				return found, min(bound, least)
			}
			bound++ // what was not seen has more than so many ones on this set too
		}
	}
	if len(views) == 0 {
		return found, 0
	}
	return found, least // all was seen
}

// LightestMod is Lightest for the answers of a ModSystem modulo k: the weight
// is the sum of the residues. effort is how many residues of a part may be
// looked at. A part that would take more is only improved upon, by adding
// multiples of one or two generators while that makes it lighter, from several
// beginnings, and bounds nothing but what it cannot touch.
func LightestMod(ctx context.Context, k int, x []int, kernel []Generator, effort int) BestAnswer {
	best := BestAnswer{X: slices.Clone(x)}
	for _, a := range x {
		best.Weight += a
	}
	best.Bound = best.Weight
	w := &worker{ctx: ctx, err: ctx.Err()}
	support := func(i int) []int {
		var at []int
		if w.ended(len(x)) {
			return nil
		}
		for c, a := range kernel[i].V {
			if a != 0 {
				at = append(at, c)
			}
		}
		return at
	}
	groups := parts(len(kernel), support)
	if w.err != nil {
		groups, best.Bound = nil, 0
	}
	for _, part := range groups {
		in := map[int]bool{}
		for _, i := range part {
			for _, c := range support(i) {
				in[c] = true
			}
		}
		var at []int
		for c := range x {
			if in[c] {
				at = append(at, c)
			}
		}
		m := modPart{k: k, effort: effort, worker: w}
		size := len(at)
		for _, i := range part {
			g := Generator{Order: kernel[i].Order}
			w.ended(len(at))
			for _, c := range at {
				g.V = append(g.V, kernel[i].V[c])
			}
			m.gens = append(m.gens, g)
			if size <= effort {
				size *= g.Order
			}
		}
		was := 0
		for _, c := range at {
			m.cur = append(m.cur, x[c])
			was += x[c]
		}
		m.found, m.least = slices.Clone(m.cur), was
		whole := size <= effort
		switch {
		case w.err != nil:
			whole = false
		case whole:
			whole = m.list(0)
		default:
			m.descend()
		}
		best.Weight += m.least - was
		for i, c := range at {
			best.X[c] = m.found[i]
		}
		best.Bound -= was
		if whole {
			best.Bound += m.least
		}
	}
	return best
}

// A modPart is a search among the vectors cur + multiples of generators.
type modPart struct {
	k      int
	gens   []Generator
	cur    []int
	found  []int
	least  int
	effort int
	*worker
}

// add adds a multiple of a generator to cur and returns cur's weight.
func (m *modPart) add(g []int) (weight int) {
	for j, a := range g {
		a += m.cur[j]
		if a >= m.k {
			a -= m.k
		}
		m.cur[j] = a
		weight += a
	}
	return weight
}

// times is a generator taken so many times.
func (m *modPart) times(g []int, n int) []int {
	v := make([]int, len(g))
	for j, a := range g {
		v[j] = mod(a*n, m.k)
	}
	return v
}

func (m *modPart) keep(weight int) {
	if weight < m.least {
		m.least = weight
		copy(m.found, m.cur)
	}
}

// list looks at all multiples of the generators from i on; it is false when the
// context ended. cur is as before then, if it is true.
func (m *modPart) list(i int) bool {
	g := m.gens[i]
	for range g.Order {
		if i+1 < len(m.gens) && !m.list(i+1) {
			return false
		}
		m.keep(m.add(g.V))
		if m.ended(len(m.cur)) {
			return false
		}
	}
	// order × the generator need not be 0: a later one may be part of it.
	m.add(m.times(g.V, -g.Order))
	return true
}

// descend adds multiples of one or two generators while that helps, then a
// few at random, and so on until effort is used up.
func (m *modPart) descend() {
	// 32: of a generator with more multiples only those by powers of two.
	var moves [][]int
	for _, g := range m.gens {
		for n := 1; n < g.Order && !m.ended(len(g.V)); {
			moves = append(moves, m.times(g.V, n))
			if g.Order <= 32 {
				n++
			} else {
				n *= 2
			}
		}
	}
	left := m.effort
	weight := m.least // of cur
	take := func(a, b []int) bool {
		left -= len(m.cur)
		w := 0
		for j, c := range m.cur {
			if c += a[j]; c >= m.k {
				c -= m.k
			}
			if b != nil {
				if c += b[j]; c >= m.k {
					c -= m.k
				}
			}
			w += c
		}
		if w >= weight {
			return false
		}
		m.add(a)
		if b != nil {
			m.add(b)
		}
		weight = w
		return true
	}
	rng := rand.New(rand.NewPCG(1, 1)) // every run is alike
	for {
		for better := true; better; {
			better = false
			for i, a := range moves {
				if left < 0 || m.ended(len(m.cur)) {
					m.keep(weight)
					return
				}
				better = take(a, nil) || better
				for _, b := range moves[:i] {
					if m.ended(len(m.cur)) {
						break
					}
					better = take(a, b) || better
				}
			}
		}
		m.keep(weight)
		copy(m.cur, m.found)
		for range 4 {
			weight = m.add(moves[rng.IntN(len(moves))])
		}
	}
}
