package search

import (
	"image"
	"slices"

	"onlooker/solve/path"
)

// A placement is a piece's shape laid somewhere.
type placement struct {
	lit   path.Lit
	item  int32 // the piece
	group int32 // in groups
	cells []int32
	off   int // squares off the board
}

// maxPlaces bounds the variables for places: 20 tilted pieces on 8×8 have some 4,000.
// Beyond it the judge alone says where pieces lie.
const maxPlaces = 60000

// placements states, where there are no blue pieces, that the pieces of a
// region tile it: a cell either lies in a region with pieces, then exactly one
// placement covers it, or in a region without, then none does; and every piece
// that is not erased has its placement, just one, which is left to the regions' walk.
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
	places := 0
	for _, i := range m.pieceItems {
		places += m.l.real * len(m.tiles.TurnsOf(m.items[i].class))
	}
	if places > maxPlaces {
		return
	}
	m.exclusive = true
	m.covering = make([][]int32, m.l.real)
	within := make(map[[2]int32]path.Lit) // what a line between two cells is told by, from left to right or from above
	for _, j := range m.l.joins {
		if int(j.a) < m.l.real && int(j.b) < m.l.real {
			within[[2]int32{j.a, j.b}] = j.over
		}
	}
	for _, i := range m.pieceItems {
		m.groups = append(m.groups, pieceGroup{item: i})
		m.addPlaces(i, within)
	}
	m.stateTiled()
	for g := range m.groups {
		m.stateGroup(&m.groups[g])
	}
	m.inOrder()
}

// addPlaces makes the variables of the places of a piece, that of the last group: no
// line runs through one in a tight panel, or where the rules say so.
func (m *model) addPlaces(item int32, within map[[2]int32]path.Lit) {
	whole := m.l.tight || m.p.Rules.LineBlocksPieces
	group := &m.groups[len(m.groups)-1]
	seen := make(map[string]bool)
	for _, shape := range m.tiles.TurnsOf(m.items[item].class) {
		for y := range m.p.Rows {
			for x := range m.p.Cols {
				pl := placement{item: item, group: int32(len(m.groups) - 1)}
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
						if !m.p.Rules.LineBlocksPieces || m.l.tight {
							continue
						}
					}
					seen[key] = true
				}
				pl.lit = m.s.NewVar()
				if whole {
					for i, a := range shape {
						for k, b := range shape {
							if d := b.Sub(a); d == image.Pt(1, 0) || d == image.Pt(0, 1) {
								if lit, ok := within[[2]int32{pl.cells[i], pl.cells[k]}]; ok && lit != none {
									m.s.AddClause(pl.lit.Not(), lit.Not())
								}
							}
						}
					}
				}
				k := int32(len(m.laid))
				for _, c := range pl.cells {
					m.covering[c] = append(m.covering[c], k)
				}
				group.laid = append(group.laid, k)
				m.laid = append(m.laid, pl)
			}
		}
	}
}

// stateTiled adds: a cell is tiled, and lies in the region of a piece, or neither.
// Of a cell and a piece a variable says whether that lies there, and so in its region:
// without it each way that a piece cannot lie was a literal of all that was learned. Of
// the panels with pieces among the 120 hardest of the corpora, four orders each, the
// mean by factors is 0.91 of the conflicts that are met otherwise.
func (m *model) stateTiled() {
	l, s := m.l, m.s
	m.tiled = m.byRegion()
	for c := range int32(l.real) {
		tiled := m.tiled + 2*path.Lit(c)
		some, lies := []path.Lit{tiled.Not()}, []path.Lit{tiled.Not()}
		for rest := m.covering[c]; len(rest) > 0; {
			here, item := s.NewVar(), m.laid[rest[0]].item
			by := []path.Lit{here.Not()}
			for ; len(rest) > 0 && m.laid[rest[0]].item == item; rest = rest[1:] {
				lit := m.laid[rest[0]].lit
				s.AddClause(lit.Not(), here)
				by = append(by, lit)
			}
			s.AddClause(by...)
			s.AddClause(here.Not(), tiled)
			s.AddClause(here.Not(), m.labels[m.labelOf[item]].in[c])
			for _, other := range some[1:] {
				s.AddClause(here.Not(), other.Not())
			}
			some = append(some, here)
		}
		s.AddClause(some...)
		for _, i := range m.pieceItems {
			in := m.labels[m.labelOf[i]].in[c]
			lies = append(lies, in)
			m.clause(in.Not(), tiled, m.items[i].gone)
		}
		s.AddClause(lies...)
	}
}

// stateGroup adds: a piece lies somewhere, or is erased.
func (m *model) stateGroup(group *pieceGroup) {
	it := &m.items[group.item]
	m.clause(m.tiled+2*path.Lit(it.cell), it.gone)
	some := []path.Lit{it.gone}
	for _, i := range group.laid {
		some = append(some, m.laid[i].lit)
		if it.gone != none {
			m.s.AddClause(m.laid[i].lit.Not(), it.gone.Not())
		}
	}
	m.clause(some...)
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
			p, q := &m.items[first.item], &m.items[second.item]
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
			same := m.same(first.item, second.item)
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

// A pieceGroup is a piece and where it may lie.
type pieceGroup struct {
	item int32
	laid []int32
}

// excludes makes false all other placements of the piece of one that has become true.
func (r *regions) excludes(c *path.Clauses) bool {
	m, val := r.m, c.Values()
	implied := false
	for _, i := range r.fresh {
		p := &m.laid[i]
		if val[p.lit] <= 0 {
			continue // undone since
		}
		for _, k := range m.groups[p.group].laid {
			switch l := m.laid[k].lit; {
			case k == i || val[l] < 0:
			case val[l] == 0:
				c.Imply(r, l.Not(), int(i))
				implied = true
			default:
				c.Lemma(l.Not(), p.lit.Not())
				r.fresh = r.fresh[:0]
				return true
			}
		}
	}
	r.fresh = r.fresh[:0]
	return implied
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
