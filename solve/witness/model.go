package witness

import (
	"context"
	"image"
	"maps"
	"slices"

	"onlooker/solve/path"
)

// An item is a symbol in a cell.
type item struct {
	*Symbol
	at     image.Point
	cell   int32
	colour int32    // number of its colour, -1: none
	class  int32    // number of its kind, colour, count and shape
	gone   path.Lit // an eraser takes it; none: nothing can
	sides  [4]path.Lit
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
	l          *layout
	p          *Panel
	s          *path.Solver
	items      []item
	itemAt     []int32 // by cell, -1
	marks      []mark
	marksAt    [][]int32 // by cell
	colours    int
	classes    []*item // an item of each
	stars      []bool  // by colour: there is a star of it
	erasers    int
	pieces     int
	pieceItems []int32 // blue ones too
	plain      []int32 // cells without pieces
	largest    int     // of the pieces, in squares
	blue       int
	watched    []path.Lit // variables other than joins that regions must follow
	tiles      *tiler
	steps      []func(*regions, *path.Clauses) // what the walk looks for, the cheapest first
	labels     []label
	labelOf    []int32 // by item, -1
	// where pieces may lie; see placements
	laid      []placement
	exclusive bool      // no cell is covered twice
	cancels   bool      // a region's pieces may come to nothing
	eaten     path.Lit  // of the first cell: a blue piece lies there
	covering  [][]int32 // by cell: placements
	tiled     path.Lit  // of the first cell
	zero      path.Lit  // of the first cell: its region's pieces come to nothing; none: they cannot
	groups    []pieceGroup
	scratch   []path.Lit
	judged    map[string]bool
	key       []byte
}

func newModel(l *layout, s *path.Solver) *model {
	p := l.p
	m := &model{l: l, p: p, s: s, itemAt: make([]int32, len(l.cells)), marksAt: make([][]int32, len(l.cells)), judged: make(map[string]bool)}
	colour := make(map[Colour]int32)
	class := make(map[string]int32)
	for c, at := range l.cells {
		m.itemAt[c] = -1
		if c >= l.real {
			continue
		}
		sp := p.At(at)
		if sp.Kind == NoSymbol {
			continue
		}
		it := item{Symbol: &sp.Symbol, at: at, cell: int32(c), colour: -1, gone: none}
		if sp.Colour != "" {
			if _, ok := colour[sp.Colour]; !ok {
				colour[sp.Colour] = int32(len(colour))
				m.stars = append(m.stars, false)
			}
			it.colour = colour[sp.Colour]
		}
		turns := turned(&sp.Symbol)
		name := string(appendInts([]byte{byte(sp.Kind), byte(sp.Count), byte(len(turns))}, int(it.colour)))
		for _, q := range canonical(turns) {
			name = string(appendInts([]byte(name), q.X, q.Y))
		}
		if _, ok := class[name]; !ok {
			class[name] = int32(len(class))
			m.classes = append(m.classes, &item{Symbol: it.Symbol, colour: it.colour})
		}
		it.class = class[name]
		switch sp.Kind {
		case Star:
			m.stars[it.colour] = true
		case Eraser:
			m.erasers++
		case Polyomino:
			m.pieces++
			m.largest = max(m.largest, len(it.Shape))
			m.pieceItems = append(m.pieceItems, int32(len(m.items)))
		case Negative:
			m.pieces++
			m.largest = max(m.largest, len(it.Shape))
			m.pieceItems = append(m.pieceItems, int32(len(m.items)))
			m.blue++
		}
		for i, d := range dirs {
			it.sides[i] = l.cover[l.index(at.Add(d))]
		}
		m.itemAt[c] = int32(len(m.items))
		m.items = append(m.items, it)
	}
	for c := range int32(l.real) {
		if i := m.itemAt[c]; i < 0 || m.items[i].Kind != Polyomino && m.items[i].Kind != Negative {
			m.plain = append(m.plain, c)
		}
	}
	m.colours = len(colour)
	for at := range p.Points() {
		sp := p.At(at)
		if IsCell(at) || !sp.Dot.On || l.outside[l.index(at)] {
			continue
		}
		mk := mark{at: at, cover: l.cover[l.index(at)], gone: none}
		if c := l.cell[l.index(at)]; c >= 0 {
			mk.cells = append(mk.cells, c)
		}
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				q := at.Add(image.Pt(dx, dy))
				if p.In(q) && IsCell(q) && l.cell[l.index(q)] >= 0 && (IsNode(at) || dx == 0 || dy == 0) {
					mk.cells = append(mk.cells, l.cell[l.index(q)])
				}
			}
		}
		for _, c := range mk.cells {
			m.marksAt[c] = append(m.marksAt[c], int32(len(m.marks)))
		}
		m.marks = append(m.marks, mk)
	}
	if m.pieces > 0 {
		m.tiles = newTiler(m)
		m.cancels = m.canCancel()
	}
	m.state()
	return m
}

