package witness

import (
	"context"
	"image"
	"math/bits"
	"slices"

	"onlooker/solve/path"
)

// A walk draws one line after the other, depth first, and judges a region as
// soon as the line has closed it. A small panel it decides before the clauses of
// a search would be written down; but how many lines there are grows by a factor
// of 100 from 4×4 to 5×5 cells, and of 500 from there to 6×6.
//
// It goes by the search's layout and asks the search's judges. Of the variables
// it uses the names alone: on holds those that the line makes true.
type walk struct {
	m      *model
	l      *layout
	judges []*judge

	vertices []walkVertex
	cells    []walkCell
	musts    []bool     // by variable of an edge: a dot lies on it that no eraser takes
	tables   []*cutoffs // by item: of those that go by their sides

	on    []bool // by variable
	been  []bool // by vertex
	steps []walkStep
	ended path.Lit // by which the line ends, once it does
	known map[plotKey]bool
	work  int

	// For the walks through what is left of the panel.
	stamp   int32
	reached []int32 // by vertex: stamp
	seen    []int32 // by cell: stamp
	queue   []int32
	area    []int32
}

// A walkVertex is a vertex of the graph as the walk sees it.
type walkVertex struct {
	links  []pathLink
	visit  path.Lit // what covers it
	halves path.Lit // true when the line runs all along the edge that it is the middle of; none: it is no middle
	must   bool     // a dot lies on it that no eraser takes
	border bool     // it, or its image, lies on the border
	cells  []int32  // that have it at a corner or a side
}

// A walkSide is a side of a cell: an edge, by its vertices, or the middle of
// one, a vertex twice; -1: no line can cover it.
type walkSide struct {
	lit  path.Lit
	a, b int32
}

// A walkCell is a cell as the walk sees it.
type walkCell struct {
	sides [4]walkSide
	dots  []int32 // that are told of with it
}

// A walkStep is a vertex of the line.
type walkStep struct {
	at   int32
	next int32    // of its links
	lit  path.Lit // by which the line came
}

// A plotKey tells regions that are judged apart: cells, and what is wrong by its
// sides or not covered.
type plotKey struct {
	cells uint64
	wrong [2]uint64
}

// cutoffs tells for each set of covered sides and each of sides that are not,
// whether a symbol can still be right.
type cutoffs [16][16]bool

func newCutoffs(t sideTable) *cutoffs {
	var c cutoffs
	for on := range 16 {
		for off := range 16 {
			c[on][off] = !t.never(sideSet{on, off})
		}
	}
	return &c
}

// What a walk takes on: panels of up to 6×6 cells, whose lines beyond that are too
// many, and which two words tell all symbols and dots of.
const (
	walkCells = 36
	walkOther = 128
)

// walkable tells whether the walk knows all the rules that a panel has.
func (m *model) walkable() bool {
	l := m.l
	if len(l.cells) != l.real || l.real > walkCells || len(m.items)+len(m.marks) > walkOther || l.sheets || !m.p.Rules.ThroughEnds {
		return false
	}
	if !l.tight && m.tiles != nil && slices.ContainsFunc(m.judges, func(j *judge) bool { return j.rules.LineBlocksPieces }) {
		return false // where the line runs matters, beside what it encloses
	}
	return !slices.ContainsFunc(m.marks, func(mk mark) bool { return mk.cover == none && (m.erasers == 0 || len(mk.cells) == 0) })
}

func newWalk(m *model, vars int) *walk {
	l := m.l
	w := &walk{
		m: m, l: l, judges: m.judges, vertices: make([]walkVertex, len(l.links)), cells: make([]walkCell, l.real),
		musts: make([]bool, vars), tables: make([]*cutoffs, len(m.items)),
		on: make([]bool, vars), been: make([]bool, len(l.links)), known: make(map[plotKey]bool),
		reached: make([]int32, len(l.links)), seen: make([]int32, l.real),
	}
	for v := range w.vertices {
		w.vertices[v] = walkVertex{links: l.links[v], visit: none, halves: none}
	}
	of := make([][2]int32, vars) // by variable: the vertices that it is an edge of, or covers
	for v, links := range l.links {
		for _, k := range links {
			of[k.lit.Var()] = [2]int32{int32(v), k.to}
		}
	}
	for i, v := range l.vertex {
		if v < 0 {
			continue
		}
		at := image.Pt(i%l.width, i/l.width)
		x := &w.vertices[v]
		x.visit = l.cover[i]
		x.border = x.border || at.Y == 0 || at.Y == m.p.Height()-1 || !m.p.Pillar && (at.X == 0 || at.X == m.p.Width()-1)
		of[x.visit.Var()] = [2]int32{v, v}
		if IsEdge(at) {
			x.halves = l.apart[i]
		}
	}
	for c, at := range l.cells {
		for d, way := range dirs {
			side := walkSide{l.cover[l.index(at.Add(way))], -1, -1}
			if side.lit != none {
				side.a, side.b = of[side.lit.Var()][0], of[side.lit.Var()][1]
				for _, v := range [2]int32{side.a, side.b} {
					if x := &w.vertices[v]; !slices.Contains(x.cells, int32(c)) {
						x.cells = append(x.cells, int32(c))
					}
				}
			}
			w.cells[c].sides[d] = side
		}
	}
	w.readSymbols(of)
	w.steps, w.ended = append(w.steps, walkStep{at: source, lit: none}), none
	return w
}

