package search

import (
	"slices"

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
	watch []matter // by literal's variable

	moved bool // edges between cells have changed since the partitions were made
	cut   bool // edges have turned off since the line's reach was looked at

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

	// What labels must look at again: those that a walk may no longer cover.
	joinsOf  [][]int32
	labelsOf [][2]place // by variable
	stale    []bool     // by label
	extents  []extent   // by label
	rest     cellSet    // what a walk did not come to
	unspread []bool     // by label: how far its region can come must be looked at again
	resized  []bool     // by label: its size must be looked at again
	unjoined []bool     // by label: what holds its region together must be looked at again
	spent    []bool     // by group of pieces: its waste must be looked at again
	groupOf  []int32    // by label: the group of its piece, -1
	sizeAll  []bool     // by variable: all sizes must
	added    int
	implied  int
	depth    int // literals told of
	reasons  []reason
	stored   []path.Lit
	fresh    []int32 // placements that have become true
	laden    []int32 // cells for eating to look at
	laidBy   []int32 // by variable: a placement, from 1
	eatenAt  []int32 // by variable: the cell that is eaten, from 1
	items    []int32 // of the region in question
	bridging bridgeWalk
	spreads  [2]spreading
	pass     *passages
	free     cellSet // cells at no cost to a spread
	far      []int32 // by cell: the cost of it, -1
}

// A place is a label and a cell; label counts from 1.
type place struct{ label, cell int32 }

// A matter says what a variable is to the regions.
type matter uint8

const (
	watched matter = 1 << iota
	between        // cells
	line           // an edge of it
)

func newRegions(l *layout, m *model) *regions {
	n := len(l.cells)
	return &regions{l: l, m: m, dirty: true, moved: true, cut: true, block: make([]int32, n), area: make([]int32, n), came: make([]int32, n), seen: make([]int32, n), blockOrder: make([]int32, 0, n), areaOrder: make([]int32, 0, n)}
}