// share takes over what another search of the same panel knows of regions.
func (m *model) share(of *model) {
	m.judged = of.judged
	if m.tiles != nil {
		m.tiles.known = of.tiles.known
	}
}

func b2i(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// appendInts appends numbers to a key, three bytes each: the largest panel has
// 100,000 places where cells and half-cells meet. -1 keeps two lists apart.
func appendInts(key []byte, n ...int) []byte {
	for _, v := range n {
		key = append(key, byte(v), byte(v>>8), byte(v>>16))
	}
	return key
}

// state adds all clauses.
func (m *model) state() {
	l, s := m.l, m.s
	clause := func(lits ...path.Lit) { // literals that are none are left out
		c := m.scratch[:0]
		for _, x := range lits {
			if x != none {
				c = append(c, x)
			}
		}
		s.AddClause(c...)
		m.scratch = c
	}
	// One start, one end: kinds of the source and the sink see to it. Unless
	// the line may run through ends, it stops at the first.
	if !m.p.Rules.ThroughEnds {
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
					s.AddClause(stop...)
				}
			}
		}
	}
	if m.erasers > 0 {
		var all []path.Lit
		for i := range m.items {
			if it := &m.items[i]; it.Kind != Eraser {
				it.gone = s.NewVar()
				all = append(all, it.gone)
			}
		}
		for i := range m.marks {
			m.marks[i].gone = s.NewVar()
			all = append(all, m.marks[i].gone)
		}
		m.watched = append(m.watched, all...)
		m.atMost(m.erasers, all)
		if !m.p.Rules.ErasersCancel && !m.p.Rules.ErasersShare {
			not := make([]path.Lit, len(all))
			for i, x := range all {
				not[i] = x.Not()
			}
			m.atMost(len(all)-m.erasers, not)
		}
	}
	for i := range m.marks {
		mk := &m.marks[i]
		clause(mk.cover, mk.gone)
		if mk.cover == none {
			continue
		}
		if d := m.p.At(mk.at).Dot; l.sheets && d.Line != AnyLine {
			var lit path.Lit
			if IsNode(mk.at) || l.vertex[l.index(mk.at)] >= 0 {
				lit = l.onSheet(mk.at)
			} else {
				for _, w := range dirs {
					if q := mk.at.Add(w); m.p.In(q) && IsNode(q) {
						lit = l.onSheet(q)
						break
					}
				}
			}
			if d.Line == OtherLine {
				lit = lit.Not()
			}
			s.AddClause(mk.cover.Not(), lit)
		}
	}
	// A coloured dot outside the cells is never missed, but still not for the
	// other line; such a dot lies on a missing edge, which no line crosses.
	for i := range m.items {
		if it := &m.items[i]; it.Kind == Triangle {
			m.triangle(it, clause)
		}
	}
	m.squares()
	m.addLabels()
	m.starPairs()
	if m.erasers > 0 {
		m.eraserReach()
	}
	m.placements()
	m.steps = append([]func(*regions, *path.Clauses){m.reach}, m.steps...)
	if len(m.labels) > 0 {
		m.steps = append(m.steps, m.labelAreas)
	}
	if m.erasers > 0 {
		m.steps = append(m.steps, m.eraserCounts)
	}
	if m.exclusive {
		m.steps = append(m.steps, m.tiledCells, m.placementCounts, m.placementAreas)
	}
	if m.pieces > 0 {
		m.steps = append(m.steps, m.labelSizes)
	}
	if len(m.labels) > 0 {
		m.steps = append(m.steps, m.bridges)
	}
}

// triangle adds: exactly Count sides are covered, unless the symbol is gone.
// A symmetric panel may have one variable on two sides, so this goes by
// assignments: those with a wrong number are forbidden, shortest first.
func (m *model) triangle(it *item, clause func(...path.Lit)) {
	for set := 1; set < 81; set++ { // base 3: open, on, off
		pick := [4]int{set % 3, set / 3 % 3, set / 9 % 3, set / 27}
		on, off, ok := 0, 0, true
		var c []path.Lit
		for i, side := range it.sides {
			switch pick[i] {
			case 1:
				on++
				if ok = ok && side != none; ok {
					c = append(c, side.Not())
				}
			case 2:
				off++
				if side != none {
					c = append(c, side)
				}
			}
		}
		// Count+1 on, or 5-Count off, and nothing else: minimal.
		if ok && (on == it.Count+1 && off == 0 || off == 5-it.Count && on == 0) {
			clause(append(c, it.gone)...)
		}
	}
	if it.Count == 4 { // four on: no side may be off; covered by off == 1
		return
	}
}

