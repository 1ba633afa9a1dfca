package search

import (
	"image"
	"iter"
	"slices"

	"onlooker/solve/path"
	"onlooker/solve/witness/board"
)

// A kind whose rule is columns asks of its symbols that some literals are true in a
// number: that the line covers places, turns at nodes, is not met before a cell, or
// that cells lie in the symbol's region. Counters make clauses of that; labels say
// what lies in the region, and what a region must and may hold decides it early.

// byColumns is the row of such a kind.
func byColumns(c *board.Columns) Row {
	r := Row{mates: c.ByRegion() || c.Sums(), content: c.Pick == board.PickSymbol, state: stateColumns}
	if !c.ByLine() && !c.Test.Over() {
		r.Bad = badColumns
	}
	return r
}

// stateColumns adds that symbols are right, or gone.
func stateColumns(m *model, own []int32) {
	c := m.items[own[0]].Kind.By()
	if c.Test.Over() {
		m.agree(c, own)
		return
	}
	for _, i := range own {
		it := &m.items[i]
		it.right = m.right(c, i, own)
		m.clause(it.right, it.gone)
	}
}

// right is true when a symbol is right by what is left.
func (m *model) right(c *board.Columns, i int32, own []int32) path.Lit {
	it := &m.items[i]
	if c.Fold == board.Lined {
		return m.lined(i)
	}
	if c.Sums() {
		return m.summed(c, i, own)
	}
	lists := m.picks(c, i)
	if !c.Each {
		lists = [][]path.Lit{slices.Concat(lists...)}
	}
	var all []path.Lit
	for _, lits := range lists {
		all = append(all, m.met(c, it.Count, lits))
	}
	return m.and(all...)
}

// met is true when as many of the literals are as a test wants.
func (m *model) met(c *board.Columns, n int, lits []path.Lit) path.Lit {
	more := int(b2i(c.Itself))
	// The counts that pass are one run, or all but one.
	first, last, pass := -1, -1, 0
	for k := range len(lits) + 1 {
		if c.Test.Met(k+more, n) {
			if pass++; first < 0 {
				first = k
			}
			last = k
		}
	}
	switch {
	case pass == 0:
		return m.no()
	case pass == last-first+1:
		ge := m.atLeast(ones(lits), last+1)
		return m.and(ge[first], ge[last+1].Not())
	}
	hole := first
	for c.Test.Met(hole+more, n) {
		hole++
	}
	ge := m.atLeast(ones(lits), hole+1)
	return m.and(ge[hole], ge[hole+1].Not()).Not()
}

// A weighted literal counts so much when it is true.
type weighted struct {
	lit path.Lit
	by  int
}

func ones(lits []path.Lit) (all []weighted) {
	for _, x := range lits {
		all = append(all, weighted{x, 1})
	}
	return all
}

// atLeast lists, for each sum from 0 to most, what is true when the literals have it
// or more: term by term, with nothing but what follows of the terms so far.
func (m *model) atLeast(terms []weighted, most int) []path.Lit {
	ge := make([]path.Lit, most+1)
	for v := range ge {
		ge[v] = m.no()
	}
	ge[0] = m.yes()
	for _, t := range terms {
		next := slices.Clone(ge)
		for v := 1; v <= most; v++ {
			next[v] = m.either(ge[v], t.lit, ge[max(0, v-t.by)])
		}
		ge = next
	}
	return ge
}

// either is a, or x and b; a says that b is.
func (m *model) either(a, x, b path.Lit) path.Lit {
	switch {
	case a == m.yes() || x == m.no() || b == m.no():
		return a
	case a == m.no():
		return m.and(x, b)
	case b == m.yes():
		return m.and(a.Not(), x.Not()).Not()
	case x == m.yes():
		return b
	}
	y := m.gate()
	m.s.AddClause(a.Not(), y)
	m.s.AddClause(x.Not(), b.Not(), y)
	m.s.AddClause(y.Not(), a, x)
	m.s.AddClause(y.Not(), b)
	return y
}

