package search

import (
	"image"
	"slices"

	"onlooker/solve/path"
)

// A placement is a piece's shape laid somewhere. Equal pieces share their
// placements: two of them never lie in the same place.
type placement struct {
	lit   path.Lit
	class int32
	group int32 // in groups
	cells []int32
	off   int // squares off the board
}

// maxPlaces bounds the variables for single pieces: 20 tilted pieces on 8×8
// have some 4,000.
const maxPlaces = 6000

// placements states, where there are no blue pieces, that the pieces of a
// region tile it: a cell either lies in a region with pieces, then exactly one
// placement covers it, or in a region without, then none does; and every piece
// that is not erased has its placement. That a placement lies in the region of
// its piece, and that two do not overlap, is left to the regions' walk.
func (m *model) placements() {
	if m.placed {
		return // both kinds of pieces ask for them
	}
	m.placed = true
	if m.cancels {
		m.zero = m.byRegion()
		for _, i := range m.pieceItems {
			m.watched = append(m.watched, m.zero+2*path.Lit(m.items[i].cell))
		}
	}
	if m.blue > 0 {
		// Single squares fit wherever their number does.
		if slices.ContainsFunc(m.pieceItems, func(i int32) bool { return len(m.items[i].Shape) > 1 }) {
			m.bluePlacements()
		}
		return
	}
	m.exclusive = true
	l, s := m.l, m.s
	m.covering = make([][]int32, l.real)
	// One group for each piece; where that would be too much, equal pieces are
	// one group.
	places := 0
	for i := range m.items {
		if it := &m.items[i]; it.area > 0 {
			places += l.real * len(m.tiles.TurnsOf(it.class))
		}
	}
	of := make(map[int32][]*item) // pieces by group
	shapes := make(map[int32]int32)
	var classes []int32
	for i := range m.items {
		if it := &m.items[i]; it.area > 0 {
			group := it.class
			if places <= maxPlaces {
				group = int32(i)
			}
			if of[group] == nil {
				classes = append(classes, group)
				shapes[group] = it.class
			}
			of[group] = append(of[group], it)
		}
	}
	all := m.places(classes, shapes)
	first := s.NewVars(len(all))
	for i, pl := range all {
		lit := first + 2*path.Lit(i)
		for _, off := range pl.off {
			s.AddClause(lit.Not(), off.Not())
		}
		for _, c := range pl.cells {
			m.covering[c] = append(m.covering[c], int32(i))
		}
		m.laid = append(m.laid, placement{lit: lit, class: pl.class, cells: pl.cells})
	}
	m.stateTiled()
	for _, class := range classes {
		m.stateGroup(class, of[class])
	}
	if places <= maxPlaces {
		m.inOrder()
	}
}

// A pieceLaid is where a piece may lie, and the edges that are off then.
type pieceLaid struct {
	class int32
	cells []int32
	off   []path.Lit
}

// places lists where the pieces of groups may lie, given by their shapes.
func (m *model) places(classes []int32, shapes map[int32]int32) []pieceLaid {
	l := m.l
	// In a tight panel, or where the rules say so, a line never runs through a
	// placement.
	whole := l.tight || m.p.Rules.LineBlocksPieces
	within := make(map[[2]int32]path.Lit) // what a line between two cells is told by, from left to right or from above
	for _, j := range l.joins {
		if int(j.a) < l.real && int(j.b) < l.real {
			within[[2]int32{j.a, j.b}] = j.over
		}
	}
	var all []pieceLaid
	for _, class := range classes {
		seen := make(map[string]bool)
		for _, shape := range m.tiles.TurnsOf(shapes[class]) {
			for y := range m.p.Rows {
				for x := range m.p.Cols {
					pl := pieceLaid{class: class}
					for _, q := range shape {
						at := m.tiles.At(image.Pt(x, y).Add(q))
						if at < 0 || slices.Contains(pl.cells, at) {
							break
						}
						pl.cells = append(pl.cells, at)
					}
					if len(pl.cells) < len(shape) {
						continue
					}
					if m.p.Pillar {
						sorted := slices.Clone(pl.cells)
						slices.Sort(sorted)
						key := string(appendClasses(nil, sorted))
						if seen[key] && len(shape) >= m.p.Cols {
							// All the way round, and the same from here: but a
							// loose line bars each in another place.
							if !m.p.Rules.LineBlocksPieces || l.tight {
								continue
							}
						}
						seen[key] = true
					}
					if whole {
						for i, a := range shape {
							for k, b := range shape {
								if d := b.Sub(a); d == image.Pt(1, 0) || d == image.Pt(0, 1) {
									if lit, ok := within[[2]int32{pl.cells[i], pl.cells[k]}]; ok && lit != none {
										pl.off = append(pl.off, lit)
									}
								}
							}
						}
					}
					all = append(all, pl)
				}
			}
		}
	}
	return all
}

