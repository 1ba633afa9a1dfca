package search

import (
	"context"
	"fmt"
	"image"
	"math/bits"
	"slices"

	"onlooker/solve"
	"onlooker/solve/path"
	"onlooker/solve/witness/board"
)

// An item is a symbol in a cell.
type item struct {
	*board.Symbol
	row    *Row
	at     image.Point
	cell   int32
	colour int32    // number of its colour, -1: none
	class  int32    // number of its kind, colour, count and shape
	gone   path.Lit // an eraser takes it; none: nothing can
	sides  [4]path.Lit
	right  path.Lit // it is right by its columns; none: that is told otherwise
	// Of its kind, which see.
	area                                          int // squares laid, or less than 0: taken away
	alone, content, erases, mates, slow, starless bool
}

// A Referee has the last word on answers. The search never asks it whether a line
// that it draws is right: it judges regions itself, and so each finds the other's
// mistakes.
type Referee interface {
	// Check says what is wrong with an answer by the panel's own rules.
	Check(ctx context.Context, p *board.Panel, s solve.Solution) error
	// Stands is Check by another rule set, which ends by itself before long.
	Stands(ctx context.Context, p *board.Panel, rules board.RuleSet, s solve.Solution) error
}

// A mark is a dot that must be covered.
type mark struct {
	at    image.Point
	cover path.Lit // none: no line can
	gone  path.Lit
	cells []int32 // beside it
}

// A model is what the panel's symbols ask of the line: clauses, and what only
// the regions' walk can tell.
type model struct {
	ctx        context.Context
	last       Referee
	l          *layout
	p          *board.Panel
	s          *path.Solver
	items      []item
	itemAt     []int32      // by cell, -1
	kinds      []board.Kind // of the items, each once, in the order in which they are stated
	marks      []mark
	marksAt    [][]int32 // by cell
	colours    int
	always     path.Lit // true; none: nobody asked yet
	classes    []*item  // an item of each
	erasers    int
	pieces     int
	pieceItems []int32 // blue ones too
	plain      []int32 // cells without pieces
	largest    int     // of the pieces, in squares
	blue       int
	watched    []path.Lit                      // variables other than joins that regions must follow
	judge      *judge                          // by the panel's own rules
	tiles      *tiler                          // the judge's
	demanded   path.Lit                        // the first of the literals under which asked counts: what is learned without serves it
	asked      []*judge                        // by rule sets that answers shall hold by too
	steps      []func(*regions, *path.Clauses) // what the walk looks for, the cheapest first
	labels     []label
	labelOf    []int32 // by item, -1
	// where pieces may lie; see placements
	placed     bool
	laid       []placement
	exclusive  bool      // no cell is covered twice
	cancels    bool      // a region's pieces may come to nothing
	eaten      path.Lit  // of the first cell: a blue piece lies there
	covering   [][]int32 // by cell: placements
	tiled      path.Lit  // of the first cell
	zero       path.Lit  // of the first cell: its region's pieces come to nothing; none: they cannot
	groups     []pieceGroup
	scratch    []path.Lit
	wrongSides map[sideTable][]sideSet // see fewest
}