// readSymbols notes what must be covered, and how many sides.
func (w *walk) readSymbols(of [][2]int32) {
	m := w.m
	known := make(map[sideTable]*cutoffs)
	for i := range m.items {
		if it := &m.items[i]; it.alone {
			t := newSideTable(it.Symbol)
			if known[t] == nil {
				known[t] = newCutoffs(t)
			}
			w.tables[i] = known[t]
		}
	}
	for i := range m.marks {
		mk := &m.marks[i]
		if len(mk.cells) > 0 {
			c := &w.cells[mk.cells[0]]
			c.dots = append(c.dots, int32(i))
		}
		if m.erasers > 0 && len(mk.cells) > 0 {
			continue
		}
		if ends := of[mk.cover.Var()]; ends[0] == ends[1] {
			w.vertices[ends[0]].must = true
		} else {
			w.musts[mk.cover.Var()] = true
		}
	}
}

// Work is counted in steps of the line; these are what else takes long, in
// steps.
const (
	closeWork = 8  // looking for regions that were closed
	judgeWork = 50 // judging one that was not judged before
)

// run walks on from where it stopped, until it has found a line, or done so much
// work. ended says that there is no other line.
func (w *walk) run(ctx context.Context, work int) (found, ended bool) {
	most := w.work + work
	w.ended = none
	for n := 0; w.work < most; n++ {
		if n%1024 == 1023 && ctx.Err() != nil {
			return false, false
		}
		head := &w.steps[len(w.steps)-1]
		links := w.vertices[head.at].links
		if int(head.next) == len(links) {
			if len(w.steps) == 1 {
				return false, true
			}
			w.back()
			continue
		}
		k := links[head.next]
		head.next++
		if w.been[k.to] || k.to == source || k.to == sink && head.at == source {
			continue
		}
		w.work++
		if k.to == sink {
			if w.complete() {
				w.ended = k.lit
				return true, false
			}
			continue
		}
		w.step(k)
		if !w.possible() {
			w.back()
		}
	}
	return false, false
}

// step goes on to a vertex.
func (w *walk) step(k pathLink) {
	u := w.steps[len(w.steps)-1]
	w.on[k.lit.Var()] = true
	if h := w.vertices[u.at].halves; h != none && len(w.steps) > 2 {
		w.on[h.Var()] = true
	}
	w.been[k.to] = true
	w.on[w.vertices[k.to].visit.Var()] = true
	w.steps = append(w.steps, walkStep{at: k.to, lit: k.lit})
}

// back takes the last step back.
func (w *walk) back() {
	v := w.steps[len(w.steps)-1]
	w.steps = w.steps[:len(w.steps)-1]
	u := w.steps[len(w.steps)-1]
	w.on[v.lit.Var()] = false
	if h := w.vertices[u.at].halves; h != none {
		w.on[h.Var()] = false
	}
	w.been[v.at] = false
	w.on[w.vertices[v.at].visit.Var()] = false
}

// open tells whether the line may still cover a side.
func (w *walk) open(s *walkSide) bool {
	head := w.steps[len(w.steps)-1].at
	return s.a >= 0 && (!w.been[s.a] || s.a == head) && (!w.been[s.b] || s.b == head) && !w.on[s.lit.Var()]
}

// possible tells whether the line may still answer the panel, as far as its last
// step tells.
func (w *walk) possible() bool {
	n := len(w.steps)
	u := w.steps[n-2].at
	if u == source {
		return true
	}
	left := &w.vertices[u]
	for _, k := range left.links {
		if w.on[k.lit.Var()] || k.to < 2 {
			continue
		}
		if w.musts[k.lit.Var()] || w.vertices[k.to].must && !w.been[k.to] && !w.passable(k.to) {
			return false
		}
	}
	if w.m.erasers == 0 && !w.sidesPossible(left.cells) {
		return false
	}
	return !left.border || w.closedRight()
}

// passable tells whether the line may still come to a vertex and go on.
func (w *walk) passable(v int32) bool {
	head, ways := w.steps[len(w.steps)-1].at, 0
	for _, k := range w.vertices[v].links {
		if k.to != source && (!w.been[k.to] || k.to == head) {
			ways++
		}
	}
	return ways >= 2
}

// sidesPossible tells whether the symbols of cells that go by their sides may
// still be right.
func (w *walk) sidesPossible(cells []int32) bool {
	for _, x := range cells {
		if i := w.m.itemAt[x]; i >= 0 && w.m.items[i].alone {
			on, off := w.covered(x, true)
			if !w.tables[i][on][off] {
				return false
			}
		}
	}
	return true
}

