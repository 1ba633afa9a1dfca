package search

import (
	"onlooker/solve/path"
	"onlooker/solve/witness/board"
)

// stateDots adds: every dot that is not erased is covered, a coloured one by its
// own line.
func (m *model) stateDots() {
	l, s := m.l, m.s
	for i := range m.marks {
		mk := &m.marks[i]
		m.clause(mk.cover, mk.gone)
		d := m.p.At(mk.at).Dot
		if mk.cover == none || m.p.Symmetry == board.NoSymmetry || !m.p.Rules.ColouredDots || d.Line == board.AnyLine {
			continue
		}
		var lit path.Lit
		if board.IsNode(mk.at) || l.vertex[l.index(mk.at)] >= 0 {
			lit = l.onSheet(mk.at)
		} else {
			for _, w := range dirs {
				// A shared start is on both lines and tells nothing.
				if q := mk.at.Add(w); m.p.In(q) && board.IsNode(q) && !l.shared(q) {
					lit = l.onSheet(q)
					break
				}
			}
		}
		if d.Line == board.OtherLine {
			lit = lit.Not()
		}
		s.AddClause(mk.cover.Not(), lit)
	}
	// A coloured dot outside the cells is never missed, but still not for the
	// other line; such a dot lies on a missing edge, which no line crosses.
}

func badPieces(t *Tally, _ *Heap) bool { return !t.layable() }

func bearsOnPieces(_ *Heap, erased *item, _ *board.RuleSet) bool { return erased.area != 0 }

func statePieces(m *model, _ []int32) { m.placements() }

var standard = Table{
	board.Hexagon:   {}, // see marks
	board.Polyomino: {mates: true, Bad: badPieces, bears: bearsOnPieces, state: statePieces},
	board.Negative:  {mates: true, Bad: badPieces, bears: bearsOnPieces, state: statePieces},
	board.Triangle:  {Met: triangleMet},
	board.Square:    {content: true, Bad: badSquares, bears: bearsOnSquares, state: stateSquares, erased: squareErased, limits: limitSquares},
	board.Star:      {mates: true, content: true, Bad: badStars, bears: bearsOnStars, state: stateStars, limits: limitStars},
	board.Eraser:    {mates: true, state: stateErasers},
}

// Rows are the rows of Kinds.
func Rows() Table { return standard }

func badSquares(t *Tally, h *Heap) bool {
	for i := range t.heaps {
		if o := &t.heaps[i]; o.it != nil && o.it.Kind == h.it.Kind && o.it.colour != h.it.colour && t.left(i) > 0 {
			return true
		}
	}
	return false
}

func bearsOnSquares(h *Heap, erased *item, _ *board.RuleSet) bool { return erased.Kind == h.it.Kind }

// stateSquares adds: cells that belong together have the same colour bits, and a
// square's cell has those of its colour.
func stateSquares(m *model, own []int32) {
	number := make(map[int32]int)
	for _, i := range own {
		if c := m.items[i].colour; number[c] == 0 {
			number[c] = len(number) + 1
		}
	}
	if len(number) < 2 {
		return
	}
	s := m.s
	var needless [][]path.Lit                    // by square
	if m.fewestGone() && m.p.Rules.ErasedCount { // left or erased, it is the same to stars
		needless = make([][]path.Lit, len(own))
	}
	for bit := 0; 1<<bit < len(number); bit++ {
		first := s.NewVars(len(m.l.cells))
		m.together(first)
		for k, i := range own {
			it := &m.items[i]
			lit := first + 2*path.Lit(it.cell)
			if (number[it.colour]-1)>>bit&1 == 0 {
				lit = lit.Not()
			}
			if needless != nil {
				needless[k] = append(needless[k], lit.Not())
			}
			m.clause(lit, it.gone)
		}
	}
	// A square is not erased for others of its own colour.
	for k, clause := range needless {
		s.AddClause(append(clause, m.items[own[k]].gone.Not())...)
	}
}

// squareErased adds: a square is erased only where there is one of another colour
// before anything is erased.
func squareErased(m *model, it *item) {
	if m.p.Rules.EraseInTurn {
		return
	}
	for k := range m.items {
		if !m.items[k].erases {
			continue
		}
		in := m.labels[m.labelOf[k]].in
		clause := []path.Lit{it.gone.Not(), in[it.cell].Not()}
		for i := range m.items {
			if o := &m.items[i]; o.Kind == it.Kind && o.colour != it.colour {
				clause = append(clause, in[o.cell])
			}
		}
		m.s.AddClause(clause...)
	}
}