// stateTiled adds: a cell is tiled, and lies in the region of a piece, or neither.
func (m *model) stateTiled() {
	l, s := m.l, m.s
	m.tiled = m.byRegion()
	tiled := func(c int32) path.Lit { return m.tiled + 2*path.Lit(c) }
	for c := range l.real {
		clause := []path.Lit{tiled(int32(c)).Not()}
		for _, i := range m.covering[c] {
			lit := m.laid[i].lit
			s.AddClause(lit.Not(), tiled(int32(c)))
			clause = append(clause, lit)
		}
		s.AddClause(clause...)
		lies := []path.Lit{tiled(int32(c)).Not()}
		for k := range m.labels {
			if it := &m.items[m.labels[k].item]; it.area > 0 {
				in := m.labels[k].in[c]
				lies = append(lies, in)
				if it.gone == none {
					s.AddClause(in.Not(), tiled(int32(c)))
				} else {
					s.AddClause(in.Not(), tiled(int32(c)), it.gone)
				}
			}
		}
		s.AddClause(lies...)
	}
}

// stateGroup adds: the pieces of a group lie somewhere, in their region.
func (m *model) stateGroup(class int32, pieces []*item) {
	s := m.s
	tiled := func(c int32) path.Lit { return m.tiled + 2*path.Lit(c) }
	group := pieceGroup{class: class, pieces: pieces}
	for i := range m.laid {
		if m.laid[i].class == class {
			m.laid[i].group = int32(len(m.groups))
			group.laid = append(group.laid, int32(i))
		}
	}
	clause := make([]path.Lit, 0, len(group.laid)+len(group.pieces))
	for _, i := range group.laid {
		clause = append(clause, m.laid[i].lit)
	}
	for _, it := range group.pieces {
		if it.gone == none {
			s.AddClause(tiled(it.cell))
		} else {
			s.AddClause(tiled(it.cell), it.gone)
			clause = append(clause, it.gone)
		}
	}
	for _, i := range group.laid {
		for _, x := range m.laid[i].cells {
			in := []path.Lit{m.laid[i].lit.Not()}
			for _, it := range group.pieces {
				in = append(in, m.labels[m.labelOf[m.itemAt[it.cell]]].in[x])
			}
			s.AddClause(in...)
			if len(group.pieces) > 1 {
				break // several pieces: the first cell stands for all
			}
		}
	}
	if it := group.pieces[0]; len(group.pieces) == 1 && it.gone != none {
		for _, i := range group.laid {
			s.AddClause(m.laid[i].lit.Not(), it.gone.Not())
		}
	}
	if len(group.pieces) == 1 || group.pieces[0].gone == none {
		s.AddClause(clause...)
	}
	m.groups = append(m.groups, group)
}