func (r *regions) attach(s *path.Solver) {
	r.watch = make([]matter, s.Vars())
	for _, j := range r.l.joins {
		if j.lit != none {
			r.watch[j.lit.Var()] |= watched | between
		}
	}
	for _, x := range r.l.edgeLits {
		r.watch[x.Var()] |= watched
	}
	for _, links := range r.l.links {
		for _, k := range links {
			r.watch[k.lit.Var()] |= line
		}
	}
	for _, x := range r.m.watched {
		r.watch[x.Var()] |= watched
	}
	r.joinsOf = make([][]int32, s.Vars())
	var pairs [][2]int32
	for i, j := range r.l.joins {
		pairs = append(pairs, [2]int32{j.a, j.b})
		if j.lit != none {
			r.joinsOf[j.lit.Var()] = append(r.joinsOf[j.lit.Var()], int32(i))
		}
	}
	r.labelsOf, r.rest = make([][2]place, s.Vars()), newCellSet(len(r.l.cells))
	r.far = make([]int32, len(r.l.cells))
	r.pass, r.free = newPassages(len(r.l.cells), pairs), newCellSet(len(r.l.cells))
	for k := range r.m.labels {
		for x, lit := range r.m.labels[k].in {
			of := &r.labelsOf[lit.Var()]
			of[0], of[1] = place{int32(k) + 1, int32(x)}, of[0] // two labels share one, at most
		}
		r.extents = append(r.extents, newExtent(len(r.l.cells)))
	}
	r.laidBy, r.eatenAt = make([]int32, s.Vars()), make([]int32, s.Vars())
	for k := range r.m.laid {
		r.laidBy[r.m.laid[k].lit.Var()] = int32(k) + 1
	}
	if r.m.eaten != none {
		for x := range int32(r.l.real) {
			r.eatenAt[(r.m.eaten + 2*path.Lit(x)).Var()] = x + 1
		}
	}
	r.stale, r.resized, r.unspread, r.unjoined = make([]bool, len(r.m.labels)), make([]bool, len(r.m.labels)), make([]bool, len(r.m.labels)), make([]bool, len(r.m.labels))
	r.groupOf, r.spent = make([]int32, len(r.m.labels)), make([]bool, len(r.m.groups))
	for k := range r.groupOf {
		r.groupOf[k] = int32(slices.IndexFunc(r.m.groups, func(g pieceGroup) bool { return g.item == r.m.labels[k].item }))
	}
	r.allStale()
	r.sizeAll = make([]bool, s.Vars())
	for _, i := range r.m.pieceItems {
		it := &r.m.items[i]
		if it.gone != none {
			r.sizeAll[it.gone.Var()] = true
		}
		if zero := r.m.zeroAt(it.cell); zero != none {
			r.sizeAll[zero.Var()] = true
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
	if v < len(r.watch) && r.watch[v] != 0 {
		r.dirty = r.dirty || r.watch[v]&watched != 0
		r.moved = r.moved || r.watch[v]&between != 0
		if r.watch[v]&line != 0 && l.Negated() {
			r.cut = true
		}
		for _, at := range r.labelsOf[v] {
			if at.label > 0 {
				r.resized[at.label-1], r.unspread[at.label-1], r.unjoined[at.label-1] = true, true, true
				if g := r.groupOf[at.label-1]; g >= 0 {
					r.spent[g] = true
				}
				if l.Negated() {
					r.stale[at.label-1] = true
					r.extents[at.label-1].open.Drop(at.cell)
				} else {
					r.extents[at.label-1].inside.Add(at.cell)
				}
			}
		}
		if r.sizeAll[v] {
			for k := range r.resized {
				r.resized[k], r.unspread[k] = true, true
			}
			r.allSpent()
		}
		if !l.Negated() {
			for _, j := range r.joinsOf[v] {
				r.barred(j)
			}
		}
	}
	if k := r.laidBy[v]; k != 0 && !l.Negated() {
		r.fresh = append(r.fresh, k-1)
		r.dirty = true
		r.allSpent()
		if r.m.eaten != none {
			r.laden = append(r.laden, r.m.laid[k-1].cells...)
		}
	}
	if x := r.eatenAt[v]; x != 0 && l.Negated() {
		r.laden = append(r.laden, x-1)
		r.dirty = true
	}
}

// barred is told that nobody comes by a join any more.
func (r *regions) barred(join int32) {
	r.pass.set(join, false)
	j := &r.l.joins[join]
	for k := range r.extents {
		if open := r.extents[k].open; open.Has(j.a) && open.Has(j.b) {
			r.stale[k], r.unjoined[k] = true, true
		}
	}
}

// Undo implements path.Propagator.
func (r *regions) Undo(l path.Lit) {
	r.dirty = true
	if v := l.Var(); v < len(r.watch) {
		r.moved = r.moved || r.watch[v]&between != 0
		for _, at := range r.labelsOf[v] {
			switch {
			case at.label == 0:
			case l.Negated():
				r.extents[at.label-1].open.Add(at.cell)
			default:
				r.extents[at.label-1].inside.Drop(at.cell)
			}
		}
		if !l.Negated() {
			for _, j := range r.joinsOf[v] {
				r.pass.set(j, true)
			}
		}
	}
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
		r.stale[k], r.resized[k], r.unspread[k], r.unjoined[k] = true, true, true, true
	}
	r.allSpent()
}

func (r *regions) allSpent() {
	for g := range r.spent {
		r.spent[g] = true
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
	if len(r.fresh) > 0 && r.excludes(c) {
		return
	}
	r.dirty = false
	r.added, r.implied = 0, 0
	if r.moved {
		r.moved = false
		r.blocks = r.partition(c, r.block, r.blocks, true)
		r.areas = r.partition(c, r.area, r.areas, false)
	}
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
	val := c.Values()
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
			for _, j := range r.l.at[x] {
				if label[j.cell] >= 0 {
					continue
				}
				if j.lit != none {
					v := val[j.lit]
					if v > 0 || strict && v == 0 {
						continue
					}
				}
				label[j.cell] = id
				q = append(q, j.cell)
			}
		}
		lists = append(lists, q[begin:len(q):len(q)])
	}
	*buf = q
	return lists
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
		for _, j := range r.l.at[x] {
			if r.seen[j.cell] == r.stamp || j.lit != none && c.Value(j.lit) >= 0 {
				continue
			}
			r.seen[j.cell] = r.stamp
			r.came[j.cell] = j.join
			q = append(q, j.cell)
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
func (r *regions) border(out []path.Lit, area int32) []path.Lit {
	for _, x := range r.areas[area] {
		for _, j := range r.l.at[x] {
			if r.area[j.cell] != area {
				out = append(out, j.lit.Not())
			}
		}
	}
	return out
}