// limitSquares: beside a square of some colour there is none of another one.
func limitSquares(m *model, own []int32) []limit {
	all := uint64(0)
	of := make([]uint64, m.colours)
	for _, i := range own {
		it := &m.items[i]
		all |= 1 << it.cell
		of[it.colour] |= 1 << it.cell
	}
	var limits []limit
	for _, cells := range of {
		if cells != 0 && cells != all {
			limits = append(limits, limit{when: cells, counted: all &^ cells})
		}
	}
	return limits
}

func badStars(t *Tally, h *Heap) bool { return t.colours[h.it.colour] != 2 }

func bearsOnStars(h *Heap, erased *item, rules *board.RuleSet) bool {
	return erased.colour == h.it.colour && (erased.Kind == board.Star || !rules.ErasedCount)
}

// stateStars adds: a star that is not erased has exactly one other thing of its
// colour in its region.
func stateStars(m *model, own []int32) {
	for _, i := range own {
		m.starPairs(i)
	}
}

// starMates lists, for every other thing of a star's colour, the literal that
// it counts for it, and the item.
func (m *model) starMates(star int32) (mates []path.Lit, items []int32) {
	it := &m.items[star]
	for k := range int32(len(m.items)) {
		o := &m.items[k]
		if k == star || o.colour != it.colour || o.starless || o.erases && !m.p.Rules.ErasersCount {
			continue
		}
		counts := m.same(star, k)
		if !o.erases && o.gone != none && (o.Kind == board.Star || !m.p.Rules.ErasedCount) {
			there := m.s.NewVar() // and not erased
			m.s.AddClause(there.Not(), counts)
			m.s.AddClause(there.Not(), o.gone.Not())
			m.s.AddClause(there, counts.Not(), o.gone)
			counts = there
		}
		mates, items = append(mates, counts), append(items, k)
	}
	return mates, items
}

func (m *model) starPairs(i int32) {
	s, it := m.s, &m.items[i]
	mates, mateOf := m.starMates(i)
	if it.gone != none && !m.p.Rules.EraseInTurn {
		m.wrongAtFirst(i)
	}
	guard := func(lits ...path.Lit) { m.clause(append(lits, it.gone)...) }
	guard(mates...)
	if it.gone != none && m.fewestGone() {
		// Two stars are not erased where both could be left as a pair.
		for k := range i {
			o := &m.items[k]
			if o.Kind != it.Kind || o.colour != it.colour {
				continue
			}
			clause := []path.Lit{it.gone.Not(), o.gone.Not(), m.same(i, k).Not()}
			for n, x := range mates {
				if mateOf[n] != k {
					clause = append(clause, x)
				}
			}
			s.AddClause(clause...)
		}
	}
	if len(mates) <= 6 {
		for a := range mates {
			for b := range a {
				guard(mates[a].Not(), mates[b].Not())
			}
		}
		return
	}
	// before: one of the mates so far.
	before := mates[0]
	for _, x := range mates[1:] {
		guard(before.Not(), x.Not())
		next := s.NewVar()
		s.AddClause(before.Not(), next)
		s.AddClause(x.Not(), next)
		before = next
	}
}

// wrongAtFirst adds: a star is not erased that has just one other thing of its
// colour before anything is erased.
func (m *model) wrongAtFirst(star int32) {
	it := &m.items[star]
	var others []path.Lit
	for k := range int32(len(m.items)) {
		o := &m.items[k]
		if k != star && o.colour == it.colour && !o.starless && (!o.erases || m.p.Rules.ErasersSeen) {
			others = append(others, m.same(star, k))
		}
	}
	for k, only := range others {
		clause := []path.Lit{it.gone.Not(), only.Not()}
		clause = append(clause, others[:k]...)
		m.s.AddClause(append(clause, others[k+1:]...)...)
	}
}

// limitStars: beside a star there is one thing more of its colour. Erasers count by some
// rules only.
func limitStars(m *model, own []int32) []limit {
	stars, all, may := make([]uint64, m.colours), make([]uint64, m.colours), make([]uint64, m.colours)
	for i := range m.items {
		it := &m.items[i]
		if it.colour < 0 || it.starless {
			continue
		}
		may[it.colour] |= 1 << it.cell
		if !it.erases {
			all[it.colour] |= 1 << it.cell
		}
	}
	for _, i := range own {
		stars[m.items[i].colour] |= 1 << m.items[i].cell
	}
	var limits []limit
	for c, cells := range stars {
		if cells != 0 {
			limits = append(limits, limit{when: cells, counted: all[c], may: may[c], most: 2, least: 2})
		}
	}
	return limits
}

func triangleMet(s *board.Symbol, sides [4]bool) bool {
	n := 0
	for _, on := range sides {
		n += int(b2i(on))
	}
	return n == s.Count
}