// byRegion makes a variable for each cell that says something of its region.
// Decided early, they sent searches astray: the first twelve 8×8 panels with
// pieces in BenchmarkGrowth took more than ten times as long.
func (m *model) byRegion() path.Lit {
	n := len(m.l.cells)
	first := m.s.NewVars(n)
	for c := range n {
		m.s.SetLast(first + 2*path.Lit(c))
	}
	m.together(first)
	return first
}

// inOrder adds: of two equal pieces in one region the one that comes first lies
// in the place that comes first. Any other laying has one like this.
func (m *model) inOrder() {
	s := m.s
	before := make([]path.Lit, len(m.groups)) // by group: the first of its "at this place or before"
	for g := range m.groups {
		before[g] = none
	}
	for b := range m.groups {
		second := &m.groups[b]
		for a := range b {
			first := &m.groups[a]
			p, q := first.pieces[0], second.pieces[0]
			if p.class != q.class {
				continue
			}
			if before[a] == none {
				before[a] = s.NewVars(len(first.laid))
				for k, i := range first.laid {
					x := before[a] + 2*path.Lit(k)
					s.SetLast(x)
					s.AddClause(m.laid[i].lit.Not(), x)
					if k > 0 {
						s.AddClause((x - 2).Not(), x)
						s.AddClause(m.laid[i].lit.Not(), (x - 2).Not())
					}
				}
			}
			same := m.same(m.itemAt[p.cell], m.itemAt[q.cell])
			for k, i := range second.laid {
				clause := []path.Lit{same.Not(), m.laid[i].lit.Not()}
				if p.gone != none {
					clause = append(clause, p.gone)
				}
				if k > 0 {
					clause = append(clause, before[a]+2*path.Lit(k-1))
				}
				s.AddClause(clause...)
			}
		}
	}
}

// A pieceGroup is a class of pieces and where they may lie.
type pieceGroup struct {
	class  int32
	pieces []*item
	laid   []int32
}

// excludes makes false all placements that one that has become true excludes:
// the others of its piece and, where no blue piece can eat what lies over,
// those that share a cell with it.
func (r *regions) excludes(c *path.Clauses) bool {
	m, val := r.m, c.Values()
	implied := false
	for _, i := range r.fresh {
		p := &m.laid[i]
		if val[p.lit] <= 0 {
			continue // undone since
		}
		exclude := func(list []int32) bool {
			for _, k := range list {
				if k == i {
					continue
				}
				switch l := m.laid[k].lit; val[l] {
				case 0:
					c.Imply(r, l.Not(), int(i))
					implied = true
				case 1:
					c.Lemma(l.Not(), p.lit.Not())
					return false
				}
			}
			return true
		}
		ok := true
		if g := &m.groups[p.group]; len(g.pieces) == 1 {
			ok = exclude(g.laid)
		}
		if m.exclusive {
			for _, x := range p.cells {
				ok = ok && exclude(m.covering[x])
			}
		}
		if !ok {
			r.fresh = r.fresh[:0]
			return true
		}
	}
	r.fresh = r.fresh[:0]
	return implied
}

// placementCounts: no more placements of a class than pieces.
func (m *model) placementCounts(r *regions, c *path.Clauses) {
	for g := range m.groups {
		group := &m.groups[g]
		if len(group.pieces) == 1 {
			continue // see excludes
		}
		n := 0
		for _, i := range group.laid {
			if c.Value(m.laid[i].lit) > 0 {
				n++
			}
		}
		if n < len(group.pieces) {
			continue
		}
		var why []path.Lit
		for _, i := range group.laid {
			if c.Value(m.laid[i].lit) > 0 && len(why) < len(group.pieces) {
				why = append(why, m.laid[i].lit.Not())
			}
		}
		if n > len(group.pieces) {
			k := 0
			for _, i := range group.laid {
				if lit := m.laid[i].lit; c.Value(lit) > 0 {
					if k++; k > len(group.pieces) {
						r.add(c, append(why, lit.Not())...)
						return
					}
				}
			}
		}
		note := -1
		for _, i := range group.laid {
			if lit := m.laid[i].lit; c.Value(lit) == 0 {
				if note < 0 {
					note = r.note(why)
				}
				r.imply(c, lit.Not(), note)
			}
		}
	}
}

