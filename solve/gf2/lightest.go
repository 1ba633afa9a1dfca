package gf2

import (
	"context"
	"math/bits"
)

// A BestAnswer is the lightest answer found.
type BestAnswer struct {
	X Vec
	// Weight is how many ones it has, and Bound what no answer goes below.
	// They are equal when X is proved to be lightest.
	Weight, Bound int
}

// Lightest looks for the answer with the fewest ones among x plus the sums of
// the kernel's vectors, a basis of which is given. Basis vectors that share no unknown
// are searched apart, in Gray code's order. effort is how many vectors of a part are
// looked at; when it does not suffice, or ctx ends, Bound stays below Weight.
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
		whole := bits.Len(uint(effort)) - 1
		found, least := gray(w, was, basis[:min(whole, len(basis))])
		if len(basis) > whole {
			least = 0
		}
		bound += least - was.Weight()
		for i, c := range at {
			if best.Bit(c) != found.Bit(i) {
				best.Flip(c)
			}
		}
	}
	return BestAnswer{X: best, Weight: best.Weight(), Bound: bound}
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