func newModel(l *layout, s *path.Solver, rows Table, last Referee) *model {
	p := l.p
	m := &model{last: last, l: l, p: p, s: s, itemAt: make([]int32, len(l.cells)), marksAt: make([][]int32, len(l.cells)), wrongSides: make(map[sideTable][]sideSet), demanded: none, always: none}
	colour := make(map[board.Colour]int32)
	class := make(map[string]int32)
	placed := rows.placed(p)
	for c, at := range l.cells {
		m.itemAt[c] = -1
		if c >= l.real {
			continue
		}
		sp := p.At(at)
		if sp.Kind == board.NoSymbol {
			continue
		}
		kind := sp.Kind.About()
		row, _ := rows.of(sp.Kind)
		it := item{Symbol: &sp.Symbol, row: &row, at: at, cell: int32(c), colour: -1, gone: none, right: none, area: kind.Squares * len(sp.Shape), alone: kind.Alone, content: row.content, erases: kind.Erases, mates: row.mates, slow: kind.Slow, starless: kind.Starless}
		number := slices.Index(m.kinds, sp.Kind)
		if number < 0 {
			number = len(m.kinds)
			m.kinds = append(m.kinds, sp.Kind)
		}
		if sp.Colour != "" {
			if _, ok := colour[sp.Colour]; !ok {
				colour[sp.Colour] = int32(len(colour))
			}
			it.colour = colour[sp.Colour]
		}
		turns := turnedShapes(&sp.Symbol)
		name := string(appendInts([]byte{byte(number), byte(sp.Count), byte(len(turns))}, int(it.colour)))
		name = string(appendInts([]byte(name), sp.Way.X, sp.Way.Y))
		if placed {
			name = string(appendInts([]byte(name), c))
		}
		for _, q := range canonical(turns) {
			name = string(appendInts([]byte(name), q.X, q.Y))
		}
		if _, ok := class[name]; !ok {
			class[name] = int32(len(class))
			m.classes = append(m.classes, &item{Symbol: it.Symbol, colour: it.colour, area: it.area})
		}
		it.class = class[name]
		if it.erases {
			m.erasers++
		}
		if it.area != 0 {
			m.pieces++
			m.largest = max(m.largest, len(it.Shape))
			m.pieceItems = append(m.pieceItems, int32(len(m.items)))
		}
		if it.area < 0 {
			m.blue++
		}
		for i, d := range dirs {
			it.sides[i] = l.cover[l.index(at.Add(d))]
		}
		m.itemAt[c] = int32(len(m.items))
		m.items = append(m.items, it)
	}
	for c := range int32(l.real) {
		if i := m.itemAt[c]; i < 0 || m.items[i].area == 0 {
			m.plain = append(m.plain, c)
		}
	}
	m.colours = len(colour)
	ordered(m.kinds)
	m.addMarks()
	m.judge = newJudge(m, p.Rules)
	if m.pieces > 0 {
		m.tiles = m.judge.tiles
		m.cancels = m.canCancel()
	}
	return m
}

// addMarks lists the dots.
func (m *model) addMarks() {
	l, p := m.l, m.p
	for at := range p.Points() {
		sp := p.At(at)
		if board.IsCell(at) || !sp.Dot.On || l.outside[l.index(at)] {
			continue
		}
		mk := mark{at: at, cover: l.cover[l.index(at)], gone: none}
		if c := l.cell[l.index(at)]; c >= 0 {
			mk.cells = append(mk.cells, c)
		}
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				q := at.Add(image.Pt(dx, dy))
				if p.In(q) && board.IsCell(q) && l.cell[l.index(q)] >= 0 && (board.IsNode(at) || dx == 0 || dy == 0) {
					mk.cells = append(mk.cells, l.cell[l.index(q)])
				}
			}
		}
		for _, c := range mk.cells {
			m.marksAt[c] = append(m.marksAt[c], int32(len(m.marks)))
		}
		m.marks = append(m.marks, mk)
	}
}