// and is true when all literals are.
func (m *model) and(lits ...path.Lit) path.Lit {
	var of []path.Lit
	for _, x := range lits {
		switch {
		case x == m.no():
			return x
		case x != m.yes() && !slices.Contains(of, x):
			of = append(of, x)
		}
	}
	if len(of) == 0 {
		return m.yes()
	}
	if len(of) == 1 {
		return of[0]
	}
	y := m.gate()
	all := []path.Lit{y}
	for _, x := range of {
		m.s.AddClause(y.Not(), x)
		all = append(all, x.Not())
	}
	m.s.AddClause(all...)
	return y
}

// or is true when any literal is.
func (m *model) or(lits ...path.Lit) path.Lit {
	not := make([]path.Lit, len(lits))
	for i, x := range lits {
		not[i] = x.Not()
	}
	return m.and(not...).Not()
}

// gate is a variable that follows from others.
func (m *model) gate() path.Lit {
	x := m.s.NewVar()
	m.s.SetLast(x)
	return x
}

// yes is always true.
func (m *model) yes() path.Lit {
	if m.always == none {
		m.always = m.gate()
		m.s.AddClause(m.always)
	}
	return m.always
}

func (m *model) no() path.Lit { return m.yes().Not() }

// covered is true when a line covers a half-cell.
func (m *model) covered(at image.Point) path.Lit {
	if x := m.l.cover[m.l.index(at)]; x != none {
		return x
	}
	return m.no()
}

// picks lists what a symbol's rule counts, way by way; what it counts of itself is
// left out.
func (m *model) picks(c *board.Columns, i int32) (lists [][]path.Lit) {
	it := &m.items[i]
	seen := make(map[int][]path.Lit) // by place: it is seen, from one side or the other
	var order []int
	for way, places := range m.l.looks(c, it) {
		var lits []path.Lit
		far := m.yes()
		for _, at := range places {
			place := m.l.index(at)
			switch c.Pick {
			case board.PickLine:
				lits = append(lits, m.covered(at))
			case board.PickTurn:
				lits = append(lits, m.turned(at, c.Stub))
			case board.PickSeen:
				far = m.and(far, m.covered(at.Sub(way)).Not())
				if seen[place] == nil {
					order = append(order, place)
				}
				seen[place] = append(seen[place], far)
			case board.PickOwn, board.PickOther:
				cell := m.l.cell[place]
				if cell < 0 {
					continue
				}
				in := m.labels[m.labelOf[i]].in[cell]
				if c.Pick == board.PickOther {
					in = in.Not()
				}
				lits = append(lits, in)
			case board.PickSymbol:
				if cell := m.l.cell[place]; cell >= 0 && m.itemAt[cell] >= 0 && m.looksAt(it, m.itemAt[cell]) {
					lits = append(lits, m.present(i, m.itemAt[cell]))
				}
			}
		}
		lists = append(lists, lits)
	}
	for _, place := range order {
		lists[0] = append(lists[0], m.or(seen[place]...))
	}
	return lists
}

// looksAt tells whether a rule that picks symbols picks such as an item.
func (m *model) looksAt(it *item, k int32) bool {
	o := &m.items[k]
	return !it.Kind.By().OwnColour || o.colour >= 0 && o.colour == it.colour
}

// present is true when an item counts for another one in whose region it may lie.
func (m *model) present(i, k int32) path.Lit {
	o := &m.items[k]
	switch {
	case o.erases && !m.p.Rules.ErasersCount:
		return m.no()
	case o.gone == none || o.erases:
		return m.same(i, k)
	}
	return m.and(m.same(i, k), o.gone.Not())
}

// lined is true when what a symbol looks at stands in its row or in its column, and
// not in both.
func (m *model) lined(i int32) path.Lit {
	it := &m.items[i]
	var row, column []path.Lit // what is in it alone
	for k := range int32(len(m.items)) {
		o := &m.items[k]
		if k == i || !m.looksAt(it, k) {
			continue
		}
		not := m.present(i, k).Not()
		if o.at.Y != it.at.Y {
			row = append(row, not)
		}
		if o.at.X != it.at.X {
			column = append(column, not)
		}
	}
	a, b := m.and(row...), m.and(column...)
	return m.and(m.or(a, b), m.and(a, b).Not())
}

