package search

import (
	"onlooker/solve/path"
)

// A bridgeWalk is a walk through what a label's region may hold, depth first.
type bridgeWalk struct {
	order []int32 // cells as they were come to
	disc  []int32 // by cell: when, from 1; 0: not yet
	low   []int32 // by cell: the first that it and what was come to from it touch
	came  []int32 // by cell: the join by which it was come to
	next  []int32 // by cell: which of its joins is followed next
	known []int32 // by cell: one of those come to from it, or itself, that is in the region, -1
}

// begin makes room for so many cells, and forgets the last walk.
func (b *bridgeWalk) begin(n int) {
	if len(b.disc) < n {
		*b = bridgeWalk{make([]int32, 0, n), make([]int32, n), make([]int32, n), make([]int32, n), make([]int32, n), make([]int32, n)}
	}
	clear(b.disc)
	b.order = b.order[:0]
}

// visit comes to a cell; inside says that it is in the region.
func (b *bridgeWalk) visit(x, by int32, inside bool) {
	b.order = append(b.order, x)
	b.disc[x] = int32(len(b.order))
	b.low[x], b.came[x], b.next[x], b.known[x] = b.disc[x], by, 0, -1
	if inside {
		b.known[x] = x
	}
}

// bridges: what is known to lie in a symbol's region hangs together with it, by
// every edge and every cell without which it could not.
func (m *model) bridges(r *regions, c *path.Clauses) {
	val := c.Values()
labels:
	for k := range m.labels {
		if !r.unjoined[k] {
			continue
		}
		in, from := m.labels[k].in, m.items[m.labels[k].item].cell
		for _, o := range m.labels[:k] {
			if val[in[m.items[o.item].cell]] > 0 {
				continue labels // that label says the same
			}
		}
		apart := false
		for x, lit := range in {
			if val[lit] > 0 && r.block[x] != r.block[from] {
				apart = true
				break
			}
		}
		if apart && (!m.bridgesOf(r, c, in, from) || r.implied > 0) {
			return
		}
		r.unjoined[k] = false
	}
}

// bridgesOf looks at one label's region; false when it left a broken clause.
func (m *model) bridgesOf(r *regions, c *path.Clauses, in []path.Lit, from int32) bool {
	joins, at, val := m.l.joins, m.l.at, c.Values()
	b := &r.bridging
	b.begin(len(m.l.cells))
	b.visit(from, -1, val[in[from]] > 0)
	for x := from; ; {
		if i := int(b.next[x]); i < len(at[x]) {
			b.next[x]++
			j := &at[x][i]
			y := j.cell
			if j.join == b.came[x] || j.lit != none && val[j.lit] > 0 || val[in[y]] < 0 {
				continue
			}
			if b.disc[y] == 0 {
				b.visit(y, j.join, val[in[y]] > 0)
				x = y
			} else {
				b.low[x] = min(b.low[x], b.disc[y])
			}
			continue
		}
		if x == from {
			return true
		}
		j := &joins[b.came[x]]
		up := j.other(x)
		b.low[up] = min(b.low[up], b.low[x])
		if b.known[x] >= 0 {
			if b.known[up] < 0 {
				b.known[up] = b.known[x]
			}
			only := b.low[x] > b.disc[up] && j.lit != none && val[j.lit] == 0
			through := b.low[x] >= b.disc[up] && val[in[up]] == 0
			if only || through {
				note := r.note(m.shoreOf(b, val, in, x, up))
				if through && !r.imply(c, in[up], note) || only && !r.imply(c, j.lit.Not(), note) {
					return false
				}
			}
		}
		x = up
	}
}

// shoreOf is why what is known beyond a cell x, which was come to from up, hangs
// together with the rest by up alone.
func (m *model) shoreOf(b *bridgeWalk, val []int8, in []path.Lit, x, up int32) []path.Lit {
	why := append(m.scratch[:0], in[b.known[x]].Not())
	// Everything from x on in the order was come to from it.
	for _, y := range b.order[b.disc[x]-1:] {
		for _, k := range m.l.at[y] {
			z := k.cell
			switch {
			case b.disc[z] >= b.disc[x] || z == up && (k.lit == none || val[k.lit] <= 0):
			case k.lit != none && val[k.lit] > 0:
				why = append(why, k.lit.Not())
			default:
				why = append(why, in[z])
			}
		}
	}
	m.scratch = why
	return why
}
