package search

import (
	"image"
	"slices"

	"onlooker/solve/path"
)

// canCancel tells whether some pieces and some blue pieces of the panel have
// the same area: then a region may come to nothing.
func (m *model) canCancel() bool {
	sums := [2][]bool{{true}, {true}}
	for i := range m.items {
		it := &m.items[i]
		if it.area == 0 {
			continue
		}
		side := b2i(it.area < 0)
		old, n := sums[side], len(it.Shape)
		grown := make([]bool, len(old)+n)
		for s, ok := range old {
			if ok {
				grown[s], grown[s+n] = true, true
			}
		}
		sums[side] = grown
	}
	for s := 1; s < min(len(sums[0]), len(sums[1])); s++ {
		if sums[0][s] && sums[1][s] {
			return true
		}
	}
	return false
}

// bluePlacements states, where there are blue pieces, what every laying of a
// region's pieces meets: its cells are covered; a piece beyond its region, or
// over another piece, is eaten there by a blue one; a blue one lies on pieces.
// Whether the numbers agree in every cell is left to the judge. Where pieces
// may hang over the border, squares beside the board are places too; pieces
// that do not touch the board at all have one place in common ("away").
//
// Where every blue piece is a single square they have no places: one fits
// wherever too much lies, and there is too much of exactly as many squares.
func (m *model) bluePlacements() {
	b := &blueModel{model: m, single: true}
	if !b.sort() {
		return
	}
	b.located = b.pieces
	if !b.single {
		b.located = append(slices.Clone(b.pieces), b.blues...)
		m.eaten = m.s.NewVars(m.l.real)
	}
	b.tiled = m.byRegion()
	b.eats, b.lies = make([][]path.Lit, m.l.real), make([][]path.Lit, m.l.real)
	b.offLies, b.offEats = make(map[image.Point][]path.Lit), make(map[image.Point][]path.Lit)
	m.covering = make([][]int32, m.l.real)
	for _, i := range b.located {
		b.addPlaces(i)
	}
	for n := range b.all {
		b.enter(&b.all[n])
	}
	for n := range b.all {
		b.stateOff(&b.all[n])
	}
	for n := range b.all {
		b.stateOver(&b.all[n])
	}
	for c := range int32(m.l.real) {
		b.stateCell(c)
	}
	m.tiled = b.tiled
	m.steps = append(m.steps, m.tiledCells, m.waste)
	if !b.single {
		m.steps = append(m.steps, m.eating)
	}
}

// A blueModel is a model with blue pieces while their places are stated.
type blueModel struct {
	*model
	pieces, blues []int32
	located       []int32 // those that have places
	size          int     // of all blue pieces, in squares
	single        bool    // each is one square
	tiled         path.Lit
	all           []bluePlace
	eats, lies    [][]path.Lit // by cell: blue places and others
	// By square off the board likewise.
	offEats, offLies map[image.Point][]path.Lit
	away, off        [2][]path.Lit // places of pieces and of blue ones that are, or have squares, off the board
}

// A bluePlace is where a piece or a blue one may lie; no cells: away.
type bluePlace struct {
	lit   path.Lit
	item  int32
	cells []int32
	off   []image.Point
}

// sort tells pieces and blue pieces apart; false where there would be too many
// places.
func (b *blueModel) sort() bool {
	places := 0
	for _, i := range b.pieceItems {
		it := &b.items[i]
		places += b.l.real * len(b.tiles.TurnsOf(it.class))
		if it.area > 0 {
			b.pieces = append(b.pieces, i)
			continue
		}
		b.blues = append(b.blues, i)
		b.size += len(it.Shape)
		b.single = b.single && len(it.Shape) == 1
	}
	return places <= maxPlaces
}

// of is the variable of a cell, none where there are none.
func (b *blueModel) of(first path.Lit, c int32) path.Lit {
	if first == none {
		return none
	}
	return first + 2*path.Lit(c)
}

func (b *blueModel) in(i int32) []path.Lit { return b.labels[b.labelOf[i]].in }

// nearBlue appends that one of the blue pieces lies in an item's region.
func (b *blueModel) nearBlue(out []path.Lit, i int32) []path.Lit {
	for _, blue := range b.blues {
		out = append(out, b.in(i)[b.items[blue].cell])
	}
	return out
}