// covered are the sides of a cell that are covered and that will not be; where
// none is open any more, the latter are all the others.
func (w *walk) covered(x int32, open bool) (on, off int) {
	for d := range w.cells[x].sides {
		s := &w.cells[x].sides[d]
		switch {
		case s.a >= 0 && w.on[s.lit.Var()]:
			on |= 1 << d
		case !open || !w.open(s):
			off |= 1 << d
		}
	}
	return on, off
}

// closedRight looks, after a step from the border, for regions that the line can
// come to no more, and tells whether they are right and an end is still within
// reach.
func (w *walk) closedRight() bool {
	w.work += closeWork
	n := len(w.steps)
	head := w.steps[n-1].at
	w.stamp++
	q := append(w.queue[:0], head)
	w.reached[head] = w.stamp
	for i := 0; i < len(q); i++ {
		for _, k := range w.vertices[q[i]].links {
			if k.to != source && !w.been[k.to] && w.reached[k.to] != w.stamp {
				w.reached[k.to] = w.stamp
				if k.to != sink {
					q = append(q, k.to)
				}
			}
		}
	}
	w.queue = q
	if w.reached[sink] != w.stamp {
		return false
	}
	for v := range w.vertices {
		if w.vertices[v].must && !w.been[v] && w.reached[v] != w.stamp {
			return false
		}
	}
	for _, x := range w.vertices[w.steps[n-2].at].cells {
		if w.seen[x] == w.stamp {
			continue
		}
		if w.fill(x); !w.closed() {
			continue
		}
		if !w.right() {
			return false
		}
	}
	return true
}

// fill sets area to the cells that the line does not keep apart from one.
func (w *walk) fill(from int32) {
	q := append(w.area[:0], from)
	w.seen[from] = w.stamp
	for i := 0; i < len(q); i++ {
		for _, j := range w.l.at[q[i]] {
			if w.seen[j.cell] != w.stamp && (j.lit == none || !w.on[j.lit.Var()]) {
				w.seen[j.cell] = w.stamp
				q = append(q, j.cell)
			}
		}
	}
	w.area = q
}

// closed tells whether the line can cover no more side of any cell of area.
func (w *walk) closed() bool {
	for _, x := range w.area {
		for d := range w.cells[x].sides {
			if s := &w.cells[x].sides[d]; s.a >= 0 && w.reached[s.a] == w.stamp && w.reached[s.b] == w.stamp {
				return false
			}
		}
	}
	return true
}

// complete tells whether the line, which is at an end, answers the panel.
func (w *walk) complete() bool {
	for v := range w.vertices {
		if w.vertices[v].must && !w.been[v] {
			return false
		}
	}
	for x, must := range w.musts {
		if must && !w.on[x] {
			return false
		}
	}
	w.stamp++
	for x := range int32(w.l.real) {
		if w.seen[x] == w.stamp {
			continue
		}
		if w.fill(x); !w.right() {
			return false
		}
	}
	return true
}

// right judges area, all sides of which are decided. What the context's end
// leaves open counts as right.
func (w *walk) right() bool {
	m := w.m
	var key plotKey
	symbols, erasers := 0, 0
	wrong := func(n int) { key.wrong[n/64] |= 1 << (n % 64) }
	for _, x := range w.area {
		key.cells |= 1 << x
		if i := m.itemAt[x]; i >= 0 {
			symbols++
			erasers += int(b2i(m.items[i].erases))
			if m.items[i].alone {
				if on, off := w.covered(x, false); !w.tables[i][on][off] {
					wrong(int(i))
				}
			}
		}
		for _, d := range w.cells[x].dots {
			if cover := m.marks[d].cover; cover == none || !w.on[cover.Var()] {
				wrong(len(m.items) + int(d))
			}
		}
	}
	lost := bits.OnesCount64(key.wrong[0]) + bits.OnesCount64(key.wrong[1])
	switch {
	case lost > erasers:
		return false
	case symbols == 0 || symbols == lost && erasers == 0:
		return true
	}
	ok, known := w.known[key]
	if known {
		return ok
	}
	w.work += judgeWork
	pl := plot{cells: w.area}
	for _, x := range w.area {
		if i := m.itemAt[x]; i >= 0 && m.items[i].erases {
			pl.erasers = append(pl.erasers, i)
		} else if i >= 0 {
			pl.items = append(pl.items, i)
			pl.lost = append(pl.lost, key.wrong[i/64]>>(i%64)&1 == 1)
		}
		for _, d := range w.cells[x].dots {
			if n := len(m.items) + int(d); key.wrong[n/64]>>(n%64)&1 == 1 {
				pl.dots = append(pl.dots, d)
			}
		}
	}
	slices.Sort(pl.erasers)
	slices.Sort(pl.dots)
	right, decided := m.verdictOf(w.judges, &pl)
	if decided {
		w.known[key] = right
		return right
	}
	return true
}

// value tells whether the line makes a literal true.
func (w *walk) value(x path.Lit) bool {
	return w.on[x.Var()] || x == w.ended
}