// placementAreas: a placement lies in an area with a piece of its class. Of a
// piece that has its own placements its label says so.
func (m *model) placementAreas(r *regions, c *path.Clauses) {
	n := len(r.areas)
	border := make([]int, n) // by area: the reason noted for it, less 1
	for g := range m.groups {
		group := &m.groups[g]
		if len(group.pieces) == 1 {
			continue
		}
		home := make([]bool, n)
		away := make([]int, n) // reasons with erased pieces
		for _, it := range group.pieces {
			if it.gone == none || c.Value(it.gone) <= 0 {
				home[r.area[it.cell]] = true
			}
		}
		for _, i := range group.laid {
			p := &m.laid[i]
			if c.Value(p.lit) < 0 {
				continue
			}
			id := r.area[p.cells[0]]
			apart := false
			for _, x := range p.cells[1:] {
				apart = apart || r.area[x] != id
			}
			why := 0
			switch {
			case apart:
				if border[id] == 0 {
					border[id] = r.note(r.border(m.scratch[:0], id)) + 1
				}
				why = border[id]
			case !home[id]:
				if away[id] == 0 {
					lits := m.scratch[:0]
					for _, it := range group.pieces {
						if r.area[it.cell] == id {
							lits = append(lits, it.gone.Not())
						}
					}
					away[id] = r.note(r.border(lits, id)) + 1
				}
				why = away[id]
			default:
				continue
			}
			if !r.imply(c, p.lit.Not(), why-1) {
				return
			}
		}
	}
}

// tiledCells: as many cells are tiled as the pieces have squares, less the blue
// ones': regions that come to nothing add nothing to either side.
func (m *model) tiledCells(r *regions, c *path.Clauses) {
	var cells, area bounds
	for x := range m.l.real {
		switch c.Value(m.tiled + 2*path.Lit(x)) {
		case 1:
			cells.lo++
			cells.hi++
		case 0:
			cells.hi++
		}
	}
	for _, i := range m.pieceItems {
		it := &m.items[i]
		n := len(it.Shape)
		if it.area < 0 {
			n = -n
		}
		switch v := value(c, it.gone); {
		case v < 0:
			area.lo += n
			area.hi += n
		case v == 0:
			area.lo += min(n, 0)
			area.hi += max(n, 0)
		}
	}
	reason := func(more bool) []path.Lit { // more: cells than squares
		out := m.scratch[:0]
		for x := range m.l.real {
			lit := m.tiled + 2*path.Lit(x)
			if v := c.Value(lit); more && v > 0 {
				out = append(out, lit.Not())
			} else if !more && v < 0 {
				out = append(out, lit)
			}
		}
		for _, i := range m.pieceItems {
			gone := m.items[i].gone
			if gone == none {
				continue
			}
			// A piece that is erased keeps the area down, a blue one that is
			// not does; and the reverse.
			missing := more == (m.items[i].area > 0)
			if v := c.Value(gone); missing && v > 0 {
				out = append(out, gone.Not())
			} else if !missing && v < 0 {
				out = append(out, gone)
			}
		}
		return out
	}
	more := cells.lo >= area.hi
	switch {
	case cells.lo > area.hi:
		r.add(c, reason(true)...)
		return
	case cells.hi < area.lo:
		r.add(c, reason(false)...)
		return
	case cells.lo < area.hi && cells.hi > area.lo:
		return
	}
	why := -1
	for x := range m.l.real {
		lit := m.tiled + 2*path.Lit(x)
		if c.Value(lit) != 0 {
			continue
		}
		if why < 0 {
			why = r.note(reason(more))
		}
		if more {
			lit = lit.Not()
		}
		if !r.imply(c, lit, why) {
			return
		}
	}
}