// addPlaces lists the places of a piece, and adds that it lies in one of them.
func (b *blueModel) addPlaces(i int32) {
	it := &b.items[i]
	some := []path.Lit{b.of(b.tiled, it.cell).Not(), it.gone}
	// Squares of the board that are no cells lie off it, too: open to the outside,
	// where a blue piece may eat what hangs over.
	beside := b.p.Rules.Overhang || b.l.real < b.p.Cols*b.p.Rows
	if beside && (it.area < 0 || len(it.Shape) <= b.size) {
		lit := b.s.NewVar()
		some = append(some, lit)
		b.clause(lit.Not(), b.of(b.tiled, it.cell))
		if it.gone != none {
			b.clause(lit.Not(), it.gone.Not())
		}
		b.all = append(b.all, bluePlace{lit: lit, item: i})
	}
	for _, shape := range b.tiles.TurnsOf(it.class) {
		big := image.Point{}
		for _, q := range shape {
			big = image.Pt(max(big.X, q.X), max(big.Y, q.Y))
		}
		fromX, toX := -big.X, b.p.Cols
		if b.p.Pillar {
			fromX = 0
		}
		for y := -big.Y; y < b.p.Rows; y++ {
			for x := fromX; x < toX; x++ {
				if l, ok := b.place(i, shape, image.Pt(x, y)); ok {
					l.lit = b.s.NewVar()
					b.all = append(b.all, l)
					some = append(some, l.lit)
				}
			}
		}
	}
	b.clause(some...)
	b.groups = append(b.groups, pieceGroup{item: i})
}

// place is a shape of a piece laid somewhere; false where it may not lie.
func (b *blueModel) place(i int32, shape []image.Point, at image.Point) (bluePlace, bool) {
	l := bluePlace{item: i}
	for _, q := range shape {
		q = q.Add(at)
		if c := b.tiles.At(q); c >= 0 {
			l.cells = append(l.cells, c)
			continue
		}
		if b.p.Pillar {
			q.X %= b.p.Cols
		}
		l.off = append(l.off, q)
	}
	outside := func(q image.Point) bool { return !q.In(image.Rect(0, 0, b.p.Cols, b.p.Rows)) }
	switch {
	case len(l.cells) == 0:
		return l, false // away
	case len(l.off) == 0:
	case !b.p.Rules.Overhang && slices.ContainsFunc(l.off, outside):
		return l, false
	case b.items[i].area > 0 && len(l.off) > b.size:
		return l, false // more than could be eaten
	}
	return l, true
}

// enter notes a place where it lies, and adds that its piece is there.
func (b *blueModel) enter(p *bluePlace) {
	it := &b.items[p.item]
	side := b2i(it.area < 0)
	if len(p.off) > 0 || len(p.cells) == 0 {
		b.off[side] = append(b.off[side], p.lit)
	}
	if len(p.cells) == 0 {
		b.away[side] = append(b.away[side], p.lit)
		return
	}
	k := int32(len(b.laid))
	b.clause(p.lit.Not(), b.of(b.tiled, it.cell))
	if it.gone != none {
		b.clause(p.lit.Not(), it.gone.Not())
	}
	for g := range b.groups {
		if b.groups[g].item == p.item {
			b.laid = append(b.laid, placement{p.lit, p.item, int32(g), p.cells, len(p.off)})
			b.groups[g].laid = append(b.groups[g].laid, k)
		}
	}
	for _, c := range p.cells {
		if it.area < 0 {
			b.eats[c] = append(b.eats[c], p.lit)
			b.clause(p.lit.Not(), b.of(b.eaten, c))
		} else {
			b.lies[c] = append(b.lies[c], p.lit)
			b.covering[c] = append(b.covering[c], k)
		}
	}
	for _, q := range p.off {
		if it.area < 0 {
			b.offEats[q] = append(b.offEats[q], p.lit)
		} else {
			b.offLies[q] = append(b.offLies[q], p.lit)
		}
	}
}