func b2i(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// clause adds a clause; literals that are none are left out.
func (m *model) clause(lits ...path.Lit) {
	c := m.scratch[:0]
	for _, x := range lits {
		if x != none {
			c = append(c, x)
		}
	}
	m.s.AddClause(c...)
	m.scratch = c
}

// together adds: variables, one for each cell from first on, agree where cells
// belong together.
func (m *model) together(first path.Lit) {
	for _, j := range m.l.joins {
		a, b := first+2*path.Lit(j.a), first+2*path.Lit(j.b)
		if j.lit == none {
			m.s.AddClause(a, b.Not())
			m.s.AddClause(a.Not(), b)
			continue
		}
		m.s.AddClause(j.lit, a, b.Not())
		m.s.AddClause(j.lit, a.Not(), b)
	}
}

// state adds all clauses.
func (m *model) state() {
	if n := len(others(m.p)); n > 0 && m.p.Disputed() {
		m.demanded = m.s.NewVars(n)
		for k := range n {
			m.s.SetLast(m.demanded + 2*path.Lit(k))
		}
	}
	if !m.p.Rules.ThroughEnds {
		m.stopAtEnds()
	}
	if m.erasers > 0 {
		m.addErasing()
	}
	m.stateDots()
	for i := range m.items {
		if it := &m.items[i]; it.alone && it.row.Met != nil {
			m.bySides(it)
		}
	}
	m.zero, m.eaten = none, none
	m.stateKinds(false)
	m.addLabels()
	m.stateKinds(true)
	m.steps = append([]func(*regions, *path.Clauses){m.reach}, m.steps...)
	if len(m.labels) > 0 {
		m.steps = append(m.steps, m.labelAreas)
	}
	if m.erasers > 0 {
		m.steps = append(m.steps, m.eraserCounts)
	}
	if m.exclusive {
		m.steps = append(m.steps, m.tiledCells)
	}
	if m.pieces > 0 {
		m.steps = append(m.steps, m.labelSizes)
	}
	if len(m.labels) > 0 {
		m.steps = append(m.steps, m.bridges)
	}
	if m.pieces > 0 {
		m.steps = append(m.steps, m.labelReach)
	}
}

// stateKinds adds what the kinds ask of their symbols: of those that have labels,
// or have none.
func (m *model) stateKinds(labelled bool) {
	for _, k := range m.kinds {
		if own := m.ofKind(k); m.items[own[0]].mates == labelled {
			if state := m.items[own[0]].row.state; state != nil {
				state(m, own)
			}
		}
	}
}

// ofKind lists the items of a kind.
func (m *model) ofKind(k board.Kind) (own []int32) {
	for i := range m.items {
		if m.items[i].Kind == k {
			own = append(own, int32(i))
		}
	}
	return own
}

// stopAtEnds adds: the line stops at the first end that it comes to. One start,
// one end: kinds of the source and the sink see to that.
func (m *model) stopAtEnds() {
	l := m.l
	for at := range m.p.Points() {
		i := l.index(at)
		if l.vertex[i] < 0 || !m.p.At(at).IsEnd() {
			continue
		}
		// The line or its image comes here: then it ends here, or it began
		// here. The image of an end need not be one; then it cannot end.
		stop := []path.Lit{none}
		for k, end := range l.endAt {
			if l.vertex[l.index(end)] == l.vertex[i] {
				stop = append(stop, l.end[k])
			}
		}
		for k, from := range l.startAt {
			if l.vertex[l.index(from)] == l.vertex[i] {
				stop = append(stop, l.start[k])
			}
		}
		for _, lit := range l.seg[i] {
			if lit != none {
				stop[0] = lit.Not()
				m.s.AddClause(stop...)
			}
		}
	}
}

// atMost adds: no more than k of the literals are true (Sinz's counter).
func (m *model) atMost(k int, lits []path.Lit) {
	n := len(lits)
	if k >= n {
		return
	}
	if k < 0 {
		m.s.AddClause()
		return
	}
	var prev []path.Lit
	for i, x := range lits {
		if len(prev) == k {
			if k == 0 {
				m.s.AddClause(x.Not())
			} else {
				m.s.AddClause(x.Not(), prev[k-1].Not())
			}
		}
		if i == n-1 || k == 0 {
			continue
		}
		var cur []path.Lit
		for range min(i+1, k) {
			cur = append(cur, m.s.NewVar())
		}
		m.s.AddClause(x.Not(), cur[0])
		for j := range cur {
			if j < len(prev) {
				m.s.AddClause(prev[j].Not(), cur[j])
				if j+1 < len(cur) {
					m.s.AddClause(x.Not(), prev[j].Not(), cur[j+1])
				}
			}
		}
		prev = cur
	}
}

// value is a literal's value now; none is false for good.
func value(c *path.Clauses, l path.Lit) int {
	if l == none {
		return -1
	}
	return c.Value(l)
}

// free tells whether the panel wants nothing but a line: no symbol, no dot, and
// nothing of where it runs.
func (m *model) free() bool {
	l := m.l
	return len(m.items)+len(m.marks) == 0 && !l.sheets && !slices.Contains(l.onward, true) && m.p.Symmetry == board.NoSymmetry
}

// consider looks at the regions as they are now and adds what follows.
func (m *model) consider(r *regions, c *path.Clauses) {
	for _, step := range m.steps {
		step(r, c)
		if r.added+r.implied > 0 {
			return
		}
	}
	for id := range r.areas {
		m.closed(r, c, int32(id))
	}
}

// reach turns off what the line cannot reach from its beginning; it must reach
// an end.
func (m *model) reach(r *regions, c *path.Clauses) {
	if !r.cut {
		return
	}
	links, val := m.l.links, c.Values()
	if len(r.reached) < len(links) {
		r.reached = make([]int32, len(links))
	}
	r.stamp++
	q := append(r.queue[:0], source)
	r.reached[source] = r.stamp
	for n := 0; n < len(q); n++ {
		if q[n] == sink {
			continue
		}
		for _, k := range links[q[n]] {
			if r.reached[k.to] != r.stamp && val[k.lit] >= 0 {
				r.reached[k.to] = r.stamp
				q = append(q, k.to)
			}
		}
	}
	r.queue = q
	if len(q) == len(links) {
		r.cut = false
		return
	}
	why := -1
	shore := func() []path.Lit { // the edges that are off round what is reached
		out := m.scratch[:0]
		for _, x := range q {
			for _, k := range links[x] {
				if x != sink && r.reached[k.to] != r.stamp {
					out = append(out, k.lit)
				}
			}
		}
		m.scratch = out
		return out
	}
	if r.reached[sink] != r.stamp {
		r.add(c, shore()...)
		return
	}
	for x := range links {
		if r.reached[x] == r.stamp {
			continue
		}
		for _, k := range links[x] {
			if r.reached[k.to] == r.stamp || val[k.lit] < 0 {
				continue
			}
			if why < 0 {
				why = r.note(shore())
			}
			if !r.imply(c, k.lit.Not(), why) {
				return
			}
		}
	}
	r.cut = false
}

// A limit is what a kind wants of any region, as far as it can be told of a part
// of it, or of more than it: with any of the cells in when, it has no more than
// most of those that are counted, and no fewer than least of those that may be.
type limit struct {
	when, counted, may uint64
	most, least        int
}

// over is how many symbols must be erased at least, in a region with these cells.
func (l *limit) over(cells uint64) int {
	if cells&l.when == 0 {
		return 0
	}
	return min(bits.OnesCount64(cells&l.when), bits.OnesCount64(cells&l.counted)-l.most)
}

// under is the same in a region that has these cells, and others of an area alone.
func (l *limit) under(cells, area uint64) int {
	if bits.OnesCount64(area&l.may) >= l.least {
		return 0
	}
	return bits.OnesCount64(cells & l.when)
}

// ordered sorts kinds as Kinds lists them, others behind, those that are slow to
// judge last of all.
func ordered(kinds []board.Kind) []board.Kind {
	list := board.Kinds()
	rank := func(k board.Kind) int {
		i := slices.Index(list, k)
		if i < 0 || k.Erases() { // what is erased follows from what is wrong
			i = len(list) + int(b2i(k.Erases()))
		}
		if k.About().Slow {
			i += len(list) + 2
		}
		return i
	}
	slices.SortStableFunc(kinds, func(a, b board.Kind) int { return rank(a) - rank(b) })
	return kinds
}

// A Table has a row for each kind of symbol. It must not be changed.
type Table map[board.Kind]Row

// A Row is what the search knows of a kind. What is nil is not needed.
type Row struct {
	mates   bool // its region is followed cell by cell: see label
	content bool // whether it is wrong is told by what stands in its region, wherever that is

	// met is the rule where it goes by the sides of the symbol's cell alone:
	// whether it is right when just these (see dirs) are covered.
	Met func(s *board.Symbol, sides [4]bool) bool
	// bad is the rule otherwise: whether the symbols of a heap are wrong in a
	// region with these contents.
	Bad func(t *Tally, h *Heap) bool
	// bears tells whether the symbols of a heap may come right when one of
	// another symbol is erased; nil: they may.
	bears func(h *Heap, erased *item, rules *board.RuleSet) bool
	// state adds clauses for the kind's own symbols, given by their numbers in
	// items.
	state func(m *model, own []int32)
	// erased adds clauses that say when a symbol is erased.
	erased func(m *model, it *item)
	// limits are what the kind's own symbols want of a part of a region.
	limits func(m *model, own []int32) []limit
}

// of is the row of a kind, or of the one that it is like.
func (t Table) of(k board.Kind) (row Row, known bool) {
	if row, known = t[k]; !known {
		row, known = t[k.Like()]
	}
	if c := k.By(); !known && c != nil {
		return byColumns(c), true
	}
	return row, known
}

// placed tells whether it matters which of equal symbols of a panel are erased: some
// go by where others stand.
func (t Table) placed(p *board.Panel) bool {
	erasers, places := false, false
	for i := range p.Spots {
		k := p.Spots[i].Kind
		erasers = erasers || k.Erases()
		places = places || k.By() != nil && k.By().Pick == board.PickSymbol
	}
	return erasers && places
}

// known says whether the table has a row for every symbol of a panel.
func (t Table) known(p *board.Panel) error {
	for i := range p.Spots {
		if k := p.Spots[i].Kind; k != board.NoSymbol {
			if _, known := t.of(k); !known {
				return fmt.Errorf("solve: %s: %w", k.Called(), solve.ErrNotSupported)
			}
		}
	}
	return nil
}
