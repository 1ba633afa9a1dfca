package search

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"onlooker/solve/path"
)

// Work is counted in steps of the line; judging a region that was not judged
// before takes as long as so many.
const judgeWork = 50

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
		if w.been>>k.to&1 == 1 || k.to == source || k.to == sink && head.at == source {
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
		if len(w.steps) > 2 && !w.possible() {
			w.back()
		}
	}
	return false, false
}

// step goes on to a vertex.
func (w *walk) step(k pathLink) {
	s := w.steps[len(w.steps)-1]
	w.on[k.lit.Var()] = true
	if x := w.parting(s.at, k.lit); x != none {
		w.on[x.Var()] = true
		w.part(x)
	}
	w.been |= 1 << k.to
	w.on[w.vertices[k.to].visit.Var()] = true
	w.fresh = 0
	s.at, s.next, s.lit, s.joined = k.to, 0, k.lit, len(w.trail)
	w.steps = append(w.steps, s)
}

// parting is what bars the way between cells when the line goes on from a vertex by
// an edge: that, or in the middle of one all of that; none: nothing.
func (w *walk) parting(from int32, by path.Lit) path.Lit {
	switch h := w.vertices[from].halves; {
	case h != none && len(w.steps) > 2:
		return h
	case h != none || w.edges[by.Var()].half:
		return none
	}
	return by
}

// part bars the way, or does so no longer.
func (w *walk) part(x path.Lit) {
	for _, q := range w.edges[x.Var()].between {
		w.near[q[0]] ^= 1 << q[1]
		w.near[q[1]] ^= 1 << q[0]
	}
}

// back takes the last step back.
func (w *walk) back() {
	v := w.steps[len(w.steps)-1]
	w.steps = w.steps[:len(w.steps)-1]
	u := w.steps[len(w.steps)-1]
	w.on[v.lit.Var()] = false
	if x := w.parting(u.at, v.lit); x != none {
		w.on[x.Var()] = false
		w.part(x)
	}
	for _, q := range w.trail[v.joined:] {
		w.joined[q[0]] &^= 1 << q[1]
		w.joined[q[1]] &^= 1 << q[0]
	}
	w.trail = w.trail[:v.joined]
	w.been &^= 1 << v.at
	w.on[w.vertices[v.at].visit.Var()] = false
}

// possible tells whether the line may still answer the panel, as far as its last
// step tells.
func (w *walk) possible() bool {
	v, u := &w.steps[len(w.steps)-1], &w.steps[len(w.steps)-2]
	left := &w.vertices[u.at]
	if !w.shut(v, left) {
		return false
	}
	border := left.border
	if !w.held(u.at, v.at) {
		dead := w.unreached(v.at)
		if dead>>sink&1 == 1 {
			return false
		}
		for more := dead &^ v.dead; more != 0; more &= more - 1 {
			border = true
			x := bits.TrailingZeros64(more)
			if !w.shut(v, &w.vertices[x]) {
				return false
			}
			v.dead |= 1 << x
		}
	}
	if v.dead&w.musts != 0 {
		return false
	}
	w.sides(v, left.cells&w.alone)
	if v.missed+bits.OnesCount64(v.dead&w.dots)+bits.OnesCount64(v.lost) > w.m.erasers {
		return false
	}
	return w.blocks(v, border, left.cells)
}

// shut notes that the line comes to a vertex no more; false where it leaves out a
// dot then.
func (w *walk) shut(v *walkStep, x *walkVertex) bool {
	for _, k := range x.links {
		if w.on[k.lit.Var()] || k.to < 2 {
			continue
		}
		e := &w.edges[k.lit.Var()]
		if e.must {
			return false
		}
		if e.dot && w.been>>k.to&1 == 0 && v.dead>>k.to&1 == 0 {
			v.missed++
		}
		for _, q := range e.between {
			if w.joined[q[0]]>>q[1]&1 == 0 {
				w.joined[q[0]] |= 1 << q[1]
				w.joined[q[1]] |= 1 << q[0]
				w.trail = append(w.trail, q)
				w.fresh |= 1<<q[0] | 1<<q[1]
			}
		}
	}
	return true
}

// held tells whether it is plain that the line can still come from v wherever it
// could from u, the vertex before: where its other ways on join v's within two
// steps.
func (w *walk) held(u, v int32) bool {
	rest := w.vertices[u].next &^ w.been
	if rest == 0 {
		return true
	}
	round := w.vertices[v].next &^ w.been
	for {
		met := rest & round
		for more := rest &^ met; more != 0; more &= more - 1 {
			if x := bits.TrailingZeros64(more); x != sink && w.vertices[x].next&round&^w.been&^(1<<sink) != 0 {
				met |= 1 << x
			}
		}
		if met == 0 {
			return false
		}
		if rest &^= met; rest == 0 {
			return true
		}
		for more := met; more != 0; more &= more - 1 {
			if x := bits.TrailingZeros64(more); x != sink {
				round |= w.vertices[x].next &^ w.been
			}
		}
	}
}