// stateOff adds: what lies off the board is eaten there, and what eats lies on
// something; what is away could be at any square off the board.
func (b *blueModel) stateOff(p *bluePlace) {
	if b.single {
		if len(p.off) > 0 || len(p.cells) == 0 {
			b.clause(b.nearBlue([]path.Lit{p.lit.Not()}, p.item)...)
		}
		return
	}
	other, there := 1, b.offEats
	if b.items[p.item].area < 0 {
		other, there = 0, b.offLies
	}
	if len(p.cells) == 0 {
		b.clause(append([]path.Lit{p.lit.Not()}, b.off[other]...)...)
		return
	}
	for _, q := range p.off {
		b.clause(append(append([]path.Lit{p.lit.Not()}, there[q]...), b.away[other]...)...)
	}
}

// stateOver adds: a blue piece lies on pieces; what lies beyond its region is
// eaten, by a blue piece of that.
func (b *blueModel) stateOver(p *bluePlace) {
	it := &b.items[p.item]
	for _, c := range p.cells {
		if it.area < 0 {
			b.clause(append([]path.Lit{p.lit.Not()}, b.lies[c]...)...)
			continue
		}
		in := b.in(p.item)[c]
		if !b.single {
			b.clause(p.lit.Not(), in, b.of(b.eaten, c))
		}
		b.clause(b.nearBlue([]path.Lit{p.lit.Not(), in}, p.item)...)
	}
}

// stateCell adds: a piece of a cell's region lies there, unless the region's
// pieces come to nothing; where something is eaten, something eats.
func (b *blueModel) stateCell(c int32) {
	if !b.single {
		b.clause(append([]path.Lit{b.of(b.eaten, c).Not()}, b.eats[c]...)...)
	}
	home := []path.Lit{b.of(b.tiled, c).Not()}
	for _, i := range b.pieces {
		x := b.s.NewVar()
		b.s.SetLast(x)
		b.clause(x.Not(), b.in(i)[c])
		there := []path.Lit{x.Not()}
		for _, k := range b.covering[c] {
			if b.laid[k].item == i {
				there = append(there, b.laid[k].lit)
			}
		}
		b.clause(there...)
		home = append(home, x)
	}
	b.clause(home...)
	for _, i := range append(slices.Clone(b.pieces), b.blues...) {
		b.clause(b.in(i)[c].Not(), b.items[i].gone, b.of(b.tiled, c), b.of(b.zero, c))
	}
	if b.zero == none {
		return
	}
	b.clause(b.of(b.zero, c).Not(), b.of(b.tiled, c).Not())
	for _, list := range [][]int32{b.pieces, b.blues} {
		home := []path.Lit{b.of(b.zero, c).Not()}
		for _, i := range list {
			home = append(home, b.in(i)[c])
		}
		b.clause(home...)
	}
}

// A wasteCount counts the squares of a region's pieces that lie beyond it, or over one
// another, against its blue pieces.
type wasteCount struct {
	m       *model
	r       *regions
	c       *path.Clauses
	val     []int8
	placed  []int32 // by group: where its piece lies, -1
	it      *item   // the piece whose region it is
	in      []path.Lit
	counted []int32 // groups
	base    int     // the reason that is noted, -1
}

// waste: of a region's pieces no more squares lie beyond it, or over one
// another, than its blue pieces have.
func (m *model) waste(r *regions, c *path.Clauses) {
	if !slices.Contains(r.spent, true) {
		return
	}
	w := &wasteCount{m: m, r: r, c: c, val: c.Values(), placed: make([]int32, len(m.groups))}
	for g := range m.groups {
		w.placed[g] = -1
		for _, k := range m.groups[g].laid {
			if w.val[m.laid[k].lit] > 0 {
				w.placed[g] = k
				break
			}
		}
	}
	for own := range m.groups {
		it := &m.items[m.groups[own].item]
		if it.area <= 0 || w.gone(it) || !r.spent[own] {
			continue
		}
		w.it, w.in, w.counted, w.base = it, m.labels[m.labelOf[m.groups[own].item]].in, w.counted[:0], -1
		spare := w.spare()
		if spare < 0 {
			r.add(c, w.why()...)
			return
		}
		r.spent[own] = false
		if w.placed[own] >= 0 || spare >= len(it.Shape) {
			continue
		}
		if !w.exclude(m.groups[own].laid, spare) {
			r.spent[own] = true
			return
		}
	}
}

