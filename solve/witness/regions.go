package witness

import (
	"onlooker/solve/path"
)

// regions is the part of the search that knows which cells belong together.
// It follows the edges and keeps two partitions of the cells: blocks, joined
// by edges that are off, which any answer from here on keeps together; and
// areas, held apart by edges that are on, which no answer joins again. Every
// region of an answer lies between the blocks it is made of and its area.
//
// What it refuses is explained by the edges that matter only: the chain of off
// edges that joins two symbols, or the on edges round an area.
type regions struct {
	l     *layout
	m     *model
	dirty bool
	watch []bool // by literal's variable: matters here

	block, area []int32   // by cell
	blocks      [][]int32 // cells of each, in the order of a walk
	areas       [][]int32
	queue       []int32
	came        []int32 // by cell: the join by which a walk reached it, -1 at its beginning
	blockOrder  []int32
	areaOrder   []int32
	seen        []int32 // by cell: stamp of the walk
	stamp       int32
	reached     []int32 // by vertex of the graph: stamp

	// What labels must look at again: those of which a cell was denied, and
	// those with both sides of an edge that has turned on.
	joinsOf   [][]int32
	labelsOf  [][2]int32 // by variable: labels, from 1
	stale     []bool     // by label
	resized   []bool     // by label: its size must be looked at again
	sizeAll   []bool     // by variable: all sizes must
	turnedOn  []int32    // joins
	added     int
	implied   int
	depth     int // literals told of
	reasons   []reason
	stored    []path.Lit
	fresh     []int32 // placements that have become true
	blockInfo []tally
	areaInfo  []tally
}

// A tally is what a block or an area holds.
type tally struct {
	walked  int // cells, and other half-cells where those are followed
	cells   int
	items   []int32 // symbols, by number
	erasers int
}

func newRegions(l *layout, m *model) *regions {
	n := len(l.cells)
	return &regions{l: l, m: m, dirty: true, block: make([]int32, n), area: make([]int32, n), came: make([]int32, n), seen: make([]int32, n), blockOrder: make([]int32, 0, n), areaOrder: make([]int32, 0, n)}
}

func (r *regions) attach(s *path.Solver) {
	r.watch = make([]bool, s.Vars())
	for _, j := range r.l.joins {
		if j.lit != none {
			r.watch[j.lit.Var()] = true
		}
	}
	for _, x := range r.l.edgeLits {
		r.watch[x.Var()] = true
	}
	for _, x := range r.m.watched {
		r.watch[x.Var()] = true
	}
	r.joinsOf = make([][]int32, s.Vars())
	for i, j := range r.l.joins {
		if j.lit != none {
			r.joinsOf[j.lit.Var()] = append(r.joinsOf[j.lit.Var()], int32(i))
		}
	}
	r.labelsOf = make([][2]int32, s.Vars())
	for k := range r.m.labels {
		for _, lit := range r.m.labels[k].in {
			of := &r.labelsOf[lit.Var()]
			of[0], of[1] = int32(k)+1, of[0] // two labels share one, at most
		}
	}
	r.stale, r.resized = make([]bool, len(r.m.labels)), make([]bool, len(r.m.labels))
	r.allStale()
	r.sizeAll = make([]bool, s.Vars())
	for _, i := range r.m.pieceItems {
		it := &r.m.items[i]
		if it.gone != none {
			r.sizeAll[it.gone.Var()] = true
		}
		if r.m.zero != none {
			r.sizeAll[(r.m.zero + 2*path.Lit(it.cell)).Var()] = true
		}
	}
	s.Attach(r)
}

// A reason is stored literals, all of them false, and when they were stored.
type reason struct {
	from, to int
	depth    int
}

// note stores the literals of a clause without the one that it implies.
func (r *regions) note(lits []path.Lit) int {
	from := len(r.stored)
	r.stored = append(r.stored, lits...)
	r.reasons = append(r.reasons, reason{from, len(r.stored), r.depth})
	return len(r.reasons) - 1
}

// imply makes l true for a reason that was noted. It returns false, and leaves
// the broken clause behind, when l is false already.
func (r *regions) imply(c *path.Clauses, l path.Lit, why int) bool {
	switch c.Value(l) {
	case 0:
		c.Imply(r, l, len(r.m.laid)+why)
		r.implied++
	case -1:
		w := r.reasons[why]
		r.add(c, append(append([]path.Lit(nil), r.stored[w.from:w.to]...), l)...)
		return false
	}
	return true
}

// Explain implements path.Explainer: a placement is excluded by another one,
// or something noted.
func (r *regions) Explain(l path.Lit, tag int, out []path.Lit) []path.Lit {
	if tag < len(r.m.laid) {
		return append(out, r.m.laid[tag].lit.Not())
	}
	w := r.reasons[tag-len(r.m.laid)]
	return append(out, r.stored[w.from:w.to]...)
}