// summed is true when what is counted is the sum of the numbers of the symbols of a
// kind in the region.
func (m *model) summed(c *board.Columns, i int32, own []int32) path.Lit {
	terms, sum := ones(slices.Concat(m.picks(c, i)...)), 0
	if c.Itself {
		terms = append(terms, weighted{m.yes(), 1})
	}
	for _, k := range own { // what is not there counts on the other side
		there := m.present(i, k)
		if k == i {
			there = m.yes() // while it is not gone
		}
		terms = append(terms, weighted{there.Not(), m.items[k].Count})
		sum += m.items[k].Count
	}
	ge := m.atLeast(terms, sum+1)
	return m.and(ge[sum], ge[sum+1].Not())
}

// agree adds that symbols all over the panel agree: those of one colour where a rule
// goes by colours.
func (m *model) agree(c *board.Columns, own []int32) {
	groups := make(map[int32][]int32)
	var colours []int32 // in the order in which they come
	for _, i := range own {
		colour := int32(-1)
		if c.OwnColour {
			colour = m.items[i].colour
		}
		if groups[colour] == nil {
			colours = append(colours, colour)
		}
		groups[colour] = append(groups[colour], i)
	}
	for _, colour := range colours {
		group := groups[colour]
		var first []path.Lit
		var by [4][]path.Lit // what covers a side, of each
		for n, i := range group {
			it := &m.items[i]
			var lits []path.Lit
			if c.Scope == board.Sides {
				for d, way := range m.l.turnedWays(it.Way) {
					x := m.covered(it.at.Add(way))
					by[d] = append(by[d], x)
					lits = append(lits, x)
				}
			} else {
				lits = slices.Concat(m.picks(c, i)...)
			}
			m.s.AddClause(m.met(c, it.Count, lits))
			if c.Fold != board.SidesSet {
				lits = m.atLeast(ones(lits), len(dirs)+m.p.Cols*m.p.Rows) // no scope has more
			}
			if n == 0 {
				first = lits
			}
			for k := range lits {
				if c.Test != "once" && n > 0 {
					m.s.AddClause(lits[k], first[k].Not())
					m.s.AddClause(lits[k].Not(), first[k])
				}
			}
		}
		if c.Test == "once" {
			for _, lits := range by {
				m.s.AddClause(lits...)
				m.atMost(1, lits)
			}
		}
	}
}

// turnedWays are the ways to a cell's sides as seen from a direction: ahead first,
// then clockwise.
func (l *layout) turnedWays(way image.Point) (all [4]image.Point) {
	if way == (image.Point{}) {
		way = image.Pt(0, -1)
	}
	for d := range all {
		all[d] = way
		way = image.Pt(-way.Y, way.X)
	}
	return all
}

// turned is true when a line has a level and an upright part at a node.
func (m *model) turned(node image.Point, stub bool) path.Lit {
	l := m.l
	i := l.index(node)
	var parts [2][]path.Lit
	for d, x := range l.seg[i] {
		if x != none {
			parts[d%2] = append(parts[d%2], x)
		}
	}
	if cap := m.p.At(node).Cap; stub && cap != (image.Point{}) {
		q, _ := l.partner(node)
		for k, at := range l.endAt {
			if at != m.p.Wrap(node) && at != m.p.Wrap(q) {
				continue
			}
			if cap.X != 0 {
				parts[0] = append(parts[0], l.end[k])
			}
			if cap.Y != 0 {
				parts[1] = append(parts[1], l.end[k])
			}
		}
	}
	return m.and(m.or(parts[0]...), m.or(parts[1]...))
}

// looks yields where a symbol's rule looks, in each of its ways. Round a pillar a ray to
// the left and one to the right meet the same places: these come once, but where each way
// is judged by itself, or what lies between counts.
func (l *layout) looks(c *board.Columns, it *item) iter.Seq2[image.Point, []image.Point] {
	return func(yield func(image.Point, []image.Point) bool) {
		var met []image.Point
		for _, way := range c.Ways(it.Way) {
			places := l.scope(c, it.at, way)
			if (!c.Each || c.Test.Over()) && c.Pick != board.PickSeen {
				places = slices.DeleteFunc(places, func(at image.Point) bool { return slices.Contains(met, at) })
				met = append(met, places...)
			}
			if !yield(way, places) {
				return
			}
		}
	}
}