// unreached are the vertices that the line cannot come to from its head.
func (w *walk) unreached(head int32) uint64 {
	free := uint64(1)<<len(w.vertices) - 1
	if len(w.vertices) == walkVertices {
		free = math.MaxUint64
	}
	free &^= w.been | 1<<source
	all := w.vertices[head].next & free
	for todo := all &^ (1 << sink); todo != 0; {
		x := bits.TrailingZeros64(todo)
		todo &= todo - 1
		more := w.vertices[x].next & free &^ all
		all |= more
		todo |= more &^ (1 << sink)
	}
	return free &^ all
}

// open tells whether the line may still cover a side that it does not.
func (w *walk) open(s *walkSide) bool {
	return s.a >= 0 && !w.on[s.lit.Var()] && w.within(s)
}

// within tells whether the line may still come to both ends of a side.
func (w *walk) within(s *walkSide) bool {
	head := &w.steps[len(w.steps)-1]
	shut := (w.been | head.dead) &^ (1 << head.at)
	return s.a >= 0 && (shut>>s.a|shut>>s.b)&1 == 0
}

// sides notes which symbols of cells have become wrong by their sides.
func (w *walk) sides(v *walkStep, cells uint64) {
	for ; cells != 0; cells &= cells - 1 {
		x := int32(bits.TrailingZeros64(cells))
		if on, off := w.covered(x, true); !w.tables[w.m.itemAt[x]][on][off] {
			v.lost |= 1 << x
		}
	}
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

// flood are the cells that belong together with one, by these ways.
func flood(ways []uint64, from int) uint64 {
	all := uint64(1) << from
	for todo := all; todo != 0; {
		more := ways[bits.TrailingZeros64(todo)] &^ all
		todo &= todo - 1
		all |= more
		todo |= more
	}
	return all
}

// blocks tells whether the blocks that have become larger may still be right, and
// those beside a vertex that the line has left, which may be closed.
func (w *walk) blocks(v *walkStep, border bool, beside uint64) bool {
	look := w.fresh
	if border {
		look |= beside
	}
	for look != 0 {
		from := bits.TrailingZeros64(look)
		block := flood(w.joined, from)
		look &^= block
		if over := w.over(block, v.lost); !border && over == 0 {
			continue
		} else if over > w.m.erasers {
			return false
		} else {
			area := flood(w.near, from)
			if bits.OnesCount64(area&w.erasers) < max(over, w.under(block, area)) {
				return false
			}
			if border && (!w.fits(block, area) || area == block && w.closed(area) && !w.right(area)) {
				return false
			}
		}
	}
	return true
}

// over is how many symbols must be erased at least of a region with these cells,
// some of which are lost.
func (w *walk) over(block, lost uint64) int {
	most := bits.OnesCount64(block & lost)
	for i := range w.limits {
		most = max(most, w.limits[i].over(block))
	}
	return most
}

// under is the same of a region that has a block, and others of an area alone.
func (w *walk) under(block, area uint64) int {
	most := 0
	for i := range w.limits {
		most = max(most, w.limits[i].under(block, area))
	}
	return most
}

// closed tells whether the line can cover no more side of any cell of an area.
func (w *walk) closed(area uint64) bool {
	for ; area != 0; area &= area - 1 {
		for d := range w.cells[0].sides {
			if w.within(&w.cells[bits.TrailingZeros64(area)].sides[d]) {
				return false
			}
		}
	}
	return true
}

// fits tells whether the pieces may fill a region that has at least a block, and
// at most an area, or come to nothing there.
func (w *walk) fits(block, area uint64) bool {
	if block&(w.pieces|w.blue) == 0 {
		return true
	}
	erased := bits.OnesCount64(area&w.erasers) * w.m.largest // squares, at most
	least := w.squares(block&w.pieces) - w.squares(area&w.blue) - erased
	most := w.squares(area&w.pieces) - w.squares(block&w.blue) + erased
	if least <= 0 && most >= 0 && (area&w.blue != 0 || erased > 0) {
		return true
	}
	return least <= bits.OnesCount64(area) && most >= bits.OnesCount64(block)
}

// squares is how many the pieces of some cells have, blue ones or others.
func (w *walk) squares(cells uint64) (n int) {
	for ; cells != 0; cells &= cells - 1 {
		n += len(w.m.items[w.m.itemAt[bits.TrailingZeros64(cells)]].Shape)
	}
	return n
}

// complete tells whether the line, which is at an end, answers the panel.
func (w *walk) complete() bool {
	if w.musts&^w.been != 0 {
		return false
	}
	for _, x := range w.mustEdge {
		if !w.on[x.Var()] {
			return false
		}
	}
	for todo := uint64(1)<<w.l.real - 1; todo != 0; {
		area := flood(w.near, bits.TrailingZeros64(todo))
		todo &^= area
		if !w.right(area) {
			return false
		}
	}
	return true
}

// right judges a region, all sides of which are decided. What the context's end
// leaves open counts as right.
func (w *walk) right(area uint64) bool {
	m := w.m
	key := plotKey{cells: area}
	symbols, erasers := 0, 0
	wrong := func(n int) { key.wrong[n/64] |= 1 << (n % 64) }
	for more := area & w.symbols; more != 0; more &= more - 1 {
		x := int32(bits.TrailingZeros64(more))
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
	var pl plot
	for more := area; more != 0; more &= more - 1 {
		x := int32(bits.TrailingZeros64(more))
		pl.cells = append(pl.cells, x)
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
	right, decided, _ := m.verdict(w.m.judge, &pl)
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