// Assign implements path.Propagator.
func (r *regions) Assign(l path.Lit) {
	r.depth++
	v := l.Var()
	if v < len(r.watch) && r.watch[v] {
		r.dirty = true
		for _, k := range r.labelsOf[v] {
			if k > 0 {
				r.stale[k-1] = r.stale[k-1] || l.Negated()
				r.resized[k-1] = true
			}
		}
		if r.sizeAll[v] {
			for k := range r.resized {
				r.resized[k] = true
			}
		}
		if !l.Negated() {
			r.turnedOn = append(r.turnedOn, r.joinsOf[v]...)
		}
	}
	if k := v - r.m.firstLaid.Var(); r.m.exclusive && !l.Negated() && k >= 0 && k < len(r.m.laid) {
		r.fresh = append(r.fresh, int32(k))
		r.dirty = true
	}
}

// Undo implements path.Propagator.
func (r *regions) Undo(l path.Lit) {
	r.dirty = true
	r.depth--
	// A reason that was noted after l was assigned has no more use.
	n := len(r.reasons)
	for n > 0 && r.reasons[n-1].depth > r.depth {
		n--
		r.stored = r.stored[:r.reasons[n].from]
	}
	r.reasons = r.reasons[:n]
}

// Final implements path.Propagator.
func (r *regions) Final(c *path.Clauses) {
	r.dirty = true
	// What an eraser reaches rests on the labels: all are looked at once more.
	r.allStale()
	r.Propagate(c)
}

func (r *regions) allStale() {
	for k := range r.stale {
		r.stale[k], r.resized[k] = true, true
	}
}

func (r *regions) add(c *path.Clauses, lits ...path.Lit) {
	c.Lemma(lits...)
	r.added++
}

// Propagate implements path.Propagator.
func (r *regions) Propagate(c *path.Clauses) {
	if !r.dirty {
		return
	}
	if len(r.fresh) > 0 && r.overlaps(c) {
		return
	}
	r.dirty = false
	r.added, r.implied = 0, 0
	r.blocks = r.partition(c, r.block, r.blocks, true)
	r.areas = r.partition(c, r.area, r.areas, false)
	r.blockInfo = r.count(r.blocks, r.blockInfo)
	r.areaInfo = r.count(r.areas, r.areaInfo)
	r.m.consider(r, c)
	// What comes after the step that found something is still to be looked at,
	// also where nobody watches what it found.
	r.dirty = r.implied > 0
}

// partition walks the cells; strict keeps to edges that are off, otherwise to
// edges that are not on.
func (r *regions) partition(c *path.Clauses, label []int32, lists [][]int32, strict bool) [][]int32 {
	for i := range label {
		label[i] = -1
	}
	// Two buffers: the lists are parts of them.
	buf := &r.areaOrder
	if strict {
		buf = &r.blockOrder
	}
	q := (*buf)[:0]
	lists = lists[:0]
	for from := range label {
		if label[from] >= 0 {
			continue
		}
		id := int32(len(lists))
		begin := len(q)
		label[from] = id
		q = append(q, int32(from))
		for k := begin; k < len(q); k++ {
			x := q[k]
			for _, ji := range r.l.at[x] {
				j := &r.l.joins[ji]
				if j.lit != none {
					v := c.Value(j.lit)
					if v > 0 || strict && v == 0 {
						continue
					}
				}
				if y := j.other(x); label[y] < 0 {
					label[y] = id
					q = append(q, y)
				}
			}
		}
		lists = append(lists, q[begin:len(q):len(q)])
	}
	*buf = q
	return lists
}

func (r *regions) count(lists [][]int32, out []tally) []tally {
	out = out[:0]
	for _, cells := range lists {
		t := tally{}
		if len(out) < cap(out) {
			t.items = out[:len(out)+1][len(out)].items[:0]
		}
		for _, c := range cells {
			t.walked++
			if int(c) < r.l.real {
				t.cells++
			}
			if i := r.m.itemAt[c]; i >= 0 {
				t.items = append(t.items, i)
				if r.m.items[i].Kind == Eraser {
					t.erasers++
				}
			}
		}
		out = append(out, t)
	}
	return out
}

// chain appends the off edges, as literals that are false now, that join the
// given cells of one block.
func (r *regions) chain(c *path.Clauses, out []path.Lit, cells ...int32) []path.Lit {
	if len(cells) < 2 {
		return out
	}
	r.stamp++
	q := append(r.queue[:0], cells[0])
	r.seen[cells[0]] = r.stamp
	r.came[cells[0]] = -1
	for k := 0; k < len(q); k++ {
		x := q[k]
		for _, ji := range r.l.at[x] {
			j := &r.l.joins[ji]
			if j.lit != none && c.Value(j.lit) >= 0 {
				continue
			}
			if y := j.other(x); r.seen[y] != r.stamp {
				r.seen[y] = r.stamp
				r.came[y] = ji
				q = append(q, y)
			}
		}
	}
	r.queue = q
	for _, x := range cells[1:] {
		// Up to the part that is explained already: those cells lose their
		// way back.
		for r.came[x] >= 0 {
			j := &r.l.joins[r.came[x]]
			if j.lit != none {
				out = append(out, j.lit)
			}
			r.came[x] = -1
			x = j.other(x)
		}
	}
	return out
}

// border appends the on edges round an area, as literals that are false now.
func (r *regions) border(c *path.Clauses, out []path.Lit, area int32) []path.Lit {
	for _, x := range r.areas[area] {
		for _, ji := range r.l.at[x] {
			j := &r.l.joins[ji]
			if r.area[j.other(x)] != area {
				out = append(out, j.lit.Not())
			}
		}
	}
	return out
}