// scope lists where a rule looks from a cell, in one direction.
func (l *layout) scope(c *board.Columns, from, way image.Point) (all []image.Point) {
	p := l.p
	switch c.Scope {
	case board.Corners:
		for _, d := range [4]image.Point{{X: 1, Y: 1}, {X: -1, Y: 1}, {X: -1, Y: -1}, {X: 1, Y: -1}} {
			all = append(all, p.Wrap(from.Add(d)))
		}
	case board.Sides:
		for _, d := range dirs {
			all = append(all, p.Wrap(from.Add(d)))
		}
	case board.Ray, board.Rays:
		at := from.Add(way)
		if c.Pick != board.PickLine {
			at = at.Add(way)
		}
		for ; p.In(at) && p.Wrap(at) != from; at = at.Add(way).Add(way) {
			if len(all) > 0 && p.Wrap(at) == all[0] || c.Until == board.Hole && board.IsCell(at) && l.outside[l.index(at)] {
				break
			}
			all = append(all, p.Wrap(at))
		}
	default:
		for _, at := range l.cells[:l.real] {
			if at != from && l.sees(c.Scope, from, at, way) {
				all = append(all, at)
			}
		}
	}
	return all
}

// sees tells whether a cell lies in a scope of cells.
func (l *layout) sees(scope board.Scope, from, at, way image.Point) bool {
	x, y := (at.X-from.X)/2, (at.Y-from.Y)/2
	across, up := max(x, -x), max(y, -y)
	if l.p.Pillar {
		across = min(across, l.p.Cols-across)
	}
	switch scope {
	case board.Next:
		return across+up == 1
	case board.Around:
		return across <= 1 && up <= 1
	case board.Cross:
		return across*up == 0
	case board.Ahead:
		return (way.X == 0 || x*way.X > 0) && (way.Y == 0 || y*way.Y > 0)
	}
	return true
}

// badColumns judges a region that is complete: whether any symbol of a heap is wrong.
func badColumns(t *Tally, h *Heap) bool {
	c := h.it.Kind.By()
	return slices.ContainsFunc(h.items, func(i int32) bool { return !t.passes(c, i) })
}

// passes tells whether a symbol that goes by what else is left is right.
func (t *Tally) passes(c *board.Columns, i int32) bool {
	m, it := t.m, &t.m.items[i]
	var left []int32
	sum := 0
	for k := range t.heaps {
		o := &t.heaps[k]
		if o.it == nil || t.left(k) == 0 {
			continue
		}
		left = append(left, o.items...)
		if o.it.Kind == it.Kind {
			sum += t.left(k) * o.it.Count
		}
	}
	left = append(left, t.standing...)
	if c.Fold == board.Lined {
		row, column := true, true
		for _, k := range left {
			if o := &m.items[k]; k != i && m.looksAt(it, k) {
				row, column = row && o.at.Y == it.at.Y, column && o.at.X == it.at.X
			}
		}
		return row != column
	}
	total := 0
	for _, places := range m.l.looks(c, it) {
		n := 0
		for _, at := range places {
			cell := m.l.cell[m.l.index(at)]
			switch {
			case cell < 0:
			case c.Pick == board.PickSymbol:
				n += int(b2i(m.itemAt[cell] >= 0 && slices.Contains(left, m.itemAt[cell]) && m.looksAt(it, m.itemAt[cell])))
			default:
				n += int(b2i(slices.Contains(t.pl.cells, cell) == (c.Pick == board.PickOwn)))
			}
		}
		if c.Each && !c.Test.Met(n, it.Count) {
			return false
		}
		total += n
	}
	total += int(b2i(c.Itself))
	if c.Sums() {
		return total == sum
	}
	return c.Each || c.Test.Met(total, it.Count)
}
