package gf2

import (
	"context"
	"math/bits"
	"slices"
)

// A Best is the lightest answer found.
type Best struct {
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
func Lightest(ctx context.Context, x Vec, kernel []Vec, effort int) Best {
	best := x.Clone()
	bound := x.Weight()
	for _, part := range parts(len(kernel), func(i int) []int { return kernel[i].Ones() }) {
		// The unknowns that the part touches, renumbered.
		support := NewVec(64 * len(x))
		for _, i := range part {
			for w, b := range kernel[i] {
				support[w] |= b
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
		for i, k := range part {
			basis[i] = squeeze(kernel[k])
		}
		was := squeeze(x)
		var found Vec
		var least int
		if d := len(basis); d < 62 && 1<<d <= effort {
			found, least = gray(ctx, was, basis)
		} else {
			found, least = byWeight(ctx, len(at), was, basis, effort)
		}
		bound += least - was.Weight()
		for i, c := range at {
			if best.Bit(c) != found.Bit(i) {
				best.Flip(c)
			}
		}
	}
	b := Best{X: make([]int, 64*len(x)), Weight: best.Weight(), Bound: bound}
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

// gray looks at every vector; least is the found weight, or 0 when ctx ended.
func gray(ctx context.Context, x Vec, basis []Vec) (found Vec, least int) {
	cur, best := x.Clone(), 0
	least = x.Weight()
	// Remembering the step instead of the vector keeps the loop free of
	// copies.
	for i := uint64(1); i < 1<<len(basis); i++ {
		b := basis[bits.TrailingZeros64(i)]
		w := 0
		for j, y := range b {
			cur[j] ^= y
			w += bits.OnesCount64(cur[j])
		}
		if w < least {
			least, best = w, int(i)
		}
		if i&0xffff == 0 && ctx.Err() != nil {
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

// byWeight searches by the weight on disjoint information sets.
func byWeight(ctx context.Context, n int, x Vec, basis []Vec, effort int) (found Vec, bound int) {
	type view struct {
		base  Vec // zero on the information set
		basis []Vec
	}
	d := len(basis)
	var views []view
	used := make([]bool, n)
	rows := basis
	for {
		// Systematic on unused columns, as far as they reach.
		next := make([]Vec, d)
		for i := range next {
			next[i] = rows[i].Clone()
		}
		base := x.Clone()
		rank := 0
		var set []int
		for c := 0; c < n && rank < d; c++ {
			if used[c] {
				continue
			}
			i := slices.IndexFunc(next[rank:], func(v Vec) bool { return v.Bit(c) })
			if i < 0 {
				continue
			}
			next[rank], next[rank+i] = next[rank+i], next[rank]
			for j := range next {
				if j != rank && next[j].Bit(c) {
					next[j].Xor(next[rank])
				}
			}
			if base.Bit(c) {
				base.Xor(next[rank])
			}
			set = append(set, c)
			rank++
		}
		if rank < d {
			break // half a set bounds too little to be worth it
		}
		for _, c := range set {
			used[c] = true
		}
		views = append(views, view{base, next})
		rows = next
	}
	found, least := x.Clone(), x.Weight()
	stop := false
	var choose func(v Vec, from, left int, basis []Vec)
	spare := make([]Vec, d+1)
	for i := range spare {
		spare[i] = NewVec(n)
	}
	choose = func(v Vec, from, left int, basis []Vec) {
		if left == 0 {
			effort--
			if effort&0xffff == 0 && ctx.Err() != nil {
				effort = 0
			}
			stop = stop || effort <= 0
			if w := v.Weight(); w < least {
				least = w
				found = v.Clone()
			}
			return
		}
		u := spare[left]
		for i := from; i+left <= d && !stop; i++ {
			copy(u, v)
			u.Xor(basis[i])
			choose(u, i+1, left-1, basis)
		}
	}
	for w := 0; w <= d; w++ {
		for _, v := range views {
			if bound >= least {
				return found, least
			}
			choose(v.base, 0, w, v.basis)
			if stop {
				return found, min(bound, least)
			}
			bound++ // what was not seen has more than w ones on this set too
		}
	}
	return found, least // all was seen
}

// LightestMod is Lightest for the answers of a ModSystem modulo k: the weight
// is the sum of the residues. Parts whose vectors are more than effort are
// searched as far as it goes, and bound nothing but what they cannot touch.
func LightestMod(ctx context.Context, k int, x []int, kernel []Generator, effort int) Best {
	best := Best{X: slices.Clone(x)}
	for _, a := range x {
		best.Weight += a
	}
	best.Bound = best.Weight
	support := func(i int) []int {
		var at []int
		for c, a := range kernel[i].V {
			if a != 0 {
				at = append(at, c)
			}
		}
		return at
	}
	for _, part := range parts(len(kernel), support) {
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
		gens := make([][]int, len(part))
		for i, g := range part {
			for _, c := range at {
				gens[i] = append(gens[i], kernel[g].V[c])
			}
		}
		cur, was := make([]int, len(at)), 0
		for i, c := range at {
			cur[i] = x[c]
			was += x[c]
		}
		found, least, left, whole := slices.Clone(cur), was, effort, true
		var walk func(i int)
		walk = func(i int) {
			if i == len(part) {
				left--
				if left&0xffff == 0 && ctx.Err() != nil {
					left = 0
				}
				whole = whole && left > 0
				w := 0
				for _, a := range cur {
					w += a
				}
				if w < least {
					least = w
					copy(found, cur)
				}
				return
			}
			order := kernel[part[i]].Order
			for times := 0; times < order && whole; times++ {
				walk(i + 1)
				for j, a := range gens[i] {
					if cur[j] += a; cur[j] >= k {
						cur[j] -= k
					}
				}
			}
			if !whole {
				return
			}
			// order × the generator need not be 0: a later one may be part of it.
			for j, a := range gens[i] {
				cur[j] = mod(cur[j]-a*order, k)
			}
		}
		walk(0)
		best.Weight += least - was
		for i, c := range at {
			best.X[c] = found[i]
		}
		best.Bound -= was
		if whole {
			best.Bound += least
		}
	}
	return best
}