func (w *wasteCount) gone(it *item) bool { return it.gone != none && w.val[it.gone] > 0 }

// spare is how many squares more the region's blue pieces may have than are
// wasted already; cells that its pieces lie on are stamped.
func (w *wasteCount) spare() int {
	m, spare := w.m, 0
	for _, b := range m.pieceItems {
		if o := &m.items[b]; o.area < 0 && w.val[w.in[o.cell]] >= 0 && !w.gone(o) {
			spare += len(o.Shape)
		}
	}
	w.r.stamp++
	for g, k := range w.placed {
		if o := &m.items[m.groups[g].item]; k >= 0 && o.area > 0 && w.val[w.in[o.cell]] > 0 {
			spare -= w.beyond(k, true)
			w.counted = append(w.counted, int32(g))
		}
	}
	return spare
}

// beyond is how many squares of a placement are wasted beside those that were
// counted before.
func (w *wasteCount) beyond(k int32, count bool) int {
	p := &w.m.laid[k]
	n := p.off
	for _, x := range p.cells {
		switch {
		case w.val[w.in[x]] < 0 || w.r.seen[x] == w.r.stamp:
			n++
		case count:
			w.r.seen[x] = w.r.stamp
		}
	}
	return n
}

// outside appends that a placement has cells beyond the region.
func (w *wasteCount) outside(out []path.Lit, k int32) []path.Lit {
	for _, x := range w.m.laid[k].cells {
		if w.val[w.in[x]] < 0 {
			out = append(out, w.in[x])
		}
	}
	return out
}

// why is the reason for what is spare.
func (w *wasteCount) why() []path.Lit {
	m := w.m
	out := m.scratch[:0]
	for _, b := range m.pieceItems {
		switch o := &m.items[b]; {
		case o.area >= 0:
		case w.val[w.in[o.cell]] < 0:
			out = append(out, w.in[o.cell])
		case w.gone(o):
			out = append(out, o.gone.Not())
		}
	}
	for _, g := range w.counted {
		out = append(out, m.laid[w.placed[g]].lit.Not())
		if o := &m.items[m.groups[g].item]; o != w.it {
			out = append(out, w.in[o.cell].Not())
		}
		out = w.outside(out, w.placed[g])
	}
	m.scratch = out
	return out
}

// exclude forbids the placements that would waste more than is spare; false when
// it left a broken clause.
func (w *wasteCount) exclude(laid []int32, spare int) bool {
	r := w.r
	for _, k := range laid {
		lit := w.m.laid[k].lit
		if w.val[lit] != 0 || w.beyond(k, false) <= spare {
			continue
		}
		if w.base < 0 {
			w.base = r.note(w.why())
		}
		base := r.reasons[w.base]
		if !r.imply(w.c, lit.Not(), r.note(w.outside(slices.Clone(r.stored[base.from:base.to]), k))) {
			return false
		}
	}
	return true
}

// eating: where no blue piece eats, no two pieces lie. It looks at the cells
// where something has come to lie, or to be no longer eaten.
func (m *model) eating(r *regions, c *path.Clauses) {
	val := c.Values()
	for _, x := range r.laden {
		first, eaten := int32(-1), m.eaten+2*path.Lit(x)
		for _, k := range m.covering[x] {
			if val[m.laid[k].lit] <= 0 {
				continue
			}
			if first < 0 {
				first = k
				continue
			}
			why := r.note([]path.Lit{m.laid[first].lit.Not(), m.laid[k].lit.Not()})
			if !r.imply(c, eaten, why) {
				return
			}
			break
		}
		if first >= 0 && val[eaten] < 0 {
			why := -1
			for _, k := range m.covering[x] {
				if k != first && val[m.laid[k].lit] == 0 {
					if why < 0 {
						why = r.note([]path.Lit{m.laid[first].lit.Not(), eaten})
					}
					r.imply(c, m.laid[k].lit.Not(), why)
				}
			}
		}
	}
	r.laden = r.laden[:0]
}