// squares adds: cells that belong together have the same colour bits, and a
// square's cell has those of its colour.
func (m *model) squares() {
	number := make(map[int32]int)
	var all []*item
	for i := range m.items {
		if it := &m.items[i]; it.Kind == Square {
			if _, ok := number[it.colour]; !ok {
				number[it.colour] = len(number)
			}
			all = append(all, it)
		}
	}
	if len(number) < 2 {
		return
	}
	s := m.s
	var needless [][]path.Lit                    // by square
	if m.fewestGone() && m.p.Rules.ErasedCount { // left or erased, it is the same to stars
		needless = make([][]path.Lit, len(all))
	}
	for bit := 0; 1<<bit < len(number); bit++ {
		first := s.NewVars(len(m.l.cells))
		of := func(c int32) path.Lit { return first + 2*path.Lit(c) }
		for _, j := range m.l.joins {
			a, b := of(j.a), of(j.b)
			if j.lit == none {
				s.AddClause(a, b.Not())
				s.AddClause(a.Not(), b)
				continue
			}
			s.AddClause(j.lit, a, b.Not())
			s.AddClause(j.lit, a.Not(), b)
		}
		for i, it := range all {
			lit := of(it.cell)
			if number[it.colour]>>bit&1 == 0 {
				lit = lit.Not()
			}
			if needless != nil {
				needless[i] = append(needless[i], lit.Not())
			}
			if it.gone == none {
				s.AddClause(lit)
			} else {
				s.AddClause(lit, it.gone)
			}
		}
	}
	// A square is not erased for others of its own colour.
	for i, clause := range needless {
		s.AddClause(append(clause, all[i].gone.Not())...)
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

// A plot is a region that is complete.
type plot struct {
	cells   []int32
	items   []int32 // other than erasers
	erasers []int32
	dots    []int32 // that are not covered
	lost    []bool  // by place in items: a triangle with the wrong number
	loose   []int32 // joins with a line on them and the plot on both sides
}

// A survey is a region of which it may be known all that judging it takes.
type survey struct {
	plot
	why, sides []path.Lit // false now: what was looked at, round triangles apart
}

// survey looks at everything in a region that its being right depends on;
// false when some of that is still open. all says that dots and triangles are
// looked at also where no eraser is: otherwise clauses see to them.
func (m *model) survey(r *regions, c *path.Clauses, id int32, all bool) (survey, bool) {
	cells := r.areas[id]
	sv := survey{plot: plot{cells: cells}}
	items := r.items[:0]
	for _, x := range cells {
		if i := m.itemAt[x]; i >= 0 {
			items = append(items, i)
			if m.items[i].Kind == Eraser {
				sv.erasers = append(sv.erasers, i)
			}
		}
	}
	r.items = items
	if len(items) == 0 && !all {
		return sv, true
	}
	slices.Sort(sv.erasers) // used in reading order
	all = all || len(sv.erasers) > 0
	note := func(to *[]path.Lit, lit path.Lit) int {
		v := value(c, lit)
		if v > 0 {
			*to = append(*to, lit.Not())
		} else if v < 0 && lit != none {
			*to = append(*to, lit)
		}
		return v
	}
	if !m.l.tight && m.p.Rules.LineBlocksPieces && m.tiles != nil {
		for _, x := range cells {
			for _, j := range m.l.at[x] {
				if m.l.joins[j.join].a != x || r.area[j.cell] != id {
					continue
				}
				switch note(&sv.why, j.lit) {
				case 1:
					sv.loose = append(sv.loose, j.join)
				case 0:
					return sv, false
				}
			}
		}
	}
	for _, i := range items {
		it := &m.items[i]
		if it.Kind == Eraser {
			continue
		}
		lost := false
		if it.Kind == Triangle && all {
			n := 0
			for _, side := range it.sides {
				switch note(&sv.sides, side) {
				case 1:
					n++
				case 0:
					return sv, false
				}
			}
			lost = n != it.Count
		}
		sv.items = append(sv.items, i)
		sv.lost = append(sv.lost, lost)
	}
	if all {
		for _, x := range cells {
			for _, d := range m.marksAt[x] {
				switch mk := &m.marks[d]; note(&sv.why, mk.cover) {
				case -1:
					if mk.cells[0] == x { // each once
						sv.dots = append(sv.dots, d)
					}
				case 0:
					return sv, false
				}
			}
		}
	}
	slices.Sort(sv.dots)
	return sv, true
}

// verdict is judge, and remembers it; known is false when the context ended
// before.
func (m *model) verdict(pl *plot) (right, known bool) {
	key := m.key[:0]
	sorted := slices.Clone(pl.cells)
	slices.Sort(sorted)
	for _, x := range sorted {
		key = appendInts(key, int(x))
	}
	key = appendInts(key, -1)
	for _, d := range pl.dots {
		key = appendInts(key, int(d))
	}
	key = appendInts(key, -1)
	for i, lost := range pl.lost {
		if lost {
			key = appendInts(key, int(pl.items[i]))
		}
	}
	key = appendInts(key, -1)
	for _, j := range pl.loose {
		key = appendInts(key, int(j))
	}
	m.key = key
	if right, known = m.judged[string(key)]; known {
		return right, true
	}
	if m.ctx.Err() != nil {
		return false, false // each begun would go on for a while
	}
	right = m.judge(pl)
	if m.ctx.Err() != nil {
		return false, false // not judged to the end
	}
	m.judged[string(key)] = right
	return right, true
}

// complete tells whether a region is: no answer from here on gives it more
// cells or fewer.
func (r *regions) complete(id int32) bool {
	cells := r.areas[id]
	return len(r.blocks[r.block[cells[0]]]) == len(cells)
}

// closed judges a region that is complete.
func (m *model) closed(r *regions, c *path.Clauses, id int32) {
	if !r.complete(id) {
		return
	}
	sv, ok := m.survey(r, c, id, false)
	if !ok || len(sv.items)+len(sv.erasers) == 0 {
		return
	}
	if right, known := m.verdict(&sv.plot); right || !known {
		return
	}
	pieces := false
	for _, i := range sv.items {
		k := m.items[i].Kind
		pieces = pieces || k == Polyomino || k == Negative
	}
	if len(sv.erasers) > 0 && !pieces && m.settled(r, c, &sv.plot, id) {
		r.add(c, m.makeup(r, c, &sv.plot, id, sv.sides)...)
		return
	}
	why := r.border(c, append(sv.why, sv.sides...), id)
	why = r.chain(c, why, sv.cells...)
	r.add(c, why...)
}

// settled tells whether makeup can name everything: every symbol's label and
// every dot is decided.
func (m *model) settled(r *regions, c *path.Clauses, pl *plot, id int32) bool {
	lb := &m.labels[m.labelOf[pl.erasers[0]]]
	for i := range m.items {
		if c.Value(lb.in[m.items[i].cell]) == 0 {
			return false
		}
	}
	for i := range m.marks {
		mk := &m.marks[i]
		if len(mk.cells) > 0 && value(c, mk.cover) <= 0 && c.Value(lb.in[mk.cells[0]]) == 0 {
			return false
		}
	}
	return true
}

// taken is how many symbols of each sort are gone from a plot.
type taken []int8

// judge tells whether a region is right, erasers and all.
func (m *model) judge(pl *plot) bool {
	// Sorts of things that may be wrong: those of a sort differ only by place.
	type sort struct {
		it   *item // nil: dots
		lost bool
		n    int
	}
	var sorts []sort
	index := make(map[[2]int32]int)
	for i, k := range pl.items {
		it := &m.items[k]
		id := [2]int32{it.class, int32(b2i(pl.lost[i]))}
		if _, ok := index[id]; !ok {
			index[id] = len(sorts)
			sorts = append(sorts, sort{it: it, lost: pl.lost[i]})
		}
		sorts[index[id]].n++
	}
	if len(pl.dots) > 0 {
		sorts = append(sorts, sort{lost: true, n: len(pl.dots)})
	}
	rules := &m.p.Rules
	layable := make(map[string]bool)
	// wrong lists the sorts that are wrong when some are gone and erasers
	// from unused on count for stars, if any do.
	wrong := func(gone taken, erasers []int32, erased bool, quick bool) []int {
		count := make([]int, m.colours)
		for _, k := range erasers {
			if c := m.items[k].colour; c >= 0 {
				count[c]++
			}
		}
		square, squares := int32(-1), 0
		var left []int32 // pieces
		for i, s := range sorts {
			if s.it == nil {
				continue
			}
			n := s.n - int(gone[i])
			if s.it.colour >= 0 {
				count[s.it.colour] += n
				if erased && s.it.Kind != Star {
					count[s.it.colour] += int(gone[i])
				}
			}
			if n == 0 {
				continue
			}
			switch s.it.Kind {
			case Square:
				if squares == 0 || square != s.it.colour {
					squares++
				}
				square = s.it.colour
			case Polyomino, Negative:
				for range n {
					left = append(left, s.it.class)
				}
			}
		}
		var bad []int
		pieces := 0 // not known yet
		for i, s := range sorts {
			if s.n == int(gone[i]) {
				continue
			}
			is := s.lost
			if s.it != nil {
				switch s.it.Kind {
				case Square:
					is = squares > 1
				case Star:
					is = count[s.it.colour] != 2
				case Polyomino, Negative:
					if pieces == 0 && quick && len(bad) > 0 {
						return bad
					}
					if pieces == 0 {
						slices.Sort(left)
						key := string(appendClasses(nil, left))
						ok, known := layable[key]
						if !known {
							ok = m.tiles.lay(pl.cells, left, pl.loose)
							layable[key] = ok
						}
						pieces = 1
						if !ok {
							pieces = 2
						}
					}
					is = pieces == 2
				}
			}
			if is {
				bad = append(bad, i)
				if quick {
					return bad
				}
			}
		}
		return bad
	}
	none := make(taken, len(sorts))
	if len(pl.erasers) == 0 {
		return len(wrong(none, nil, false, true)) == 0
	}
	var seen []int32
	if rules.ErasersSeen {
		seen = pl.erasers
	}
	first := wrong(none, seen, false, false)
	lost := 0
	for _, s := range sorts {
		if s.lost {
			lost += s.n
		}
	}
	if lost > len(pl.erasers) {
		return false
	}
	var counting []int32
	if rules.ErasersCount {
		counting = pl.erasers
	}
	// pieces counts the pieces that are gone.
	pieces := func(gone taken) (n, all int) {
		for i, s := range sorts {
			if s.it != nil && (s.it.Kind == Polyomino || s.it.Kind == Negative) {
				n += int(gone[i])
				all += s.n
			}
		}
		return n, all
	}
	// bears tells whether taking one of a sort can make a difference to another.
	bears := func(a, b int) bool {
		s, t := sorts[a].it, sorts[b].it
		switch {
		case a == b:
			return true
		case s == nil || t == nil:
			return false
		case t.Kind == Star:
			return s.colour == t.colour && (s.Kind == Star || !rules.ErasedCount)
		case t.Kind == Square:
			return s.Kind == Square
		case t.Kind == Polyomino || t.Kind == Negative:
			return s.Kind == Polyomino || s.Kind == Negative
		}
		return false
	}
	// Of sets that set the region right: the fewest symbols other than pieces,
	// and whether a set with so many uses the erasers up.
	fewest, used := len(pl.items)+len(pl.dots)+1, false
	sets := []taken{none}
	for size := 0; size <= len(pl.erasers) && len(sets) > 0; size++ {
		spare := len(pl.erasers) - size
		known := make(map[string]taken)
		for _, set := range sets {
			if m.ctx.Err() != nil {
				return true
			}
			gone, all := pieces(set)
			fits := (spare == 0 || rules.ErasersCancel && spare%2 == 0 || rules.ErasersShare && size > 0) &&
				(rules.ErasersAmongPieces || gone <= 1 || gone == all)
			others := size - gone
			if !rules.EraseFreely && others > fewest {
				continue
			}
			bad := wrong(set, counting, rules.ErasedCount, true)
			if len(bad) == 0 {
				if fits && rules.EraseFreely {
					return true
				}
				if others < fewest {
					fewest, used = others, false
				}
				used = used || fits && others == fewest
			}
			if spare == 0 {
				continue
			}
			next := first
			if rules.EraseInTurn {
				if !rules.ErasersCount && rules.ErasersSeen {
					next = wrong(set, pl.erasers[size:], false, false)
				} else {
					next = wrong(set, counting, rules.ErasedCount, false)
				}
			}
			for _, i := range next {
				if int(set[i]) == sorts[i].n {
					continue
				}
				// Whatever sets the region right takes something that bears on
				// what is wrong: that first.
				if len(bad) > 0 && !rules.EraseInTurn && !bears(i, bad[0]) {
					continue
				}
				grown := slices.Clone(set)
				grown[i]++
				key := make([]byte, len(grown))
				for k, v := range grown {
					key[k] = byte(v)
				}
				known[string(key)] = grown
			}
		}
		sets = sets[:0]
		for _, k := range slices.Sorted(maps.Keys(known)) {
			sets = append(sets, known[k])
		}
	}
	return used
}

func appendClasses(key []byte, classes []int32) []byte {
	for _, c := range classes {
		key = appendInts(key, int(c))
	}
	return key
}
